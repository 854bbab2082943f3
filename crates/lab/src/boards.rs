//! The games that crate `play` opens, as places of experiments.
//!
//! Levels of video games are played in real time: a match's level says where, its clocks say what a tick
//! may cost. Late answers count all the same, as in the sources' experiments [van Eeden 2015, 2.1], and
//! time is the processor time of the thread that plays, so that games side by side do not take it from
//! each other.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use gamegrove_agents::Agent;
use gamegrove_gdl::Reading;
use gamegrove_play::library::Kind;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::realtime::RealTimeRecord;
use gamegrove_play::matches::{Ending, MatchRecord, MatchRules};
use gamegrove_play::reasoner::{Reasoner, prover};
use gamegrove_play::{
    Board, Entrant, Fixture, Played as Record, Problem, Rules, Setup, StopFlag, open_rules, video,
};
use sha2::{Digest, Sha256};

use crate::plan::{Bout, hex};
use crate::venue::{Cost, Facts, Outcome, Played, Venue};

/// Shipped games by name, and rulesheets and descriptions by path. A game is made ready when it is needed
/// first, and shared by all threads.
#[derive(Default)]
pub struct Boards {
    ready: Mutex<HashMap<(String, String), Shared>>,
}

/// The boards of a game and a reasoner: one, or one for each level; or why there are none.
type Shared = Arc<OnceLock<Result<Vec<Arc<dyn Board>>, String>>>;

impl std::fmt::Debug for Boards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Boards").finish_non_exhaustive()
    }
}

impl Venue for Boards {
    fn look(&self, game: &str) -> Result<Facts, String> {
        let source = Source::open(game).map_err(in_words)?;
        // The text as it stands: a comment that changes costs a new run, a rule that changes must.
        let mut hash = Sha256::new_with_prefix(&source.text);
        let roles = if source.kind == Kind::Vgdl {
            let levels = levels(&source)?;
            for number in source.level_numbers() {
                let level = source.level(&LevelChoice::Number(number)).map_err(in_words)?;
                hash.update((level.text.len() as u64).to_le_bytes());
                hash.update(&level.text);
            }
            levels[0].about().roles.len()
        } else {
            match source.rules(Reading::Logical).map_err(in_words)? {
                Rules::Sheet(sheet) => {
                    let prover = prover(&source.name, &sheet).map_err(in_words)?;
                    gamegrove_game::Game::role_count(&prover)
                }
                Rules::Native(game) => {
                    // The settings behind the name are rules too.
                    hash.update(source.settings());
                    gamegrove_game::Game::role_count(&*game)
                }
            }
        };
        Ok(Facts { roles, fingerprint: hex(&hash.finalize()) })
    }

    fn admit(&self, game: &str, reasoner: &str, agents: &[&Agent]) -> Result<(), String> {
        let board = Arc::clone(&self.boards(game, reasoner)?[0]);
        agents
            .iter()
            .try_for_each(|agent| board.admit(agent).map(|_| ()).map_err(|error| error.to_string()))
    }

    fn play(&self, reasoner: &str, bout: &Bout<'_>) -> Result<Played, String> {
        let game = bout.game.name.as_str();
        let boards = self.boards(game, reasoner)?;
        // A worker of its own: matches on other threads do not wait for this one.
        let board = place(&boards, bout.level)?.another();
        let in_turns = board.about().real_time.is_none();
        let own = bout.reasoners.iter().copied().chain(std::iter::repeat(None));
        let entrants = bout.agents.iter().zip(own).zip(&bout.patience);
        let entrants: Result<Vec<Entrant>, String> = entrants
            .map(|((&agent, reasoner), &factor)| {
                // A video game plays itself, whatever the agent asks for.
                let own = reasoner.filter(|_| in_turns);
                let own = own.map(|reasoner| self.boards(game, reasoner)).transpose()?;
                let board = own.map(|own| place(&own, bout.level)).transpose()?;
                let board = board.map(|board| board.another());
                Ok(Entrant { factor, board, ..Entrant::new(agent.clone()) })
            })
            .collect();
        let seed = match board.about().real_time {
            // The framework's generator has 48 bits.
            Some(_) => bout.seed >> 16,
            None => bout.seed,
        };
        let (clocks, step_limit) = (bout.game.clocks, bout.step_limit);
        let rules = MatchRules { clocks, step_limit, seed, facts: false };
        let fixture = Fixture { entrants: entrants?, rules, real_time: None };
        let start = Instant::now();
        let mut played = None;
        board.play_matches(&[fixture], &StopFlag::default(), &mut |_, record| {
            played = Some(record);
        });
        let record =
            played.ok_or("the match was not played")?.map_err(|error| error.to_string())?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(match record {
            Record::Board(record) => of_board(record, bout, seconds),
            Record::Video(record) => of_level(record, bout, seconds),
        })
    }
}

