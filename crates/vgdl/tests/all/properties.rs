//! What must hold for any description, level and sequence of actions.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::Arc;

use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::diagnostic::Diagnostic;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::rules::compile;
use gamegrove_vgdl::state::State;
use proptest::prelude::*;

/// A small game in which most things happen: chance, pushing, shooting, spawning, resources.
const GAME: &str = "BasicGame square_size=10
    SpriteSet
        wall > Immovable
        gold > Resource limit=3
        box > Passive
        nest > SpawnPoint stype=bee prob=0.3 total=6
        bee > RandomNPC cooldown=2 cons=1 healthPoints=2
        hunter > Chaser stype=avatar cooldown=3
        sword > OrientedFlicker limit=3 singleton=True
        stone > Missile speed=0.4 orientation=LEFT
        avatar > ShootAvatar stype=sword
    InteractionSet
        avatar wall EOS > stepBack
        box avatar > bounceForward
        box wall box > undoAll
        bee wall bee > stepBack
        hunter wall > stepBack
        stone wall > reverseDirection
        bee sword > subtractHealthPoints scoreChange=1 scoreChangeIfKilled=3
        hunter sword > transformTo stype=gold
        gold avatar > collectResource scoreChange=2
        avatar hunter > killIfHasLess resource=gold limit=0
        hunter avatar > killSprite scoreChange=5
        stone box > spawn stype=bee prob=0.2
    TerminationSet
        SpriteCounter stype=avatar win=False
        Timeout limit=300 win=True
    LevelMapping
        b > box
        n > nest
        h > hunter
        s > stone
        g > gold
";
const LEVEL: &str = "wwwwwwwwww
wA  b   nw
w  bb g  w
w s    h w
w   g   sw
wwwwwwwwww
";

fn world() -> Arc<World> {
    let compiled = compile(GAME);
    assert!(compiled.findings.is_empty(), "{:?}", compiled.findings);
    let loaded = World::load(&compiled.rules, LEVEL);
    assert!(loaded.findings.is_empty(), "{:?}", loaded.findings);
    loaded.world.expect("a level")
}

fn hash(state: &State) -> u64 {
    BuildHasherDefault::<std::collections::hash_map::DefaultHasher>::default().hash_one(state)
}

fn play(world: &World, state: &mut State, actions: &[u8]) {
    let mut scratch = Scratch::default();
    for &action in actions {
        world.advance(state, &[Action::ALL[usize::from(action) % 6]], &mut scratch);
    }
}

proptest! {
    #[test]
    fn a_copy_has_the_same_future(
        seed in any::<u64>(),
        before in prop::collection::vec(0u8..6, 0..80),
        after in prop::collection::vec(0u8..6, 1..80),
    ) {
        let world = world();
        let mut state = world.start().clone();
        state.set_chance(Chance::fast(seed));
        play(&world, &mut state, &before);
        let mut copy = state.clone();
        let mut reused = world.start().clone();
        reused.clone_from(&state);
        prop_assert_eq!(&copy, &state);
        prop_assert_eq!(hash(&copy), hash(&state));
        play(&world, &mut state, &after);
        play(&world, &mut copy, &after);
        play(&world, &mut reused, &after);
        prop_assert_eq!(&copy, &state);
        prop_assert_eq!(&reused, &state);
        prop_assert_eq!(hash(&copy), hash(&state));
    }

    #[test]
    fn one_seed_one_game(seed in any::<u64>(), actions in prop::collection::vec(0u8..6, 1..120)) {
        let world = world();
        let run = |chance| {
            let mut state = world.start().clone();
            state.set_chance(chance);
            play(&world, &mut state, &actions);
            state
        };
        prop_assert_eq!(run(Chance::framework(seed)), run(Chance::framework(seed)));
        prop_assert_eq!(run(Chance::fast(seed)), run(Chance::fast(seed)));
    }

    #[test]
    fn fast_and_slow_collisions_agree(
        seed in any::<u64>(),
        actions in prop::collection::vec(0u8..6, 1..120),
    ) {
        let world = world();
        let mut scratch = Scratch::default();
        let mut fast = world.start().clone();
        fast.set_chance(Chance::fast(seed));
        let mut slow = fast.clone();
        for &action in &actions {
            let action = [Action::ALL[usize::from(action)]];
            world.advance(&mut fast, &action, &mut scratch);
            world.advance_by_reference(&mut slow, &action, &mut scratch);
            prop_assert_eq!(&fast, &slow);
            prop_assert_eq!(fast.events(), slow.events());
        }
    }

    #[test]
    fn no_bytes_break_the_parser(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        let compiled = compile(&text);
        let _ = World::load(&compiled.rules, &text);
    }

    /// Words of the language in any order reach deeper than bytes do.
    #[test]
    fn no_words_break_the_engine(
        words in prop::collection::vec((0usize..WORDS.len(), 0usize..SEPARATORS.len()), 0..200),
        level in "[wAabc \n]{1,40}",
    ) {
        let mut text = String::from(
            "BasicGame\n SpriteSet\n  a > Missile\n  b > RandomNPC\n  c > Immovable\n",
        );
        for (word, separator) in words {
            text.push_str(WORDS[word]);
            text.push_str(SEPARATORS[separator]);
        }
        text.push_str("\n LevelMapping\n  a > a\n  b > b\n  c > c\n");
        let compiled = compile(&text);
        for finding in &compiled.findings {
            prop_assert!(finding.span.end <= text.len(), "{finding:?}");
            let _ = finding.line_column(&text);
        }
        if let Some(world) = World::load(&compiled.rules, &level).world {
            let mut state = world.start().clone();
            play(&world, &mut state, &[0, 1, 2, 3, 4, 5, 5, 4, 3, 2]);
        }
    }
}

