//! Random games in bulk: on lanes where there are some, else one after another. Game `n` takes its
//! random numbers from the stream `n` of the seed either way, so the results are the same.

use std::sync::atomic::{AtomicBool, Ordering};

use gamegrove_game::{BoxedLanes, Driver, Ending, Fault, Finish, Game, Goal, Rng, Role, Start};

/// Which random games are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayOutsWanted {
    /// What they depend on.
    pub seed: u64,
    /// The number of the first; game `n` is the same whatever is played beside it.
    pub first: u64,
    /// Joint moves after which a game is given up.
    pub limit: u32,
    /// How many threads play.
    pub threads: usize,
}

/// Where it is written what came of random games, in the order of their numbers. As many are played as
/// there is room for. Whoever wants them owns the memory: fetching new memory for millions of games
/// takes a good part of the time that short ones take.
#[derive(Debug, PartialEq)]
pub struct PlayOuts<'a> {
    /// The goals of the roles, game by game.
    pub goals: &'a mut [f32],
    /// How many joint moves each had.
    pub steps: &'a mut [u32],
    /// How each ended: 0 in a terminal state, 1 at the limit, 2 with a role that had no move.
    pub endings: &'a mut [u8],
}

/// One thread's share of what is written.
struct Share<'a> {
    /// The number of its first game.
    first: u64,
    /// How many games it has.
    count: usize,
    roles: usize,
    into: PlayOuts<'a>,
}

impl Share<'_> {
    fn note(&mut self, at: usize, goals: impl Iterator<Item = f32>, steps: u32, ending: Ending) {
        let own = &mut self.into.goals[at * self.roles..(at + 1) * self.roles];
        own.iter_mut().zip(goals).for_each(|(to, goal)| *to = goal);
        self.into.steps[at] = steps;
        self.into.endings[at] = match ending {
            Ending::Terminal => 0,
            Ending::TooLong => 1,
            Ending::Stuck(_) => 2,
        };
    }
}

/// Plays random games from `state`; what is not played when `stop` is set stays as it was.
pub(crate) fn play_outs<G>(
    game: &G,
    lanes: Option<&BoxedLanes<G::State>>,
    state: &G::State,
    wanted: &PlayOutsWanted,
    into: PlayOuts<'_>,
    stop: &AtomicBool,
) -> Result<(), Fault>
where
    G: Game,
{
    let roles = game.role_count().max(1);
    let PlayOuts { goals, steps, endings } = into;
    let room = steps.len().min(endings.len()).min(goals.len() / roles);
    let each = room.div_ceil(wanted.threads.max(1)).max(1);
    let parts = goals.chunks_mut(each * roles).zip(steps.chunks_mut(each));
    let shares = parts.zip(endings.chunks_mut(each)).enumerate();
    let shares = shares.map(|(part, ((goals, steps), endings))| {
        let first = wanted.first.wrapping_add((part * each) as u64);
        let count = room.saturating_sub(part * each).min(each);
        Share { first, count, roles, into: PlayOuts { goals, steps, endings } }
    });
    let fault = std::thread::scope(|scope| {
        let mut players = Vec::new();
        for share in shares {
            match lanes.cloned() {
                Some(lanes) => {
                    scope.spawn(move || on_lanes(lanes, state, wanted, share, stop));
                }
                None => {
                    let game = game.clone();
                    let work = move || one_by_one(game, state, wanted, share, stop);
                    players.push(scope.spawn(work));
                }
            }
        }
        players.into_iter().find_map(|player| player.join().ok().flatten())
    });
    fault.map_or(Ok(()), Err)
}

/// Plays a share's games one after another; the limit that the rules hit, if they did.
fn one_by_one<G: Game>(
    mut game: G,
    start: &G::State,
    wanted: &PlayOutsWanted,
    mut share: Share<'_>,
    stop: &AtomicBool,
) -> Option<Fault> {
    let (mut state, mut next) = (start.clone(), start.clone());
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    let mut goals = vec![Goal::default(); share.roles];
    for at in 0..share.count {
        let mut rng = Rng::stream(wanted.seed, share.first.wrapping_add(at as u64));
        state.clone_from(start);
        let mut steps = 0;
        let ending = loop {
            if game.is_terminal(&state) {
                break Ending::Terminal;
            }
            if steps == wanted.limit {
                break Ending::TooLong;
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            // As lanes do it: a number is drawn only where there is a choice.
            joint.clear();
            for role in Role::all(share.roles) {
                joint.extend(game.random_move(&state, role, &mut moves, &mut rng));
            }
            if joint.len() < share.roles {
                break Ending::Stuck(Role(0));
            }
            game.apply(&state, &joint, &mut next);
            std::mem::swap(&mut state, &mut next);
            steps += 1;
        };
        game.goals(&state, &mut goals);
        if let Some(fault) = game.take_fault() {
            return Some(fault);
        }
        share.note(at, goals.iter().map(|goal| goal.0), steps, ending);
    }
    None
}

fn on_lanes<S: Clone>(
    mut lanes: BoxedLanes<S>,
    state: &S,
    wanted: &PlayOutsWanted,
    share: Share<'_>,
    stop: &AtomicBool,
) {
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
    #[inline]
    fn start(&mut self, lane: usize, start: &mut Start<S>) -> bool {
        if self.next == self.share.count {
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

    #[inline]
    fn finished(&mut self, lane: usize, finish: &Finish<'_>) {
        let goals = finish.goals.iter().map(|goal| goal.0);
        self.share.note(self.at[lane], goals, finish.steps, finish.ending);
    }

    fn give_up(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
