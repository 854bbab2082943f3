//! One game between people at the terminal and agents.

use std::io::BufRead;

use gamegrove_agents::Player;
use gamegrove_game::{Describe, Fault, Goal, Move, Role};
use gamegrove_play::matches::Allowance;
use gamegrove_view::{Layout, TextStyle, facts_text, paragraph};
use serde::Serialize;

use crate::failure::Result;
use crate::output::Output;
use crate::prompt::{HELP, Input, Request, understand};
use gamegrove_inspect::trial::joint_names;
use gamegrove_play::names::natural;
use gamegrove_play::text::printable;
use gamegrove_play::units::plural;

/// Who plays a role.
pub enum Seat<G: Describe> {
    /// The person at the terminal.
    Person,
    /// An agent.
    Agent(Box<dyn Player<G>>),
}

/// Why the game stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// A terminal state.
    Terminal,
    /// A role has no legal move in a state that is not terminal.
    NoLegalMove,
    /// The limit of steps.
    StepLimit,
    /// The person left, or the input ended.
    Left,
    /// The reasoner hit a limit.
    Limit,
}

/// A step that was played.
struct Step<S> {
    /// The state before it.
    state: S,
    joint: Vec<Move>,
    /// Whether a person chose in it, rather than only having one move.
    chosen: bool,
}

/// A game that is being played.
pub struct Session<'a, G: Describe, R> {
    /// The game.
    pub game: G,
    /// The state it is in.
    pub state: G::State,
    /// Who plays, by role.
    pub seats: Vec<Seat<G>>,
    /// What agents may spend on a move.
    allowance: Allowance,
    layout: Option<Layout>,
    steps: Vec<Step<G::State>>,
    input: Input<R>,
    out: &'a mut Output,
}

/// What a person decided.
enum Decision {
    Play(Move),
    Undo,
    Leave,
}

impl<'a, G: Describe, R: BufRead> Session<'a, G, R> {
    /// A game before its first step.
    pub fn new(
        mut game: G,
        seats: Vec<Seat<G>>,
        allowance: Allowance,
        layout: Option<Layout>,
        input: Input<R>,
        out: &'a mut Output,
    ) -> Self {
        let state = game.initial_state();
        Session { game, state, seats, allowance, layout, steps: Vec::new(), input, out }
    }

    /// The names of the moves played so far, one list per step.
    pub fn moves(&self) -> Vec<Vec<String>> {
        self.steps.iter().map(|step| joint_names(&self.game, &step.joint)).collect()
    }

    /// The facts of the state the game is in.
    pub fn facts(&self) -> Vec<String> {
        self.game.facts(&self.state)
    }

    /// The goals of the state the game is in.
    pub fn goals(&mut self) -> Vec<Goal> {
        let mut goals = vec![Goal::default(); self.game.role_count()];
        self.game.goals(&self.state, &mut goals);
        goals
    }

    /// Plays until the game stops. The fault says which limit was hit, if that is the reason.
    pub fn play(&mut self, step_limit: u32) -> Result<(Ending, Option<Fault>)> {
        let person = self.seats.iter().any(|seat| matches!(seat, Seat::Person));
        if !person {
            self.show_state()?;
        }
        let ending = loop {
            let over = self.game.is_terminal(&self.state);
            if let Some(fault) = self.game.take_fault() {
                return Ok((Ending::Limit, Some(fault)));
            }
            if over {
                break Ending::Terminal;
            }
            if self.steps.len() as u64 >= u64::from(step_limit) {
                self.out.line(format!("Not over after {}.", plural(self.steps.len(), "step")))?;
                break Ending::StepLimit;
            }
            if let Some(ending) = self.step()? {
                break ending;
            }
        };
        let fault = self.game.take_fault();
        if fault.is_some() {
            return Ok((Ending::Limit, fault));
        }
        // Who leaves has just seen the state.
        if ending != Ending::Left {
            self.out.line("")?;
            self.show_state()?;
        }
        Ok((ending, None))
    }

