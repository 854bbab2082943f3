use super::{command, grove};

#[test]
fn the_version_is_that_of_the_package() {
    let run = grove(&["--version"]);
    assert_eq!(run.stdout, format!("grove {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(run.code, Some(0));
}

#[test]
fn help_is_there_for_every_command_with_examples() {
    for command in [
        "check",
        "games",
        "perft",
        "agree",
        "bench",
        "propnet",
        "play",
        "agents",
        "search",
        "match",
        "trace",
        "experiments",
        "experiment",
        "player",
        "referee",
    ] {
        let short = grove(&["help", command]);
        assert_eq!(short.code, Some(0));
        assert!(short.stdout.contains(&format!("Examples:\n  grove {command}")), "{short:?}");
        assert!(grove(&["help"]).stdout.contains(&format!("  {command} ")));
    }
}

#[test]
fn without_a_command_the_help_is_shown() {
    let run = grove(&[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("grove play tic_tac_toe"), "{run:?}");
    assert!(grove(&["plya"]).stderr.contains("'play'"));
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let has_colour = |args: &[&str]| grove(args).stderr.contains('\u{1b}');
    assert!(!has_colour(&["check", "nothing"]));
    assert!(has_colour(&["check", "nothing", "--color", "always"]));
    assert!(!has_colour(&["check", "nothing", "--color", "never"]));
    let output = command(&["check", "nothing"]).env("NO_COLOR", "1").output().expect("it runs");
    assert!(!output.stderr.contains(&0x1b));
}
