//! Every public rulesheet: loads, or is refused for a good reason; what loads can be played.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use gamegrove_game::{Ending, Game, Player, Rng};
use gamegrove_gdl::{Code, Prover, Rulesheet};
use gamegrove_testdata::{files_below, shared};

const GAMES: u32 = 20;
/// No public game is this long.
const STEP_LIMIT: u32 = 2_000;

/// The only rulesheet that has no meaning: its `terminal` asks what the players are doing.
const REFUSED: (&str, Code) = ("stanford/firesheep.kif", Code::DoesDependent);

fn play(text: &[u8]) -> Result<u32, String> {
    let sheet = Rulesheet::load(text).map_err(|found| format!("refused: {found:?}"))?;
    let prover = Prover::new(&sheet.program).map_err(|error| error.to_string())?;
    let mut player = Player::new(prover);
    let start = player.game.initial_state();
    let mut rng = Rng::new(7);
    let mut steps = 0;
    for game in 0..GAMES {
        let played = player.random_game(&start, STEP_LIMIT, &mut rng);
        if let Some(fault) = player.game.take_fault() {
            return Err(format!("game {game}: {fault}"));
        }
        if played.ending != Ending::Terminal {
            return Err(format!("game {game} ends with {played:?}"));
        }
        steps += played.steps;
    }
    Ok(steps)
}

#[test]
fn every_public_rulesheet_is_played_or_rightly_refused() {
    let Some(corpus) = shared("corpus/gdl") else { return };
    let files = files_below(&corpus, "kif");
    assert!(files.len() >= 349, "only {} rulesheets", files.len());
    let (turn, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = files.get(turn.fetch_add(1, Ordering::Relaxed)) {
                    let text = std::fs::read(path).expect("a readable rulesheet");
                    if path.ends_with(REFUSED.0) {
                        let found = Rulesheet::load(&text).expect_err("it is refused");
                        let errors: Vec<_> = found.iter().filter(|d| d.is_error()).collect();
                        assert!(errors.iter().all(|d| d.code == REFUSED.1), "{errors:?}");
                    } else if let Err(what) = play(&text) {
                        let found = format!("{}: {what:.300}", path.display());
                        wrong.lock().expect("no thread panics").push(found);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
