//! Our prover and Prolog, asked the same questions along random games of the public rulesheets.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gamegrove_game::{Describe, Game, Move, Rng, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_prolog::{Prolog, Settings};
use gamegrove_testdata::{files_below, shared};

/// How long one rulesheet may take; some states keep Prolog busy for a second.
const PER_GAME: Duration = Duration::from_secs(3);
/// States compared per rulesheet at most.
const STATES: usize = 40;

/// Compares along random games; how many states were compared.
fn compare(rulesheet: &str) -> Result<usize, String> {
    let Ok(sheet) = Rulesheet::load(rulesheet.as_bytes()) else { return Ok(0) };
    let mut game = Prover::new(&sheet.program).map_err(|error| error.to_string())?;
    let settings = Settings { timeout: Duration::from_secs(20), ..Settings::default() };
    let mut prolog = Prolog::start(rulesheet, settings).map_err(|error| error.to_string())?;
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let names: Vec<String> = roles.iter().map(|&role| game.role_name(role)).collect();
    same("roles", &names, prolog.roles())?;

    let start = game.initial_state();
    same("init", &game.facts(&start), prolog.init())?;
    let (mut state, mut next) = (start.clone(), start.clone());
    let (mut rng, mut moves) = (Rng::new(5), Vec::new());
    let deadline = Instant::now() + PER_GAME;
    let mut compared = 0;
    while compared < STATES && Instant::now() < deadline {
        let facts = game.facts(&state);
        let theirs = prolog.state(&facts).map_err(|error| error.to_string())?;
        let terminal = game.is_terminal(&state);
        if terminal != theirs.terminal {
            return Err(format!("terminal: ours {terminal} in {facts:?}"));
        }
        let mut joint: Vec<Move> = Vec::new();
        for &role in &roles {
            game.legal_moves(&state, role, &mut moves);
            let mut legal: Vec<String> = moves.iter().map(|&m| game.move_name(role, m)).collect();
            legal.sort();
            same("legal", &legal, &theirs.legal[role.index()])?;
            let mut goals = game.goal_values(&state, role);
            goals.sort();
            same("goals", &goals, &theirs.goals[role.index()])?;
            joint.extend(rng.pick(&moves));
        }
        compared += 1;
        if terminal || joint.len() < roles.len() {
            state.clone_from(&start);
            continue;
        }
        let named: Vec<String> =
            roles.iter().zip(&joint).map(|(&role, &mov)| game.move_name(role, mov)).collect();
        game.apply(&state, &joint, &mut next);
        let theirs = prolog.next(&facts, &named).map_err(|error| error.to_string())?;
        same("next", &game.facts(&next), &theirs)?;
        std::mem::swap(&mut state, &mut next);
    }
    Ok(compared)
}

fn same(what: &str, ours: &[String], theirs: &[String]) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("{what}: ours {ours:?}, theirs {theirs:?}")) }
}

#[test]
fn the_prover_agrees_with_prolog_on_the_public_rulesheets() {
    if !gamegrove_prolog::installed() {
        return;
    }
    let Some(corpus) = shared("corpus/gdl") else { return };
    let files = files_below(&corpus, "kif");
    let (turn, games, states) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let differing = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = files.get(turn.fetch_add(1, Ordering::Relaxed)) {
                    let text = std::fs::read(path).expect("a readable rulesheet");
                    match compare(&String::from_utf8_lossy(&text)) {
                        Ok(compared) => {
                            games.fetch_add(usize::from(compared > 0), Ordering::Relaxed);
                            states.fetch_add(compared, Ordering::Relaxed);
                        }
                        Err(what) => {
                            let found = format!("{}: {what:.400}", path.display());
                            differing.lock().expect("no thread panics").push(found);
                        }
                    }
                }
            });
        }
    });
    let differing = differing.into_inner().expect("no thread panics");
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
    let (games, states) = (games.into_inner(), states.into_inner());
    assert!(games >= 340 && states >= 6_000, "only {games} games, {states} states");
}
