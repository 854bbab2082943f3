//! What can be typed after `grove games make`: one subcommand per family, with its parameters as
//! options. All of it comes from the families themselves.

use clap::{Arg, ArgMatches, Command, FromArgMatches, Subcommand};
use gamegrove_families::{FAMILIES, Family, find};
use gamegrove_settings::Parameter;

/// A family and its arguments as typed.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The family.
    pub family: &'static Family,
    /// The parameters that were given.
    pub arguments: Vec<(&'static str, String)>,
}

impl Subcommand for Choice {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(FAMILIES.map(subcommand)).subcommand_required(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        find(name).is_some()
    }
}

fn subcommand(family: &'static Family) -> Command {
    Command::new(family.name)
        .about(format!("Writes {}", family.summary))
        .args(family.parameters.iter().map(option))
}

fn option(parameter: &'static Parameter) -> Arg {
    let (value, range) = match parameter.words() {
        [] => ("N", format!("{} to {}", parameter.least, parameter.greatest)),
        words => ("CHOICE", words.join(", ")),
    };
    let default = parameter.default_text();
    Arg::new(parameter.name)
        .long(parameter.name)
        .value_name(value)
        .help(format!("{}: {range} [default: {default}]", capital(parameter.sentence)))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

impl FromArgMatches for Choice {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let family = find(name).ok_or_else(missing)?;
        let given = family.parameters.iter().filter_map(|parameter| {
            let text = matches.get_one::<String>(parameter.name)?;
            Some((parameter.name, text.clone()))
        });
        Ok(Choice { family, arguments: given.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Reads what `made_by` in a metadata file says: a family and its options.
#[cfg(test)]
pub fn parse(text: &str) -> Result<Choice, clap::Error> {
    let command = Choice::augment_subcommands(Command::new("make").no_binary_name(true));
    Choice::from_arg_matches(&command.try_get_matches_from(text.split_whitespace())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamegrove_play::library;

    #[test]
    fn made_games_are_what_their_families_make() {
        let mut made = 0;
        for game in library::games() {
            let Ok(about) = game.metadata() else { continue };
            let Some(text) = about.made_by else { continue };
            let Choice { family, arguments } =
                parse(&text).unwrap_or_else(|error| panic!("{}: `made_by` {error}", game.name));
            let arguments: Vec<(&str, &str)> =
                arguments.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let rules = family.make(&arguments).expect("arguments in range");
            assert!(rules == game.text, "`grove games make {text}` does not give {}", game.name);
            made += 1;
        }
        assert!(made >= 5, "only {made} shipped games are made");
    }
}
