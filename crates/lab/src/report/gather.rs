//! From a plan and its store to a report.

use std::collections::BTreeMap;

use gamegrove_play::matches::{Ending, group, points};

use super::pooled::pool;
use super::verdict::{Pair, compare};
use super::{
    Average, Comparison, Provenance, Report, ReportAgent, ReportCell, ReportRow, Robustness,
    Standing, Verdict,
};
use crate::plan::{Column, Plan, budget_in_words};
use crate::spec::{AgentEntry, GameEntry, Layout, Published, Scoring};
use crate::stats::{
    Estimate, Measured, Performance, Proportion, Result as Met, Sample, Score, formula_one,
    ratings, robustness,
};
use crate::store::{Store, StoreError};
use crate::venue::Row;

/// What is known of one agent in one cell of the table.
#[derive(Clone, Debug, Default)]
struct Tally {
    planned: u64,
    /// What games were worth, from 0 to 1; where speeds are compared, nothing.
    score: Score,
    /// States per second, where speeds are compared.
    rate: Sample,
    wins: u64,
    draws: u64,
    /// What games in which it held a role were worth, by role.
    by_role: Vec<Score>,
    scores: Sample,
    steps: Sample,
    speeds: Sample,
}

/// Games and points of each group of games of one cell.
type Groups = BTreeMap<u64, (u64, f64)>;

impl Tally {
    fn add(&mut self, row: &Row, seat: usize, agents: usize, scoring: Scoring) -> Option<f64> {
        let outcome = &row.outcome;
        let held = || outcome.seats.iter().enumerate().filter(|(_, other)| **other == seat);
        let won = points(&outcome.seats, &outcome.goals, agents)[seat]?;
        let speeds: Sample =
            held().filter_map(|(role, _)| row.cost.speeds.get(role).copied().flatten()).collect();
        let worth = match scoring {
            // A game in which no move had to be searched says nothing about speed.
            Scoring::Speed => {
                self.rate.add(speeds.mean()?);
                None
            }
            Scoring::Win | Scoring::FormulaOne => Some(won),
            Scoring::Goals => {
                let goals: Sample =
                    held().map(|(role, _)| f64::from(outcome.goals[role])).collect();
                Some(goals.mean()? / 100.0)
            }
        };
        self.wins += u64::from(won == 1.0);
        self.draws += u64::from(won > 0.0 && won < 1.0);
        self.steps.add(f64::from(outcome.steps));
        self.by_role.resize(outcome.seats.len().max(self.by_role.len()), Score::default());
        for (role, _) in held() {
            if let Some(worth) = worth {
                self.by_role[role].add(1, worth);
            }
            let goal = f64::from(outcome.goals[role]);
            self.scores.add(outcome.scores.get(role).copied().unwrap_or(goal));
        }
        self.speeds.merge(&speeds);
        worth
    }

    fn merge(&mut self, other: &Tally) {
        self.planned += other.planned;
        self.score.merge(&other.score);
        self.rate.merge(&other.rate);
        self.wins += other.wins;
        self.draws += other.draws;
        self.by_role.resize(self.by_role.len().max(other.by_role.len()), Score::default());
        for (own, other) in self.by_role.iter_mut().zip(&other.by_role) {
            own.merge(other);
        }
        self.scores.merge(&other.scores);
        self.steps.merge(&other.steps);
        self.speeds.merge(&other.speeds);
    }

    /// Games that count.
    fn runs(&self) -> u64 {
        self.score.games + self.rate.count
    }

    /// The cell's value: percent, or states per second.
    fn estimate(&self) -> Option<Estimate> {
        self.score.estimate().or_else(|| self.rate.estimate())
    }

    fn performance(&self) -> Option<Performance> {
        Some(Performance {
            wins: self.score.estimate()?.mean,
            score: self.scores.mean()?,
            steps: self.steps.mean()?,
        })
    }

    /// Our value and the published one, where there are both.
    fn pair(&self, published: Option<Published>, games: u32) -> Option<Pair> {
        Some(Pair {
            ours: Measured::Games(self.score.proportion()?),
            published: published?.measured(games),
            games: self.runs(),
        })
    }

