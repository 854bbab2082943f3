//! The matches of `grove match`: their numbers, who plays which, what was played, and when to stop.
//!
//! Matches are numbered through all games: every game in turn gets a block of matches in which all
//! assignments of roles come up equally often. A match depends on its game and its number among the
//! matches of its game alone, so that a game is played alike alone and in a suite.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_lab::stats::{Decision, Pairs, Sprt};
use gamegrove_play::matches::{
    ClockRecord, Clocks, Ending, MatchRecord, MatchRules, Tally, add_match, assignments, group,
    points,
};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::{Board, Entrant, StopFlag, referee, seats};

use crate::cli::MatchArgs;
use crate::failure::{Failure, Result};

/// A game of the suite.
pub struct Game {
    pub board: Arc<dyn Board>,
    pub reasoner: Reasoner,
    assignments: Vec<Vec<usize>>,
}

/// All matches of a command.
pub struct Contest<'a> {
    args: &'a MatchArgs,
    pub games: Vec<Game>,
    /// Matches of a game in a row.
    block: usize,
    /// Matches of each game.
    pub runs: usize,
}

impl Game {
    pub fn new(board: Arc<dyn Board>, reasoner: Reasoner, agents: usize) -> Game {
        let assignments = assignments(agents, board.about().roles.len());
        Game { board, reasoner, assignments }
    }

    /// How many ways there are to share the roles.
    pub fn ways(&self) -> usize {
        self.assignments.len()
    }
}

impl<'a> Contest<'a> {
    /// `runs` matches of each game, rounded up so that every assignment comes up equally often
    /// [Sironi 2019, 5.3.2].
    pub fn new(args: &'a MatchArgs, games: Vec<Game>, runs: usize) -> Contest<'a> {
        let block = games.iter().map(Game::ways).fold(1, least_common_multiple);
        Contest { args, games, block, runs: runs.div_ceil(block) * block }
    }

    /// How many matches there are at most.
    pub fn total(&self) -> usize {
        self.runs * self.games.len()
    }

    /// The game of a match and its number among the matches of that game.
    fn place(&self, number: usize) -> (usize, usize) {
        let (block, within) = (number / self.block, number % self.block);
        (block % self.games.len(), block / self.games.len() * self.block + within)
    }

    /// The number of a match, the other way round.
    fn number(&self, game: usize, run: usize) -> usize {
        (run / self.block * self.games.len() + game) * self.block + run % self.block
    }

    /// The agents of the roles of a match.
    pub fn assignment(&self, number: usize) -> &[usize] {
        let (game, run) = self.place(number);
        let ways = &self.games[game].assignments;
        &ways[run % ways.len()]
    }

    fn seed(&self, run: usize) -> u64 {
        Rng::stream(self.args.seed, run as u64).next_u64()
    }

    fn clocks(&self) -> Clocks {
        Clocks {
            start: self.args.start_allowance(),
            ponder: !self.args.no_ponder,
            ..self.args.budget.clocks()
        }
    }

    /// A worker for a thread: a board of each game.
    pub fn worker(&self) -> Vec<Arc<dyn Board>> {
        self.games.iter().map(|game| game.board.another()).collect()
    }

    /// Plays a match. It depends on its number alone, not on what is played beside it.
    pub fn play(&self, worker: &[Arc<dyn Board>], number: usize, stop: &StopFlag) -> MatchRecord {
        let (game, run) = self.place(number);
        let entrants = self.assignment(number).iter();
        let entrants: Vec<Entrant> =
            entrants.map(|&agent| Entrant::new(self.args.agents[agent].clone())).collect();
        let rules = MatchRules {
            clocks: self.clocks(),
            step_limit: self.args.step_limit as usize,
            seed: self.seed(run),
            facts: false,
        };
        let board = &worker[game];
        let mut seats = seats(board, &entrants, rules.seed).expect("the agents were admitted");
        referee(board, &mut seats, &rules, stop)
    }

    /// The numbers of recorded matches; an error if one is not of this contest.
    pub fn recognise(&self, records: &[(usize, MatchRecord)]) -> Result<Vec<usize>> {
        // Matches are recorded nearly in order; those of the last moment may be out of it.
        let runs = (self.runs).min(2 * records.len() + 100_000);
        let seeds: HashMap<u64, usize> = (0..runs).map(|run| (self.seed(run), run)).collect();
        let clocks = ClockRecord::from(self.clocks());
        let number = |record: &MatchRecord| {
            let named = |game: &Game| game.board.about().game == record.game;
            let game = self.games.iter().position(named).ok_or("it is of another game")?;
            let run =
                *seeds.get(&record.seed).ok_or("it has another seed, or a number beyond --runs")?;
            let number = self.number(game, run);
            let agents = self.assignment(number).iter().map(|&agent| &self.args.agents[agent].name);
            if !agents.eq(&record.players) {
                return Err("other agents played it");
            }
            if record.clocks != clocks {
                return Err("it was played with another budget");
            }
            if record.ending == Ending::Stopped {
                return Err("it was not played to its end");
            }
            Ok(number)
        };
        let numbers = records.iter().map(|(line, record)| {
            number(record).map_err(|problem| {
                let file = self.args.record.as_deref().unwrap_or_default();
                Failure::usage(
                    format!("{file}, line {line} is no match of this command: {problem}"),
                    "repeat the command that wrote it, or name another file with --record",
                )
            })
        });
        numbers.collect()
    }
}

fn least_common_multiple(one: usize, other: usize) -> usize {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    one / a * other
}

/// What was played so far.
pub struct Score<'a> {
    contest: &'a Contest<'a>,
    /// For each game, the tallies of the agents.
    pub games: Vec<Vec<Tally>>,
    /// The tallies of the agents over all games.
    pub all: Vec<Tally>,
    /// Matches counted.
    pub done: usize,
    /// Moves that were late, missing or illegal.
    pub offences: usize,
    /// Matches that reached the limit of steps.
    pub unfinished: usize,
    pub sequence: Option<Sequence>,
}

