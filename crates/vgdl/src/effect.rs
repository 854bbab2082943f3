//! Effects compiled: one line of the interaction set to one [`Effect`] (`vgdl-ontology`, 3.4).

use gamegrove_settings::nearest;
use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, MAX_FINDINGS, Span};
use crate::ontology::{EFFECT_PARAMETERS, EFFECTS, TIMER_PARAMETERS, effect_parameters};
use crate::syntax::{Line, Word};
use crate::types::{TypeId, TypeTable};
use crate::value::Value;

/// The number of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EffectId(pub u16);

/// How one sprite becomes another.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields are the parameters of the ontology")]
pub struct Transform {
    pub to: TypeId,
    pub kill_second: bool,
    pub force_orientation: bool,
}

/// The way in which an effect changes a speed.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the variants say what they do")]
pub enum SpeedChange {
    Add(f64),
    Subtract(f64),
    Set(f64),
}

/// The kinds of effects with their parameters.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the variants and fields are the names of the ontology")]
pub enum Kind {
    StepBack {
        pixel_perfect: bool,
    },
    UndoAll {
        except: Vec<TypeId>,
    },
    TurnAround,
    ReverseDirection,
    FlipDirection,
    AttractGaze {
        align: bool,
    },
    Align {
        orient: bool,
    },
    BounceForward,
    PullWithIt {
        pixel_perfect: bool,
    },
    WrapAround {
        offset: f64,
    },
    TeleportToExit,
    WallStop,
    WallBounce,
    WallReverse,
    BounceDirection {
        max_angle: f64,
    },
    KillSprite,
    KillBoth,
    KillAll {
        of: TypeId,
    },
    KillIfHasLess {
        resource: TypeId,
        limit: i32,
    },
    KillIfHasMore {
        resource: TypeId,
        limit: i32,
    },
    KillIfOtherHasMore {
        resource: Option<TypeId>,
        limit: i32,
        subtract: bool,
    },
    KillIfFromAbove,
    KillIfFrontal {
        frontal: bool,
    },
    KillIfAlive,
    KillIfSpeed {
        limit: f64,
        fast: bool,
    },
    KillIfNotUpright,
    TransformTo(Transform),
    TransformToAll {
        from: TypeId,
        transform: Transform,
    },
    TransformIfCount {
        transform: Transform,
        count: Option<TypeId>,
        geq: i32,
        leq: i32,
        otherwise: Option<TypeId>,
    },
    TransformToSingleton {
        to: TypeId,
        other: TypeId,
        take_orientation: bool,
    },
    TransformToRandomChild(Transform),
    CloneSprite,
    Spawn {
        to: TypeId,
    },
    SpawnBehind {
        to: TypeId,
    },
    SpawnBeside {
        to: Option<TypeId>,
        dx: i32,
        dy: i32,
        step_back: bool,
    },
    SpawnIfHasMore {
        resource: TypeId,
        limit: i32,
        to: TypeId,
        spend: i32,
    },
    SpawnIfHasLess {
        resource: TypeId,
        limit: i32,
        to: TypeId,
    },
    SpawnIfCounterSubTypes {
        to: TypeId,
        otherwise: TypeId,
        count: TypeId,
        limit: i32,
        kinds: i32,
    },
    CollectResource {
        kill: bool,
    },
    CollectResourceIfHeld {
        held: Option<TypeId>,
        value: i32,
        kill: bool,
    },
    ChangeResource {
        resource: Option<TypeId>,
        value: i32,
        kill: bool,
    },
    AddHealth {
        value: i32,
        kill_second: bool,
        to_max: bool,
    },
    SubtractHealth {
        value: i32,
        limit: i32,
        of: Option<TypeId>,
    },
    ShieldFrom {
        from: TypeId,
        effect: Option<u16>,
    },
    AddTimer {
        timed: u16,
    },
    ChangeSpeed {
        of: TypeId,
        change: SpeedChange,
    },
    UpdateSpawnType {
        to: TypeId,
        spawner: TypeId,
    },
    RemoveScore {
        of: Option<TypeId>,
        kill_second: bool,
    },
    HalfSpeed,
    WaterPhysics,
}