    fn cell(
        &self,
        published: Option<Published>,
        compared: Option<(Verdict, Comparison)>,
        scoring: Scoring,
    ) -> ReportCell {
        let ours = self.estimate();
        let verdict = match scoring {
            Scoring::Speed => Verdict::of_speed(ours, published.as_ref()),
            _ => verdict(ours, compared),
        };
        ReportCell {
            planned: self.planned,
            runs: self.runs(),
            wins: self.wins,
            draws: self.draws,
            losses: self.runs() - self.wins - self.draws,
            by_role: self.by_role.iter().map(Score::estimate).collect(),
            ours,
            published,
            verdict,
            comparison: compared.map(|(_, comparison)| comparison),
            simulations_per_second: self.speeds.mean().filter(|_| scoring != Scoring::Speed),
            steps: self.steps.mean(),
        }
    }
}

/// The tallies of a whole plan.
struct Tallies {
    /// By matchup, game and seat.
    of: Vec<Vec<Vec<Tally>>>,
    done: u64,
    /// Games planned, and those beyond them.
    total: u64,
    offences: u64,
    cut_short: u64,
}

impl Tallies {
    fn read(plan: &Plan, store: &Store) -> Result<Tallies, StoreError> {
        let empty = |matchup: &crate::plan::Matchup| {
            vec![vec![Tally::default(); matchup.agents.len()]; plan.games.len()]
        };
        let of = plan.matchups.iter().map(empty).collect();
        let mut all = Tallies { of, done: 0, total: 0, offences: 0, cut_short: 0 };
        for (index, cell) in plan.cells.iter().enumerate() {
            let seats = &mut all.of[cell.matchup][cell.game];
            let agents = seats.len();
            // More games than planned are more evidence.
            let rows = store.rows(&cell.id, u32::MAX)?;
            let planned = u64::from(cell.runs).max(rows.len() as u64);
            all.total += planned;
            for tally in seats.iter_mut() {
                tally.planned += planned;
            }
            let mut groups = vec![Groups::new(); agents];
            for row in rows {
                let outcome = &row.outcome;
                // A row that somebody else wrote may hold anything.
                let bout = plan.bout(index, row.run);
                if outcome.seats != bout.seats || outcome.goals.len() != bout.seats.len() {
                    continue;
                }
                let group = group(&cell.assignments, row.run as usize);
                for (seat, tally) in seats.iter_mut().enumerate() {
                    if let Some(worth) = tally.add(&row, seat, agents, plan.spec.scoring) {
                        let (games, points) = groups[seat].entry(group).or_default();
                        *games += 1;
                        *points += worth;
                    }
                }
                all.done += 1;
                all.offences += u64::from(outcome.offences);
                all.cut_short += u64::from(outcome.ending != Ending::Terminal);
            }
            for (tally, groups) in seats.iter_mut().zip(groups) {
                groups.values().for_each(|&(games, points)| tally.score.add(games, points));
            }
        }
        Ok(all)
    }

    /// What a column shows of a game.
    fn column(&self, plan: &Plan, column: usize, game: usize) -> Tally {
        let mut tally = Tally::default();
        for &(matchup, seat) in &plan.columns[column].parts {
            tally.merge(&self.of[matchup][game][seat]);
        }
        tally
    }
}

