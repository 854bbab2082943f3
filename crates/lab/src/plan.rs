//! From a specification to the games that have to be played.
//!
//! ```text
//! Spec + profile ─ Plan ─ cells (who meets whom in which game) ─ Bout (one game, with its seed)
//! ```
//!
//! A cell's identity is a hash of everything its games depend on: rules, agents, roles, budget,
//! reasoner, seed. So a row of the store can be used by whatever profile or later version of the file
//! asks for the same game, raising the number of runs keeps what there is, and a changed budget or
//! agent starts anew. What a game is depends on its cell and its number alone.

use gamegrove_agents::{Agent, AgentError};
use gamegrove_game::Rng;
use gamegrove_play::matches::{Allowance, Clocks, assignments};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_settings::{did_you_mean, nearest};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::spec::{Assignment, Budget, GameEntry, Layout, Profile, Scoring, Spec};
use crate::venue::{Facts, Venue};

/// Why there is no plan.
#[derive(Debug, Error)]
pub enum PlanError {
    /// No profile is called that.
    #[error("no profile is called `{name}`; there is {known}")]
    Profile {
        /// What was asked for.
        name: String,
        /// What there is, nearest first.
        known: String,
    },
    /// An agent cannot be made.
    #[error("agent `{name}`: {error}")]
    Agent {
        /// What the file calls it.
        name: String,
        /// Why.
        error: String,
    },
    /// A game cannot be opened.
    #[error("game `{name}`: {problem}")]
    Game {
        /// Its name.
        name: String,
        /// Why.
        problem: String,
    },
    /// The table is too large.
    #[error("{0} games in all; at most {MOST_GAMES} can be planned")]
    TooLarge(u64),
}

/// More games than this are a mistake, and would not fit in memory.
const MOST_GAMES: u64 = 50_000_000;

/// An experiment ready to be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the experiment is called: its file without the extension.
    pub name: String,
    /// The specification.
    pub spec: Spec,
    /// The profile.
    pub profile: String,
    /// The agents, in the order of the specification.
    pub agents: Vec<Agent>,
    /// Who meets whom.
    pub matchups: Vec<Matchup>,
    /// The columns of the table.
    pub columns: Vec<Column>,
    /// The rows of the table.
    pub games: Vec<PlannedGame>,
    /// What has to be played: all cells of a game, game by game.
    pub cells: Vec<Cell>,
    /// A hash of all cells and their numbers of runs.
    pub hash: String,
}

/// Agents that meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matchup {
    /// Which agents.
    pub agents: Vec<usize>,
}

/// A column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub label: String,
    /// Whose points it shows: the matchup, and the agent's place in it.
    pub parts: Vec<(usize, usize)>,
    /// Whether the profile plays it.
    pub chosen: bool,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct PlannedGame {
    /// A shipped game's name, or a path.
    pub name: String,
    /// What the source calls it.
    pub label: String,
    /// What is known of its rules; nothing if it is not played.
    pub facts: Option<Facts>,
    /// What players may spend.
    pub clocks: Clocks,
    /// Its levels; empty for games without.
    pub levels: Vec<u32>,
}

/// A matchup in a game.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Hash of everything its games depend on.
    pub id: String,
    /// Who meets.
    pub matchup: usize,
    /// In which game.
    pub game: usize,
    /// How many games, all assignments equally often.
    pub runs: u32,
    /// Who of the matchup holds each role.
    pub assignments: Vec<Vec<usize>>,
    /// What the seeds of its games are drawn from.
    seed: u64,
}

/// One game to be played.
#[derive(Clone, Debug)]
pub struct Bout<'p> {
    /// The cell's number in the plan.
    pub cell: usize,
    /// The game's number in the cell.
    pub run: u32,
    /// What its random choices depend on.
    pub seed: u64,
    /// The game.
    pub game: &'p PlannedGame,
    /// Who of the matchup holds each role.
    pub seats: &'p [usize],
    /// The agent of each role.
    pub agents: Vec<&'p Agent>,
    /// What answers each role's agent, if not what answers everybody.
    pub reasoners: Vec<Option<&'p str>>,
    /// How many times the budget each role's agent gets.
    pub patience: Vec<u32>,
    /// Of video games: the level.
    pub level: Option<u32>,
    /// Whether speeds are to be those of states, not of simulations.
    pub counts_states: bool,
    /// Steps after which it is given up.
    pub step_limit: usize,
}

impl Cell {
    /// Games that have to be played so that everything came up equally often.
    fn unit(assignments: usize, levels: usize) -> u32 {
        u32::try_from(assignments * levels.max(1)).unwrap_or(u32::MAX)
    }
}

