//! The venue of the games that crate `play` can open: board games, played at its tables;
//! video games are in `videos`.

use std::time::Instant;

use gamegrove_agents::Agent;
use gamegrove_game::Game;
use gamegrove_gdl::Reading;
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::matches::{Chair, MatchRecord, MatchRules, Table};
use gamegrove_play::reasoner::prover;
use gamegrove_play::{Problem, Rules, table};
use sha2::{Digest, Sha256};

use crate::plan::{Bout, hex};
use crate::venue::{Cost, Facts, Outcome, Played, Stage, Venue};
use crate::videos;

/// Shipped games by name, and rulesheets and descriptions by path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Boards;

impl Venue for Boards {
    fn look(&self, game: &str) -> Result<Facts, String> {
        if let Some(source) = video_game(game)? {
            return videos::look(&source);
        }
        let (source, rules) = open(game)?;
        // The text as it stands: a comment that changes costs a new run, a rule that changes must.
        let mut fingerprint = Sha256::new_with_prefix(&source.text);
        let roles = match &rules {
            Rules::Sheet(sheet) => prover(&source.name, sheet).map_err(in_words)?.role_count(),
            Rules::Octagon(game) => {
                // The settings behind the name are rules too.
                fingerprint.update(source.settings());
                game.role_count()
            }
        };
        Ok(Facts { roles, fingerprint: hex(&fingerprint.finalize()) })
    }

    fn open(&self, game: &str, reasoner: &str) -> Result<Box<dyn Stage>, String> {
        if let Some(source) = video_game(game)? {
            return videos::open(&source);
        }
        let board =
            Board { game: game.to_owned(), table: lay(game, reasoner)?, others: Vec::new() };
        Ok(Box::new(board))
    }
}

/// A table of a game with the reasoner called that.
fn lay(game: &str, reasoner: &str) -> Result<Box<dyn Table>, String> {
    let (source, rules) = open(game)?;
    let reasoner = rules.reasoner(reasoner.parse()?);
    let (table, _) = table(&source.name, &rules, reasoner).map_err(in_words)?;
    Ok(table)
}

/// The game, if it is a video game.
fn video_game(game: &str) -> Result<Option<Source>, String> {
    let source = Source::open(game).map_err(in_words)?;
    Ok(Some(source).filter(|source| source.kind == Kind::Vgdl))
}

fn open(game: &str) -> Result<(Source, Rules), String> {
    let source = Source::open(game).map_err(in_words)?;
    let rules = source.rules(Reading::Logical).map_err(in_words)?;
    Ok((source, rules))
}

pub(crate) fn in_words(problem: Problem) -> String {
    match problem.help() {
        "" => problem.to_string(),
        help => format!("{problem}; {help}"),
    }
}

/// A table as a stage.
struct Board {
    game: String,
    table: Box<dyn Table>,
    /// Tables of agents that have a reasoner of their own, by its name; each is made when it is needed.
    others: Vec<(String, Box<dyn Table>)>,
}

impl Board {
    fn make_ready(&mut self, reasoners: &[Option<&str>]) -> Result<(), String> {
        for &reasoner in reasoners.iter().flatten() {
            if self.others.iter().all(|(known, _)| known != reasoner) {
                self.others.push((reasoner.to_owned(), lay(&self.game, reasoner)?));
            }
        }
        Ok(())
    }
}

impl Stage for Board {
    fn admit(&self, agent: &Agent) -> Result<(), String> {
        self.table.admit(agent).map_err(|error| error.to_string())
    }

    fn play(&mut self, bout: &Bout<'_>) -> Result<Played, String> {
        let rules = MatchRules {
            clocks: bout.game.clocks,
            step_limit: bout.step_limit,
            seed: bout.seed,
            facts: false,
        };
        self.make_ready(&bout.reasoners)?;
        let Board { table, others, .. } = self;
        let own = |reasoner: Option<&str>| {
            let found = others.iter().find(|(known, _)| Some(known.as_str()) == reasoner);
            found.map(|(_, table)| &**table)
        };
        let reasoners = bout.reasoners.iter().copied().chain(std::iter::repeat(None));
        let seats = bout.agents.iter().zip(reasoners);
        let seats: Vec<Chair<'_>> =
            seats.map(|(agent, reasoner)| Chair { agent, at: own(reasoner) }).collect();
        let start = Instant::now();
        let record =
            table.play_seated(&seats, &bout.patience, &rules).map_err(|error| error.to_string())?;
        let seconds = start.elapsed().as_secs_f64();
        let speeds = (0..record.roles.len()).map(|role| speed(&record, role, bout.counts_states));
        let speeds = speeds.collect();
        Ok(Played {
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
        })
    }

    fn another(&self) -> Box<dyn Stage> {
        let others = self.others.iter().map(|(name, table)| (name.clone(), table.another()));
        Box::new(Board {
            game: self.game.clone(),
            table: self.table.another(),
            others: others.collect(),
        })
    }
}

/// The median over a role's moves of its simulations per second (search-and-ggp, section 11.1), or of
/// its states per second (propnets, section 9.1).
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
