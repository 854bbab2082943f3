//! A level of a video game as a place where agents play in real time.

use std::time::Duration;

use crate::matches::realtime::{
    Lateness, RealTimeRecord, RealTimeRules, RealTimeTerms, Spending, play_realtime,
};
use crate::matches::{Allowance, Clocks};
use gamegrove_agents::{Agent, AgentError, Player};
use gamegrove_game::{Move, Rng, Role};
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::state::State;

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
    let tick = match clocks.play {
        // Time is the thread's processor time there anyway.
        Allowance::Time(time) | Allowance::Processor(time) => Spending::Time(time),
        Allowance::Simulations(count) => Spending::Iterations(count),
        Allowance::Nothing => Spending::Iterations(0),
    };
    let setup = match clocks.start {
        Allowance::Time(time) | Allowance::Processor(time) => time,
        Allowance::Nothing | Allowance::Simulations(_) => Duration::from_secs(1),
    };
    let limit = u32::try_from(step_limit).unwrap_or(u32::MAX);
    let rules = RealTimeRules::COMPETITION;
    RealTimeRules { setup, lateness: Lateness::Lenient, tick_limit: limit, ..rules }.with(tick)
}

/// Whether an agent can play here.
pub fn admit(video: &Video, agent: &Agent) -> Result<(), AgentError> {
    agent.player(VideoGame::new(video.world.clone(), 0), Role(0), 0).map(|_| ())
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
        .map(|(role, agent)| agent.player(game.clone(), role, seat_seed(seed, role)))
        .collect();
    let names = seats.iter().map(|agent| agent.name.clone()).collect();
    Ok(play_with(video, &mut players?, names, rules, seed, watch))
}

/// What the player of a role gets as its seed: players must not share the game's chance.
pub fn seat_seed(seed: u64, role: Role) -> u64 {
    Rng::stream(seed, 1 + u64::from(role.0)).next_u64()
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
