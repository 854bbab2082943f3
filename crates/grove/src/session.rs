//! One game between people at the terminal and agents: the driver of a match that asks people.

use std::io::BufRead;
use std::sync::Arc;
use std::time::Instant;

use gamegrove_game::{Move, Role};
use gamegrove_play::matches::{Answer, Ending, Wrong};
use gamegrove_play::{Board, Match, Player, State, View};
use gamegrove_view::{MoveNames, TextStyle, facts_text, paragraph};

use crate::failure::Result;
use crate::output::Output;
use crate::prompt::{HELP, Input, Request, understand};
use gamegrove_play::text::printable;
use gamegrove_play::units::plural;

/// Who plays a role.
pub enum Seat {
    /// The person at the terminal.
    Person,
    /// An agent.
    Agent(Box<dyn Player>),
}

/// The word for an ending in records of this program's own games.
pub fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::Terminal => "terminal",
        Ending::NoLegalMove => "no-legal-move",
        Ending::StepLimit => "step-limit",
        Ending::Fault => "limit",
        Ending::Stopped | Ending::Resigned | Ending::Disqualified => "left",
    }
}

/// A game that is being played.
pub struct Session<'a, R> {
    /// The match.
    pub course: Match,
    /// Who plays, by role.
    seats: Vec<Seat>,
    /// Whether a person chose in each step, rather than only having one move.
    chosen: Vec<bool>,
    input: Input<R>,
    out: &'a mut Output,
}

/// What a person decided.
enum Decision {
    Play(Move),
    Undo,
    Leave,
}

impl<'a, R: BufRead> Session<'a, R> {
    /// A game before its first step.
    pub fn new(course: Match, seats: Vec<Seat>, input: Input<R>, out: &'a mut Output) -> Self {
        Session { course, seats, chosen: Vec::new(), input, out }
    }

    fn board(&self) -> &dyn Board {
        &**self.course.board()
    }

    fn role_name(&self, role: Role) -> &str {
        &self.board().about().roles[role.index()]
    }

    /// Plays until the match is over or a person leaves.
    pub fn play(&mut self) -> Result<()> {
        if !self.seats.iter().any(|seat| matches!(seat, Seat::Person)) {
            self.show_state()?;
        }
        while self.course.ending().is_none() {
            self.step()?;
        }
        match self.course.ending() {
            Some(Ending::StepLimit) => {
                let steps = plural(self.course.plies(), "step");
                self.out.line(format!("Not over after {steps}."))?;
            }
            Some(Ending::NoLegalMove) => {
                let view = self.course.view();
                let stuck = Role::all(view.roles()).find(|&role| view.legal(role).is_empty());
                let name = self.role_name(stuck.unwrap_or(Role(0)));
                let message = format!("{name} has no legal move although the game is not over.");
                self.out.line(message)?;
            }
            Some(Ending::Terminal) => {}
            // Who leaves has just seen the state.
            _ => return Ok(()),
        }
        self.out.line("")?;
        self.show_state()
    }

    /// Plays one step, unless a person takes steps back or leaves.
    fn step(&mut self) -> Result<()> {
        let view = self.course.view().clone();
        let roles = || Role::all(view.roles());
        let person = |role: &Role| matches!(self.seats[role.index()], Seat::Person);
        let people: Vec<Role> = roles().filter(person).collect();
        let mut by_people: Vec<(Role, Move)> = Vec::new();
        let mut chosen = false;
        for role in people {
            let decision = match *view.legal(role) {
                [only] => Decision::Play(only),
                ref legal => self.ask(role, legal, !chosen)?,
            };
            match decision {
                Decision::Play(mov) => by_people.push((role, mov)),
                Decision::Leave => {
                    self.course.stop();
                    return Ok(());
                }
                // Another person's choice in the same step is taken back first.
                Decision::Undo if chosen => return Ok(()),
                Decision::Undo => return self.undo(),
            }
            chosen |= view.legal(role).len() > 1;
        }
        // Agents choose without knowing what people chose in the same step.
        let budget = self.course.rules().clocks.play.plan();
        let mut answers = Vec::new();
        for (role, seat) in roles().zip(&mut self.seats) {
            let Seat::Agent(agent) = seat else { continue };
            let start = Instant::now();
            let choice = agent.choose(&self.course.shown(), &budget);
            let choice = choice.ok_or((Wrong::Missing, "no move".to_owned()));
            answers.push((role, Answer { choice, taken: start.elapsed(), search: None }));
        }
        for (role, mov) in by_people {
            self.course.submit(role, mov).expect("it was offered");
        }
        answers.into_iter().for_each(|(role, answer)| self.course.answer(role, answer));
        let before = self.course.state().clone();
        let Some(joint) = self.course.step().map(<[Move]>::to_vec) else { return Ok(()) };
        self.chosen.push(chosen);
        self.show_step(&before, &view, &joint)?;
        for seat in &mut self.seats {
            if let Seat::Agent(agent) = seat {
                agent.played(&joint);
            }
        }
        Ok(())
    }

    /// Goes back to the last state in which a person had a choice.
    fn undo(&mut self) -> Result<()> {
        let Some(last) = self.chosen.iter().rposition(|&chosen| chosen) else {
            return self.out.line("There is nothing to take back.");
        };
        let count = self.chosen.len() - last;
        self.course.undo(last);
        self.chosen.truncate(last);
        self.out.line(format!("{} taken back.", plural(count, "step")))
    }

