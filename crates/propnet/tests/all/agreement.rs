//! All evaluators, on the network as built and after every published sequence of passes, answer
//! like the prover along random games: legal moves, next state, end, goals.

use crate::support;

use std::sync::Arc;

use gamegrove_game::{Describe, Game, Goal, Move, Rng, Role};
use gamegrove_gdl::{Limits, Prover, Rulesheet};
use gamegrove_propnet::{
    Circuit, Evaluator, Forward, Network, Propnet, Sequence, Settings, Sweep, build_from_rules,
};
use support::check_rulesheets;

/// The prover's answers about one state of a game.
struct Seen {
    facts: Vec<String>,
    terminal: bool,
    goals: Vec<Goal>,
    legal: Vec<Vec<String>>,
    /// The moves made; empty at the end.
    joint: Vec<String>,
}

/// A random game as the prover sees it; `None` if it hits a limit.
fn record(game: &mut Prover, steps: usize, seed: u64) -> Option<Vec<Seen>> {
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let (mut rng, mut moves) = (Rng::new(seed), Vec::new());
    let mut state = game.initial_state();
    let mut next = state.clone();
    let mut seen = Vec::new();
    for step in 0..=steps {
        let mut goals = vec![Goal::default(); roles.len()];
        game.goals(&state, &mut goals);
        let terminal = game.is_terminal(&state);
        let (mut legal, mut joint, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for &role in &roles {
            game.legal_moves(&state, role, &mut moves);
            let mut all: Vec<String> = moves.iter().map(|&m| game.move_name(role, m)).collect();
            all.sort();
            legal.push(all);
            if let Some(mov) = rng.pick(&moves) {
                names.push(game.move_name(role, mov));
                joint.push(mov);
            }
        }
        if terminal || joint.len() < roles.len() || step == steps {
            names.clear();
        }
        let last = names.is_empty();
        seen.push(Seen { facts: game.facts(&state), terminal, goals, legal, joint: names });
        if last {
            break;
        }
        game.apply(&state, &joint, &mut next);
        std::mem::swap(&mut state, &mut next);
    }
    game.take_fault().is_none().then_some(seen)
}

/// Replays games on a network and compares every answer.
fn replay<E: Evaluator>(network: &Arc<Network>, games: &[Vec<Seen>]) -> Result<(), String> {
    replay_on(Propnet::<E>::new(network).map_err(|flaw| flaw.to_string())?, games)
}

/// Replays games with each way of following changes.
fn replay_forward(network: &Arc<Network>, games: &[Vec<Seen>]) -> Result<(), String> {
    replay::<Forward>(network, games).map_err(|what| format!("tuned: {what}"))?;
    let circuit = Circuit::new(network).map_err(|flaw| flaw.to_string())?;
    for (effects, guard_from) in [(false, None), (true, Some(4))] {
        let settings = Settings { effects, guard_from, ..Settings::default() };
        let forward = Forward::with_settings(&circuit, &settings);
        replay_on(Propnet::with_evaluator(network, forward), games)
            .map_err(|what| format!("{settings:?}: {what}"))?;
    }
    Ok(())
}

fn replay_on<E: Evaluator>(mut game: Propnet<E>, games: &[Vec<Seen>]) -> Result<(), String> {
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let mut moves: Vec<Move> = Vec::new();
    for (number, seen) in games.iter().enumerate() {
        let mut state = game.initial_state();
        let mut next = state.clone();
        for (step, expected) in seen.iter().enumerate() {
            let place = format!("game {number} step {step}");
            if game.facts(&state) != expected.facts {
                return Err(format!("{place}: facts {:?}", game.facts(&state)));
            }
            if game.is_terminal(&state) != expected.terminal {
                return Err(format!("{place}: terminal"));
            }
            let mut joint = Vec::new();
            for &role in &roles {
                game.legal_moves(&state, role, &mut moves);
                let mut all: Vec<String> = moves.iter().map(|&m| game.move_name(role, m)).collect();
                all.sort();
                if all != expected.legal[role.index()] {
                    return Err(format!("{place}: legal {all:?}"));
                }
                let name = expected.joint.get(role.index());
                joint.extend(name.and_then(|name| game.find_move(role, name)));
            }
            let mut goals = vec![Goal::default(); roles.len()];
            game.goals(&state, &mut goals);
            if goals != expected.goals {
                return Err(format!("{place}: goals {goals:?}"));
            }
            if expected.joint.is_empty() {
                break;
            }
            game.apply(&state, &joint, &mut next);
            std::mem::swap(&mut state, &mut next);
        }
    }
    Ok(())
}

/// Compares along a game of at most `long` steps and one of six; of large networks the default alone,
/// along `short` steps.
fn compare(text: &[u8], long: usize, short: usize) -> Result<Option<usize>, String> {
    let Ok(sheet) = Rulesheet::load(text) else { return Ok(None) };
    let limits = Limits { time: None, steps: Some(4_000_000), ..Limits::default() };
    let Ok(basic) = build_from_rules(&sheet.program, 0, &limits) else { return Ok(None) };
    let mut prover = Prover::new(&sheet.program).map_err(|error| error.to_string())?;
    if basic.len() > 20_000 {
        // The large ones would take all the time.
        let Some(game) = record(&mut prover, short, 1) else { return Ok(None) };
        let network = Arc::new(Sequence::default().run(&basic));
        network.check().map_err(|flaw| flaw.to_string())?;
        replay_forward(&network, &[game])?;
        return Ok(Some(1));
    }
    basic.check().map_err(|flaw| flaw.to_string())?;
    let games: Option<Vec<_>> = [(long, 1), (6, 2)]
        .into_iter()
        .map(|(steps, seed)| record(&mut prover, steps, seed))
        .collect();
    let Some(games) = games else { return Ok(None) };
    let mut sizes = Vec::new();
    for name in Sequence::PUBLISHED {
        let sequence: Sequence = name.parse().expect("a published sequence");
        let network = Arc::new(sequence.run(&basic));
        network.check().map_err(|flaw| format!("{sequence}: {flaw}"))?;
        let told = |engine: &'static str| move |what: String| format!("{engine}: {what:.300}");
        replay_forward(&network, &games)
            .map_err(told("forward"))
            .and_then(|()| replay::<Sweep>(&network, &games[1..]).map_err(told("sweep")))
            .map_err(|what| format!("{sequence}, {what}"))?;
        sizes.push((name, network.len()));
        if name == "1023" && *network != sequence.run(&network) {
            return Err("Opt1023 after Opt1023 changes something".to_owned());
        }
    }
    let size = |wanted: &str| sizes.iter().find(|(name, _)| *name == wanted).map_or(0, |s| s.1);
    if sizes.iter().any(|&(_, size)| size > basic.len()) {
        return Err(format!("a pass adds components: {sizes:?}"));
    }
    if size("12") != size("102") || size("2") > size("0") {
        return Err(format!("Opt12 and Opt102 differ, or Opt2 is worse than Opt0: {sizes:?}"));
    }
    Ok(Some(games.iter().map(Vec::len).sum()))
}

#[test]
fn networks_of_public_rulesheets_agree_with_the_prover() {
    check_rulesheets(270, |text| compare(text, 30, 5).map(|states| states.is_some()));
}

/// These are always there, so this test cannot pass without having looked at anything.
#[test]
fn networks_of_shipped_rulesheets_agree_to_the_end_of_a_game() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    let mut compared = 0;
    for file in std::fs::read_dir(folder).expect("the folder of shipped games") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|end| end != "kif") {
            continue;
        }
        let text = std::fs::read(&path).expect("a rulesheet");
        match compare(&text, 1000, 40) {
            Ok(states) => compared += usize::from(states.is_some()),
            Err(what) => panic!("{}: {what}", path.display()),
        }
    }
    assert!(compared >= 40, "only {compared} networks were compared");
}
