//! Plays one game in real time.

use std::time::Duration;

use gamegrove_agents::Player;
use gamegrove_game::{Describe, Move, Rng, Role, Senses};

use super::record::{RealTimeRecord, median};
use super::rules::{DISQUALIFIED, Lateness, RealTimeRules, Spending, Stopwatch};
use crate::matches::record::Ending;

/// What a game is about, besides its rules and players.
#[derive(Clone, Debug)]
pub struct RealTimeTerms {
    /// The game's name, for the record.
    pub game: String,
    /// The level's number, for the record.
    pub level: Option<usize>,
    /// The level's name, for the record.
    pub level_name: String,
    /// The players' names, for the record.
    pub players: Vec<String>,
    /// What the game's chance depends on, for the record; the start state has it already.
    pub seed: u64,
    /// The rules.
    pub rules: RealTimeRules,
}

/// What the referee keeps of one player.
#[derive(Default)]
struct Seat {
    late: u32,
    out: Option<u32>,
    iterations: Vec<f64>,
    slowest: Duration,
}

/// Plays one game from `start`; `watch` sees every state, also the first and the last, and ends the
/// game by returning `false`. Waiting is what a role does that has no answer, or is out.
///
/// # Panics
/// If there is not one player per role, or the game is not one in which things can be perceived.
pub fn play_realtime<G: Describe>(
    game: &mut G,
    start: &G::State,
    players: &mut [Box<dyn Player<G>>],
    terms: &RealTimeTerms,
    watch: &mut dyn FnMut(&G::State, &[Move]) -> bool,
) -> RealTimeRecord {
    assert_eq!(players.len(), game.role_count(), "every role has a player");
    let senses = game.senses().expect("a game in real time can be perceived");
    let rules = &terms.rules;
    let mut seats: Vec<Seat> = players.iter().map(|_| Seat::default()).collect();
    let mut state = start.clone();
    let mut shown = start.clone();
    // A stream of its own: what players are shown does not depend on what they do.
    let mut rng = Rng::stream(terms.seed, u64::MAX - 1);
    let mut moves = Vec::new();
    let mut joint: Vec<Move> = Vec::new();
    if !rules.setup.is_zero() {
        for (player, seat) in players.iter_mut().zip(&mut seats) {
            shown.clone_from(&state);
            game.resample(&mut shown, &mut rng);
            let watch = Stopwatch::start(rules.timer);
            player.prepare(&shown, &rules.setup_budget());
            seat.judge(watch.elapsed(), rules.setup, 0, rules.lateness);
        }
    }
    let ending = loop {
        if !watch(&state, &joint) {
            break Ending::Stopped;
        }
        if game.is_terminal(&state) {
            break Ending::Terminal;
        }
        if moves.len() as u64 >= u64::from(rules.tick_limit) {
            break Ending::StepLimit;
        }
        if seats.iter().all(|seat| seat.out.is_some()) {
            break Ending::Disqualified;
        }
        joint.clear();
        for (role, (player, seat)) in Role::all(seats.len()).zip(players.iter_mut().zip(&mut seats))
        {
            shown.clone_from(&state);
            game.resample(&mut shown, &mut rng);
            let tick = moves.len() as u32;
            joint.push(seat.ask(game, player, &shown, role, rules, tick, senses.waiting()));
        }
        game.advance(&mut state, &joint);
        players.iter_mut().for_each(|player| player.played(&joint));
        moves
            .push(Role::all(seats.len()).zip(&joint).map(|(r, &m)| game.move_name(r, m)).collect());
        if game.take_fault().is_some() {
            break Ending::Fault;
        }
    };
    record(game, &*senses, &state, terms, seats, moves, ending)
}

impl Seat {
    /// The move of a role in `shown`.
    #[expect(clippy::too_many_arguments, reason = "one place asks, and everything is borrowed")]
    fn ask<G: Describe>(
        &mut self,
        game: &mut G,
        player: &mut Box<dyn Player<G>>,
        shown: &G::State,
        role: Role,
        rules: &RealTimeRules,
        tick: u32,
        wait: Move,
    ) -> Move {
        if self.out.is_some() {
            return wait;
        }
        let watch = Stopwatch::start(rules.timer);
        let answer = player.choose(shown, &rules.tick_budget());
        let taken = watch.elapsed();
        self.slowest = self.slowest.max(taken);
        if let Some(report) = player.report() {
            self.iterations.push(report.simulations as f64);
        }
        let in_time = match rules.tick {
            Spending::Time(time) => self.judge(taken, time, tick, rules.lateness),
            Spending::Iterations(_) | Spending::Advances(_) => true,
        };
        let mut legal = Vec::new();
        game.legal_moves(shown, role, &mut legal);
        answer.filter(|mov| in_time && legal.contains(mov)).unwrap_or(wait)
    }

    /// Whether an answer that took so long counts.
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

fn record<G: Describe>(
    game: &G,
    senses: &dyn Senses<G::State>,
    state: &G::State,
    terms: &RealTimeTerms,
    mut seats: Vec<Seat>,
    moves: Vec<Vec<String>>,
    ending: Ending,
) -> RealTimeRecord {
    let roles = || Role::all(seats.len()).zip(&seats);
    let scores = roles().map(|(role, seat)| match seat.out {
        Some(_) => DISQUALIFIED,
        None => senses.score(state, role),
    });
    let won = roles().map(|(role, seat)| match (seat.out, senses.verdict(state, role)) {
        (Some(_), _) => Some(false),
        // Time is up: nobody has won who has not done so before [Sironi 2019, 3.2.2].
        (None, None) if ending == Ending::StepLimit => Some(false),
        (None, verdict) => verdict,
    });
    let (scores, won) = (scores.collect(), won.collect());
    RealTimeRecord {
        game: terms.game.clone(),
        level: terms.level,
        level_name: terms.level_name.clone(),
        seed: terms.seed,
        roles: Role::all(seats.len()).map(|role| game.role_name(role)).collect(),
        players: terms.players.clone(),
        ticks: moves.len() as u32,
        ending,
        scores,
        won,
        late: seats.iter().map(|seat| seat.late).collect(),
        disqualified: seats.iter().map(|seat| seat.out).collect(),
        slowest_ms: seats.iter().map(|seat| seat.slowest.as_secs_f64() * 1e3).collect(),
        iterations: seats.iter_mut().map(|seat| median(&mut seat.iterations)).collect(),
        moves,
    }
}
