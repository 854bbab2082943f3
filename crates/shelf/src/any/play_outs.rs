//! Random games in bulk: on lanes where there are some, else one after another. Game `n` takes its
//! random numbers from the stream `n` of the seed either way, so the results are the same.

use std::sync::atomic::{AtomicBool, Ordering};

use gamegrove_game::{Driver, Ending, Finish, Game, Lanes, Player, Rng, Start};

/// Which random games are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayOutsWanted {
    /// How many.
    pub count: usize,
    /// What they depend on.
    pub seed: u64,
    /// The number of the first; game `n` is the same whatever is played beside it.
    pub first: u64,
    /// Joint moves after which a game is given up.
    pub limit: u32,
    /// How many threads play.
    pub threads: usize,
}

/// What came of random games, in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayOuts {
    /// The goals of the roles, game by game.
    pub goals: Vec<f32>,
    /// How many joint moves each had.
    pub steps: Vec<u32>,
    /// How each ended: 0 in a terminal state, 1 at the limit, 2 with a role that had no move.
    pub endings: Vec<u8>,
}

/// One thread's share of what is written.
struct Share<'a> {
    /// The number of its first game.
    first: u64,
    roles: usize,
    goals: &'a mut [f32],
    steps: &'a mut [u32],
    endings: &'a mut [u8],
}

impl Share<'_> {
    fn note(&mut self, at: usize, goals: impl Iterator<Item = f32>, steps: u32, ending: Ending) {
        let own = &mut self.goals[at * self.roles..(at + 1) * self.roles];
        own.iter_mut().zip(goals).for_each(|(to, goal)| *to = goal);
        self.steps[at] = steps;
        self.endings[at] = match ending {
            Ending::Terminal => 0,
            Ending::TooLong => 1,
            Ending::Stuck(_) => 2,
        };
    }
}

/// Plays random games from `state`; what is not played when `stop` is set stays 0.
pub(super) fn play_outs<G, L>(
    game: &G,
    lanes: Option<&L>,
    state: &G::State,
    wanted: &PlayOutsWanted,
    stop: &AtomicBool,
) -> PlayOuts
where
    G: Game,
    L: Lanes<State = G::State>,
{
    let roles = game.role_count();
    let count = wanted.count;
    let mut all = PlayOuts {
        goals: vec![0.0; count * roles],
        steps: vec![0; count],
        endings: vec![0; count],
    };
    let each = count.div_ceil(wanted.threads.max(1)).max(1);
    let PlayOuts { goals, steps, endings } = &mut all;
    let parts = goals.chunks_mut(each * roles).zip(steps.chunks_mut(each));
    let shares = parts.zip(endings.chunks_mut(each)).enumerate();
    let shares = shares.map(|(part, ((goals, steps), endings))| {
        let first = wanted.first.wrapping_add((part * each) as u64);
        Share { first, roles, goals, steps, endings }
    });
    std::thread::scope(|scope| {
        for share in shares {
            match lanes.cloned() {
                Some(lanes) => {
                    scope.spawn(move || on_lanes(lanes, state, wanted, share, stop));
                }
                None => {
                    let game = game.clone();
                    scope.spawn(move || one_by_one(game, state, wanted, share, stop));
                }
            }
        }
    });
    all
}

fn one_by_one<G: Game>(
    game: G,
    state: &G::State,
    wanted: &PlayOutsWanted,
    mut share: Share<'_>,
    stop: &AtomicBool,
) {
    let mut player = Player::new(game);
    for at in 0..share.steps.len() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let mut rng = Rng::stream(wanted.seed, share.first.wrapping_add(at as u64));
        let played = player.random_game(state, wanted.limit, &mut rng);
        let goals = player.goals();
        share.note(at, goals.iter().map(|goal| goal.0), played.steps, played.ending);
    }
}

fn on_lanes<L: Lanes>(
    mut lanes: L,
    state: &L::State,
    wanted: &PlayOutsWanted,
    share: Share<'_>,
    stop: &AtomicBool,
) where
    L::State: Clone,
{
    let at = vec![0; lanes.width()];
    let mut bulk = Bulk { state, limit: wanted.limit, share, next: 0, at, stop };
    lanes.run(wanted.seed, &mut bulk);
}

/// Hands out numbers and writes down what comes of them.
struct Bulk<'a, S> {
    state: &'a S,
    limit: u32,
    share: Share<'a>,
    next: usize,
    /// Which game each lane plays.
    at: Vec<usize>,
    stop: &'a AtomicBool,
}

impl<S: Clone> Driver<S> for Bulk<'_, S> {
    fn start(&mut self, lane: usize, start: &mut Start<S>) -> bool {
        if self.next == self.share.steps.len() {
            return false;
        }
        if self.next == 0 {
            // What is set once stays for all that follow.
            start.state.clone_from(self.state);
            start.limit = self.limit;
        }
        start.number = self.share.first.wrapping_add(self.next as u64);
        self.at[lane] = self.next;
        self.next += 1;
        true
    }

    fn finished(&mut self, lane: usize, finish: &Finish<'_>) {
        let goals = finish.goals.iter().map(|goal| goal.0);
        self.share.note(self.at[lane], goals, finish.steps, finish.ending);
    }

    fn give_up(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
