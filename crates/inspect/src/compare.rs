//! Whether two rulesheets are the same game.
//!
//! Three ways to find out that they are not: the trees of all games to the depth that the budget allows
//! (exact, [`crate::fingerprint`]), random games of one followed step by step in the other (exact on
//! their way, [`crate::follow`]), and what random games are like all the way to their end (a sample:
//! how long they are, how many moves there are, what they are worth). Roles are matched in order.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gamegrove_game::{Describe, Ending, Fault, Player, Rng, Role};
use gamegrove_gdl::{Limits, Prover, Rulesheet};
use gamegrove_propnet::{Forward, Propnet, Sequence, build_from_rules};
use serde::Serialize;

use crate::Result;
use crate::fingerprint::{Budget, DEEPEST, Fingerprint, Prints};
use crate::follow::{Effort, Followed, Stray, follow};
use gamegrove_play::Problem;
use gamegrove_play::reasoner::prover;

/// Random games are given up after so many steps.
const LONGEST: u32 = 2_000;

/// States of each game looked at to follow random games where no time is given.
const LOOKS: u64 = 20_000;

/// How closely to look.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// Joint moves made for the tree of each depth.
    pub steps: u64,
    /// Time for the trees of each of the two games, and for following.
    pub time: Option<Duration>,
    /// Random games of each.
    pub games: u32,
    /// The settings of the comparison.
    pub seed: u64,
}

/// The findings.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Trees to this depth are equal.
    pub equal_depth: u32,
    /// Joint-move paths to that depth.
    pub equal_paths: u64,
    /// Whether the trees end there: then the games are equal, without doubt.
    pub whole: bool,
    /// Whether the goals of states before the end are equal too, to that depth and along the games
    /// followed.
    pub running_goals_equal: bool,
    /// The first depth at which the trees differ.
    pub different_depth: Option<u32>,
    /// Where goals before the end differ along the games followed, if nothing else does.
    pub running_goals_stray: Option<Stray>,
    /// Random games of the first, followed in the second.
    pub followed: Followed,
    /// The random games, measure by measure.
    pub measures: Vec<Measure>,
    /// Random games of each.
    pub games: u32,
}

/// One measure of random games, in both games.
#[derive(Clone, Debug, Serialize)]
pub struct Measure {
    /// The measured quantity.
    pub name: String,
    /// Its mean in the first and the second game.
    pub means: [f64; 2],
    /// The largest difference of the two distributions (Kolmogorov and Smirnov).
    pub distance: f64,
    /// A larger one would come by chance once in a million comparisons of equal games at most.
    pub limit: f64,
}

impl Measure {
    /// Whether the distributions are surely not the same.
    pub fn differs(&self) -> bool {
        self.distance > self.limit
    }
}

impl Comparison {
    /// Whether nothing tells the games apart, goals before the end left aside.
    pub fn equal(&self) -> bool {
        self.different_depth.is_none()
            && self.followed.stray.is_none()
            && !self.measures.iter().any(Measure::differs)
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let running = match self.running_goals_equal {
            true => "goals before the end equal",
            false => "goals before the end differ",
        };
        match (self.different_depth, self.whole) {
            (Some(depth), _) => write!(f, "trees differ at depth {depth}")?,
            (None, true) => write!(f, "trees equal to their end at depth {}", self.equal_depth)?,
            (None, false) => {
                write!(
                    f,
                    "trees equal to depth {} ({} paths)",
                    self.equal_depth, self.equal_paths
                )?;
            }
        }
        let Followed { games, finished, steps, stray } = self.followed;
        write!(f, ", {running}; ")?;
        match stray {
            None => write!(f, "{steps} steps of {games} games followed, {finished} to the end; ")?,
            Some(stray) => {
                write!(f, "step {} of game {} has no counterpart; ", stray.step, stray.game)?;
            }
        }
        write!(f, "{} random games each", self.games)?;
        match self.measures.iter().find(|measure| measure.differs()) {
            None => write!(f, " equal"),
            Some(Measure { name, means: [one, other], .. }) => {
                write!(f, " differ in {name}: {one:.2} and {other:.2} on average")
            }
        }
    }
}

