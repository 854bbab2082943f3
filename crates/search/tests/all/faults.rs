//! A state whose rules cannot be worked out ends its own simulation, and no other.

use crate::support::mcts;
use gamegrove_game::{Fault, Game, Goal, Move, Role};
use gamegrove_search::{Budget, Search};

/// The first move leads to a state that is beyond the reasoner, which from then on says that play is
/// over until the fault is taken; the others are worth 60 and 90.
#[derive(Clone, Default)]
struct Trap {
    fault: bool,
}

impl Game for Trap {
    type State = Option<u8>;

    fn role_count(&self) -> usize {
        1
    }

    fn move_bound(&self, _: Role) -> usize {
        3
    }

    fn initial_state(&mut self) -> Option<u8> {
        None
    }

    fn is_terminal(&mut self, state: &Option<u8>) -> bool {
        self.fault |= *state == Some(0);
        self.fault || state.is_some()
    }

    fn legal_moves(&mut self, _: &Option<u8>, _: Role, moves: &mut Vec<Move>) {
        moves.clear();
        if !self.fault {
            moves.extend((0..3).map(Move));
        }
    }

    fn apply(&mut self, _: &Option<u8>, joint: &[Move], next: &mut Option<u8>) {
        *next = Some(joint[0].0 as u8);
    }

    fn goals(&mut self, state: &Option<u8>, goals: &mut [Goal]) {
        goals[0] = match state {
            _ if self.fault => Goal(50.0),
            Some(1) => Goal(60.0),
            Some(2) => Goal(90.0),
            _ => Goal::WORST,
        };
    }

    fn take_fault(&mut self) -> Option<Fault> {
        std::mem::take(&mut self.fault).then_some(Fault::Terms)
    }
}

#[test]
fn a_fault_ends_one_simulation() {
    for settings in [
        mcts("uct", "random"),
        mcts("uct", "random").with("tree", "open"),
        mcts("uct", "random").with("threads", 2.0).with("parallel", "tree"),
        mcts("grave", "mast"),
    ] {
        let mut search = Search::new(Trap::default(), &settings, 1).expect("good settings");
        // The game is tried on faulty ground before, too.
        search.set_root(&Some(0));
        search.set_root(&None);
        search.run(&Budget::simulations(1_000));
        let report = search.report(Role(0));
        let mean = |mov| {
            let found = report.moves.iter().find(|report| report.mov == Move(mov));
            found.unwrap_or_else(|| panic!("{settings}: move {mov} was tried")).mean
        };
        assert_eq!((mean(0), mean(1), mean(2)), (Some(0.0), Some(60.0), Some(90.0)), "{settings}");
    }
}
