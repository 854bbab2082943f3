//! N-gram selection with the avatar's field in every element (video-games, section 10.2): with
//! probability epsilon any move, else the best by the mean over the lengths of its sequences. Moves
//! never played on this field count as the best there can be; longer sequences count from N visits
//! on, and none longer than one that has fewer.

use gamegrove_game::{Rng, Role};

use super::{Choice, Rollout, Sight};
use crate::parameter::{Parameter, ParameterId, Values};
use crate::plan::grams::element;
use crate::registry::Entry;

const EPSILON: Parameter =
    Parameter::real("epsilon", 0.5, (0.0, 1.0), "the probability of a random move");
const L: Parameter = Parameter::whole("l", 3.0, (1.0, 5.0), "the greatest length of sequences");
const N: Parameter =
    Parameter::whole("n", 7.0, (0.0, 10_000.0), "visits a sequence longer than one needs");

pub(super) const ENTRY: Entry<dyn Rollout> = Entry {
    name: "nst",
    sentence: "what sequences of moves and fields brought so far",
    source: "video-games, section 10.2",
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

    fn gram_length(&self, values: &Values) -> usize {
        values.get(Role(0), self.l) as usize
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