/// Compares two games by their names and rules.
pub fn compare(
    one: (&str, &Rulesheet),
    other: (&str, &Rulesheet),
    care: Care,
) -> Result<Comparison> {
    let look_at = |(name, rules): (&str, &Rulesheet), seed| {
        let care = Care { seed, ..care };
        let looks = match Fastest::of(name, rules)? {
            Fastest::Network(game) => look(game, care),
            Fastest::Prover(game) => look(game, care),
        };
        looks.map_err(|fault| {
            Problem::broken(format!("{name} could not be worked out: {fault}"), "")
        })
    };
    let (first, second) = (look_at(one, care.seed)?, look_at(other, care.seed.wrapping_add(1))?);
    if first.roles != second.roles {
        let (a, b) = (first.roles, second.roles);
        let message = format!("{} has {a} roles, {} has {b}", one.0, other.0);
        return Err(Problem::usage(message, "games with different roles are different games"));
    }
    let mut found = judge(&first, &second, care.games);
    drop((first, second));
    let followed = |running_goals| {
        let effort = Effort {
            games: care.games,
            looks: care.time.map_or(LOOKS, |_| u64::MAX),
            until: None,
            seed: care.seed,
            running_goals,
        };
        let found = match Fastest::of(one.0, one.1)? {
            Fastest::Network(leader) => follow_in(leader, other, effort, care.time)?,
            Fastest::Prover(leader) => follow_in(leader, other, effort, care.time)?,
        };
        found.map_err(|fault| {
            Problem::broken(format!("{} could not be followed: {fault}", one.0), "")
        })
    };
    found.followed = followed(found.running_goals_equal)?;
    if found.followed.stray.is_some() && found.running_goals_equal {
        let without = followed(false)?;
        if without.stray.is_none() {
            found.running_goals_stray = found.followed.stray;
            (found.running_goals_equal, found.followed) = (false, without);
        }
    }
    Ok(found)
}

/// The fastest reasoner that can be set up for a game.
enum Fastest {
    Network(Propnet<Forward>),
    Prover(Prover),
}

impl Fastest {
    fn of(name: &str, rules: &Rulesheet) -> Result<Fastest> {
        // Limits that are the same on every machine.
        let (memory, steps) = (1 << 30, Some(100_000_000));
        let limits = Limits { time: None, memory, steps, cancel: None };
        let basic = build_from_rules(&rules.program, 0, &limits).ok();
        let network = basic.map(|basic| Arc::new(Sequence::default().run(&basic)));
        match network.and_then(|network| Propnet::new(&network).ok()) {
            Some(game) => Ok(Fastest::Network(game)),
            None => Ok(Fastest::Prover(prover(name, rules)?)),
        }
    }
}

/// Follows games of `leader` in another game.
fn follow_in<G: Describe>(
    leader: G,
    (name, rules): (&str, &Rulesheet),
    effort: Effort,
    time: Option<Duration>,
) -> Result<std::result::Result<Followed, Fault>> {
    let follower = Fastest::of(name, rules)?;
    // The set-up of both games is over; their time begins.
    let effort = Effort { until: time.map(|time| Instant::now() + time), ..effort };
    Ok(match follower {
        Fastest::Network(game) => follow(leader, game, effort),
        Fastest::Prover(game) => follow(leader, game, effort),
    })
}

fn judge(first: &Looks, second: &Looks, games: u32) -> Comparison {
    let pairs = || first.prints.iter().zip(&second.prints);
    let equal = pairs().take_while(|(a, b)| a.tree == b.tree && a.paths == b.paths).count();
    let last = equal.checked_sub(1).and_then(|at| first.prints.get(at));
    let compared = first.prints.len().min(second.prints.len());
    let measures = first.samples.iter().zip(&second.samples);
    Comparison {
        equal_depth: equal as u32,
        equal_paths: last.map_or(0, |print| print.paths.nodes),
        whole: last.is_some_and(|print| print.paths.nodes == 0),
        running_goals_equal: pairs().take(equal).all(|(a, b)| a.goals == b.goals),
        different_depth: (equal < compared).then_some(equal as u32 + 1),
        running_goals_stray: None,
        followed: Followed::default(),
        measures: measures.map(|(one, other)| measure(one, other)).collect(),
        games,
    }
}

/// A measure of many random games; games in which it has no value are left out.
#[derive(Debug)]
struct Sample {
    name: String,
    values: Vec<f64>,
}

