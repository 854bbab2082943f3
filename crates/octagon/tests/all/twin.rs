//! The fast game against the slow twin along random games, under every combination of options.

use crate::support;

use std::collections::BTreeMap;

use gamegrove_game::{Describe, Game, Move, Rng, Role, TypedMoves};
use gamegrove_octagon::{Amount, Octagon, Rules, State};
use support::plain::{Owners, Plain, Way};

/// The board of a state in the words of the twin.
fn owners(game: &Octagon, state: &State) -> Owners {
    let mut owners = Owners::new();
    for role in Role::all(2) {
        for position in game.board().members(state.pieces(role)) {
            owners.insert(game.board().point(position), role.0);
        }
    }
    owners
}

struct Match {
    game: Octagon,
    plain: Plain,
    state: State,
    moves: Vec<Move>,
    types: Vec<u8>,
}

impl Match {
    fn new(rules: Rules) -> Self {
        let mut game = Octagon::new(rules.clone()).unwrap();
        let state = game.initial_state();
        Match { game, plain: Plain::new(rules), state, moves: Vec::new(), types: Vec::new() }
    }

    /// Compares everything about the state and returns the moves, paired.
    fn compare(&mut self) -> Vec<(Move, Way)> {
        let Match { game, plain, state, moves, types } = self;
        assert_eq!(owners(game, state), plain.owners);
        assert_eq!(u32::from(state.ply()), plain.ply);
        for role in Role::all(2) {
            assert_eq!(state.stock(role).0.map(Amount::count), plain.stock[role.index()]);
        }
        assert_eq!(game.is_terminal(state), plain.is_over());
        let mover = state.mover();
        assert_eq!(mover.0, plain.mover());
        game.legal_moves(state, mover, moves);
        let ways = plain.moves();
        let mut by_name: BTreeMap<String, Way> =
            ways.iter().map(|way| (way.name.clone(), way.clone())).collect();
        assert_eq!(by_name.len(), ways.len(), "names are unique");
        assert_eq!(moves.len(), ways.len());
        let listed = moves.clone();
        game.typed_moves(state, mover, moves, types);
        assert_eq!(*moves, listed);
        assert_eq!(moves.len(), types.len());
        let mut pairs = Vec::new();
        for (&mov, &kind) in moves.iter().zip(types.iter()) {
            let name = game.move_name(mover, mov);
            let way = by_name.remove(&name).unwrap_or_else(|| panic!("{name} is not a move"));
            assert_eq!(game.find_move(mover, &name), Some(mov));
            assert_eq!(game.type_names()[usize::from(kind)], plain.type_of(&way), "{name}");
            assert_eq!(game.type_of(state, mover, mov), Some(kind));
            let mut next = *state;
            let mut joint = [game.noop(); 2];
            joint[mover.index()] = mov;
            game.apply(state, &joint, &mut next);
            assert_eq!(owners(game, &next), way.result, "{name} on\n{}", game.draw(state));
            let outcome = game.outcome(state, mov).unwrap();
            assert_eq!(outcome.piece.index(), way.piece, "{name}");
            assert_eq!(outcome.shifts.len(), way.moved);
            let lost = outcome.shifts.iter().filter(|shift| shift.enters.is_none()).count();
            assert_eq!(lost, way.killed);
            pairs.push((mov, way));
        }
        pairs
    }

    fn play(&mut self, (mov, way): &(Move, Way)) {
        let mut joint = [self.game.noop(); 2];
        joint[self.state.mover().index()] = *mov;
        let before = self.state;
        self.game.apply(&before, &joint, &mut self.state);
        self.plain.play(way);
    }

    /// Plays on, comparing every `stride` plies: comparing is slow, playing is not.
    fn random_game(&mut self, rng: &mut Rng, stride: u8) {
        loop {
            let mover = self.state.mover();
            let pairs = if self.state.ply().is_multiple_of(stride) {
                self.compare()
            } else {
                self.game.legal_moves(&self.state, mover, &mut self.moves);
                let Some(mov) = rng.pick(&self.moves) else { break };
                let (position, _) = self.game.placement(mov).unwrap();
                let name = self.game.move_name(mover, mov);
                let ways = self.plain.moves_at(&[self.game.board().point(position)]);
                let way = ways.into_iter().find(|way| way.name == name).unwrap();
                vec![(mov, way)]
            };
            if pairs.is_empty() {
                break;
            }
            self.play(&pairs[rng.below(pairs.len())]);
        }
        self.compare();
    }
}

#[test]
fn every_combination_of_options_agrees_with_the_rules_in_words() {
    for (number, rules) in support::all_rules().into_iter().enumerate() {
        let mut rng = Rng::stream(21, number as u64);
        Match::new(rules).random_game(&mut rng, 11);
    }
}

#[test]
fn the_shipped_boards_agree_at_every_ply() {
    for (number, description) in
        ["small", "medium", "large", "large, cannon=line_shift"].into_iter().enumerate()
    {
        let rules = support::game(description).rules().clone();
        let mut rng = Rng::stream(22, number as u64);
        for _ in 0..2 {
            Match::new(rules.clone()).random_game(&mut rng, 1);
        }
    }
}
