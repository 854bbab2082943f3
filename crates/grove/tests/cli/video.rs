//! Video games in `games`, `check`, `play` and `bench`.

use serde_json::{Value, json};

use super::{file, folder, grove, grove_with};

/// Rules with a misspelt class, effect and parameter, and a level with an unknown character.
const WRONG: &str = "BasicGame
    SpriteSet
        rock > Imovable
        hero > MovingAvatar sped=2
    LevelMapping
        r > rock
        A > hero
    InteractionSet
        hero rock > stepBak
    TerminationSet
        SpriteCounter stype=hero win=False
";

#[test]
fn video_games_are_listed() {
    let json = grove(&["games", "--json"]).json();
    let games = json.as_array().expect("an array");
    let videos: Vec<&Value> = games.iter().filter(|game| game["kind"] == "vgdl").collect();
    assert_eq!(videos.len(), 25);
    assert_eq!(
        *videos[24],
        json!({
            "name": "zelda",
            "kind": "vgdl",
            "roles": ["player"],
            "title": "Zelda",
            "tags": ["single-player", "video", "grid", "stochastic"],
        })
    );
    let list = grove(&["games"]).stdout;
    let line = list.lines().find(|line| line.starts_with("wait_for_breakfast "));
    assert!(line.is_some_and(|line| line.contains(" vgdl ")), "{list}");
}

