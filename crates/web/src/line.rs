//! One course of play of any game, whatever its type: positions, moves by name, drawings.
//!
//! A [`Stage`] is a game that was set up; a [`Line`] is one match's way through it. A line keeps states
//! and no reasoner: all lines of a game ask the stage's one worker, so that a match costs little
//! memory. Searches get a clone of their own ([`Thinker`]), and a line keeps what they remember.

use gamegrove_agents::{Agent, Maker};
use gamegrove_game::{BoxedLanes, Describe, Goal, Guarded, Move, Rng, Role};
use gamegrove_search::OutlineNode;
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::level::World;
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::brain::Memory;
use crate::drawing::{Artist, Drawing, Spot, VideoArtist};
use crate::think::{Mind, Thinker};

/// A position as it is asked about.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The legal moves of each role, by name.
    pub legal: Vec<Vec<String>>,
    /// Why play is over here, if it is.
    pub over: Option<&'static str>,
    /// What the position is worth to each role.
    pub goals: Vec<f32>,
    /// The limit that the rules hit, if they did.
    pub fault: Option<String>,
}

/// A legal move, for the page.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// Its name.
    pub name: String,
    /// The cells it means.
    pub spots: Vec<Spot>,
    /// What it does, if the game can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// A node of a searched tree, opened.
#[derive(Clone, Debug, Serialize)]
pub struct TreeView {
    /// Its number.
    pub node: usize,
    /// The nodes from the root to it, with the moves that lead to each.
    pub path: Vec<TreeEntry>,
    /// Its successors, the most visited first.
    pub children: Vec<TreeEntry>,
    /// The position.
    pub drawing: Drawing,
}

/// A node of a searched tree, in a list.
#[derive(Clone, Debug, Serialize)]
pub struct TreeEntry {
    /// Its number.
    pub node: usize,
    /// The moves that lead to it, of roles that had a choice.
    pub moves: Vec<String>,
    /// Simulations that came here.
    pub visits: u64,
    /// Their mean goal for the role that searched.
    pub mean: Option<f64>,
    /// How many successors are kept.
    pub children: usize,
}

/// A game that was set up.
pub trait Stage: Send + Sync {
    /// The names of the roles.
    fn roles(&self) -> &[String];

    /// A new course of play. Equal seeds have equal chance.
    fn line(&self, seed: u64) -> Box<dyn Line>;
}

/// Rules can give a role more moves than anybody can list, and a position more facts than can be kept.
const MOST_MOVES: usize = 20_000;
const MOST_FACTS: usize = 20_000;

/// One course of play.
pub trait Line: Send {
    /// Steps made.
    fn plies(&self) -> usize;

    /// The position after so many steps; the last if there are fewer.
    fn look(&self, ply: usize) -> Seen;

    /// The drawing of the position after so many steps.
    fn draw(&self, ply: usize) -> Drawing;

    /// The legal moves of a role at the end of the line, with their cells.
    fn choices(&self, role: usize, most: usize) -> Vec<Choice>;

    /// The moves of a step, by role.
    fn joint(&self, step: usize) -> Vec<String>;

    /// Makes a step, which must be legal.
    fn play(&mut self, joint: &[String]) -> Result<(), String>;

    /// Takes steps back.
    fn shorten(&mut self, plies: usize);

    /// The end of the line after one more step, drawn.
    fn preview(&self, joint: &[String]) -> Result<Drawing, String>;

    /// Someone who can think about the end of the line, elsewhere: the one who plays `role` and remembers
    /// the match, or, for no role, somebody new.
    fn thinker(&self, role: Option<usize>) -> Box<dyn Thinker>;

    /// Lets all who play forget what they remember of the match.
    fn forget(&mut self);

    /// A node of a tree that was searched after `ply` steps.
    fn tree(&self, ply: usize, nodes: &[OutlineNode], node: usize) -> Option<TreeView>;
}

/// What all lines of a game share.
pub struct Setup<G: Describe, A> {
    worker: Mutex<G>,
    lanes: Mutex<Option<BoxedLanes<G::State>>>,
    artist: A,
    names: Vec<String>,
    maker: Maker<Guarded<G>>,
    /// Whether agents remember the match between moves.
    remembers: bool,
}

