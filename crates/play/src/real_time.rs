//! The driver of games in real time: a tick goes by whether a role has decided or not [van Eeden 2015, 2.1].
//!
//! Players are shown states in which chance is drawn anew. A role waits if it has no answer, is late where
//! that counts, or is out of the game.

use std::sync::Arc;
use std::time::Duration;

use gamegrove_game::{Move, Rng, Role};

use crate::board::Board;
use crate::budget::Budget;
use crate::matches::realtime::{
    DISQUALIFIED, Ended, Lateness, RealTimeRecord, RealTimeRules, Spending, Stopwatch, Timer,
    median,
};
use crate::player::Player;
use crate::referee::Seat;
use crate::state::State;
use crate::view::View;

/// The seed of the player of a role: players must not share the game's chance.
pub fn seat_seed(seed: u64, role: Role) -> u64 {
    Rng::stream(seed, 1 + u64::from(role.0)).next_u64()
}

/// What the driver keeps of one player.
#[derive(Default)]
struct Tally {
    late: u32,
    out: Option<u32>,
    iterations: Vec<f64>,
    slowest: Duration,
}

/// Plays one game that starts with the chance of `seed`. `watch` sees every state with the joint move that
/// led to it, also the first and the last, and ends the game by returning `false`. Without a clock equal
/// seeds and seats give equal games.
///
/// # Panics
/// If there is not one seat per role, or the game is not played in real time.
pub fn real_time(
    board: &Arc<dyn Board>,
    seats: &mut [Seat],
    rules: &RealTimeRules,
    seed: u64,
    watch: &mut dyn FnMut(&State, &[Move]) -> bool,
) -> RealTimeRecord {
    let about = board.about();
    assert_eq!(seats.len(), about.roles.len(), "every role has a player");
    let waiting = about.real_time.as_ref().expect("a game in real time").waiting;
    let mut tallies: Vec<Tally> = seats.iter().map(|_| Tally::default()).collect();
    let mut state = board.start(seed);
    // A stream of its own: what players are shown does not depend on what they do.
    let mut rng = Rng::stream(seed, u64::MAX - 1);
    let mut moves: Vec<Vec<String>> = Vec::new();
    let mut joint: Vec<Move> = Vec::new();
    if !rules.setup.is_zero() {
        for (seat, tally) in seats.iter_mut().zip(&mut tallies) {
            let shown = board.shown(&state, &mut rng);
            let clock = Stopwatch::start(rules.timer);
            seat.player.prepare(&shown, &timed(rules.timer, rules.setup));
            tally.judge(clock.elapsed(), rules.setup, 0, rules.lateness);
        }
    }
    let ending = loop {
        if !watch(&state, &joint) {
            break Ended::Left;
        }
        let view = match board.view(&state) {
            Ok(View::Over(_)) => break Ended::Terminal,
            Ok(view) => view,
            Err(_) => break Ended::Fault,
        };
        if moves.len() as u64 >= u64::from(rules.tick_limit) {
            break Ended::TickLimit;
        }
        if tallies.iter().all(|tally| tally.out.is_some()) {
            break Ended::Disqualified;
        }
        joint.clear();
        let tick = moves.len() as u32;
        for (role, (seat, tally)) in Role::all(seats.len()).zip(seats.iter_mut().zip(&mut tallies))
        {
            let shown = board.shown(&state, &mut rng);
            let chosen = tally.ask(seat.player.as_mut(), &shown, rules, tick);
            let legal = view.legal(role);
            joint.push(chosen.filter(|mov| legal.contains(mov)).unwrap_or(waiting));
        }
        let next = board.next(&state, &joint);
        seats.iter_mut().for_each(|seat| seat.player.played(&joint));
        let names = Role::all(joint.len()).zip(&joint);
        moves.push(names.map(|(role, &mov)| board.move_name(role, mov)).collect());
        match next {
            Ok(next) => state = next,
            Err(_) => break Ended::Fault,
        }
    };
    let result =
        (board.scores(&state).unwrap_or_default(), board.verdicts(&state).unwrap_or_default());
    record(board, seats, result, tallies, moves, ending, seed)
}

impl Tally {
    /// What a player chooses, if it answers in time.
    fn ask(
        &mut self,
        player: &mut dyn Player,
        shown: &State,
        rules: &RealTimeRules,
        tick: u32,
    ) -> Option<Move> {
        if self.out.is_some() {
            return None;
        }
        let budget = tick_budget(rules);
        let clock = Stopwatch::start(rules.timer);
        let answer = player.choose(shown, &budget);
        let taken = clock.elapsed();
        self.slowest = self.slowest.max(taken);
        if let Some(report) = player.report() {
            self.iterations.push(report.simulations as f64);
        }
        let in_time = match rules.tick {
            Spending::Time(time) => self.judge(taken, time, tick, rules.lateness),
            Spending::Iterations(_) | Spending::Advances(_) => true,
        };
        answer.filter(|_| in_time)
    }

    /// Whether an answer that took this long counts.
    fn judge(&mut self, taken: Duration, allowed: Duration, tick: u32, rule: Lateness) -> bool {
        let late = taken > allowed;
        self.late += u32::from(late);
        match rule {
            Lateness::Lenient => true,
            Lateness::Contest { grace } => {
                if taken > allowed.saturating_add(grace) && self.out.is_none() {
                    self.out = Some(tick);
                }
                !late
            }
        }
    }
}

/// The budget of one decision.
pub fn tick_budget(rules: &RealTimeRules) -> Budget {
    match rules.tick {
        Spending::Time(time) => timed(rules.timer, time),
        Spending::Iterations(count) => Budget::simulations(count),
        Spending::Advances(count) => Budget::advances(count),
    }
}

fn timed(timer: Timer, time: Duration) -> Budget {
    match timer {
        Timer::Processor => Budget::processor(time),
        Timer::Wall => Budget::time(time),
    }
}

/// Points and verdicts of the last state.
type Outcome = (Vec<f64>, Vec<Option<bool>>);

fn record(
    board: &Arc<dyn Board>,
    seats: &[Seat],
    (scores, verdicts): Outcome,
    mut tallies: Vec<Tally>,
    moves: Vec<Vec<String>>,
    ending: Ended,
    seed: u64,
) -> RealTimeRecord {
    let about = board.about();
    let level = about.real_time.as_ref();
    let points = tallies.iter().zip(scores);
    let points = points.map(|(tally, score)| tally.out.map_or(score, |_| DISQUALIFIED));
    let won = tallies.iter().zip(verdicts).map(|(tally, verdict)| match (tally.out, verdict) {
        (Some(_), _) => Some(false),
        // Time is up: a role that has not won before has lost [van Eeden 2015, 2.1].
        (None, None) if ending == Ended::TickLimit => Some(false),
        (None, verdict) => verdict,
    });
    let (scores, won) = (points.collect(), won.collect());
    RealTimeRecord {
        game: about.game.clone(),
        level: level.and_then(|level| level.level),
        level_name: level.map(|level| level.level_name.clone()).unwrap_or_default(),
        seed,
        roles: about.roles.clone(),
        players: seats.iter().map(|seat| seat.name.clone()).collect(),
        ticks: moves.len() as u32,
        ending,
        scores,
        won,
        late: tallies.iter().map(|tally| tally.late).collect(),
        disqualified: tallies.iter().map(|tally| tally.out).collect(),
        slowest_ms: tallies.iter().map(|tally| tally.slowest.as_secs_f64() * 1e3).collect(),
        iterations: tallies.iter_mut().map(|tally| median(&mut tally.iterations)).collect(),
        moves,
    }
}
