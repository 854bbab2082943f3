//! From a game's text to a game that is ready.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_game::Describe;
use gamegrove_gdl::{FactSet, Limits, Prover, ProverLimits, Reading, Rulesheet};
use gamegrove_propnet::{Auto, Codec, Propnet, PropnetLanes};
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::game::VideoGame;

use crate::board::Board;
use crate::budget::StopFlag;
use crate::library::Kind;
use crate::load::{LevelChoice, Source};
use crate::problem::{Problem, Result};
use crate::reasoner::{Ready, Reasoner, automatic, native, ready, unplayable};
use crate::rules::Rules;
use crate::show::{FactShow, OctagonShow, VideoShow};
use crate::typed::{Abilities, StateOf, Typed};
use crate::video::{self, Video};

/// How a game is set up.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The reasoner that is to answer questions about the rules.
    pub reasoner: Reasoner,
    /// How long to wait for a network where the prover would do.
    pub patience: Duration,
    /// Whether `auto` takes the prover where it is measured to be faster. The prover numbers moves in
    /// another way, so this is for play that ends by the clock: where simulations are counted equal
    /// seeds give equal results.
    pub by_the_clock: bool,
    /// Limits of building that network. Their flag ends all of the set-up, and the search for a board.
    pub network: Limits,
    /// Limits of the prover, for rules that are not trusted; also of the one that plays the random games in
    /// which a board is looked for.
    pub prover: ProverLimits,
}

impl Setup {
    /// The usual limits.
    pub fn new(reasoner: Reasoner) -> Setup {
        Setup {
            reasoner,
            patience: Duration::from_secs(20),
            by_the_clock: false,
            network: Limits::default(),
            prover: ProverLimits::default(),
        }
    }

    /// The flag that ends the set-up.
    fn stop(&self) -> StopFlag {
        self.network.cancel.clone().unwrap_or_default()
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::new(Reasoner::Auto)
    }
}

/// Opens a game; `level` is for video games.
pub fn open(source: &Source, level: &LevelChoice, setup: &Setup) -> Result<Arc<dyn Board>> {
    if source.kind == Kind::Vgdl {
        if !matches!(setup.reasoner, Reasoner::Auto | Reasoner::Native) {
            return Err(Problem::usage(
                format!("{} is a video game, which plays itself", source.name),
                "choose no reasoner",
            ));
        }
        return Ok(open_level(video::load(source, level)?));
    }
    open_rules(source, source.rules(Reading::Logical)?, setup)
}

/// Makes a level of a video game a board.
pub fn open_level(video: Video) -> Arc<dyn Board> {
    let abilities: Abilities<VideoGame> = Abilities {
        // The public framework's chance, so that the same seed and actions give the same game there.
        seed: Some(|state, seed| state.set_chance(Chance::framework(seed))),
        level: Some((video.level, video.level_name)),
        maker: Agent::video_player_on,
        ..Abilities::new(VideoShow::new(&video.world))
    };
    let game = VideoGame::new(video.world, 0);
    Typed::board((&video.name, Kind::Vgdl), "native", video.remarks, game, None, abilities)
}

