//! What sprites that no player controls do in a tick (`vgdl-ontology`, 3.2), with the framework's
//! order of random draws (2.4).

use crate::ontology::Class;
use crate::sim::Sim;
use crate::state::{DISABLED, NOBODY, Rect};
use crate::types::{SpriteType, TypeId};
use crate::value::{DIRECTIONS, DOWN, LEFT, NIL, NONE, RIGHT, UP, Vector};

/// How the sprites of a type are updated: the common ways have loops of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    /// Going on along the orientation on the grid, if anything.
    Drift,
    /// Walking at random on the grid.
    Wander,
    /// Making something now and then without moving.
    Spawn,
    /// Everything else.
    Other,
}

impl Habit {
    /// How sprites of the type behave.
    pub fn of(t: &SpriteType) -> Habit {
        use Class::*;
        match t.class {
            // Only avatars are ever disabled, and they are not updated here.
            Some(class) if t.continuous || class.is_avatar() => Habit::Other,
            Some(RandomNpc) => Habit::Wander,
            Some(SpawnPoint) if t.is_static => Habit::Spawn,
            Some(
                Immovable | Passive | Door | Portal | Resource | ResourcePack | Conveyor | Missile
                | SpriteProducer,
            ) => Habit::Drift,
            _ => Habit::Other,
        }
    }
}

