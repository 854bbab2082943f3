//! One video game between people and agents, tick by tick; who shows it is another matter.

use std::sync::Arc;

use gamegrove_game::{Fault, Game, Rng, Role};
use gamegrove_play::matches::realtime::RealTimeRules;
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::state::State;

use crate::session::Seat;

/// A video game that is being played.
///
/// Chance comes from the public framework's generator, so that `grove trace` with the same seed and
/// actions shows the same game.
pub struct VideoMatch {
    game: VideoGame,
    seats: Vec<Seat<VideoGame>>,
    seed: u64,
    rules: RealTimeRules,
    /// What agents are shown depends on it: never the game's own chance.
    rng: Rng,
    /// The state it is in.
    pub state: State,
    /// The actions so far, one per player.
    pub moves: Vec<Vec<Action>>,
    /// The limit that was hit, if any; the game is then over.
    pub fault: Option<Fault>,
}

impl VideoMatch {
    /// A game before its first tick.
    pub fn new(world: Arc<World>, seats: Vec<Seat<VideoGame>>, seed: u64) -> VideoMatch {
        let state = world.start().clone();
        let game = VideoGame::new(world, seed);
        let (rules, rng) = (RealTimeRules::COMPETITION, Rng::stream(seed, u64::MAX - 1));
        let moves = Vec::new();
        let mut game = VideoMatch { game, seats, seed, rules, rng, state, moves, fault: None };
        game.restart();
        game
    }

    /// The same with other rules for agents.
    pub fn with_rules(self, rules: &RealTimeRules) -> VideoMatch {
        VideoMatch { rules: *rules, ..self }
    }

    /// The level.
    pub fn world(&self) -> &Arc<World> {
        self.game.world()
    }

    /// Goes back to the start. Agents go on with what they know and with their own chance.
    pub fn restart(&mut self) {
        self.state.clone_from(self.game.world().start());
        self.state.set_chance(Chance::framework(self.seed));
        self.moves.clear();
        self.fault = None;
    }

    /// Whether a person plays as `player`.
    pub fn is_person(&self, player: usize) -> bool {
        matches!(self.seats.get(player), Some(Seat::Person))
    }

    /// Whether there is no tick left to play: the game has ended, or the rules give it no more ticks.
    pub fn is_over(&self) -> bool {
        self.state.is_over() || self.moves.len() >= self.rules.tick_limit as usize
    }

    /// Plays one tick. `people` has the actions of the people; those of agents are ignored.
    pub fn step(&mut self, people: &[Action]) {
        if self.is_over() {
            return;
        }
        let mut joint: Vec<Action> = Vec::with_capacity(self.seats.len());
        for (role, seat) in Role::all(self.seats.len()).zip(&mut self.seats) {
            joint.push(match seat {
                Seat::Person => people.get(role.index()).copied().unwrap_or_default(),
                Seat::Agent(agent) => {
                    let mut shown = self.state.clone();
                    self.game.resample(&mut shown, &mut self.rng);
                    if self.moves.is_empty() && !self.rules.setup.is_zero() {
                        agent.prepare(&shown, &self.rules.setup_budget());
                    }
                    let chosen = agent.choose(&shown, &self.rules.tick_budget());
                    chosen.map_or(Action::Nil, VideoGame::action)
                }
            });
        }
        self.game.advance(&mut self.state, &joint);
        self.fault = self.game.take_fault();
        self.moves.push(joint);
    }
}
