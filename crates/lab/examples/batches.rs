//! Figure 4.8 of the first source as an experiment: what the number of play-outs a leaf gets on hardware
//! does to the speed of play-outs and to the number of states that are looked at.
//!
//! `batches GAME REASONER PLAYOUTS SECONDS CLOCK_MHZ [FILE.svg]`: with each size of batch so many play-outs, then so
//! many seconds of the board's time, by its clock and by several waits for each call. The reasoner is
//! `hardware` (emulated) or `hardware(backend=verilator)`. Prints Markdown, draws the trade-off.
#![expect(clippy::print_stdout, reason = "an example shows its results")]

use std::error::Error;
use std::time::Instant;

use gamegrove_agents::{Agent, Report};
use gamegrove_game::Role;
use gamegrove_gdl::Reading;
use gamegrove_play::load::Source;
use gamegrove_play::{Board, Budget, Hooks, Setup, open_rules};
use gamegrove_view::{LineChart, Series, SvgStyle};

const BATCHES: [u32; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// Waits for a call, in microseconds.
const WAITS: [f64; 3] = [50.0, 5.0, 0.5];
const SEEDS: u64 = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, reasoner, playouts, seconds, clock, picture @ ..] = args.as_slice() else {
        return Err("usage: batches GAME REASONER PLAYOUTS SECONDS CLOCK_MHZ [FILE.svg]".into());
    };
    let source = Source::open(game)?;
    let rules = source.rules(Reading::Logical)?;
    let work = Batches {
        playouts: playouts.parse()?,
        seconds: seconds.parse()?,
        clock: clock.parse()?,
        picture: picture.first().map(String::as_str),
    };
    let board = open_rules(&source, rules, &Setup::new(reasoner.parse()?))?;
    work.same_playouts(&*board)?;
    work.same_time(&*board)
}

struct Batches<'a> {
    playouts: u64,
    seconds: f64,
    clock: f64,
    picture: Option<&'a str>,
}

/// What a search did, and in how many seconds of the host's time.
struct Searched {
    report: Report,
    seconds: f64,
}

impl Searched {
    fn device_seconds(&self) -> f64 {
        self.report.account.as_ref().map_or(0.0, |account| account.time.as_secs_f64())
    }
}

impl Batches<'_> {
    fn search(
        &self,
        board: &dyn Board,
        batch: u32,
        (time, wait): (f64, f64),
        (playouts, seed): (u64, u64),
    ) -> Result<Searched, Box<dyn Error>> {
        let clock = self.clock;
        let agent = Agent::find(&format!(
            "mcts(leaf_playouts={batch}, device=board(time={time}, clock={clock}, latency={wait}))"
        ))?;
        let mut player = board.player(&agent, Role(0), seed, &Hooks::default())?;
        let state = board.start(0);
        let start = Instant::now();
        player.choose(&state, &Budget::simulations(playouts)).ok_or("no move")?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Searched { report: player.report().ok_or("no report")?, seconds })
    }

    /// As many play-outs with each size of batch.
    fn same_playouts(&self, board: &dyn Board) -> Result<(), Box<dyn Error>> {
        println!(
            "| play-outs a leaf | play-outs | nodes | calls | clock cycles | board, ms | play-outs/s \
             on the board | measured, s | play-outs/s measured |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
        );
        for batch in BATCHES {
            let found = self.search(board, batch, (f64::INFINITY, WAITS[0]), (self.playouts, 1))?;
            let Searched { report, seconds } = &found;
            let account = report.account.as_ref().ok_or("no device answers")?;
            println!(
                "| {batch} | {} | {} | {} | {} | {:.1} | {:.0} | {seconds:.2} | {:.0} |",
                report.simulations,
                report.nodes,
                account.count("calls"),
                account.count("cycles"),
                found.device_seconds() * 1e3,
                report.simulations as f64 / found.device_seconds().max(1e-9),
                report.simulations as f64 / seconds.max(1e-9),
            );
        }
        Ok(())
    }

    /// As much of the board's time with each size of batch.
    fn same_time(&self, board: &dyn Board) -> Result<(), Box<dyn Error>> {
        let mut lines = Vec::new();
        print!("\n| play-outs a leaf |");
        WAITS.iter().for_each(|wait| print!(" play-outs, {wait} us a call | nodes |"));
        println!("\n|---:|{}", "---:|---:|".repeat(WAITS.len()));
        let mut all: Vec<Vec<(f64, f64)>> = vec![Vec::new(); WAITS.len()];
        for batch in BATCHES {
            print!("| {batch} |");
            for (wait, column) in WAITS.iter().zip(&mut all) {
                let mut sums = (0.0, 0.0);
                for seed in 1..=SEEDS {
                    let limits = (self.seconds, *wait);
                    let report = self.search(board, batch, limits, (u64::MAX - 1, seed))?.report;
                    sums.0 += report.simulations as f64 / SEEDS as f64;
                    sums.1 += report.nodes as f64 / SEEDS as f64;
                }
                print!(" {:.0} | {:.0} |", sums.0, sums.1);
                column.push(sums);
            }
            println!();
        }
        for (wait, column) in WAITS.iter().zip(&all) {
            let line = |name: &str, value: fn(&(f64, f64)) -> f64| {
                let most = column.iter().map(value).fold(1.0, f64::max);
                let places = BATCHES.iter().map(|&batch| f64::from(batch).log2());
                Series {
                    name: format!("{name}, {wait} us"),
                    points: places
                        .zip(column.iter().map(|found| 100.0 * value(found) / most))
                        .collect(),
                    band: Vec::new(),
                }
            };
            lines.push(line("play-outs", |found| found.0));
            lines.push(line("nodes", |found| found.1));
        }
        if let Some(file) = self.picture {
            let chart = LineChart {
                title: format!("{} ms of a board's time", self.seconds * 1e3),
                x: "play-outs a leaf, as a power of two".to_owned(),
                y: "% of the most".to_owned(),
                series: lines,
            };
            std::fs::write(file, chart.svg(&SvgStyle::default()))?;
        }
        Ok(())
    }
}
