//! The part of a search that knows the game: one worker looks at states and plays out.

use gamegrove_game::{Game, Goal, Move, Rng, Role};

use crate::ahead::{Ahead, Scratch};
use crate::core::Core;
use crate::cutoff::{GoalSeries, Worth};
use crate::playout::Turn;
use crate::simulate::Access;
use crate::simulation::Simulation;
use crate::tree::Facts;
use crate::tune::Tuner;
use crate::typed::{TypeView, Typed, TypesAsked};

/// A worker of the game with the buffers that looking and playing take.
pub(crate) struct Worker<G: Game> {
    pub(crate) game: G,
    pub(crate) state: G::State,
    next: G::State,
    joint: Vec<Move>,
    pub(crate) look: Look,
    features: Vec<u32>,
    scratch: Scratch<G::State>,
    narrowed: Vec<Move>,
    /// Types of moves; a worker has its own, since several may play out for one core.
    typed: Option<Typed<G::State>>,
}

/// What of the settings a play-out goes by; it need not ask for it again.
struct Terms {
    depth_limit: usize,
    features: bool,
    legal: bool,
    cuts: bool,
    /// Whether all moves are equally likely.
    plain: bool,
    /// Whether values are drawn anew in every state.
    redraws: bool,
    roles: usize,
    /// Whose moves' types a policy asks for, if any.
    types: Option<TypesAsked>,
}

impl Terms {
    fn of(core: &Core) -> Terms {
        let Core { settings, strategies, learned, run, .. } = core;
        Terms {
            depth_limit: settings.depth_limit,
            features: strategies.needs.features,
            legal: strategies.needs.legal,
            cuts: strategies.cutoff.is_some(),
            plain: strategies.policy.is_uniform() && strategies.tactic.is_none(),
            redraws: learned.tuner.as_ref().is_some_and(Tuner::draws_in_states),
            roles: run.roles,
            types: core.types_asked(),
        }
    }
}

/// What was seen in a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    pub(crate) ended: bool,
    pub(crate) goals: Vec<Goal>,
    moves: Vec<Move>,
    ends: Vec<u32>,
    buffer: Vec<Move>,
}

impl Look {
    pub(crate) fn facts(&self) -> Facts<'_> {
        if self.ended {
            Facts { ended: Some(&self.goals), moves: &[], ends: &[] }
        } else {
            Facts { ended: None, moves: &self.moves, ends: &self.ends }
        }
    }

    pub(crate) fn of_role(&self, role: Role) -> &[Move] {
        let at = role.index();
        let from = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.moves[from..self.ends[at] as usize]
    }

    /// Looks at a state. One in which a role has no move is an end too: play cannot go on.
    pub(crate) fn at<G: Game>(&mut self, game: &mut G, state: &G::State) {
        self.at_with(game, state, |game, role, moves| game.legal_moves(state, role, moves));
    }

    /// As [`at`](Look::at), with the types of moves that are asked for.
    #[inline]
    fn at_typed<G: Game>(
        &mut self,
        game: &mut G,
        state: &G::State,
        asked: TypesAsked,
        typed: &mut Typed<G::State>,
    ) {
        self.at_with(game, state, |game, role, moves| {
            if asked.of(role) {
                typed.read(state, role, moves);
            } else {
                typed.skip(role);
                game.legal_moves(state, role, moves);
            }
        });
    }

    #[inline]
    fn at_with<G: Game>(
        &mut self,
        game: &mut G,
        state: &G::State,
        mut list: impl FnMut(&mut G, Role, &mut Vec<Move>),
    ) {
        self.moves.clear();
        self.ends.clear();
        self.ended = game.is_terminal(state);
        for role in Role::all(game.role_count()) {
            if self.ended {
                break;
            }
            list(game, role, &mut self.buffer);
            self.ended = self.buffer.is_empty();
            self.moves.extend_from_slice(&self.buffer);
            self.ends.push(self.moves.len() as u32);
        }
        if self.ended {
            self.read_goals(game, state);
        }
        if game.take_fault().is_some() {
            self.give_up(game.role_count());
        }
    }

    /// A state that the reasoner cannot work out is the end of play, and a bad one for all roles; the
    /// next state is worked out afresh. Otherwise one such state would end every later simulation.
    #[cold]
    fn give_up(&mut self, roles: usize) {
        self.ended = true;
        self.goals.clear();
        self.goals.resize(roles, Goal::WORST);
    }

    pub(crate) fn read_goals<G: Game>(&mut self, game: &mut G, state: &G::State) {
        self.goals.resize(game.role_count(), Goal::default());
        game.goals(state, &mut self.goals);
        if game.take_fault().is_some() {
            self.give_up(game.role_count());
        }
    }
}

impl<G: Game> Worker<G> {
    pub(crate) fn new(mut game: G) -> Self {
        let state = game.initial_state();
        Worker {
            scratch: Scratch::new(&state),
            narrowed: Vec::new(),
            next: state.clone(),
            state,
            game,
            joint: Vec::new(),
            look: Look::default(),
            features: Vec::new(),
            typed: None,
        }
    }