fn measure(one: &Sample, other: &Sample) -> Measure {
    let mean = |values: &[f64]| {
        values.iter().fold(0.0, |sum, value| sum + value) / values.len().max(1) as f64
    };
    let (n, m) = (one.values.len() as f64, other.values.len() as f64);
    // The level of the two-sided test, 1e-6, as the multiple of the standard width.
    let multiple = (-(1e-6f64 / 2.0).ln() / 2.0).sqrt();
    Measure {
        name: one.name.clone(),
        means: [mean(&one.values), mean(&other.values)],
        distance: distance(&one.values, &other.values),
        limit: multiple * ((n + m) / (n * m).max(1.0)).sqrt(),
    }
}

/// The largest difference between the shares of values up to any number. Where one side has no value
/// there is nothing to compare; that it has none shows in the lengths of games.
fn distance(one: &[f64], other: &[f64]) -> f64 {
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let sorted = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_unstable_by(f64::total_cmp);
        values
    };
    let (one, other) = (sorted(one), sorted(other));
    let share = |values: &[f64], up_to: f64| {
        values.partition_point(|value| *value <= up_to) as f64 / values.len() as f64
    };
    one.iter()
        .chain(&other)
        .map(|&value| (share(&one, value) - share(&other, value)).abs())
        .fold(0.0, f64::max)
}

/// The observable part of one game.
struct Looks {
    roles: usize,
    /// By depth, from 1.
    prints: Vec<Fingerprint>,
    samples: Vec<Sample>,
}

/// Looks at one game.
fn look<G: Describe>(game: G, care: Care) -> std::result::Result<Looks, Fault> {
    let roles = game.role_count();
    let mut player = Player::new(game.clone());
    let samples = samples(&mut player, care);
    if let Some(fault) = player.game.take_fault() {
        return Err(fault);
    }
    let until = care.time.map(|time| Instant::now() + time);
    let budget = Budget { steps: care.steps, until };
    let mut prints = Prints::new(game);
    let mut found: Vec<Fingerprint> = Vec::new();
    for depth in 1..=DEEPEST {
        let Some(print) = prints.take(depth, budget) else { break };
        found.push(print);
        if print.paths.nodes == 0 {
            break;
        }
    }
    Ok(Looks { roles, prints: found, samples })
}

/// The steps at which the number of moves is a measure of its own.
const MOMENTS: [u32; 7] = [2, 5, 10, 20, 40, 80, 160];

