//! One attempt at a network, in steps that each watch the limits.
//!
//! What cannot be grounded in full is grounded in part (`gamegrove_gdl::ground`): of wide relations
//! only what the rules ask for. A network that runs out of time while it is optimised is used as
//! far as it got: it answers alike, only slower.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use gamegrove_game::{Game, Rng};
use gamegrove_gdl::{LimitHit, Limits, Meter, Program, Prover, Way, ground};
use thiserror::Error;

use super::codec::Codec;
use super::compare::{Disagreement, compare};
use super::rates::{Rates, compare_rates, rate_of_lanes};
use crate::build::{BuildError, build};
use crate::circuit::Circuit;
use crate::evaluate::Forward;
use crate::game::Propnet;
use crate::invariants::Flaw;
use crate::lanes::PropnetLanes;
use crate::network::Network;
use crate::optimise::Sequence;
use crate::state::Bits;

/// The reason why there is no network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WhyNot {
    /// It could not be built.
    #[error("{0}")]
    Build(#[from] BuildError),
    /// It does not answer like the prover.
    #[error("{0}")]
    Disagrees(#[from] Disagreement),
    /// The position holds facts that the network does not know.
    #[error("the position is none that play from the start leads to")]
    Unknown,
    /// The prover is faster.
    #[error("it is faster than the network; {0}")]
    Slower(Rates),
    /// The system gave no thread.
    #[error("no thread could be started: {0}")]
    NoThread(String),
    /// The thread ended without a result.
    #[error("building the network ended without a result")]
    Broken,
}

impl From<LimitHit> for WhyNot {
    fn from(hit: LimitHit) -> WhyNot {
        WhyNot::Build(hit.into())
    }
}

impl From<Flaw> for WhyNot {
    fn from(flaw: Flaw) -> WhyNot {
        WhyNot::Build(flaw.into())
    }
}

/// A network that is ready for play.
#[derive(Debug)]
pub(super) struct Attempt {
    pub game: Propnet,
    pub codec: Codec,
    /// How long it took.
    pub time: Duration,
    pub remark: Option<String>,
    /// How fast it and the prover are, if that was asked.
    pub rates: Option<Rates>,
}

/// Random games from the start in which the network must agree with the prover, and their length.
const TRIAL_GAMES: u64 = 3;
const TRIAL_STEPS: u32 = 60;

impl Attempt {
    /// Builds a network within limits and compares its answers with the prover's, and if `timed` also
    /// its speed.
    pub fn run(
        program: &Arc<Program>,
        mut prover: Prover,
        limits: &Limits,
        timed: bool,
    ) -> Result<Attempt, WhyNot> {
        let start = Instant::now();
        let (grounding, way) = ground(program, limits)?;
        let mut remark = (way != Way::Condensed).then(|| way.to_string());
        let network = build(&grounding, 0, &limits.left(start))?;
        drop(grounding);
        let (network, cut_short) = optimise(network, &limits.left(start))?;
        if cut_short {
            remark = Some("optimised only in part, because a limit was hit".to_owned());
        }
        let network = Arc::new(network);
        // What was optimised until the time was up is used, so this step has some time of its own.
        let left = limits.left(start);
        let time = left.time.zip(limits.time).map(|(left, all)| left.max(all / 4));
        let mut meter = Meter::new(&Limits { time, ..left });
        let circuit = Circuit::new_within(&network, &mut meter)?;
        let evaluator = Forward::tuned(&circuit, Bits::initial(&network).words());
        drop(circuit);
        let mut game: Propnet = Propnet::with_evaluator(&network, evaluator);
        let meter = Meter::new(&Limits { time: None, ..limits.clone() });
        let deadline = limits.time.and_then(|time| start.checked_add(time));
        let in_time = || deadline.is_none_or(|deadline| Instant::now() < deadline);
        for seed in 0..TRIAL_GAMES {
            meter.check(network.bytes())?;
            let (facts, bits) = (prover.initial_state(), game.initial_state());
            // The first game is compared for some steps even if the time is up.
            let goes_on = |step: u32| {
                let cancelled = limits.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed));
                !cancelled && step < TRIAL_STEPS && (in_time() || (seed == 0 && step < 5))
            };
            let mut rng = Rng::stream(1, seed);
            compare(&mut prover, &facts, &mut game, &bits, &mut rng, goes_on)?;
        }
        meter.check(network.bytes())?;
        let time = start.elapsed();
        let rates =
            if timed { Some(rates(&mut prover, &mut game, &limits.left(start))) } else { None };
        Ok(Attempt { game, codec: Codec::new(&network), time, remark, rates })
    }
}

/// How fast prover and network are. Lanes are made only where one state at a time is slower than the
/// prover.
fn rates(prover: &mut Prover, game: &mut Propnet, limits: &Limits) -> Rates {
    let stop = || limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let mut rates = compare_rates(prover, game, &stop);
    if rates.prover_is_fastest() {
        let lanes = PropnetLanes::new_within(game.network(), limits).ok();
        rates.lanes = lanes.map(rate_of_lanes);
    }
    rates
}

/// The network after all passes, or after as many as there was time for.
fn optimise(network: Network, limits: &Limits) -> Result<(Network, bool), LimitHit> {
    let mut meter = Meter::new(limits);
    let mut network = network;
    for pass in Sequence::default().passes() {
        match pass.run_within(&network, &mut meter) {
            Ok(smaller) => network = smaller,
            Err(LimitHit::Time(_) | LimitHit::Steps(_)) => return Ok((network, true)),
            Err(hit) => return Err(hit),
        }
    }
    Ok((network, false))
}