/// A sequential test: it counts whole blocks in order, so that it does not depend on which of the
/// matches that are played side by side ends first.
pub struct Sequence {
    pub test: Sprt,
    pub pairs: Pairs,
    pub decision: Option<Decision>,
    /// Matches of blocks that are not whole yet.
    waiting: BTreeMap<usize, MatchRecord>,
    counted: usize,
}

impl<'a> Score<'a> {
    pub fn new(contest: &'a Contest<'a>) -> Score<'a> {
        let agents = contest.args.agents.len();
        let sequence = contest.args.sprt.map(|test| Sequence {
            test,
            pairs: Pairs::default(),
            decision: None,
            waiting: BTreeMap::new(),
            counted: 0,
        });
        Score {
            contest,
            games: vec![vec![Tally::default(); agents]; contest.games.len()],
            all: vec![Tally::default(); agents],
            done: 0,
            offences: 0,
            unfinished: 0,
            sequence,
        }
    }

    /// Counts a match, once.
    pub fn add(&mut self, number: usize, record: &MatchRecord) {
        let Some(sequence) = &mut self.sequence else { return self.count(number, record) };
        sequence.waiting.insert(number, record.clone());
        let block = self.contest.block;
        loop {
            let Some(sequence) = self.sequence.as_mut() else { return };
            let first = sequence.counted;
            let whole = (first..first + block).all(|one| sequence.waiting.contains_key(&one));
            if !whole || sequence.decision.is_some() {
                return;
            }
            sequence.counted += block;
            let records: Vec<MatchRecord> =
                (first..first + block).filter_map(|one| sequence.waiting.remove(&one)).collect();
            let mut pairs: BTreeMap<u64, f64> = BTreeMap::new();
            for (number, record) in (first..).zip(&records) {
                let (game, run) = self.contest.place(number);
                let ways = &self.contest.games[game].assignments;
                let assignment = &ways[run % ways.len()];
                let worth = points(assignment, &record.goals, 2)[0].unwrap_or_default();
                *pairs.entry(group(ways, run)).or_default() += worth;
                self.count(number, record);
            }
            if let Some(sequence) = self.sequence.as_mut() {
                pairs.into_values().for_each(|points| sequence.pairs.add(points));
                sequence.decision = sequence.test.decision(&sequence.pairs);
            }
        }
    }

    fn count(&mut self, number: usize, record: &MatchRecord) {
        let (game, run) = self.contest.place(number);
        let ways = &self.contest.games[game].assignments;
        let assignment = &ways[run % ways.len()];
        add_match(&mut self.games[game], group(ways, run), assignment, &record.goals);
        // Groups of different games must not be taken for one.
        let of_all = self.contest.number(game, group(ways, run) as usize) as u64;
        add_match(&mut self.all, of_all, assignment, &record.goals);
        self.done += 1;
        self.offences += record.offences.len();
        self.unfinished += usize::from(record.ending == Ending::StepLimit);
    }

    /// Whether nothing more has to be played.
    pub fn decided(&self) -> bool {
        self.sequence.as_ref().is_some_and(|sequence| sequence.decision.is_some())
    }
}

/// The matches that are left to play, in order.
pub struct Left {
    gaps: Vec<usize>,
    first: usize,
}

impl Left {
    pub fn new(there: &BTreeSet<usize>) -> Left {
        let first = there.last().map_or(0, |last| last + 1);
        Left { gaps: (0..first).filter(|number| !there.contains(number)).collect(), first }
    }

    /// How many of `total` matches are left.
    pub fn count(&self, total: usize) -> usize {
        self.gaps.len() + total.saturating_sub(self.first)
    }

    /// The match number `at` of those that are left.
    pub fn number(&self, at: usize) -> usize {
        self.gaps.get(at).copied().unwrap_or_else(|| self.first + at - self.gaps.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_what_is_not_there() {
        let left = Left::new(&[0, 1, 3, 6].into_iter().collect());
        assert_eq!(left.count(10), 6);
        let numbers: Vec<usize> = (0..6).map(|at| left.number(at)).collect();
        assert_eq!(numbers, [2, 4, 5, 7, 8, 9]);
        let all = Left::new(&BTreeSet::new());
        assert_eq!((all.count(3), all.number(2)), (3, 2));
    }

    #[test]
    fn blocks_hold_all_assignments() {
        assert_eq!(least_common_multiple(2, 6), 6);
        assert_eq!(least_common_multiple(6, 14), 42);
        assert_eq!(least_common_multiple(1, 2), 2);
    }
}
