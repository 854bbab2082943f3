//! States of games of unknown type.

use std::any::Any;
use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A state of a game: a value that can be kept, compared, and given to the board it comes from. Copies
/// share their memory.
#[derive(Clone)]
pub struct State {
    content: Arc<dyn Content>,
    /// Whether what chance will bring was drawn anew, so that players may see it.
    is_shown: bool,
}

/// The state of a game of known type, with the number of its game.
struct Held<S> {
    game: u64,
    state: S,
}

trait Content: Send + Sync + Any {
    fn game(&self) -> u64;
    fn equals(&self, other: &dyn Any) -> bool;
    fn digest(&self) -> u64;
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn as_any(&self) -> &dyn Any;
}

impl<S: Eq + Hash + fmt::Debug + Send + Sync + 'static> Content for Held<S> {
    fn game(&self) -> u64 {
        self.game
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other
            .downcast_ref::<Self>()
            .is_some_and(|other| self.game == other.game && self.state == other.state)
    }

    fn digest(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(&self.state)
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt(f)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl State {
    /// A state of the game with this number.
    pub(crate) fn new<S>(game: u64, state: S) -> State
    where
        S: Eq + Hash + fmt::Debug + Send + Sync + 'static,
    {
        State { content: Arc::new(Held { game, state }), is_shown: false }
    }

    /// The number of the game it belongs to.
    pub(crate) fn game(&self) -> u64 {
        self.content.game()
    }

    /// The state as a type of game knows it, for code that draws states of that type; `None` if it is a
    /// state of another type of game.
    pub fn of<S: 'static>(&self) -> Option<&S> {
        self.content.as_any().downcast_ref::<Held<S>>().map(|held| &held.state)
    }

    /// The state as its game knows it.
    ///
    /// # Panics
    /// If it is a state of another type of game.
    pub(crate) fn get<S: 'static>(&self) -> &S {
        self.of().expect("a state is given to the board it comes from")
    }

    /// The same, marked as fit to be shown to players.
    pub(crate) fn shown(self) -> State {
        State { is_shown: true, ..self }
    }

    /// Whether both share their memory.
    pub(crate) fn is_same(&self, other: &State) -> bool {
        Arc::ptr_eq(&self.content, &other.content)
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.is_shown
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.is_same(other) || self.content.equals(other.content.as_any())
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.content.digest());
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.content.describe(f)
    }
}
