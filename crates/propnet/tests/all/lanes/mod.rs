//! Lanes against one state at a time, bit for bit: every play-out of every width is played again on
//! the one-state reasoner with the same random numbers.

mod agreement;
mod batch;
mod driver;
mod policy;

use std::collections::BTreeMap;
use std::sync::Arc;

use gamegrove_game::{Driver, Ending, Finish, Game, Goal, Move, MoveSet, Rng, Role, Start};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Bits, Network, Propnet, Sequence, build_from_rules};

/// The record of one play-out.
#[derive(Clone, Debug, PartialEq)]
struct Record {
    joints: Vec<Vec<Move>>,
    goals: Vec<Goal>,
    steps: u32,
    ending: Ending,
}

/// Play-outs wanted and play-outs seen.
struct Recorder {
    wanted: u64,
    limit: u32,
    started: u64,
    /// By lane the play-out's number.
    running: BTreeMap<usize, u64>,
    seen: BTreeMap<u64, Record>,
}

impl Recorder {
    fn new(wanted: u64, limit: u32) -> Recorder {
        let (running, seen) = (BTreeMap::new(), BTreeMap::new());
        Recorder { wanted, limit, started: 0, running, seen }
    }
}

impl Driver<Bits> for Recorder {
    fn watches(&self) -> bool {
        true
    }

    fn start(&mut self, lane: usize, start: &mut Start<Bits>) -> bool {
        start.limit = self.limit;
        if self.started == self.wanted {
            return false;
        }
        self.started += 1;
        assert!(self.running.insert(lane, start.number).is_none());
        true
    }

    fn finished(&mut self, lane: usize, finish: &Finish<'_>) {
        let number = self.running.remove(&lane).expect("a lane in flight");
        let &Finish { goals, steps, ending, moves } = finish;
        let joints = moves.chunks(goals.len()).map(<[Move]>::to_vec).collect();
        self.seen.insert(number, Record { joints, goals: goals.to_vec(), steps, ending });
    }
}

/// A play-out on the one-state reasoner.
fn play(
    game: &mut Propnet,
    start: &Bits,
    limit: u32,
    rng: &mut Rng,
    mut choose: impl FnMut(Role, MoveSet<'_>, &mut Rng) -> Move,
) -> Record {
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let (mut state, mut next, mut moves) = (start.clone(), start.clone(), Vec::new());
    let mut joints: Vec<Vec<Move>> = Vec::new();
    let ending = 'play: loop {
        if game.is_terminal(&state) {
            break Ending::Terminal;
        }
        if joints.len() == limit as usize {
            break Ending::TooLong;
        }
        let mut sets = Vec::new();
        for &role in &roles {
            game.legal_moves(&state, role, &mut moves);
            let mut set = vec![0u64; game.move_bound(role).div_ceil(64)];
            moves.iter().for_each(|mov| set[mov.index() / 64] |= 1 << (mov.index() % 64));
            sets.push(set);
        }
        let mut joint = Vec::new();
        for (&role, set) in roles.iter().zip(&sets) {
            if MoveSet::new(set).is_empty() {
                break 'play Ending::Stuck(role);
            }
        }
        for (&role, set) in roles.iter().zip(&sets) {
            let set = MoveSet::new(set);
            let only = set.nth(0).expect("a legal move");
            joint.push(if set.count() > 1 { choose(role, set, rng) } else { only });
        }
        game.apply(&state, &joint, &mut next);
        std::mem::swap(&mut state, &mut next);
        joints.push(joint);
    };
    let mut goals = vec![Goal::WORST; roles.len()];
    game.goals(&state, &mut goals);
    Record { steps: joints.len() as u32, joints, goals, ending }
}

/// All moves are equally likely.
fn uniform(_: Role, legal: MoveSet<'_>, rng: &mut Rng) -> Move {
    legal.pick(rng).expect("a legal move")
}

/// The network of a rulesheet, if that is quick to build.
fn network(text: &[u8]) -> Option<Arc<Network>> {
    let sheet = Rulesheet::load(text).ok()?;
    let limits = Limits { time: None, steps: Some(1_500_000), ..Limits::default() };
    let basic = build_from_rules(&sheet.program, 0, &limits).ok()?;
    Some(Arc::new(Sequence::default().run(&basic)))
}

/// The network of a shipped game.
fn shipped(name: &str) -> Arc<Network> {
    let path = format!("{}/../../games/gdl/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    network(&std::fs::read(path).expect("a shipped game")).expect("a network")
}
