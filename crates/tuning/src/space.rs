//! The space that is searched: parameters, and the rule that says which values go together.
//!
//! [Sironi 2019, 6.2.2]. The only kind of rule is that one parameter (the switch) makes
//! others meaningless at some of its values, as K = 0 does with `ref`. A parameter that can be
//! switched off has one choice more than its domain, [`Value::Unset`], and a combination is legal
//! if exactly the switched-off parameters are unset. A rule whose two parameters are not both in
//! the space has no effect.
//!
//! Because a parameter has at most one switch, the legal combinations are a product of independent
//! *blocks*: single parameters, and switches with what they switch. So they can be counted,
//! numbered and drawn uniformly without listing them (`number`), whatever their count.

use std::borrow::Cow;
use std::ops::Range;

use gamegrove_settings::nearest;

use crate::{Combination, Index, Indices, Parameter, SpaceError, Value};

/// The most parameters a space may have.
pub const MAX_PARAMETERS: usize = 64;

/// The most values a switch may have: they are kept as the bits of a word.
const MAX_SWITCH: usize = 64;

/// "Where `switch` is one of `off`, `idle` has no meaning."
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The parameter that switches.
    pub switch: Cow<'static, str>,
    /// Its values that switch off.
    pub off: Vec<Value>,
    /// The parameter that is switched off.
    pub idle: Cow<'static, str>,
}

/// Parameters and the legal combinations of their values.
#[derive(Clone, Debug)]
pub struct Space {
    parameters: Vec<Parameter>,
    choices: Vec<Vec<Value>>,
    pub(crate) blocks: Vec<Block>,
    /// The block of each parameter.
    pub(crate) block_of: Vec<usize>,
    /// The parameters with more than one choice.
    pub(crate) movable: Vec<usize>,
    /// Bit p: parameter p has a block to itself, so its choices depend on nothing.
    alone: u64,
}

/// A parameter and those it switches off; independent of all other blocks.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub switch: usize,
    pub members: Vec<Member>,
    /// The first number of each value of the switch among the block's combinations, and their
    /// count at the end. A value's combinations follow each other.
    pub starts: Vec<u64>,
}

/// A parameter that is switched off.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub parameter: usize,
    /// Bit v: value v of the switch switches this parameter off.
    pub off: u64,
    /// The number of its values, [`Value::Unset`] not counted.
    pub values: Index,
}

impl Space {
    /// The space of these parameters, in this order.
    pub fn new(parameters: Vec<Parameter>, rules: &[Rule]) -> Result<Self, SpaceError> {
        if parameters.is_empty() {
            return Err(SpaceError::Empty);
        }
        if parameters.len() > MAX_PARAMETERS {
            return Err(SpaceError::TooManyParameters { count: parameters.len() });
        }
        for (i, parameter) in parameters.iter().enumerate() {
            parameter.check()?;
            if parameters[..i].iter().any(|other| other.name == parameter.name) {
                let parameter = parameter.name.to_string();
                return Err(SpaceError::RepeatedParameter { parameter });
            }
        }
        let links = links(&parameters, rules)?;
        let mut choices: Vec<Vec<Value>> =
            parameters.iter().map(|parameter| parameter.domain.values().to_vec()).collect();
        let mut blocks = Vec::new();
        for (switch, parameter) in parameters.iter().enumerate() {
            if links.iter().any(|link| link.idle == switch) {
                continue;
            }
            let mut members = Vec::new();
            for link in links.iter().filter(|link| link.switch == switch) {
                let all_off = link.off.count_ones() as usize == choices[switch].len();
                // A value that no legal combination has is no choice.
                if all_off {
                    choices[link.idle].clear();
                }
                let values = choices[link.idle].len() as Index;
                choices[link.idle].push(Value::Unset);
                members.push(Member { parameter: link.idle, off: link.off, values });
            }
            let too_large = || SpaceError::TooLarge { parameter: parameter.name.to_string() };
            let starts = starts(choices[switch].len(), &members).ok_or_else(too_large)?;
            blocks.push(Block { switch, members, starts });
        }
        let mut block_of = vec![0; parameters.len()];
        for (number, block) in blocks.iter().enumerate() {
            block_of[block.switch] = number;
            for member in &block.members {
                block_of[member.parameter] = number;
            }
        }
        let movable = (0..parameters.len()).filter(|&i| choices[i].len() > 1).collect();
        let alone = blocks.iter().filter(|block| block.members.is_empty());
        let alone = alone.fold(0, |bits, block| bits | 1 << block.switch);
        Ok(Space { parameters, choices, blocks, block_of, movable, alone })
    }

    /// The parameters, in the order of a combination.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The number of parameters, at least 1.
    pub fn dimension(&self) -> usize {
        self.parameters.len()
    }

