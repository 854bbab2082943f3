//! From a plan and its store to a report.

use gamegrove_play::matches::{Ending, points};

use super::{Average, Provenance, Report, ReportCell, ReportRow, Robustness, Standing, Verdict};
use crate::plan::{Plan, budget_in_words};
use crate::spec::{AgentEntry, Layout, Published, Scoring};
use crate::stats::{Performance, Result as Met, Sample, average, formula_one, ratings, robustness};
use crate::store::{Store, StoreError};
use crate::venue::Row;

/// What is known of one agent in one cell of the table.
#[derive(Clone, Debug, Default)]
struct Tally {
    planned: u64,
    /// In percent, or states per second.
    points: Sample,
    wins: u64,
    draws: u64,
    scores: Sample,
    steps: Sample,
    speeds: Sample,
}

impl Tally {
    fn add(&mut self, row: &Row, seat: usize, agents: usize, scoring: Scoring) {
        let outcome = &row.outcome;
        let held = || outcome.seats.iter().enumerate().filter(|(_, other)| **other == seat);
        let Some(won) = points(&outcome.seats, &outcome.goals, agents)[seat] else { return };
        let speeds: Sample =
            held().filter_map(|(role, _)| row.cost.speeds.get(role).copied().flatten()).collect();
        let worth = match scoring {
            // A game in which nobody had to think says nothing about speed.
            Scoring::Speed => match speeds.estimate() {
                Some(speed) => speed.mean,
                None => return,
            },
            Scoring::Win | Scoring::FormulaOne => 100.0 * won,
            Scoring::Goals => {
                let goals: Sample =
                    held().map(|(role, _)| f64::from(outcome.goals[role])).collect();
                goals.estimate().map_or(0.0, |goals| goals.mean)
            }
        };
        self.points.add(worth);
        self.wins += u64::from(won == 1.0);
        self.draws += u64::from(won > 0.0 && won < 1.0);
        self.steps.add(f64::from(outcome.steps));
        for (role, _) in held() {
            let goal = f64::from(outcome.goals[role]);
            self.scores.add(outcome.scores.get(role).copied().unwrap_or(goal));
        }
        self.speeds.merge(&speeds);
    }

    fn merge(&mut self, other: &Tally) {
        self.planned += other.planned;
        self.points.merge(&other.points);
        self.wins += other.wins;
        self.draws += other.draws;
        self.scores.merge(&other.scores);
        self.steps.merge(&other.steps);
        self.speeds.merge(&other.speeds);
    }

    fn performance(&self) -> Option<Performance> {
        Some(Performance {
            wins: self.points.estimate()?.mean,
            score: self.scores.estimate()?.mean,
            steps: self.steps.estimate()?.mean,
        })
    }

    fn cell(
        &self,
        published: Option<Published>,
        neutral: Option<f64>,
        scoring: Scoring,
    ) -> ReportCell {
        let mean = |sample: &Sample| sample.estimate().map(|estimate| estimate.mean);
        let verdict = match scoring {
            Scoring::Speed => Verdict::of_speed(mean(&self.points), published.as_ref()),
            _ => Verdict::new(&self.points, published.as_ref(), neutral),
        };
        ReportCell {
            planned: self.planned,
            runs: self.points.count,
            wins: self.wins,
            draws: self.draws,
            losses: self.points.count - self.wins - self.draws,
            ours: self.points.estimate(),
            published,
            verdict,
            simulations_per_second: mean(&self.speeds).filter(|_| scoring != Scoring::Speed),
            steps: mean(&self.steps),
        }
    }
}

/// The tallies of a whole plan.
struct Tallies {
    /// By matchup, game and seat.
    of: Vec<Vec<Vec<Tally>>>,
    done: u64,
    offences: u64,
    cut_short: u64,
}

