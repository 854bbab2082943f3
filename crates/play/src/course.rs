//! One match as a state machine. It has no seats and no clocks: a driver asks players in its own way and
//! hands their moves in.
//!
//! ```text
//! Match::new ─┬─ wanted ─ submit or answer, for each role ─ step ─┐      undo, stop, resign at any time
//!             └───────────────────── until ending ◄───────────────┘      record at any time; resume
//! ```
//!
//! It has four drivers. [`referee`](crate::referee::referee) asks players in this process one after another.
//! The page waits for events. The protocol asks all players at once over HTTP. In real time a tick passes
//! whether a role has decided or not.

use std::sync::Arc;
use std::time::Duration;

use gamegrove_game::{Fault, Move, Rng, Role};
use thiserror::Error;

use crate::board::Board;
use crate::matches::{
    Answer, ClockRecord, Ending, MatchRecord, MatchRules, Offence, SearchRecord, StepRecord, Wrong,
};
use crate::state::State;
use crate::view::View;

/// A match of any game, from its first state to its last.
pub struct Match {
    board: Arc<dyn Board>,
    rules: MatchRules,
    /// The state after every [`EVERY`] steps; the others are played again from there.
    kept: Vec<State>,
    joints: Vec<Vec<Move>>,
    state: State,
    view: View,
    /// The moves handed in for the next step, with what is known of them.
    chosen: Vec<Option<Chosen>>,
    /// The facts of the first state.
    initial: Vec<String>,
    steps: Vec<StepRecord>,
    offences: Vec<Offence>,
    /// Draws moves in place of those that are missing or wrong. It is a separate stream, so that a replaced
    /// move does not shift any other choice.
    replacements: Rng,
    /// Draws chance anew for players.
    chance: Rng,
    ending: Option<Ending>,
    resigned: Option<Role>,
    fault: Option<Fault>,
    goals: Vec<f32>,
}

struct Chosen {
    mov: Move,
    taken: Duration,
    search: Option<SearchRecord>,
}

/// One of this many states is kept.
const EVERY: usize = 8;
/// The same in real time, where states are large and steps are many.
const EVERY_TICKS: usize = 64;

/// A move that was not accepted, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// The match is over.
    #[error("the match is over")]
    Over,
    /// The role has handed in a move already.
    #[error("{0} has chosen already")]
    Again(String),
    /// The move is not legal.
    #[error("{mov} is not a legal move of {role} here")]
    Illegal {
        /// The name of the role.
        role: String,
        /// The name of the move.
        mov: String,
    },
}

/// A record that cannot be played again, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("step {step}: {problem}")]
pub struct Broken {
    /// The step, from 0.
    pub step: usize,
    /// The mistake, in words.
    pub problem: String,
}

impl Match {
    /// A match at its start.
    pub fn new(board: Arc<dyn Board>, rules: MatchRules) -> Match {
        let state = board.start(rules.seed);
        let roles = board.about().roles.len();
        let mut course = Match {
            initial: board.facts(&state),
            kept: vec![state.clone()],
            joints: Vec::new(),
            state,
            view: View::Over(vec![0.0; roles]),
            chosen: (0..roles).map(|_| None).collect(),
            steps: Vec::new(),
            offences: Vec::new(),
            replacements: Rng::stream(rules.seed, u64::MAX),
            chance: Rng::stream(rules.seed, u64::MAX - 1),
            ending: None,
            resigned: None,
            fault: None,
            goals: Vec::new(),
            board,
            rules,
        };
        course.look();
        course
    }

    /// A match with the moves of a record, which may go on after them.
    pub fn resume(
        board: Arc<dyn Board>,
        rules: MatchRules,
        record: &MatchRecord,
    ) -> Result<Match, Broken> {
        let mut course = Match::new(board, rules);
        for step in &record.steps {
            course.replay(step)?;
        }
        course.offences.clone_from(&record.offences);
        Ok(course)
    }

    /// Makes the step of a record.
    pub fn replay(&mut self, step: &StepRecord) -> Result<(), Broken> {
        let number = self.joints.len();
        let broken = |problem: String| Broken { step: number, problem };
        let roles = self.chosen.len();
        if step.moves.len() != roles {
            return Err(broken(format!("{} moves for {roles} roles", step.moves.len())));
        }
        for (role, name) in Role::all(roles).zip(&step.moves) {
            let mov = self.legal_by_name(role, name).map_err(|error| broken(error.to_string()))?;
            let taken = step.seconds.get(role.index()).copied().unwrap_or(0.0);
            let taken = Duration::try_from_secs_f64(taken).unwrap_or_default();
            let search = step.searches.get(role.index()).cloned().flatten();
            self.chosen[role.index()] = Some(Chosen { mov, taken, search });
        }
        if self.step().is_none() {
            return Err(broken("the match is over before it".to_owned()));
        }
        Ok(())
    }

