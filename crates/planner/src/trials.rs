//! A world for tests of a plan's insides: a corridor with an avatar and one thing that never does anything.

use gamegrove_game::{Avatar, Category, Game, Goal, Move, Role, Senses};
use gamegrove_search::{Part, Value};
use gamegrove_tuning::published;

use super::*;

/// Fields of the corridor; steps against its ends lead nowhere.
const FIELDS: i32 = 7;
/// Where the thing lies.
const THING: i32 = 1;
const WAIT: Move = Move(0);
const LEFT: Move = Move(1);
const RIGHT: Move = Move(2);
const USE: Move = Move(3);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    at: i32,
    tick: u32,
}

#[derive(Clone)]
struct Corridor;

impl Game for Corridor {
    type State = Place;

    fn role_count(&self) -> usize {
        1
    }

    fn move_bound(&self, _: Role) -> usize {
        4
    }

    fn initial_state(&mut self) -> Place {
        Place { at: 0, tick: 0 }
    }

    fn is_terminal(&mut self, state: &Place) -> bool {
        state.tick >= 2_000
    }

    fn legal_moves(&mut self, state: &Place, _: Role, moves: &mut Vec<Move>) {
        moves.clear();
        if !self.is_terminal(state) {
            moves.extend([WAIT, LEFT, RIGHT, USE]);
        }
    }

    fn apply(&mut self, state: &Place, joint: &[Move], next: &mut Place) {
        let step = match joint[0] {
            LEFT => -1,
            RIGHT => 1,
            _ => 0,
        };
        *next = Place { at: (state.at + step).clamp(0, FIELDS - 1), tick: state.tick + 1 };
    }

    fn goals(&mut self, _: &Place, goals: &mut [Goal]) {
        goals[0] = Goal(50.0);
    }

    fn senses(&self) -> Option<Box<dyn Senses<Place>>> {
        Some(Box::new(Corridor))
    }
}

impl Senses<Place> for Corridor {
    fn kinds(&self) -> usize {
        2
    }

    fn category(&self, kind: usize) -> Category {
        if kind == 0 { Category::Avatar } else { Category::Static }
    }

    fn is_wall(&self, _: usize) -> bool {
        false
    }

    fn board(&self) -> (usize, usize) {
        (FIELDS as usize, 1)
    }

    fn tick(&self, state: &Place) -> u32 {
        state.tick
    }

    fn score(&self, _: &Place, _: Role) -> f64 {
        0.0
    }

    fn verdict(&self, _: &Place, _: Role) -> Option<bool> {
        None
    }

    fn avatar(&self, state: &Place, _: Role) -> Option<Avatar> {
        let place = (f64::from(state.at), 0.0);
        Some(Avatar { kind: 0, place, facing: (0.0, 0.0), speed: 1.0, health: 0 })
    }

    fn count(&self, _: &Place, _: Role, _: usize) -> usize {
        1
    }

    fn places(&self, state: &Place, _: Role, kind: usize, places: &mut Vec<(f64, f64)>) {
        places.clear();
        places.push((f64::from(if kind == 0 { state.at } else { THING }), 0.0));
    }

    fn touched(&self, _: &Place, _: Role, kinds: &mut Vec<usize>) {
        kinds.clear();
    }

    fn resources(&self, _: &Place, _: Role, resources: &mut Vec<(usize, i32)>) {
        resources.clear();
    }

    fn direction(&self, mov: Move) -> Option<(f64, f64)> {
        match mov {
            LEFT => Some((-1.0, 0.0)),
            RIGHT => Some((1.0, 0.0)),
            _ => None,
        }
    }

    fn waiting(&self) -> Move {
        WAIT
    }

    fn likeness(&self, state: &Place, _: Role) -> u64 {
        state.at as u64
    }

    fn bytes(&self, _: &Place) -> usize {
        size_of::<Place>()
    }
}

fn plan(settings: Part) -> Plan<Corridor> {
    Plan::new(Corridor, &settings, Role(0), 1).unwrap_or_else(|error| panic!("{error}"))
}

fn tune(strategy: &str, names: &[&str]) -> Part {
    let names = names.iter().map(|&name| name.into()).collect();
    Part::named(strategy).with("parameters", Value::List(names))
}

