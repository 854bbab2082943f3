//! Two searches play each other at equal simulations: how much is a strategy worth?
//!
//! ```sh
//! cargo run --release -p gamegrove-search --example duel -- SIMULATIONS GAMES SEED GAME.kif nst mast
//! ```
//! Names are those of [`configuration`], with `@lanes` for play-outs on lanes from the hundredth simulation
//! on; several pairs may follow each other. Roles are swapped every game; reported are the points of the first, 1 for a win and 1/2 for equal goals, in percent with
//! the 95 % interval.

#![allow(clippy::print_stdout, reason = "a program")]

use std::sync::Arc;

use gamegrove_game::{Game, Goal, Move, Role};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Propnet, PropnetLanes, Sequence, build_from_rules};
use gamegrove_search::{Budget, Part, Search};

type Failure = Box<dyn std::error::Error>;

/// The settings compared here, by name.
fn configuration(name: &str) -> Result<Part, String> {
    let named = Part::named;
    let mcts = |playout: Part| named("mcts").with("playout", playout);
    let select = |select: Part| named("mcts").with("select", select).with("playout", "mast");
    let cadia = |playout: Part| {
        let uct = named("uct").with("c", 0.4).with("fpu", f64::INFINITY);
        let uct = uct.with("informed_tries", true);
        named("mcts").with("select", uct).with("playout", playout).with("discount", 0.999)
    };
    let gibbs = || named("mast").with("sample", "gibbs").with("decay", 1.0).with("unknown", 50.0);
    let payoff = |name: &str, alpha: f64| named(name).with("mode", "payoff").with("alpha", alpha);
    Ok(match name {
        "random" | "mast" | "to_mast" | "nst" | "ppa" | "nppa" | "past" | "fast" => {
            mcts(named(name))
        }
        "ppa_032" => mcts(named("ppa").with("alpha", 0.32)),
        "ppa_p032" => mcts(payoff("ppa", 0.32)),
        "nppa_p032" => mcts(payoff("nppa", 0.32)),
        "nppa_p00032" => mcts(payoff("nppa", 0.0032)),
        "grave_mast" => mcts(named("mast")).with("select", "grave"),
        "grave_ppa" => mcts(payoff("ppa", 0.32)).with("select", "grave"),
        "decisive" => mcts(named("random")).with("tactic", "decisive"),
        "early" => mcts(named("random")).with("cutoff", "early"),
        "history" => select(named("progressive_history")),
        "tuned" => select(named("ucb1_tuned")),
        "cadia" => cadia(named("random")),
        "cadia_mast" => cadia(gibbs()),
        "cadia_past" => cadia(named("past")),
        "cadia_fast" => cadia(named("fast")),
        "cadia_mast_fast" => cadia(named("sum")),
        "cadia_early" => cadia(named("random")).with("cutoff", "early"),
        _ => return Err(format!("no setting is called `{name}`")),
    })
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [simulations, games, seed, path, names @ ..] = args.as_slice() else {
        return Err("usage: duel SIMULATIONS GAMES SEED GAME.kif FIRST SECOND ...".into());
    };
    let sheet = Rulesheet::load(&std::fs::read(path)?).map_err(|_| "the rulesheet has errors")?;
    let network = build_from_rules(&sheet.program, 0, &Limits::default())?;
    let network = Arc::new(Sequence::default().run(&network));
    let game: Propnet = Propnet::new(&network)?;
    let mut lanes = PropnetLanes::new(&network)?;
    let (simulations, games, seed): (u64, u64, u64) =
        (simulations.parse()?, games.parse()?, seed.parse()?);
    for pair in names.chunks_exact(2) {
        let settings = [player(&pair[0])?, player(&pair[1])?];
        let (mut sum, mut squares) = (0.0, 0.0);
        for number in 0..games {
            let points = play((&game, &mut lanes), &settings, simulations, seed, number)?;
            sum += points;
            squares += points * points;
        }
        let n = games as f64;
        let mean = sum / n;
        let interval = 1.96 * ((squares - n * mean * mean) / (n - 1.0) / n).max(0.0).sqrt();
        println!(
            "{path}: {} against {}: {:.1} ±{:.1} ({games} games of {simulations} simulations)",
            pair[0],
            pair[1],
            mean * 100.0,
            interval * 100.0
        );
    }
    Ok(())
}

/// The settings with this name, and whether lanes play out.
fn player(name: &str) -> Result<(Part, bool), String> {
    match name.strip_suffix("@lanes") {
        Some(name) => Ok((configuration(name)?.with("lanes_from", 100.0), true)),
        None => Ok((configuration(name)?, false)),
    }
}

/// One match; gives the points of the first.
fn play(
    (game, lanes): (&Propnet, &mut PropnetLanes),
    settings: &[(Part, bool); 2],
    simulations: u64,
    seed: u64,
    number: u64,
) -> Result<f64, Failure> {
    let holds = |role: Role| (role.index() + number as usize) % 2;
    let mut game = game.clone();
    let mut searches = Vec::new();
    for (at, (part, on_lanes)) in (0u64..).zip(settings) {
        searches.push((Search::new(game.clone(), part, (seed + number) * 2 + at)?, *on_lanes));
    }
    let mut state = game.initial_state();
    while !game.is_terminal(&state) {
        for (search, on_lanes) in &mut searches {
            search.set_root(&state);
            match on_lanes {
                true => search.run_on(lanes, &Budget::simulations(simulations)),
                false => search.run(&Budget::simulations(simulations)),
            };
        }
        let joint: Option<Vec<Move>> = Role::all(game.role_count())
            .map(|role| searches[holds(role)].0.best_move(role))
            .collect();
        let Some(joint) = joint else { break };
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
    let mut goals = vec![Goal::default(); game.role_count()];
    game.goals(&state, &mut goals);
    let best = |who: usize| {
        let own = Role::all(goals.len()).filter(|&role| holds(role) == who);
        own.map(|role| goals[role.index()].0).fold(f32::NEG_INFINITY, f32::max)
    };
    Ok(match best(0).total_cmp(&best(1)) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => 0.5,
    })
}
