//! The referee: plays one match.

use std::time::{Duration, Instant};

use gamegrove_agents::Player;
use gamegrove_game::{Describe, Goal, Move, Rng, Role};

use crate::clock::{Allowance, Clocks};
use crate::record::{Ending, MatchRecord, Offence, SearchRecord, StepRecord};

/// What a match is about, besides game and players.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The game's name, for the record.
    pub game: String,
    /// The players' names, for the record.
    pub players: Vec<String>,
    /// The clocks.
    pub clocks: Clocks,
    /// Steps after which the match is given up.
    pub step_limit: usize,
    /// What random replacements depend on.
    pub seed: u64,
    /// Whether the facts of every state are recorded.
    pub facts: bool,
}

/// Plays one match. Players think one after another, so each has the processor for itself.
pub fn play_match<G: Describe>(
    game: &mut G,
    players: &mut [Box<dyn Player<G>>],
    terms: &Terms,
) -> MatchRecord {
    let roles = game.role_count();
    assert_eq!(players.len(), roles, "every role has a player");
    // A stream of its own, so that a replaced move does not shift anybody's choices.
    let mut rng = Rng::stream(terms.seed, u64::MAX);
    let mut state = game.initial_state();
    let mut next = state.clone();
    let mut record = MatchRecord {
        game: terms.game.clone(),
        roles: Role::all(roles).map(|role| game.role_name(role)).collect(),
        players: terms.players.clone(),
        seed: terms.seed,
        initial: game.facts(&state),
        steps: Vec::new(),
        ending: Ending::Terminal,
        goals: Vec::new(),
        offences: Vec::new(),
    };
    if terms.clocks.start != Allowance::Nothing {
        for player in players.iter_mut() {
            player.prepare(&state, &terms.clocks.start.budget());
        }
    }
    record.ending = loop {
        if game.is_terminal(&state) {
            break Ending::Terminal;
        }
        if record.steps.len() == terms.step_limit {
            break Ending::StepLimit;
        }
        let Some((joint, step)) = play_step(game, players, &state, terms, &mut record, &mut rng)
        else {
            break Ending::NoLegalMove;
        };
        for player in players.iter_mut() {
            player.played(&joint);
        }
        game.apply(&state, &joint, &mut next);
        std::mem::swap(&mut state, &mut next);
        record.steps.push(step);
        if terms.facts
            && let Some(last) = record.steps.last_mut()
        {
            last.facts = game.facts(&state);
        }
        if game.take_fault().is_some() {
            break Ending::Fault;
        }
    };
    let mut goals = vec![Goal::default(); roles];
    game.goals(&state, &mut goals);
    record.goals = goals.iter().map(|goal| goal.0).collect();
    record
}

/// Asks all players for their moves; `None` if a role has none.
fn play_step<G: Describe>(
    game: &mut G,
    players: &mut [Box<dyn Player<G>>],
    state: &G::State,
    terms: &Terms,
    record: &mut MatchRecord,
    rng: &mut Rng,
) -> Option<(Vec<Move>, StepRecord)> {
    let mut joint = Vec::with_capacity(players.len());
    let mut step = StepRecord {
        moves: Vec::new(),
        seconds: Vec::new(),
        searches: Vec::new(),
        facts: Vec::new(),
    };
    let mut legal = Vec::new();
    for (role, player) in Role::all(players.len()).zip(players) {
        game.legal_moves(state, role, &mut legal);
        if legal.is_empty() {
            return None;
        }
        let start = Instant::now();
        let chosen = player.choose(state, &terms.clocks.play.budget());
        let taken = start.elapsed();
        let offence = match chosen {
            None => Some("no move".to_owned()),
            Some(mov) if !legal.contains(&mov) => {
                Some(format!("illegal move {}", game.move_name(role, mov)))
            }
            Some(_) if is_late(taken, terms.clocks) => {
                Some(format!("{:.3} s for a move", taken.as_secs_f64()))
            }
            Some(_) => None,
        };
        let mov = match (chosen, offence) {
            (Some(mov), None) => mov,
            (_, offence) => {
                record.offences.push(Offence {
                    step: record.steps.len(),
                    role: game.role_name(role),
                    what: offence.unwrap_or_default(),
                });
                rng.pick(&legal)?
            }
        };
        let seconds = taken.as_secs_f64();
        step.searches.push(player.report().map(|r| SearchRecord::new(&r, mov, seconds)));
        step.seconds.push(seconds);
        step.moves.push(game.move_name(role, mov));
        joint.push(mov);
    }
    Some((joint, step))
}

fn is_late(taken: Duration, clocks: Clocks) -> bool {
    match clocks.play {
        Allowance::Time(time) => taken > time.saturating_add(clocks.grace),
        Allowance::Nothing | Allowance::Simulations(_) => false,
    }
}
