//! All descriptions of the corpus compile and run.

use crate::support;

use std::path::{Path, PathBuf};

use gamegrove_game::Rng;
use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::diagnostic::Diagnostic;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::rules::compile;
use rayon::prelude::*;

/// The slips of the corpus's authors: names that no line defines.
const SLIPS: &[&str] = &[
    "dragonattack:38: there is no sprite class `orientationDOWN`",
    "spotted:16: there is no sprite `hole`",
    "flower:15: there is no sprite `coin`",
    "witnessprotected:47: there is no sprite `running`",
    "witnessprotection:38: there is no sprite `turnup`",
    "witnessprotection:40: there is no sprite `turndown`",
    "dragonattack_nostoch:38: there is no sprite class `orientationDOWN`",
    "spotted_nostoch:16: there is no sprite `hole`",
    "witnessprotected_nostoch:47: there is no sprite `running`",
    "witnessprotection_nostoch:38: there is no sprite `turnup`",
    "witnessprotection_nostoch:40: there is no sprite `turndown`",
];

fn random_actions(
    world: &World,
    state: &gamegrove_vgdl::state::State,
    rng: &mut Rng,
) -> Vec<Action> {
    (0..world.rules.players)
        .map(|player| rng.pick(world.actions(state, player)).unwrap_or_default())
        .collect()
}

#[test]
fn descriptions_have_no_errors_but_their_own() {
    let Some(corpus) = gamegrove_testdata::shared("corpus/vgdl") else { return };
    let mut wrong = Vec::new();
    for path in support::descriptions(&corpus) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // The micro games contain errors on purpose.
        if path.to_string_lossy().contains("/micro/") {
            continue;
        }
        for finding in compile(&text).findings.iter().filter(|f| f.is_error()) {
            let (line, _) = finding.line_column(&text);
            wrong.push(format!("{name}:{line}: {}", finding.message));
        }
    }
    assert_eq!(wrong, SLIPS);
}

/// The tool that makes the games van Eeden played finds everything it replaces, and its games compile.
#[test]
fn games_of_2014_are_made_of_those_of_2018() {
    let Some(corpus) = gamegrove_testdata::shared("corpus/vgdl/gridphysics") else { return };
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/games_of_2014.py");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("games_of_2014");
    let made = std::process::Command::new("python3").arg(tool).arg(corpus).arg(&folder).output();
    let Ok(made) = made else { return };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut games = 0;
    for path in support::descriptions(&folder) {
        let text = std::fs::read_to_string(&path).expect("a file");
        let compiled = compile(&text);
        assert!(
            !compiled.findings.iter().any(Diagnostic::is_error),
            "{path:?}: {:?}",
            compiled.findings
        );
        games += 1;
        if path.ends_with("chase.txt") {
            let resting = compiled.rules.types.types.iter().filter(|ty| ty.cooldown == 3).count();
            assert!(resting >= 2, "goats rest, scared or angry");
        }
    }
    assert_eq!(games, 10);
}

/// 2,000 ticks of random play on every level, and the fast collisions against the slow rule on the
/// first 300 of them.
#[test]
fn all_levels_run() {
    let Some(corpus) = gamegrove_testdata::shared("corpus/vgdl") else { return };
    let levels: Vec<(PathBuf, PathBuf)> = support::descriptions(&corpus)
        .into_iter()
        .flat_map(|description| {
            support::levels(&description).into_iter().map(move |level| (description.clone(), level))
        })
        .collect();
    assert!(levels.len() > 700, "the corpus has its levels: {}", levels.len());
    let failures: Vec<String> = levels
        .par_iter()
        .enumerate()
        .filter_map(|(number, (description, level))| {
            run(description, level, number as u64)
                .err()
                .map(|error| format!("{}: {error}", level.display()))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn run(description: &Path, level: &Path, seed: u64) -> Result<(), String> {
    let world = support::load(description, level)?;
    let mut rng = Rng::new(seed);
    let mut scratch = Scratch::default();
    let mut state = world.start().clone();
    let mut twin = world.start().clone();
    for tick in 0..2000u64 {
        if state.is_over() {
            state = world.start().clone();
            state.set_chance(Chance::fast(rng.next_u64()));
            twin = state.clone();
        }
        let actions = random_actions(&world, &state, &mut rng);
        world.advance(&mut state, &actions, &mut scratch);
        if tick < 300 {
            world.advance_by_reference(&mut twin, &actions, &mut scratch);
            if state != twin || state.events() != twin.events() {
                return Err(format!("tick {tick}: fast and slow collisions differ"));
            }
        }
    }
    Ok(())
}
