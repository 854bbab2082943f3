//! Random games of one rulesheet, followed step by step in another.
//!
//! Which move of the other game is which is not known, so all states of the other game that could be the
//! counterpart are kept: those that follow from a counterpart of the state before and look the same.
//! How a state looks is whether play is over, the goals, and how many moves each role has; where that
//! leaves more than one, how the states after it look counts too. If the games are equal, the true
//! counterpart is always among them; so if none is left, they are not. Unlike the trees of
//! [`crate::fingerprint`] this reaches the middle and the end of long games, and unlike a distribution
//! it is exact: one rare difference on the way is enough.

use std::collections::HashSet;
use std::time::Instant;

use gamegrove_game::{Fault, Game, Goal, Move, Rng, Role, joint_moves};
use serde::Serialize;

use crate::fingerprint::hash;

/// Counterparts kept at most; where more look the same the game is given up.
const WIDTH: usize = 200;

/// A game is given up after so many steps.
const LONGEST: u32 = 2_000;

/// How much to look at.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random games at most.
    pub games: u32,
    /// States looked at, in each game.
    pub looks: u64,
    /// When to stop.
    pub until: Option<Instant>,
    /// The settings of the games.
    pub seed: u64,
    /// Whether goals before the end count.
    pub running_goals: bool,
}

/// The findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Followed {
    /// Random games begun.
    pub games: u32,
    /// Games followed to their end.
    pub finished: u32,
    /// Steps that were followed, those of games given up included.
    pub steps: u64,
    /// The first step that leads to a state without a counterpart.
    pub stray: Option<Stray>,
}

/// Where two games part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stray {
    /// The number of the random game.
    pub game: u32,
    /// The number of its step.
    pub step: u32,
}

/// Plays random games of `one` and follows them in `other`.
pub fn follow<A: Game, B: Game>(one: A, other: B, effort: Effort) -> Result<Followed, Fault> {
    let (mut one, mut other) = (Watched::new(one, effort), Watched::new(other, effort));
    let mut found = Followed::default();
    for number in 0..effort.games {
        let pursuit = Pursuit { one: &mut one, other: &mut other };
        let ending = pursuit.run(Rng::stream(effort.seed, u64::from(number)));
        if let Some(fault) = one.game.take_fault().or_else(|| other.game.take_fault()) {
            return Err(fault);
        }
        found.games += 1;
        found.steps += u64::from(ending.steps());
        match ending {
            Ending::End(_) => found.finished += 1,
            Ending::Stray(step) => {
                found.stray = Some(Stray { game: number, step });
                break;
            }
            Ending::GivenUp(_) if one.spent() || other.spent() => break,
            Ending::GivenUp(_) => {}
        }
    }
    Ok(found)
}

/// How one game came out, and after how many steps.
enum Ending {
    /// Followed to its end.
    End(u32),
    /// No state of the other game looks like the one reached by this step.
    Stray(u32),
    /// Nothing to be said: too many look the same, or the effort is spent.
    GivenUp(u32),
}

impl Ending {
    fn steps(&self) -> u32 {
        match *self {
            Ending::End(steps) | Ending::Stray(steps) | Ending::GivenUp(steps) => steps,
        }
    }
}

/// One random game and its followers.
struct Pursuit<'a, A: Game, B: Game> {
    one: &'a mut Watched<A>,
    other: &'a mut Watched<B>,
}

impl<A: Game, B: Game> Pursuit<'_, A, B> {
    fn run(self, mut rng: Rng) -> Ending {
        let Pursuit { one, other } = self;
        let mut state = one.game.initial_state();
        let mut next = vec![other.game.initial_state()];
        for step in 0..LONGEST {
            let counterparts = match one.alike(&state, next, other) {
                None => return Ending::GivenUp(step),
                Some(alike) if alike.is_empty() => return Ending::Stray(step),
                Some(alike) if alike.len() > WIDTH => return Ending::GivenUp(step),
                Some(alike) => alike,
            };
            if one.game.is_terminal(&state) {
                return Ending::End(step);
            }
            // A role without a move: play stops here in the other game too, for it looks the same.
            let Some(reached) = one.random_step(&state, &mut rng) else {
                return Ending::End(step);
            };
            state = reached;
            next = counterparts.iter().flat_map(|state| other.successors(state)).collect();
        }
        Ending::GivenUp(LONGEST)
    }
}

/// A game whose states are looked at.
struct Watched<G: Game> {
    game: G,
    effort: Effort,
    looks: u64,
    goals: Vec<Goal>,
    moves: Vec<Move>,
}

impl<G: Game> Watched<G> {
    fn new(game: G, effort: Effort) -> Self {
        let goals = vec![Goal::default(); game.role_count()];
        Watched { game, effort, looks: 0, goals, moves: Vec::new() }
    }