impl Boards {
    /// The boards of a game with the reasoner called that; made by the first thread that asks.
    fn boards(&self, game: &str, reasoner: &str) -> Result<Vec<Arc<dyn Board>>, String> {
        let key = (game.to_owned(), reasoner.to_owned());
        let shared = {
            let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(ready.entry(key).or_default())
        };
        shared.get_or_init(|| make_ready(game, reasoner)).clone()
    }
}

fn make_ready(game: &str, reasoner: &str) -> Result<Vec<Arc<dyn Board>>, String> {
    let source = Source::open(game).map_err(in_words)?;
    if source.kind == Kind::Vgdl {
        return levels(&source);
    }
    let rules = source.rules(Reading::Logical).map_err(in_words)?;
    let asked: Reasoner = reasoner.parse()?;
    let setup = Setup::new(rules.reasoner(asked));
    Ok(vec![open_rules(&source, rules, &setup).map_err(in_words)?])
}

/// All levels of a video game.
fn levels(source: &Source) -> Result<Vec<Arc<dyn Board>>, String> {
    let numbers = source.level_numbers();
    if numbers.is_empty() {
        return Err(format!("{} comes without levels; put them beside it", source.name));
    }
    let load = |number| video::load(source, &LevelChoice::Number(number)).map_err(in_words);
    numbers.into_iter().map(|number| load(number).map(gamegrove_play::open_level)).collect()
}

/// The board of a level, or the only one.
fn place(boards: &[Arc<dyn Board>], level: Option<u32>) -> Result<Arc<dyn Board>, String> {
    if boards[0].about().real_time.is_none() {
        return Ok(Arc::clone(&boards[0]));
    }
    let number = level.ok_or("a video game needs `levels`, such as [0, 1, 2, 3, 4]")? as usize;
    let found = boards.get(number).cloned();
    found.ok_or_else(|| format!("there is no level {number}; there are {}", boards.len()))
}

pub(crate) fn in_words(problem: Problem) -> String {
    match problem.help() {
        "" => problem.to_string(),
        help => format!("{problem}; {help}"),
    }
}

fn of_board(record: MatchRecord, bout: &Bout<'_>, seconds: f64) -> Played {
    let speeds = (0..record.roles.len()).map(|role| speed(&record, role, bout.counts_states));
    let speeds = speeds.collect();
    Played {
        outcome: Outcome {
            seed: bout.seed,
            seats: bout.seats.to_vec(),
            goals: record.goals,
            scores: Vec::new(),
            steps: u32::try_from(record.steps.len()).unwrap_or(u32::MAX),
            ending: record.ending,
            offences: u32::try_from(record.offences.len()).unwrap_or(u32::MAX),
        },
        cost: Cost { seconds, speeds },
    }
}

/// Speeds of video games are iterations a tick: that is what the sources print.
fn of_level(record: RealTimeRecord, bout: &Bout<'_>, seconds: f64) -> Played {
    let goal = |won: &Option<bool>| if *won == Some(true) { 100.0 } else { 0.0 };
    Played {
        outcome: Outcome {
            seed: bout.seed,
            seats: bout.seats.to_vec(),
            goals: record.won.iter().map(goal).collect(),
            scores: record.scores,
            steps: record.ticks,
            ending: match record.ending {
                // Stores know no other word for a game that every player has left.
                Ending::Stopped | Ending::Disqualified => Ending::Terminal,
                other => other,
            },
            offences: record.late.iter().sum(),
        },
        cost: Cost { seconds, speeds: record.iterations },
    }
}

/// The median over a role's moves of its simulations per second [Sironi 2019, 5.3.2], or of
/// its states per second [Sironi 2019, 4.3.1].
fn speed(record: &MatchRecord, role: usize, of_states: bool) -> Option<f64> {
    let searches = record.steps.iter().filter_map(|step| step.searches.get(role)?.as_ref());
    let mut speeds: Vec<f64> = searches
        .filter(|search| search.simulations > 0)
        .map(|search| match of_states {
            true => search.states_per_second,
            false => search.simulations_per_second,
        })
        .collect();
    speeds.sort_by(f64::total_cmp);
    let middle = speeds.len() / 2;
    match speeds.len() {
        0 => None,
        count if count % 2 == 1 => Some(speeds[middle]),
        _ => Some((speeds[middle - 1] + speeds[middle]) / 2.0),
    }
}
