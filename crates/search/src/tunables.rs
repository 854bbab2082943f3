//! The parameters of a search as tuners know them: a space to choose values from, and the way back
//! from chosen values to settings.
//!
//! On-line tuning ([`tune`](crate::tune)) writes values into simulations; tuning before play writes
//! them into the settings themselves. Both take names, domains and rules from here.

use std::sync::Arc;

use gamegrove_tuning::{
    Combination, Domain, Parameter as Tunable, Rewards, Space, Value as Chosen, published,
};

use crate::parameter::{Declared, Parameter};
use crate::part::{Part, SettingsError, Value, unknown_name};
use crate::settings::declared;
use crate::tune::TUNE;

/// Chosen parameters of a search.
#[derive(Clone, Debug)]
pub struct Tunables {
    space: Arc<Space>,
    places: Vec<Declared>,
}

impl Tunables {
    /// The parameters with these names of a search with these settings. A name may say where the
    /// parameter is: `playout.epsilon`.
    pub fn new(settings: &Part, names: &[String]) -> Result<Tunables, SettingsError> {
        let declared = declared(settings)?;
        let tunables = Tunables::among(&declared, names, Rewards::GOALS)?;
        let tuned = match settings.get(TUNE.name) {
            Some(Value::Part(part)) => part.get("parameters"),
            _ => None,
        };
        let is_tuned = |name: &str| match tuned {
            Some(Value::List(names)) => names.iter().any(|one| one.to_string() == name),
            Some(one) => one.to_string() == name,
            None => false,
        };
        match names.iter().find(|name| is_tuned(name)) {
            None => Ok(tunables),
            Some(name) => Err(SettingsError::BadValue {
                part: "tune".to_owned(),
                key: "parameters".to_owned(),
                wanted: "other parameters than those that change while the agent plays".to_owned(),
                value: name.clone(),
            }),
        }
    }

    /// The parameters with these names among those that a search has.
    pub(crate) fn among(
        declared: &[Declared],
        names: &[String],
        rewards: Rewards,
    ) -> Result<Tunables, SettingsError> {
        let places: Vec<Declared> =
            names.iter().map(|name| find(name, declared).cloned()).collect::<Result<_, _>>()?;
        let tunables: Vec<Tunable> =
            places.iter().map(|one| tunable(one, rewards)).collect::<Result<_, _>>()?;
        let both = |name: &str| tunables.iter().any(|one| one.name == name);
        let rules = match both("k") && both("ref") {
            true => vec![published::k_switches_ref()],
            false => Vec::new(),
        };
        let space = Space::new(tunables, &rules).map_err(|error| SettingsError::Tuning {
            strategy: names.join(","),
            problem: error.to_string(),
        })?;
        Ok(Tunables { space: Arc::new(space), places })
    }

    /// The space.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// Where each parameter of the space is.
    pub(crate) fn places(&self) -> &[Declared] {
        &self.places
    }

    /// The values that the settings have, as they are written.
    pub fn present(&self) -> Vec<f64> {
        self.places.iter().map(|place| place.value).collect()
    }

    /// The values of a combination; what has no meaning in it keeps the value of the settings.
    pub fn values(&self, combination: &Combination) -> Vec<f64> {
        let chosen = self.space.values(combination);
        self.places.iter().zip(chosen).map(|(p, value)| value.number().unwrap_or(p.value)).collect()
    }

    /// The settings with the values of a combination.
    pub fn apply(&self, settings: &Part, combination: &Combination) -> Part {
        let mut part = settings.clone();
        for (place, value) in self.places.iter().zip(self.values(combination)) {
            set(&mut part, place, value);
        }
        part
    }
}

/// Writes a parameter's value into the part it belongs to; parts that were left to their defaults
/// are written out.
fn set(settings: &mut Part, place: &Declared, value: f64) {
    let mut part = settings;
    for (key, strategy) in &place.path {
        let known = part.options.iter().position(|(known, _)| known == key);
        let at = known.unwrap_or_else(|| {
            part.options.push((key.clone(), Value::Part(Part::named(strategy))));
            part.options.len() - 1
        });
        match &mut part.options[at].1 {
            Value::Part(inner) => part = inner,
            // Settings that were read have parts where parts are declared.
            _ => return,
        }
    }
    let value = match place.parameter.kind {
        crate::parameter::Kind::Flag => Value::Flag(value != 0.0),
        _ => Value::Number(value),
    };
    match part.options.iter_mut().find(|(key, _)| key == place.parameter.name) {
        Some((_, old)) => *old = value,
        None => part.options.push((place.parameter.name.to_owned(), value)),
    }
}

