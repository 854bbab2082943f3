//! Whether a tried move is repeated while others were never tried.

use crate::support::mcts;
use gamegrove_game::{Game, Goal, Move, Role};
use gamegrove_search::{Budget, Part, Search};

const C: f64 = 0.4;

/// One step: each move has its fixed worth.
#[derive(Clone)]
struct Arms(&'static [f32]);

impl Game for Arms {
    type State = Option<u32>;

    fn role_count(&self) -> usize {
        1
    }

    fn move_bound(&self, _: Role) -> usize {
        self.0.len()
    }

    fn initial_state(&mut self) -> Self::State {
        None
    }

    fn is_terminal(&mut self, state: &Self::State) -> bool {
        state.is_some()
    }

    fn legal_moves(&mut self, _: &Self::State, _: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend((0..self.0.len() as u32).map(Move));
    }

    fn apply(&mut self, _: &Self::State, joint: &[Move], next: &mut Self::State) {
        *next = Some(joint[0].0);
    }

    fn goals(&mut self, state: &Self::State, goals: &mut [Goal]) {
        goals[0] = Goal(state.map_or(0.0, |arm| self.0[arm as usize]));
    }
}

/// The visits of each move after each simulation.
fn visits(arms: &'static [f32], select: &Part, simulations: usize) -> Vec<Vec<u32>> {
    let mut search =
        Search::new(Arms(arms), &mcts(select.clone(), "random"), 3).expect("good settings");
    search.set_root(&None);
    let mut all = vec![vec![0; arms.len()]];
    for _ in 0..simulations {
        search.run(&Budget::simulations(1));
        let root = search.tree().ids().next().expect("a root");
        all.push(search.tree().statistics(root, Role(0)).iter().map(|s| s.visits).collect());
    }
    all
}

fn informed(name: &str, fpu: f64) -> Part {
    Part::named(name).with("c", C).with("fpu", fpu).with("vo", 0.0).with("informed_tries", true)
}

fn urgent(name: &str, fpu: f64) -> Part {
    informed(name, fpu).with("urgency", true)
}

/// Whether the published Algorithm 6 repeats a tried move [Finnsson 2012, 5.1.2].
fn repeats(arms: &[f32], visits: &[u32]) -> bool {
    let all = visits.len() as f64;
    let untried = visits.iter().filter(|&&n| n == 0).count() as f64;
    let ln = f64::from(visits.iter().sum::<u32>()).ln();
    let tried = visits.iter().zip(arms).filter(|&(&n, _)| n > 0);
    let exploit = tried
        .map(|(&n, &worth)| f64::from(worth) + 100.0 * C * (ln / f64::from(n)).sqrt())
        .fold(f64::NEG_INFINITY, f64::max);
    untried == 0.0 || exploit >= 50.0 + 100.0 * C * ln.sqrt() * (untried / all)
}

#[test]
fn urgency_repeats_a_tried_move_where_its_source_does() {
    let arms: [&'static [f32]; 4] = [
        &[100.0, 0.0, 0.0, 60.0, 0.0, 45.0, 0.0, 0.0, 10.0, 0.0],
        &[0.0; 10],
        &[50.0; 6],
        &[55.0, 52.0, 20.0, 70.0, 30.0],
    ];
    for name in ["uct", "rave", "grave", "hrave"] {
        for fpu in [0.0, 1.0, f64::INFINITY] {
            for arms in arms {
                let visits = visits(arms, &urgent(name, fpu), 40);
                for (before, after) in visits.iter().zip(&visits[1..]) {
                    let chosen = (0..arms.len()).find(|&arm| after[arm] > before[arm]);
                    let chosen = chosen.expect("each simulation tries a move");
                    let repeated = before[chosen] > 0;
                    assert_eq!(repeated, repeats(arms, before), "{name} {fpu} {arms:?} {before:?}");
                }
            }
        }
    }
}

#[test]
fn urgency_stays_with_a_move_that_always_wins() {
    for name in ["uct", "rave", "ucb1_tuned", "progressive_history"] {
        let visits = visits(&[100.0; 9], &urgent(name, f64::INFINITY), 9);
        assert_eq!(visits[9].iter().max(), Some(&9), "{name} {visits:?}");
    }
}

#[test]
fn without_urgency_every_move_is_tried_before_any_is_repeated() {
    let visits = visits(&[100.0; 9], &informed("uct", f64::INFINITY), 9);
    assert_eq!(visits[9], [1; 9]);
}