    /// The board it is played on.
    pub fn board(&self) -> &Arc<dyn Board> {
        &self.board
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &MatchRules {
        &self.rules
    }

    /// The number of steps made.
    pub fn plies(&self) -> usize {
        self.joints.len()
    }

    /// The joint move of a step.
    pub fn joint(&self, step: usize) -> Option<&[Move]> {
        self.joints.get(step).map(Vec::as_slice)
    }

    /// The state the match is in.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The legal moves of that state, or its goals.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// That state as a player may see it: chance is drawn anew.
    pub fn shown(&mut self) -> State {
        self.board.shown(&self.state, &mut self.chance)
    }

    /// The state after this many steps; the last if there are fewer.
    pub fn state_after(&self, ply: usize) -> State {
        if ply >= self.joints.len() {
            return self.state.clone();
        }
        let every = self.every();
        let mut state = self.kept[ply / every].clone();
        for joint in &self.joints[ply / every * every..ply] {
            // The step was made before, so no limit is in its way.
            let Ok(next) = self.board.next(&state, joint) else { break };
            state = next;
        }
        state
    }

    fn every(&self) -> usize {
        if self.board.about().real_time.is_some() { EVERY_TICKS } else { EVERY }
    }

    /// The roles that have yet to hand in a move for the next step; none when the match is over.
    pub fn wanted(&self) -> impl Iterator<Item = Role> + '_ {
        let open = self.ending.is_none();
        Role::all(self.chosen.len()).filter(move |role| open && self.chosen[role.index()].is_none())
    }

    /// The move that a role has handed in for the next step.
    pub fn chosen(&self, role: Role) -> Option<Move> {
        self.chosen.get(role.index())?.as_ref().map(|chosen| chosen.mov)
    }

    /// Hands in a legal move for the next step.
    pub fn submit(&mut self, role: Role, mov: Move) -> Result<(), Refused> {
        self.submit_after(role, mov, Duration::ZERO, None)
    }

    /// As [`submit`](Match::submit), with the time it took and what a search found, for the record.
    pub fn submit_after(
        &mut self,
        role: Role,
        mov: Move,
        taken: Duration,
        search: Option<SearchRecord>,
    ) -> Result<(), Refused> {
        if self.ending.is_some() {
            return Err(Refused::Over);
        }
        if self.chosen(role).is_some() {
            return Err(Refused::Again(self.role_name(role)));
        }
        if !self.view.legal(role).contains(&mov) {
            let name = self.board.move_name(role, mov);
            return Err(Refused::Illegal { role: self.role_name(role), mov: name });
        }
        self.chosen[role.index()] = Some(Chosen { mov, taken, search });
        Ok(())
    }

    /// Takes whatever a player answered. A move that is late, missing or illegal is replaced by a random
    /// legal one and recorded [Sironi 2019, 3.1].
    ///
    /// # Panics
    /// If the role is not [`wanted`](Match::wanted).
    pub fn answer(&mut self, role: Role, answer: Answer) {
        assert!(self.wanted().any(|wanted| wanted == role), "the role has a move to choose");
        let Answer { choice, taken, search } = answer;
        let legal = self.view.legal(role);
        let checked = choice.and_then(|mov| match legal.contains(&mov) {
            true => Ok(mov),
            false => {
                let name = self.board.move_name(role, mov);
                Err((Wrong::Illegal, format!("illegal move {name}")))
            }
        });
        let mov = match checked {
            Ok(mov) => mov,
            Err((kind, what)) => {
                let any = legal[self.replacements.below(legal.len())];
                self.offend(role, kind, what);
                any
            }
        };
        self.chosen[role.index()] = Some(Chosen { mov, taken, search });
    }

    /// Records something that was wrong with an answer of a role in this step.
    pub fn offend(&mut self, role: Role, kind: Wrong, what: String) {
        let role = self.role_name(role);
        self.offences.push(Offence { step: self.joints.len(), role, kind, what });
    }

    /// The legal move of a role with this name.
    pub fn legal_by_name(&self, role: Role, name: &str) -> Result<Move, Refused> {
        let found = self.board.find_move(role, name);
        found.filter(|mov| self.view.legal(role).contains(mov)).ok_or_else(|| match self.ending {
            Some(_) => Refused::Over,
            None => Refused::Illegal { role: self.role_name(role), mov: name.to_owned() },
        })
    }

