//! How sprites move: grid and continuous physics (`vgdl-ontology`, 2.3).

use crate::sim::Sim;
use crate::state::{Body, Rect};
use crate::value::{NONE, Vector};

/// The result of an attempt to move.
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

impl Body {
    /// Remembers where the sprite is before anything moves.
    #[inline]
    pub fn remember(&mut self, x: i32, y: i32) {
        self.last = Rect { x, y, w: self.w, h: self.h };
        self.lastmove += 1;
    }

    /// How far a step along `direction` goes; `None` while the cooldown lasts or if it goes nowhere.
    #[inline]
    pub fn step(&mut self, cooldown: i32, direction: Vector, pixels: i32) -> Option<(i32, i32)> {
        let pixels = if pixels == 0 { self.speed as i32 } else { pixels };
        if pixels == 0 || cooldown > self.lastmove || direction == NONE {
            return None;
        }
        self.lastmove = 0;
        let length = f64::from(pixels);
        Some(((direction.0 * length) as i32, (direction.1 * length) as i32))
    }

    /// How far the sprite goes by itself on the grid in this tick.
    #[inline]
    pub fn drift(&mut self, cooldown: i32, block: f64) -> Option<(i32, i32)> {
        if self.first_tick {
            self.first_tick = false;
            return None;
        }
        if !self.oriented || self.speed == 0.0 {
            return None;
        }
        let speed = if self.speed == -1.0 { 1.0 } else { self.speed };
        self.step(cooldown, self.orientation, (speed * block) as i32)
    }
}

impl Sim<'_> {
    /// Remembers where the sprite is before anything moves.
    #[inline]
    pub fn before_moving(&mut self, slot: u16) {
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        if let Some(body) = self.body_mut(slot) {
            body.remember(x, y);
        }
    }

    /// Moves by `pixels` along `direction`, if the cooldown is over.
    pub fn step(&mut self, slot: u16, direction: Vector, pixels: i32) -> bool {
        let cooldown = self.def(slot).cooldown;
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        let Some(body) = self.body_mut(slot) else { return false };
        match body.step(cooldown, direction, pixels) {
            Some((dx, dy)) => {
                self.place(slot, x.saturating_add(dx), y.saturating_add(dy));
                true
            }
            None => false,
        }
    }

    /// Moves a sprite along its orientation, without a decision.
    pub fn passive(&mut self, slot: u16) {
        let def = self.def(slot);
        if def.is_static || def.only_active {
            return;
        }
        let block = f64::from(self.w.block);
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        let Some(body) = self.body_mut(slot) else { return };
        if !def.continuous {
            if let Some((dx, dy)) = body.drift(def.cooldown, block) {
                self.place(slot, x.saturating_add(dx), y.saturating_add(dy));
            }
            return;
        }
        if body.first_tick {
            body.first_tick = false;
            return;
        }
        let (speed, orientation) = (body.speed, body.orientation);
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
    }

    /// Carries out a decided move: a step on the grid, a push in continuous physics.
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

    /// Distance between two corners: along the axes on the grid, by air in continuous physics.
    #[inline]
    pub fn distance(continuous: bool, from: (i32, i32), to: (i32, i32)) -> f64 {
        let (dx, dy) = (f64::from(from.0 - to.0), f64::from(from.1 - to.1));
        if continuous { (dx * dx + dy * dy).sqrt() } else { dx.abs() + dy.abs() }
    }
}