/// Makes rules a board; `source` says what the game is called and how it is drawn.
pub fn open_rules(source: &Source, rules: Rules, setup: &Setup) -> Result<Arc<dyn Board>> {
    let name = source.name.as_str();
    let sheet = match rules {
        Rules::Native(game) => {
            native(name, setup.reasoner)?;
            let abilities = Abilities::new(OctagonShow::new(&game));
            let named = (name, Kind::Native);
            return Ok(Typed::board(named, "native", Vec::new(), *game, None, abilities));
        }
        Rules::Sheet(sheet) => Arc::new(*sheet),
    };
    let (found, told) = match setup.reasoner {
        Reasoner::Auto => {
            let Setup { network, prover, by_the_clock, .. } = setup;
            let auto = Auto::with_prover(&sheet.program, network, *prover, *by_the_clock);
            automatic(name, auto.map_err(|error| unplayable(name, &error))?, setup.patience)?
        }
        Reasoner::Prover => {
            let prover = Prover::stoppable(&sheet.program, setup.prover, &setup.stop());
            (Ready::Prover(Box::new(prover.map_err(|error| unplayable(name, &error))?)), None)
        }
        reasoner => ready(name, &sheet, reasoner, setup.patience)?,
    };
    let remarks: Vec<String> = told.into_iter().collect();
    let opened = Opened { source, sheet: &sheet, setup, remarks };
    Ok(match found {
        Ready::Prover(game) => opened.prover(*game, "prover"),
        Ready::CachedProver(game) => {
            let show = opened.show(None);
            opened.with(setup.reasoner.name(), *game, show)
        }
        Ready::CachedNetwork(game) => {
            let show = opened.show(Some(game.game.network().bases().len()));
            opened.with(setup.reasoner.name(), *game, show)
        }
        Ready::Hardware(game) => {
            let show = opened.show(Some(game.fact_count()));
            opened.with(setup.reasoner.name(), *game, show)
        }
        Ready::Network(game) => opened.network(*game, !setup.reasoner.is_one_state_network()),
    })
}

/// A prover as a board, for callers that set it up themselves.
pub fn open_prover(
    source: &Source,
    sheet: &Arc<Rulesheet>,
    prover: Prover,
    setup: &Setup,
) -> Arc<dyn Board> {
    Opened { source, sheet, setup, remarks: Vec::new() }.prover(prover, "prover")
}

/// A network as a board, for callers that built it themselves; with lanes if they are wanted.
pub fn open_network(
    source: &Source,
    sheet: &Arc<Rulesheet>,
    network: Propnet,
    setup: &Setup,
    lanes: bool,
) -> Arc<dyn Board> {
    Opened { source, sheet, setup, remarks: Vec::new() }.network(network, lanes)
}

/// A rulesheet whose reasoner is ready.
struct Opened<'a> {
    source: &'a Source,
    sheet: &'a Arc<Rulesheet>,
    setup: &'a Setup,
    remarks: Vec<String>,
}

impl Opened<'_> {
    fn show(&self, facts: Option<usize>) -> FactShow {
        let (source, sheet) = (self.source.clone(), Arc::clone(self.sheet));
        FactShow::new(source, sheet, facts, (self.setup.prover, self.setup.stop()))
    }

    fn prover(self, game: Prover, reasoner: &str) -> Arc<dyn Board> {
        let find =
            |game: &mut Prover, facts: &[String]| -> Option<FactSet> { game.state_of(facts) };
        let state_of: Option<StateOf<Prover>> = Some(Box::new(find));
        let abilities = Abilities { state_of, ..Abilities::new(self.show(None)) };
        Typed::board((&self.source.name, Kind::Gdl), reasoner, self.remarks, game, None, abilities)
    }

    fn network(self, game: Propnet, lanes: bool) -> Arc<dyn Board> {
        let lanes = lanes
            .then(|| PropnetLanes::new(game.network()).ok().map(PropnetLanes::boxed))
            .flatten();
        let reasoner = if lanes.is_some() { "lanes" } else { "propnet" };
        let show = self.show(Some(game.network().bases().len()));
        let network = Arc::clone(game.network());
        let codec = OnceLock::new();
        let find = move |_: &mut Propnet, facts: &[String]| {
            codec.get_or_init(|| Codec::new(&network)).bits(facts)
        };
        let state_of: Option<StateOf<Propnet>> = Some(Box::new(find));
        let abilities = Abilities { state_of, ..Abilities::new(show) };
        Typed::board((&self.source.name, Kind::Gdl), reasoner, self.remarks, game, lanes, abilities)
    }

    fn with<G: Describe + 'static>(
        self,
        reasoner: &str,
        game: G,
        show: FactShow,
    ) -> Arc<dyn Board> {
        let abilities = Abilities::new(show);
        Typed::board((&self.source.name, Kind::Gdl), reasoner, self.remarks, game, None, abilities)
    }
}