    /// Asks a person for a move.
    fn ask(&mut self, role: Role, legal: &[Move], show: bool) -> Result<Decision> {
        let board = Arc::clone(self.course.board());
        let state = self.course.state().clone();
        let (names, order) = board.names(&state, role, legal).sorted();
        if show {
            self.out.line("")?;
            self.show_state()?;
        }
        self.list_moves(&names, "")?;
        loop {
            self.out.text(&format!("{}> ", board.about().roles[role.index()]))?;
            self.out.flush()?;
            let Some(line) = self.input.line()? else {
                self.out.line("\nThe input ended; the game is left unfinished.")?;
                return Ok(Decision::Leave);
            };
            if !self.input.echoes {
                self.out.line(printable(&line))?;
            }
            match understand(&line, &names) {
                Request::Play(index) => return Ok(Decision::Play(legal[order[index]])),
                Request::Help => {
                    self.out.text(HELP)?;
                    if let Some(notation) = board.notation() {
                        self.out.text("Moves are written like this:\n")?;
                        self.out.text(notation)?;
                    }
                }
                Request::Look(index) => self.look(role, legal[order[index]])?,
                Request::LookAt(text) => match board.interpret(&state, role, &text) {
                    Some(mov) => self.look(role, mov)?,
                    None => self.out.line("  that is no legal move; type moves to see them")?,
                },
                Request::Moves(filter) => self.list_moves(&names, &filter)?,
                Request::Facts => {
                    let facts = board.facts(&state);
                    let width = self.out.style.width;
                    self.out.text(&facts_text(facts.iter().map(String::as_str), width))?;
                }
                Request::Undo => return Ok(Decision::Undo),
                Request::Quit => {
                    self.out.line("The game is left unfinished.")?;
                    return Ok(Decision::Leave);
                }
                Request::Nothing => {}
                Request::Unclear(why) => match board.interpret(&state, role, &line) {
                    Some(mov) => return Ok(Decision::Play(mov)),
                    None => self.out.line(format!("  {}", printable(&why)))?,
                },
            }
        }
    }

    /// Shows what a move of a person would do.
    fn look(&mut self, role: Role, mov: Move) -> Result<()> {
        let (board, state) = (Arc::clone(self.course.board()), self.course.state().clone());
        if let Some(words) = board.outcome(&state, role, mov) {
            let name = board.names(&state, role, &[mov]);
            self.out.line(format!("  {}: {words}", name.short(0)))?;
        }
        let view = self.course.view();
        let Some(joint) = view.complete(role, mov) else {
            let mut others = Role::all(view.roles()).filter(|&other| other != role);
            let open = others.find(|&other| view.legal(other).len() != 1).unwrap_or(role);
            let name = self.role_name(open);
            let message = format!("  What follows depends on {name} too.");
            return self.out.line(message);
        };
        match board.next(&state, &joint) {
            Ok(next) => self.show(&next, Some((&state, &joint))),
            Err(fault) => self.out.line(format!("  {fault}")),
        }
    }

    /// Lists the moves that contain `filter`, with their numbers.
    fn list_moves(&mut self, names: &MoveNames, filter: &str) -> Result<()> {
        /// More moves than this are listed when asked for.
        const MOST: usize = 100;
        let digits = names.len().to_string().len();
        let matching: Vec<String> = (1..)
            .zip(names.iter())
            .filter(|(_, name)| {
                name.short.to_lowercase().contains(filter) || name.term.contains(filter)
            })
            .map(|(number, name)| format!("{number:>digits$}: {}", name.short))
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

    /// Shows the moves of a step.
    fn show_step(&mut self, before: &State, view: &View, joint: &[Move]) -> Result<()> {
        let (board, width) = (Arc::clone(self.course.board()), self.out.style.width);
        let mut moves = Vec::with_capacity(joint.len());
        for (role, &mov) in Role::all(joint.len()).zip(joint) {
            let term = board.move_name(role, mov);
            let names = board.names(before, role, view.legal(role));
            moves.push(format!("{} {}", self.role_name(role), names.of(&term).unwrap_or(&term)));
        }
        let number = self.course.plies();
        self.out.text(&paragraph(&format!("{number:>4}. "), &moves, ", ", width))?;
        for (role, &mov) in Role::all(joint.len()).zip(joint) {
            if let Some(words) = board.outcome(before, role, mov) {
                self.out.text(&paragraph("      ", &[words], ", ", width))?;
            }
        }
        Ok(())
    }

    fn show_state(&mut self) -> Result<()> {
        let state = self.course.state().clone();
        let last = self.course.plies().checked_sub(1);
        let last = last.and_then(|step| {
            Some((self.course.state_after(step), self.course.joint(step)?.to_vec()))
        });
        self.show(&state, last.as_ref().map(|(before, joint)| (before, &**joint)))
    }

    /// Draws a state, with the cells marked that the last joint move is about.
    fn show(&mut self, state: &State, last: Option<(&State, &[Move])>) -> Result<()> {
        let style = TextStyle { unicode: self.out.style.unicode, width: self.out.style.width };
        let text = self.board().text(state, last, style);
        self.out.text(&text)
    }
}