impl<G: Describe, A> Setup<G, A> {
    /// A game to be played. `remembers` says whether agents keep what they think with from move to move:
    /// with a reasoner that takes much memory for itself they must not.
    pub fn new(
        game: G,
        lanes: Option<BoxedLanes<G::State>>,
        artist: A,
        remembers: bool,
    ) -> Arc<Setup<G, A>>
    where
        G: 'static,
    {
        Setup::played_by(Agent::player_on, game, lanes, artist, remembers)
    }

    /// As [`new`](Setup::new), of a game whose players `maker` makes.
    fn played_by(
        maker: Maker<Guarded<G>>,
        game: G,
        lanes: Option<BoxedLanes<G::State>>,
        artist: A,
        remembers: bool,
    ) -> Arc<Setup<G, A>> {
        let names = Role::all(game.role_count()).map(|role| game.role_name(role)).collect();
        let (worker, lanes) = (Mutex::new(game), Mutex::new(lanes));
        Arc::new(Setup { worker, lanes, artist, names, maker, remembers })
    }

    /// Memories of nothing yet, one for each role; none where nothing is to be remembered.
    fn fresh_memories(&self) -> Vec<Arc<Memory<G>>> {
        let roles = if self.remembers { self.names.len() } else { 0 };
        (0..roles).map(|_| Arc::default()).collect()
    }

    fn worker(&self) -> MutexGuard<'_, G> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A game without chance as a stage.
pub struct Fixed<G: Describe, A>(pub Arc<Setup<G, A>>);

impl<G, A> Stage for Fixed<G, A>
where
    G: Describe + 'static,
    A: Artist<G> + 'static,
{
    fn roles(&self) -> &[String] {
        &self.0.names
    }

    fn line(&self, _seed: u64) -> Box<dyn Line> {
        Box::new(Course::new(Arc::clone(&self.0), KEPT_STEPS))
    }
}

/// A level of a video game as a stage.
pub struct Level {
    world: Arc<World>,
    names: Vec<String>,
}

impl Level {
    /// The stage of a level.
    pub fn new(world: Arc<World>) -> Level {
        let game = VideoGame::new(Arc::clone(&world), 0);
        let roles = Role::all(gamegrove_game::Game::role_count(&game));
        let names = roles.map(|role| game.role_name(role)).collect();
        Level { world, names }
    }
}

/// Of a board game's states one in so many is kept; the others are played again from there.
const KEPT_STEPS: usize = 8;
/// Of a video game's states one in so many is kept; the others are played again from there.
const KEPT_TICKS: usize = 64;

impl Stage for Level {
    fn roles(&self) -> &[String] {
        &self.names
    }

    fn line(&self, seed: u64) -> Box<dyn Line> {
        let game = VideoGame::new(Arc::clone(&self.world), seed);
        let artist = VideoArtist::new(&self.world);
        let setup = Setup::played_by(Agent::video_player_on, game, None, artist, true);
        Box::new(Course::new(setup, KEPT_TICKS))
    }
}

/// A line of a game of a known type.
struct Course<G: Describe, A> {
    setup: Arc<Setup<G, A>>,
    /// The state after every `every` steps.
    kept: Vec<G::State>,
    every: usize,
    joints: Vec<Vec<Move>>,
    /// The state after all steps.
    end: G::State,
    /// What who plays each role remembers.
    memories: Vec<Arc<Memory<G>>>,
}

/// Who has not thought for more steps than this begins anew.
const MOST_MISSED: usize = 8;

impl<G: Describe, A> Course<G, A> {
    fn new(setup: Arc<Setup<G, A>>, every: usize) -> Self {
        let start = setup.worker().initial_state();
        let memories = setup.fresh_memories();
        Course { kept: vec![start.clone()], end: start, every, joints: Vec::new(), memories, setup }
    }

    /// The state after so many steps.
    fn state(&self, game: &mut G, ply: usize) -> G::State {
        if ply >= self.joints.len() {
            return self.end.clone();
        }
        let mut state = self.kept[ply / self.every].clone();
        let mut next = state.clone();
        for joint in &self.joints[ply / self.every * self.every..ply] {
            game.apply(&state, joint, &mut next);
            std::mem::swap(&mut state, &mut next);
        }
        state
    }