impl Report {
    /// The results of a plan so far.
    pub fn new(plan: &Plan, store: &Store, made: Provenance) -> Result<Report, StoreError> {
        let spec = &plan.spec;
        let tallies = Tallies::read(plan, store)?;
        let columns = 0..plan.columns.len();
        let neutral = match (spec.scoring, spec.layout) {
            (Scoring::Win, Layout::Duels | Layout::RoundRobin) => Some(50.0),
            _ => None,
        };
        let table: Vec<Vec<Tally>> = (0..plan.games.len())
            .map(|game| columns.clone().map(|column| tallies.column(plan, column, game)).collect())
            .collect();
        let pairs: Vec<Vec<Option<Pair>>> = spec
            .games
            .iter()
            .zip(&table)
            .map(|(entry, tallies)| {
                let cells = tallies.iter().enumerate();
                cells.map(|(at, tally)| tally.pair(published(entry, at), spec.runs)).collect()
            })
            .collect();
        let mut compared = compare(&pairs.concat(), neutral, spec.margin).into_iter();
        let rows =
            spec.games.iter().zip(&plan.games).zip(&table).map(|((entry, game), tallies)| {
                let cells = tallies.iter().enumerate().map(|(at, tally)| {
                    let compared = compared.next().flatten();
                    tally.cell(published(entry, at), compared, spec.scoring)
                });
                ReportRow {
                    game: game.name.clone(),
                    label: game.label.clone(),
                    budget: budget_in_words(&game.clocks),
                    source_budget: Some(plan.file_budget(entry))
                        .filter(|of| *of != budget_in_words(&game.clocks)),
                    rules: game.facts.as_ref().map(|facts| facts.fingerprint.clone()),
                    missing: entry.missing.clone(),
                    cells: cells.collect(),
                }
            });
        let rows = rows.collect();
        Ok(Report {
            name: plan.name.clone(),
            title: spec.title.clone(),
            sentence: spec.sentence.clone(),
            source: spec.source.clone(),
            notes: spec.notes.clone(),
            profile: plan.profile.clone(),
            layout: spec.layout,
            scoring: spec.scoring,
            seed: spec.seed,
            reasoner: spec.reasoner.get_ref().clone(),
            hash: plan.hash.clone(),
            neutral,
            margin: spec.margin,
            done: tallies.done,
            total: tallies.total,
            offences: tallies.offences,
            cut_short: tallies.cut_short,
            columns: plan.columns.iter().map(|column| column.label.clone()).collect(),
            opponents: plan.columns.iter().map(|column| opponents(plan, column)).collect(),
            agents: agents(plan),
            source_runs: spec.runs,
            rows,
            average_label: spec.summary.label.clone().unwrap_or_else(|| match spec.scoring {
                Scoring::Speed => "Times the first column".to_owned(),
                _ => "Average".to_owned(),
            }),
            average: match spec.scoring {
                Scoring::Speed => {
                    columns.clone().map(|at| column_speed_up(plan, &table, at)).collect()
                }
                _ => averages(plan, &table, neutral),
            },
            pooled: pool(groups(plan, &pairs), spec.margin),
            robustness: match neutral {
                Some(neutral) => {
                    columns.map(|at| column_robustness(plan, &table, at, neutral)).collect()
                }
                None => Vec::new(),
            },
            standings: standings(plan, &tallies, &table),
            made,
            sessions: store.sessions()?,
        })
    }
}

/// The published cells of the games that were played in a column; `None` unless all have one.
fn published_cells(plan: &Plan, table: &[Vec<Tally>], column: usize) -> Option<Vec<Published>> {
    let played = plan.spec.games.iter().zip(table);
    let played = played.filter(|(_, tallies)| tallies[column].runs() > 0);
    played.map(|(entry, _)| published(entry, column)).collect()
}

fn all_played(table: &[Vec<Tally>], column: usize) -> bool {
    table.iter().all(|tallies| tallies[column].runs() > 0)
}

