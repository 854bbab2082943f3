//! Video games as a venue: the levels of a game that crate `play` opens, played in real time.
//!
//! A bout's level says where; its clocks say what a tick may cost. Late answers count all the same,
//! as in the sources' experiments (video-games, sections 2.1 and 11.2), and time is the processor time
//! of the thread that plays, so that games side by side do not take it from each other.

use std::sync::Arc;
use std::time::Instant;

use gamegrove_agents::Agent;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::Ending;
use gamegrove_play::matches::realtime::{Ended, RealTimeRecord};
use gamegrove_play::realtime;
use gamegrove_play::video::{self, Video};
use sha2::{Digest, Sha256};

use crate::boards::in_words;
use crate::plan::{Bout, hex};
use crate::venue::{Cost, Facts, Outcome, Played, Stage};

/// What is known of a video game: the fingerprint covers rules and levels.
pub(crate) fn look(source: &Source) -> Result<Facts, String> {
    let levels = levels(source)?;
    let mut hash = Sha256::new();
    hash.update(&source.text);
    for number in source.level_numbers() {
        let level = source.level(&LevelChoice::Number(number)).map_err(in_words)?;
        hash.update((level.text.len() as u64).to_le_bytes());
        hash.update(&level.text);
    }
    Ok(Facts { roles: levels[0].world.rules.players, fingerprint: hex(&hash.finalize()) })
}

/// Makes a video game ready.
pub(crate) fn open(source: &Source) -> Result<Box<dyn Stage>, String> {
    Ok(Box::new(Arcade { levels: Arc::new(levels(source)?) }))
}

fn levels(source: &Source) -> Result<Vec<Video>, String> {
    let numbers = source.level_numbers();
    if numbers.is_empty() {
        return Err(format!("{} comes without levels; put them beside it", source.name));
    }
    let load = |number| video::load(source, &LevelChoice::Number(number)).map_err(in_words);
    numbers.into_iter().map(load).collect()
}

/// The levels of a game.
struct Arcade {
    levels: Arc<Vec<Video>>,
}

impl Stage for Arcade {
    fn admit(&self, agent: &Agent) -> Result<(), String> {
        realtime::admit(&self.levels[0], agent).map_err(|error| error.to_string())
    }

    fn play(&mut self, bout: &Bout<'_>) -> Result<Played, String> {
        let number =
            bout.level.ok_or("a video game needs `levels`, such as [0, 1, 2, 3, 4]")? as usize;
        let level = self.levels.get(number).ok_or_else(|| {
            format!("there is no level {number}; there are {}", self.levels.len())
        })?;
        let rules = realtime::rules(&bout.game.clocks, bout.step_limit);
        let start = Instant::now();
        // The framework's generator has 48 bits.
        let record = realtime::play(level, &bout.agents, &rules, bout.seed >> 16, &mut |_, _| true)
            .map_err(|error| error.to_string())?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Played { outcome: outcome(&record, bout), cost: cost(&record, seconds) })
    }

    fn another(&self) -> Box<dyn Stage> {
        Box::new(Arcade { levels: self.levels.clone() })
    }
}

fn outcome(record: &RealTimeRecord, bout: &Bout<'_>) -> Outcome {
    Outcome {
        seed: bout.seed,
        seats: bout.seats.to_vec(),
        goals: record.won.iter().map(|won| if *won == Some(true) { 100.0 } else { 0.0 }).collect(),
        scores: record.scores.clone(),
        steps: record.ticks,
        ending: match record.ending {
            Ended::Terminal | Ended::Left | Ended::Disqualified => Ending::Terminal,
            Ended::TickLimit => Ending::StepLimit,
            Ended::Fault => Ending::Fault,
        },
        offences: record.late.iter().sum(),
    }
}

/// Speeds of video games are iterations a tick: that is what the sources print.
fn cost(record: &RealTimeRecord, seconds: f64) -> Cost {
    Cost { seconds, speeds: record.iterations.clone() }
}
