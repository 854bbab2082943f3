//! What the players' sprites do with an action (`vgdl-ontology`, 3.3).

use std::f64::consts::PI;

use crate::motion::{Movement, normalised};
use crate::ontology::{Action, Class};
use crate::sim::Sim;
use crate::types::TypeId;
use crate::value::{DOWN, LEFT, NONE, RIGHT, UP, Vector};

/// Pixels a jump lifts at once, so that the jumper leaves the ground it stands on.
const JUMP_LIFT: i32 = 5;
/// Ticks between two blocks of a wizard.
const BLOCK_PAUSE: i32 = 5;
const CAR_THRUST: f64 = 5.0;

impl Sim<'_> {
    /// Moves the avatar in `slot` and lets it use what it has.
    pub fn update_avatar(&mut self, slot: u16, action: Action) {
        let def = self.def(slot);
        let Some(class) = def.class else { return };
        let direction = action.direction();
        let uses = action == Action::Use;
        match class {
            Class::MissileAvatar => self.passive(slot),
            Class::OngoingAvatar => {
                if direction != NONE {
                    self.turn(slot, direction);
                }
                self.passive(slot);
            }
            Class::OngoingShootAvatar => {
                if direction != NONE {
                    self.turn(slot, direction);
                }
                self.passive(slot);
                if direction == NONE && uses {
                    self.shoot_first(slot);
                }
            }
            Class::OngoingTurningAvatar => self.update_turning(slot, direction),
            _ => {
                let movement = self.apply_movement(slot, class, direction);
                self.after_movement(slot, class, action, movement);
            }
        }
    }

    fn update_turning(&mut self, slot: u16, direction: Vector) {
        let facing = self.body(slot).orientation;
        if direction != NONE && direction.0 * facing.0 + direction.1 * facing.1 == 0.0 {
            self.turn(slot, direction);
        }
        self.passive(slot);
        let last = self.last(slot);
        if !self.rect(slot).overlaps(&last)
            && let Ok(left) = u16::try_from(self.body(slot).product)
        {
            self.create(TypeId(left), last.x, last.y);
        }
    }

    fn apply_movement(&mut self, slot: u16, class: Class, direction: Vector) -> Movement {
        let def = self.def(slot);
        if def.continuous {
            self.passive(slot);
        }
        match class {
            Class::ShootOnlyAvatar
            | Class::CarAvatar
            | Class::LanderAvatar
            | Class::SpaceshipAvatar => Movement::Still,
            Class::PlatformerAvatar | Class::WizardAvatar => {
                if direction == NONE {
                    return Movement::Still;
                }
                let body = self.body(slot);
                let sideways = if body.on_ground {
                    direction.0 * def.ground_speedup
                } else {
                    direction.0 / def.air_slowdown
                };
                let speed = body.speed;
                self.active(slot, (sideways, direction.1), speed)
            }
            _ => {
                let speed = self.body(slot).speed;
                self.active(slot, direction, speed)
            }
        }
    }

    fn after_movement(&mut self, slot: u16, class: Class, action: Action, movement: Movement) {
        let def = self.def(slot);
        let direction = action.direction();
        let uses = action == Action::Use;
        if class.is_oriented_avatar() && movement == Movement::Move && !def.continuous {
            let orientation = normalised(self.last_direction(slot));
            if let Some(body) = self.body_mut(slot) {
                body.orientation = orientation;
            }
        }
        let still = movement == Movement::Still;
        match class {
            Class::FlakAvatar if still && uses => self.drop_at_own_place(slot),
            Class::ShootAvatar if still && uses => self.shoot_first(slot),
            Class::ShootOnlyAvatar if still => {
                let weapon = def.class.and_then(|c| c.actions().iter().position(|&a| a == action));
                if let Some(weapon) = weapon
                    && weapon < def.targets.len()
                    && self.has_ammo(slot, weapon)
                {
                    self.shoot(slot, weapon);
                }
            }
            Class::AimedAvatar => {
                if still && uses {
                    self.shoot_first(slot);
                }
                if uses {
                    self.shoot_first(slot);
                }
                self.aim_barrel(slot, direction);
                self.thrust(slot, direction, true);
            }
            Class::SpaceshipAvatar => {
                if uses {
                    self.shoot_first(slot);
                    self.shoot_first(slot);
                }
                self.steer(slot, direction);
                self.thrust(slot, direction, true);
            }
            Class::LanderAvatar => {
                self.steer(slot, direction);
                self.thrust(slot, direction, false);
            }
            Class::CarAvatar => {
                self.steer(slot, direction);
                self.drive(slot, direction);
            }
            Class::BirdAvatar => self.flap(slot, uses),
            Class::PlatformerAvatar => {
                self.jump(slot, uses);
                if let Some(body) = self.body_mut(slot) {
                    body.on_ground = false;
                }
            }
            Class::WizardAvatar => {
                self.jump(slot, uses);
                self.build(slot, direction);
                if let Some(body) = self.body_mut(slot) {
                    if direction == LEFT || direction == RIGHT {
                        body.heading = direction;
                    }
                    body.on_ground = false;
                }
            }
            _ => {}
        }
    }

    fn has_ammo(&self, slot: u16, weapon: usize) -> bool {
        match self.def(slot).ammo.get(weapon) {
            None => true,
            Some(ammo) => ammo.and_then(|a| self.resource(slot, a)).is_some_and(|n| n > 0),
        }
    }

    /// Shoots the first weapon that has ammunition.
    fn shoot_first(&mut self, slot: u16) {
        let weapons = self.def(slot).targets.len();
        if let Some(weapon) = (0..weapons).find(|&weapon| self.has_ammo(slot, weapon)) {
            self.shoot(slot, weapon);
        }
    }

    fn shoot(&mut self, slot: u16, weapon: usize) {
        let def = self.def(slot);
        let Some(Some(ty)) = def.targets.get(weapon).copied() else { return };
        let body = self.body(slot);
        let direction = if def.class == Some(Class::SpaceshipAvatar) {
            (body.rotation.cos(), body.rotation.sin())
        } else {
            normalised(body.orientation)
        };
        let (rect, last) = (self.rect(slot), body.last);
        let x = f64::from(rect.x) + direction.0 * f64::from(last.w);
        let y = f64::from(rect.y) + direction.1 * f64::from(last.h);
        if let Some(shot) = self.create(ty, x as i32, y as i32) {
            if self.body(shot).oriented
                && let Some(body) = self.body_mut(shot)
            {
                body.orientation = direction;
            }
            if let Some(Some(ammo)) = def.ammo.get(weapon)
                && let Some(amount) = self.resource(slot, *ammo)
            {
                self.set_resource(slot, *ammo, amount - 1);
            }
            self.mark_from_avatar(shot);
        }
    }

    fn drop_at_own_place(&mut self, slot: u16) {
        let def = self.def(slot);
        let Some(Some(ty)) = def.targets.first().copied() else { return };
        let ammo = def.ammo.first().copied();
        if let Some(ammo) = ammo {
            let least = def.min_ammo.max(0);
            if ammo.and_then(|a| self.resource(slot, a)).is_none_or(|n| n <= least) {
                return;
            }
        }
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        if let Some(made) = self.create(ty, x, y) {
            if let Some(Some(ammo)) = ammo
                && let Some(amount) = self.resource(slot, ammo)
            {
                self.set_resource(slot, ammo, amount.saturating_sub(def.ammo_cost));
            }
            self.mark_from_avatar(made);
        }
    }

    fn aim_barrel(&mut self, slot: u16, direction: Vector) {
        let step = self.def(slot).angle_diff;
        let Some(body) = self.body_mut(slot) else { return };
        let angle = if direction == UP {
            -step
        } else if direction == DOWN {
            step
        } else {
            0.0
        };
        let (x, y) = body.orientation;
        body.orientation = (x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos());
        body.rotation = body.orientation.1.atan2(body.orientation.0);
    }

    fn steer(&mut self, slot: u16, direction: Vector) {
        let step = self.def(slot).angle_diff;
        let Some(body) = self.body_mut(slot) else { return };
        if direction == LEFT {
            body.rotation -= step;
        } else if direction == RIGHT {
            body.rotation += step;
        }
    }

    fn thrust(&mut self, slot: u16, direction: Vector, backwards: bool) {
        let (rotation, speed) = (self.body(slot).rotation, self.body(slot).speed);
        if direction == UP {
            self.active(slot, (rotation.cos(), rotation.sin()), speed);
        } else if direction == DOWN && backwards {
            let turned = rotation + PI;
            self.active(slot, (turned.cos(), turned.sin()), speed);
        }
    }

    /// A car always drives; up and down choose forwards or backwards.
    fn drive(&mut self, slot: u16, direction: Vector) {
        let Some(body) = self.body_mut(slot) else { return };
        if direction == UP {
            body.heading.0 = 0.0;
        } else if direction == DOWN {
            body.heading.0 = 1.0;
        }
        let angle = body.rotation + body.heading.0 * PI;
        self.active(slot, (angle.cos(), angle.sin()), CAR_THRUST);
    }

    fn flap(&mut self, slot: u16, uses: bool) {
        let strength = self.def(slot).jump_strength;
        let Some(body) = self.body_mut(slot) else { return };
        let push = if body.orientation.0.abs() < 0.5 { RIGHT } else { NONE };
        if uses {
            body.orientation.1 = 0.0;
            let speed = body.speed;
            self.active(slot, (0.0, -strength), speed);
        }
        let speed = self.body(slot).speed;
        self.active(slot, push, speed);
        if let Some(body) = self.body_mut(slot) {
            body.rotation = body.orientation.1.atan2(body.orientation.0);
        }
    }

    fn jump(&mut self, slot: u16, uses: bool) {
        if uses && self.body(slot).on_ground {
            self.leap(slot);
        }
    }

    /// Leaves the ground: a push upwards and a first step that no cooldown holds back.
    pub fn leap(&mut self, slot: u16) {
        let def = self.def(slot);
        let Some(body) = self.body_mut(slot) else { return };
        body.orientation.1 = 0.0;
        let speed = body.speed;
        self.active(slot, (0.0, -def.jump_strength), speed);
        if let Some(body) = self.body_mut(slot) {
            body.lastmove = def.cooldown;
        }
        self.step(slot, UP, JUMP_LIFT);
    }

    /// A wizard puts a block beside itself.
    fn build(&mut self, slot: u16, direction: Vector) {
        let tick = self.s.tick;
        if direction != UP || self.body(slot).count + BLOCK_PAUSE > tick {
            return;
        }
        self.active(slot, DOWN, -1.0);
        let (rect, body) = (self.rect(slot), *self.body(slot));
        let x = f64::from(rect.x) + body.heading.0 * f64::from(body.last.w) * 1.2;
        let y = f64::from(rect.y) + body.heading.1 * f64::from(body.last.h);
        let def = self.def(slot);
        for &ty in def.targets.iter().flatten() {
            self.create(ty, x as i32, y as i32);
        }
        if let Some(body) = self.body_mut(slot) {
            body.count = tick;
        }
    }
}
