//! How sprites move: grid and continuous physics (`vgdl-ontology`, 2.3).

use crate::sim::Sim;
use crate::state::Rect;
use crate::value::{NONE, Vector};

/// What came of a try to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movement {
    Still,
    Rotate,
    Move,
}

/// The vector of length 1 in the direction of `v`; (0, 0) stays.
pub(crate) fn normalised(v: Vector) -> Vector {
    let length = magnitude(v);
    if length == 0.0 { NONE } else { (v.0 / length, v.1 / length) }
}

pub(crate) fn magnitude(v: Vector) -> f64 {
    (v.0 * v.0 + v.1 * v.1).sqrt()
}

impl Sim<'_> {
    /// Remembers where the sprite is before anything moves.
    #[inline]
    pub fn before_moving(&mut self, slot: u16) {
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        if let Some(body) = self.body_mut(slot) {
            body.last = Rect { x, y, w: body.w, h: body.h };
            body.lastmove += 1;
        }
    }

    /// Moves by `pixels` along `direction`, if the cooldown is over.
    pub fn step(&mut self, slot: u16, direction: Vector, pixels: i32) -> bool {
        let cooldown = self.def(slot).cooldown;
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        let Some(body) = self.body_mut(slot) else { return false };
        let pixels = if pixels == 0 { body.speed as i32 } else { pixels };
        if pixels == 0 || cooldown > body.lastmove || direction.0.abs() + direction.1.abs() == 0.0 {
            return false;
        }
        body.lastmove = 0;
        let dx = (direction.0 * f64::from(pixels)) as i32;
        let dy = (direction.1 * f64::from(pixels)) as i32;
        self.place(slot, x.saturating_add(dx), y.saturating_add(dy));
        true
    }

    /// What a sprite does by itself: go on along its orientation.
    pub fn passive(&mut self, slot: u16) {
        let def = self.def(slot);
        if def.is_static || def.only_active {
            return;
        }
        let block = f64::from(self.w.block);
        let Some(body) = self.body_mut(slot) else { return };
        if body.first_tick {
            body.first_tick = false;
            return;
        }
        let (speed, orientation) = (body.speed, body.orientation);
        if def.continuous {
            if speed != 0.0 {
                self.step(slot, orientation, speed as i32);
                let Some(body) = self.body_mut(slot) else { return };
                if body.gravity > 0.0 && def.mass > 0.0 && !body.on_ground {
                    let pull = (0.0, body.gravity * def.mass);
                    self.active(slot, pull, 0.0);
                }
                if let Some(body) = self.body_mut(slot) {
                    body.speed *= 1.0 - def.friction;
                }
            }
        } else if body.oriented {
            let speed = if speed == -1.0 { 1.0 } else { speed };
            if speed != 0.0 {
                self.step(slot, orientation, (speed * block) as i32);
            }
        }
    }

    /// A move that somebody decided: a step on the grid, a push in continuous physics.
    pub fn active(&mut self, slot: u16, action: Vector, speed: f64) -> Movement {
        let def = self.def(slot);
        if def.continuous {
            return self.push(slot, action, speed);
        }
        if def.stationary {
            return Movement::Still;
        }
        let block = f64::from(self.w.block);
        let Some(body) = self.body_mut(slot) else { return Movement::Still };
        let speed = if speed != 0.0 {
            speed
        } else if body.speed <= 0.0 {
            1.0
        } else {
            body.speed
        };
        if action == NONE {
            return Movement::Still;
        }
        if def.rotate_in_place && body.oriented && body.orientation != action {
            body.orientation = action;
            return Movement::Rotate;
        }
        if self.step(slot, action, (speed * block) as i32) {
            Movement::Move
        } else {
            Movement::Still
        }
    }

    fn push(&mut self, slot: u16, action: Vector, speed: f64) -> Movement {
        let def = self.def(slot);
        let Some(body) = self.body_mut(slot) else { return Movement::Still };
        let speed = if speed == 0.0 || speed == -1.0 { body.speed } else { speed };
        let mass = f64::from(def.mass as f32);
        let velocity = (
            action.0 / mass + body.orientation.0 * speed,
            action.1 / mass + body.orientation.1 * speed,
        );
        let mut length = magnitude(velocity);
        if def.max_speed != -1.0 {
            length = length.min(def.max_speed);
        }
        body.orientation = normalised(velocity);
        body.speed = length;
        if action == NONE { Movement::Still } else { Movement::Move }
    }

    /// Turns an oriented sprite; whether that changed anything.
    pub fn turn(&mut self, slot: u16, direction: Vector) -> bool {
        match self.body_mut(slot) {
            Some(body) if body.oriented && body.orientation != direction => {
                body.orientation = direction;
                true
            }
            _ => false,
        }
    }

    /// Distance between two corners: by blocks on the grid, by air in continuous physics.
    pub fn distance(&self, slot: u16, from: &Rect, to: &Rect) -> f64 {
        let (dx, dy) = (f64::from(from.x - to.x), f64::from(from.y - to.y));
        if self.def(slot).continuous { (dx * dx + dy * dy).sqrt() } else { dx.abs() + dy.abs() }
    }
}