/// The tuned agent of video games, in small.
fn history(tune: Part) -> Part {
    let select = Part::named("history").with("c", 0.6);
    Part::named("plan").with("select", select).with("playout", "nst").with("tune", tune)
}

#[test]
fn safety_trials_ask_no_tuner() {
    // Three trials of three moves; forty simulations a decision.
    let mut plan = plan(history(tune("mab", &["c", "w"]).with("batch", 1.0)).with("safety", 3.0));
    let mut state = Corridor.initial_state();
    for decision in 1..=3 {
        let tuner = plan.tuner.as_mut().expect("it is tuned");
        tuner.note_choices();
        let mov = plan.choose(&state, &Budget::simulations(40)).expect("a move");
        let tuner = plan.tuner.as_mut().expect("it is tuned");
        assert_eq!(tuner.noted().len(), 40, "one proposal for each simulation");
        assert_eq!(tuner.samples(), 40 * decision, "and one reward for each proposal");
        Corridor.advance(&mut state, &[mov]);
    }
}

#[test]
fn sequences_are_kept_as_long_as_any_simulation_may_read_them() {
    // The simulations of this tuner use length 1; five is in the domain.
    let mut tuned = plan(history(tune("game-rnd", &["l"])));
    let id = tuned.parts.rollout.gram_length().expect("it reads sequences");
    let shortest = |plan: &mut Plan<Corridor>| {
        let known = |plan: &Plan<Corridor>| plan.values.get(Role(0), id) == 1.0;
        let state = Corridor.initial_state();
        plan.choose(&state, &Budget::simulations(30));
        known(plan)
    };
    // Another seed until the value drawn for the game is 1.
    let mut seed = 1;
    while !shortest(&mut tuned) {
        seed += 1;
        let settings = history(tune("game-rnd", &["l"]));
        tuned = Plan::new(Corridor, &settings, Role(0), seed).expect("good settings");
    }
    let longest = |plan: &Plan<Corridor>| {
        (1..=5).rev().find(|&length| plan.grams.sequences(length) > 0).unwrap_or(0)
    };
    assert_eq!((tuned.longest, longest(&tuned)), (5, 5));
    let mut fixed = plan(Part::named("plan").with("playout", Part::named("nst").with("l", 2.0)));
    fixed.choose(&Corridor.initial_state(), &Budget::simulations(30));
    assert_eq!((fixed.longest, longest(&fixed)), (2, 2));
}

#[test]
fn planners_hear_how_many_simulations_a_game_of_ticks_has() {
    // Half of 2000 ticks of 30 simulations are 30000: kappa, which is for simulations that get shorter, is
    // not used. Of them 22500 rate values.
    let lsi = tune("lsi", published::MP_2.parameters).with("candidates", 4.0).with("kappa", 7.0);
    let mut plan = plan(history(lsi));
    let (mut state, mut ticks) = (Corridor.initial_state(), 0);
    while !plan.tuner.as_ref().is_some_and(Tuner::is_settled) {
        let mov = plan.choose(&state, &Budget::simulations(30)).expect("a move");
        Corridor.advance(&mut state, &[mov]);
        ticks += 1;
        assert!(ticks < 1_500, "it never decides");
    }
    assert!((990..=1_001).contains(&ticks), "{ticks}");
}

#[test]
fn a_tick_can_be_tuned_by_itself() {
    let lsi = tune("lsi", published::MP_2.parameters).with("per", "move").with("candidates", 4.0);
    let mut plan = plan(history(lsi));
    for (simulations, settled) in [(400, true), (25, false), (400, true)] {
        plan.choose(&Corridor.initial_state(), &Budget::simulations(simulations));
        assert_eq!(plan.tuner.as_ref().is_some_and(Tuner::is_settled), settled, "{simulations}");
    }
}

#[test]
fn every_simulation_can_have_a_depth_of_its_own() {
    let mut tuned = plan(Part::named("plan").with("tune", tune("sim-rnd", &["depth"])));
    tuned.set_root(&Corridor.initial_state());
    let mut lengths = [0u32; 16];
    for _ in 0..600 {
        tuned.iterate(&Corridor.initial_state());
        lengths[tuned.run.moves.len()] += 1;
    }
    assert!(lengths[0] == 0 && lengths[1..].iter().all(|&count| count > 10), "{lengths:?}");
    let mut fixed = plan(Part::named("plan").with("depth", 7.0));
    fixed.set_root(&Corridor.initial_state());
    fixed.iterate(&Corridor.initial_state());
    assert_eq!(fixed.run.moves.len(), 7);
}

