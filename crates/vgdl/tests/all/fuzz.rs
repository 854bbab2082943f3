//! Runs the body of the fuzz target over known games and damaged forms of them, so that the tests
//! notice when the target no longer works.

#[path = "../../../../fuzz/bodies/vgdl.rs"]
mod body;
use crate::support;

use std::path::{Path, PathBuf};

use gamegrove_game::Rng;
use rayon::prelude::*;

/// Damaged forms of each game.
const DAMAGED: usize = 12;

/// Descriptions with one level each: those that ship, and those of the corpus where there is one.
fn games() -> Vec<(PathBuf, PathBuf)> {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/vgdl");
    let mut games: Vec<(PathBuf, PathBuf)> = std::fs::read_dir(shipped)
        .expect("the folder of games")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .map(|path| (path.join("rules.vgdl"), path.join("level0.txt")))
        .collect();
    if let Some(corpus) = gamegrove_testdata::shared("corpus/vgdl") {
        for description in support::descriptions(&corpus) {
            if let Some(level) = support::levels(&description).into_iter().next() {
                games.push((description, level));
            }
        }
    }
    games.sort();
    games
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn games_and_damaged_games_pass() {
    let games = games();
    assert!(games.len() >= 25);
    let texts: Vec<(Vec<u8>, Vec<u8>)> =
        games.iter().map(|(rules, level)| (read(rules), read(level))).collect();
    texts.par_iter().enumerate().for_each(|(number, (rules, level))| {
        let mut rng = Rng::stream(1, number as u64);
        body::run(&joined(rules, level, &mut rng));
        for _ in 0..DAMAGED {
            let other = &texts[rng.below(texts.len())];
            let mut rules = rules.clone();
            let level = if rng.below(3) == 0 { &other.1 } else { level };
            let mut level = level.clone();
            for _ in 0..=rng.below(6) {
                match rng.below(4) {
                    0 => damage(&mut level, &other.1, &mut rng),
                    _ => damage(&mut rules, &other.0, &mut rng),
                }
            }
            body::run(&joined(&rules, &level, &mut rng));
        }
    });
}

fn joined(rules: &[u8], level: &[u8], rng: &mut Rng) -> Vec<u8> {
    let actions: Vec<u8> = (0..80).map(|_| rng.below(6) as u8).collect();
    [rules, &[0], level, &[0], &actions].concat()
}

/// What fuzzers do to an input: bytes changed, pieces lost, doubled, taken from elsewhere; numbers
/// made extreme.
fn damage(text: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    if text.is_empty() || other.is_empty() {
        return;
    }
    let at = rng.below(text.len());
    match rng.below(7) {
        0 => text[at] = rng.below(256) as u8,
        1 => text[at] = b" \t\n>=,#.-0987w"[rng.below(14)],
        2 => drop(text.drain(at..(at + rng.below(30)).min(text.len()))),
        3 => {
            let piece = text[at..(at + rng.below(60)).min(text.len())].to_vec();
            text.splice(at..at, piece);
        }
        4 | 5 => {
            let lines: Vec<&[u8]> = other.split_inclusive(|&byte| byte == b'\n').collect();
            let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |n| n + 1);
            text.splice(start..start, lines[rng.below(lines.len())].iter().copied());
        }
        _ => {
            let digits = text[at..].iter().position(u8::is_ascii_digit).map(|n| at + n);
            if let Some(digit) = digits {
                let numbers = ["0", "-1", "99999999999", "2147483647", "1e300", "0.0001", "NaN"];
                text.splice(digit..=digit, numbers[rng.below(numbers.len())].bytes());
            }
        }
    }
}

/// Sprites larger than the level, of no size, and far too many of them.
#[test]
fn sizes_without_measure_pass() {
    for size in ["wMult=9999 hMult=9999", "wMult=0", "wMult=-3 hMult=2", "hMult=8.5", "wMult=1e300"]
    {
        let rules = format!(
            "BasicGame\n SpriteSet\n  giant > RandomNPC {size}\n  stone > Missile {size}\n  a > MovingAvatar
 LevelMapping\n  g > giant\n  s > stone\n  A > a\n InteractionSet\n  giant EOS stone > stepBack
  stone giant EOS > reverseDirection\n  a giant > killSprite\n"
        );
        for (width, height) in [(3, 2), (200, 100)] {
            let row: String = "gs ".chars().cycle().take(width).collect();
            let level = format!("A{}\n{}", &row[1..], format!("{row}\n").repeat(height));
            body::run(&joined(rules.as_bytes(), level.as_bytes(), &mut Rng::new(5)));
        }
    }
}
