//! Whether the names of an experiment fit each other.

use gamegrove_play::reasoner::Reasoner;
use gamegrove_settings::TextError;
use toml::Spanned;

use super::error::unknown;
use super::{Budget, Layout, Published, Scoring, Spec};

/// Larger tables are mistakes, and their plans would not fit in memory.
const MOST_ENTRIES: usize = 1000;

pub(super) fn check(text: &str, spec: &Spec) -> Result<(), TextError> {
    let at_top = |problem: &str| Err(TextError::at(text, 0, problem));
    if spec.agents.is_empty() {
        return at_top("`agents` is empty: nobody would play");
    }
    if spec.games.is_empty() {
        return at_top("`games` is empty: there would be nothing to play");
    }
    for (what, count) in [
        ("agents", spec.agents.len()),
        ("columns", spec.columns.len()),
        ("games", spec.games.len()),
    ] {
        if count > MOST_ENTRIES {
            return at_top(&format!("`{what}` has {count} entries; at most {MOST_ENTRIES}"));
        }
    }
    match (spec.layout, spec.columns.is_empty()) {
        (Layout::Duels, true) => return at_top("`columns` is missing: who plays against whom?"),
        (Layout::RoundRobin | Layout::Alone, false) => {
            return at_top("`columns` is for the layout \"duels\"; this one makes its own");
        }
        _ => {}
    }
    if spec.layout == Layout::RoundRobin && spec.agents.len() < 2 {
        return at_top("`agents` has one entry, but a round robin needs two");
    }
    if spec.scoring == Scoring::Speed && spec.layout != Layout::Alone {
        return at_top(
            "the scoring \"speed\" is for the layout \"alone\": who meets whom changes it",
        );
    }
    let own = spec.agents.iter().filter_map(|agent| agent.reasoner.as_ref());
    for reasoner in std::iter::once(&spec.reasoner).chain(own) {
        if reasoner.get_ref().parse::<Reasoner>().is_err() {
            let known = Reasoner::ALL.map(Reasoner::name);
            return Err(unknown(text, reasoner, "reasoner", known));
        }
    }
    names(text, spec)?;
    columns(text, spec)?;
    games(text, spec)?;
    profiles(text, spec)
}

fn names(text: &str, spec: &Spec) -> Result<(), TextError> {
    twice(text, "agent", spec.agents.iter().map(|agent| &agent.name))?;
    twice(text, "column", spec.columns.iter().map(|column| &column.label))?;
    twice(text, "game", spec.games.iter().map(|game| &game.name))
}

fn twice<'s>(
    text: &str,
    what: &str,
    names: impl Iterator<Item = &'s Spanned<String>>,
) -> Result<(), TextError> {
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if name.get_ref().is_empty() {
            return Err(TextError::at(text, name.span().start, format!("a {what} without a name")));
        }
        if !seen.insert(name.get_ref()) {
            let problem = format!("two {what}s are called \"{}\"", name.get_ref());
            return Err(TextError::at(text, name.span().start, problem));
        }
    }
    Ok(())
}

fn columns(text: &str, spec: &Spec) -> Result<(), TextError> {
    let known = || spec.agents.iter().map(|agent| agent.name.get_ref().as_str());
    for column in &spec.columns {
        for name in std::iter::once(&column.of).chain(&column.against) {
            if !known().any(|agent| agent == name.get_ref()) {
                return Err(unknown(text, name, "agent of this file", known()));
            }
        }
        let against_itself = column.against.iter().find(|name| *name == &column.of);
        if let Some(name) = against_itself {
            let problem = format!("\"{}\" cannot play against itself", name.get_ref());
            return Err(TextError::at(text, name.span().start, problem));
        }
    }
    Ok(())
}

fn games(text: &str, spec: &Spec) -> Result<(), TextError> {
    let columns = spec.column_labels().len();
    for game in &spec.games {
        let at = game.name.span().start;
        fits(text, at, "published", &game.published, columns)?;
        let budget = game.budget.as_ref().unwrap_or(&spec.budget);
        budget_fits(text, budget, game.simulations_per_second)?;
    }
    let summary = &spec.summary;
    fits(text, 0, "summary.average", &summary.average, columns)?;
    if ![0, columns].contains(&summary.robustness.len()) {
        let count = summary.robustness.len();
        let problem = format!("`summary.robustness` has {count} values for {columns} columns");
        return Err(TextError::at(text, 0, problem));
    }
    if ![0, columns].contains(&summary.times.len()) {
        let count = summary.times.len();
        let problem = format!("`summary.times` has {count} agents for {columns} columns");
        return Err(TextError::at(text, summary.times[0].span().start, problem));
    }
    let known = || spec.agents.iter().map(|agent| agent.name.get_ref().as_str());
    if let Some(name) = summary.times.iter().find(|name| !known().any(|a| a == name.get_ref())) {
        return Err(unknown(text, name, "agent of this file", known()));
    }
    Ok(())
}

fn fits(
    text: &str,
    at: usize,
    key: &str,
    values: &[Option<Published>],
    columns: usize,
) -> Result<(), TextError> {
    if values.is_empty() || values.len() == columns {
        return Ok(());
    }
    let problem = format!(
        "`{key}` has {} values for {columns} columns; write \"\" where there is none",
        values.len()
    );
    Err(TextError::at(text, at, problem))
}

fn budget_fits(text: &str, budget: &Spanned<Budget>, speed: Option<f64>) -> Result<(), TextError> {
    match budget.get_ref().problem(speed) {
        Some(problem) => Err(TextError::at(text, budget.span().start, problem)),
        None => Ok(()),
    }
}

fn profiles(text: &str, spec: &Spec) -> Result<(), TextError> {
    let known_games = || spec.games.iter().map(|game| game.name.get_ref().as_str());
    let known_columns = spec.column_labels();
    for profile in spec.profiles.values() {
        for name in profile.games.iter().flatten().chain(profile.by_game.keys()) {
            if !known_games().any(|game| game == name.get_ref()) {
                return Err(unknown(text, name, "game of this file", known_games()));
            }
        }
        for name in profile.columns.iter().flatten() {
            if !known_columns.contains(&name.get_ref().as_str()) {
                let known = known_columns.iter().copied();
                return Err(unknown(text, name, "column of this file", known));
            }
        }
        for game in &spec.games {
            let budget = profile.of_game(game.name.get_ref()).and_then(|own| own.budget.as_ref());
            if let Some(budget) = budget {
                budget_fits(text, budget, game.simulations_per_second)?;
            }
        }
        if let Some(budget) = &profile.budget {
            let chosen = |name: &str| {
                profile.games.as_ref().is_none_or(|games| games.iter().any(|g| g.get_ref() == name))
            };
            for game in spec.games.iter().filter(|game| chosen(game.name.get_ref())) {
                budget_fits(text, budget, game.simulations_per_second)?;
            }
        }
    }
    Ok(())
}
