//! How far an experiment is, from its store: for progress bars, `status` and pages that follow it
//! live.

use serde::Serialize;

use crate::plan::Plan;
use crate::store::{Store, StoreError};

/// How far an experiment is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// Games in all.
    pub total: u64,
    /// Games finished.
    pub done: u64,
    /// Games played right now, by all processes.
    pub playing: u64,
    /// How long the rest takes one game at a time, judged by the finished games; nothing before the
    /// first.
    pub work_seconds: Option<f64>,
    /// How long the rest takes at the present pace; nothing if nobody plays.
    pub seconds_left: Option<f64>,
    /// All cells.
    pub cells: Vec<CellStatus>,
}

/// How far a cell is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellStatus {
    /// The cell's identity.
    pub id: String,
    /// The game, as the source calls it.
    pub game: String,
    /// The agents.
    pub agents: Vec<String>,
    /// Games in all.
    pub runs: u32,
    /// Games finished.
    pub done: u32,
    /// Seconds they took.
    pub seconds: f64,
}

impl Status {
    /// How far the plan is.
    pub fn read(plan: &Plan, store: &Store) -> Result<Status, StoreError> {
        let mut cells = Vec::with_capacity(plan.cells.len());
        for cell in &plan.cells {
            let (done, seconds) = store.progress(&cell.id, cell.runs)?;
            let agents = plan.matchups[cell.matchup].agents.iter();
            cells.push(CellStatus {
                id: cell.id.clone(),
                game: plan.games[cell.game].label.clone(),
                agents: agents.map(|&agent| plan.spec.agents[agent].label().to_owned()).collect(),
                runs: cell.runs,
                done,
                seconds,
            });
        }
        Ok(Status::of(cells, store.claimed()?))
    }

    /// The status with these cells while `playing` games are played.
    pub fn of(cells: Vec<CellStatus>, playing: u64) -> Status {
        let total = cells.iter().map(|cell| u64::from(cell.runs)).sum();
        let done = cells.iter().map(|cell| u64::from(cell.done)).sum();
        let work_seconds = work_left(&cells);
        let playing = playing.min(total - done);
        Status {
            total,
            done,
            playing,
            work_seconds,
            // Fewer games than players: the last ones run side by side.
            seconds_left: work_seconds.filter(|_| playing > 0).map(|work| work / playing as f64),
            cells,
        }
    }
}

/// How long the rest takes, one game at a time. Games of a cell are as long as its finished ones; in
/// a cell without any as long as those of its game, or as all.
fn work_left(cells: &[CellStatus]) -> Option<f64> {
    let mean = |chosen: &dyn Fn(&CellStatus) -> bool| {
        let (mut done, mut seconds) = (0, 0.0);
        for cell in cells.iter().filter(|cell| chosen(cell)) {
            done += u64::from(cell.done);
            seconds += cell.seconds;
        }
        (done > 0).then(|| seconds / done as f64)
    };
    let overall = mean(&|_| true);
    let mut work = 0.0;
    for cell in cells.iter().filter(|cell| cell.done < cell.runs) {
        let own = (cell.done > 0).then(|| cell.seconds / f64::from(cell.done));
        let each = own.or_else(|| mean(&|other| other.game == cell.game)).or(overall)?;
        work += each * f64::from(cell.runs - cell.done);
    }
    Some(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(game: &str, runs: u32, done: u32, seconds: f64) -> CellStatus {
        let (id, game, agents) = (String::new(), game.to_owned(), Vec::new());
        CellStatus { id, game, agents, runs, done, seconds }
    }

    #[test]
    fn games_last_as_long_as_those_most_like_them() {
        let status = Status::of(
            vec![
                cell("quick", 10, 5, 5.0),
                cell("quick", 10, 0, 0.0),
                cell("slow", 10, 2, 200.0),
                cell("new", 7, 0, 0.0),
            ],
            2,
        );
        // 5 at 1 s, 10 at 1 s, 8 at 100 s, 7 at the mean of all, 205 / 7 s.
        assert_eq!(status.work_seconds, Some(5.0 + 10.0 + 800.0 + 205.0));
        assert_eq!(status.seconds_left, Some(510.0));
        assert_eq!((status.done, status.total), (7, 37));
    }

    #[test]
    fn nothing_is_promised_before_the_first_game() {
        assert_eq!(Status::of(vec![cell("new", 3, 0, 0.0)], 1).seconds_left, None);
        let done = Status::of(vec![cell("done", 3, 3, 1.0)], 0);
        assert_eq!((done.work_seconds, done.seconds_left), (Some(0.0), None));
    }
}
