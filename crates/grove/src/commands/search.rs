//! `grove search`: one search, explained.

use gamegrove_agents::{
    AgentError, AmafEntries, Bounds, MoveReport, Outline, OutlineNode, Report, Stop,
};
use gamegrove_game::{Account, Move, Role};
use gamegrove_view::{SvgStyle, TreeLimits, TreeNode, TreePicture};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::{any_rules, board, stopped};
use crate::cli::SearchArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::idle::IdleSetting;
use crate::output::{Output, Table};
use crate::position;
use crate::progress::{self, Progress};
use crate::target::Target;
use gamegrove_play::load::Source;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::units::{grouped, plural, rate, time};
use gamegrove_play::{Board, Budget, Hooks, Player, Setup, State, View};

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Shown {
    game: String,
    agent: String,
    reasoner: Reasoner,
    seed: u64,
    role: String,
    /// The move it would play.
    best: String,
    moves: Vec<MoveRow>,
    /// Why the search ended: `simulations`, `time`, `asked`, `solved`, `expansions` or `device`.
    stop: &'static str,
    /// What is proved about the role's score, if anything looks for proofs.
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<Proved>,
    /// Nodes about which the solver has proved anything.
    solver_nodes: usize,
    simulations: u64,
    simulations_per_second: f64,
    states_per_second: f64,
    seconds: f64,
    nodes: usize,
    depth: usize,
    memory_bytes: usize,
    merged: u64,
    dropped: u64,
    /// The mean number of moves of a node that have statistics of all that was played below it, and of
    /// those that are legal there, if such are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    amaf_entries: Option<AmafRow>,
    /// The mean number of moves tried in a node.
    branching: f64,
    /// The values a tuner recommends.
    #[serde(skip_serializing_if = "Option::is_none")]
    tuned: Option<String>,
    #[serde(rename = "device", skip_serializing_if = "Option::is_none")]
    account: Option<AccountRow>,
    /// Settings that have no effect in this game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without_effect: Vec<IdleSetting>,
}

/// What the game did by its own account.
#[derive(Debug, Serialize)]
struct AccountRow {
    /// What it counted.
    #[serde(flatten)]
    counts: BTreeMap<&'static str, u64>,
    /// The time that takes by the game's own clock.
    seconds: f64,
    simulations_per_second: f64,
}

impl AccountRow {
    fn new(account: Account, simulations: u64) -> AccountRow {
        let seconds = account.time.as_secs_f64();
        AccountRow {
            counts: account.counts.into_iter().collect(),
            seconds,
            simulations_per_second: simulations as f64 / seconds.max(1e-9),
        }
    }
}

/// Proved bounds of the role's score.
#[derive(Clone, Copy, Debug, Serialize)]
struct Proved {
    low: f64,
    high: f64,
}

impl From<Bounds> for Proved {
    fn from(bounds: Bounds) -> Proved {
        // Values of matrix games come out of linear programs.
        let tidy = |score: f64| (score * 1e6).round() / 1e6;
        Proved { low: tidy(bounds.low), high: tidy(bounds.high) }
    }
}

impl Proved {
    /// `100`, `50 or more`, `at most 50`, `25 to 50`; `-` if nothing is known.
    fn words(self) -> String {
        match self {
            Proved { low, high } if low == high => low.to_string(),
            Proved { low, high } if low <= 0.0 && high >= 100.0 => "-".to_owned(),
            Proved { low, high } if high >= 100.0 => format!("{low} or more"),
            Proved { low, high } if low <= 0.0 => format!("at most {high}"),
            Proved { low, high } => format!("{low} to {high}"),
        }
    }
}

/// Entries for moves played anywhere below, in the mean of all nodes.
#[derive(Clone, Copy, Debug, Serialize)]
struct AmafRow {
    all: f64,
    legal: f64,
}

#[derive(Debug, Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    name: String,
    visits: u32,
    mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean.
    interval: Option<f64>,
    /// What is proved about the role's score after it, if anything is.
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<Proved>,
    line: Vec<Vec<String>>,
}

