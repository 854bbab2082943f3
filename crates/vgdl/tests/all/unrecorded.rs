//! Classes and effects that no recorded run covers, by what the ontology says about them.

use std::sync::Arc;

use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::rules::compile;
use gamegrove_vgdl::state::State;

/// A level of a game with these sprites and interactions; blocks of 10 pixels. Walls are
/// obstacles on shortest ways.
fn world(sprites: &str, interactions: &str, level: &str) -> Arc<World> {
    let text = format!(
        "BasicGame square_size=10 obs=wall\n SpriteSet\n{sprites}\n InteractionSet\n{interactions}\n \
         LevelMapping\n  a > a\n  b > b\n  c > c\n TerminationSet\n  Timeout limit=500\n"
    );
    let compiled = compile(&text);
    let errors: Vec<_> =
        compiled.findings.iter().filter(|f| f.is_error() && f.code != "unknown-sprite").collect();
    assert!(errors.is_empty(), "{errors:?}");
    World::load(&compiled.rules, level).world.expect("a level")
}

struct Run {
    world: Arc<World>,
    state: State,
    scratch: Scratch,
}

impl Run {
    fn new(sprites: &str, interactions: &str, level: &str) -> Run {
        let world = world(sprites, interactions, level);
        let mut state = world.start().clone();
        state.set_chance(Chance::framework(1));
        Run { world, state, scratch: Scratch::default() }
    }

    fn play(&mut self, actions: &[Action]) -> &mut Self {
        for &action in actions {
            self.world.advance(&mut self.state, &[action], &mut self.scratch);
        }
        self
    }

    /// Corners of the sprites called `name`.
    fn places(&self, name: &str) -> Vec<(i32, i32)> {
        let id = self.world.rules.types.find(name).expect("a type");
        let view = self.world.view(&self.state, 0);
        view.sprites().filter(|seen| seen.ty == id).map(|seen| seen.position).collect()
    }

    fn avatar(&self) -> (i32, i32) {
        self.world.view(&self.state, 0).avatar().expect("an avatar").position
    }
}

use Action::{Nil, Right, Use};

#[test]
fn a_null_avatar_only_waits() {
    let mut run = Run::new("  avatar > NullAvatar", "", "A  ");
    assert_eq!(run.world.actions(&run.state, 0), [Nil]);
    assert_eq!(run.play(&[Right, Right, Use]).avatar(), (0, 0));
}

#[test]
fn a_bird_falls_and_flaps() {
    let bird = "  avatar > BirdAvatar physicstype=CONT gravity=1 speed=3 jump_strength=8";
    let mut fall = Run::new(bird, "", "A         \n\n\n\n\n\n\n\n");
    fall.play(&[Nil; 10]);
    let mut flap = Run::new(bird, "", "A         \n\n\n\n\n\n\n\n");
    flap.play(&[Nil, Nil, Nil, Nil, Use, Nil, Nil, Nil, Nil, Nil]);
    assert!(fall.avatar().0 > 0, "it flies to the right: {:?}", fall.avatar());
    assert!(fall.avatar().1 > 0, "it falls: {:?}", fall.avatar());
    assert!(flap.avatar().1 < fall.avatar().1, "{:?} {:?}", flap.avatar(), fall.avatar());
}

#[test]
fn an_erratic_missile_is_a_missile() {
    let mut run = Run::new(
        "  a > ErraticMissile orientation=RIGHT speed=0.5\n  avatar > MovingAvatar",
        "",
        "a   \n A  ",
    );
    // Nothing in the first update, then half a block each.
    assert_eq!(run.play(&[Nil; 5]).places("a"), [(20, 0)]);
}

#[test]
fn still_classes_stay() {
    let mut run = Run::new(
        "  a > Conveyor orientation=RIGHT\n  b > ResourcePack\n  c > SpriteProducer\n  avatar > MovingAvatar",
        "",
        "abc\n A ",
    );
    run.play(&[Nil; 5]);
    assert_eq!(
        (run.places("a"), run.places("b"), run.places("c")),
        (vec![(0, 0)], vec![(10, 0)], vec![(20, 0)])
    );
}

#[test]
fn alternating_chasers_reach_their_prey() {
    for class in ["AlternateChaser", "RandomAltChaser epsilon=0"] {
        let sprites =
            format!("  a > {class} stype1=b stype2=c\n  b > Immovable\n  avatar > MovingAvatar");
        let mut run = Run::new(&sprites, "  b a > killSprite", "a    b\n      A");
        run.play(&[Nil; 5]);
        assert!(run.places("b").is_empty(), "{class}");
    }
}