    /// Plays one step; why the game cannot go on, if it cannot.
    fn step(&mut self) -> Result<Option<Ending>> {
        let roles = self.game.role_count();
        let mut joint: Vec<Option<Move>> = vec![None; roles];
        let mut legal: Vec<Vec<Move>> = vec![Vec::new(); roles];
        for (role, moves) in Role::all(roles).zip(&mut legal) {
            self.game.legal_moves(&self.state, role, moves);
        }
        if let Some(role) = Role::all(roles).find(|role| legal[role.index()].is_empty()) {
            let name = self.game.role_name(role);
            self.out.line(format!("{name} has no legal move although the game is not over."))?;
            return Ok(Some(Ending::NoLegalMove));
        }
        let mut chosen = false;
        for role in Role::all(roles) {
            let moves = &legal[role.index()];
            if !matches!(self.seats[role.index()], Seat::Person) {
                continue;
            }
            joint[role.index()] = match moves[..] {
                [only] => Some(only),
                _ => match self.ask(role, moves, !chosen)? {
                    Decision::Play(mov) => Some(mov),
                    Decision::Leave => return Ok(Some(Ending::Left)),
                    Decision::Undo => {
                        // Somebody else's choice in the same step is taken back first.
                        if !chosen {
                            self.undo()?;
                        }
                        return Ok(None);
                    }
                },
            };
            chosen |= moves.len() > 1;
        }
        // Agents choose without knowing what people chose in the same step.
        for role in Role::all(roles) {
            if let Seat::Agent(agent) = &mut self.seats[role.index()] {
                joint[role.index()] = agent.choose(&self.state, &self.allowance.budget());
            }
        }
        let Some(joint) = joint.into_iter().collect::<Option<Vec<Move>>>() else {
            return Ok(Some(Ending::NoLegalMove));
        };
        self.show_step(&joint)?;
        for seat in &mut self.seats {
            if let Seat::Agent(agent) = seat {
                agent.played(&joint);
            }
        }
        let mut next = self.state.clone();
        self.game.apply(&self.state, &joint, &mut next);
        let state = std::mem::replace(&mut self.state, next);
        self.steps.push(Step { state, joint, chosen });
        Ok(None)
    }

    /// Goes back to the last state in which a person had a choice.
    fn undo(&mut self) -> Result<()> {
        let Some(last) = self.steps.iter().rposition(|step| step.chosen) else {
            return self.out.line("There is nothing to take back.");
        };
        let count = self.steps.len() - last;
        if let Some(step) = self.steps.drain(last..).next() {
            self.state = step.state;
        }
        self.out.line(format!("{} taken back.", plural(count, "step")))
    }

    /// Asks a person for a move.
    fn ask(&mut self, role: Role, legal: &[Move], show: bool) -> Result<Decision> {
        let mut named: Vec<(String, Move)> =
            legal.iter().map(|&mov| (self.game.move_name(role, mov), mov)).collect();
        named.sort_by(|a, b| natural(&a.0, &b.0));
        let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
        let role_name = self.game.role_name(role);
        if show {
            self.out.line("")?;
            self.show_state()?;
        }
        self.list_moves(&names, "")?;
        loop {
            self.out.text(&format!("{role_name}> "))?;
            self.out.flush()?;
            let Some(line) = self.input.line()? else {
                self.out.line("\nThe input ended; the game is left unfinished.")?;
                return Ok(Decision::Leave);
            };
            if !self.input.echoes {
                self.out.line(printable(&line))?;
            }
            match understand(&line, &names) {
                Request::Play(index) => return Ok(Decision::Play(named[index].1)),
                Request::Help => {
                    self.out.text(HELP)?;
                    if let Some(notation) = self.game.notation() {
                        self.out.text("Moves are written like this:\n")?;
                        self.out.text(notation)?;
                    }
                }
                Request::Look(index) => self.look(role, named[index].1)?,
                Request::LookAt(text) => match self.game.interpret(&self.state, role, &text) {
                    Some(mov) => self.look(role, mov)?,
                    None => self.out.line("  that is no legal move; type moves to see them")?,
                },
                Request::Moves(filter) => self.list_moves(&names, &filter)?,
                Request::Facts => {
                    let facts = self.facts();
                    let width = self.out.style.width;
                    self.out.text(&facts_text(facts.iter().map(String::as_str), width))?;
                }
                Request::Undo => return Ok(Decision::Undo),
                Request::Quit => {
                    self.out.line("The game is left unfinished.")?;
                    return Ok(Decision::Leave);
                }
                Request::Nothing => {}
                Request::Unclear(why) => match self.game.interpret(&self.state, role, &line) {
                    Some(mov) => return Ok(Decision::Play(mov)),
                    None => self.out.line(format!("  {}", printable(&why)))?,
                },
            }
        }
    }

