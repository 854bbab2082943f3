//! Random games against the clock: one after another, or hundreds at a time on lanes.

use std::ops::{AddAssign, ControlFlow};
use std::time::{Duration, Instant};

use gamegrove_game::parallel::spread;
use gamegrove_game::{BoxedLanes, Ending, Fault, Game, Player, Rng, Sample};

/// Joint moves after which a random game is given up; sound games are far shorter.
const LONGEST: u32 = 1_000_000;

/// Is told, a few times a second, how much of some work is done and how much there is.
pub type Heard<'a> = &'a mut dyn FnMut(u64, u64);

/// How the speed of a game is measured.
#[derive(Clone, Copy, Debug)]
pub struct SpeedWanted {
    /// How long.
    pub time: Duration,
    /// On how many threads.
    pub threads: usize,
    /// The seed of the random choices; each thread has its own stream.
    pub seed: u64,
    /// Whether the games are played on lanes, if there are lanes.
    pub lanes: bool,
}

/// The random games that were played, and their states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speed {
    /// The time it took.
    pub time: Duration,
    /// States that play reached, the first and the last of each game included.
    pub states: u64,
    /// Games that came to an end.
    pub playouts: u64,
    /// Their joint moves.
    pub steps: u64,
    /// The games of `playouts` that ended in a terminal state.
    pub finished: u64,
    /// The goals of the finished games added up, one per role.
    pub goals: Vec<f64>,
    /// The limit that was hit, if any.
    pub fault: Option<Fault>,
}

impl AddAssign for Speed {
    fn add_assign(&mut self, other: Speed) {
        self.states += other.states;
        self.playouts += other.playouts;
        self.steps += other.steps;
        self.finished += other.finished;
        self.goals.resize(self.goals.len().max(other.goals.len()), 0.0);
        self.goals.iter_mut().zip(&other.goals).for_each(|(sum, goal)| *sum += goal);
        self.fault = self.fault.take().or(other.fault);
    }
}

impl Speed {
    /// Joint moves of a game on average.
    pub fn mean_length(&self) -> Option<f64> {
        (self.playouts > 0).then(|| self.steps as f64 / self.playouts as f64)
    }

    /// The goals on average, one per role; none if no game finished.
    pub fn mean_goals(&self) -> Option<Vec<f64>> {
        let mean = |sum: &f64| sum / self.finished as f64;
        (self.finished > 0).then(|| self.goals.iter().map(mean).collect())
    }
}

/// Plays random games until the time is up, one after another on each thread.
pub(crate) fn one_by_one<G: Game>(game: &G, wanted: SpeedWanted, heard: Heard<'_>) -> Speed {
    let workers: Vec<Player<G>> = (0..wanted.threads).map(|_| Player::new(game.clone())).collect();
    until_time_is_up(workers, wanted, heard, |player, thread, end| {
        tally(player, &mut Rng::stream(wanted.seed, thread as u64), end)
    })
}

/// Plays random games from `start` until the time is up, on the lanes of each thread. Games that are not
/// over by then are not counted.
pub(crate) fn on_lanes<S: Clone + Sync>(
    lanes: &BoxedLanes<S>,
    start: &S,
    wanted: SpeedWanted,
    heard: Heard<'_>,
) -> Speed {
    let workers = (0..wanted.threads).map(|_| lanes.clone()).collect();
    let sample = Sample { state: start.clone(), limit: LONGEST, count: u64::MAX };
    until_time_is_up(workers, wanted, heard, |lanes: &mut BoxedLanes<S>, thread, end| {
        // Each thread has its own seed, as each has its own stream elsewhere.
        let seed = Rng::stream(wanted.seed, thread as u64).next_u64();
        let sums = lanes.sample(seed, &sample, &mut || Instant::now() >= end);
        Speed {
            states: sums.tally.states + sums.tally.playouts,
            playouts: sums.tally.playouts,
            steps: sums.tally.states,
            finished: sums.terminal,
            goals: sums.goals,
            ..Speed::default()
        }
    })
}

