//! From a draft to a network [Sironi 2019, 4.2.1].
//!
//! Constants are merged, moves and their legality paired, components that read nothing connected to
//! a constant. An AND that reads nothing holds, an OR or a proposition does not. Whether a
//! proposition is BASE, INPUT and so on is said by the draft; whether that fits is checked.

use std::sync::Arc;

use gamegrove_gdl::Meter;
use rustc_hash::FxHashSet;

use crate::build::BuildError;
use crate::draft::Draft;
use crate::invariants::{Flaw, right_number};
use crate::kind::Kind;
use crate::lists::Lists;
use crate::names::NameId;
use crate::network::{Network, NodeId, Part, goal_value};
use crate::watch::Watch;

/// Makes a network of a draft. What cannot be repaired is a [`Flaw`]. Cycles are checked by
/// [`Network::check`], not here.
pub fn initialise(draft: Draft) -> Result<Network, Flaw> {
    watched(draft, &mut |_| Ok(()))
}

/// As [`initialise`], within the limits of a meter.
pub fn initialise_within(draft: Draft, meter: &mut Meter) -> Result<Network, BuildError> {
    let network = watched(draft, &mut |bytes| meter.step(|| bytes).map_err(BuildError::from))?;
    meter.check(network.bytes())?;
    Ok(network)
}