    /// What parameter number `parameter` can be: its domain, and [`Value::Unset`] as the last where
    /// another parameter can switch it off.
    pub fn choices(&self, parameter: usize) -> &[Value] {
        &self.choices[parameter]
    }

    /// The number of combinations if every value went with every other; `None` if it is above 2^64.
    pub fn unconstrained(&self) -> Option<u64> {
        self.parameters
            .iter()
            .try_fold(1u64, |n, parameter| n.checked_mul(parameter.domain.values().len() as u64))
    }

    /// The number of the parameter called `name`.
    pub fn position(&self, name: &str) -> Result<usize, SpaceError> {
        self.parameters.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
            let names = self.parameters.iter().map(|parameter| parameter.name.as_ref());
            let nearest = nearest(name, names).map(str::to_owned);
            SpaceError::UnknownParameter { parameter: name.to_string(), nearest }
        })
    }

    /// The value that `combination` gives to parameter number `parameter`, [`Value::Unset`] if the
    /// combination is not of this space.
    pub fn value(&self, combination: &Combination, parameter: usize) -> Value {
        let value = match (combination.indices(), combination.reals()) {
            (Some(indices), _) => indices
                .get(parameter)
                .and_then(|&index| self.choices.get(parameter)?.get(usize::from(index)).copied()),
            (_, Some(reals)) => reals.get(parameter).copied().map(Value::Real),
            _ => None,
        };
        value.unwrap_or(Value::Unset)
    }

    /// All values of `combination`, in the order of the parameters.
    pub fn values<'a>(&'a self, combination: &'a Combination) -> impl Iterator<Item = Value> + 'a {
        (0..self.dimension()).map(|parameter| self.value(combination, parameter))
    }

    /// The combination as `name=value` pairs with spaces between.
    pub fn describe(&self, combination: &Combination) -> String {
        let pairs = self.parameters.iter().zip(self.values(combination));
        pairs
            .map(|(parameter, value)| format!("{}={value}", parameter.name))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The combination that [`Space::describe`] writes so; in any order, and parameters that others
    /// switch off may be left out.
    pub fn parse(&self, text: &str) -> Result<Combination, SpaceError> {
        let mut indices = Indices::from_elem(OPEN, self.dimension());
        for pair in text.split_whitespace() {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let parameter = self.position(name)?;
            let kind = self.parameters[parameter].domain.kind();
            let choices = &self.choices[parameter];
            let wanted = Value::parse(kind, value);
            let index = choices.iter().position(|&choice| Some(choice) == wanted);
            indices[parameter] = index.ok_or_else(|| SpaceError::UnknownValue {
                parameter: name.to_string(),
                value: value.chars().take(64).collect(),
                choices: choices.clone(),
            })? as Index;
        }
        for block in &self.blocks {
            for member in &block.members {
                let switch = indices[block.switch];
                if indices[member.parameter] == OPEN
                    && switch != OPEN
                    && member.off >> switch & 1 == 1
                {
                    indices[member.parameter] = member.values;
                }
            }
        }
        if let Some(parameter) = indices.iter().position(|&index| index == OPEN) {
            let parameter = self.parameters[parameter].name.to_string();
            return Err(SpaceError::MissingValue { parameter });
        }
        let combination = Combination::from_indices(&indices);
        if !self.is_legal(&indices) {
            return Err(SpaceError::Illegal { combination: self.describe(&combination) });
        }
        Ok(combination)
    }

    /// The ends of the continuous domain of every parameter.
    pub fn ranges(&self) -> Result<Vec<(f64, f64)>, SpaceError> {
        let range = |parameter: &Parameter| {
            let missing = || SpaceError::NoRange { parameter: parameter.name.to_string() };
            parameter.domain.range().ok_or_else(missing)
        };
        self.parameters.iter().map(range).collect()
    }

    /// Whether the combination of these choices exists and the rules allow it.
    pub fn is_legal(&self, indices: &[Index]) -> bool {
        indices.len() == self.dimension()
            && indices.iter().zip(&self.choices).all(|(&i, choices)| usize::from(i) < choices.len())
            && self.blocks.iter().all(|block| {
                block.members.iter().all(|member| {
                    let off = member.off >> indices[block.switch] & 1 == 1;
                    off == (indices[member.parameter] == member.values)
                })
            })
    }

    /// Whether combination `partial`, in which [`OPEN`] parameters have no value yet, can be
    /// completed legally if `parameter` gets `index`.
    pub(crate) fn allows(&self, partial: &[Index], parameter: usize, index: Index) -> bool {
        if self.is_alone(parameter) {
            return true;
        }
        let block = &self.blocks[self.block_of[parameter]];
        let at = |other: usize| if other == parameter { index } else { partial[other] };
        let mut possible = match at(block.switch) {
            OPEN => u64::MAX >> (MAX_SWITCH - self.choices[block.switch].len()),
            switch => 1 << switch,
        };
        for member in &block.members {
            let value = at(member.parameter);
            if value != OPEN {
                possible &= if value == member.values { member.off } else { !member.off };
            }
        }
        possible != 0
    }

    /// Whether the choices of `parameter` depend on nothing.
    #[inline]
    pub(crate) fn is_alone(&self, parameter: usize) -> bool {
        self.alone >> parameter & 1 == 1
    }

    /// All that [`allows`](Space::allows) says about `parameter`, worked out once.
    #[inline]
    pub(crate) fn legal(&self, partial: &[Index], parameter: usize) -> Legal {
        if self.is_alone(parameter) { Legal::All } else { self.legal_in_block(partial, parameter) }
    }

    fn legal_in_block(&self, partial: &[Index], parameter: usize) -> Legal {
        let block = &self.blocks[self.block_of[parameter]];
        let all = u64::MAX >> (MAX_SWITCH - self.choices[block.switch].len());
        let is_switch = parameter == block.switch;
        let mut possible = match partial[block.switch] {
            switch if switch == OPEN || is_switch => all,
            switch => 1 << switch,
        };
        let mut own = None;
        for member in &block.members {
            let value = partial[member.parameter];
            if member.parameter == parameter {
                own = Some(member);
            } else if value != OPEN {
                possible &= if value == member.values { member.off } else { !member.off };
            }
        }
        match own {
            None if possible == all => Legal::All,
            None => Legal::Listed(possible),
            Some(member) => {
                let (off, on) = (possible & member.off != 0, possible & !member.off != 0);
                match (off, on) {
                    (true, true) => Legal::All,
                    (false, true) => Legal::Below(member.values),
                    _ => Legal::Only(member.values),
                }
            }
        }
    }

    /// The choices of `parameter` as numbers.
    pub(crate) fn indices(&self, parameter: usize) -> Range<Index> {
        0..self.choices[parameter].len() as Index
    }
}