    /// Makes the step, if every role has handed in a move; returns the joint move.
    pub fn step(&mut self) -> Option<&[Move]> {
        if self.ending.is_some() || self.chosen.iter().any(Option::is_none) {
            return None;
        }
        let chosen: Vec<Chosen> = self.chosen.iter_mut().filter_map(Option::take).collect();
        let joint: Vec<Move> = chosen.iter().map(|chosen| chosen.mov).collect();
        let mut made = StepRecord {
            moves: self.names(&joint),
            seconds: chosen.iter().map(|chosen| chosen.taken.as_secs_f64()).collect(),
            searches: chosen.into_iter().map(|chosen| chosen.search).collect(),
            facts: Vec::new(),
        };
        match self.board.next(&self.state, &joint) {
            Ok(next) => {
                self.state = next;
                if self.rules.facts {
                    made.facts = self.board.facts(&self.state);
                }
            }
            Err(fault) => self.end_by(fault),
        }
        self.joints.push(joint);
        self.steps.push(made);
        if self.joints.len().is_multiple_of(self.every()) {
            self.kept.push(self.state.clone());
        }
        if self.ending.is_none() {
            self.look();
        }
        self.joints.last().map(Vec::as_slice)
    }

    /// Finds out what can be done in the state, and whether the match is over.
    fn look(&mut self) {
        self.ending = None;
        self.goals = Vec::new();
        match self.board.view(&self.state) {
            Ok(view) => self.view = view,
            Err(fault) => return self.end_by(fault),
        }
        if let View::Over(goals) = &self.view {
            self.ending = Some(Ending::Terminal);
            self.goals.clone_from(goals);
        } else if self.joints.len() >= self.rules.step_limit {
            self.end(Ending::StepLimit);
        } else if self.view.is_stuck() {
            self.end(Ending::NoLegalMove);
        }
    }

    fn end_by(&mut self, fault: Fault) {
        self.fault = Some(fault);
        self.end(Ending::Fault);
    }

    fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        let none = || vec![0.0; self.chosen.len()];
        self.goals = self.board.goals(&self.state).unwrap_or_else(|_| none());
    }

    /// Ends the match where it is.
    pub fn stop(&mut self) {
        if self.ending.is_none() {
            self.end(Ending::Stopped);
        }
    }

    /// Ends the match because a limit of the driver was hit.
    pub fn fail(&mut self, fault: Fault) {
        if self.ending.is_none() {
            self.end_by(fault);
        }
    }

    /// A role gives up. The rules of games say nothing about that: it counts as a loss, and as a win for
    /// all others.
    pub fn resign(&mut self, role: Role) {
        if self.ending.is_some() {
            return;
        }
        self.end(Ending::Resigned);
        self.resigned = Some(role);
        if self.chosen.len() > 1 {
            let goal = |each: Role| if each == role { 0.0 } else { 100.0 };
            self.goals = Role::all(self.chosen.len()).map(goal).collect();
        }
    }

    /// Takes steps back until this many are left, and what was handed in for the next one.
    pub fn undo(&mut self, plies: usize) {
        if plies < self.joints.len() {
            self.state = self.state_after(plies);
            self.joints.truncate(plies);
            self.kept.truncate(plies / self.every() + 1);
            self.steps.truncate(plies);
        }
        self.offences.retain(|offence| offence.step < plies);
        self.chosen.fill_with(|| None);
        (self.resigned, self.fault) = (None, None);
        self.look();
    }

    /// Goes on with another board of the same rules, a better reasoner for example: moves are carried over
    /// by name.
    pub fn replace_board(&mut self, board: Arc<dyn Board>) -> Result<(), Broken> {
        let mut course = Match::new(board, self.rules);
        for step in &self.steps {
            course.replay(step)?;
        }
        course.offences = std::mem::take(&mut self.offences);
        (course.replacements, course.chance) = (self.replacements.clone(), self.chance.clone());
        *self = course;
        Ok(())
    }

    /// The reason for which the match is over, if it is.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The role that gave up.
    pub fn resigned(&self) -> Option<Role> {
        self.resigned
    }

    /// The limit that the reasoner hit, if that is why the match is over.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The worth of the end to each role, from 0 to 100; empty while the match goes on.
    pub fn goals(&self) -> &[f32] {
        &self.goals
    }

    /// The names of the moves of a joint move.
    pub fn names(&self, joint: &[Move]) -> Vec<String> {
        let names = Role::all(joint.len()).zip(joint);
        names.map(|(role, &mov)| self.board.move_name(role, mov)).collect()
    }

    /// The steps so far, as they are recorded.
    pub fn steps(&self) -> &[StepRecord] {
        &self.steps
    }

    fn role_name(&self, role: Role) -> String {
        self.board.about().roles.get(role.index()).cloned().unwrap_or_default()
    }

    /// The record so far; `players` are the names of the players.
    pub fn record(&self, players: Vec<String>) -> MatchRecord {
        let about = self.board.about();
        MatchRecord {
            id: None,
            game: about.game.clone(),
            clocks: ClockRecord::from(self.rules.clocks),
            roles: about.roles.clone(),
            players,
            seed: self.rules.seed,
            initial: self.initial.clone(),
            steps: self.steps.clone(),
            ending: self.ending.unwrap_or(Ending::Stopped),
            goals: self.goals.clone(),
            offences: self.offences.clone(),
        }
    }
}
