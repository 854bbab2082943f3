//! Batches against one state at a time: facts, legal actions, goals, ends and random choices of every
//! game in every step.

use std::sync::Arc;

use gamegrove_game::{
    Actions, Batch, BatchError, BatchSetup, BatchView, Game, Goal, Lanes, Move, Restart, Rng, Role,
};
use gamegrove_propnet::{Bits, Network, Propnet, PropnetLanes, Width};

use super::{network, shipped};

/// All that a batch writes.
#[derive(Clone, Default, PartialEq)]
struct Written {
    facts: Vec<u8>,
    last_facts: Vec<u8>,
    fact_bits: Vec<u64>,
    legal: Vec<u8>,
    legal_bits: Vec<u64>,
    goals: Vec<f32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    movers: Vec<u8>,
    chosen: Vec<i64>,
}

impl Written {
    fn new(batch: &dyn Batch) -> Written {
        let (games, facts) = (batch.games(), batch.facts());
        let (choosers, actions) = (games * batch.choosers(), batch.actions().len());
        Written {
            facts: vec![9; games * facts],
            last_facts: vec![9; games * facts],
            fact_bits: vec![9; games * facts.div_ceil(64)],
            legal: vec![9; choosers * actions],
            legal_bits: vec![9; choosers * actions.div_ceil(64)],
            goals: vec![9.0; games * batch.roles()],
            terminated: vec![9; games],
            truncated: vec![9; games],
            movers: vec![9; games],
            chosen: vec![9; choosers],
        }
    }

    fn view(&mut self) -> BatchView<'_> {
        BatchView {
            facts: &mut self.facts,
            last_facts: &mut self.last_facts,
            fact_bits: &mut self.fact_bits,
            legal: &mut self.legal,
            legal_bits: &mut self.legal_bits,
            goals: &mut self.goals,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            movers: &mut self.movers,
            chosen: &mut self.chosen,
        }
    }
}

/// One game of the twin.
struct Single {
    state: Bits,
    rng: Rng,
    steps: u32,
    over: bool,
    /// The legal moves of each chooser, as actions.
    legal: Vec<Vec<usize>>,
    /// The move of each role without a choice.
    only: Vec<Option<Move>>,
}

fn bytes(state: &Bits, facts: usize) -> Vec<u8> {
    (0..facts).map(|bit| u8::from(state.get(bit))).collect()
}

/// The legal actions of a role in the twin, and its legal moves.
fn legal_of(
    batch: &dyn Batch,
    game: &mut Propnet,
    state: &Bits,
    role: Role,
) -> (Vec<usize>, Vec<Move>) {
    let mut moves = Vec::new();
    game.legal_moves(state, role, &mut moves);
    let is_legal =
        |&action: &usize| batch.move_of(role, action).is_some_and(|mov| moves.contains(&mov));
    ((0..batch.actions().len()).filter(is_legal).collect(), moves)
}

impl Single {
    /// Looks at the state, where it is a role's turn or that of none.
    fn look(&mut self, batch: &dyn Batch, game: &mut Propnet, mover: u8) {
        let roles: Vec<Role> = Role::all(game.role_count()).collect();
        (self.legal, self.only) = (vec![Vec::new(); batch.choosers()], vec![None; roles.len()]);
        if self.over {
            assert_eq!(mover, u8::MAX);
            return;
        }
        for &role in &roles {
            let (actions, moves) = legal_of(batch, game, &self.state, role);
            self.only[role.index()] = Some(moves[0]).filter(|_| moves.len() == 1);
            if batch.choosers() > 1 || roles.len() == 1 {
                self.legal[role.index()] = actions;
            } else if mover == role.0 {
                assert!(!actions.is_empty(), "there is an action");
                self.legal[0] = actions;
            } else {
                assert_eq!(moves.len(), 1, "a role that waits has no choice");
            }
        }
    }
}

