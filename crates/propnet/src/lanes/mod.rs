//! Lanes: hundreds of play-outs at a time, one bit of every word each.
//!
//! ```text
//! Circuit ─ Gates ─ Logic ─ Cells ─ Program ─ kernel ─┬─ Stream ─ Driver
//!          (shared  (two     (three                   └─ Packing
//!           pairs)   inputs)  inputs)
//! ```
//!
//! [`PropnetLanes`] shares states and move numbers with [`crate::Propnet`], so a search can use both.

mod batch;
mod cover;
mod function;
mod gates;
mod kernel;
mod logic;
mod memory;
mod packing;
mod program;
mod sample;
mod stream;
mod width;

use std::sync::Arc;

use gamegrove_game::{
    Batch, BatchError, BatchSetup, BoxedLanes, Driver, Lanes, Sample, Sums, Tally,
};
use gamegrove_gdl::{Limits, Meter};

use self::kernel::Portable;
use self::packing::Packing;
use self::program::Program;
use self::stream::{Buffers, Shared};
pub use self::width::Width;
use crate::build::BuildError;
use crate::circuit::Circuit;
use crate::invariants::Flaw;
use crate::network::Network;
use crate::state::Bits;

/// A network as a game that plays many games at once.
#[derive(Clone, Debug)]
pub struct PropnetLanes {
    network: Arc<Network>,
    width: Width,
    buffers: Buffers,
}

impl PropnetLanes {
    /// The game of a network, as wide as suits the machine.
    pub fn new(network: &Arc<Network>) -> Result<Self, Flaw> {
        let circuit = Circuit::new(network)?;
        let program = Program::watched(&circuit, &mut |_| Ok::<(), Flaw>(()))?;
        Ok(PropnetLanes::of(network, program))
    }

    /// As [`new`](PropnetLanes::new), within limits.
    pub fn new_within(network: &Arc<Network>, limits: &Limits) -> Result<Self, BuildError> {
        let mut meter = Meter::new(limits);
        let circuit = Circuit::new_within(network, &mut meter)?;
        let watch = &mut |bytes| meter.step(|| circuit.bytes() + bytes);
        let program = Program::watched(&circuit, watch)?;
        meter.check(program.bytes())?;
        Ok(PropnetLanes::of(network, program))
    }

    fn of(network: &Arc<Network>, program: Program) -> PropnetLanes {
        let packing = Packing::new(&program);
        let sharing = Packing::shared(&program);
        let values = |role| network.goals(role).iter().map(|line| f32::from(line.value)).collect();
        let goal_values = (0..network.roles().len()).map(values).collect();
        let initial = Bits::initial(network);
        let shared = Arc::new(Shared { program, packing, sharing, initial, goal_values });
        let width = Width::best();
        let buffers = Buffers::new(shared, width.words());
        PropnetLanes { network: Arc::clone(network), width, buffers }
    }

    /// The same game with another number of lanes.
    pub fn with_width(&self, width: Width) -> PropnetLanes {
        let shared = Arc::clone(&self.buffers.shared);
        let buffers = Buffers::new(shared, width.words());
        PropnetLanes { network: Arc::clone(&self.network), width, buffers }
    }

    /// As lanes of some reasoner.
    pub fn boxed(self) -> BoxedLanes<Bits> {
        Box::new(self)
    }

    /// The state in which play starts.
    pub fn initial(&self) -> Bits {
        self.buffers.shared.initial.clone()
    }

    /// How many instructions one step of all lanes takes, cycles counted once.
    pub fn instructions(&self) -> usize {
        self.buffers.shared.program.ops.len()
    }

    /// How many values are kept at a time.
    pub fn slots(&self) -> usize {
        self.buffers.shared.program.slots
    }

    /// How many runs of instructions of one function there are.
    pub fn runs(&self) -> usize {
        self.buffers.shared.program.runs.len()
    }
}

impl Lanes for PropnetLanes {
    type State = Bits;

    fn duplicate(&self) -> BoxedLanes<Bits> {
        self.clone().boxed()
    }

    fn width(&self) -> usize {
        self.width.lanes()
    }

    fn run(&mut self, seed: u64, driver: &mut dyn Driver<Bits>) -> Tally {
        let buffers = &mut self.buffers;
        match self.width {
            Width::Plain64 => buffers.run::<1, Portable>(seed, driver),
            Width::Plain256 => buffers.run::<4, Portable>(seed, driver),
            Width::Plain512 => buffers.run::<8, Portable>(seed, driver),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => buffers.run::<4, kernel::Avx2>(seed, driver),
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => buffers.run::<8, kernel::Avx512>(seed, driver),
        }
    }

    fn sample(
        &mut self,
        seed: u64,
        sample: &Sample<Bits>,
        give_up: &mut dyn FnMut() -> bool,
    ) -> Sums {
        let buffers = &mut self.buffers;
        match self.width {
            Width::Plain64 => buffers.sample::<1, Portable>(seed, sample, give_up),
            Width::Plain256 => buffers.sample::<4, Portable>(seed, sample, give_up),
            Width::Plain512 => buffers.sample::<8, Portable>(seed, sample, give_up),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => buffers.sample::<4, kernel::Avx2>(seed, sample, give_up),
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => buffers.sample::<8, kernel::Avx512>(seed, sample, give_up),
        }
    }

    fn batch(&self, setup: BatchSetup) -> Result<Box<dyn Batch>, BatchError> {
        let (shared, network) = (&self.buffers.shared, &*self.network);
        match self.width {
            Width::Plain64 => batch::batch::<1, Portable>(shared, network, setup),
            Width::Plain256 => batch::batch::<4, Portable>(shared, network, setup),
            Width::Plain512 => batch::batch::<8, Portable>(shared, network, setup),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => batch::batch::<4, kernel::Avx2>(shared, network, setup),
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => batch::batch::<8, kernel::Avx512>(shared, network, setup),
        }
    }
}
