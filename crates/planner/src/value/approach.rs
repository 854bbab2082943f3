//! The score with knowledge of things added where it does not change: MAASTCTS2's evaluation
//! [Sironi 2019, 3.2.4].
//!
//! What meeting a kind brings is learned as a weight; coming nearer to a kind counts with its weight,
//! to one that was not met yet with the weight `curiosity`, times a factor for what kind of thing it
//! is. What cost points is fled from only if it is a character. The sum is brought to `[0, 0.5]` by
//! the least and greatest seen, and things collected and health gained add up to 0.25 each: never as
//! much as a point. Running out of time is a loss that counts 0.8.

use gamegrove_game::Category;
use gamegrove_search::{Entry, Parameter};

use super::{LAST_TICK, Trial, Valuation, with_end};
use crate::stat::Payoff;

const CURIOSITY: Parameter =
    Parameter::real("curiosity", 1.0, (0.0, 100.0), "the weight of kinds that were never met");
const PORTALS: Parameter =
    Parameter::real("portals", 1.0, (0.0, 100.0), "curiosity about doors and portals, times this");
const RESOURCES: Parameter = Parameter::real(
    "resources",
    1.0,
    (0.0, 100.0),
    "curiosity about things to collect, times this",
);
const CHARACTERS: Parameter =
    Parameter::real("characters", 1.0, (0.0, 100.0), "curiosity about what moves, times this");
const MOVABLES: Parameter = Parameter::real(
    "movables",
    1.0,
    (0.0, 100.0),
    "curiosity about what can be moved or flies, times this",
);
const STATICS: Parameter = Parameter::real(
    "statics",
    1.0,
    (0.0, 100.0),
    "curiosity about what stays where it is, times this",
);
const LASTING: Parameter = Parameter::flag(
    "lasting",
    false,
    "curiosity lasts until a thing was met in the real game by the avatar as it is now",
);
const SHARE: Parameter =
    Parameter::real("share", 0.5, (0.0, 100.0), "what the nearness of things may add, in points");
const FADE: Parameter = Parameter::real(
    "fade",
    0.9,
    (0.0, 1.0),
    "what is left of the least and greatest nearness seen when the next tick begins",
);

pub(super) const ENTRY: Entry<dyn Valuation> = Entry {
    name: "approach",
    sentence: "the score, and where it does not change the nearness of things by what they brought",
    source: "[Sironi 2019, 3.2.4]",
    parameters: &[
        CURIOSITY, PORTALS, RESOURCES, CHARACTERS, MOVABLES, STATICS, LASTING, SHARE, FADE,
    ],
    build: |options| {
        Ok(Box::new(Approach {
            curiosity: options.number(&CURIOSITY)?,
            portals: options.number(&PORTALS)?,
            resources: options.number(&RESOURCES)?,
            characters: options.number(&CHARACTERS)?,
            movables: options.number(&MOVABLES)?,
            statics: options.number(&STATICS)?,
            lasting: options.flag(&LASTING)?,
            share: options.number(&SHARE)?,
            fade: options.number(&FADE)?,
            least: 0.0,
            greatest: 0.0,
        }))
    },
};

struct Approach {
    curiosity: f64,
    portals: f64,
    resources: f64,
    characters: f64,
    movables: f64,
    statics: f64,
    lasting: bool,
    share: f64,
    fade: f64,
    least: f64,
    greatest: f64,
}

/// The weight of a loss by running out of time.
const OUT_OF_TIME: f64 = 0.8;

impl Approach {
    /// How much nearer everything is, by weight.
    fn nearness(&self, trial: &Trial<'_>) -> f64 {
        let pairs = trial.root.distances.iter().zip(&trial.end.distances).enumerate();
        let mut sum = 0.0;
        for (kind, (&from, &to)) in pairs {
            if !from.is_finite() || !to.is_finite() {
                continue;
            }
            let seen = |counts: &[u64]| counts.get(kind).is_some_and(|&count| count > 0);
            let known = trial.knowledge.weights[kind];
            // Curiosity ends once a thing is known to bring points.
            let met =
                if self.lasting && known == 0.0 { seen(trial.met) } else { seen(trial.before) };
            let weight = match (met, trial.categories.get(kind)) {
                // Only characters are fled from.
                (true, Some(Category::Character) | None) => known,
                (true, Some(_)) => known.max(0.0),
                (false, Some(Category::Portal)) => self.curiosity * self.portals,
                (false, Some(Category::Resource)) => self.curiosity * self.resources,
                (false, Some(Category::Character)) => self.curiosity * self.characters,
                (false, Some(Category::Movable)) => self.curiosity * self.movables,
                (false, Some(Category::Static)) => self.curiosity * self.statics,
                (false, _) => self.curiosity,
            };
            sum += weight * (from - to);
        }
        sum
    }
}

