//! A level of a video game as a place where agents play in real time.

use crate::matches::Clocks;
use crate::matches::realtime::{RealTimeRecord, RealTimeRules, RealTimeTerms, play_realtime};
use gamegrove_agents::{Agent, AgentError, Player};
use gamegrove_game::{Move, Role};
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::state::State;

use crate::real_time::seat_seed;
use crate::video::Video;

/// The state in which a game with this seed starts. Chance is that of the public framework, so that
/// `grove trace` shows the same game for the same seed and actions.
pub fn start(video: &Video, seed: u64) -> State {
    let mut state = video.world.start().clone();
    state.set_chance(Chance::framework(seed));
    state
}

/// The rules that clocks mean: late answers count all the same.
pub fn rules(clocks: &Clocks, step_limit: usize) -> RealTimeRules {
    RealTimeRules::of_clocks(clocks, step_limit)
}

/// Whether an agent can play here.
pub fn admit(video: &Video, agent: &Agent) -> Result<(), AgentError> {
    agent.video_player(VideoGame::new(video.world.clone(), 0), Role(0), 0).map(|_| ())
}

/// Plays one game; `seats` has one agent per role. `watch` sees every state with the moves that led
/// to it, and ends the game by returning `false`. Without a clock equal seeds give equal games.
pub fn play(
    video: &Video,
    seats: &[&Agent],
    rules: &RealTimeRules,
    seed: u64,
    watch: &mut dyn FnMut(&State, &[Move]) -> bool,
) -> Result<RealTimeRecord, AgentError> {
    let game = VideoGame::new(video.world.clone(), seed);
    let players: Result<Vec<Box<dyn Player<VideoGame>>>, AgentError> = Role::all(seats.len())
        .zip(seats)
        .map(|(role, agent)| agent.video_player(game.clone(), role, seat_seed(seed, role)))
        .collect();
    let names = seats.iter().map(|agent| agent.name.clone()).collect();
    Ok(play_with(video, &mut players?, names, rules, seed, watch))
}

/// As [`play`], with players that were made elsewhere and are called so.
pub fn play_with(
    video: &Video,
    players: &mut [Box<dyn Player<VideoGame>>],
    names: Vec<String>,
    rules: &RealTimeRules,
    seed: u64,
    watch: &mut dyn FnMut(&State, &[Move]) -> bool,
) -> RealTimeRecord {
    let terms = RealTimeTerms {
        game: video.name.clone(),
        level: video.level,
        level_name: video.level_name.clone(),
        players: names,
        seed,
        rules: *rules,
    };
    let mut game = VideoGame::new(video.world.clone(), seed);
    play_realtime(&mut game, &start(video, seed), players, &terms, watch)
}
