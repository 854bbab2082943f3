//! Rules in words: how a game ends, and what happens when sprites meet.
//!
//! Made from the compiled rules, so that the words cannot say anything the engine does not do.

use crate::effect::EffectId;
use crate::rules::{Condition, Rules, Termination};
use crate::types::TypeId;

/// The effects when sprites of two types meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The type that the effects happen to.
    pub first: String,
    /// The partner: a type, or the edge of the screen.
    pub second: String,
    /// The effects in their order, with the score they give.
    pub effects: Vec<String>,
}

impl Rules {
    /// How the game ends, one sentence per line of the termination set.
    pub fn endings(&self) -> Vec<String> {
        let mut endings: Vec<String> =
            self.terminations.iter().map(|ending| self.ending(ending)).collect();
        let limit = crate::ending::MAX_TICKS;
        endings.push(format!("Lost after {limit} ticks, if nothing ended it before."));
        endings
    }

    /// The effects of sprites that meet each other or leave the screen, in the order of the rules.
    pub fn meetings(&self) -> Vec<Meeting> {
        let mut meetings: Vec<Meeting> = self
            .pairs
            .iter()
            .map(|pair| Meeting {
                first: self.name(pair.first),
                second: self.name(pair.second),
                effects: pair.effects.iter().map(|&id| self.effect(id)).collect(),
            })
            .collect();
        let mut seen: Vec<TypeId> = Vec::new();
        for &ty in &self.edges {
            // A type is listed once per line, its effects under each of them.
            if seen.contains(&ty) {
                continue;
            }
            seen.push(ty);
            let effects = self.edge_effects.get(&ty).map(Vec::as_slice).unwrap_or_default();
            meetings.push(Meeting {
                first: self.name(ty),
                second: "the edge of the screen".to_owned(),
                effects: effects.iter().map(|&id| self.effect(id)).collect(),
            });
        }
        meetings
    }

    fn name(&self, ty: TypeId) -> String {
        self.types[ty].name.clone()
    }

    fn names(&self, types: &[TypeId]) -> String {
        let names: Vec<&str> = types.iter().map(|&ty| &*self.types[ty].name).collect();
        names.join(" and ")
    }

    fn effect(&self, id: EffectId) -> String {
        let effect = &self.effects[usize::from(id.0)];
        let mut words = effect.name().to_owned();
        let scores = [("score", &effect.score), ("score if killed", &effect.score_if_killed)];
        for (what, points) in scores {
            if points.iter().any(|&points| points != 0) {
                let points: Vec<String> = points.iter().map(|p| format!("{p:+}")).collect();
                words += &format!(", {what} {}", points.join("/"));
            }
        }
        words
    }

    fn ending(&self, ending: &Termination) -> String {
        let limit = ending.limit;
        let (count, at_most) = match limit {
            0 => ("no".to_owned(), "no".to_owned()),
            n => (format!("exactly {n}"), format!("at most {n}")),
        };
        let exactly = |min: bool| if min { format!("at least {limit}") } else { count.clone() };
        let when = match &ending.condition {
            Condition::SpriteCounter { of } => {
                format!("when {at_most} {} is left", self.name(*of))
            }
            Condition::SpriteCounterMore { of } => {
                format!("when there are at least {limit} of {}", self.name(*of))
            }
            Condition::MultiSpriteCounter { of, min } => {
                format!("when {} of {} are left", exactly(*min), self.names(of))
            }
            Condition::MultiSpriteCounterSubTypes { of, kinds } => {
                let name = of.map_or_else(|| "nothing".to_owned(), |of| self.name(of));
                format!("when {count} of {name} are left, of {kinds} kinds")
            }
            Condition::Timeout { .. } => format!("after {limit} ticks"),
            Condition::StopCounter { of, min } => {
                let names = self.names(of);
                let unless = if *min {
                    format!("there are more than {limit} of {names}")
                } else {
                    format!("{count} of {names} are left")
                };
                return format!("The lines that follow do not end the game while {unless}.");
            }
        };
        format!("{} {when}.", self.result(ending))
    }

    fn result(&self, ending: &Termination) -> String {
        if ending.count_score {
            return "The higher score wins".to_owned();
        }
        if matches!(ending.condition, Condition::Timeout { use_counter: true, .. }) {
            return "The counters decide".to_owned();
        }
        if self.players == 1 {
            let won = ending.win.first().copied().unwrap_or(false);
            return if won { "Won" } else { "Lost" }.to_owned();
        }
        let won = |player: &usize| ending.win.get(*player).copied().unwrap_or(false);
        let winners: Vec<String> =
            (0..self.players).filter(won).map(|player| format!("player{}", player + 1)).collect();
        match winners.len() {
            0 => "Nobody wins".to_owned(),
            1 => format!("{} wins", winners[0]),
            _ => format!("{} win", winners.join(" and ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::compile;

    #[test]
    fn rules_are_told() {
        let compiled = compile(
            "BasicGame
                SpriteSet
                    gold > Resource
                    orc > RandomNPC
                    avatar > MovingAvatar
                InteractionSet
                    avatar wall EOS > stepBack
                    gold avatar > collectResource scoreChange=2
                    orc avatar > subtractHealthPoints scoreChangeIfKilled=3
                    orc avatar > turnAround
                TerminationSet
                    StopCounter stype1=gold limit=2
                    MultiSpriteCounter stype1=gold stype2=orc limit=3 win=True
                    SpriteCounter stype=avatar win=False
                    SpriteCounterMore stype=orc limit=9 win=False
                    Timeout limit=100 win=True
            ",
        );
        assert!(!compiled.has_errors(), "{:?}", compiled.findings);
        assert_eq!(
            compiled.rules.endings(),
            [
                "The lines that follow do not end the game while exactly 2 of gold are left.",
                "Won when exactly 3 of gold and orc are left.",
                "Lost when no avatar is left.",
                "Lost when there are at least 9 of orc.",
                "Won after 100 ticks.",
                "Lost after 2000 ticks, if nothing ended it before.",
            ]
        );
        let told: Vec<String> = compiled
            .rules
            .meetings()
            .iter()
            .map(|m| format!("{} + {}: {}", m.first, m.second, m.effects.join("; ")))
            .collect();
        assert_eq!(
            told,
            [
                "avatar + wall: stepBack",
                "gold + avatar: collectResource, score +2",
                "orc + avatar: subtractHealthPoints, score if killed +3; turnAround",
                "avatar + the edge of the screen: stepBack",
            ]
        );
    }
}