/// One line of the interaction set, compiled.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Which of [`EFFECTS`] it is.
    pub name: u16,
    /// Its function.
    pub kind: Kind,
    /// Score it gives, by player.
    pub score: Vec<i32>,
    /// Score of a kill, by player (only `subtractHealthPoints`).
    pub score_if_killed: Vec<i32>,
    /// The changes of the counters when its condition holds.
    pub counter: Vec<i32>,
    /// The changes of the counters when its condition does not hold.
    pub counter_else: Vec<i32>,
    /// Whether its score counts unless it decides itself.
    pub apply_score: bool,
    /// Chance of the effects that draw.
    pub prob: f64,
    /// How often the effect is registered.
    pub repeat: i32,
}

impl Effect {
    /// Its name in descriptions.
    pub fn name(&self) -> &'static str {
        EFFECTS[usize::from(self.name)]
    }

    /// Whether it handles all second sprites at once.
    pub fn is_batch(&self) -> bool {
        matches!(self.kind, Kind::WallBounce | Kind::WallReverse)
    }
}

/// When a timed effect fires.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// Its function.
    pub effect: EffectId,
    /// Whose score and counters it gives: its own line's.
    pub scores: EffectId,
    /// To the sprites of which type; `None` fires once without a sprite.
    pub of: Option<TypeId>,
    /// Ticks between two executions.
    pub timer: i32,
    /// Whether it fires again and again.
    pub repeating: bool,
    /// Tick of the first execution.
    pub first: i32,
}

/// A line that cannot be compiled. The framework then ignores the rest of the file.
pub(crate) struct Lost(pub Diagnostic);

/// Compiles lines of the interaction set.
pub(crate) struct EffectCompiler<'a> {
    pub table: &'a TypeTable,
    pub players: usize,
    pub counters: usize,
    pub effects: Vec<Effect>,
    pub timed: Vec<Timed>,
}

/// The parameters of one line.
struct Parameters<'t> {
    values: FxHashMap<&'t str, (Value, Word<'t>)>,
    line: Span,
}

impl<'t> Parameters<'t> {
    fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(key).map(|(value, _)| value)
    }

    fn int(&self, key: &str, default: i32) -> i32 {
        self.value(key).and_then(Value::int).unwrap_or(default)
    }

    fn double(&self, key: &str, default: f64) -> f64 {
        self.value(key).and_then(Value::double).unwrap_or(default)
    }

    fn bool(&self, key: &str, default: bool) -> bool {
        self.value(key).and_then(Value::bool).unwrap_or(default)
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.value(key).and_then(Value::text)
    }

    fn span(&self, key: &str) -> Span {
        self.values.get(key).map_or(self.line, |(_, word)| word.span)
    }
}

