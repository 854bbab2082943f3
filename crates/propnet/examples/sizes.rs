//! Component counts of the thirteen games of the published tables (`propnets.md` 9.2) for the network
//! as built and all nine sequences, beside the published counts. Prints Markdown.
//!
//! `cargo run --release -p gamegrove-propnet --example sizes -- [SECONDS_PER_GAME] [GAME...]`

use std::process::ExitCode;
use std::time::{Duration, Instant};

use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Network, Sequence, build_from_rules};
use gamegrove_testdata::shared;

/// Name, path below the public rulesheets, published counts for BasicPN, Opt0, Opt1, Opt2, Opt3,
/// Opt12, Opt102, Opt13 and Opt1023.
const GAMES: [(&str, &str, [u32; 9]); 13] = [
    (
        "Amazons",
        "amazons/v1/amazons.kif",
        [1497649, 1254742, 741874, 1192364, 1023913, 623460, 623460, 711596, 596240],
    ),
    (
        "Battle",
        "battle/battle.kif",
        [51197, 14267, 36863, 14262, 50721, 11084, 11077, 36676, 10902],
    ),
    (
        "Breakthrough",
        "breakthrough/breakthrough.kif",
        [10745, 10678, 5933, 10678, 10584, 5900, 5900, 5869, 5836],
    ),
    (
        "Chin.Checkers1P",
        "chineseCheckers1/v1/chineseCheckers1.kif",
        [793, 785, 559, 785, 789, 556, 556, 559, 556],
    ),
    (
        "Chin.Checkers2P",
        "chineseCheckers2/v1/chineseCheckers2.kif",
        [1540, 1524, 1179, 1524, 1532, 1172, 1172, 1179, 1172],
    ),
    (
        "Chin.Checkers3P",
        "chineseCheckers3/v1/chineseCheckers3.kif",
        [2411, 2389, 1845, 2236, 2400, 1718, 1718, 1845, 1718],
    ),
    (
        "Chin.Checkers4P",
        "chineseCheckers4/v1/chineseCheckers4.kif",
        [3159, 3119, 2465, 2999, 3133, 2362, 2362, 2465, 2362],
    ),
    (
        "Chin.Checkers6P",
        "chineseCheckers6/v2/chineseCheckers6.kif",
        [4451, 4411, 3473, 4123, 4431, 3238, 3238, 3473, 3238],
    ),
    (
        "Connect Four",
        "connect4/connect4.kif",
        [2164, 2063, 1724, 1291, 2114, 1063, 1063, 1724, 1056],
    ),
    (
        "Othello",
        "othello-comp2007/othello-comp2007.kif",
        [1311988, 274940, 1033197, 274940, 1305515, 208510, 208510, 1031580, 206846],
    ),
    ("Pentago", "pentago/v1/pentago.kif", [3696, 3706, 1470, 3708, 2111, 1464, 1473, 1338, 1337]),
    (
        "Skirmish",
        "skirmish/skirmish.kif",
        [126019, 124267, 108171, 124267, 78575, 107296, 107296, 62427, 61552],
    ),
    ("Tic Tac Toe", "ticTacToe/ticTacToe.kif", [312, 291, 249, 291, 302, 239, 239, 249, 239]),
];

struct Measured {
    counts: Vec<usize>,
    seconds: f64,
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let Some(folder) = shared("corpus/gdl/public") else {
        return ExitCode::FAILURE;
    };
    let mut arguments = std::env::args().skip(1).peekable();
    let seconds = arguments.next_if(|a| a.parse::<u64>().is_ok()).and_then(|a| a.parse().ok());
    let chosen: Vec<String> = arguments.collect();
    let limits = Limits {
        time: Some(Duration::from_secs(seconds.unwrap_or(60))),
        memory: 6 << 30,
        ..Limits::default()
    };
    print!("| game |");
    Sequence::PUBLISHED.iter().for_each(|name| print!(" {} |", sequence(name)));
    println!(" seconds |\n|---|{}", "---:|".repeat(10));
    let mut changes = vec![Vec::new(); Sequence::PUBLISHED.len()];
    let mut published_changes = changes.clone();
    for (name, path, published) in GAMES {
        if !chosen.is_empty() && !chosen.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        eprintln!("{name}");
        match measure(&folder.join(path), &limits) {
            Ok(measured) => {
                print!("| {name} |");
                for (at, &count) in measured.counts.iter().enumerate() {
                    let change = percent(count as f64, measured.counts[0] as f64);
                    changes[at].push(change);
                    print!(" {count} ({change:+.1} %) |");
                }
                println!(" {:.2} |", measured.seconds);
                print!("| {name}, published |");
                for (at, &count) in published.iter().enumerate() {
                    let change = percent(f64::from(count), f64::from(published[0]));
                    published_changes[at].push(change);
                    print!(" {count} ({change:+.1} %) |");
                }
                println!(" |");
            }
            Err(what) => println!("| {name} | {what} |"),
        }
    }
    for (title, changes) in [("ours", changes), ("published", published_changes)] {
        print!("| **mean change, {title}** |");
        for change in changes {
            print!(" {:+.2} % |", change.iter().sum::<f64>() / change.len() as f64);
        }
        println!(" |");
    }
    ExitCode::SUCCESS
}

fn percent(count: f64, of: f64) -> f64 {
    (count - of) / of * 100.0
}

fn sequence(name: &str) -> Sequence {
    name.parse().expect("a published sequence")
}

fn measure(path: &std::path::Path, limits: &Limits) -> Result<Measured, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let sheet = Rulesheet::load(&text).map_err(|found| format!("{} errors", found.len()))?;
    let basic = build_from_rules(&sheet.program, 0, limits).map_err(|error| error.to_string())?;
    let last: Network = Sequence::default().run(&basic);
    let seconds = start.elapsed().as_secs_f64();
    drop(last);
    let counts = Sequence::PUBLISHED.iter().map(|name| sequence(name).run(&basic).len()).collect();
    Ok(Measured { counts, seconds })
}
