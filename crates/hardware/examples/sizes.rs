//! Tables 4.1 and 4.2 of [Sironi 2019, 4.3]: component counts, speed and time to set
//! up for the network as built and the eight sequences of passes, thirteen games, beside what was
//! published. Speed is states per second of processor time in random games from the start: of the reasoner
//! that plays, which makes a circuit of the network first, and of an evaluator that computes every
//! component as it stands (that of the emulated hardware). Prints Markdown.
//!
//! `cargo run --release -p gamegrove-hardware --example sizes -- [SECONDS_PER_GAME] [SECONDS_PER_SPEED] [GAME...]`

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use gamegrove_game::{Game, Player, Rng};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_hardware::{Driver, Hardware};
use gamegrove_propnet::{Network, Propnet, Sequence, build_from_rules};
use gamegrove_testdata::shared;

/// Name, path below the public rulesheets, published counts for BasicPN, Opt0, Opt1, Opt2, Opt3,
/// Opt12, Opt102, Opt13 and Opt1023, and published speeds.
const GAMES: [(&str, &str, [u32; 9], [f64; 9]); 13] = [
    (
        "Amazons",
        "amazons/v1/amazons.kif",
        [1497649, 1254742, 741874, 1192364, 1023913, 623460, 623460, 711596, 596240],
        [35.1, 41.4, 32.7, 41.0, 40.2, 38.5, 41.4, 32.3, 41.0],
    ),
    (
        "Battle",
        "battle/battle.kif",
        [51197, 14267, 36863, 14262, 50721, 11084, 11077, 36676, 10902],
        [34957.0, 49666.0, 37877.0, 51257.0, 35276.0, 59308.0, 59697.0, 39981.0, 60419.0],
    ),
    (
        "Breakthrough",
        "breakthrough/breakthrough.kif",
        [10745, 10678, 5933, 10678, 10584, 5900, 5900, 5869, 5836],
        [50557.0, 50932.0, 65518.0, 51357.0, 51058.0, 66943.0, 66551.0, 66833.0, 66991.0],
    ),
    (
        "Chin.Checkers1P",
        "chineseCheckers1/v1/chineseCheckers1.kif",
        [793, 785, 559, 785, 789, 556, 556, 559, 556],
        [
            426_374.0, 427_773.0, 550_230.0, 444_671.0, 424_516.0, 570_858.0, 562_737.0, 541_682.0,
            561_634.0,
        ],
    ),
    (
        "Chin.Checkers2P",
        "chineseCheckers2/v1/chineseCheckers2.kif",
        [1540, 1524, 1179, 1524, 1532, 1172, 1172, 1179, 1172],
        [
            125_581.0, 128_623.0, 189_368.0, 128_910.0, 127_519.0, 194_442.0, 192_048.0, 190_161.0,
            193_752.0,
        ],
    ),
    (
        "Chin.Checkers3P",
        "chineseCheckers3/v1/chineseCheckers3.kif",
        [2411, 2389, 1845, 2236, 2400, 1718, 1718, 1845, 1718],
        [
            155_886.0, 157_242.0, 169_352.0, 161_000.0, 159_267.0, 175_410.0, 176_162.0, 170_722.0,
            176_185.0,
        ],
    ),
    (
        "Chin.Checkers4P",
        "chineseCheckers4/v1/chineseCheckers4.kif",
        [3159, 3119, 2465, 2999, 3133, 2362, 2362, 2465, 2362],
        [
            105_766.0, 106_738.0, 127_886.0, 107_153.0, 105_660.0, 130_362.0, 130_279.0, 129_194.0,
            130_451.0,
        ],
    ),
    (
        "Chin.Checkers6P",
        "chineseCheckers6/v2/chineseCheckers6.kif",
        [4451, 4411, 3473, 4123, 4431, 3238, 3238, 3473, 3238],
        [
            119_650.0, 118_547.0, 126_863.0, 113_700.0, 118_783.0, 127_535.0, 128_111.0, 127_619.0,
            129_000.0,
        ],
    ),
    (
        "Connect Four",
        "connect4/connect4.kif",
        [2164, 2063, 1724, 1291, 2114, 1063, 1063, 1724, 1056],
        [
            110_081.0, 113_484.0, 105_081.0, 112_920.0, 109_672.0, 127_053.0, 126_535.0, 105_978.0,
            129_272.0,
        ],
    ),
    (
        "Othello",
        "othello-comp2007/othello-comp2007.kif",
        [1311988, 274940, 1033197, 274940, 1305515, 208510, 208510, 1031580, 206846],
        [290.0, 1610.0, 235.0, 1604.0, 295.0, 1934.0, 1894.0, 245.0, 1979.0],
    ),
    (
        "Pentago",
        "pentago/v1/pentago.kif",
        [3696, 3706, 1470, 3708, 2111, 1464, 1473, 1338, 1337],
        [76336.0, 76786.0, 116_065.0, 76721.0, 96782.0, 116_353.0, 115_064.0, 117_127.0, 121_108.0],
    ),
    (
        "Skirmish",
        "skirmish/skirmish.kif",
        [126019, 124267, 108171, 124267, 78575, 107296, 107296, 62427, 61552],
        [5887.0, 6022.0, 6780.0, 6230.0, 6151.0, 7075.0, 7042.0, 7403.0, 7600.0],
    ),
    (
        "Tic Tac Toe",
        "ticTacToe/ticTacToe.kif",
        [312, 291, 249, 291, 302, 239, 239, 249, 239],
        [
            223_403.0, 228_056.0, 248_769.0, 234_915.0, 222_952.0, 259_980.0, 257_285.0, 247_246.0,
            257_525.0,
        ],
    ),
];

