//! The games that come with the project: their texts are without fault and their levels can be won.

use std::path::{Path, PathBuf};

use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::actions;
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::rules::compile;

/// Levels of every game.
const LEVELS: usize = 5;
/// The seed the winning sequences were found for.
const SEED: u64 = 1;

fn games() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/vgdl");
    let mut games: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of games")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    games.sort();
    games
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_level_is_won_by_its_sequence() {
    let games = games();
    assert!(!games.is_empty());
    for game in games {
        let name = game.display();
        let compiled = compile(&read(&game.join("rules.vgdl")));
        assert!(compiled.findings.is_empty(), "{name}: {:?}", compiled.findings);
        for level in 0..LEVELS {
            let loaded =
                World::load(&compiled.rules, &read(&game.join(format!("level{level}.txt"))));
            assert!(loaded.findings.is_empty(), "{name} {level}: {:?}", loaded.findings);
            let world = loaded.world.expect("a level");
            let text = read(&game.join(format!("win{level}.txt")));
            let sequence = actions::parse(&text, world.rules.players).expect("actions");
            let mut state = world.start().clone();
            state.set_chance(Chance::framework(SEED));
            let mut scratch = Scratch::default();
            for joint in &sequence {
                assert!(!state.is_over(), "{name} {level} is over too early");
                world.advance(&mut state, joint, &mut scratch);
            }
            assert_eq!(state.player(0).win, Some(true), "{name} {level}");
        }
    }
}