#[test]
fn a_video_game_is_shown_in_words_and_drawn() {
    let run = grove(&["games", "show", "zelda"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn a_video_game_is_shown_to_tools() {
    let json = grove(&["games", "show", "sokoban", "--level", "2", "--json"]).json();
    assert_eq!((&json["kind"], &json["level"]), (&json!("vgdl"), &json!(2)));
    assert_eq!(json["levels"], json!([0, 1, 2, 3, 4]));
    assert_eq!(json["drawing"].as_array().map(|d| d.len() as u64), json["rows"].as_u64());
    assert!(json["endings"][0].as_str().is_some_and(|text| text.starts_with("Won")), "{json}");
    assert!(json["rules"].as_str().is_some_and(|rules| rules.starts_with("# Sokoban\n")));
    let rules = grove(&["games", "show", "sokoban", "--rules"]).stdout;
    assert_eq!(json["rules"].as_str(), Some(&*rules));
    assert_eq!(grove(&["games", "show", "sokoban", "--level", "9"]).code, Some(2));
    assert_eq!(grove(&["games", "show", "chess", "--level", "0"]).code, Some(2));
}

#[test]
fn mistakes_in_descriptions_and_levels_are_shown_where_they_are() {
    let (rules, level) = (file("wrong.vgdl", WRONG), file("wrong_level.txt", "wwww\nwA%w\nwwww\n"));
    let run = grove(&["check", rules, "--level", level]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(run.stdout);
    let json = grove(&["check", rules, "--level", level, "--json"]).json();
    let found = json[0]["diagnostics"].as_array().expect("findings");
    assert_eq!((&json[0]["kind"], &json[0]["ok"]), (&json!("vgdl"), &json!(false)));
    assert_eq!((&found[0]["code"], &found[0]["line"]), (&json!("unknown-class"), &json!(3)));
    assert!(found[0]["help"].as_str().is_some_and(|help| help.contains("Immovable")));
    let last = &found[found.len() - 1];
    assert_eq!((&last["file"], &last["line"]), (&json!("wrong_level.txt"), &json!(2)));
    assert_eq!(json[0]["levels"], json!(["wrong_level.txt"]));
}

#[test]
fn shipped_video_games_have_nothing_wrong() {
    let games = grove(&["games", "--json"]).json();
    let names: Vec<&str> = games
        .as_array()
        .expect("an array")
        .iter()
        .filter(|game| game["kind"] == "vgdl")
        .filter_map(|game| game["name"].as_str())
        .collect();
    let run = grove(&[&["check"][..], &names].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("zelda: nothing wrong, also with 5 levels"), "{run:?}");
    assert!(run.stdout.ends_with("25 files: 0 errors, 0 warnings\n"), "{run:?}");
    let run = grove(&["check", "zelda", "--level", "1", "--play", "6", "--json"]);
    let play = &run.json()[0]["play"];
    assert_eq!((&play["games"], &play["finished"]), (&json!(6), &json!(6)), "{play}");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/vgdl/zelda");
    assert!(grove(&["check", folder]).stdout.contains("also with 5 levels"));
}

#[test]
fn the_language_can_be_told_and_forced() {
    assert_eq!(grove_with(&["check", "-", "--json"], WRONG.as_bytes()).json()[0]["kind"], "vgdl");
    let args = ["check", "-", "--json", "--kind", "gdl"];
    assert_eq!(grove_with(&args, WRONG.as_bytes()).json()[0]["kind"], "gdl");
    let name = file("misnamed.kif", WRONG);
    assert_eq!(grove(&["check", name, "--json"]).json()[0]["kind"], "gdl");
    assert_eq!(grove(&["check", name, "--json", "--kind", "vgdl"]).json()[0]["kind"], "vgdl");
}

#[test]
fn agents_play_where_there_is_no_terminal() {
    let run = grove(&["play", "zelda", "--seed", "5", "--agent", "random"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout);
    let args = ["play", "zelda", "--seed", "5", "--level", "2", "--agent", "random", "--json"];
    let json = grove(&args).json();
    assert_eq!((&json["game"], &json["level"]), (&json!("zelda"), &json!(2)));
    assert_eq!((&json["ending"], &json["players"]), (&json!("terminal"), &json!(["random"])));
    assert_eq!(json["ticks"].as_u64(), json["moves"].as_array().map(|moves| moves.len() as u64));
    assert!(json["won"][0].is_boolean() && json["scores"][0].is_number(), "{json}");
    let short = grove(&["play", "zelda", "--seed", "5", "--step-limit", "3", "--json"]).json();
    assert_eq!((&short["ending"], &short["ticks"]), (&json!("step-limit"), &json!(3)));
    assert_eq!(short["players"], json!(["grove"]));
    let args = ["play", "zelda", "--seed", "5", "--agent", "random", "--color", "always"];
    let colours = grove(&args).stdout;
    assert!(colours.contains("\u{1b}[0;48;5;238m"), "{}", colours.escape_debug());
}

#[test]
fn two_players_have_two_agents() {
    let rules = "BasicGame no_players=2\n SpriteSet\n  avatar >\n   a > MovingAvatar\n   \
                 b > MovingAvatar\n LevelMapping\n  A > a\n  B > b\n InteractionSet\n  \
                 a b > killSprite scoreChange=0,3\n TerminationSet\n  \
                 SpriteCounter stype=a win=False,True\n  Timeout limit=50 win=True,False\n";
    let (rules, level) = (file("two.vgdl", rules), file("two_level.txt", "A B\n"));
    let args = ["play", rules, "--level", level, "--seed", "1", "--agent", "random", "--json"];
    let json = grove(&args).json();
    assert_eq!(json["roles"], json!(["player1", "player2"]));
    assert_eq!(json["players"], json!(["random", "random"]));
    assert!(json["won"] == json!([false, true]) || json["won"] == json!([true, false]), "{json}");
}

#[test]
fn advances_copies_and_rollouts_are_measured() {
    let args =
        ["bench", "zelda", "tic_tac_toe", "aliens", "-s", "60ms", "--threads", "2", "--json"];
    let json = grove(&args).json();
    let names: Vec<_> = json.as_array().into_iter().flatten().map(|r| &r["game"]).collect();
    assert_eq!(names, ["zelda", "tic_tac_toe", "aliens"]);
    for report in [&json[0], &json[2]] {
        for field in ["advances_per_second", "copies_per_second", "rollouts_per_second"] {
            assert!(report[field].as_f64().is_some_and(|value| value > 0.0), "{field}: {report}");
        }
        assert_eq!((&report["threads"], &report["level"]), (&json!(2), &json!(0)));
    }
    assert!(json[1]["states_per_second"].is_number());
    let run = grove(&["bench", "tic_tac_toe", "zelda", "-s", "50ms"]);
    assert!(run.stdout.contains("\n\ngame   level  threads  advances/s"), "{run:?}");
}

#[test]
fn bad_input_is_explained() {
    let text = file("plain.vgdl", WRONG);
    let empty = file("empty_level.txt", "");
    let binary = file("noise.vgdl", [0u8, 159, 146, 150, 255, 10, 27, 91].repeat(500));
    let cases: [(&[&str], i32, &str); 11] = [
        (&["play", "zelda", "--level", "7"], 2, "there are levels 0 to 4"),
        (&["play", "zelda", "--as", "player"], 2, "only in a terminal"),
        (&["play", "zelda", "--as", "link"], 2, "the roles are player"),
        (&["play", "chess", "--level", "1"], 2, "chess is no video game"),
        (&["play", "zelda", "--tick", "1s", "--turns"], 2, "cannot be used with"),
        (&["play", text], 2, "plain_lvl0.txt or level0.txt"),
        (&["play", text, "--level", empty], 1, "a level has 1 to 1000 rows"),
        (&["play", binary, "--level", empty], 1, "noise.vgdl cannot be played"),
        (&["bench", "zelda", "--level", "7", "-s", "60"], 2, "there are levels 0 to 4"),
        (&["perft", "zelda", "--depth", "1"], 2, "zelda is a video game"),
        (&["check", "zelda", "--level", "nothing.txt"], 2, "there is no file nothing.txt"),
    ];
    for (args, code, expected) in cases {
        let run = grove(args);
        assert_eq!(run.code, Some(code), "{args:?}: {run:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {run:?}");
        assert!(!run.stderr.contains('\u{1b}'), "{args:?}: {run:?}");
    }
    let run = grove(&["check", binary]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    assert!(run.stdout.contains("no-sprites") && !run.stdout.contains('\u{1b}'), "{run:?}");
    let json = grove(&["check", binary, "--json"]).json();
    assert_eq!(json[0]["diagnostics"][0]["code"], "encoding");
}

#[test]
fn hostile_descriptions_and_levels_are_survived() {
    let deep: String =
        (0..5000).map(|depth| format!("{}a{depth} >\n", " ".repeat(depth))).collect();
    let texts = [
        file("deep.vgdl", "BasicGame\n SpriteSet\n".to_owned() + &deep),
        file("long_line.vgdl", "BasicGame ".to_owned() + &"x=1 ".repeat(200_000)),
        file(
            "many_lines.vgdl",
            "BasicGame\n SpriteSet\n".to_owned() + &"  a > Missile\n".repeat(40_000),
        ),
        file("nothing.vgdl", ""),
        file(
            "escape.vgdl",
            "BasicGame\n SpriteSet\n  a\u{1b}[2J\u{202e} > Immov\u{1b}]0;x\u{7}able\n",
        ),
    ];
    for text in texts {
        let run = grove(&["check", text]);
        assert!(matches!(run.code, Some(0 | 1)), "{text}: {run:?}");
        assert!(run.stdout.len() < 100_000, "{text}: {} bytes", run.stdout.len());
        assert!(!run.stdout.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text}");
    }
    let names = "BasicGame\n SpriteSet\n  a\u{1b}[2J > MovingAvatar\n  b\u{1b}]0;x\u{7} > Resource\n \
                 LevelMapping\n  A > a\u{1b}[2J\n  b > b\u{1b}]0;x\u{7}\n InteractionSet\n  \
                 a\u{1b}[2J EOS > stepBack\n TerminationSet\n  Timeout limit=3\n";
    let (names, level) = (file("names.vgdl", names), file("names_level.txt", "A b\n"));
    for command in [&["games", "show"][..], &["play"]] {
        let run = grove(&[command, &[names, "--level", level]].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        let all = run.stdout + &run.stderr;
        assert!(
            all.contains("a?[2J") && !all.contains(['\u{1b}', '\u{7}']),
            "{command:?}: {all:?}"
        );
    }
    let wide = file("wide_level.txt", "A".to_owned() + &".".repeat(2_000_000));
    assert_eq!(grove(&["play", "zelda", "--level", wide]).code, Some(1));
    // A thousand avatars, and a level as large as they get.
    let crowd = file("crowd_level.txt", ("A".repeat(1000) + "\n").repeat(1000));
    let run = grove(&["play", "zelda", "--level", crowd, "--step-limit", "2", "--seed", "1"]);
    assert!(matches!(run.code, Some(0 | 1)), "{:?}", run.code);
}

#[test]
fn only_the_game_that_was_recorded_is_shown_again() {
    let record = file("replayed.json", "");
    let played = grove(&[
        "watch",
        "aliens",
        "--agent",
        "random",
        "--simulations",
        "1",
        "--seed",
        "3",
        "--record",
        record,
        "--json",
    ]);
    let again = grove(&["watch", "aliens", "--replay", record, "--json"]);
    let written = std::fs::read_to_string(folder().join(record)).expect("it was written");
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(again.json()["scores"], played.json()["scores"]);
    assert!(!again.stderr.contains("the record says"), "{again:?}");
    let told = |name: &str, game: &str, text: &str| {
        let run = grove(&["watch", game, "--replay", file(name, text)]);
        (run.code, run.stderr)
    };
    for (name, game, text, says) in [
        ("foreign.json", "zelda", written.clone(), "a game of aliens"),
        ("nothing.json", "aliens", "{}".to_owned(), "has no moves"),
        ("twice.json", "aliens", written.repeat(2), "several games"),
        ("seed.json", "aliens", written.replace("\"seed\":3", "\"seed\":-3"), "whole number"),
    ] {
        let (code, stderr) = told(name, game, &text);
        assert_eq!(code, Some(2), "{name}: {stderr}");
        assert!(stderr.contains(says), "{name}: {stderr}");
    }
    let mut other: Value = serde_json::from_str(&written).expect("a record");
    other["moves"] = other["moves"].as_array().expect("moves").iter().take(5).cloned().collect();
    let cut =
        grove(&["watch", "aliens", "--replay", file("cut.json", other.to_string()), "--json"]);
    assert_eq!(cut.json()["ticks"], 5, "what was not recorded did not happen");
    other["scores"] = json!([999.0]);
    assert!(told("other.json", "aliens", &other.to_string()).1.contains("the record says"));
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    for (args, says) in [
        (
            &["match", "tic_tac_toe", "uct", "random", "--level", "1"][..],
            "--level is for video games",
        ),
        (&["match", "aliens", "uct", "--advances", "10", "--runs", "1"], "counts simulations"),
        (&["watch", "aliens", "--agent", "uct", "--advances", "10"], "counts simulations"),
        (&["search", "tic_tac_toe", "--agent", "maastcts2"], "plans in video games"),
        (&["referee", "tic_tac_toe", "-p", "maastcts2", "-p", "random"], "can be perceived"),
    ] {
        let run = grove(args);
        assert_eq!(run.code, Some(2), "{args:?}: {run:?}");
        assert!(run.stderr.contains(says), "{args:?}: {run:?}");
    }
    let short = [
        "match",
        "aliens",
        "random",
        "--simulations",
        "1",
        "--runs",
        "1",
        "--step-limit",
        "5",
        "--json",
    ];
    assert_eq!(grove(&short).json()["agents"][0]["mean_ticks"], 5.0);
}
