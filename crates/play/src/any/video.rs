//! Levels of video games behind the face of any game: chance by seed, matches in real time.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::matches::MatchRules;
use gamegrove_agents::{Agent, AgentError};
use gamegrove_game::{Move, Role};
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::state::State;

use super::guest::{Seat, Taste};
use super::setup::{At, Held, Setup};
use super::show::VideoShow;
use super::{AnyGame, AnyPlayer, AnyPosition, Played, StopFlag};
use crate::realtime;
use crate::video::Video;

/// A level of a video game.
pub(super) struct Level {
    held: Held<VideoGame, VideoShow>,
    video: Video,
}

impl Level {
    pub(super) fn new(video: Video) -> Level {
        let game = VideoGame::new(video.world.clone(), 0);
        let show = VideoShow::new(&video.world);
        Level { held: Held(Setup::new(&video.name, game, None, show)), video }
    }
}

impl AnyGame for Level {
    fn roles(&self) -> &[String] {
        self.held.roles()
    }

    fn move_bound(&self, role: Role) -> usize {
        self.held.move_bound(role)
    }

    fn move_name(&self, role: Role, mov: Move) -> String {
        self.held.move_name(role, mov)
    }

    fn find_move(&self, role: Role, name: &str) -> Option<Move> {
        self.held.find_move(role, name)
    }

    fn start(&self, seed: u64) -> Arc<dyn AnyPosition> {
        let state = realtime::start(&self.video, seed);
        Arc::new(At { setup: Arc::clone(&self.held.0), state })
    }

    fn lanes(&self) -> usize {
        0
    }

    fn shape(&self) -> Option<Vec<usize>> {
        self.held.shape()
    }

    fn shape_names(&self) -> Vec<String> {
        self.held.shape_names()
    }

    fn player(
        &self,
        agent: &Agent,
        taste: Option<&Taste>,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn AnyPlayer>, AgentError> {
        self.held.player(agent, taste, role, seed)
    }

    fn play(
        &self,
        seats: Vec<Seat>,
        rules: &MatchRules,
        stop: &StopFlag,
    ) -> Result<Played, AgentError> {
        let names = seats.iter().map(|seat| seat.name().to_owned()).collect();
        let seeds =
            Role::all(seats.len()).map(|role| crate::real_time::seat_seed(rules.seed, role));
        let mut players = self.held.0.seated(seats, seeds)?;
        let terms = realtime::rules(&rules.clocks, rules.step_limit);
        let mut goes_on = |_: &State, _: &[Move]| !stop.load(Ordering::Relaxed);
        let video = &self.video;
        let record =
            realtime::play_with(video, &mut players, names, &terms, rules.seed, &mut goes_on);
        Ok(Played::Video(record))
    }
}
