//! A cache of answers around any reasoner [Sironi 2019, 4.3.1].
//!
//! Per state it keeps what has been asked: the end of play, the legal moves and goals of each role, and
//! the successor of each joint move. It pays where play comes back to the same states: in small games,
//! and late in others. Elsewhere looking up costs more than a fast reasoner's answer, so it is off
//! unless asked for.
//!
//! As published, it is empty at the start of a game, each player has its own, and at the end of each
//! turn states are dropped that were not asked about in the last two turns. The limit on its size is an
//! addition: when it is reached, nothing new is kept, and the reasoner answers.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use crate::{
    Batches, Describe, Evaluation, Fault, Features, Game, Goal, Move, Rng, Role, Senses, TypedMoves,
};

/// A game whose answers are remembered.
#[derive(Debug)]
pub struct Cached<G: Game> {
    /// The reasoner.
    pub game: G,
    /// The most states kept, those that follow others included.
    limit: usize,
    entries: Vec<Entry<G::State>>,
    /// Entries by state.
    numbers: HashTable<u32>,
    /// The entry that was asked for last.
    last: usize,
    successors: usize,
    turn: u32,
    fault: Option<Fault>,
}

#[derive(Debug)]
struct Entry<S> {
    state: S,
    /// The turn in which it was last asked for.
    used: u32,
    terminal: Option<bool>,
    legal: Vec<Option<Box<[Move]>>>,
    goals: Option<Box<[Goal]>>,
    next: FxHashMap<Box<[Move]>, S>,
}

impl<G: Game> Cached<G> {
    /// A cache around `game` for at most `limit` states.
    pub fn new(game: G, limit: usize) -> Self {
        Cached {
            game,
            limit: limit.min(u32::MAX as usize),
            entries: Vec::new(),
            numbers: HashTable::new(),
            last: 0,
            successors: 0,
            turn: 0,
            fault: None,
        }
    }

    /// How many states are kept, those that follow others included.
    pub fn len(&self) -> usize {
        self.entries.len() + self.successors
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets everything: a new game starts.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.numbers.clear();
        (self.last, self.successors, self.turn) = (0, 0, 0);
    }

    /// A turn of the game is over: states that were not asked about in it or the one before go.
    fn forget_old(&mut self) {
        let turn = self.turn;
        self.turn += 1;
        self.entries.retain(|entry| entry.used + 1 >= turn);
        self.successors = self.entries.iter().map(|entry| entry.next.len()).sum();
        self.last = 0;
        let (numbers, entries) = (&mut self.numbers, &self.entries);
        numbers.clear();
        for (number, entry) in entries.iter().enumerate() {
            numbers.insert_unique(hash(&entry.state), number as u32, |&other| {
                hash(&entries[other as usize].state)
            });
        }
    }

    /// The entry of a state; none if there is none and no room for one.
    fn entry(&mut self, state: &G::State) -> Option<usize> {
        if self.entries.get(self.last).is_some_and(|entry| entry.state == *state) {
            return Some(self.last);
        }
        let key = hash(state);
        let entries = &self.entries;
        let known = self.numbers.find(key, |&number| entries[number as usize].state == *state);
        let number = match known {
            Some(&number) => number as usize,
            None if self.len() >= self.limit => return None,
            None => {
                self.entries.push(Entry {
                    state: state.clone(),
                    used: self.turn,
                    terminal: None,
                    legal: vec![None; self.game.role_count()],
                    goals: None,
                    next: FxHashMap::default(),
                });
                let entries = &self.entries;
                let number = entries.len() - 1;
                self.numbers.insert_unique(key, number as u32, |&other| {
                    hash(&entries[other as usize].state)
                });
                number
            }
        };
        self.entries[number].used = self.turn;
        self.last = number;
        Some(number)
    }

    /// Whether the reasoner's last answer can be kept: not if it hit a limit.
    fn sound(&mut self) -> bool {
        let fault = self.game.take_fault();
        let sound = fault.is_none();
        self.fault = self.fault.take().or(fault);
        sound
    }
}

fn hash(state: &impl std::hash::Hash) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(state)
}

impl<G: Game> Clone for Cached<G> {
    /// A worker with a cache of its own, empty.
    fn clone(&self) -> Self {
        Cached::new(self.game.clone(), self.limit)
    }
}