    /// Reads the types of moves in the state the worker is in.
    fn read_types(&mut self, asked: TypesAsked) {
        let roles = self.game.role_count();
        if self.typed.is_none() {
            self.typed = self.game.move_types().map(|reader| Typed::new(reader, roles));
        }
        if let Some(typed) = &mut self.typed {
            typed.read_again(&self.state, asked);
        }
    }

    /// Looks at a state that is to become a node.
    pub(crate) fn facts(&mut self, state: &G::State) -> Facts<'_> {
        self.look.at(&mut self.game, state);
        self.look.facts()
    }

    /// Goes to the state that follows `from` by the last joint move of a simulation, and looks.
    pub(crate) fn step_from(&mut self, from: &G::State, simulation: &Simulation) {
        self.go_and_look(from, simulation.trace.joint(simulation.trace.steps() - 1));
    }

    /// Keeps a state to go on from, as [`step_from_kept`](Worker::step_from_kept) does.
    pub(crate) fn keep(&mut self, from: &G::State) {
        self.next.clone_from(from);
    }

    /// As [`step_from`](Worker::step_from), from the state that was kept.
    pub(crate) fn step_from_kept(&mut self, simulation: &Simulation) {
        let last = simulation.trace.steps() - 1;
        self.game.apply(&self.next, simulation.trace.joint(last), &mut self.state);
        self.look_again();
    }

    /// Goes to the state that follows `from` by a joint move, and looks.
    pub(crate) fn go_and_look(&mut self, from: &G::State, joint: &[Move]) {
        self.game.apply(from, joint, &mut self.state);
        self.look_again();
    }

    /// Goes to a state with chance drawn anew, and looks.
    pub(crate) fn draw_chance(&mut self, from: &G::State, rng: &mut Rng) {
        self.state.clone_from(from);
        self.game.resample(&mut self.state, rng);
        self.look_again();
    }

    /// Looks at the state the worker is in.
    fn look_again(&mut self) {
        self.look.at(&mut self.game, &self.state);
    }

    /// Goes on by a joint move, and looks.
    pub(crate) fn advance_and_look(&mut self, joint: &[Move]) {
        self.advance(joint);
        self.look_again();
    }

    /// What was seen in the state the worker is in.
    pub(crate) fn seen(&self) -> Facts<'_> {
        self.look.facts()
    }

    /// Ends a simulation with the goals of a state in which play may not be over.
    pub(crate) fn finish_with(&mut self, state: &G::State, simulation: &mut Simulation) {
        self.look.read_goals(&mut self.game, state);
        self.finish(simulation);
    }

    /// Plays on from the state the worker is in, and has looked at, to the end.
    pub(crate) fn play_out(
        &mut self,
        access: &mut Access<'_, '_, G::State>,
        simulation: &mut Simulation,
        rng: &mut Rng,
    ) {
        let Terms { depth_limit, features, legal: notes_legal, cuts, plain, redraws, roles, types } =
            access.with(|known| Terms::of(&known.core));
        if let Some(asked) = types {
            self.read_types(asked);
        }
        if plain && !(features || notes_legal || redraws || types.is_some()) {
            return self.play_out_at_random((depth_limit, cuts), access, simulation, rng);
        }
        loop {
            if features {
                access.with(|known| {
                    if let Some(features) = &mut known.states.features {
                        features.read(&self.state, &mut self.features);
                    }
                });
                simulation.trace.note_features(&self.features);
            }
            if self.look.ended {
                break;
            }
            if self.stops((depth_limit, cuts), access, simulation) {
                return;
            }
            if redraws {
                access.with(|known| known.core.learned.redraw_values(simulation));
            }
            self.joint.clear();
            for role in Role::all(roles) {
                let legal = self.look.of_role(role);
                if notes_legal {
                    simulation.trace.note_legal(legal);
                }
                let mov = match legal {
                    [only] => *only,
                    _ if plain => legal[rng.below(legal.len())],
                    _ => access.with(|known| self.choose(&mut known.core, simulation, role, rng)),
                };
                self.joint.push(mov);
            }
            simulation.trace.push(&self.joint);
            self.game.apply(&self.state, &self.joint, &mut self.next);
            std::mem::swap(&mut self.state, &mut self.next);
            match (types, &mut self.typed) {
                (Some(asked), Some(typed)) => {
                    self.look.at_typed(&mut self.game, &self.state, asked, typed);
                }
                _ => self.look.at(&mut self.game, &self.state),
            }
        }
        self.finish(simulation);
    }

    /// Whether a simulation may go no further from the state the worker is in; it has ended then.
    #[inline]
    fn stops(
        &mut self,
        (depth_limit, cuts): (usize, bool),
        access: &mut Access<'_, '_, G::State>,
        simulation: &mut Simulation,
    ) -> bool {
        let worth = if simulation.trace.steps() >= depth_limit {
            Some(Worth::Goals)
        } else if cuts {
            access.with(|known| known.core.strategies.cut(&simulation.trace))
        } else {
            None
        };
        match worth {
            None => return false,
            Some(Worth::Goals) => {
                self.look.read_goals(&mut self.game, &self.state);
                self.finish(simulation);
            }
            Some(Worth::Rating { scale }) => {
                access.with(|known| known.states.finish_rated(&self.state, scale, simulation));
            }
            Some(Worth::Equal(worth)) => {
                simulation.trace.finish((0..self.game.role_count()).map(|_| worth));
            }
        }
        true
    }

    /// Ends a simulation with the goals that were read last.
    fn finish(&self, simulation: &mut Simulation) {
        simulation.trace.finish(self.look.goals.iter().map(|goal| f64::from(goal.0)));
    }

    /// As [`play_out`](Worker::play_out) where all moves are equally likely and nothing is noted but
    /// them: legal moves need not be listed.
    fn play_out_at_random(
        &mut self,
        limits: (usize, bool),
        access: &mut Access<'_, '_, G::State>,
        simulation: &mut Simulation,
        rng: &mut Rng,
    ) {
        while !self.look.ended {
            if self.stops(limits, access, simulation) {
                return;
            }
            // Without cut-offs there is nothing to ask before the limit.
            let (limit, cuts) = limits;
            self.steps_at_random(
                if cuts { 1 } else { limit - simulation.trace.steps() },
                simulation,
                rng,
            );
        }
        self.finish(simulation);
    }

    /// Makes random steps until play is over, `most` of them at most.
    fn steps_at_random(&mut self, most: usize, simulation: &mut Simulation, rng: &mut Rng) {
        let Worker { game, state, next, joint, look, .. } = self;
        let roles = game.role_count();
        // References change places, not states.
        let (mut from, mut to) = (&mut *state, &mut *next);
        let mut made = 0;
        while made < most && !look.ended {
            joint.clear();
            for role in Role::all(roles) {
                joint.extend(game.random_move(from, role, &mut look.buffer, rng));
            }
            look.ended = joint.len() < roles;
            if !look.ended {
                simulation.trace.push(joint);
                game.apply(from, joint, to);
                std::mem::swap(&mut from, &mut to);
                made += 1;
                look.ended = game.is_terminal(from);
            }
        }
        if made % 2 == 1 {
            std::mem::swap(state, next);
        }
        if look.ended {
            look.read_goals(game, state);
        }
    }

    /// What a role with a choice plays in the state the worker has looked at.
    fn choose(
        &mut self,
        core: &mut Core,
        simulation: &mut Simulation,
        role: Role,
        rng: &mut Rng,
    ) -> Move {
        let mut legal = self.look.of_role(role);
        if let Some(tactic) = &mut core.strategies.tactic {
            self.narrowed.clear();
            let ahead = &mut Ahead::new(&mut self.game, &self.state, &self.look, &mut self.scratch);
            tactic.narrow(ahead, role, &mut self.narrowed);
            if !self.narrowed.is_empty() {
                if let Some(typed) = &mut self.typed {
                    typed.narrow(role, legal, &self.narrowed);
                }
                legal = &self.narrowed;
            }
        }
        if let [only] = legal {
            return *only;
        }
        let view = self.typed.as_ref().map_or_else(TypeView::default, |typed| {
            typed.view(role, core.believes_of(role), &simulation.beliefs)
        });
        let turn = Turn {
            role,
            trace: &simulation.trace,
            features: &self.features,
            view,
            values: &simulation.values,
            tables: &core.learned.tables,
        };
        let place = core.strategies.policy.choose(&turn, legal, rng);
        if core.believes_of(role)
            && let Some((offer, kind)) = self.typed.as_ref().and_then(|t| t.type_at(role, place))
        {
            let Simulation { values, beliefs, .. } = simulation;
            core.believe(values, (role, &offer, kind), beliefs);
        }
        legal[place]
    }

    /// Plays a finished simulation again from the state it began in, and writes the goals of all its
    /// states.
    pub(crate) fn show_goals(
        &mut self,
        begun: G::State,
        simulation: &Simulation,
        series: &mut GoalSeries,
    ) {
        self.state = begun;
        for step in 0..=simulation.trace.steps() {
            self.look.read_goals(&mut self.game, &self.state);
            series.goals.extend(self.look.goals.iter().map(|goal| f64::from(goal.0)));
            if step < simulation.trace.steps() {
                self.advance(simulation.trace.joint(step));
            }
        }
        series.ended = self.game.is_terminal(&self.state);
    }

    /// Goes on by a joint move, without looking.
    fn advance(&mut self, joint: &[Move]) {
        self.game.apply(&self.state, joint, &mut self.next);
        std::mem::swap(&mut self.state, &mut self.next);
    }
}