#[test]
fn a_dead_target_is_looked_for_where_it_died() {
    // The missile leaves on the right, comes back on the left in the same tick and ends there: killed, or
    // made another thing. Its hunter saw it on the right when it moved, and the framework goes on
    // asking the dead sprite for its place.
    for class in ["PathAltChaser", "RandomPathAltChaser epsilon=0"] {
        for end in ["killSprite", "transformTo stype=d"] {
            let sprites = format!(
                "  a > {class} stype1=b stype2=b\n  b > Missile orientation=RIGHT speed=1\n  c > Immovable\n  d > Immovable\n  avatar > MovingAvatar"
            );
            let rules = format!("  b EOS > wrapAround\n  b c > {end}");
            let mut run = Run::new(&sprites, &rules, "c   a   b\n         \nA        ");
            let mut places = Vec::new();
            while run.places("b").len() == 1 {
                places.push(run.play(&[Nil]).places("a")[0]);
                assert!(places.len() < 5, "{class} {end}: the missile goes on");
            }
            assert!(places[0].0 > 40, "{class} {end}: it hunts what it sees, {places:?}");
            let last = places[places.len() - 1];
            let next = run.play(&[Nil]).places("a")[0];
            assert_eq!(next, (last.0 - 10, last.1), "{class} {end}: {places:?}");
        }
    }
}

#[test]
fn an_inertial_character_drifts() {
    let mut run = Run::new(
        "  a > RandomInertial\n  avatar > MovingAvatar",
        "",
        "         \n    a    \nA        ",
    );
    run.play(&[Nil; 30]);
    assert_ne!(run.places("a"), [(40, 10)]);
}

#[test]
fn a_jumper_leaves_the_ground() {
    let sprites = "  b > Immovable solid=True
  a > WalkerJumper physicstype=CONT gravity=1 probability=1 jump_strength=10 max_speed=20 orientation=RIGHT
  avatar > MovingAvatar";
    let level = "          \n          \n a        \nbbbbbbbbbb\nA         ";
    let mut run = Run::new(sprites, "  a b > wallStop", level);
    let mut highest = 20;
    for _ in 0..60 {
        run.play(&[Nil]);
        if let Some(&(_, y)) = run.places("a").first() {
            highest = highest.min(y);
        }
    }
    assert!(highest < 20, "it never jumped");
}

#[test]
fn counting_kinds_decides_what_appears() {
    let sprites = "  kin >
    a > Immovable
    b > Immovable
  c > Immovable
  avatar > MovingAvatar";
    // The framework halves the number of kinds, so two kinds are 1.
    let rule = |limit: i32| {
        format!(
            "  c avatar > spawnIfCounterSubTypes stype=a estype=b stypeCount=kin limit={limit} subTypesNum=1"
        )
    };
    let walk = [Right, Right, Action::Up];
    let mut wrong = Run::new(sprites, &rule(9), "abc\nA  ");
    wrong.play(&walk);
    assert_eq!((wrong.places("a").len(), wrong.places("b").len()), (1, 2));
    let mut right = Run::new(sprites, &rule(2), "abc\nA  ");
    right.play(&walk);
    assert_eq!((right.places("a").len(), right.places("b").len()), (2, 1));
}

#[test]
fn speeds_change_for_all() {
    let sprites =
        "  a > Missile orientation=RIGHT speed=0.5\n  b > Immovable\n  avatar > MovingAvatar";
    let mut run = Run::new(
        sprites,
        "  avatar b > decreaseSpeedToAll stype=a value=0.3",
        "a       \nAb      ",
    );
    run.play(&[Nil, Nil, Right]);
    let before = run.places("a")[0].0;
    run.play(&[Nil]);
    assert_eq!(run.places("a")[0].0 - before, 2, "0.2 blocks a tick");
}

#[test]
fn too_fast_is_deadly() {
    let sprites =
        "  a > Missile orientation=RIGHT speed=1\n  b > Immovable\n  avatar > MovingAvatar";
    let dies = |limit: &str| {
        let rule = format!("  a b > killIfFast limspeed={limit}");
        let mut run = Run::new(sprites, &rule, "a b   \nA     ");
        run.play(&[Nil; 4]).places("a").is_empty()
    };
    assert!(dies("0.5"));
    assert!(!dies("1.5"));
}
