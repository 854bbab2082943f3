//! FAST: captures and cells are rated by values learned from simulations.
//!
//! If pieces are what is learned about, a capture is worth `-(2 * V(captured) + V(own))` and any other
//! move -100: own pieces have positive values and enemy pieces negative ones, so taking a valuable
//! piece with a cheap one is best. If cells are, a move is worth `c` times the value of the cell it
//! goes to, c = 5. Gibbs sampling with tau = 10 [Finnsson 2012, 4.1.4]. What is learned, and how
//! the board is found, is in `learn::fast`.
//!
//! A captured piece whose value is nearer to 0 than `threshold` does not make a capture. Without a
//! capture, or where no board was found, all moves are equal.

use gamegrove_game::{FeatureNames, Move, Rng};

use super::sample::{EPSILON, GIBBS_OR_GREEDY, Sampler, TAU};
use super::{Policy, Turn};
use crate::learn::{Family, FastSettings, FastTable, Handle, Reader, Scale};
use crate::parameter::{Parameter, ParameterId};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::Needs;

const SAMPLES: Parameter =
    Parameter::whole("samples", 100.0, (1.0, 1e6), "simulations watched to find the board");
const ALPHA: Parameter =
    Parameter::real("alpha", 0.01, (0.0, 2.0), "how fast values follow results");
const LAMBDA: Parameter =
    Parameter::real("lambda", 0.99, (0.0, 1.0), "how far results reach back in a simulation");
const SCALE: Parameter = Parameter::word(
    "scale",
    &["each", "length", "energy", "none"],
    "how steps are kept small: each state's is taken at once, or those of a simulation are added up and \
     divided by the number of its states, by the sum of its squared features, or by nothing",
);
const C: Parameter =
    Parameter::real("c", 5.0, (0.0, 1e6), "by what the value of a cell is multiplied");
const QUIET: Parameter = Parameter::real(
    "quiet",
    -100.0,
    (-1e6, 1e6),
    "what a move that captures nothing is worth, if pieces are learned about",
);
const THRESHOLD: Parameter = Parameter::real(
    "threshold",
    1.0,
    (0.0, 1e6),
    "a captured piece counts only if its value is at least this far from 0",
);

pub(super) const ENTRY: Entry<dyn Policy> = Entry {
    name: "fast",
    sentence: "captures and cells are rated by values of pieces and cells learned on the way",
    source: "[Finnsson 2012, 4.1.4]",
    parameters: &[
        C,
        QUIET,
        THRESHOLD,
        SAMPLES,
        ALPHA,
        LAMBDA,
        SCALE,
        GIBBS_OR_GREEDY,
        TAU,
        EPSILON,
    ],
    build: |options| Ok(Box::new(Fast::read(options)?)),
};

struct Fast {
    table: Handle<FastTable>,
    c: ParameterId,
    quiet: ParameterId,
    threshold: ParameterId,
    sampler: Sampler,
    reader: Option<Reader>,
    /// The piece on each cell, plus one; 0 for none.
    on_cells: Vec<u32>,
    rated: Vec<f64>,
}

impl Fast {
    fn read(options: &mut Options<'_>) -> Result<Fast, SettingsError> {
        let settings = FastSettings {
            samples: options.number(&SAMPLES)? as u64,
            alpha: options.number(&ALPHA)?,
            lambda: options.number(&LAMBDA)?,
            scale: options
                .choice(&SCALE, &[Scale::Each, Scale::Length, Scale::Energy, Scale::None])?,
        };
        Ok(Fast {
            table: options.shared().request(FastTable::new(settings)),
            c: options.parameter(&C)?,
            quiet: options.parameter(&QUIET)?,
            threshold: options.parameter(&THRESHOLD)?,
            sampler: Sampler::gibbs(options, &TAU)?,
            reader: None,
            on_cells: Vec::new(),
            rated: Vec::new(),
        })
    }
}

impl Policy for Fast {
    fn needs(&self) -> Needs {
        Needs { features: true, ..Needs::default() }
    }

    fn introduce(&mut self, names: &mut dyn FnMut() -> Box<dyn FeatureNames>) {
        self.reader = Some(Reader::new(names()));
    }

    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        let mut rated = std::mem::take(&mut self.rated);
        let chosen = if self.rate(turn, legal, &mut rated) {
            self.sampler.choose_rated(turn.values, turn.role, rng, &rated)
        } else {
            rng.below(legal.len())
        };
        self.rated = rated;
        chosen
    }

    fn rate(&mut self, turn: &Turn<'_>, legal: &[Move], values: &mut Vec<f64>) -> bool {
        let table = turn.tables.get(self.table);
        let (Some(board), Some(reader)) = (table.board(), &mut self.reader) else { return false };
        let role = turn.role;
        values.clear();
        match board.family {
            Family::Nothing => false,
            Family::Cells => {
                let c = turn.values.get(role, self.c);
                values.extend(legal.iter().map(|&mov| {
                    reader.route(board, role, mov).to.map_or(0.0, |to| c * table.cell(role, to))
                }));
                true
            }
            Family::Pieces => {
                let quiet = turn.values.get(role, self.quiet);
                let threshold = turn.values.get(role, self.threshold);
                self.on_cells.clear();
                self.on_cells.resize(board.cell_count(), 0);
                for &fact in turn.features {
                    if let Some(placed) = reader.placed(board, fact)
                        && board.owners[placed.piece as usize].is_some()
                    {
                        self.on_cells[placed.cell as usize] = placed.piece + 1;
                    }
                }
                let on = |cell: Option<u32>| {
                    cell.and_then(|cell| self.on_cells[cell as usize].checked_sub(1))
                };
                let mut captures = false;
                values.extend(legal.iter().map(|&mov| {
                    let route = reader.route(board, role, mov);
                    let taken = on(route.to)
                        .filter(|&piece| board.owners[piece as usize] != Some(role))
                        .map(|piece| table.piece(role, piece))
                        .filter(|value| value.abs() >= threshold);
                    match taken {
                        None => quiet,
                        Some(taken) => {
                            captures = true;
                            let own = on(route.from).map_or(0.0, |own| table.piece(role, own));
                            -(2.0 * taken + own)
                        }
                    }
                }));
                captures
            }
        }
    }
}
