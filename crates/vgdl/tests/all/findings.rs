//! What people are told about mistakes in descriptions and levels, and that hostile ones are
//! survived.

use std::fmt::Write as _;

use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::rules::compile;

/// Findings as `code line:column help`.
fn findings(text: &str) -> Vec<String> {
    compile(text)
        .findings
        .iter()
        .map(|f| {
            let (line, column) = f.line_column(text);
            format!("{} {line}:{column} {}", f.code, f.help.as_deref().unwrap_or("-"))
        })
        .collect()
}

#[test]
fn slips_are_named_with_what_was_meant() {
    let text = "BasicGame sqare_size=30
  SpriteSet
    a > Imovable colour=RED
    b > Missile sped=2 cons=3
    avatar > MovingAvatar
  InteractionSet
    a avatr > killSprite
  LevelMapping
    x > bb
  TerminationSet
    SpriteCounter stype=a win=True
";
    assert_eq!(
        findings(text),
        [
            "unknown-parameter 1:11 did you mean `square_size`?",
            "unknown-class 3:9 did you mean `Immovable`?",
            "unknown-parameter 4:17 did you mean `speed`?",
            "unused-parameter 4:24 -",
            "unknown-sprite 7:7 did you mean `avatar`?",
        ]
    );
}

#[test]
fn unknown_effects_and_terminations_are_named() {
    let start = "BasicGame\n SpriteSet\n  a > Missile\n";
    let effect = format!("{start} InteractionSet\n  a wall > kilSprite scorChange=1\n");
    assert_eq!(
        findings(&effect),
        [
            "unknown-effect 5:12 did you mean `killSprite`?",
            "unknown-parameter 5:22 did you mean `scoreChange`?",
        ]
    );
    let ending = format!("{start} TerminationSet\n  TimeOut limit=3\n");
    assert_eq!(findings(&ending), ["unknown-termination 5:3 did you mean `Timeout`?"]);
    let sprite = format!("{start} TerminationSet\n  SpriteCounter stype=aa\n");
    assert_eq!(findings(&sprite), ["unknown-sprite 5:23 did you mean `a`?"]);
    let block = format!("{start} InteractonSet\n  a wall > killSprite\n");
    assert_eq!(findings(&block), ["unknown-block 4:2 did you mean `InteractionSet`?"]);
}

#[test]
fn what_the_framework_does_in_silence_is_said() {
    let text = "BasicGame
  SpriteSet
    food > Immovable
      power > Resource
    avatar > MovingAvatar
  InteractionSet
    avatar EOS > stepBack
    avatar EOS > reverseDirection
    food avatar > killSprite
      power avatar > killSprite
  TerminationSet
    Timeout limit=10
";
    assert_eq!(
        findings(text),
        [
            "class-overridden 4:15 -",
            "doubled-eos 8:12 -",
            "ignored-line 10:7 indent it like the lines around it",
        ]
    );
}

#[test]
fn levels_are_checked() {
    let rules = compile("BasicGame\n SpriteSet\n  avatar > MovingAvatar\n").rules;
    let codes = |level: &str| -> Vec<&str> {
        World::load(&rules, level).findings.iter().map(|f| f.code).collect()
    };
    assert_eq!(codes("wAw"), [""; 0]);
    assert_eq!(codes("wAzzw"), ["unknown-character"]);
    assert_eq!(codes("www"), ["no-avatar"]);
    assert_eq!(codes("AAA"), ["many-avatars"]);
    assert_eq!(codes(""), ["bad-level"]);
    assert_eq!(codes(&"w".repeat(2000)), ["bad-level"]);
}

/// Sprites that double in every tick until the limits stop them.
#[test]
fn an_avalanche_ends() {
    let compiled = compile(
        "BasicGame
  SpriteSet
    a > Immovable
    b > Chaser stype=a
    avatar > MovingAvatar
  InteractionSet
    a a > cloneSprite repeat=50
    b b > cloneSprite repeat=50
    a b > stepBack
  LevelMapping
    a > a a b b
",
    );
    let world = World::load(&compiled.rules, "aA").world.expect("a level");
    let mut state = world.start().clone();
    let mut scratch = Scratch::default();
    for _ in 0..20 {
        world.advance(&mut state, &[Action::Nil], &mut scratch);
    }
    assert!(state.is_over());
    assert!(scratch.take_overworked());
    assert!(!scratch.take_overworked());
}

#[test]
fn hostile_texts_are_survived() {
    let mut wide = String::from("BasicGame\n SpriteSet\n  p >");
    for n in 0..5000 {
        let _ = write!(wide, " k{n}=1");
    }
    for n in 0..2000 {
        let _ = write!(wide, "\n   t{n} > Immovable u{n}=2");
    }
    wide.push_str("\n InteractionSet");
    for n in 0..2000 {
        let _ = write!(wide, "\n  p t{n} p p p p p p p > killSprite x{n}=1");
    }
    let compiled = compile(&wide);
    assert!(compiled.has_errors());
    assert!(compiled.findings.len() < 5000);
    let _ = World::load(&compiled.rules, "A");

    let mut deep = String::from("BasicGame\n SpriteSet\n");
    for n in 0..300 {
        let _ = writeln!(deep, "{}s{n} > Immovable", " ".repeat(n + 2));
    }
    assert!(compile(&deep).findings.iter().any(|f| f.code == "too-deep"));
}
