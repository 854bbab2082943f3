//! The network: immutable, shared by all evaluators, stored in flat arrays.
//!
//! What a component *is* and what it reads is all there is; values belong to the evaluators
//! [Sironi 2019, 4.1.1]. The tables beside the graph [Sironi 2019, 4.2.1] say what the components mean to
//! a player: roles with their moves and goals, the facts that make up a state, the end of play.
//! State bits and move numbers are places in these tables, so they are assigned anew when an
//! optimisation removes components [Sironi 2019, 4.2.2].

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::kind::Kind;
use crate::lists::Lists;
use crate::names::{NameId, Names};

/// A component of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The constant that holds; every network has it here.
    pub const TRUE: NodeId = NodeId(0);
    /// The constant that does not hold; every network has it here.
    pub const FALSE: NodeId = NodeId(1);

    /// The constant of a value.
    pub fn constant(value: bool) -> NodeId {
        if value { NodeId::TRUE } else { NodeId::FALSE }
    }

    /// The component's place in arrays that hold one entry per component.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A component, without its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its kind.
    pub kind: Kind,
    /// Whose move or goal it is; [`Part::NOBODY`] elsewhere.
    pub role: u8,
    /// Whether a base proposition holds in the first state.
    pub initial: bool,
    /// The fact, move, goal value or sentence it stands for.
    pub name: NameId,
}

impl Part {
    /// The role of what belongs to no role.
    pub const NOBODY: u8 = u8::MAX;

    /// A part without role and name.
    pub fn new(kind: Kind) -> Part {
        Part { kind, role: Part::NOBODY, initial: false, name: NameId::NONE }
    }

    /// The same with a name.
    pub fn named(self, name: NameId) -> Part {
        Part { name, ..self }
    }

    /// The same with a role.
    pub fn of_role(self, role: u8) -> Part {
        Part { role, ..self }
    }
}

/// A move of a role: set by the player, allowed by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveLine {
    /// The proposition `(does role move)`.
    pub input: NodeId,
    /// The proposition `(legal role move)`.
    pub legal: NodeId,
    /// The move.
    pub name: NameId,
}

/// A goal of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalLine {
    /// The proposition `(goal role value)`.
    pub node: NodeId,
    /// Its value, from 0 to 100.
    pub value: u8,
}

/// A propositional network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    parts: Vec<Part>,
    inputs: Lists,
    outputs: Lists,
    names: Arc<Names>,
    roles: Arc<[String]>,
    bases: Vec<NodeId>,
    moves: Vec<Vec<MoveLine>>,
    goals: Vec<Vec<GoalLine>>,
    terminal: NodeId,
    fixed_facts: Vec<NameId>,
}

impl Network {
    /// Puts a network together; the caller sees to the invariants of [`crate::Flaw`].
    pub(crate) fn assemble(
        parts: Vec<Part>,
        inputs: Lists,
        names: Arc<Names>,
        roles: Arc<[String]>,
        fixed_facts: Vec<NameId>,
    ) -> Network {
        let mut bases = Vec::new();
        let mut goals = vec![Vec::new(); roles.len()];
        let mut moves = vec![Vec::new(); roles.len()];
        let mut terminal = NodeId::FALSE;
        let mut legals: FxHashMap<(u8, NameId), NodeId> = FxHashMap::default();
        for (node, part) in nodes(&parts) {
            match part.kind {
                Kind::Base => bases.push(node),
                Kind::Terminal => terminal = node,
                Kind::Legal => _ = legals.insert((part.role, part.name), node),
                Kind::Goal => {
                    let value = names.get(part.name).and_then(goal_value).unwrap_or(0);
                    goals[usize::from(part.role)].push(GoalLine { node, value });
                }
                _ => {}
            }
        }
        for (node, part) in nodes(&parts).filter(|(_, part)| part.kind == Kind::Input) {
            if let Some(&legal) = legals.get(&(part.role, part.name)) {
                let line = MoveLine { input: node, legal, name: part.name };
                moves[usize::from(part.role)].push(line);
            }
        }
        let outputs = inputs.reversed();
        Network { parts, inputs, outputs, names, roles, bases, moves, goals, terminal, fixed_facts }
    }