#[test]
fn moves_against_an_end_can_be_left_out() {
    let arms = |plan: &mut Plan<Corridor>, at: i32| -> Vec<Move> {
        plan.tree.nodes.clear();
        plan.set_root(&Place { at, tick: 0 });
        plan.tree.nodes[0].arms.iter().map(|arm| arm.mov).collect()
    };
    let mut plain = plan(Part::named("plan"));
    let mut pruned = plan(Part::named("plan").with("prune_useless", true));
    assert_eq!(arms(&mut plain, 0), [LEFT, RIGHT, USE]);
    assert_eq!(arms(&mut pruned, 0), [RIGHT, USE]);
    assert_eq!(arms(&mut pruned, 3), [LEFT, RIGHT, USE]);
    assert_eq!(arms(&mut pruned, FIELDS - 1), [LEFT, USE]);
    // So it is in every node: from field 1 a step to the left leads to where no other does.
    arms(&mut pruned, 1);
    for _ in 0..200 {
        pruned.iterate(&Place { at: 1, tick: 0 });
    }
    let child = |node: u32, mov: Move, plan: &Plan<Corridor>| {
        let arms = &plan.tree.nodes[node as usize].arms;
        arms.iter().find(|arm| arm.mov == mov).expect("it is there").child
    };
    let end = child(0, LEFT, &pruned);
    let left: Vec<Move> = pruned.tree.nodes[end as usize].arms.iter().map(|arm| arm.mov).collect();
    assert_eq!(left, [RIGHT, USE]);
}

#[test]
fn curiosity_that_lasts_ends_where_the_avatar_has_really_been() {
    // Nothing ever happens to avatar or thing: only `reached` tells that the avatar was there. The means of
    // all moves at the second place, three fields from the thing, after a first one.
    let means = |reached: bool, first: i32| {
        let approach = Part::named("approach").with("lasting", true);
        let settings = Part::named("plan").with("value", approach).with("reached", reached);
        let mut plan = plan(settings.with("depth", 2.0));
        plan.choose(&Place { at: first, tick: 0 }, &Budget::simulations(50));
        plan.choose(&Place { at: THING + 3, tick: 1 }, &Budget::simulations(300));
        let arms = &plan.tree.nodes[0].arms;
        arms.iter().map(|arm| plan.bounds.mean(&arm.stat)).collect::<Vec<f64>>()
    };
    let drawn = |means: &[f64]| means[0] > means[1] + 0.1;
    assert!(drawn(&means(false, THING)), "it still draws: {:?}", means(false, THING));
    assert!(drawn(&means(true, THING + 3)), "the avatar was never there");
    let met = means(true, THING);
    assert!(met.windows(2).all(|pair| pair[0] == pair[1]), "{met:?}");
}

#[test]
fn a_tree_that_keeps_states_plays_no_step_of_it_again() {
    // [van Eeden 2015, 6.2]: with C = 0 the tree is deep and there are more simulations in a tick.
    for (way, keeps) in [("open", false), ("closed", true)] {
        let select = Part::named("ucb").with("c", 0.0);
        let settings = Part::named("plan").with("loop", way).with("select", select);
        let mut plan = plan(settings.with("depth", 6.0));
        let start = Place { at: 2, tick: 0 };
        plan.set_root(&start);
        let mut spared = 0;
        for _ in 0..300 {
            let nodes = plan.tree.nodes.len();
            plan.iterate(&start);
            spared += plan.run.path.len() - (plan.tree.nodes.len() - nodes);
        }
        assert!(spared > 300, "{way}: {spared}");
        let expected = 300 * 6 - if keeps { spared as u64 } else { 0 };
        assert_eq!(plan.model.advances, expected, "{way}");
        // Every child of the root keeps the state that its move leads to.
        for arm in &plan.tree.nodes[0].arms {
            let kept = plan.tree.nodes[arm.child as usize].state.as_deref();
            let mut reached = start.clone();
            Corridor.advance(&mut reached, &[arm.mov]);
            assert_eq!(kept, keeps.then_some(&reached), "{way}");
        }
    }
}
