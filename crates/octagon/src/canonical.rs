//! One state for all that a symmetry of the board maps to each other.
//!
//! The symmetries keep owners, stocks and the ply; the canonical state
//! is the image whose sets of pieces are smallest as numbers.

use gamegrove_game::Move;

use crate::octagon::Octagon;
use crate::state::State;
use crate::symmetry::{SYMMETRIES, map_mask};

/// A canonical state and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The state that stands for all its images.
    pub state: State,
    /// The symmetry that leads from the original to it; the first if there are several.
    pub symmetry: usize,
}

impl Octagon {
    /// The canonical form of `state`.
    pub fn canonical(&self, state: &State) -> Canonical {
        let mut best = Canonical { state: *state, symmetry: 0 };
        for symmetry in 1..SYMMETRIES {
            let image = self.state_image(symmetry, state);
            if image.pieces < best.state.pieces {
                best = Canonical { state: image, symmetry };
            }
        }
        best
    }

    /// The image of `state` under a symmetry.
    pub fn state_image(&self, symmetry: usize, state: &State) -> State {
        State { pieces: state.pieces.map(|set| self.symmetries().set(symmetry, set)), ..*state }
    }

    /// The image of `mov` under a symmetry; the move without effect stays.
    ///
    /// It does to the image of a state what `mov` does to the state. Of several placements with
    /// the same effect the image of the listed one need not be the listed one; see
    /// [`equivalent`](Octagon::equivalent).
    pub fn move_image(&self, symmetry: usize, mov: Move) -> Move {
        let Some((position, placement)) = self.placement(mov) else { return mov };
        let all = self.placements();
        let turned = map_mask(symmetry, all.mask(placement));
        let placement = all.find(all.piece(placement), turned).unwrap_or(placement);
        self.place(self.symmetries().position(symmetry, position), placement)
    }
}