/// Clocks as the store knows them. Written out, so that a game keeps its identity when clocks learn
/// something new.
pub(crate) fn in_words(clocks: &Clocks) -> String {
    let allowance = |allowance: Allowance| match allowance {
        Allowance::Nothing => "nothing".to_owned(),
        Allowance::Simulations(count) => format!("{count} simulations"),
        Allowance::Time(time) => format!("{} ns", time.as_nanos()),
        Allowance::Processor(time) => format!("{} ns of the processor", time.as_nanos()),
    };
    let (start, play) = (allowance(clocks.start), allowance(clocks.play));
    let grace = clocks.grace.as_nanos();
    let ponders = if clocks.ponder { "" } else { ", no pondering" };
    format!("start {start}, play {play}, grace {grace} ns{ponders}")
}

impl Plan {
    /// Plans an experiment. `find` makes agents of what the file calls them, `venue` knows the games.
    pub fn new(
        name: &str,
        spec: Spec,
        profile: &str,
        find: &dyn Fn(&str) -> Result<Agent, String>,
        venue: &dyn Venue,
    ) -> Result<Plan, PlanError> {
        let chosen = choose_profile(&spec, profile)?;
        let agents = spec
            .agents
            .iter()
            .map(|entry| {
                find(entry.agent())
                    .map_err(|error| PlanError::Agent { name: entry.name.get_ref().clone(), error })
            })
            .collect::<Result<Vec<Agent>, PlanError>>()?;
        let (matchups, columns) = table(&spec, &chosen);
        let games = games(&spec, &chosen, venue)?;
        let mut plan = Plan {
            name: name.to_owned(),
            profile: profile.to_owned(),
            agents,
            matchups,
            columns,
            games,
            cells: Vec::new(),
            hash: String::new(),
            spec,
        };
        plan.add_cells(&chosen)?;
        Ok(plan)
    }

    fn add_cells(&mut self, profile: &Profile) -> Result<(), PlanError> {
        let mut all = Sha256::new();
        let mut total = 0;
        let played = |matchup: usize| {
            let in_column = |column: &Column| column.parts.iter().any(|part| part.0 == matchup);
            match self.spec.layout {
                // Both sides of a pair have to be asked for.
                Layout::RoundRobin => {
                    self.columns.iter().filter(|column| in_column(column)).all(|c| c.chosen)
                }
                _ => self.columns.iter().any(|column| column.chosen && in_column(column)),
            }
        };
        for (index, game) in self.games.iter().enumerate() {
            let Some(facts) = &game.facts else { continue };
            let own = profile.of_game(&game.name).and_then(|own| own.runs);
            let runs = own.or(profile.runs).unwrap_or(self.spec.runs);
            for matchup in (0..self.matchups.len()).filter(|&matchup| played(matchup)) {
                let count = self.matchups[matchup].agents.len();
                let assignments = match self.spec.assignment {
                    Assignment::Mixed => assignments(count, facts.roles),
                    Assignment::AsListed => {
                        vec![(0..facts.roles).map(|role| role.min(count - 1)).collect()]
                    }
                };
                let unit = Cell::unit(assignments.len(), game.levels.len());
                let runs = runs.div_ceil(unit).saturating_mul(unit);
                let digest = self.identity(matchup, game, facts);
                all.update(&digest);
                all.update(runs.to_le_bytes());
                total += u64::from(runs);
                let seed = u64::from_le_bytes(std::array::from_fn(|at| digest[31 - at]));
                let id = hex(&digest[..16]);
                self.cells.push(Cell { id, matchup, game: index, runs, assignments, seed });
            }
        }
        if total > MOST_GAMES {
            return Err(PlanError::TooLarge(total));
        }
        self.hash = hex(&all.finalize()[..16]);
        Ok(())
    }

