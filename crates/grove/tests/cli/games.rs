use serde_json::json;

use super::{file, grove};

#[test]
fn shipped_games_are_listed() {
    let run = grove(&["games"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for name in
        ["breakthrough", "checkers", "chess", "connect_four", "eight_puzzle", "tic_tac_toe", "tron"]
    {
        assert!(run.stdout.lines().any(|line| line.starts_with(name)), "{name}: {run:?}");
    }
}

#[test]
fn tools_get_the_list_as_one_array() {
    let json = grove(&["games", "--json"]).json();
    let games = json.as_array().expect("an array");
    assert!(games.len() >= 7);
    let tron = games.iter().find(|game| game["name"] == "tron").expect("tron is shipped");
    assert_eq!(
        *tron,
        json!({
            "name": "tron",
            "kind": "gdl",
            "roles": ["red", "blue"],
            "title": "Tron, 10 x 10",
            "tags": ["two-player", "simultaneous", "blocking"],
        })
    );
    for game in games {
        assert!(game["title"].as_str().is_some_and(|title| !title.is_empty()), "{game}");
        assert!(game["roles"].as_array().is_some_and(|roles| !roles.is_empty()), "{game}");
    }
}

#[test]
fn the_list_is_filtered() {
    let names = |args: &[&str]| -> Vec<String> {
        let json = grove(&[&["games", "--json"], args].concat()).json();
        let games = json.as_array().expect("an array").iter();
        games.filter_map(|game| Some(game["name"].as_str()?.to_owned())).collect()
    };
    let lines = names(&["--tag", "line"]);
    assert!(lines.contains(&"connect_four".to_owned()), "{lines:?}");
    assert!(!lines.contains(&"chess".to_owned()), "{lines:?}");
    let alone = names(&["--players", "1", "--kind", "gdl"]);
    assert!(alone.contains(&"eight_puzzle".to_owned()), "{alone:?}");
    assert!(
        !alone.contains(&"tron".to_owned()) && !alone.contains(&"zelda".to_owned()),
        "{alone:?}"
    );
    let both = names(&["--tag", "capture", "--tag", "simultaneous"]);
    assert!(both.contains(&"battle".to_owned()) && !both.contains(&"tron".to_owned()), "{both:?}");
    assert_eq!(names(&["--players", "77"]), [""; 0]);
    let run = grove(&["games", "--tag", "lines"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("did you mean line?"), "{run:?}");
}

#[test]
fn games_are_compared() {
    let rules = grove(&["games", "show", "horseshoe", "--rules"]).stdout;
    let renamed = file("renamed.kif", rules.replace("cell", "stone").replace("slide", "go"));
    let run = grove(&["games", "compare", "horseshoe", renamed, "--games", "50"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("trees equal to their end at depth 20"), "{run:?}");
    let shorter = file("shorter.kif", rules.replace("(move_number 20)", "(move_number 12)"));
    let json = grove(&["games", "compare", "horseshoe", shorter, "--games", "50", "--json"]);
    assert_eq!(json.code, Some(1));
    assert_eq!(json.json()["different_depth"], 11);
    let run = grove(&["games", "compare", "horseshoe", "eight_puzzle"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("horseshoe has 2 roles, eight_puzzle has 1"), "{run:?}");
}

#[test]
fn games_of_any_size_are_made() {
    let run = grove(&["games", "make", "shock-step", "--width", "5", "--length", "4"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.starts_with(";;; Shock step, 5 lanes each of length 4\n"), "{run:?}");
    let perft = grove(&["perft", file("made.kif", &run.stdout), "--depth", "4", "--json"]).json();
    assert_eq!(perft["nodes"], 625);
    let json = grove(&["games", "make", "goofspiel", "--cards", "3", "--json", "-o", "goof.kif"]);
    assert_eq!(json.json()["family"], "goofspiel");
    assert_eq!(grove(&["check", "goof.kif"]).code, Some(0));

    let wrong = [
        (&["make"][..], "chinese-checkers"),
        (&["make", "chess"], "unrecognized subcommand"),
        (
            &["make", "connect", "--line", "99"],
            "`line` of `connect` must be a whole number between 2 and 30, not `99`",
        ),
        (&["make", "connect", "--line", "9"], "lower line or enlarge the board"),
        (&["make", "penalties", "--flags", "some"], "there are: free, charged"),
        (&["make", "penalties", "--lanes", "3"], "unexpected argument"),
        (&["make", "penalties", "-o", "no/such/folder/x.kif"], "could not be written"),
    ];
    for (args, expected) in wrong {
        let run = grove(&[&["games"], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {run:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {run:?}");
    }
    assert!(grove(&["games", "make", "punishment", "--help"]).stdout.contains("--growth <CHOICE>"));
}

#[test]
fn a_game_is_shown_in_words() {
    let run = grove(&["games", "show", "tic-tac-toe"]);
    assert_eq!(run.code, Some(0));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn a_game_is_shown_to_tools() {
    let json = grove(&["games", "show", "tic_tac_toe", "--json"]).json();
    assert_eq!(json["roles"], json!(["x", "o"]));
    assert_eq!(json["initial_facts"].as_array().map(Vec::len), Some(10));
    let [x, o] = [&json["initial_moves"][0], &json["initial_moves"][1]];
    assert_eq!(x["moves"].as_array().map(Vec::len), Some(9));
    assert_eq!(*o, json!({ "role": "o", "moves": ["noop"] }));
    assert!(json["rules"].as_str().is_some_and(|rules| rules.starts_with(";;; Tic-tac-toe")));
}

#[test]
fn unknown_games_are_refused() {
    let run = grove(&["games", "show", "ches"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("did you mean chess or chase?"), "{run:?}");
}

#[test]
fn a_page_about_games_is_made() {
    let folder = super::folder().join("page");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).expect("a folder of our own");
    let args = ["games", "--tag", "line", "--players", "3", "--json", "table"];
    let files = ["--output", "page/all.md", "--drawings", "page/pictures", "--seconds", "5"];
    let run = grove(&[&args[..], &files[..]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let json = run.json();
    let games = json["board_games"].as_array().expect("a list");
    assert!(games.iter().any(|game| game["name"] == "connect_four_3p"), "{json}");
    let page = std::fs::read_to_string(folder.join("all.md")).expect("the page");
    let command = format!("`grove {} {}`", args.join(" "), files.join(" "));
    assert!(page.contains(&command), "{page}");
    for game in games {
        let name = game["name"].as_str().expect("a name");
        assert!(page.contains(&format!("\n### {name}\n")), "{page}");
        assert!(page.contains(&format!("(pictures/{name}.svg)")), "{page}");
        assert!(folder.join(format!("pictures/{name}.svg")).exists());
        assert!(game["statistics"]["random_games"]["mean_length"].as_f64() > Some(1.0), "{game}");
    }
    let videos = grove(&["games", "--kind", "vgdl", "table"]);
    assert!(videos.stdout.contains("| [zelda](#zelda) | 1 | 5 | 13 | 9 |"), "{videos:?}");
    let run = grove(&["games", "--players", "77", "table"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    let run = grove(&["games", "--players", "6", "table", "--drawings", "page/all.md"]);
    assert!(run.stderr.contains("page/all.md could not be written"), "{run:?}");
}

#[test]
fn the_page_that_ships_has_all_games() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = std::fs::read_to_string(docs.join("games.md")).expect("docs/games.md");
    let json = grove(&["games", "--json"]).json();
    let games = json.as_array().expect("an array").iter();
    let games: Vec<_> = games.filter(|game| game["kind"] != "octagon").collect();
    assert!(docs.join("octagon.md").exists(), "The Octagon Theory has a page of its own");
    for game in &games {
        let name = game["name"].as_str().expect("a name");
        let remedy = "make docs/games.md anew; its head says how";
        assert!(page.contains(&format!("\n| [{name}](#{name}) |")), "{name}: {remedy}");
        assert!(page.contains(&format!("\n### {name}\n")), "{name}: {remedy}");
        let drawing = format!("games/{name}.svg");
        if page.contains(&format!("({drawing})")) {
            assert!(docs.join(&drawing).exists(), "{drawing}: {remedy}");
        }
    }
    assert_eq!(page.matches("\n### ").count(), games.len(), "games that do not ship");
}