/// The measurements of a game, one figure for each sequence.
struct Measured {
    counts: Vec<f64>,
    /// Processor time from text to a reasoner that plays, in milliseconds.
    set_up: Vec<f64>,
    speeds: Vec<f64>,
    /// Component by component; nothing for large networks.
    plain: Vec<f64>,
}

/// Larger networks are not computed component by component.
const LARGE: usize = 100_000;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let Some(folder) = shared("corpus/gdl/public") else {
        return ExitCode::FAILURE;
    };
    let mut arguments = std::env::args().skip(1).peekable();
    let mut number =
        || arguments.next_if(|a| a.parse::<f64>().is_ok()).and_then(|a| a.parse::<f64>().ok());
    let (limit, time) = (number().unwrap_or(60.0), number().unwrap_or(0.2));
    let chosen: Vec<String> = arguments.collect();
    let limits =
        Limits { time: Some(Duration::from_secs_f64(limit)), memory: 6 << 30, ..Limits::default() };
    let mut found = Vec::new();
    for (name, path, counts, speeds) in GAMES {
        if !chosen.is_empty() && !chosen.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        eprintln!("{name}");
        match measure(&folder.join(path), &limits, Duration::from_secs_f64(time)) {
            Ok(measured) => found.push((name, measured, counts.map(f64::from), speeds)),
            Err(what) => println!("{name}: {what}"),
        }
    }
    println!("**Components**\n");
    table(found.iter().flat_map(|(name, ours, counts, _)| {
        [((*name).to_owned(), &*ours.counts), (format!("{name}, published"), &counts[..])]
    }));
    println!("\n**States per second**\n");
    table(found.iter().flat_map(|(name, ours, _, speeds)| {
        [
            ((*name).to_owned(), &*ours.speeds),
            (format!("{name}, by component"), &*ours.plain),
            (format!("{name}, published"), &speeds[..]),
        ]
    }));
    println!("\n**Milliseconds of processor time from text to a reasoner that plays**\n");
    table(found.iter().map(|(name, ours, ..)| ((*name).to_owned(), &*ours.set_up)));
    ExitCode::SUCCESS
}

