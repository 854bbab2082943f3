//! How the trees of searches grow from turn to turn, on average over matches (parameter-tuning, section
//! 9.7): the depth and the mean number of moves tried in a node. Also how many simulations a turn had,
//! which [Fernandes 2013, Figures 5.3 and 5.4] shows.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use gamegrove_play::matches::MatchRecord;
use gamegrove_view::{SvgStyle, TurnStatistics, turn_charts};
use serde::Serialize;

/// The trees of several agents.
#[derive(Clone, Debug)]
pub struct Trees {
    /// For each agent the sums of each turn.
    agents: Vec<Vec<Sums>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    trees: u32,
    depth: u64,
    /// In millionths: matches end in any order, and sums of fractions would depend on it.
    branching: u64,
    simulations: u64,
}

/// The mean tree of an agent in one turn, over the matches that reached it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MeanTree {
    /// The turn, from 1.
    pub turn: usize,
    /// Trees that were seen.
    pub trees: u32,
    /// The shortest way from the root to the farthest node.
    pub depth: f64,
    /// The mean number of moves tried in a node.
    pub branching: f64,
    /// The mean number of simulations of a turn.
    pub simulations: f64,
}

impl Trees {
    /// Nothing seen yet of so many agents.
    pub fn new(agents: usize) -> Trees {
        Trees { agents: vec![Vec::new(); agents] }
    }

    /// Adds the trees of a match; `assignment` has the agent of each role.
    pub fn add(&mut self, assignment: &[usize], record: &MatchRecord) {
        for (turn, step) in record.steps.iter().enumerate() {
            for (&agent, search) in assignment.iter().zip(&step.searches) {
                // A player that knew its move without a search has no tree.
                let Some(search) = search.as_ref().filter(|search| search.nodes > 0) else {
                    continue;
                };
                let turns = &mut self.agents[agent];
                if turns.len() <= turn {
                    turns.resize(turn + 1, Sums::default());
                }
                let sums = &mut turns[turn];
                sums.trees += 1;
                sums.depth += search.tree_depth as u64;
                sums.branching += (search.branching * 1e6).round() as u64;
                sums.simulations += search.simulations;
            }
        }
    }

    /// The mean trees of an agent; turns without any are left out.
    pub fn means(&self, agent: usize) -> Vec<MeanTree> {
        let mean = |(turn, sums): (usize, &Sums)| {
            let count = f64::from(sums.trees);
            let depth = sums.depth as f64 / count;
            let branching = sums.branching as f64 / 1e6 / count;
            let simulations = sums.simulations as f64 / count;
            let trees = sums.trees;
            (trees > 0).then_some(MeanTree { turn, trees, depth, branching, simulations })
        };
        (1..).zip(&self.agents[agent]).filter_map(mean).collect()
    }

    /// Writes a table, `trees.csv`, and two charts, `depth.svg` and `branching.svg`, into a folder.
    pub fn write(&self, folder: &str, names: &[&str]) -> io::Result<()> {
        let mut table = "agent,turn,trees,depth,branching,simulations
"
        .to_owned();
        let mut lines = Vec::new();
        for (agent, name) in names.iter().enumerate() {
            let means = self.means(agent);
            for MeanTree { turn, trees, depth, branching, simulations } in &means {
                let name = name.replace('"', "\"\"");
                let _ = write!(table, "\"{name}\",{turn},{trees},{depth:.3},{branching:.3}");
                let _ = writeln!(table, ",{simulations:.1}");
            }
            let statistics = |mean: &MeanTree| {
                let statistics = TurnStatistics { depth: mean.depth, branching: mean.branching };
                (mean.turn as f64, statistics)
            };
            lines.push(((*name).to_owned(), means.iter().map(statistics).collect()));
        }
        let [depth, branching] = turn_charts(&lines);
        let style = SvgStyle::default();
        let files = [
            ("trees.csv", table),
            ("depth.svg", depth.svg(&style)),
            ("branching.svg", branching.svg(&style)),
        ];
        for (name, text) in files {
            std::fs::write(Path::new(folder).join(name), text)?;
        }
        Ok(())
    }
}