/// Plays a batch at random and with the same actions again, and checks each step.
fn compare(network: &Arc<Network>, width: Width, setup: BatchSetup, steps: u32) {
    let lanes = PropnetLanes::new(network).expect("a sound network").with_width(width);
    let mut batch = lanes.batch(setup).expect("a batch");
    let mut again = lanes.batch(BatchSetup { threads: 2, ..setup }).expect("a batch");
    let mut game: Propnet = Propnet::new(network).expect("a sound network");
    let start = game.initial_state();
    let (facts, actions, choosers) = (batch.facts(), batch.actions().len(), batch.choosers());
    let single = |number| Single {
        state: start.clone(),
        rng: Rng::stream(5, number),
        steps: 0,
        over: false,
        legal: Vec::new(),
        only: Vec::new(),
    };
    let mut singles: Vec<Single> = (0..setup.games as u64).map(single).collect();
    let (mut seen, mut same) = (Written::new(&*batch), Written::new(&*again));
    batch.reset(5, seen.view()).expect("buffers fit");
    again.reset(77, same.view()).expect("buffers fit");
    let mut ends = (0, 0);
    for step in 0..=steps {
        let last = seen.clone();
        if step > 0 {
            batch.step(Actions::AtRandom, seen.view()).expect("buffers fit");
            // Where there is no choice anything will do.
            same.last_facts.clone_from(&last.last_facts);
            again.step(Actions::Given(&seen.chosen), same.view()).expect("legal actions");
            same.chosen.clone_from(&seen.chosen);
            assert!(same == seen, "step {step}: given actions do what random ones did");
        }
        for (number, single) in singles.iter_mut().enumerate() {
            let what = format!("game {number}, step {step}");
            let mut goals = vec![Goal::WORST; batch.roles()];
            let (mut terminated, mut truncated) = (false, false);
            let mut ended_in = None;
            if step > 0 && single.over {
                (single.state, single.steps, single.over) = (start.clone(), 0, false);
                assert!(seen.chosen[number * choosers..][..choosers].iter().all(|&c| c == -1));
            } else if step > 0 {
                let mut picked = Vec::new();
                for (chooser, legal) in single.legal.iter().enumerate() {
                    let pick = (legal.len() > 1).then(|| legal[single.rng.below(legal.len())]);
                    let expected = pick.map_or(-1, |action| action as i64);
                    assert_eq!(seen.chosen[number * choosers + chooser], expected, "{what}");
                    picked.push(pick);
                }
                let mut joint = Vec::new();
                for role in Role::all(batch.roles()) {
                    let chooser = if choosers > 1 { role.index() } else { 0 };
                    let pick = picked[chooser].and_then(|action| batch.move_of(role, action));
                    joint.push(single.only[role.index()].or(pick).expect("a move"));
                }
                let mut next = start.clone();
                game.apply(&single.state, &joint, &mut next);
                single.state = next;
                single.steps += 1;
                let stuck = Role::all(batch.roles())
                    .any(|role| legal_of(&*batch, &mut game, &single.state, role).1.is_empty());
                terminated = game.is_terminal(&single.state) || stuck;
                truncated = !terminated && single.steps == setup.limit;
                if terminated || truncated {
                    game.goals(&single.state, &mut goals);
                    ends.0 += u32::from(terminated);
                    ends.1 += u32::from(truncated);
                    if setup.restart == Restart::AtOnce {
                        ended_in = Some(std::mem::replace(&mut single.state, start.clone()));
                        single.steps = 0;
                    } else {
                        single.over = true;
                    }
                }
            }
            single.look(&*batch, &mut game, seen.movers[number]);
            let now = bytes(&single.state, facts);
            assert_eq!(seen.facts[number * facts..][..facts], now, "{what}");
            let words = facts.div_ceil(64);
            assert_eq!(seen.fact_bits[number * words..][..words], *single.state.words(), "{what}");
            assert_eq!(batch.state(number).as_deref(), Some(single.state.words()), "{what}");
            let before = last.last_facts[number * facts..][..facts].to_vec();
            let expected = ended_in.map_or(before, |state| bytes(&state, facts));
            assert_eq!(seen.last_facts[number * facts..][..facts], expected, "{what}");
            for (chooser, legal) in single.legal.iter().enumerate() {
                let (at, words) = (number * choosers + chooser, actions.div_ceil(64));
                let own = &seen.legal[at * actions..][..actions];
                let bits = &seen.legal_bits[at * words..][..words];
                for (action, &byte) in own.iter().enumerate() {
                    assert_eq!(byte == 1, legal.contains(&action), "{what}, action {action}");
                    assert_eq!(u64::from(byte), bits[action / 64] >> (action % 64) & 1, "{what}");
                }
            }
            let worth: Vec<f32> = goals.iter().map(|goal| goal.0).collect();
            assert_eq!(seen.goals[number * batch.roles()..][..batch.roles()], worth, "{what}");
            assert_eq!(seen.terminated[number], u8::from(terminated), "{what}");
            assert_eq!(seen.truncated[number], u8::from(truncated), "{what}");
        }
    }
    assert!(batch.state(setup.games).is_none());
    assert!(ends.0 + ends.1 > 0, "some game ended");
}