/// The averages of all columns, compared with the published ones.
fn averages(plan: &Plan, table: &[Vec<Tally>], neutral: Option<f64>) -> Vec<Average> {
    let runs = plan.spec.runs;
    let mut averages = Vec::new();
    let mut pairs = Vec::new();
    for column in 0..plan.columns.len() {
        let means: Vec<Proportion> =
            table.iter().filter_map(|tallies| tallies[column].score.proportion()).collect();
        let ours = Proportion::average(&means);
        let printed = plan.spec.summary.average.get(column).copied().flatten();
        let published = match published_cells(plan, table, column) {
            _ if all_played(table, column) && printed.is_some() => printed.map(|printed| {
                (printed, printed.measured(runs.saturating_mul(means.len() as u32)))
            }),
            Some(cells) if !cells.is_empty() => Some((
                Published::average(&cells),
                Measured::Mean(cells.iter().map(|cell| cell.measured(runs)).collect()),
            )),
            _ => None,
        };
        pairs.push(ours.zip(published.clone()).map(|(ours, (_, published))| Pair {
            ours: Measured::Games(ours),
            published,
            games: table.iter().map(|tallies| tallies[column].runs()).sum(),
        }));
        averages.push(Average {
            ours: ours.map(|ours| ours.estimate()),
            published: published.map(|(printed, _)| printed),
            verdict: Verdict::NotRun,
            comparison: None,
            games: means.len(),
        });
    }
    for (average, compared) in averages.iter_mut().zip(compare(&pairs, neutral, plan.spec.margin)) {
        average.verdict = verdict(average.ours, compared);
        average.comparison = compared.map(|(_, comparison)| comparison);
    }
    averages
}

/// What is said of a value that may have been compared.
fn verdict(ours: Option<Estimate>, compared: Option<(Verdict, Comparison)>) -> Verdict {
    match (ours, compared) {
        (_, Some((verdict, _))) => verdict,
        (Some(_), None) => Verdict::Unpublished,
        (None, None) => Verdict::NotRun,
    }
}

/// The cells that are tested together. Where all meet all, one game is in two columns, so that cells of
/// a game are not independent.
fn groups<'a>(plan: &Plan, pairs: &'a [Vec<Option<Pair>>]) -> Vec<(String, Vec<&'a Pair>)> {
    let mut groups: Vec<(String, Vec<&Pair>)> = Vec::new();
    for (at, column) in plan.columns.iter().enumerate() {
        groups.push((
            column.label.clone(),
            pairs.iter().filter_map(|row| row[at].as_ref()).collect(),
        ));
    }
    if plan.spec.layout != Layout::RoundRobin && plan.columns.len() > 1 {
        for (game, row) in plan.games.iter().zip(pairs) {
            groups.push((game.label.clone(), row.iter().flatten().collect()));
        }
        groups.push(("all cells".to_owned(), pairs.iter().flatten().flatten().collect()));
    }
    groups
}

/// Whom the agent of a column meets.
fn opponents(plan: &Plan, column: &Column) -> String {
    let names = column.parts.iter().flat_map(|&(matchup, seat)| {
        let others = plan.matchups[matchup].agents.iter().enumerate();
        others.filter(move |(at, _)| *at != seat).map(|(_, &agent)| plan.spec.agents[agent].label())
    });
    names.collect::<Vec<_>>().join(", ")
}

/// The agents as they were defined.
fn agents(plan: &Plan) -> Vec<ReportAgent> {
    let of_video_games = plan.games.iter().any(|game| !game.levels.is_empty());
    let agents = plan.spec.agents.iter().zip(&plan.agents);
    let agents = agents.map(|(entry, agent)| ReportAgent {
        label: entry.label().to_owned(),
        definition: agent.part.to_string(),
        in_video_games: agent.video.as_ref().filter(|_| of_video_games).map(ToString::to_string),
        reasoner: entry.reasoner.as_ref().map(|own| own.get_ref().clone()),
        patience: entry.patience,
    });
    agents.collect()
}

/// The published value of a cell.
fn published(entry: &GameEntry, column: usize) -> Option<Published> {
    entry.published.get(column).copied().flatten()
}