/// Lets each worker count until the end it is told, and adds the counts.
fn until_time_is_up<W: Send>(
    workers: Vec<W>,
    wanted: SpeedWanted,
    heard: Heard<'_>,
    work: impl Fn(&mut W, usize, Instant) -> Speed + Sync,
) -> Speed {
    let start = Instant::now();
    let end = start + wanted.time;
    let mut total = Speed::default();
    spread(
        workers,
        wanted.threads,
        |worker, thread| work(worker, thread, end),
        |finished| {
            if let Some((_, counts)) = finished {
                total += counts;
            }
            let millis = |time: Duration| time.as_millis() as u64;
            heard(millis(start.elapsed()), millis(wanted.time));
            ControlFlow::Continue(())
        },
    );
    Speed { time: start.elapsed(), ..total }
}

fn tally<G: Game>(player: &mut Player<G>, rng: &mut Rng, end: Instant) -> Speed {
    let mut total = Speed { goals: vec![0.0; player.game.role_count()], ..Speed::default() };
    let start = player.game.initial_state();
    let mut pace = Pace::default();
    loop {
        let mut state = start.clone();
        let mut steps = 0;
        total.states += 1;
        // A game goes in pieces, so that the clock is looked at in slow games too.
        let ending = loop {
            let piece = pace.next().min(LONGEST - steps);
            let played = player.random_game(&state, piece, rng);
            steps += played.steps;
            total.states += u64::from(played.steps);
            let given_up = steps == LONGEST;
            if played.ending != Ending::TooLong || given_up {
                break Some(played.ending);
            }
            if Instant::now() >= end {
                break None;
            }
            state.clone_from(&player.state);
        };
        total.fault = player.game.take_fault();
        let Some(ending) = ending.filter(|_| total.fault.is_none()) else { return total };
        total.playouts += 1;
        total.steps += u64::from(steps);
        if ending == Ending::Terminal {
            total.finished += 1;
            let goals = player.goals();
            total.goals.iter_mut().zip(goals).for_each(|(sum, goal)| *sum += f64::from(goal.0));
        }
        if Instant::now() >= end {
            return total;
        }
    }
}

/// How many steps are made between two looks at the clock: few in slow games, many in fast ones.
struct Pace {
    steps: u32,
    since: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { steps: 1, since: Instant::now() }
    }
}

impl Pace {
    fn next(&mut self) -> u32 {
        let gone = self.since.elapsed();
        self.since = Instant::now();
        if gone < Duration::from_millis(5) {
            self.steps = (self.steps * 2).min(1024);
        } else if gone > Duration::from_millis(20) {
            self.steps = (self.steps / 2).max(1);
        }
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_gdl::{Prover, Rulesheet};

    use super::*;

    fn measured(text: &str, threads: usize) -> Speed {
        let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
        let prover = Prover::new(&sheet.program).expect("a playable game");
        let time = Duration::from_millis(30);
        let wanted = SpeedWanted { time, threads, seed: 1, lanes: false };
        one_by_one(&prover, wanted, &mut |_, _| ())
    }

    #[test]
    fn states_playouts_and_goals_are_counted() {
        let text = "(role x) (role o) (init (step 1)) (<= (legal ?r a) (role ?r))
            (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
            (<= terminal (true (step 3))) (goal x 100) (goal o 25)";
        for threads in [1, 3] {
            let found = measured(text, threads);
            assert!(found.playouts >= threads as u64, "{found:?}");
            assert_eq!(found.finished, found.playouts);
            // Two steps and three states a game; a game may have been cut short by the clock.
            assert_eq!(found.steps, 2 * found.playouts);
            let cut = found.states - 3 * found.playouts;
            assert!(cut <= 3 * threads as u64, "{found:?}");
            assert_eq!(found.mean_length(), Some(2.0));
            assert_eq!(found.mean_goals(), Some(vec![100.0, 25.0]));
        }
    }

    #[test]
    fn endless_games_end_with_the_clock() {
        let text = "(role x) (init a) (<= (next a) (true a)) (legal x a) (goal x 0)
            (<= terminal (true b))";
        let found = measured(text, 1);
        assert_eq!((found.playouts, found.mean_length(), found.mean_goals()), (0, None, None));
        assert!(found.states > 1);
    }

    #[test]
    fn games_without_a_move_count_as_playouts_without_goals() {
        let text = "(role x) (init a) (<= (legal x a) (true b)) (goal x 0)
            (<= terminal (true b))";
        let found = measured(text, 1);
        assert!(found.playouts > 0);
        assert_eq!((found.finished, found.mean_goals()), (0, None));
    }
}
