//! What a game did, tick by tick, in the form of the framework's recorded runs.
//!
//! One JSON object a tick: score, end, winners, avatars, and the sprites of every type whose list
//! changed since the line before.

use serde_json::{Map, Value, json};

use crate::chance::Chance;
use crate::effect::Kind;
use crate::level::World;
use crate::ontology::{Action, Class};
use crate::sim::Scratch;
use crate::state::{DISABLED, NOBODY, Rect, State};
use crate::types::TypeId;

/// Writes the lines of a trace.
#[derive(Debug)]
pub struct Tracer<'w> {
    world: &'w World,
    lists: Vec<Value>,
}

impl<'w> Tracer<'w> {
    /// A tracer that has not written anything yet.
    pub fn new(world: &'w World) -> Self {
        Tracer { world, lists: vec![json!([]); world.rules.types.types.len()] }
    }

    /// The first line: types, order of updates, actions. The level's number where it has one.
    pub fn header(&self, name: &str, level: Option<usize>) -> Value {
        let table = &self.world.rules.types;
        let types: Vec<Value> = table
            .types
            .iter()
            .map(|t| {
                let ancestry: Vec<u16> = t.ancestry.iter().map(|id| id.0).collect();
                json!({"n": t.name, "c": t.class.map(Class::name), "anc": ancestry})
            })
            .collect();
        let order: Vec<u16> = table.order.iter().rev().map(|id| id.0).collect();
        let actions = self.world.actions(self.world.start(), 0);
        json!({
            "trace": name,
            "level": level,
            "players": self.world.rules.players,
            "block": self.world.block,
            "cols": self.world.cols,
            "rows": self.world.rows,
            "types": types,
            "update_order": order,
            "actions": actions.iter().map(|a| a.name()).collect::<Vec<_>>(),
            "engine_stochastic_flag": self.world.is_stochastic(),
        })
    }

    /// The line of a state that was reached by `actions`; none for the start.
    pub fn line(&mut self, state: &State, actions: Option<&[Action]>) -> Value {
        let players = &state.players[..self.world.rules.players];
        let mut line = Map::new();
        line.insert("t".into(), json!(state.tick - 1));
        if let Some(actions) = actions {
            let names: Vec<_> = actions.iter().map(|action| action.name()).collect();
            line.insert("a".into(), json!(names));
        }
        line.insert("score".into(), players.iter().map(|p| number(p.score)).collect());
        line.insert("over".into(), json!(i32::from(state.ended)));
        line.insert(
            "win".into(),
            players.iter().map(|p| json!(p.win.map_or(-1, i32::from))).collect(),
        );
        line.insert("av".into(), players.iter().map(|p| self.avatar(state, p.avatar)).collect());
        let mut changed = Map::new();
        for ty in state.types() {
            let list: Value = state.slots(ty).map(|slot| self.entry(state, slot)).collect();
            if list != self.lists[ty.index()] {
                changed.insert(ty.0.to_string(), list.clone());
                self.lists[ty.index()] = list;
            }
        }
        line.insert("sp".into(), Value::Object(changed));
        Value::Object(line)
    }

    fn avatar(&self, state: &State, slot: u16) -> Value {
        let Some(sprite) = state.sprites.get(usize::from(slot)) else { return Value::Null };
        let body = &state.bodies[usize::from(sprite.body)];
        let mut resources = Map::new();
        let width = self.world.resource_types.len();
        for (column, ty) in self.world.resource_types.iter().enumerate() {
            let amount = state.resources[usize::from(sprite.body) * width + column];
            if amount != crate::state::ABSENT {
                resources.insert(ty.0.to_string(), json!(amount));
            }
        }
        json!({
            "ty": sprite.ty,
            "x": sprite.x,
            "y": sprite.y,
            "ox": number(body.orientation.0),
            "oy": number(body.orientation.1),
            "hp": body.health,
            "alive": i32::from(sprite.flags & DISABLED == 0),
            "res": resources,
        })
    }

    /// Writes a sprite's place, orientation (if it moves and is oriented), health, and whether it is a dead avatar.
    fn entry(&self, state: &State, slot: u16) -> Value {
        let sprite = &state.sprites[usize::from(slot)];
        let def = &self.world.rules.types[TypeId(sprite.ty)];
        let body = match sprite.body {
            NOBODY => &self.world.templates[usize::from(sprite.ty)],
            at => &state.bodies[usize::from(at)],
        };
        let dead = sprite.flags & DISABLED != 0;
        let (x, y) = (sprite.x, sprite.y);
        let (ox, oy) = (number(body.orientation.0), number(body.orientation.1));
        if dead {
            json!([x, y, ox, oy, body.health, 1])
        } else if body.health != 0 {
            json!([x, y, ox, oy, body.health])
        } else if body.oriented && !def.is_static {
            json!([x, y, ox, oy])
        } else {
            json!([x, y])
        }
    }
}

/// Plays `actions` from the start with the framework's generator and hands every line of the trace
/// to `line`, the start first. Ends early when the game does.
///
/// # Errors
/// What `line` fails with; the trace then stops.
pub fn play<E>(
    world: &World,
    actions: &[Vec<Action>],
    seed: u64,
    mut line: impl FnMut(Value) -> Result<(), E>,
) -> Result<(), E> {
    let mut tracer = Tracer::new(world);
    let mut scratch = Scratch::default();
    let mut state = world.start().clone();
    state.set_chance(Chance::framework(seed));
    line(tracer.line(&state, None))?;
    for joint in actions {
        if state.ended {
            break;
        }
        world.advance(&mut state, joint, &mut scratch);
        line(tracer.line(&state, Some(joint)))?;
    }
    Ok(())
}

impl World {
    /// Whether the framework takes the level for one of chance when it starts: it has a character
    /// that moves at random or a spawn point that draws, or the rules have an effect that the
    /// framework counts as such. All recorded runs agree with this rule; it is a flag of the
    /// framework, not the truth: other effects draw, and speed is no chance.
    pub fn is_stochastic(&self) -> bool {
        let types = &self.rules.types;
        let draws = |ty: &crate::types::SpriteType| {
            let spawns = ty.class.is_some_and(Class::is_spawn_point);
            ty.is_stochastic || (spawns && ty.prob > 0.0 && ty.prob < 1.0)
        };
        let counted = |kind: &Kind| matches!(kind, Kind::ChangeSpeed { .. } | Kind::FlipDirection);
        types.order.iter().any(|&ty| draws(&types[ty]) && self.start().count(ty) > 0)
            || self.rules.effects.iter().any(|effect| counted(&effect.kind))
    }

    /// Where the avatar of a player is, size included.
    pub fn avatar_rect(&self, state: &State, player: usize) -> Option<Rect> {
        let sprite = state.sprites.get(usize::from(state.players[player].avatar))?;
        let body = &state.bodies[usize::from(sprite.body)];
        Some(Rect { x: sprite.x, y: sprite.y, w: body.w, h: body.h })
    }
}

/// Whole numbers as such, others with six digits.
fn number(value: f64) -> Value {
    if value == value.trunc() && value.abs() < 1e15 {
        json!(value as i64)
    } else {
        json!((value * 1e6).round() / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(1.0).to_string(), "1");
        assert_eq!(number(-0.507_020_4).to_string(), "-0.50702");
    }
}