impl Tallies {
    fn read(plan: &Plan, store: &Store) -> Result<Tallies, StoreError> {
        let empty = |matchup: &crate::plan::Matchup| {
            vec![vec![Tally::default(); matchup.agents.len()]; plan.games.len()]
        };
        let of = plan.matchups.iter().map(empty).collect();
        let mut all = Tallies { of, done: 0, offences: 0, cut_short: 0 };
        for (index, cell) in plan.cells.iter().enumerate() {
            let seats = &mut all.of[cell.matchup][cell.game];
            let agents = seats.len();
            for tally in seats.iter_mut() {
                tally.planned += u64::from(cell.runs);
            }
            for row in store.rows(&cell.id, cell.runs)? {
                let outcome = &row.outcome;
                // A row that somebody else wrote may hold anything.
                let bout = plan.bout(index, row.run);
                if outcome.seats != bout.seats || outcome.goals.len() != bout.seats.len() {
                    continue;
                }
                for (seat, tally) in seats.iter_mut().enumerate() {
                    tally.add(&row, seat, agents, plan.spec.scoring);
                }
                all.done += 1;
                all.offences += u64::from(outcome.offences);
                all.cut_short += u64::from(outcome.ending != Ending::Terminal);
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
        let rows =
            spec.games.iter().zip(&plan.games).zip(&table).map(|((entry, game), tallies)| {
                let published = |column: usize| entry.published.get(column).copied().flatten();
                let cells = tallies.iter().enumerate();
                ReportRow {
                    game: game.name.clone(),
                    label: game.label.clone(),
                    budget: budget_in_words(&game.clocks),
                    missing: entry.missing.clone(),
                    cells: cells
                        .map(|(at, tally)| tally.cell(published(at), neutral, spec.scoring))
                        .collect(),
                }
            });
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
            done: tallies.done,
            total: plan.total(),
            offences: tallies.offences,
            cut_short: tallies.cut_short,
            columns: plan.columns.iter().map(|column| column.label.clone()).collect(),
            rows: rows.collect(),
            average_label: spec.summary.label.clone().unwrap_or_else(|| match spec.scoring {
                Scoring::Speed => "Times the first column".to_owned(),
                _ => "Average".to_owned(),
            }),
            average: columns
                .clone()
                .map(|at| match spec.scoring {
                    Scoring::Speed => column_speed_up(plan, &table, at),
                    _ => column_average(plan, &table, at, neutral),
                })
                .collect(),
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
    let played = played.filter(|(_, tallies)| tallies[column].points.count > 0);
    played.map(|(entry, _)| entry.published.get(column).copied().flatten()).collect()
}

fn all_played(table: &[Vec<Tally>], column: usize) -> bool {
    table.iter().all(|tallies| tallies[column].points.count > 0)
}

fn column_average(
    plan: &Plan,
    table: &[Vec<Tally>],
    column: usize,
    neutral: Option<f64>,
) -> Average {
    let samples: Vec<Sample> = table.iter().map(|tallies| tallies[column].points).collect();
    let ours = average(&samples);
    let printed = plan.spec.summary.average.get(column).copied().flatten();
    let published = match published_cells(plan, table, column) {
        _ if all_played(table, column) && printed.is_some() => printed,
        Some(cells) if !cells.is_empty() => {
            let runs = u64::from(plan.spec.runs);
            let samples: Vec<Sample> = cells
                .iter()
                .map(|cell| {
                    Sample::of_published(runs.max(2), cell.mean, cell.half_width.unwrap_or(0.0))
                })
                .collect();
            average(&samples).map(|estimate| {
                let exact = cells.iter().all(|cell| cell.half_width.is_some());
                Published::rounded(estimate.mean, exact.then_some(estimate.half_width))
            })
        }
        _ => None,
    };
    let verdict = match ours {
        None => Verdict::NotRun,
        Some(ours) => Verdict::compare(ours.mean, ours.range(), published.as_ref(), neutral),
    };
    let games = samples.iter().filter(|sample| sample.count > 0).count();
    Average { ours, published, verdict, games }
}

/// How many times as fast as another column, the first unless the specification names one, on the average over the games that were played in both
/// [Sironi 2019, 4.3.2]; the published speed-up is over those of them that have one.
fn column_speed_up(plan: &Plan, table: &[Vec<Tally>], column: usize) -> Average {
    let mean = |tally: &Tally| tally.points.estimate().map(|estimate| estimate.mean);
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
        let printed = |at: usize| entry.published.get(at).copied().flatten().map(|cell| cell.mean);
        if let Some(ratio) = ratio(printed(column), printed(base)) {
            published.add(ratio);
        }
    }
    let games = ours.count as usize;
    let ours = ours.estimate();
    let published = published.estimate().map(|estimate| Published::derived(estimate.mean));
    let verdict = match ours {
        None => Verdict::NotRun,
        Some(ours) => Verdict::compare(ours.mean, ours.range(), published.as_ref(), Some(1.0)),
    };
    Average { ours, published, verdict, games }
}

fn column_robustness(plan: &Plan, table: &[Vec<Tally>], column: usize, neutral: f64) -> Robustness {
    let played: Vec<(f64, f64)> =
        table.iter().filter_map(|tallies| tallies[column].points.careful_range()).collect();
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
    let points: Vec<Sample> = (0..labels.len())
        .map(|column| {
            let mut all = Sample::default();
            table.iter().for_each(|row| all.merge(&row[column].points));
            all
        })
        .collect();
    let elo = (spec.layout == Layout::RoundRobin && spec.scoring == Scoring::Win).then(|| {
        let mut results = Vec::new();
        for (matchup, games) in plan.matchups.iter().zip(&tallies.of) {
            for seats in games {
                let sample = seats[0].points;
                results.push(Met {
                    one: matchup.agents[0],
                    other: matchup.agents[1],
                    games: sample.count as f64,
                    points: sample.sum / 100.0,
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
            elo: elo.as_ref().map(|ratings| ratings[at]).filter(|_| points[at].count > 0),
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