/// Prints rows of figures with their change against the first, and mean changes by what stands behind
/// the comma of the rows' names.
#[expect(clippy::print_stdout, reason = "a program for the terminal")]
fn table<'a>(rows: impl Iterator<Item = (String, &'a [f64])>) {
    print!("| game |");
    Sequence::PUBLISHED.iter().for_each(|name| print!(" {} |", sequence(name)));
    println!("\n|---|{}", "---:|".repeat(9));
    let mut means: Vec<(String, Vec<Vec<f64>>)> = Vec::new();
    for (name, figures) in rows.filter(|(_, figures)| !figures.is_empty()) {
        let kind = name.split_once(", ").map_or("ours", |(_, kind)| kind).to_owned();
        let at = means.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
            means.push((kind, vec![Vec::new(); figures.len()]));
            means.len() - 1
        });
        print!("| {name} |");
        for (&figure, changes) in figures.iter().zip(&mut means[at].1) {
            let change = (figure - figures[0]) / figures[0] * 100.0;
            changes.push(change);
            print!(" {figure:.0} ({change:+.1} %) |");
        }
        println!();
    }
    for (kind, changes) in means {
        print!("| **mean change, {kind}** |");
        for change in changes {
            print!(" {:+.2} % |", change.iter().sum::<f64>() / change.len() as f64);
        }
        println!();
    }
}

fn sequence(name: &str) -> Sequence {
    name.parse().expect("a published sequence")
}

fn measure(path: &std::path::Path, limits: &Limits, time: Duration) -> Result<Measured, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let start = ThreadTime::now();
    let sheet = Rulesheet::load(&text).map_err(|found| format!("{} errors", found.len()))?;
    let basic = build_from_rules(&sheet.program, 0, limits).map_err(|error| error.to_string())?;
    let built = start.elapsed().as_secs_f64();
    let mut found =
        Measured { counts: Vec::new(), set_up: Vec::new(), speeds: Vec::new(), plain: Vec::new() };
    let small = basic.len() < LARGE;
    for name in Sequence::PUBLISHED {
        let start = ThreadTime::now();
        let network = Arc::new(sequence(name).run(&basic));
        let mut game: Propnet = Propnet::new(&network).map_err(|flaw| flaw.to_string())?;
        game.initial_state();
        found.set_up.push((built + start.elapsed().as_secs_f64()) * 1e3);
        found.counts.push(network.len() as f64);
        found.speeds.push(speed(game, time));
        if small {
            found.plain.push(plain_speed(&network, time)?);
        }
    }
    Ok(found)
}

/// The most steps of a random game.
const LONGEST: u32 = 500;

/// States per second of random games: the fastest of three slices.
fn fastest(time: Duration, mut play: impl FnMut() -> u64) -> f64 {
    let mut fastest = 0.0f64;
    for _ in 0..3 {
        let (clock, mut states) = (ThreadTime::now(), 0);
        while clock.elapsed() < time / 3 {
            states += play();
        }
        fastest = fastest.max(states as f64 / clock.elapsed().as_secs_f64());
    }
    fastest
}

fn speed(mut game: Propnet, time: Duration) -> f64 {
    let start = game.initial_state();
    let mut player = Player::new(game);
    let mut rng = Rng::new(1);
    fastest(time, || {
        let played = player.random_game(&start, LONGEST, &mut rng);
        player.goals();
        u64::from(played.steps)
    })
}

fn plain_speed(network: &Network, time: Duration) -> Result<f64, String> {
    let hardware = Hardware::new("", network).map_err(|error| error.to_string())?;
    let mut emulation = hardware.emulation;
    emulation.step_limit = LONGEST;
    let start = emulation.initial_state().map_err(|error| error.to_string())?;
    Ok(fastest(time, || emulation.run(&start, 1).steps))
}