fn find<'d>(name: &str, declared: &'d [Declared]) -> Result<&'d Declared, SettingsError> {
    let is_it = |one: &&Declared| {
        one.parameter.name == name || format!("{}.{}", one.part, one.parameter.name) == name
    };
    declared.iter().find(is_it).ok_or_else(|| {
        let names: Vec<&str> = declared.iter().map(|one| one.parameter.name).collect();
        unknown_name("parameters", name, &names)
    })
}

/// The parameter as tuners know it: as published, or over its own domain.
fn tunable(declared: &Declared, rewards: Rewards) -> Result<Tunable, SettingsError> {
    let Parameter { name, domain, least, greatest, .. } = declared.parameter;
    // Video games have rewards of their own, and other domains of parameters with equal names.
    let (board, video) = (published::board_parameters(), published::video_parameters());
    let (first, then) = if rewards == Rewards::UNIT { (video, board) } else { (board, video) };
    if let Some(published) = first.into_iter().chain(then).find(|one| one.name == name) {
        return Ok(published);
    }
    if domain.is_empty() {
        return Err(SettingsError::BadValue {
            part: "tune".to_owned(),
            key: "parameters".to_owned(),
            wanted: "parameters with a domain to tune over".to_owned(),
            value: name.to_owned(),
        });
    }
    let values = Domain::reals(domain);
    let values = match (least.is_finite() && greatest.is_finite()).then_some((least, greatest)) {
        Some((least, greatest)) => values.with_range(least, greatest),
        None => values,
    };
    Ok(Tunable::new(name, Chosen::Real(declared.value), values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_go_where_their_parameters_are() {
        let select = Part::named("grave").with("c", 0.2).with("ref", 50.0);
        let part = Part::named("mcts").with("select", select).with("playout", "mast");
        let tunables = Tunables::new(&part, &names(&["c", "k", "ref", "epsilon", "t"])).unwrap();
        let chosen = tunables.space().parse("c=0.5 k=100 ref=0 epsilon=0.1 t=5").unwrap();
        assert_eq!(
            tunables.apply(&part, &chosen).to_string(),
            "mcts(select=grave(c=0.5, ref=0, k=100), playout=mast(epsilon=0.1), t=5)"
        );
        let plain = tunables.space().parse("c=0.5 k=0 ref=unset epsilon=0.1 t=5").unwrap();
        let plain = tunables.apply(&part, &plain).to_string();
        assert!(plain.contains("ref=50") && plain.contains("k=0"), "{plain}");
    }

    #[test]
    fn parts_left_to_their_defaults_are_written_out() {
        let part = Part::named("mcts");
        let tunables = Tunables::new(&part, &names(&["select.c"])).unwrap();
        let chosen = tunables.space().parse("c=0.9").unwrap();
        assert_eq!(tunables.apply(&part, &chosen).to_string(), "mcts(select=uct(c=0.9))");
        let inner = Part::named("sum").with("base", "mast").with("extra", "fast");
        let part = Part::named("mcts").with("playout", inner);
        let known = declared(&part).unwrap();
        let deep = known.iter().find(|one| one.path.len() == 2).expect("parts in parts declare");
        let mut changed = part.clone();
        set(&mut changed, deep, deep.value);
        let written = Part::named(&deep.path[1].1).with(deep.parameter.name, deep.value);
        assert!(changed.to_string().contains(&written.to_string()), "{changed}");
    }

    #[test]
    fn mistakes_name_the_nearest_parameter() {
        let part = Part::named("mcts").with("playout", "mast");
        let message =
            |part: &Part, name: &str| Tunables::new(part, &names(&[name])).unwrap_err().to_string();
        assert!(message(&part, "epsilom").contains("did you mean `epsilon`?"));
        let list = Value::List(vec!["c".into()]);
        let tuned = part.with("tune", Part::named("ea").with("parameters", list));
        assert!(message(&tuned, "c").contains("change while the agent plays"));
        assert!(Tunables::new(&tuned, &names(&["epsilon"])).is_ok());
    }
}
