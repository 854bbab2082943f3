//! States rated by a weight for each position.
//!
//! [Fernandes 2013, 2.4] The weights of a player's own pieces minus those of the enemy's, with
//! one weight for each symmetry class of positions.

use gamegrove_game::{Evaluation, Role};

use crate::board::{Bits, Board, MAX_HALF_WIDTH};
use crate::octagon::Octagon;
use crate::state::State;

/// The classes of all boards: weights have the same names on each, and those of classes that a board
/// lacks weigh nothing there.
fn classes() -> impl Iterator<Item = (u8, u8)> {
    (1..=MAX_HALF_WIDTH).flat_map(|greater| (0..=greater).map(move |lesser| (greater, lesser)))
}

/// Rates states of one board.
struct ByClass(Vec<Bits>);

impl ByClass {
    fn new(board: &Board) -> Self {
        let members = |class| {
            let of_class = board.positions().filter(move |&at| board.class(at) == class);
            of_class.fold(0, |set, at| set | 1 << board.bit(at))
        };
        ByClass(classes().map(members).collect())
    }
}

impl Evaluation<State> for ByClass {
    fn weight_names(&self) -> Vec<String> {
        classes().map(|(greater, lesser)| format!("c{greater}_{lesser}")).collect()
    }

    fn value(&mut self, state: &State, role: Role, weights: &[f64]) -> f64 {
        let (own, other) = (state.pieces(role), state.pieces(Role(1 - (role.0 & 1))));
        let difference = |set: &Bits| {
            f64::from((own & set).count_ones()) - f64::from((other & set).count_ones())
        };
        self.0.iter().zip(weights).map(|(set, weight)| weight * difference(set)).sum()
    }
}

impl Octagon {
    pub(crate) fn by_class(&self) -> Box<dyn Evaluation<State>> {
        Box::new(ByClass::new(self.board()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn weights_add_up_over_positions_of_their_class() {
        let game = Octagon::new(Config::shipped().rules("small").unwrap()).unwrap();
        let picture = "XO.\n.....\n.......\n..X#O..\n.......\n.....\n..X";
        let state = game.read_picture(picture, 4).unwrap();
        let mut rating = game.by_class();
        let names = rating.weight_names();
        assert_eq!(names.len(), 2 + 3 + 4 + 5 + 6);
        let weight = |name: &str| match name {
            "c1_0" => 1.0,   // one X and one O
            "c3_0" => 10.0,  // one O
            "c3_1" => 100.0, // two X, in two of the corners
            _ => 1e6,
        };
        let weights: Vec<f64> = names.iter().map(|name| weight(name)).collect();
        assert_eq!(rating.value(&state, Role(0), &weights), 190.0);
        assert_eq!(rating.value(&state, Role(1), &weights), -190.0);
    }
}