proptest! {
    /// Any text is a level, or is refused with findings that lie inside it.
    #[test]
    fn no_level_breaks_the_engine(
        text in prop_oneof!["[wAbnhsg. \n]{0,200}", "\\PC{0,100}", "[wA\r\t\n\u{0}é→]{0,100}"],
        actions in prop::collection::vec(0u8..6, 1..20),
    ) {
        let loaded = World::load(&compile(GAME).rules, &text);
        for finding in &loaded.findings {
            prop_assert!(finding.span.end <= text.len(), "{finding:?}");
            prop_assert!(text.get(finding.span.start..finding.span.end).is_some(), "{finding:?}");
        }
        match loaded.world {
            Some(world) => play(&world, &mut world.start().clone(), &actions),
            None => prop_assert!(loaded.findings.iter().any(Diagnostic::is_error)),
        }
    }

    /// Real games with lines lost, doubled and exchanged, on levels of other games: the deepest
    /// that chance gets into the engine.
    #[test]
    fn damaged_games_run(
        game in 0usize..25,
        other in 0usize..25,
        level in 0usize..5,
        damage in prop::collection::vec((0usize..200, 0usize..200, 0u8..4), 0..6),
        seed in any::<u64>(),
        actions in prop::collection::vec(0u8..6, 1..60),
    ) {
        let games = shipped();
        let rules = std::fs::read_to_string(games[game].join("rules.vgdl")).expect("rules");
        let level = games[other].join(format!("level{level}.txt"));
        let level = std::fs::read_to_string(level).expect("a level");
        let mut lines: Vec<&str> = rules.lines().collect();
        for (at, to, how) in damage {
            let (at, to) = (at % lines.len(), to % lines.len());
            match how {
                0 if lines.len() > 1 => drop(lines.remove(at)),
                1 => lines.insert(to, lines[at]),
                2 => lines[at] = &lines[at][..floor_char(lines[at], to)],
                _ => lines.swap(at, to),
            }
        }
        let text = lines.join("\n");
        let compiled = compile(&text);
        for finding in &compiled.findings {
            prop_assert!(finding.span.end <= text.len(), "{finding:?}");
        }
        if let Some(world) = World::load(&compiled.rules, &level).world {
            let mut state = world.start().clone();
            state.set_chance(Chance::fast(seed));
            let mut slow = state.clone();
            let mut scratch = Scratch::default();
            for &action in &actions {
                let joint = [Action::ALL[usize::from(action)]];
                world.advance(&mut state, &joint, &mut scratch);
                world.advance_by_reference(&mut slow, &joint, &mut scratch);
                prop_assert_eq!(&state, &slow);
            }
        }
    }
}

/// The folders of the games that come with the project.
fn shipped() -> Vec<std::path::PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/vgdl");
    let entries = std::fs::read_dir(folder).expect("the folder of games");
    let mut games: Vec<_> = entries.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    games.sort();
    games
}

/// The last boundary between characters of `text` up to `at`.
fn floor_char(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

const SEPARATORS: &[&str] = &[" ", "\n  ", "\n   ", " > ", "\n "];
const WORDS: &[&str] = &[
    "a",
    "b",
    "c",
    "avatar",
    "wall",
    "EOS",
    "TIME",
    "InteractionSet",
    "TerminationSet",
    "SpriteSet",
    "Missile",
    "Chaser",
    "SpawnPoint",
    "Spreader",
    "PathChaser",
    "WizardAvatar",
    "ShootAvatar",
    "AimedAvatar",
    "CarAvatar",
    "OngoingTurningAvatar",
    "Walker",
    "PlatformerAvatar",
    "Portal",
    "BomberRandomMissile",
    "stype=a",
    "stype=b",
    "stype1=c",
    "stypeMissile=a,b",
    "speed=0.3",
    "speed=-1",
    "cooldown=0",
    "physicstype=CONT",
    "mass=0",
    "gravity=1",
    "orientation=LEFT",
    "wMult=2.5",
    "hMult=0",
    "killSprite",
    "stepBack",
    "undoAll",
    "bounceForward",
    "transformTo",
    "transformToAll",
    "stypeTo=c",
    "cloneSprite",
    "spawn",
    "teleportToExit",
    "wallBounce",
    "wallStop",
    "pullWithIt",
    "addTimer",
    "ftype=killAll",
    "timer=0",
    "repeating=True",
    "timer=2",
    "collectResource",
    "changeResource",
    "resource=a",
    "subtractHealthPoints",
    "updateSpawnType",
    "spawnPoint=b",
    "removeScore",
    "transformToSingleton",
    "stype_other=b",
    "turnAround",
    "SpriteCounter",
    "MultiSpriteCounter",
    "StopCounter",
    "Timeout",
    "limit=2",
    "scoreChange=1",
    "transformToRandomChild",
    "wrapAround",
    "attractGaze",
    "align",
    "bounceDirection",
    "repeat=3",
];