    fn moves(&self, game: &mut G, joint: &[String]) -> Result<Vec<Move>, String> {
        let names = &self.setup.names;
        if joint.len() != names.len() {
            return Err(format!("{} moves for {} roles", joint.len(), names.len()));
        }
        let mut legal = Vec::new();
        let mut moves = Vec::with_capacity(joint.len());
        for (role, name) in Role::all(names.len()).zip(joint) {
            game.legal_moves(&self.end, role, &mut legal);
            let found = legal.iter().copied().find(|&mov| game.move_name(role, mov) == *name);
            moves.push(found.ok_or_else(|| {
                format!("{name} is no legal move of {} here", names[role.index()])
            })?);
        }
        Ok(moves)
    }
}

impl<G, A> Line for Course<G, A>
where
    G: Describe + 'static,
    A: Artist<G> + 'static,
{
    fn plies(&self) -> usize {
        self.joints.len()
    }

    fn look(&self, ply: usize) -> Seen {
        let mut game = self.setup.worker();
        let game = &mut *game;
        let state = self.state(game, ply);
        let roles = self.setup.names.len();
        let terminal = game.is_terminal(&state);
        let mut legal: Vec<Vec<String>> = vec![Vec::new(); roles];
        let mut moves = Vec::new();
        let mut crowded = false;
        if !terminal {
            for role in Role::all(roles) {
                game.legal_moves(&state, role, &mut moves);
                crowded |= moves.len() > MOST_MOVES;
                moves.truncate(MOST_MOVES);
                legal[role.index()] = moves.iter().map(|&mov| game.move_name(role, mov)).collect();
            }
        }
        let mut goals = vec![Goal::default(); roles];
        game.goals(&state, &mut goals);
        let fault = game.take_fault().map(|fault| fault.to_string());
        let too_many = || format!("a role has more than {MOST_MOVES} legal moves here");
        let fault = fault.or_else(|| crowded.then(too_many));
        let over = match () {
            () if fault.is_some() => Some("fault"),
            () if terminal => Some("terminal"),
            () if legal.iter().any(Vec::is_empty) => Some("no-legal-move"),
            () => None,
        };
        Seen { legal, over, goals: goals.iter().map(|goal| goal.0).collect(), fault }
    }

    fn draw(&self, ply: usize) -> Drawing {
        let mut game = self.setup.worker();
        let game = &mut *game;
        let ply = ply.min(self.joints.len());
        let state = self.state(game, ply);
        let before = (ply > 0).then(|| self.state(game, ply - 1));
        let last = before.as_ref().map(|before| (before, self.joints[ply - 1].as_slice()));
        self.setup.artist.draw(game, &state, last)
    }

    fn choices(&self, role: usize, most: usize) -> Vec<Choice> {
        let mut game = self.setup.worker();
        let game = &mut *game;
        let role = Role(u8::try_from(role).unwrap_or(0));
        let mut moves = Vec::new();
        game.legal_moves(&self.end, role, &mut moves);
        let artist = &self.setup.artist;
        let choice = |&mov: &Move| {
            let name = game.move_name(role, mov);
            let words = artist.words(game, &self.end, role, mov);
            Choice { spots: artist.spots(game, mov, &name), name, words }
        };
        moves.iter().take(most).map(choice).collect()
    }

    fn joint(&self, step: usize) -> Vec<String> {
        let game = self.setup.worker();
        let joint = self.joints.get(step).map(Vec::as_slice).unwrap_or_default();
        let roles = Role::all(self.setup.names.len());
        roles.zip(joint).map(|(role, &mov)| game.move_name(role, mov)).collect()
    }

    fn play(&mut self, joint: &[String]) -> Result<(), String> {
        let setup = Arc::clone(&self.setup);
        let mut game = setup.worker();
        let moves = self.moves(&mut game, joint)?;
        let mut next = self.end.clone();
        game.apply(&self.end, &moves, &mut next);
        if let Some(fault) = game.take_fault() {
            return Err(fault.to_string());
        }
        if game.facts(&next).len() > MOST_FACTS {
            return Err(format!("the position has more than {MOST_FACTS} facts"));
        }
        self.end = next;
        self.joints.push(moves);
        if self.joints.len().is_multiple_of(self.every) {
            self.kept.push(self.end.clone());
        }
        Ok(())
    }

    fn shorten(&mut self, plies: usize) {
        let setup = Arc::clone(&self.setup);
        let end = self.state(&mut setup.worker(), plies);
        self.end = end;
        self.joints.truncate(plies);
        self.kept.truncate(plies / self.every + 1);
        // What was thought about steps that are gone must not count.
        self.memories = setup.fresh_memories();
    }

    fn preview(&self, joint: &[String]) -> Result<Drawing, String> {
        let mut game = self.setup.worker();
        let game = &mut *game;
        let moves = self.moves(game, joint)?;
        let mut next = self.end.clone();
        game.apply(&self.end, &moves, &mut next);
        match game.take_fault() {
            Some(fault) => Err(fault.to_string()),
            None => Ok(self.setup.artist.draw(game, &next, Some((&self.end, &moves)))),
        }
    }

    fn thinker(&self, role: Option<usize>) -> Box<dyn Thinker> {
        let mut game = self.setup.worker().clone();
        let lanes = self.setup.lanes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let memory = role.and_then(|role| self.memories.get(role)).cloned();
        let stop = memory.as_ref().map(|memory| memory.stop()).unwrap_or_default();
        let ply = self.joints.len();
        let known = memory.as_ref().and_then(|memory| memory.ply());
        let known = known.filter(|known| ply - known.min(&ply) <= MOST_MISSED).unwrap_or(ply);
        let missed = self.joints.iter().enumerate().skip(known);
        let missed =
            missed.map(|(step, joint)| (joint.clone(), self.state(&mut game, step + 1))).collect();
        let (state, maker) = (self.end.clone(), self.setup.maker);
        Box::new(Mind { game, lanes, maker, state, ply, missed, stop, memory })
    }

    fn forget(&mut self) {
        self.memories = self.setup.fresh_memories();
    }

    fn tree(&self, ply: usize, nodes: &[OutlineNode], node: usize) -> Option<TreeView> {
        let mut game = self.setup.worker();
        let game = &mut *game;
        let mut path = vec![node];
        while let Some(parent) = parent(nodes, path[path.len() - 1]) {
            path.push(parent);
        }
        path.reverse();
        if path[0] != 0 || node >= nodes.len() {
            return None;
        }
        let mut state = self.state(game, ply);
        let mut last = None;
        for &step in &path[1..] {
            let joint = complete(game, &state, &nodes[step].moves, self.setup.names.len())?;
            let mut next = state.clone();
            game.apply(&state, &joint, &mut next);
            last = Some((std::mem::replace(&mut state, next), joint));
        }
        let entry = |number: &usize| {
            let found = &nodes[*number];
            TreeEntry {
                node: *number,
                moves: found.moves.iter().map(|&(role, mov)| game.move_name(role, mov)).collect(),
                visits: found.visits,
                mean: found.mean,
                children: found.children.len(),
            }
        };
        let children = nodes[node].children.iter().map(entry).collect();
        let path = path.iter().map(entry).collect();
        let before = last.as_ref().map(|(before, joint)| (before, joint.as_slice()));
        let drawing = self.setup.artist.draw(game, &state, before);
        Some(TreeView { node, path, children, drawing })
    }
}

fn parent(nodes: &[OutlineNode], node: usize) -> Option<usize> {
    nodes.iter().position(|candidate| candidate.children.contains(&node))
}

/// The joint move of which only the choices are known.
fn complete<G: Describe>(
    game: &mut G,
    state: &G::State,
    chosen: &[(Role, Move)],
    roles: usize,
) -> Option<Vec<Move>> {
    let mut legal = Vec::new();
    let mut joint = Vec::with_capacity(roles);
    for role in Role::all(roles) {
        let known = chosen.iter().find(|(who, _)| *who == role).map(|&(_, mov)| mov);
        joint.push(match known {
            Some(mov) => mov,
            None => {
                game.legal_moves(state, role, &mut legal);
                *legal.first()?
            }
        });
    }
    Some(joint)
}

/// Any of the names, by a generator of its own.
pub fn any_of(names: &[String], seed: u64, number: u64) -> Option<String> {
    let names: Vec<&String> = names.iter().collect();
    Rng::stream(seed, number).pick(&names).cloned()
}
