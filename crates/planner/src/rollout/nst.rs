//! N-gram selection with the avatar's field in every element [Sironi 2019, 3.2.4]: with
//! probability epsilon any move, else the best by the mean over the lengths of its sequences. Moves
//! never played on this field count as the best there can be; longer sequences count from N visits
//! on, and none longer than one that has fewer.

use gamegrove_game::{Rng, Role};
use gamegrove_search::{Entry, Parameter, ParameterId};

use super::{Choice, Rollout, Sight};
use crate::grams::element;

const EPSILON: Parameter =
    Parameter::real("epsilon", 0.5, (0.0, 1.0), "the probability of a random move");
const L: Parameter = Parameter::whole("l", 3.0, (1.0, 5.0), "the greatest length of sequences");
const N: Parameter =
    Parameter::whole("n", 7.0, (0.0, 10_000.0), "visits a sequence longer than one needs");

pub(super) const ENTRY: Entry<dyn Rollout> = Entry {
    name: "nst",
    sentence: "what sequences of moves and fields brought so far",
    source: "[Sironi 2019, 3.2.4]",
    parameters: &[EPSILON, L, N],
    build: |options| {
        Ok(Box::new(Nst {
            epsilon: options.parameter(&EPSILON)?,
            l: options.parameter(&L)?,
            n: options.parameter(&N)?,
        }))
    },
};

struct Nst {
    epsilon: ParameterId,
    l: ParameterId,
    n: ParameterId,
}

impl Rollout for Nst {
    fn sight(&self) -> Sight {
        Sight { grams: true, ..Sight::default() }
    }

    fn gram_length(&self) -> Option<ParameterId> {
        Some(self.l)
    }

    fn choose(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        let get = |id| choice.values.get(Role(0), id);
        let count = choice.moves.len();
        if rng.unit() < get(self.epsilon) {
            return rng.below(count);
        }
        let (length, least) = (get(self.l) as usize, get(self.n));
        let (mut best, mut top, mut equals) = (0, f64::NEG_INFINITY, 0);
        for (at, &mov) in choice.moves.iter().enumerate() {
            let (mut sum, mut lengths) = (0.0, 0.0);
            let last = element(mov, choice.look.cell);
            choice.grams.each(choice.elements, last, length, &mut |stat| {
                match stat {
                    None if lengths == 0.0 => sum = 1.0,
                    Some(stat) if lengths == 0.0 || stat.visits >= least => {
                        sum += choice.bounds.mean(&stat);
                    }
                    _ => return false,
                }
                lengths += 1.0;
                stat.is_some()
            });
            let value = sum / f64::max(lengths, 1.0);
            if value > top {
                (best, top, equals) = (at, value, 1);
            } else if value == top {
                equals += 1;
                if rng.below(equals) == 0 {
                    best = at;
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_game::Move;
    use gamegrove_search::{Declarations, Values};

    use super::*;
    use crate::grams::Grams;
    use crate::model::Look;
    use crate::stat::{Bounds, Payoff, Scale};

    const A: Move = Move(1);
    const B: Move = Move(2);

    /// How often of 1000 times A is chosen before B on field 3, after B was played on field 2.
    fn chosen(epsilon: f64, l: f64, n: f64, grams: &Grams) -> usize {
        let mut declared = Declarations::default();
        let mut nst = Nst {
            epsilon: declared.add(&[], EPSILON, epsilon),
            l: declared.add(&[], L, l),
            n: declared.add(&[], N, n),
        };
        let mut bounds = Bounds::new(Scale::Huge);
        for points in [0.0, 10.0] {
            bounds.see(&Payoff { points, ..Payoff::default() });
        }
        let look = Look { cell: 3, ..Look::default() };
        let choice = Choice {
            moves: &[A, B],
            directions: &[None, None],
            look: &look,
            ahead: &[],
            elements: &[element(B, 2)],
            grams,
            bounds: &bounds,
            values: &Values::new(&declared.0, 1),
        };
        let mut rng = Rng::new(4);
        (0..1000).filter(|_| nst.choose(&choice, &mut rng) == 0).count()
    }

    /// Sequences with what they brought.
    fn grams(played: &[(&[(Move, u32)], f64)]) -> Grams {
        let mut grams = Grams::new(1.0);
        for (moves, points) in played {
            let elements: Vec<u64> = moves.iter().map(|&(mov, cell)| element(mov, cell)).collect();
            grams.add(&elements, 3, &Payoff { points: *points, ..Payoff::default() });
        }
        grams
    }

    #[test]
    fn the_better_move_on_this_field_is_played() {
        let alone = grams(&[(&[(A, 3)], 6.0), (&[(B, 3)], 4.0), (&[(B, 4)], 10.0)]);
        assert_eq!(chosen(0.0, 3.0, 7.0, &alone), 1000);
        let any = chosen(1.0, 3.0, 7.0, &alone);
        assert!((440..=560).contains(&any), "{any}");
        let half = chosen(0.5, 3.0, 7.0, &alone);
        assert!((700..=800).contains(&half), "{half}");
    }

    #[test]
    fn what_was_never_played_here_counts_as_the_best() {
        assert_eq!(chosen(0.0, 3.0, 7.0, &grams(&[(&[(B, 3)], 9.0)])), 1000);
        let neither = chosen(0.0, 3.0, 7.0, &Grams::new(1.0));
        assert!((440..=560).contains(&neither), "{neither}");
    }

    #[test]
    fn longer_sequences_count_from_so_many_visits_on() {
        // Alone A has (8 + 8) / 2 = 8 and B (10 + 0 + 10) / 3 = 6.7; after B on field 2, A brought 8 and
        // B 10: means over both lengths of 8 and 8.3.
        let played = grams(&[
            (&[(A, 3)], 8.0),
            (&[(B, 2), (A, 3)], 8.0),
            (&[(B, 3)], 10.0),
            (&[(B, 3)], 0.0),
            (&[(B, 2), (B, 3)], 10.0),
        ]);
        assert_eq!(chosen(0.0, 1.0, 1.0, &played), 1000, "single moves only");
        assert_eq!(chosen(0.0, 2.0, 1.0, &played), 0);
        assert_eq!(chosen(0.0, 2.0, 2.0, &played), 1000, "pairs were seen once");
    }
}