fn setup(games: usize, limit: u32, restart: Restart) -> BatchSetup {
    BatchSetup { games, limit, restart, threads: 1 }
}

#[test]
fn batches_of_all_shipped_games_are_the_one_state_reasoners() {
    let folder = format!("{}/../../games/gdl", env!("CARGO_MANIFEST_DIR"));
    let (mut tried, mut skipped) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("the shipped games") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "kif") {
            continue;
        }
        let Some(network) = network(&std::fs::read(&path).expect("a shipped game")) else {
            skipped.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
            continue;
        };
        // Fewer games and steps where one state at a time is slow.
        let steps = (1_000_000 / network.len()).clamp(4, 40) as u32;
        let games = if network.len() > 100_000 { 3 } else { 70 };
        let restart = if tried % 2 == 0 { Restart::AtOnce } else { Restart::NextStep };
        compare(&network, Width::best(), setup(games, steps.min(30) - 1, restart), steps);
        tried += 1;
    }
    assert_eq!(skipped, ["amazons"], "rules that take long to ground");
    assert!(tried > 40, "{tried} games");
}

#[test]
fn batches_of_every_width_are_the_same() {
    for name in ["connect_four", "breakthrough", "eight_puzzle", "tron", "chess"] {
        let network = shipped(name);
        for width in Width::all() {
            for restart in [Restart::AtOnce, Restart::NextStep] {
                let games = if name == "chess" { 65 } else { 600 };
                compare(&network, width, setup(games, 9, restart), 25);
            }
        }
    }
}

#[test]
fn one_number_means_one_move_for_all_roles() {
    for (name, count) in [("tic_tac_toe", 9), ("connect_four", 7), ("othello", 65)] {
        let lanes = PropnetLanes::new(&shipped(name)).expect("a sound network");
        let batch = lanes.batch(setup(1, 100, Restart::AtOnce)).expect("a batch");
        assert_eq!((batch.choosers(), batch.roles()), (1, 2), "{name}");
        assert_eq!(batch.actions().len(), count, "{name}: {:?}", batch.actions());
        for action in 0..count {
            assert!(Role::all(2).any(|role| batch.move_of(role, action).is_some()), "{name}");
        }
    }
}

#[test]
fn what_is_wrong_is_an_error_and_changes_nothing() {
    let lanes = PropnetLanes::new(&shipped("tic_tac_toe")).expect("a sound network");
    let empty = lanes.batch(setup(0, 10, Restart::AtOnce)).err();
    assert_eq!(empty, Some(BatchError::Empty));
    let mut batch = lanes.batch(setup(3, 10, Restart::NextStep)).expect("a batch");
    let (mut seen, mut before) = (Written::new(&*batch), Written::new(&*batch));
    batch.reset(1, before.view()).expect("buffers fit");
    for actions in [&[0, 9, 0][..], &[0, -1, 0], &[0, i64::MAX, 0]] {
        let error = batch.step(Actions::Given(actions), seen.view());
        let action = actions[1];
        assert_eq!(error, Err(BatchError::Illegal { game: 1, chooser: 0, action }));
    }
    for actions in [&[0, 0][..], &[], &[0; 4]] {
        let error = batch.step(Actions::Given(actions), seen.view());
        let given = actions.len();
        assert_eq!(error, Err(BatchError::Length { what: "actions", given, wanted: 3 }));
    }
    seen.legal.pop();
    for actions in [Actions::AtRandom, Actions::Given(&[0, 0, 0])] {
        let error = batch.step(actions, seen.view());
        assert_eq!(error, Err(BatchError::Length { what: "legal", given: 26, wanted: 27 }));
    }
    let states: Vec<_> = (0..3).map(|game| batch.state(game)).collect();
    assert!(states.iter().all(|state| state.as_deref() == Some(&before.fact_bits[..1])));
    batch.step(Actions::Given(&[0, 1, 2]), BatchView::default()).expect("legal actions");
    let twice = batch.step(Actions::Given(&[3, 1, 3]), BatchView::default());
    assert_eq!(twice, Err(BatchError::Illegal { game: 1, chooser: 0, action: 1 }));
}