impl<G: Game> Game for Cached<G> {
    type State = G::State;

    fn role_count(&self) -> usize {
        self.game.role_count()
    }

    fn move_bound(&self, role: Role) -> usize {
        self.game.move_bound(role)
    }

    fn initial_state(&mut self) -> G::State {
        self.game.initial_state()
    }

    fn is_terminal(&mut self, state: &G::State) -> bool {
        let entry = self.entry(state);
        if let Some(known) = entry.and_then(|entry| self.entries[entry].terminal) {
            return known;
        }
        let terminal = self.game.is_terminal(state);
        if self.sound()
            && let Some(entry) = entry
        {
            self.entries[entry].terminal = Some(terminal);
        }
        terminal
    }

    fn legal_moves(&mut self, state: &G::State, role: Role, moves: &mut Vec<Move>) {
        let entry = self.entry(state);
        let slot = entry.and_then(|entry| self.entries[entry].legal.get(role.index()));
        if let Some(Some(known)) = slot {
            moves.clear();
            moves.extend_from_slice(known);
            return;
        }
        self.game.legal_moves(state, role, moves);
        if self.sound()
            && let Some(entry) = entry
            && let Some(slot) = self.entries[entry].legal.get_mut(role.index())
        {
            *slot = Some(moves.as_slice().into());
        }
    }

    fn apply(&mut self, state: &G::State, joint: &[Move], next: &mut G::State) {
        let entry = self.entry(state);
        if let Some(known) = entry.and_then(|entry| self.entries[entry].next.get(joint)) {
            next.clone_from(known);
            return;
        }
        self.game.apply(state, joint, next);
        if self.sound()
            && self.len() < self.limit
            && let Some(entry) = entry
        {
            self.entries[entry].next.insert(joint.into(), next.clone());
            self.successors += 1;
        }
    }

    fn goals(&mut self, state: &G::State, goals: &mut [Goal]) {
        let entry = self.entry(state);
        let known = entry.and_then(|entry| self.entries[entry].goals.as_deref());
        if let Some(known) = known.filter(|known| known.len() == goals.len()) {
            goals.copy_from_slice(known);
            return;
        }
        self.game.goals(state, goals);
        if self.sound()
            && let Some(entry) = entry
        {
            self.entries[entry].goals = Some((&*goals).into());
        }
    }

    fn batches(&mut self) -> Option<&mut dyn Batches<G::State>> {
        self.game.batches()
    }

    fn end_turn(&mut self) {
        self.game.end_turn();
        self.forget_old();
    }

    fn resample(&mut self, state: &mut G::State, rng: &mut Rng) {
        self.game.resample(state, rng);
    }

    fn features(&self) -> Option<Box<dyn Features<G::State>>> {
        self.game.features()
    }

    fn move_types(&self) -> Option<Box<dyn TypedMoves<G::State>>> {
        self.game.move_types()
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<G::State>>> {
        self.game.evaluation()
    }

    fn senses(&self) -> Option<Box<dyn Senses<G::State>>> {
        self.game.senses()
    }

    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        self.game.stop_when(stop);
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.sound();
        self.fault.take()
    }
}

impl<G: Describe> Describe for Cached<G> {
    fn role_name(&self, role: Role) -> String {
        self.game.role_name(role)
    }

    fn move_name(&self, role: Role, mov: Move) -> String {
        self.game.move_name(role, mov)
    }

    fn find_move(&mut self, role: Role, name: &str) -> Option<Move> {
        self.game.find_move(role, name)
    }

    fn facts(&self, state: &G::State) -> Vec<String> {
        self.game.facts(state)
    }

    fn picture(&self, state: &G::State) -> Option<String> {
        self.game.picture(state)
    }

    fn outcome_in_words(&self, state: &G::State, role: Role, mov: Move) -> Option<String> {
        self.game.outcome_in_words(state, role, mov)
    }

    fn interpret(&mut self, state: &G::State, role: Role, text: &str) -> Option<Move> {
        self.game.interpret(state, role, text)
    }

