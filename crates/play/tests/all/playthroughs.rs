//! One whole game of every shipped board game as a text that people can read: facts, legal moves and
//! goals at every step. The network and the prover must write the same text, and it must be the one in
//! `../playthroughs/`. `INSTA_UPDATE=always cargo test -p gamegrove-play --test all playthroughs` writes them
//! anew; a change to a game then shows in review as what it does to play.

use std::fmt::Write;
use std::hash::Hasher;

use gamegrove_game::{Move, Rng, Role};
use gamegrove_play::library::{Kind, games};
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::{Board, Setup, open};

/// The shortest of this many random games is written down.
const TRIES: u64 = 8;
/// More legal moves than this are counted and summed up.
const MOST_MOVES: usize = 30;
const STEP_LIMIT: usize = 500;

#[test]
fn every_board_game_plays_as_written_down() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../playthroughs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for game in games().into_iter().filter(|game| game.kind != Kind::Vgdl) {
        let source = Source::open(game.name).expect("it ships");
        let written = |reasoner, seed| {
            let reasoner = match game.kind {
                Kind::Native => Reasoner::Native,
                _ => reasoner,
            };
            let board = open(&source, &LevelChoice::Number(0), &Setup::new(reasoner));
            write_down(&*board.expect("it can be played"), seed)
        };
        let (seed, text) = written(Reasoner::Propnet, None);
        assert_eq!(
            (seed, &text),
            (seed, &written(Reasoner::Prover, Some(seed)).1),
            "{}",
            game.name
        );
        settings.bind(|| insta::assert_snapshot!(game.name, text));
    }
}

/// Plays the game of a seed, or the shortest of some, and writes it down.
fn write_down(board: &dyn Board, seed: Option<u64>) -> (u64, String) {
    let seeds = seed.map_or(0..TRIES, |seed| seed..seed + 1);
    let played = seeds.map(|seed| {
        let (steps, text) = play(board, seed);
        (steps, seed, text)
    });
    let (_, seed, text) = played.min_by_key(|(steps, ..)| *steps).expect("some were played");
    (seed, text)
}

/// The number of steps of a random game, and the game in words.
fn play(board: &dyn Board, seed: u64) -> (usize, String) {
    let mut rng = Rng::new(seed);
    let mut state = board.start(0);
    let mut before: Vec<String> = Vec::new();
    let mut text = format!("{}, a random game with seed {seed}\n", board.about().game);
    for step in 0..=STEP_LIMIT {
        let now = board.facts(&state);
        let gone = before.iter().filter(|fact| now.binary_search(fact).is_err());
        let come = now.iter().filter(|fact| before.binary_search(fact).is_err());
        let goals = board.goals(&state).expect("no limit is hit");
        let worth: Vec<String> = goals.iter().map(ToString::to_string).collect();
        writeln!(text, "\nstep {step}: goals {}", worth.join(" ")).expect("text grows");
        gone.for_each(|fact| writeln!(text, "  - {fact}").expect("text grows"));
        come.for_each(|fact| writeln!(text, "  + {fact}").expect("text grows"));
        before = now;
        let view = board.view(&state).expect("no limit is hit");
        if view.is_over() {
            text.push_str("the end\n");
            return (step, text);
        }
        let joint: Vec<Move> = Role::all(view.roles())
            .map(|role| {
                let legal = view.legal(role).iter();
                let mut named: Vec<_> =
                    legal.map(|&mov| (board.move_name(role, mov), mov)).collect();
                // Reasoners number moves as they like.
                named.sort();
                let (played, mov) = &named[rng.below(named.len())];
                let role = &board.about().roles[role.index()];
                writeln!(text, "  {role} may {}", list(&named)).expect("text grows");
                writeln!(text, "  {role} plays {played}").expect("text grows");
                *mov
            })
            .collect();
        state = board.next(&state, &joint).expect("no limit is hit");
    }
    text.push_str("given up\n");
    (usize::MAX, text)
}

fn list(named: &[(String, Move)]) -> String {
    let mut names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    if names.len() <= MOST_MOVES {
        return names.join(" · ");
    }
    let mut sum = Checksum(0xcbf2_9ce4_8422_2325);
    names.iter().for_each(|name| sum.write(name.as_bytes()));
    let rest = names.len() - MOST_MOVES;
    names.truncate(MOST_MOVES);
    format!("{} and {rest} more, checksum {:016x}", names.join(" · "), sum.finish())
}

/// FNV-1a: the same on every machine and in every version.
struct Checksum(u64);

impl Hasher for Checksum {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
