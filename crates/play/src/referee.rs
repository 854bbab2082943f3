//! The blocking driver of a match: players in this process are asked one after another, so that each has
//! the processor for itself. It checks every answer; what is late, missing or illegal is replaced by a
//! random legal move and recorded [Sironi 2019, 3.1].

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use gamegrove_game::{Move, Role};

use crate::board::Board;
use crate::budget::{Budget, StopFlag};
use crate::course::Match;
use crate::matches::{Allowance, Answer, MatchRecord, MatchRules, SearchRecord, Wrong};
use crate::player::Player;

/// A player of a match.
pub struct Seat {
    /// Its name in the record.
    pub name: String,
    /// The player, asked once in every step.
    pub player: Box<dyn Player>,
    /// How many times the allowance of the clocks it gets.
    pub factor: u32,
}

impl Seat {
    /// A player with the allowance of the clocks.
    pub fn new(name: &str, player: Box<dyn Player>) -> Seat {
        Seat { name: name.to_owned(), player, factor: 1 }
    }
}

/// Plays one match, one seat per role. When `stop` is set players stop thinking and the match ends where
/// it is.
///
/// # Panics
/// If there is not one seat per role.
pub fn referee(
    board: &Arc<dyn Board>,
    seats: &mut [Seat],
    rules: &MatchRules,
    stop: &StopFlag,
) -> MatchRecord {
    assert_eq!(seats.len(), board.about().roles.len(), "every role has a player");
    let mut course = Match::new(Arc::clone(board), *rules);
    let clocks = &rules.clocks;
    if clocks.start != Allowance::Nothing {
        for seat in seats.iter_mut() {
            let budget = clocks.start.times(seat.factor).plan().with_stop(stop);
            seat.player.prepare(&course.shown(), &budget);
        }
    }
    while course.ending().is_none() {
        if stop.load(Ordering::Relaxed) {
            course.stop();
            break;
        }
        // All players choose before any move is known.
        let asked: Vec<Answer> = Role::all(seats.len())
            .zip(seats.iter_mut())
            .map(|(role, seat)| ask(&mut course, seat, role, rules, stop))
            .collect();
        if stop.load(Ordering::Relaxed) {
            // Answers that were cut short are not played.
            continue;
        }
        for (role, answer) in Role::all(seats.len()).zip(asked) {
            course.answer(role, answer);
        }
        if let Some(joint) = course.step() {
            seats.iter_mut().for_each(|seat| seat.player.played(joint));
        }
    }
    course.record(seats.iter().map(|seat| seat.name.clone()).collect())
}

/// The answer of a player in the state of the match.
fn ask(
    course: &mut Match,
    seat: &mut Seat,
    role: Role,
    rules: &MatchRules,
    stop: &StopFlag,
) -> Answer {
    let clocks = &rules.clocks;
    let state = course.shown();
    let legal = course.view().legal(role);
    let forced = legal.len() == 1 && !clocks.ponder;
    let allowance = if forced { Allowance::Nothing } else { clocks.play.times(seat.factor) };
    let budget: Budget = allowance.plan().with_stop(stop);
    let start = Instant::now();
    let chosen: Option<Move> = seat.player.choose(&state, &budget);
    let taken = start.elapsed();
    let report = seat.player.report();
    let search = chosen.zip(report);
    let search = search.map(|(mov, report)| SearchRecord::new(&report, mov, taken.as_secs_f64()));
    let choice = match chosen {
        None => Err((Wrong::Missing, "no move".to_owned())),
        Some(mov) if legal.contains(&mov) && is_late(clocks.play, clocks.grace, seat, taken) => {
            Err((Wrong::Late, format!("{:.3} s for a move", taken.as_secs_f64())))
        }
        Some(mov) => Ok(mov),
    };
    Answer { choice, taken, search }
}

fn is_late(play: Allowance, grace: Duration, seat: &Seat, taken: Duration) -> bool {
    match play.times(seat.factor) {
        Allowance::Time(time) => taken > time.saturating_add(grace),
        Allowance::Nothing | Allowance::Simulations(_) | Allowance::Processor(_) => false,
    }
}