/// Runs the command.
pub fn run(args: &SearchArgs, out: &mut Output) -> Result {
    out.only_json();
    let source = Source::open(&args.game)?;
    if args.agent.part.name != "mcts" {
        let (what, help) = match args.agent.part.name.as_str() {
            "plan" => ("plans in video games", "`grove watch GAME --agent NAME` shows it at work"),
            _ => ("does not search", "`grove agents` lists agents; most of them search"),
        };
        return Err(Failure::usage(format!("agent {} {what}", args.agent.name), help));
    }
    let rules = any_rules(&source, args.rules, out)?;
    let reasoner = rules.reasoner(args.reasoner);
    let by_the_clock = args.budget.simulations.is_none();
    let setup = Setup { by_the_clock, ..Setup::new(args.reasoner) };
    let board = &*board(&source, rules, &setup, out)?;
    let state = position::after(board, &args.moves)?;
    let view = board.view(&state).map_err(|fault| stopped(&fault))?;
    if view.is_over() {
        return Err(Failure::usage("the game is over in this position", "leave moves out"));
    }
    let role = role(&board.about().roles, &view, args.role.as_deref())?;
    let tree_to = match args.tree.as_deref() {
        Some(file) => Some((Language::of(file)?, Target::open(file)?)),
        None => None,
    };
    let player = board.player(&args.agent, role, args.seed, &Hooks::default());
    let mut player = player.map_err(|error| {
        let message = match error {
            AgentError::Settings { error, .. } => error.to_string(),
            other => other.to_string(),
        };
        Failure::usage(message, "`grove agents --parts` helps")
    })?;
    let start = Instant::now();
    think(&mut *player, &state, args.budget.allowance().plan(), start);
    let taken = start.elapsed();
    let best = player.favourite().map_or_else(String::new, |mov| board.move_name(role, mov));
    let found = player.report().expect("a search reports");
    let seconds = taken.as_secs_f64().max(1e-9);
    let report = Shown {
        game: source.name,
        agent: args.agent.name.clone(),
        reasoner,
        seed: args.seed,
        role: board.about().roles[role.index()].clone(),
        best,
        moves: found.moves.iter().map(|report| row(board, role, report)).collect(),
        stop: found.stop.map_or("", word),
        proved: found.proved.map(Proved::from),
        solver_nodes: found.solver_nodes,
        simulations: found.simulations,
        simulations_per_second: found.simulations as f64 / seconds,
        states_per_second: found.steps as f64 / seconds,
        seconds,
        nodes: found.nodes,
        depth: found.depth,
        memory_bytes: found.bytes,
        merged: found.merged,
        dropped: found.dropped,
        amaf_entries: player
            .amaf_entries()
            .map(|AmafEntries { all, legal }| AmafRow { all, legal }),
        branching: found.shape.branching,
        tuned: found.tuned,
        account: found.account.map(|account| AccountRow::new(account, found.simulations)),
        without_effect: IdleSetting::all(player.without_effect()),
    };
    show(&report, taken, out)?;
    if let Some((language, target)) = tree_to {
        let part = Outline::Levels(args.tree_depth as usize, args.tree_width as usize);
        draw_tree(board, &player.outline(part), target, language, args, out)?;
    }
    if out.is_json() {
        out.value(&report)?;
    }
    Ok(Outcome::Fine)
}

/// The simulations between two reports of progress, where simulations are counted.
const SLICE_SIMULATIONS: u64 = 50_000;

/// Searches until the budget is spent, and shows how far it is.
fn think(player: &mut dyn Player, state: &State, budget: Budget, start: Instant) {
    let Some(all) = budget.simulation_limit() else {
        // In one piece: a search divides its time by what is left of it.
        let time = budget.time_limit().unwrap_or_default();
        let search = || player.prepare(state, &budget);
        return progress::while_working(start, time, "searching", search);
    };
    // In slices, so that people see how far it is; time would end them in other places each time.
    let mut progress = Progress::new(start);
    player.prepare(state, &Budget::simulations(all.min(SLICE_SIMULATIONS)));
    while let Some(Report { simulations: done, stop: Some(Stop::Simulations), .. }) =
        player.report()
        && done < all
    {
        progress.show(0, 0, &format!("{} simulations", grouped(done)));
        player.ponder(&Budget::simulations((all - done).min(SLICE_SIMULATIONS)));
    }
}

fn row(board: &dyn Board, role: Role, report: &MoveReport) -> MoveRow {
    let name = |&(role, mov): &(Role, Move)| board.move_name(role, mov);
    MoveRow {
        name: board.move_name(role, report.mov),
        visits: report.visits,
        mean: report.mean,
        interval: report.half_width,
        proved: report.bounds.map(Proved::from),
        line: report.line.iter().map(|step| step.iter().map(name).collect()).collect(),
    }
}

fn word(stop: Stop) -> &'static str {
    match stop {
        Stop::Simulations => "simulations",
        Stop::Time => "time",
        Stop::Asked => "asked",
        Stop::Solved => "solved",
        Stop::Expansions => "expansions",
        Stop::OwnTime => "device",
    }
}