    /// The hash of everything that the games of a cell depend on.
    fn identity(&self, matchup: usize, game: &PlannedGame, facts: &Facts) -> Vec<u8> {
        let mut hash = Sha256::new();
        let mut add = |part: &str| {
            // Lengths keep parts apart that could run into each other.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        add("gamegrove cell, form 1");
        add(&facts.fingerprint);
        add(stored_name(self.spec.reasoner.get_ref()));
        add(&format!("{:?}", self.spec.assignment));
        add(&in_words(&game.clocks));
        add(&format!("{:?}", game.levels));
        add(&self.spec.step_limit.to_string());
        add(&self.spec.seed.to_string());
        // What is kept of such games is another speed.
        if self.spec.scoring == Scoring::Speed {
            add("states per second");
        }
        for &agent in &self.matchups[matchup].agents {
            add(&self.agents[agent].part.to_string());
            // What was played before there was patience keeps its identity.
            if self.patience(agent) != 1 {
                add(&format!("patience {}", self.patience(agent)));
            }
            if let Some(reasoner) = self.reasoner(agent) {
                add(&format!("reasoner {}", stored_name(reasoner)));
            }
            // Only games with levels are video games.
            if let Some(video) =
                self.agents[agent].video.as_ref().filter(|_| !game.levels.is_empty())
            {
                add(&video.to_string());
            }
        }
        hash.finalize().to_vec()
    }

    /// The budget of a game as the file says, whatever the profile, in words.
    pub(crate) fn file_budget(&self, game: &GameEntry) -> String {
        let budget = game.budget.as_ref().unwrap_or(&self.spec.budget);
        budget_in_words(&clocks(budget.get_ref(), game.simulations_per_second))
    }

    /// How many times the budget an agent gets.
    fn patience(&self, agent: usize) -> u32 {
        self.spec.agents[agent].patience
    }

    /// What answers an agent, if not what answers everybody.
    fn reasoner(&self, agent: usize) -> Option<&str> {
        self.spec.agents[agent].reasoner.as_ref().map(|own| own.get_ref().as_str())
    }

    /// The game number `run` of a cell.
    pub fn bout(&self, cell: usize, run: u32) -> Bout<'_> {
        let planned = &self.cells[cell];
        let game = &self.games[planned.game];
        let ways = planned.assignments.len();
        let seats = &planned.assignments[run as usize % ways];
        let matchup = &self.matchups[planned.matchup];
        let level = match game.levels.len() {
            0 => None,
            levels => Some(game.levels[run as usize / ways % levels]),
        };
        Bout {
            cell,
            run,
            seed: Rng::stream(planned.seed, u64::from(run)).next_u64(),
            game,
            seats,
            agents: seats.iter().map(|&seat| &self.agents[matchup.agents[seat]]).collect(),
            reasoners: seats.iter().map(|&seat| self.reasoner(matchup.agents[seat])).collect(),
            patience: seats.iter().map(|&seat| self.patience(matchup.agents[seat])).collect(),
            level,
            counts_states: self.spec.scoring == Scoring::Speed,
            step_limit: self.spec.step_limit as usize,
        }
    }

    /// All games, in the order in which they are played: every cell gets its share early, so that a
    /// part of the experiment already shows the whole table.
    pub fn order(&self) -> Vec<(usize, u32)> {
        let unit = |cell: &Cell| {
            Cell::unit(cell.assignments.len(), self.games[cell.game].levels.len()).min(cell.runs)
        };
        let mut order = Vec::with_capacity(self.total() as usize);
        let mut next = vec![0; self.cells.len()];
        while order.len() < self.total() as usize {
            for (index, cell) in self.cells.iter().enumerate() {
                let end = (next[index] + unit(cell).max(1)).min(cell.runs);
                order.extend((next[index]..end).map(|run| (index, run)));
                next[index] = end;
            }
        }
        order
    }

    /// Games of a cell in which every assignment and level comes up equally often.
    pub(crate) fn unit(&self, cell: usize) -> u32 {
        let cell = &self.cells[cell];
        Cell::unit(cell.assignments.len(), self.games[cell.game].levels.len())
    }

    /// The number of games.
    pub fn total(&self) -> u64 {
        self.cells.iter().map(|cell| u64::from(cell.runs)).sum()
    }

    /// What a cell is about, for people.
    pub fn cell_name(&self, cell: usize) -> String {
        let cell = &self.cells[cell];
        let names = self.matchups[cell.matchup].agents.iter();
        let names: Vec<&str> = names.map(|&agent| self.spec.agents[agent].label()).collect();
        format!("{}: {}", self.games[cell.game].label, names.join(" - "))
    }
}

fn choose_profile(spec: &Spec, name: &str) -> Result<Profile, PlanError> {
    match spec.profiles.get(name) {
        Some(profile) => Ok(profile.clone()),
        None if name == "full" => Ok(Profile::default()),
        None => {
            let names = spec.profile_names();
            let hint = did_you_mean(nearest(name, names.iter().copied()));
            let known = format!("{}{hint}", names.join(", "));
            Err(PlanError::Profile { name: name.to_owned(), known })
        }
    }
}