fn watched<E: From<Flaw>>(draft: Draft, watch: Watch<'_, E>) -> Result<Network, E> {
    let Draft { roles, names, parts, inputs } = draft;
    let label = |at: usize| names.get(parts[at].name).unwrap_or(parts[at].kind.word()).to_owned();
    let mut legals: FxHashSet<(u8, NameId)> = FxHashSet::default();
    let mut does: FxHashSet<(u8, NameId)> = FxHashSet::default();
    let mut terminals = 0;
    let given = parts.capacity() * size_of::<Part>() + inputs.bytes();
    for (at, part) in parts.iter().enumerate() {
        watch(given + (legals.capacity() + does.capacity()) * 9)?;
        let owned = matches!(part.kind, Kind::Input | Kind::Legal | Kind::Goal);
        let name = names.get(part.name);
        let nameless = (owned && (usize::from(part.role) >= roles.len() || name.is_none()))
            || (part.kind == Kind::Base && name.is_none())
            || (part.kind == Kind::Goal && name.and_then(goal_value).is_none());
        if nameless {
            return Err(Flaw::Nameless(label(at)).into());
        }
        let fresh = match part.kind {
            Kind::Legal => legals.insert((part.role, part.name)),
            Kind::Input => does.insert((part.role, part.name)),
            _ => true,
        };
        if !fresh {
            return Err(Flaw::Unpaired(label(at)).into());
        }
        terminals += usize::from(part.kind == Kind::Terminal);
    }
    if terminals > 1 {
        return Err(Flaw::Terminal(terminals).into());
    }

    // A move that is never legal is never made.
    let never_made =
        |part: &Part| part.kind == Kind::Input && !legals.contains(&(part.role, part.name));
    let mut new_parts = vec![Part::new(Kind::True), Part::new(Kind::False)];
    let mut places = Vec::with_capacity(parts.len());
    for part in &parts {
        places.push(match part.kind {
            Kind::True => NodeId::TRUE,
            Kind::False => NodeId::FALSE,
            _ if never_made(part) => NodeId::FALSE,
            _ => {
                new_parts.push(*part);
                NodeId(new_parts.len() as u32 - 1)
            }
        });
    }
    let mut new_inputs = Lists::default();
    new_inputs.push([]);
    new_inputs.push([]);
    let mut seen = vec![u32::MAX; new_parts.len()];
    let mut list: Vec<NodeId> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        watch(given + new_parts.capacity() * (size_of::<Part>() + 8) + new_inputs.bytes())?;
        if places[at] <= NodeId::FALSE {
            continue;
        }
        list.clear();
        for input in inputs.of(at) {
            let Some(&place) = places.get(input.index()) else {
                return Err(Flaw::Dangling(label(at)).into());
            };
            if std::mem::replace(&mut seen[place.index()], at as u32) != at as u32 {
                list.push(place);
            }
        }
        if list.is_empty() && part.kind != Kind::Input {
            list.push(NodeId::constant(part.kind == Kind::And));
        }
        if !right_number(part.kind, list.len()) {
            let (kind, count) = (part.kind, list.len());
            return Err(Flaw::InputCount { label: label(at), kind, count }.into());
        }
        new_inputs.push(list.iter().copied());
    }
    // A move that nothing reads may still be made.
    for part in &parts {
        if part.kind == Kind::Legal && !does.contains(&(part.role, part.name)) {
            new_parts.push(Part { kind: Kind::Input, ..*part });
            new_inputs.push([]);
        }
    }
    if terminals == 0 {
        new_parts.push(Part::new(Kind::Terminal));
        new_inputs.push([NodeId::FALSE]);
    }
    let network =
        Network::assemble(new_parts, new_inputs, Arc::new(names), roles.into(), Vec::new());
    crate::invariants::bases_are_delayed(&network)?;
    Ok(network)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn check(written: &str, expected: &str) {
        let network = initialise(text::parse(written).expect("a readable network"))
            .expect("a network that can be repaired");
        assert_eq!(network.check(), Ok(()));
        let tidy = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
        assert_eq!(tidy(&text::print(&network)).trim(), tidy(expected).trim());
    }

    fn flaw(written: &str) -> Flaw {
        let network = initialise(text::parse(written).expect("a readable network"));
        match network.and_then(|network| network.check()) {
            Err(flaw) => flaw,
            Ok(()) => panic!("this network is not sound: {written}"),
        }
    }

    #[test]
    fn constants_are_merged_and_an_end_of_play_is_added() {
        check(
            "role r
             yes = true
             no = false
             a = and yes true
             o = or no a",
            "role r
             a = and true
             o = or false a
             terminal = terminal false",
        );
    }

    #[test]
    fn moves_are_paired() {
        check(
            "role r
             (does r dead) = input
             (legal r unread) = legal true
             o = or (does r dead)
             terminal = terminal o",
            "role r
             (legal r unread) = legal true
             o = or false
             terminal = terminal o
             (does r unread) = input",
        );
    }

    #[test]
    fn components_without_inputs_read_a_constant() {
        check(
            "role r
             a = and
             o = or
             p = other
             (goal r 10) = goal
             (true f) = base t
             t = transition
             terminal = terminal",
            "role r
             a = and true
             o = or false
             p = other false
             (goal r 10) = goal false
             (true f) = base t
             t = transition false
             terminal = terminal false",
        );
    }

    #[test]
    fn what_cannot_be_mended_is_named() {
        let two = flaw("role r\nn = not true false");
        assert_eq!(two, Flaw::InputCount { label: "n".into(), kind: Kind::Not, count: 2 });
        assert!(matches!(flaw("role r\n(true f) = base true"), Flaw::Delay(_)));
        let cycle = flaw("role r\na = not b\nb = other a");
        assert!(matches!(cycle, Flaw::NegativeCycle(_)));
        let early = "role r\n(does r a) = input\n(legal r a) = legal true\n\
                     terminal = terminal (does r a)";
        assert_eq!(flaw(early), Flaw::ReadsMoves("terminal".into()));
        assert!(matches!(flaw("role r\n(goal r much) = goal true"), Flaw::Nameless(_)));
    }

    #[test]
    fn texts_that_are_no_networks_say_where() {
        let line = |text: &str| text::parse(text).expect_err("not a network").line;
        assert_eq!(line("role r\na = xor b"), 2);
        assert_eq!(line("role r\n\na = and (b"), 3);
        assert_eq!(line("a = and b"), 1);
        assert_eq!(line("a = and\na = or"), 2);
        assert_eq!(line("(legal r m) = legal"), 1);
    }
}
