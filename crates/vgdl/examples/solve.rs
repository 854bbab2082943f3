//! Looks for a sequence of actions that wins a level, as a check that it can be won.
//!
//! `solve DESCRIPTION LEVEL [WIDTH] [DEPTH]`: prints one action a line, or nothing and fails. With
//! the framework's generator and a fixed seed every game is a puzzle: a beam of states is kept, of
//! equal ones only one, better scores before others, with a share drawn at random so that a beam
//! does not run into one corner.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for people")]

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::process::ExitCode;
use std::rc::Rc;

use gamegrove_game::Rng;
use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::rules::compile;
use gamegrove_vgdl::state::State;

/// The seed the sequences are for.
const SEED: u64 = 1;

struct Path {
    action: Action,
    before: Option<Rc<Path>>,
}

struct Node {
    state: State,
    path: Option<Rc<Path>>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [description, level, rest @ ..] = arguments.as_slice() else {
        eprintln!("usage: solve DESCRIPTION LEVEL [WIDTH] [DEPTH]");
        return ExitCode::FAILURE;
    };
    let number = |at: usize, default: usize| {
        rest.get(at).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let text = std::fs::read_to_string(description).expect("a description");
    let level = std::fs::read_to_string(level).expect("a level");
    let compiled = compile(&text);
    let loaded = World::load(&compiled.rules, &level);
    for finding in compiled.findings.iter().chain(&loaded.findings) {
        eprintln!("{finding}");
    }
    let Some(world) = loaded.world else { return ExitCode::FAILURE };
    match solve(&world, number(0, 2000), number(1, 600)) {
        Some(actions) => {
            actions.iter().for_each(|action| println!("{}", action.name()));
            ExitCode::SUCCESS
        }
        None => ExitCode::FAILURE,
    }
}

fn solve(world: &World, width: usize, depth: usize) -> Option<Vec<Action>> {
    let hasher = RandomState::new();
    let mut rng = Rng::new(SEED);
    let mut scratch = Scratch::default();
    let mut state = world.start().clone();
    state.set_chance(Chance::framework(SEED));
    let mut beam = vec![Node { state, path: None }];
    let mut known = HashSet::new();
    for _ in 0..depth {
        let mut next: Vec<Node> = Vec::new();
        for node in &beam {
            let listed = world.actions(&node.state, 0).iter().copied();
            for action in listed.chain([Action::Nil]) {
                let mut state = node.state.clone();
                world.advance(&mut state, &[action], &mut scratch);
                let path = Rc::new(Path { action, before: node.path.clone() });
                if state.player(0).win == Some(true) {
                    return Some(unwind(&path));
                }
                if !state.is_over() && known.insert(fingerprint(world, &state, &hasher)) {
                    next.push(Node { state, path: Some(path) });
                }
            }
        }
        if next.len() > width {
            // Half by score, half by chance.
            let mut order: Vec<(f64, u64, Node)> = next
                .into_iter()
                .map(|node| (node.state.player(0).score, rng.next_u64(), node))
                .collect();
            order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let mut rest = order.split_off(width / 2);
            rest.sort_by_key(|(_, chance, _)| *chance);
            rest.truncate(width / 2);
            next = order.into_iter().chain(rest).map(|(_, _, node)| node).collect();
        }
        beam = next;
        if beam.is_empty() {
            return None;
        }
    }
    None
}

fn unwind(path: &Rc<Path>) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut at = Some(path);
    while let Some(path) = at {
        actions.push(path.action);
        at = path.before.as_ref();
    }
    actions.reverse();
    actions
}

/// The visible things and the avatar's possessions: not the tick, not the generator.
fn fingerprint(world: &World, state: &State, hasher: &RandomState) -> u64 {
    let view = world.view(state, 0);
    let sprites: Vec<_> =
        view.sprites().map(|seen| (seen.ty, seen.position, seen.category)).collect();
    let avatar = view.avatar().map(|avatar| {
        let facing = (avatar.orientation.0 as i32, avatar.orientation.1 as i32);
        (facing, avatar.health, view.resources().collect::<Vec<_>>())
    });
    hasher.hash_one((sprites, avatar))
}