/// Who meets whom, and what the columns show of it.
fn table(spec: &Spec, profile: &Profile) -> (Vec<Matchup>, Vec<Column>) {
    let chosen = |label: &str| {
        profile.columns.as_ref().is_none_or(|names| names.iter().any(|n| n.get_ref() == label))
    };
    let index = |name: &str| {
        let found = spec.agents.iter().position(|agent| agent.name.get_ref() == name);
        found.unwrap_or_default()
    };
    let column =
        |label: &str, parts| Column { label: label.to_owned(), parts, chosen: chosen(label) };
    match spec.layout {
        Layout::Duels => {
            let mut matchups: Vec<Matchup> = Vec::new();
            let mut columns = Vec::new();
            for entry in &spec.columns {
                let mut agents = vec![index(entry.of.get_ref())];
                agents.extend(entry.against.iter().map(|name| index(name.get_ref())));
                columns.push(column(entry.label.get_ref(), vec![(matchups.len(), 0)]));
                matchups.push(Matchup { agents });
            }
            (matchups, columns)
        }
        Layout::RoundRobin => {
            let mut matchups = Vec::new();
            let mut parts = vec![Vec::new(); spec.agents.len()];
            for one in 0..spec.agents.len() {
                for other in one + 1..spec.agents.len() {
                    parts[one].push((matchups.len(), 0));
                    parts[other].push((matchups.len(), 1));
                    matchups.push(Matchup { agents: vec![one, other] });
                }
            }
            let labelled = spec.agents.iter().zip(parts);
            (matchups, labelled.map(|(agent, parts)| column(agent.label(), parts)).collect())
        }
        Layout::Alone => {
            let all = 0..spec.agents.len();
            let columns = spec.agents.iter().enumerate();
            let columns = columns.map(|(at, agent)| column(agent.label(), vec![(at, 0)])).collect();
            (all.map(|agent| Matchup { agents: vec![agent] }).collect(), columns)
        }
    }
}

fn games(spec: &Spec, profile: &Profile, venue: &dyn Venue) -> Result<Vec<PlannedGame>, PlanError> {
    let chosen = |name: &str| {
        profile.games.as_ref().is_none_or(|names| names.iter().any(|n| n.get_ref() == name))
    };
    let mut games = Vec::new();
    for entry in &spec.games {
        let name = entry.name.get_ref();
        let own = profile.of_game(name).and_then(|own| own.budget.as_ref());
        let budget = own.or(profile.budget.as_ref()).or(entry.budget.as_ref());
        let budget = budget.unwrap_or(&spec.budget);
        let played = entry.missing.is_none() && chosen(name);
        let facts = played
            .then(|| venue.look(name))
            .transpose()
            .map_err(|problem| PlanError::Game { name: name.clone(), problem })?;
        games.push(PlannedGame {
            name: name.clone(),
            label: entry.label().to_owned(),
            facts,
            clocks: clocks(budget.get_ref(), entry.simulations_per_second),
            levels: entry.levels.clone(),
        });
    }
    Ok(games)
}

fn clocks(budget: &Budget, speed: Option<f64>) -> Clocks {
    if let Some(clock) = budget.clock {
        return Clocks::time(budget.start_clock.unwrap_or_default(), clock);
    }
    if let Some(time) = budget.processor {
        return Clocks::processor(time);
    }
    let published = budget.published_seconds.zip(speed).map(|(seconds, speed)| {
        let count = (seconds * speed).round().max(1.0) as u64;
        count.min(budget.at_most.unwrap_or(u64::MAX))
    });
    Clocks::simulations(budget.simulations.or(published).unwrap_or(1))
}

/// What a player may spend on a move, in words.
pub fn budget_in_words(clocks: &Clocks) -> String {
    let words = |allowance: Allowance| match allowance {
        Allowance::Nothing => "nothing".to_owned(),
        Allowance::Simulations(1) => "1 simulation".to_owned(),
        Allowance::Simulations(count) => format!("{count} simulations"),
        Allowance::Time(time) => humantime::format_duration(time).to_string(),
        Allowance::Processor(time) => {
            format!("{} of the processor", humantime::format_duration(time))
        }
    };
    match clocks.start {
        Allowance::Nothing => words(clocks.play),
        start => format!("{} (start {})", words(clocks.play), words(start)),
    }
}

/// The name of a reasoner that identities are made of: another spelling makes no other games.
pub(crate) fn stored_name(reasoner: &str) -> &str {
    reasoner.parse().map_or(reasoner, |known: Reasoner| known.stored_name())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Finds agents by name or one-line spec alone.
pub fn named_agent(text: &str) -> Result<Agent, String> {
    Agent::find(text).map_err(|error: AgentError| error.to_string())
}