    fn spent(&self) -> bool {
        self.looks > self.effort.looks
            || self.effort.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The observable part of a state by itself; nothing once the effort is spent.
    fn look(&mut self, state: &G::State) -> Option<u64> {
        self.looks += 1;
        if self.spent() {
            return None;
        }
        let over = self.game.is_terminal(state);
        let mut worth = 0;
        if over || self.effort.running_goals {
            self.game.goals(state, &mut self.goals);
            worth = hash(self.goals.iter().map(|goal| u64::from(goal.0.to_bits())));
        }
        if over {
            return Some(hash([1, worth]));
        }
        let counts = hash(Role::all(self.game.role_count()).map(|role| {
            self.game.legal_moves(state, role, &mut self.moves);
            self.moves.len() as u64
        }));
        Some(hash([2, worth, counts]))
    }

    /// The observable part of the states that follow.
    fn look_ahead(&mut self, state: &G::State) -> Option<u64> {
        let successors = self.successors(state);
        let mut after =
            successors.iter().map(|state| self.look(state)).collect::<Option<Vec<u64>>>()?;
        after.sort_unstable();
        Some(hash(after))
    }

    /// The states after a state, one for each joint move.
    fn successors(&mut self, state: &G::State) -> Vec<G::State> {
        if self.game.is_terminal(state) {
            return Vec::new();
        }
        let mut next = state.clone();
        let joints = joint_moves(&mut self.game, state);
        let step = |joint: Vec<Move>| {
            self.game.apply(state, &joint, &mut next);
            next.clone()
        };
        joints.into_iter().map(step).collect()
    }

    /// The states of `other` that look like `state`, each once; nothing once the effort is spent.
    fn alike<O: Game>(
        &mut self,
        state: &G::State,
        states: Vec<O::State>,
        other: &mut Watched<O>,
    ) -> Option<Vec<O::State>> {
        let here = self.look(state)?;
        let mut known = HashSet::new();
        for state in states {
            if other.look(&state)? == here {
                known.insert(state);
            }
        }
        if known.len() < 2 {
            return Some(known.into_iter().collect());
        }
        let ahead = self.look_ahead(state)?;
        let mut alike = Vec::new();
        for state in known {
            if other.look_ahead(&state)? == ahead {
                alike.push(state);
            }
        }
        Some(alike)
    }

    /// A state after this one, by moves drawn for each role; none where a role cannot move.
    fn random_step(&mut self, state: &G::State, rng: &mut Rng) -> Option<G::State> {
        let mut joint = Vec::new();
        for role in Role::all(self.game.role_count()) {
            self.game.legal_moves(state, role, &mut self.moves);
            joint.push(rng.pick(&self.moves)?);
        }
        let mut next = state.clone();
        self.game.apply(state, &joint, &mut next);
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_gdl::{Prover, Rulesheet};

    use super::*;
    use gamegrove_play::library;

    const EFFORT: Effort =
        Effort { games: 20, looks: 20_000, until: None, seed: 1, running_goals: true };

    fn rules(text: &str) -> Prover {
        let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
        Prover::new(&sheet.program).expect("a playable game")
    }

    fn shipped(name: &str) -> &'static str {
        library::find(name).expect("a shipped game").text
    }

    fn followed(one: &str, other: &str, effort: Effort) -> Followed {
        follow(rules(one), rules(other), effort).expect("no limit is hit")
    }

    #[test]
    fn a_game_is_followed_under_other_names_to_its_end() {
        let game = shipped("checkers");
        let renamed = game.replace("cell", "square").replace("noop", "wait").replace("bm", "zz");
        let found = followed(game, &renamed, Effort { games: 2, looks: 200_000, ..EFFORT });
        assert_eq!((found.games, found.stray), (2, None));
        assert!(found.steps > 60, "{found:?}");
    }

    #[test]
    fn a_rare_difference_far_from_the_start_is_found() {
        // Black's men do not become kings; trees of any depth that can be walked through are equal.
        let game = shipped("checkers");
        let other = game.replace("(crowned bm 8 bk)", "(crowned bm 8 bm)");
        assert_ne!(game, other);
        let found = followed(game, &other, Effort { looks: 400_000, ..EFFORT });
        assert!(found.stray.is_some_and(|stray| stray.step > 20), "{found:?}");
    }

    #[test]
    fn goals_before_the_end_count_if_wanted() {
        let game = shipped("breakthrough");
        let other = game.replace("(goal ?player 50)", "(goal ?player 40)");
        assert_ne!(game, other);
        let found = followed(game, &other, EFFORT);
        assert_eq!(found.stray, Some(Stray { game: 0, step: 0 }));
        let found = followed(game, &other, Effort { running_goals: false, ..EFFORT });
        assert_eq!(found.stray, None, "{found:?}");
    }

    #[test]
    fn states_that_look_the_same_are_given_up() {
        // Every lamp has the same number of moves after it.
        let game = shipped("lights_out");
        let found = followed(game, game, EFFORT);
        assert_eq!((found.finished, found.stray), (0, None));
    }

    #[test]
    fn effort_ends() {
        let game = shipped("connect_four");
        let found = followed(game, game, Effort { looks: 50, ..EFFORT });
        assert_eq!((found.games, found.finished, found.stray), (1, 0, None));
        let found = followed(game, game, Effort { until: Some(Instant::now()), ..EFFORT });
        assert_eq!((found.games, found.steps, found.stray), (1, 0, None));
        // Wherever the effort ends, it is no difference.
        for looks in (1..600).step_by(13) {
            let found = followed(game, game, Effort { looks, games: 2, ..EFFORT });
            assert_eq!(found.stray, None, "{looks} looks");
        }
    }
}