/// Which choices of a parameter a partial combination allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Legal {
    /// All of them.
    All,
    /// The choices of a switch whose bit is set.
    Listed(u64),
    /// "Unset", the last choice of a parameter that is switched off.
    Only(Index),
    /// All choices before "unset", of a parameter that is not switched off.
    Below(Index),
}

impl Legal {
    /// Whether this choice is allowed.
    #[inline]
    pub(crate) fn contains(self, index: Index) -> bool {
        match self {
            Legal::All => true,
            Legal::Listed(bits) => usize::from(index) < MAX_SWITCH && bits >> index & 1 == 1,
            Legal::Only(only) => index == only,
            Legal::Below(bound) => index < bound,
        }
    }
}

/// The index of a parameter that has no value yet.
pub(crate) const OPEN: Index = Index::MAX;

/// A rule between two parameters of the space.
struct Link {
    switch: usize,
    idle: usize,
    off: u64,
}

/// The rules that have an effect, one per switched parameter.
fn links(parameters: &[Parameter], rules: &[Rule]) -> Result<Vec<Link>, SpaceError> {
    let find = |name: &str| parameters.iter().position(|parameter| parameter.name == name);
    let mut links: Vec<Link> = Vec::new();
    for rule in rules {
        let (Some(switch), Some(idle)) = (find(&rule.switch), find(&rule.idle)) else { continue };
        let values = parameters[switch].domain.values();
        if values.len() > MAX_SWITCH {
            let parameter = rule.switch.to_string();
            return Err(SpaceError::WideSwitch { parameter, count: values.len() });
        }
        let off = (0..values.len()).filter(|&v| rule.off.contains(&values[v]));
        let off = off.fold(0, |mask, v| mask | 1u64 << v);
        if off == 0 {
            continue;
        }
        match links.iter_mut().find(|link| link.idle == idle && link.switch == switch) {
            Some(link) => link.off |= off,
            None => links.push(Link { switch, idle, off }),
        }
    }
    for (i, link) in links.iter().enumerate() {
        let twice = links[..i].iter().any(|other| other.idle == link.idle);
        if twice || link.switch == link.idle || links.iter().any(|other| other.switch == link.idle)
        {
            let parameter = parameters[link.idle].name.to_string();
            return Err(SpaceError::TangledRules { parameter });
        }
    }
    Ok(links)
}