    /// How many components there are, the two constants included.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is no component; no network is.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// How many connections there are.
    pub fn edge_count(&self) -> usize {
        self.inputs.item_count()
    }

    /// All components.
    pub fn nodes(
        &self,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + Clone + use<> {
        (0..self.parts.len() as u32).map(NodeId)
    }

    /// The component without its inputs.
    #[inline]
    pub fn part(&self, node: NodeId) -> Part {
        self.parts[node.index()]
    }

    /// The kind of a component.
    #[inline]
    pub fn kind(&self, node: NodeId) -> Kind {
        self.parts[node.index()].kind
    }

    /// The inputs of a component; no component twice.
    #[inline]
    pub fn inputs(&self, node: NodeId) -> &[NodeId] {
        self.inputs.of(node.index())
    }

    /// The components that read a component.
    #[inline]
    pub fn outputs(&self, node: NodeId) -> &[NodeId] {
        self.outputs.of(node.index())
    }

    /// The lists of what each component reads, for export and compilers.
    pub fn input_lists(&self) -> &Lists {
        &self.inputs
    }

    /// The readers of each component, for export and compilers.
    pub fn output_lists(&self) -> &Lists {
        &self.outputs
    }

    /// The names of the roles in order.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The base propositions; a state has one bit for each, in this order.
    pub fn bases(&self) -> &[NodeId] {
        &self.bases
    }

    /// The component that says what a base proposition is in the next state.
    pub fn transition(&self, base: NodeId) -> NodeId {
        self.inputs(base)[0]
    }

    /// The moves of a role; a move's number is its place here.
    pub fn moves(&self, role: usize) -> &[MoveLine] {
        &self.moves[role]
    }

    /// The INPUT that belongs to each LEGAL.
    pub(crate) fn inputs_by_legal(&self) -> FxHashMap<NodeId, NodeId> {
        self.moves.iter().flatten().map(|line| (line.legal, line.input)).collect()
    }

    /// The goals of a role.
    pub fn goals(&self, role: usize) -> &[GoalLine] {
        &self.goals[role]
    }

    /// The proposition that says whether play is over.
    pub fn terminal(&self) -> NodeId {
        self.terminal
    }

    /// Facts that hold in every state and have no bit any more.
    pub fn fixed_facts(&self) -> &[NameId] {
        &self.fixed_facts
    }

    /// The names of propositions.
    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    pub(crate) fn role_names(&self) -> &Arc<[String]> {
        &self.roles
    }

    /// The label of a component: its sentence, or a letter and its number.
    pub fn label(&self, node: NodeId) -> String {
        let part = self.part(node);
        let role = || self.roles.get(usize::from(part.role)).map_or("?", String::as_str);
        match (part.kind, self.names.get(part.name)) {
            (Kind::True | Kind::False | Kind::Terminal, _) => part.kind.word().to_owned(),
            (Kind::Base, Some(name)) => format!("(true {name})"),
            (Kind::Input, Some(name)) => format!("(does {} {name})", role()),
            (Kind::Legal, Some(name)) => format!("(legal {} {name})", role()),
            (Kind::Goal, Some(name)) => format!("(goal {} {name})", role()),
            (_, Some(name)) => name.to_owned(),
            (Kind::Transition, None) => format!("t{}", node.0),
            (kind, None) if kind.is_proposition() => format!("p{}", node.0),
            (_, None) => format!("g{}", node.0),
        }
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        let moves: usize = self.moves.iter().map(|m| m.capacity() * size_of::<MoveLine>()).sum();
        self.parts.capacity() * size_of::<Part>()
            + self.inputs.bytes()
            + self.outputs.bytes()
            + self.names.bytes()
            + self.bases.capacity() * 4
            + moves
    }
}

fn nodes(parts: &[Part]) -> impl Iterator<Item = (NodeId, &Part)> {
    parts.iter().enumerate().map(|(at, part)| (NodeId(at as u32), part))
}

/// The value of a goal by its text; the best there is if the rules promise more.
pub(crate) fn goal_value(text: &str) -> Option<u8> {
    text.parse::<u8>().ok().map(|value| value.min(100))
}