impl Valuation for Approach {
    fn measures(&self) -> bool {
        true
    }

    fn begin_step(&mut self) {
        // Bounds of an earlier decision fade, so that one great leap does not flatten all that follows.
        self.least *= self.fade;
        self.greatest *= self.fade;
    }

    fn value(&mut self, trial: &Trial<'_>) -> Payoff {
        let Trial { root, end, .. } = trial;
        if end.verdict.is_some() || end.score != root.score {
            let timeout = f64::from(end.tick) >= LAST_TICK;
            let middle = if end.verdict.is_none() { self.share / 2.0 } else { 0.0 };
            return with_end(end.score + middle, end, if timeout { OUT_OF_TIME } else { 1.0 });
        }
        let nearness = self.nearness(trial);
        self.least = self.least.min(nearness);
        self.greatest = self.greatest.max(nearness);
        let width = self.greatest - self.least;
        let share = if width > 0.0 { (nearness - self.least) / width } else { 0.5 };
        let goods = (end.goods - root.goods).clamp(-1, 1) as f64;
        let health = f64::from((end.health - root.health).clamp(-1, 1));
        let more = 0.25 * (goods + health) * (self.share / 0.5).min(1.0);
        with_end(end.score + self.share * share + more, end, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::look;
    use super::*;
    use crate::knowledge::Knowledge;

    fn fresh() -> Approach {
        Approach {
            curiosity: 1.0,
            portals: 1.0,
            resources: 1.0,
            characters: 1.0,
            movables: 1.0,
            statics: 1.0,
            lasting: false,
            share: 0.5,
            fade: 0.9,
            least: 0.0,
            greatest: 0.0,
        }
    }

    #[test]
    fn doors_may_be_more_interesting() {
        let mut approach = Approach { portals: 3.0, ..fresh() };
        let knowledge = Knowledge::new(2);
        let categories = [Category::Portal, Category::Character];
        let mut value = |to: [f64; 2]| {
            let (root, end) = (look(0.0, None, &[5.0, 5.0]), look(0.0, None, &to));
            let (before, knowledge) = (&[0, 0], &knowledge);
            let categories = &categories;
            approach
                .value(&Trial { root: &root, end: &end, before, knowledge, categories, met: &[] })
                .points
        };
        value([5.0, 1.0]);
        assert!(value([4.0, 7.0]) > value([6.0, 4.0]), "the door draws more than the character");
    }

    #[test]
    fn curiosity_goes_by_what_a_thing_is_and_its_share_is_limited() {
        // One field nearer to the first kind, one further from the second, both unknown.
        let value = |approach: &mut Approach, first: Category, second: Category| {
            let knowledge = Knowledge::new(2);
            let mut points = |to: &[f64]| {
                let (root, end) = (look(0.0, None, &[5.0, 5.0]), look(0.0, None, to));
                let (before, categories) = (&[0, 0], &[first, second]);
                let knowledge = &knowledge;
                let trial =
                    Trial { root: &root, end: &end, before, knowledge, categories, met: &[] };
                approach.value(&trial).points
            };
            let _ = points(&[5.0, 1.0]);
            let nearer = points(&[4.0, 6.0]);
            nearer - points(&[6.0, 4.0])
        };
        let (gem, bat, thing) = (Category::Resource, Category::Character, Category::Static);
        assert!(value(&mut Approach { resources: 2.0, ..fresh() }, gem, thing) > 0.0);
        assert!(value(&mut Approach { characters: 0.2, ..fresh() }, bat, thing) < 0.0);
        assert!(value(&mut Approach { statics: 0.1, ..fresh() }, thing, bat) < 0.0);
        let box_ = Category::Movable;
        assert!(value(&mut Approach { movables: 0.25, ..fresh() }, box_, gem) < 0.0);
        assert_eq!(value(&mut fresh(), bat, thing), 0.0);
        let mut wide = Approach { share: 3.0, ..fresh() };
        let knowledge = Knowledge::new(1);
        let mut points = |to: f64| {
            let (root, end) = (look(0.0, None, &[5.0]), look(0.0, None, &[to]));
            let (before, knowledge) = (&[0], &knowledge);
            let trial =
                Trial { root: &root, end: &end, before, knowledge, categories: &[], met: &[] };
            wide.value(&trial).points
        };
        assert_eq!((points(1.0), points(5.0)), (3.0, 0.0));
        // Without curiosity, and with nothing there, no state is better than another.
        let mut dull = Approach { curiosity: 0.0, ..fresh() };
        assert_eq!(value(&mut dull, gem, bat), 0.0);
    }

    #[test]
    fn what_was_collected_and_health_add_a_little() {
        let points = |goods: i64, health: i32| {
            let (root, mut end) = (look(0.0, None, &[]), look(0.0, None, &[]));
            (end.goods, end.health) = (goods, health);
            let knowledge = &Knowledge::new(0);
            let trial =
                Trial { root: &root, end: &end, before: &[], knowledge, categories: &[], met: &[] };
            fresh().value(&trial).points
        };
        // Half of the share of 0.5 where nothing is near or far.
        assert_eq!((points(0, 0), points(3, 0), points(0, -2)), (0.25, 0.5, 0.0));
        assert_eq!(points(2, 5), 0.75);
    }

    #[test]
    fn curiosity_may_last_until_something_was_really_met() {
        let mut knowledge = Knowledge::new(1);
        knowledge.learn(&[0], 0.0, Some(0.0));
        for (lasting, met, drawn) in [(false, 0, false), (true, 0, true), (true, 1, false)] {
            let mut approach = Approach { lasting, ..fresh() };
            let mut value = |to: f64| {
                let (root, end) = (look(0.0, None, &[5.0]), look(0.0, None, &[to]));
                let (knowledge, before) = (&knowledge, &[1]);
                let trial = Trial {
                    root: &root,
                    end: &end,
                    before,
                    knowledge,
                    categories: &[],
                    met: &[met],
                };
                approach.value(&trial).points
            };
            assert_eq!(value(1.0) > value(8.0), drawn, "{lasting} {met}");
        }
    }

    #[test]
    fn nearness_never_outweighs_a_point() {
        let mut approach = fresh();
        let mut knowledge = Knowledge::new(2);
        let value =
            |approach: &mut Approach, knowledge: &Knowledge, to: [f64; 2], before: [u64; 2]| {
                let (root, end) = (look(3.0, None, &[5.0, 5.0]), look(3.0, None, &to));
                approach
                    .value(&Trial {
                        root: &root,
                        end: &end,
                        before: &before,
                        knowledge,
                        categories: &[],
                        met: &[],
                    })
                    .points
            };
        let near = value(&mut approach, &knowledge, [1.0, 5.0], [0, 0]);
        let far = value(&mut approach, &knowledge, [7.0, 5.0], [0, 0]);
        assert_eq!((near, far), (3.5, 3.0));
        // What cost points when it was met is better left alone.
        knowledge.learn(&[0], -3.0, Some(-3.0));
        let near = value(&mut approach, &knowledge, [4.0, 5.0], [1, 0]);
        let far = value(&mut approach, &knowledge, [6.0, 5.0], [1, 0]);
        assert!(near < far);
        let gone = value(&mut approach, &knowledge, [f64::INFINITY, 5.0], [1, 0]);
        assert!(gone.is_finite());
    }

    #[test]
    fn only_characters_are_fled_from() {
        let mut knowledge = Knowledge::new(1);
        knowledge.learn(&[0], -3.0, Some(-3.0));
        let further_is_better = |category: Category| {
            let mut approach = fresh();
            let mut points = |to: f64| {
                let (root, end) = (look(0.0, None, &[5.0]), look(0.0, None, &[to]));
                let (categories, knowledge) = (&[category], &knowledge);
                let trial =
                    Trial { root: &root, end: &end, before: &[1], knowledge, categories, met: &[] };
                approach.value(&trial).points
            };
            points(8.0) > points(2.0)
        };
        assert!(further_is_better(Category::Character));
        assert!(!further_is_better(Category::Static));
        assert!(!further_is_better(Category::Movable));
    }

    #[test]
    fn bounds_fade_or_stay() {
        for (fade, flattened) in [(1.0, true), (0.0, false)] {
            let mut approach = Approach { fade, ..fresh() };
            let knowledge = Knowledge::new(1);
            let points = |approach: &mut Approach, to: f64| {
                let (root, end) = (look(0.0, None, &[50.0]), look(0.0, None, &[to]));
                let knowledge = &knowledge;
                let trial = Trial {
                    root: &root,
                    end: &end,
                    before: &[0],
                    knowledge,
                    categories: &[],
                    met: &[],
                };
                approach.value(&trial).points
            };
            let _ = points(&mut approach, 0.0);
            approach.begin_step();
            // After one great leap a step is little, unless the leap is forgotten.
            let step = points(&mut approach, 49.0) - points(&mut approach, 50.0);
            assert_eq!(step < 0.1, flattened, "{step}");
        }
    }

    #[test]
    fn running_out_of_time_is_not_as_bad_as_losing() {
        let mut approach = fresh();
        let knowledge = Knowledge::new(0);
        let root = look(0.0, None, &[]);
        let mut end = look(0.0, Some(false), &[]);
        let mut loss = |end: &_| {
            let trial = Trial {
                root: &root,
                end,
                before: &[],
                knowledge: &knowledge,
                categories: &[],
                met: &[],
            };
            approach.value(&trial).loss
        };
        assert_eq!(loss(&end), 1.0);
        end.tick = 2000;
        assert_eq!(loss(&end), 0.8);
    }
}