    /// Shows what a move of a person would do.
    fn look(&mut self, role: Role, mov: Move) -> Result<()> {
        if let Some(words) = self.game.outcome_in_words(&self.state, role, mov) {
            let name = self.game.move_name(role, mov);
            self.out.line(format!("  {name}: {words}"))?;
        }
        let mut legal = Vec::new();
        let mut joint = Vec::new();
        for other in Role::all(self.game.role_count()) {
            self.game.legal_moves(&self.state, other, &mut legal);
            match legal[..] {
                _ if other == role => joint.push(mov),
                [only] => joint.push(only),
                _ => {
                    let name = self.game.role_name(other);
                    return self.out.line(format!("  What follows depends on {name} too."));
                }
            }
        }
        let mut next = self.state.clone();
        self.game.apply(&self.state, &joint, &mut next);
        self.show(&next, Some(&joint))
    }

    /// Lists the moves that contain `filter`, with their numbers.
    fn list_moves(&mut self, names: &[String], filter: &str) -> Result<()> {
        /// More moves than this are listed when asked for.
        const MOST: usize = 100;
        let digits = names.len().to_string().len();
        let matching: Vec<String> = (1..)
            .zip(names)
            .filter(|(_, name)| name.contains(filter))
            .map(|(number, name)| format!("{number:>digits$}: {name}"))
            .collect();
        if matching.is_empty() {
            return self.out.line("  no legal move contains that");
        }
        let shown = &matching[..matching.len().min(MOST)];
        let widest = shown.iter().map(|entry| entry.chars().count()).max().unwrap_or(0);
        let cells: Vec<String> = shown.iter().map(|entry| format!("{entry:widest$}")).collect();
        self.out.text(&paragraph("  ", &cells, "  ", self.out.style.width))?;
        if matching.len() > MOST {
            let more = matching.len() - MOST;
            self.out
                .line(format!("  and {more} more; moves TEXT lists those with TEXT in them"))?;
        }
        Ok(())
    }

    fn show_step(&mut self, joint: &[Move]) -> Result<()> {
        let number = self.steps.len() + 1;
        let moves: Vec<String> = Role::all(joint.len())
            .zip(joint)
            .map(|(role, &mov)| {
                format!("{} {}", self.game.role_name(role), self.game.move_name(role, mov))
            })
            .collect();
        let width = self.out.style.width;
        self.out.text(&paragraph(&format!("{number:>4}. "), &moves, ", ", width))?;
        for (role, &mov) in Role::all(joint.len()).zip(joint) {
            if let Some(words) = self.game.outcome_in_words(&self.state, role, mov) {
                self.out.text(&paragraph("      ", &[words], ", ", width))?;
            }
        }
        Ok(())
    }

    fn show_state(&mut self) -> Result<()> {
        let last = self.steps.last().map(|step| step.joint.clone());
        let state = self.state.clone();
        self.show(&state, last.as_deref())
    }

    /// Draws a state, with the cells marked that the last joint move is about.
    fn show(&mut self, state: &G::State, last: Option<&[Move]>) -> Result<()> {
        if let Some(picture) = self.game.picture(state) {
            return self.out.text(&picture);
        }
        let facts = self.game.facts(state);
        let width = self.out.style.width;
        let Some(layout) = &self.layout else {
            return self.out.text(&facts_text(facts.iter().map(String::as_str), width));
        };
        let mut scene = layout.scene(&facts);
        if let Some(last) = last {
            let names = joint_names(&self.game, last);
            names.iter().for_each(|name| scene.mark(&layout.touches(name)));
        }
        let style = TextStyle { unicode: self.out.style.unicode, width };
        self.out.text(&scene.text(style))
    }
}