impl Sim<'_> {
    /// Updates all sprites but the avatars, types in reverse order of definition.
    pub fn update_sprites(&mut self) {
        let world = self.w;
        for &ty in &world.updates {
            if self.s.count(ty) == 0 {
                continue;
            }
            let def = &world.rules.types[ty];
            match world.habits[ty.index()] {
                Habit::Drift => self.update_drifting(ty, def),
                Habit::Wander => self.update_wandering(ty, def),
                Habit::Spawn => self.update_spawning(ty, def),
                Habit::Other => self.update_each(ty),
            }
        }
    }

    fn update_each(&mut self, ty: TypeId) {
        let newest = self.s.next_id;
        let mut at = self.s.index[self.s.layout.heads + ty.index()];
        while at != NOBODY {
            let sprite = *self.sprite(at);
            if sprite.id >= newest {
                break;
            }
            if sprite.flags & DISABLED == 0 {
                self.before_moving(at);
                self.update(at);
            }
            at = self.sprite(at).next;
        }
    }

    /// As `update_each` does for sprites that only go on along their orientation.
    fn update_drifting(&mut self, ty: TypeId, def: &SpriteType) {
        let block = f64::from(self.w.block);
        let moves = !def.is_static && !def.only_active;
        let mut at = self.s.index[self.s.layout.heads + ty.index()];
        while let Some(sprite) = self.s.sprites.get_mut(usize::from(at)) {
            let slot = std::mem::replace(&mut at, sprite.next);
            let Some(body) = self.s.bodies.get_mut(usize::from(sprite.body)) else { continue };
            body.remember(sprite.x, sprite.y);
            if moves && let Some((dx, dy)) = body.drift(def.cooldown, block) {
                sprite.shift(dx, dy);
            }
            if body.time_to_live >= 0 {
                if body.time_to_live > 0 {
                    body.time_to_live -= 1;
                } else {
                    self.kill(slot, false);
                }
            }
        }
    }

    /// As `update_each` does for sprites that walk at random on the grid.
    fn update_wandering(&mut self, ty: TypeId, def: &SpriteType) {
        let block = f64::from(self.w.block);
        let drifts = !def.is_static && !def.only_active;
        let mut at = self.s.index[self.s.layout.heads + ty.index()];
        while let Some(sprite) = self.s.sprites.get_mut(usize::from(at)) {
            at = sprite.next;
            let Some(body) = self.s.bodies.get_mut(usize::from(sprite.body)) else { continue };
            body.remember(sprite.x, sprite.y);
            if drifts && let Some((dx, dy)) = body.drift(def.cooldown, block) {
                sprite.shift(dx, dy);
            }
            if body.count < def.cons {
                body.count += 1;
            } else {
                body.heading = DIRECTIONS[self.s.chance.below(4)];
                body.count = 0;
            }
            if body.heading == NONE || def.stationary {
                continue;
            }
            if def.rotate_in_place && body.oriented && body.orientation != body.heading {
                body.orientation = body.heading;
                continue;
            }
            let speed = if body.speed == 0.0 { 1.0 } else { body.speed };
            if let Some((dx, dy)) = body.step(def.cooldown, body.heading, (speed * block) as i32) {
                sprite.shift(dx, dy);
            }
        }
    }

    /// As `update_each` does for spawn points that stay where they are.
    fn update_spawning(&mut self, ty: TypeId, def: &SpriteType) {
        let (newest, tick) = (self.s.next_id, self.s.tick);
        let mut at = self.s.index[self.s.layout.heads + ty.index()];
        while let Some(sprite) = self.s.sprites.get(usize::from(at)) {
            let (slot, id) = (at, sprite.id);
            if id >= newest {
                break;
            }
            let Some(body) = self.s.bodies.get_mut(usize::from(sprite.body)) else { break };
            body.remember(sprite.x, sprite.y);
            let draw = self.s.chance.float();
            if body.start == -1 {
                body.start = tick;
            }
            // Most of the time nothing is made.
            if draw < def.prob || body.time_to_live != -1 {
                self.produce_with(slot, draw);
            }
            at = self.sprite(slot).next;
        }
    }

    fn update(&mut self, slot: u16) {
        use Class::*;
        let def = self.def(slot);
        let Some(class) = def.class else { return };
        match class {
            Flicker | OrientedFlicker => {
                self.update_plain(slot);
                self.age(slot);
            }
            Spreader => {
                self.update_plain(slot);
                self.age(slot);
                if self.body(slot).count == 2 {
                    self.spread(slot);
                }
            }
            RandomMissile => {
                if self.body(slot).orientation == NIL {
                    let direction = self.random_direction();
                    if let Some(body) = self.body_mut(slot) {
                        body.orientation = direction;
                    }
                }
                self.passive(slot);
            }
            SpawnPoint | Bomber => self.produce(slot),
            SpawnPointMultiSprite => self.produce(slot),
            RandomBomber => {
                let direction = self.random_direction();
                let speed = self.body(slot).speed;
                self.active(slot, direction, speed);
                self.produce(slot);
            }
            BomberRandomMissile => {
                let choice = self.s.chance.below(def.targets.len());
                let product = def.targets.get(choice).copied().flatten();
                let ty = self.sprite(slot).ty;
                let product = product.map(|p| self.replacement(ty, p));
                if let Some(body) = self.body_mut(slot) {
                    body.product = product.map_or(-1, |p| i32::from(p.0));
                }
                self.produce(slot);
            }
            RandomNpc | RandomInertial => {
                self.passive(slot);
                let action = self.random_move(slot);
                self.go(slot, action);
            }
            Chaser | Fleeing | LosChaser => self.chase(slot),
            PathChaser => self.chase_by_path(slot),
            AlternateChaser => self.chase_alternating(slot),
            RandomAltChaser | RandomPathAltChaser => {
                if self.s.chance.double() < def.epsilon {
                    self.passive(slot);
                    let action = self.random_direction();
                    self.go(slot, action);
                } else if class == RandomAltChaser {
                    self.chase_alternating(slot);
                } else {
                    self.chase_kept_target(slot);
                }
            }
            PathAltChaser => self.chase_kept_target(slot),
            Walker => self.walk(slot),
            WalkerJumper => {
                self.passive(slot);
                let salt = u64::from(self.sprite(slot).id) << 32 | self.s.tick as u64;
                if self.body(slot).on_ground && def.probability > self.s.chance.aside(salt) {
                    self.leap(slot);
                } else {
                    let (orientation, speed) = (self.body(slot).orientation, self.body(slot).speed);
                    self.active(slot, orientation, speed);
                }
                if let Some(body) = self.body_mut(slot) {
                    body.on_ground = false;
                }
            }
            _ => self.update_plain(slot),
        }
    }

    /// Passive movement and the time to live.
    fn update_plain(&mut self, slot: u16) {
        self.passive(slot);
        let Some(body) = self.body_mut(slot) else { return };
        if body.time_to_live > 0 {
            body.time_to_live -= 1;
        } else if body.time_to_live == 0 {
            self.kill(slot, false);
        }
    }

    fn age(&mut self, slot: u16) {
        let limit = self.def(slot).limit;
        let Some(body) = self.body_mut(slot) else { return };
        let over = body.count > limit;
        body.count = body.count.saturating_add(1);
        if over {
            self.kill(slot, false);
        }
    }

    fn spread(&mut self, slot: u16) {
        let def = self.def(slot);
        let ty = def.targets.first().copied().flatten().unwrap_or(self.type_of(slot));
        let last = self.last(slot);
        for (dx, dy) in DIRECTIONS {
            if self.s.chance.double() < def.spread_prob {
                self.create(ty, last.x + dx as i32 * last.w, last.y + dy as i32 * last.h);
            }
        }
    }

    fn random_direction(&mut self) -> Vector {
        DIRECTIONS[self.s.chance.below(4)]
    }

    /// A random move, repeated as often as the type asks for.
    fn random_move(&mut self, slot: u16) -> Vector {
        let cons = self.def(slot).cons;
        let Some(body) = self.body_mut(slot) else { return NONE };
        if body.count < cons {
            body.count += 1;
            return body.heading;
        }
        let direction = self.random_direction();
        if let Some(body) = self.body_mut(slot) {
            body.heading = direction;
            body.count = 0;
        }
        direction
    }

    fn go(&mut self, slot: u16, action: Vector) {
        let speed = self.body(slot).speed;
        self.active(slot, action, speed);
    }

    /// The type that a random bomber makes instead of `product`, if an effect has replaced it.
    fn replacement(&self, bomber: u16, product: TypeId) -> TypeId {
        self.s.replaced.iter().fold(product, |now, &(ty, old, new)| {
            if ty == bomber && now.0 == old { TypeId(new) } else { now }
        })
    }

    fn produce(&mut self, slot: u16) {
        let draw = self.s.chance.float();
        self.produce_with(slot, draw);
    }

    /// Makes something if the time has come and `draw` allows it, then moves.
    fn produce_with(&mut self, slot: u16, draw: f64) {
        let def = self.def(slot);
        let tick = self.s.tick;
        let Some(body) = self.body_mut(slot) else { return };
        if body.start == -1 {
            body.start = tick;
        }
        if draw < def.prob && (body.start + tick) % def.cooldown == 0 {
            let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
            if def.class == Some(Class::SpawnPointMultiSprite) {
                for &ty in def.targets.iter().flatten() {
                    self.produce_one(slot, ty, x, y);
                }
            } else if let Ok(ty) = u16::try_from(self.body(slot).product) {
                self.produce_one(slot, TypeId(ty), x, y);
            }
        }
        self.update_plain(slot);
        if def.total > 0 && self.body(slot).count >= def.total {
            self.kill(slot, false);
        }
    }

    fn produce_one(&mut self, slot: u16, ty: TypeId, x: i32, y: i32) {
        let def = self.def(slot);
        let Some(made) = self.create(ty, x, y) else { return };
        let own = self.body(slot).orientation;
        if let Some(body) = self.body_mut(slot) {
            body.count = body.count.saturating_add(1);
        }
        if self.sprite(made).body == NOBODY {
            return;
        }
        if let Some(body) = self.body_mut(made) {
            if def.spawn_orientation != NONE {
                body.orientation = def.spawn_orientation;
            } else if body.orientation == NONE {
                body.orientation = own;
            }
        }
    }

    /// Sprites a chaser may go for: those of the type, or if there are none those of its family.
    fn collect_prey(&mut self, ty: TypeId) {
        self.x.targets.clear();
        if self.s.count(ty) > 0 {
            self.x.targets.extend(self.s.slots(ty));
        } else {
            for &member in &self.w.rules.types[ty].family {
                self.x.targets.extend(self.s.slots(member));
            }
        }
    }

    /// Keeps the nearest of the collected targets.
    fn keep_nearest(&mut self, slot: u16) {
        if !self.may_go_on(self.x.targets.len() as u64) {
            self.x.targets.clear();
            return;
        }
        let continuous = self.def(slot).continuous;
        let own = (self.sprite(slot).x, self.sprite(slot).y);
        let mut best = f64::MAX;
        let mut kept = 0;
        for at in 0..self.x.targets.len() {
            let target = self.x.targets[at];
            let place = (self.sprite(target).x, self.sprite(target).y);
            let distance = Self::distance(continuous, own, place);
            if distance < best {
                (best, kept) = (distance, 0);
            }
            if distance == best {
                self.x.targets[kept] = target;
                kept += 1;
            }
        }
        self.x.targets.truncate(kept);
    }

    fn chase(&mut self, slot: u16) {
        self.passive(slot);
        let def = self.def(slot);
        let prey = def.targets.first().copied().flatten();
        let sees_all = def.class != Some(Class::LosChaser);
        let action = match prey {
            // One avatar is what most hunt.
            Some(ty) if sees_all && !def.continuous && self.s.count(ty) == 1 => {
                self.move_towards_one(slot, self.s.index[self.s.layout.heads + ty.index()])
            }
            Some(ty) => {
                self.collect_prey(ty);
                if !sees_all {
                    self.keep_in_sight(slot);
                }
                self.keep_nearest(slot);
                self.move_towards(slot)
            }
            None => None,
        };
        let action = match action {
            Some(action) => action,
            None => self.random_move(slot),
        };
        self.go(slot, action);
    }

    /// Keeps the targets straight ahead, as seen by the direction of the last random move.
    fn keep_in_sight(&mut self, slot: u16) {
        let (heading, own) = (self.body(slot).heading, self.rect(slot));
        let sprites = &self.s.sprites;
        self.x.targets.retain(|&target| {
            let (x, y) = (sprites[usize::from(target)].x, sprites[usize::from(target)].y);
            match heading {
                h if h == DOWN => x == own.x && y >= own.y,
                h if h == UP => x == own.x && y <= own.y,
                h if h == LEFT => x <= own.x && y == own.y,
                h if h == RIGHT => x >= own.x && y == own.y,
                _ => false,
            }
        });
    }

    /// As `move_towards` for one target on the grid.
    fn move_towards_one(&mut self, slot: u16, target: u16) -> Option<Vector> {
        let (own, target) = (self.sprite(slot), self.sprite(target));
        let (dx, dy) = (own.x - target.x, own.y - target.y);
        let farthest = self.def(slot).max_distance;
        if farthest != -1.0 && f64::from(dx.abs() + dy.abs()) > f64::from(farthest) {
            return None;
        }
        let fleeing = self.body(slot).fleeing;
        let mut wanted = [NONE; 4];
        let mut count = 0;
        for (nearer, direction) in [dy > 0, dx > 0, dy < 0, dx < 0].into_iter().zip(DIRECTIONS) {
            wanted[count] = direction;
            count += usize::from(nearer != fleeing);
            if count == wanted.len() {
                break;
            }
        }
        (count > 0).then(|| wanted[self.s.chance.below(count)])
    }

    /// One of the directions that bring the sprite nearer to a target, or farther if it flees.
    fn move_towards(&mut self, slot: u16) -> Option<Vector> {
        let def = self.def(slot);
        let own = (self.sprite(slot).x, self.sprite(slot).y);
        let (fleeing, farthest) = (self.body(slot).fleeing, f64::from(def.max_distance));
        self.x.moves.clear();
        for at in 0..self.x.targets.len() {
            let target = self.sprite(self.x.targets[at]);
            let target = (target.x, target.y);
            let distance = Self::distance(def.continuous, own, target);
            if farthest != -1.0 && distance > farthest {
                continue;
            }
            if !def.continuous {
                // A pixel along an axis brings nearer or farther, never neither.
                let nearer =
                    [own.1 > target.1, own.0 > target.0, own.1 < target.1, own.0 < target.0];
                let wanted = nearer.iter().zip(DIRECTIONS).filter(|&(&near, _)| near != fleeing);
                self.x.moves.extend(wanted.map(|(_, direction)| direction));
                continue;
            }
            for direction in DIRECTIONS {
                let moved = (own.0 + direction.0 as i32, own.1 + direction.1 as i32);
                let then = Self::distance(true, moved, target);
                if (fleeing && distance < then) || (!fleeing && distance > then) {
                    self.x.moves.push(direction);
                }
            }
        }
        if self.x.moves.is_empty() {
            return None;
        }
        let choice = self.s.chance.below(self.x.moves.len());
        Some(self.x.moves[choice])
    }

    fn chase_by_path(&mut self, slot: u16) {
        self.passive(slot);
        let def = self.def(slot);
        self.x.targets.clear();
        if let Some(ty) = def.targets.first().copied().flatten() {
            self.collect_prey(ty);
            self.keep_nearest(slot);
        }
        let action = match self.x.targets.first() {
            Some(&target) => {
                let to = (self.sprite(target).x, self.sprite(target).y);
                if let Some(body) = self.body_mut(slot) {
                    body.count = def.cons;
                }
                self.path_step(slot, to).unwrap_or(NONE)
            }
            None => self.random_move(slot),
        };
        self.go(slot, action);
    }

    /// The first step of the shortest way to `to`, if there is a way.
    fn path_step(&self, slot: u16, to: (i32, i32)) -> Option<Vector> {
        let sprite = self.sprite(slot);
        self.w.paths.as_ref()?.step(self.w.block, (sprite.x, sprite.y), to)
    }

    /// Targets of an alternating chaser. The framework lists the sprites of the type itself twice,
    /// once alone and once with the family; the draws depend on it.
    fn collect_alternating(&mut self, slot: u16, random: bool) {
        let def = self.def(slot);
        self.x.targets.clear();
        let alive = def.targets.iter().flatten().any(|&ty| self.count_family(ty) > 0);
        if !alive {
            return;
        }
        let choice = if def.targets.len() > 1 {
            let salt = u64::from(self.sprite(slot).id) << 32 | self.s.tick as u64;
            (self.s.chance.aside(salt) * def.targets.len() as f64) as usize
        } else {
            0
        };
        if let Some(body) = self.body_mut(slot) {
            body.fleeing = false;
        }
        let Some(ty) = def.targets[choice.min(def.targets.len() - 1)] else { return };
        self.x.targets.extend(self.s.slots(ty));
        for &member in &self.w.rules.types[ty].family {
            self.x.targets.extend(self.s.slots(member));
        }
        if random {
            if !self.x.targets.is_empty() {
                let choice = self.s.chance.below(self.x.targets.len());
                let chosen = self.x.targets[choice];
                self.x.targets.clear();
                self.x.targets.push(chosen);
            }
        } else {
            self.keep_nearest(slot);
        }
    }

    fn chase_alternating(&mut self, slot: u16) {
        self.passive(slot);
        self.collect_alternating(slot, false);
        let action = match self.move_towards(slot) {
            Some(action) => action,
            None => self.random_direction(),
        };
        self.go(slot, action);
    }

    /// Runs to one target by the shortest way until it is reached.
    fn chase_kept_target(&mut self, slot: u16) {
        self.passive(slot);
        let def = self.def(slot);
        let own = self.rect(slot);
        let body = *self.body(slot);
        // The kept target is remembered by slot and number; a dead one by its last place.
        let kept = u16::try_from(body.product).ok();
        let alive = kept.filter(|&t| self.is_sprite(t, body.start as u32));
        let mut place = alive.map_or(body.seen, |t| (self.sprite(t).x, self.sprite(t).y));
        let reached = own.contains(&Rect { x: place.0, y: place.1, w: own.w, h: own.h });
        let mut target = kept;
        if kept.is_none() || reached {
            self.collect_alternating(slot, def.random_target);
            target = self.x.targets.first().copied();
            if let Some(target) = target {
                place = (self.sprite(target).x, self.sprite(target).y);
                let id = self.sprite(target).id;
                if let Some(body) = self.body_mut(slot) {
                    (body.product, body.start) = (i32::from(target), id as i32);
                }
            }
        }
        let action = if target.is_some() && !self.body(slot).fleeing {
            let mut step = self.path_step(slot, place);
            let (seen, known) = (body.heading, body.has_seen);
            if step.is_none() && known {
                step = self.path_step(slot, (seen.0 as i32, seen.1 as i32));
            } else if let Some(body) = self.body_mut(slot) {
                body.heading = (f64::from(place.0), f64::from(place.1));
                body.has_seen = true;
            }
            if let Some(body) = self.body_mut(slot) {
                body.seen = place;
            }
            step.unwrap_or(NONE)
        } else {
            match self.move_towards(slot) {
                Some(action) => action,
                None => self.random_direction(),
            }
        };
        self.go(slot, action);
    }

    fn walk(&mut self, slot: u16) {
        self.passive(slot);
        let def = self.def(slot);
        if def.airsteering || self.last_direction(slot).0 == 0.0 {
            let ahead = self.body(slot).orientation.0;
            let side = if ahead > 0.0 {
                1.0
            } else if ahead < 0.0 {
                -1.0
            } else {
                [-1.0, 1.0][self.s.chance.below(2)]
            };
            if let Some(body) = self.body_mut(slot) {
                body.orientation = (side, 0.0);
            }
            self.active(slot, (side, 0.0), def.max_speed);
        }
        if let Some(body) = self.body_mut(slot) {
            body.speed = def.max_speed;
            body.on_ground = false;
        }
    }
}