/// How many times as fast as another column, the first unless the specification names one, on the average over the games that were played in both
/// [Sironi 2019, 4.3.2]; the published speed-up is over those of them that have one.
fn column_speed_up(plan: &Plan, table: &[Vec<Tally>], column: usize) -> Average {
    let mean = |tally: &Tally| tally.rate.mean();
    let ratio = |one: Option<f64>, first: Option<f64>| Some(one? / first.filter(|f| *f > 0.0)?);
    let (mut ours, mut published) = (Sample::default(), Sample::default());
    let spec = &plan.spec;
    let base = spec.summary.times.get(column).map_or(0, |name| {
        let named = |agent: &AgentEntry| agent.name.get_ref() == name.get_ref();
        spec.agents.iter().position(named).unwrap_or(0)
    });
    for (entry, tallies) in spec.games.iter().zip(table) {
        let Some(our) = ratio(mean(&tallies[column]), mean(&tallies[base])) else { continue };
        ours.add(our);
        let printed = |at: usize| self::published(entry, at).map(|cell| cell.mean);
        if let Some(ratio) = ratio(printed(column), printed(base)) {
            published.add(ratio);
        }
    }
    let games = ours.count as usize;
    let ours = ours.estimate();
    let published = published.mean().map(Published::derived);
    let verdict = Verdict::of_speed(ours, published.as_ref());
    Average { ours, published, verdict, comparison: None, games }
}

fn column_robustness(plan: &Plan, table: &[Vec<Tally>], column: usize, neutral: f64) -> Robustness {
    let played = table.iter().filter_map(|tallies| tallies[column].score.estimate());
    let played: Vec<(f64, f64)> = played.map(|cell| (cell.low, cell.high)).collect();
    let printed = plan.spec.summary.robustness.get(column).copied();
    let published = match published_cells(plan, table, column) {
        _ if all_played(table, column) && printed.is_some() => printed,
        Some(cells) if !cells.is_empty() => {
            let ranges: Option<Vec<(f64, f64)>> = cells
                .iter()
                .map(|cell| Some((cell.mean, cell.half_width?)))
                .map(|cell| cell.map(|(mean, half)| (mean - half, mean + half)))
                .collect();
            ranges.map(|ranges| robustness(ranges, neutral))
        }
        _ => None,
    };
    let ours = (!played.is_empty()).then(|| robustness(played, neutral));
    Robustness { ours, published }
}

/// The agents in order, best first, where that means something.
fn standings(plan: &Plan, tallies: &Tallies, table: &[Vec<Tally>]) -> Vec<Standing> {
    let spec = &plan.spec;
    let agents = plan.agents.len();
    let unranked = spec.layout == Layout::Duels && spec.scoring != Scoring::FormulaOne;
    if unranked || spec.scoring == Scoring::Speed {
        return Vec::new();
    }
    // In the other layouts columns are agents; in duels the ranking is over columns.
    let labels = &plan.columns;
    let points: Vec<Score> = (0..labels.len())
        .map(|column| {
            let mut all = Score::default();
            table.iter().for_each(|row| all.merge(&row[column].score));
            all
        })
        .collect();
    let elo = (spec.layout == Layout::RoundRobin && spec.scoring == Scoring::Win).then(|| {
        let mut results = Vec::new();
        for (matchup, games) in plan.matchups.iter().zip(&tallies.of) {
            for seats in games {
                let score = seats[0].score;
                results.push(Met {
                    one: matchup.agents[0],
                    other: matchup.agents[1],
                    games: score.games as f64,
                    points: score.points,
                });
            }
        }
        ratings(agents, &results)
    });
    let ranked = (spec.scoring == Scoring::FormulaOne).then(|| {
        let mut totals = vec![0.0; labels.len()];
        for row in table {
            let performances: Vec<_> = row.iter().map(Tally::performance).collect();
            for (total, points) in totals.iter_mut().zip(formula_one(&performances)) {
                *total += points;
            }
        }
        totals
    });
    let mut standings: Vec<Standing> = labels
        .iter()
        .enumerate()
        .map(|(at, column)| Standing {
            agent: column.label.clone(),
            points: points[at].estimate(),
            elo: elo.as_ref().map(|ratings| ratings[at]).filter(|_| points[at].games > 0),
            formula_one: ranked.as_ref().map(|totals| totals[at]),
        })
        .collect();
    let key = |standing: &Standing| {
        let points = standing.points.map_or(f64::NEG_INFINITY, |points| points.mean);
        let elo = standing.elo.map(|rating| rating.elo);
        standing.formula_one.or(elo).unwrap_or(points)
    };
    standings.sort_by(|a, b| key(b).total_cmp(&key(a)));
    standings
}