fn show(report: &Shown, taken: Duration, out: &mut Output) -> Result<()> {
    let proves = report.moves.iter().any(|row| row.proved.is_some());
    let mut heads = vec!["move", ">visits", ">mean", ">±", "what follows"];
    if proves {
        heads.insert(4, ">proved");
    }
    let mut table = Table::new(&heads);
    let number = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), |n| format!("{n:.1}"));
    for row in &report.moves {
        let line: Vec<String> =
            row.line.iter().skip(1).take(4).map(|step| step.join(" ")).collect();
        let mut cells = vec![
            row.name.clone(),
            grouped(u64::from(row.visits)),
            number(row.mean),
            number(row.interval),
            line.join(", "),
        ];
        if proves {
            cells.insert(4, row.proved.map_or_else(|| "-".to_owned(), Proved::words));
        }
        table.row(cells);
    }
    out.line(format!("{} as {}: plays {}", report.agent, report.role, report.best))?;
    out.line("")?;
    out.line(table)?;
    out.line("")?;
    if let Some(proved) = report.proved.map(Proved::words).filter(|words| words != "-") {
        out.line(format!("proved: {} gets {proved}", report.role))?;
    }
    if report.solver_nodes > 0 {
        out.line(format!("{} with proved bounds", plural(report.solver_nodes, "node")))?;
    }
    out.line(match report.stop {
        "solved" => "ended because nothing is left to find out",
        "time" => "ended because the time was over",
        "device" => "ended because the device has no more time",
        "expansions" => "ended because simulations have generated as many states as they may",
        "asked" => "ended because it was asked to",
        _ => "ended because all simulations were made",
    })?;
    out.line(format!(
        "{} simulations in {}: {} simulations/s, {} states/s",
        grouped(report.simulations),
        time(taken),
        rate(report.simulations_per_second),
        rate(report.states_per_second),
    ))?;
    out.line(format!(
        "{}, {} deep, {:.1} moves tried in each, {} kB; {} met by another path, {} dropped",
        plural(report.nodes, "node"),
        report.depth,
        report.branching,
        grouped(report.memory_bytes as u64 / 1000),
        grouped(report.merged),
        grouped(report.dropped),
    ))?;
    if let Some(AmafRow { all, legal }) = report.amaf_entries {
        out.line(format!(
            "{all:.1} entries for moves played below a node, {legal:.1} for moves legal there"
        ))?;
    }
    if let Some(account) = &report.account {
        let counts =
            account.counts.iter().map(|(name, &count)| format!("{} {name}", grouped(count)));
        out.line(format!(
            "by the device's account {}, which would take it {}: {} simulations/s",
            counts.collect::<Vec<_>>().join(" and "),
            time(Duration::from_secs_f64(account.seconds)),
            rate(account.simulations_per_second),
        ))?;
    }
    if let Some(tuned) = &report.tuned {
        out.line(format!("tuned for {}: {tuned}", report.role))?;
    }
    for idle in &report.without_effect {
        out.line(idle)?;
    }
    Ok(())
}

/// The role to report about: the one that was asked for, or the first that has a choice.
fn role(names: &[String], view: &View, wanted: Option<&str>) -> Result<Role> {
    let mut roles = Role::all(names.len());
    if let Some(wanted) = wanted {
        let named = roles.find(|role| names[role.index()].eq_ignore_ascii_case(wanted));
        return named.ok_or_else(|| {
            let there_are = format!("the roles are {}", names.join(", "));
            Failure::usage(format!("nobody is called {wanted} in this game"), there_are)
        });
    }
    Ok(roles.find(|&role| view.legal(role).len() > 1).unwrap_or(Role(0)))
}

/// Writes a drawing of the tree.
fn draw_tree(
    board: &dyn Board,
    outline: &[OutlineNode],
    target: Target,
    language: Language,
    args: &SearchArgs,
    out: &mut Output,
) -> Result<()> {
    let node = |node: &OutlineNode| {
        let names: Vec<String> =
            node.moves.iter().map(|&(role, mov)| board.move_name(role, mov)).collect();
        TreeNode {
            label: if names.is_empty() { "now".to_owned() } else { names.join(" ") },
            visits: node.visits,
            value: node.mean.map(|mean| mean / 100.0),
            turn: node.step,
            children: node.children.clone(),
        }
    };
    let picture = TreePicture { nodes: outline.iter().map(node).collect() };
    let limits = TreeLimits {
        depth: args.tree_depth as usize,
        children: args.tree_width as usize,
        nodes: outline.len(),
    };
    let note = format!("{}: {}", target.path(), plural(outline.len(), "node"));
    target.write(&match language {
        Language::Svg => picture.svg(limits, &SvgStyle::default()),
        Language::Dot => picture.dot(limits),
    })?;
    out.note(note);
    Ok(())
}

/// How a tree is drawn.
#[derive(Clone, Copy, Debug)]
enum Language {
    Svg,
    Dot,
}

impl Language {
    /// What the name of a file asks for.
    fn of(file: &str) -> Result<Language> {
        match std::path::Path::new(file).extension().and_then(|end| end.to_str()) {
            Some("svg") => Ok(Language::Svg),
            Some("dot" | "gv") => Ok(Language::Dot),
            _ => {
                let message = format!("{file}: a tree is drawn as .svg or .dot");
                Err(Failure::usage(message, "name the file like tree.svg"))
            }
        }
    }
}