fn samples<G: Describe>(player: &mut Player<G>, care: Care) -> Vec<Sample> {
    let roles = player.game.role_count();
    let sample = |name: String| Sample { name, values: Vec::new() };
    let numbered = |what: &str| -> Vec<Sample> {
        (1..=roles).map(|role| sample(format!("{what} of role {role}"))).collect()
    };
    let mut length = sample("length".to_owned());
    let mut unfinished = sample("games without an end".to_owned());
    let (mut branching, mut goals) = (numbered("mean number of moves"), numbered("goal"));
    let mut moments: Vec<Vec<Sample>> =
        MOMENTS.iter().map(|step| numbered(&format!("moves in step {step}"))).collect();
    let start = player.game.initial_state();
    let mut legal = Vec::new();
    for number in 0..care.games {
        let mut rng = Rng::stream(care.seed, u64::from(number));
        let (mut step, mut sums) = (0, vec![0; roles]);
        let playout = player.random_game_with(&start, LONGEST, &mut rng, |game, state, _| {
            let moment = MOMENTS.iter().position(|&moment| moment == step);
            for role in Role::all(roles) {
                game.legal_moves(state, role, &mut legal);
                sums[role.index()] += legal.len();
                if let Some(moment) = moment {
                    moments[moment][role.index()].values.push(legal.len() as f64);
                }
            }
            step += 1;
        });
        length.values.push(f64::from(playout.steps));
        unfinished.values.push(f64::from(u8::from(playout.ending != Ending::Terminal)));
        for (sample, sum) in branching.iter_mut().zip(sums) {
            sample.values.push(sum as f64 / f64::from(playout.steps.max(1)));
        }
        for (sample, goal) in goals.iter_mut().zip(player.goals()) {
            sample.values.push(f64::from(goal.0));
        }
    }
    let moments = moments.into_iter().flatten();
    [length, unfinished].into_iter().chain(branching).chain(goals).chain(moments).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use gamegrove_play::library::{self, Kind, Shipped};
    use gamegrove_play::metadata::Metadata;

    /// An effort for continuous integration; users take more.
    const QUICK: Care = Care { steps: 60_000, time: None, games: 300, seed: 1 };

    fn rules(text: &[u8]) -> Rulesheet {
        Rulesheet::load(text).expect("a sound rulesheet")
    }

    fn compared(one: &str, other: &str) -> Comparison {
        let (one, other) = (rules(one.as_bytes()), rules(other.as_bytes()));
        compare(("one", &one), ("other", &other), QUICK).expect("playable games")
    }

    #[test]
    fn a_game_equals_itself_under_other_names_and_no_other() {
        let game = library::find("tic_tac_toe").expect("a shipped game").text;
        let renamed = game.replace("cell", "square").replace("noop", "wait");
        let found = compared(game, &renamed);
        assert!(found.equal() && found.running_goals_equal, "{found}");
        let other = game.replace("(goal ?player 50)", "(goal ?player 40)");
        let found = compared(game, &other);
        assert!(!found.equal(), "{found}");
    }

    #[test]
    fn distances_of_distributions() {
        assert_eq!(distance(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0]), 0.0);
        assert_eq!(distance(&[1.0, 2.0, 3.0, 4.0], &[3.0, 4.0, 5.0, 6.0]), 0.5);
        assert_eq!(distance(&[1.0], &[2.0]), 1.0);
        assert_eq!(distance(&[1.0], &[]), 0.0);
        let sample = |values: Vec<f64>| Sample { name: "x".to_owned(), values };
        let (a, b) = (sample(vec![0.0; 2000]), sample(vec![0.0; 2000]));
        // 2.693 standard widths of 1 / sqrt(1000).
        assert!((measure(&a, &b).limit - 0.085_17).abs() < 1e-4);
    }

    #[test]
    fn families_make_the_games_that_are_written_by_hand() {
        let flat = |size, line| {
            vec![("width", size), ("height", size), ("line", line), ("gravity", "off")]
        };
        let pairs = [
            ("connect", vec![], "connect_four"),
            ("connect", flat("3", "3"), "tic_tac_toe"),
            ("connect", flat("8", "5"), "connect_five"),
            ("breakthrough", vec![], "breakthrough"),
            ("puzzle", vec![], "eight_puzzle"),
        ];
        for (family, arguments, name) in pairs {
            let family = gamegrove_families::find(family).expect("a family");
            let made = family.make(&arguments).expect("arguments in range");
            let written = library::find(name).expect("a shipped game").text;
            let found = compared(&made, written);
            assert!(found.equal() && found.running_goals_equal, "{name}: {found}");
        }
    }

    /// The game beside its twin, or what is wrong.
    fn against_twin(game: &Shipped, about: &Metadata, corpus: &Path) -> Option<String> {
        let key = about.twin.as_ref()?;
        let Ok(text) = std::fs::read(corpus.join(key)) else {
            return Some(format!("{}: `twin` {key} is no public rulesheet", game.name));
        };
        about.equal_twin()?;
        let (own, twin) = (rules(game.text.as_bytes()), rules(&text));
        let found = match compare((game.name, &own), (key, &twin), QUICK) {
            Ok(found) => found,
            Err(failure) => return Some(format!("{}: {failure}", game.name)),
        };
        let running = about.twin_running_goals.unwrap_or(true);
        if !found.equal() || found.equal_depth == 0 {
            return Some(format!("{} and {key}: {found}", game.name));
        }
        (found.running_goals_equal != running)
            .then(|| format!("{}: `twin_running_goals` is not true: {found}", game.name))
    }

    #[test]
    fn every_game_equals_its_public_twin() {
        let Some(corpus) = gamegrove_testdata::shared("corpus/gdl") else { return };
        let games: Vec<Shipped> =
            library::games().into_iter().filter(|game| game.kind == Kind::Gdl).collect();
        let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..gamegrove_game::parallel::cores() {
                scope.spawn(|| {
                    while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let about = game.metadata().expect("every shipped game has metadata");
                        if let Some(found) = against_twin(game, &about, &corpus) {
                            wrong.lock().expect("no thread panics").push(found);
                        }
                    }
                });
            }
        });
        let wrong = wrong.into_inner().expect("no thread panics");
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
