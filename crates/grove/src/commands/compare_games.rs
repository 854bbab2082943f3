//! `grove games compare`: whether two rulesheets are the same game.

use gamegrove_gdl::Rulesheet;

use crate::failure::{Outcome, Result};
use crate::output::{Output, Table};
use gamegrove_inspect::compare::{Care, compare};
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::video;

/// Runs the command.
pub fn run(names: [&str; 2], care: Care, out: &mut Output) -> Result {
    let [(one, its_rules), (other, other_rules)] = [open(names[0])?, open(names[1])?];
    let found = compare((&one, &its_rules), (&other, &other_rules), care)?;
    if out.is_json() {
        out.value(&found)?;
    } else {
        let headings = ["random games", ">first", ">second", ">distance", ">limit", ""];
        let mut table = Table::new(&headings);
        for measure in &found.measures {
            let [first, second] = measure.means.map(|mean| format!("{mean:.2}"));
            let distance = format!("{:.3}", measure.distance);
            let limit = format!("{:.3}", measure.limit);
            let verdict = if measure.differs() { "differs" } else { "" };
            let name = measure.name.clone();
            table.row(vec![name, first, second, distance, limit, verdict.to_owned()]);
        }
        out.line(table)?;
        out.line(format!("\n{one} and {other}: {found}"))?;
    }
    Ok(if found.equal() { Outcome::Fine } else { Outcome::Broken })
}

fn open(name: &str) -> Result<(String, Rulesheet)> {
    let source = Source::open(name)?;
    video::require(&source, Kind::Gdl)?;
    let sheet = source.rulesheet(gamegrove_gdl::Reading::Logical)?;
    Ok((source.name, sheet))
}