impl EffectCompiler<'_> {
    /// Compiles the effect of `line`, whose words from number `from` on stand after the sprites.
    pub fn compile(
        &mut self,
        line: &Line<'_>,
        from: usize,
        findings: &mut Vec<Diagnostic>,
    ) -> Result<EffectId, Lost> {
        let Some(function) = line.keyword(from) else {
            return Err(Lost(Diagnostic::error(
                "no-effect",
                line.span,
                "this line names no effect",
            )));
        };
        let values = line
            .parameters(from)
            .map(|p| (p.key.text, (Value::parse(p.key.text, p.value.text), p.value)))
            .collect();
        let parameters = Parameters { values, line: line.span };
        let timed = line.words[..from].iter().any(|w| w.text.eq_ignore_ascii_case("TIME"));
        self.check(line, from, function.text, timed, findings);
        self.build(function, &parameters)
    }

    fn check(
        &self,
        line: &Line<'_>,
        from: usize,
        function: &str,
        timed: bool,
        findings: &mut Vec<Diagnostic>,
    ) {
        // An added timer hands its parameters to another effect.
        let inner = line.parameters(from).find(|p| p.key.text == "ftype").map(|p| p.value.text);
        for parameter in line.parameters(from) {
            let key = parameter.key.text;
            let known = EFFECT_PARAMETERS.contains(&key)
                || effect_parameters(function).contains(&key)
                || (timed || function == "addTimer") && TIMER_PARAMETERS.contains(&key)
                || function == "addTimer"
                    && inner.is_some_and(|inner| effect_parameters(inner).contains(&key));
            if known || findings.len() >= MAX_FINDINGS {
                continue;
            }
            let all = EFFECTS.iter().flat_map(|name| effect_parameters(name));
            let elsewhere = TIMER_PARAMETERS.contains(&key) || all.clone().any(|name| *name == key);
            if elsewhere {
                findings.push(Diagnostic::warning(
                    "unused-parameter",
                    parameter.key.span,
                    format!("The effect {function} has no parameter `{key}`"),
                ));
                continue;
            }
            let mut finding = Diagnostic::error(
                "unknown-parameter",
                parameter.key.span,
                format!("there is no effect parameter `{key}`"),
            );
            let own = effect_parameters(function).iter().chain(EFFECT_PARAMETERS).copied();
            if let Some(near) = nearest(key, own) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            findings.push(finding);
        }
    }

    fn build(&mut self, function: Word<'_>, p: &Parameters<'_>) -> Result<EffectId, Lost> {
        let Some(name) = EFFECTS.iter().position(|known| *known == function.text) else {
            let mut finding = Diagnostic::error(
                "unknown-effect",
                function.span,
                format!("there is no effect `{}`", function.text),
            )
            .label("the framework drops everything from here on");
            if let Some(near) = nearest(function.text, EFFECTS.iter().copied()) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            return Err(Lost(finding));
        };
        let kind = self.kind(function.text, p)?;
        let list = |key: &str, count: usize| number_list(p.text(key).unwrap_or("0"), count);
        let effect = Effect {
            name: name as u16,
            kind,
            score: list("scoreChange", self.players),
            score_if_killed: list("scoreChangeIfKilled", self.players),
            counter: list("counter", self.counters),
            counter_else: list("counterElse", self.counters),
            apply_score: p.bool("applyScore", true),
            prob: p.double("prob", 1.0),
            repeat: p.int("repeat", 1),
        };
        let id = EffectId(self.effects.len() as u16);
        if let Kind::AddTimer { timed } = effect.kind {
            self.timed[usize::from(timed)].scores = id;
        }
        self.effects.push(effect);
        Ok(id)
    }

    fn sprite(&self, p: &Parameters<'_>, key: &str) -> Option<TypeId> {
        p.text(key).and_then(|name| self.table.find(name))
    }

    /// The type that `key` names; without it the effect cannot exist.
    fn required(&self, p: &Parameters<'_>, key: &str) -> Result<TypeId, Lost> {
        self.sprite(p, key).ok_or_else(|| {
            let mut finding = match p.text(key) {
                Some(name) => Diagnostic::error(
                    "unknown-sprite",
                    p.span(key),
                    format!("there is no sprite `{name}`"),
                ),
                None => Diagnostic::error(
                    "missing-parameter",
                    p.line,
                    format!("this effect needs `{key}=`"),
                ),
            };
            if let Some(near) = p.text(key).and_then(|name| self.table.suggestion(name)) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            Lost(finding.label("the framework drops everything from here on"))
        })
    }

    fn transform(&self, p: &Parameters<'_>, key: &str) -> Result<Transform, Lost> {
        Ok(Transform {
            to: self.required(p, key)?,
            kill_second: p.bool("killSecond", false),
            force_orientation: p.bool("forceOrientation", false),
        })
    }

    fn kind(&mut self, function: &str, p: &Parameters<'_>) -> Result<Kind, Lost> {
        let beside = |dx, dy| Kind::SpawnBeside {
            to: self.sprite(p, "stype"),
            dx,
            dy,
            step_back: p.bool("stepBack", false),
        };
        Ok(match function {
            "stepBack" => Kind::StepBack { pixel_perfect: p.bool("pixelPerfect", false) },
            "undoAll" => Kind::UndoAll {
                except: p
                    .text("notStype")
                    .map(|names| self.table.find_list(names).into_iter().flatten().collect())
                    .unwrap_or_default(),
            },
            "turnAround" => Kind::TurnAround,
            "reverseDirection" => Kind::ReverseDirection,
            "flipDirection" => Kind::FlipDirection,
            "attractGaze" => Kind::AttractGaze { align: p.bool("align", false) },
            "align" => Kind::Align { orient: p.bool("orient", true) },
            "bounceForward" => Kind::BounceForward,
            "pullWithIt" => Kind::PullWithIt { pixel_perfect: p.bool("pixelPerfect", false) },
            "wrapAround" => Kind::WrapAround { offset: p.double("offset", 0.0) },
            "teleportToExit" => Kind::TeleportToExit,
            "wallStop" => Kind::WallStop,
            "wallBounce" => Kind::WallBounce,
            "wallReverse" => Kind::WallReverse,
            "bounceDirection" => Kind::BounceDirection {
                max_angle: p.double("maxBounceAngleDeg", 60.0).to_radians(),
            },
            "killSprite" => Kind::KillSprite,
            "killBoth" => Kind::KillBoth,
            "killAll" => Kind::KillAll { of: self.required(p, "stype")? },
            "killIfHasLess" => Kind::KillIfHasLess {
                resource: self.required(p, "resource")?,
                limit: p.int("limit", 0),
            },
            "killIfHasMore" => Kind::KillIfHasMore {
                resource: self.required(p, "resource")?,
                limit: p.int("limit", 0),
            },
            "killIfOtherHasMore" => Kind::KillIfOtherHasMore {
                resource: self.sprite(p, "resource"),
                limit: p.int("limit", 0),
                subtract: p.bool("subtract", false),
            },
            "killIfFromAbove" => Kind::KillIfFromAbove,
            "killIfFrontal" => Kind::KillIfFrontal { frontal: true },
            "killIfNotFrontal" => Kind::KillIfFrontal { frontal: false },
            "killIfAlive" => Kind::KillIfAlive,
            "killIfSlow" => Kind::KillIfSpeed { limit: p.double("limspeed", 1.0), fast: false },
            "killIfFast" => Kind::KillIfSpeed { limit: p.double("limspeed", 1.0), fast: true },
            "killIfNotUpright" => Kind::KillIfNotUpright,
            "transformTo" => Kind::TransformTo(self.transform(p, "stype")?),
            "transformToRandomChild" => Kind::TransformToRandomChild(self.transform(p, "stype")?),
            "transformToAll" => Kind::TransformToAll {
                from: self.required(p, "stype")?,
                transform: self.transform(p, "stypeTo")?,
            },
            "transformIfCount" => Kind::TransformIfCount {
                transform: self.transform(p, "stype")?,
                count: self.sprite(p, "stypeCount"),
                geq: p.int("geq", 0),
                leq: p.int("leq", crate::state::MAX_SPRITES as i32),
                otherwise: self.sprite(p, "estype"),
            },
            "transformToSingleton" => Kind::TransformToSingleton {
                to: self.required(p, "stype")?,
                other: self.required(p, "stype_other")?,
                take_orientation: p.bool("takeOrientation", false),
            },
            "cloneSprite" => Kind::CloneSprite,
            "spawn" => Kind::Spawn { to: self.required(p, "stype")? },
            "spawnBehind" => Kind::SpawnBehind { to: self.required(p, "stype")? },
            "spawnAbove" => beside(0, -1),
            "spawnBelow" => beside(0, 1),
            "spawnLeft" => beside(-1, 0),
            "spawnRight" => beside(1, 0),
            "spawnIfHasMore" => Kind::SpawnIfHasMore {
                resource: self.required(p, "resource")?,
                limit: p.int("limit", 0),
                to: self.required(p, "stype")?,
                spend: p.int("spend", 0),
            },
            "spawnIfHasLess" => Kind::SpawnIfHasLess {
                resource: self.required(p, "resource")?,
                limit: p.int("limit", 0),
                to: self.required(p, "stype")?,
            },
            "spawnIfCounterSubTypes" => Kind::SpawnIfCounterSubTypes {
                otherwise: self.required(p, "estype")?,
                count: self.required(p, "stypeCount")?,
                to: self.required(p, "stype")?,
                limit: p.int("limit", 0),
                kinds: p.int("subTypesNum", -1),
            },
            "collectResource" => Kind::CollectResource { kill: p.bool("killResource", true) },
            "collectResourceIfHeld" => Kind::CollectResourceIfHeld {
                held: self.sprite(p, "heldResource"),
                value: p.int("value", 1),
                kill: p.bool("killResource", true),
            },
            "changeResource" => Kind::ChangeResource {
                resource: self.sprite(p, "resource"),
                value: p.int("value", 1),
                kill: p.bool("killResource", false),
            },
            "addHealthPoints" | "addHealthPointsToMax" => Kind::AddHealth {
                value: p.int("value", 1),
                kill_second: p.bool("killSecond", false),
                to_max: function == "addHealthPointsToMax",
            },
            "subtractHealthPoints" => Kind::SubtractHealth {
                value: p.int("value", 1),
                limit: p.int("limit", 0),
                of: match p.text("stype") {
                    Some(name) if !name.is_empty() => Some(self.required(p, "stype")?),
                    _ => None,
                },
            },
            "shieldFrom" => Kind::ShieldFrom {
                from: self.required(p, "stype")?,
                effect: p
                    .text("ftype")
                    .and_then(|name| EFFECTS.iter().position(|known| *known == name))
                    .map(|at| at as u16),
            },
            "addTimer" => self.add_timer(p)?,
            "increaseSpeedToAll" => self.speed(p, |v| SpeedChange::Add(v.unwrap_or(0.1)))?,
            "decreaseSpeedToAll" => self.speed(p, |v| SpeedChange::Subtract(v.unwrap_or(0.1)))?,
            "setSpeedForAll" => self.speed(p, |v| SpeedChange::Set(v.unwrap_or(0.0)))?,
            "updateSpawnType" => Kind::UpdateSpawnType {
                to: self.required(p, "stype")?,
                spawner: self.required(p, "spawnPoint")?,
            },
            "removeScore" => Kind::RemoveScore {
                of: self.sprite(p, "stype"),
                kill_second: p.bool("killSecond", false),
            },
            "halfSpeed" => Kind::HalfSpeed,
            "waterPhysics" => Kind::WaterPhysics,
            other => unreachable!("`{other}` is in the list of effects"),
        })
    }

    fn speed(
        &self,
        p: &Parameters<'_>,
        change: impl Fn(Option<f64>) -> SpeedChange,
    ) -> Result<Kind, Lost> {
        let value = p.value("value").and_then(Value::double);
        Ok(Kind::ChangeSpeed { of: self.required(p, "stype")?, change: change(value) })
    }

    /// The effect that an added timer will fire gets the parameters of the same line.
    fn add_timer(&mut self, p: &Parameters<'_>) -> Result<Kind, Lost> {
        let ftype = p.text("ftype").unwrap_or("");
        if ftype == "addTimer" {
            return Err(Lost(Diagnostic::error(
                "timer-in-timer",
                p.span("ftype"),
                "a timer cannot add timers",
            )));
        }
        let effect = self.build(Word { text: ftype, span: p.span("ftype") }, p)?;
        let timed = self.timed.len() as u16;
        self.timed.push(Timed {
            effect,
            scores: effect,
            of: None,
            timer: p.int("timer", -1),
            repeating: p.bool("repeating", false),
            first: i32::MAX,
        });
        Ok(Kind::AddTimer { timed })
    }

    /// Makes the effect of a line with `TIME` a timed one.
    pub fn schedule(&mut self, effect: EffectId, line: &Line<'_>, from: usize, of: Option<TypeId>) {
        let value = |key: &str| {
            line.parameters(from)
                .filter(|p| p.key.text == key)
                .last()
                .map(|p| Value::parse(key, p.value.text))
        };
        let timer = value("timer").and_then(|v| v.int()).unwrap_or(-1);
        let planned = value("nextExecution").and_then(|v| v.int()).unwrap_or(-1) != -1;
        self.timed.push(Timed {
            effect,
            scores: effect,
            of,
            timer,
            repeating: value("repeating").and_then(|v| v.bool()).unwrap_or(false),
            first: if planned { timer } else { -1 },
        });
    }
}

/// Reads a comma list of integers for `count` players or counters. The first stands for missing ones;
/// entries that are not numbers count as 0.
pub(crate) fn number_list(text: &str, count: usize) -> Vec<i32> {
    let parts: Vec<i32> = text.split(',').map(|part| part.parse().unwrap_or(0)).collect();
    (0..count).map(|at| parts.get(at).copied().unwrap_or(parts[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_repeat_their_first_number() {
        assert_eq!(number_list("3", 2), [3, 3]);
        assert_eq!(number_list("1,-2", 2), [1, -2]);
        assert_eq!(number_list("x,4", 2), [0, 4]);
    }
}