/// Where the combinations of each value of the switch start, and their count; `None` above 2^63.
fn starts(switch_values: usize, members: &[Member]) -> Option<Vec<u64>> {
    let mut starts = vec![0u64];
    for value in 0..switch_values {
        let on = members.iter().filter(|member| member.off >> value & 1 == 0);
        let size = on.map(|member| u64::from(member.values)).try_fold(1u64, u64::checked_mul)?;
        let next = starts[value].checked_add(size)?;
        starts.push(next);
    }
    starts.last().is_some_and(|&count| count < 1 << 63).then_some(starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published;

    #[test]
    fn published_sizes() {
        // [Sironi 2019, 6.2.2], table "Sizes of the legal space".
        for (set, unconstrained, legal) in [
            (published::SP_2, 99, 99),
            (published::AP_2, 80, 73),
            (published::AP_4, 7_920, 7_227),
            (published::AP_6, 475_200, 433_620),
            (published::MP_2, 120, 120),
            (published::MP_3, 1_320, 1_320),
            (published::MP_5, 59_400, 59_400),
        ] {
            let space = set.space();
            assert_eq!(space.unconstrained(), Some(unconstrained), "{}", set.name);
            assert_eq!(space.count(), Some(legal), "{}", set.name);
        }
    }

    #[test]
    fn what_is_worked_out_once_is_what_is_allowed() {
        let space = published::AP_2.space();
        let open_or = |parameter: usize| space.indices(parameter).chain([OPEN]);
        for k in open_or(0) {
            for reference in open_or(1) {
                for parameter in 0..2 {
                    let legal = space.legal(&[k, reference], parameter);
                    for index in space.indices(parameter) {
                        let allowed = space.allows(&[k, reference], parameter, index);
                        assert_eq!(legal.contains(index), allowed, "{k} {reference} {index}");
                    }
                }
            }
        }
        assert_eq!(published::SP_2.space().legal(&[OPEN, 3], 0), Legal::All);
    }

    #[test]
    fn partial_combinations_allow_what_can_be_completed() {
        let space = published::AP_2.space();
        let unset = 8;
        assert!(space.allows(&[OPEN, OPEN], 0, 0) && space.allows(&[OPEN, OPEN], 1, unset));
        for reference in space.indices(1) {
            assert_eq!(space.allows(&[0, OPEN], 1, reference), reference == unset);
            assert_eq!(space.allows(&[1, OPEN], 1, reference), reference != unset);
        }
        for k in space.indices(0) {
            assert_eq!(space.allows(&[OPEN, unset], 0, k), k == 0);
            assert_eq!(space.allows(&[OPEN, 0], 0, k), k != 0);
        }
    }

    #[test]
    fn text_and_back() {
        let space = published::AP_4.space();
        let text = "c=0.2 epsilon=0.4 k=250 ref=50";
        let combination = space.parse(text).unwrap();
        assert_eq!(space.describe(&combination), text);
        let off = space.parse("k=0 epsilon=1 c=0.9").unwrap();
        assert_eq!(space.describe(&off), "c=0.9 epsilon=1 k=0 ref=unset");
        let error = |text: &str| space.parse(text).unwrap_err().to_string();
        assert_eq!(
            error("c=0.2 epsilon=0.4 k=0 ref=50"),
            "`c=0.2 epsilon=0.4 k=0 ref=50` is not legal: a parameter is `unset` exactly where another switches it off"
        );
        assert_eq!(error("eps=0.4"), "unknown parameter `eps`; did you mean `epsilon`?");
        assert_eq!(error("epsilom=0.4"), "unknown parameter `epsilom`; did you mean `epsilon`?");
        assert_eq!(
            error("c=3"),
            "`3` is none of the values of `c`; these are 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9"
        );
        assert_eq!(
            error("c=0.1 epsilon=0 k=10"),
            "the parameter `ref` has no value; add `ref=...`"
        );
    }

    #[test]
    fn rules_that_cannot_be() {
        let number = |name: &'static str| {
            Parameter::new(name, Value::Integer(0), crate::Domain::integers(&[0, 1]))
        };
        let rule = |switch: &'static str, idle: &'static str| Rule {
            switch: switch.into(),
            off: vec![Value::Integer(0)],
            idle: idle.into(),
        };
        let abc = || vec![number("a"), number("b"), number("c")];
        let tangled = |rules: &[Rule]| {
            matches!(Space::new(abc(), rules), Err(SpaceError::TangledRules { .. }))
        };
        assert!(tangled(&[rule("a", "b"), rule("b", "c")]));
        assert!(tangled(&[rule("a", "c"), rule("b", "c")]));
        assert!(tangled(&[rule("a", "a")]));
        assert!(!tangled(&[
            rule("a", "b"),
            rule("a", "c"),
            rule("x", "b"),
            published::k_switches_ref()
        ]));
        assert_eq!(Space::new(abc(), &[rule("a", "b"), rule("a", "c")]).unwrap().count(), Some(5));
        let mut always = rule("a", "b");
        always.off.push(Value::Integer(1));
        let space = Space::new(abc(), &[always]).unwrap();
        assert_eq!(space.choices(1), [Value::Unset]);
        assert_eq!(space.count(), Some(4));
    }
}