    fn notation(&self) -> Option<&'static str> {
        self.game.notation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Player, Rng, perft};

    /// Adds up moves of 1 to 3 until 10 is reached; counts how often it is asked.
    #[derive(Clone, Debug, Default)]
    struct Sum {
        asked: u32,
        /// Asked about this state it hits a limit.
        broken: Option<u32>,
        fault: Option<Fault>,
    }

    impl Sum {
        fn ask(&mut self, state: u32) {
            self.asked += 1;
            if self.broken == Some(state) {
                self.fault = Some(Fault::Terms);
            }
        }
    }

    impl Game for Sum {
        type State = u32;

        fn role_count(&self) -> usize {
            1
        }

        fn move_bound(&self, _: Role) -> usize {
            3
        }

        fn initial_state(&mut self) -> u32 {
            0
        }

        fn is_terminal(&mut self, state: &u32) -> bool {
            self.ask(*state);
            *state >= 10
        }

        fn legal_moves(&mut self, state: &u32, _: Role, moves: &mut Vec<Move>) {
            self.ask(*state);
            moves.clear();
            moves.extend((0..3).map(Move));
        }

        fn apply(&mut self, state: &u32, joint: &[Move], next: &mut u32) {
            self.ask(*state);
            *next = state + 1 + joint[0].0;
        }

        fn goals(&mut self, state: &u32, goals: &mut [Goal]) {
            self.ask(*state);
            goals[0] = Goal(*state as f32);
        }

        fn take_fault(&mut self) -> Option<Fault> {
            self.fault.take()
        }
    }

    #[test]
    fn nothing_is_asked_twice() {
        let mut cached = Cached::new(Sum::default(), 1000);
        let plain = perft(&mut Sum::default(), &0, 8);
        assert_eq!(perft(&mut cached, &0, 8), plain);
        let asked = cached.game.asked;
        // 13 states: the end of each; legal moves and three successors of the ten that go on.
        assert_eq!(asked, 13 + 10 + 30);
        assert_eq!(cached.len(), 13 + 30);
        assert_eq!(perft(&mut cached, &0, 8), plain);
        assert_eq!(cached.game.asked, asked);
        let mut goals = [Goal::default()];
        (0..2).for_each(|_| cached.goals(&11, &mut goals));
        assert_eq!((goals[0], cached.game.asked), (Goal(11.0), asked + 1));
    }

    #[test]
    fn states_go_that_were_not_asked_about_for_two_turns() {
        let mut cached = Cached::new(Sum::default(), 1000);
        cached.is_terminal(&1);
        cached.end_turn();
        cached.is_terminal(&2);
        cached.end_turn();
        assert_eq!(cached.len(), 2, "1 was asked about in the turn before");
        cached.end_turn();
        assert_eq!(cached.len(), 1);
        cached.is_terminal(&2);
        assert_eq!(cached.game.asked, 2, "2 is still known");
        cached.is_terminal(&1);
        assert_eq!(cached.game.asked, 3);
        cached.clear();
        assert!(cached.is_empty());
    }

    #[test]
    fn the_limit_holds_and_changes_no_answer() {
        for limit in [0, 1, 7, 20] {
            let mut cached = Cached::new(Sum::default(), limit);
            assert_eq!(perft(&mut cached, &0, 8), perft(&mut Sum::default(), &0, 8));
            assert!(cached.len() <= limit.max(1), "{} of {limit}", cached.len());
        }
    }

    #[test]
    fn answers_at_a_limit_are_not_kept() {
        let mut cached = Cached::new(Sum { broken: Some(4), ..Sum::default() }, 1000);
        for _ in 0..2 {
            cached.is_terminal(&4);
            assert_eq!(cached.take_fault(), Some(Fault::Terms));
        }
        assert_eq!(cached.game.asked, 2);
    }

    #[test]
    fn random_games_are_the_same() {
        let mut plain = Player::new(Sum::default());
        let mut cached = Player::new(Cached::new(Sum::default(), 1000));
        let (mut one, mut other) = (Rng::new(5), Rng::new(5));
        for _ in 0..50 {
            let expected = plain.random_game(&0, 100, &mut one);
            assert_eq!(cached.random_game(&0, 100, &mut other), expected);
            assert_eq!((cached.state, cached.goals()), (plain.state, plain.goals()));
        }
        assert!(cached.game.game.asked < plain.game.asked / 4);
    }
}
