//! What each effect does (`vgdl-ontology`, 3.4). `first` and `second` are the sprites of the line;
//! timed effects and those at the end of the screen have no second, added timers have neither.

use crate::effect::{Effect, EffectId, Kind, SpeedChange};
use crate::events::Outcome;
use crate::motion::{magnitude, normalised};
use crate::ontology::Class;
use crate::sim::Sim;
use crate::state::{DISABLED, NOBODY, Rect};
use crate::types::TypeId;
use crate::value::{DIRECTIONS, DOWN, LEFT, NONE, RIGHT, UP};

impl Sim<'_> {
    /// Executes an effect.
    pub fn execute(
        &mut self,
        id: EffectId,
        effect: &Effect,
        first: Option<u16>,
        second: Option<u16>,
    ) -> Outcome {
        let mut outcome =
            Outcome { score: effect.apply_score, killed: false, count: true, count_else: true };
        // Effects that work without sprites come first, then those that need one, then two.
        match &effect.kind {
            Kind::UndoAll { except } => self.undo_all(except),
            Kind::KillAll { of } => {
                let slots: Vec<u16> = self.s.slots(*of).collect();
                slots.into_iter().for_each(|slot| self.kill(slot, false));
            }
            Kind::TransformToAll { from, transform } => {
                let slots: Vec<u16> = self.s.slots(*from).collect();
                for slot in slots {
                    let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
                    let made = self.create_forced(transform.to, x, y);
                    self.transform(*transform, made, slot, second);
                }
            }
            Kind::ChangeSpeed { of, change } => self.change_speed(*of, *change),
            Kind::UpdateSpawnType { to, spawner } => {
                if let Some(second) = second {
                    self.update_spawn_type(*to, *spawner, self.type_of(second));
                }
            }
            Kind::SubtractHealth { value, limit, of } => {
                let hit = match of {
                    Some(of) => self.last_first_of_family(*of).or(first),
                    None => first,
                };
                if let Some(hit) = hit
                    && let Some(body) = self.body_mut(hit)
                {
                    body.health = body.health.saturating_sub(*value);
                    if body.health <= *limit {
                        self.kill(hit, false);
                        outcome.killed = true;
                    }
                }
            }
            Kind::AddTimer { timed } => {
                let timer = self.w.rules.timed[usize::from(*timed)].timer;
                // Never due in this tick: a timer that adds itself would not end.
                let at = self.s.tick.saturating_add(timer.max(1));
                self.wait(*timed, at);
            }
            _ => {
                if let Some(first) = first {
                    let done = self.execute_single(effect, first, second, &mut outcome);
                    if let (false, Some(second)) = (done, second) {
                        self.execute_pair(id, effect, first, second, &mut outcome);
                    }
                }
            }
        }
        outcome
    }

    /// Effects that need the first sprite only; whether this was one.
    fn execute_single(
        &mut self,
        effect: &Effect,
        first: u16,
        second: Option<u16>,
        outcome: &mut Outcome,
    ) -> bool {
        match &effect.kind {
            Kind::StepBack { pixel_perfect } => match second {
                Some(second) if *pixel_perfect => {
                    let rect = self.flush(first, second);
                    self.set_rect(first, rect);
                }
                _ => self.step_back(first),
            },
            Kind::KillSprite => self.kill(first, false),
            Kind::TransformTo(transform) => {
                if self.sprite(first).flags & DISABLED == 0 {
                    let (x, y) = (self.sprite(first).x, self.sprite(first).y);
                    let made = self.create(transform.to, x, y);
                    self.transform(*transform, made, first, second);
                }
            }
            Kind::TransformToRandomChild(transform) => {
                let own = transform.to;
                let kin: Vec<TypeId> =
                    self.w.rules.types[own].family.iter().copied().filter(|&t| t != own).collect();
                if !kin.is_empty() {
                    let child = kin[self.s.chance.below(kin.len())];
                    let (x, y) = (self.sprite(first).x, self.sprite(first).y);
                    let made = self.create(child, x, y);
                    self.transform(*transform, made, first, second);
                }
            }
            Kind::TurnAround => {
                self.step_back(first);
                let cooldown = self.def(first).cooldown;
                for _ in 0..2 {
                    if let Some(body) = self.body_mut(first) {
                        body.lastmove = cooldown;
                        let speed = body.speed;
                        self.active(first, DOWN, speed);
                    }
                }
                self.reverse(first);
            }
            Kind::ReverseDirection => self.reverse(first),
            Kind::FlipDirection => {
                let direction = DIRECTIONS[self.s.chance.below(4)];
                if let Some(body) = self.body_mut(first) {
                    body.orientation = direction;
                }
            }
            Kind::WrapAround { offset } => self.wrap_around(first, *offset),
            Kind::KillIfHasLess { resource, limit } => {
                outcome.score = self.resource(first, *resource).unwrap_or(0) <= *limit;
                if outcome.score {
                    self.kill(first, false);
                }
            }
            Kind::KillIfHasMore { resource, limit } => {
                outcome.score = self.resource(first, *resource).unwrap_or(0) >= *limit;
                if outcome.score {
                    self.kill(first, false);
                }
            }
            Kind::KillIfNotUpright => {
                let turn = std::f64::consts::TAU;
                let rotation = (self.body(first).rotation + turn) % turn;
                if !(rotation < 5.0 && rotation > 4.4) {
                    self.kill(first, false);
                }
            }
            Kind::CloneSprite => {
                let (x, y) = (self.sprite(first).x, self.sprite(first).y);
                self.create(self.type_of(first), x, y);
            }
            Kind::Spawn { to } => {
                if self.s.chance.double() < effect.prob {
                    let (x, y) = (self.sprite(first).x, self.sprite(first).y);
                    self.create(*to, x, y);
                }
            }
            Kind::SpawnIfHasMore { resource, limit, to, spend } => {
                outcome.score = self.s.chance.double() < effect.prob
                    && self.resource(first, *resource).unwrap_or(0) >= *limit;
                if outcome.score {
                    let (x, y) = (self.sprite(first).x, self.sprite(first).y);
                    self.create(*to, x, y);
                    self.add_resource(first, *resource, spend.saturating_neg());
                }
            }
            Kind::SpawnIfHasLess { resource, limit, to } => {
                outcome.score = self.s.chance.double() < effect.prob
                    && self.resource(first, *resource).unwrap_or(0) <= *limit;
                if outcome.score {
                    let (x, y) = (self.sprite(first).x, self.sprite(first).y);
                    self.create(*to, x, y);
                }
            }
            Kind::SpawnIfCounterSubTypes { to, otherwise, count, limit, kinds } => {
                let holds = self.alive(*count) == *limit && self.kinds(*count) / 2 == *kinds;
                (outcome.score, outcome.count) = (holds, holds);
                let (x, y) = (self.sprite(first).x, self.sprite(first).y);
                self.create(if holds { *to } else { *otherwise }, x, y);
            }
            Kind::AddHealth { value, kill_second, to_max } => {
                let limit = self.def(first).limit_health;
                let Some(body) = self.body_mut(first) else { return true };
                let fits = body.health.saturating_add(*value) < limit;
                if fits {
                    body.health = body.health.saturating_add(*value);
                } else if *to_max {
                    body.health = limit;
                }
                outcome.score = fits || *to_max;
                if outcome.score {
                    body.max_health = body.max_health.max(body.health);
                    if let (true, Some(second)) = (*kill_second, second) {
                        self.kill(second, false);
                    }
                }
            }
            Kind::ShieldFrom { from, effect } => {
                if let Some(effect) = effect {
                    self.x.shields.push((self.sprite(first).ty, from.0, *effect));
                }
            }
            Kind::RemoveScore { of, kill_second } => {
                let avatars: Vec<u16> = match of {
                    Some(of) => self.s.slots(*of).collect(),
                    None => vec![first],
                };
                for slot in avatars {
                    if self.def(slot).is_avatar {
                        for player in &mut self.s.players {
                            if player.avatar == slot {
                                player.score = 0.0;
                            }
                        }
                        if let (true, Some(second)) = (*kill_second, second) {
                            self.kill(second, true);
                        }
                    }
                }
            }
            Kind::HalfSpeed => {
                if let Some(body) = self.body_mut(first) {
                    body.speed *= 0.5;
                }
            }
            Kind::WaterPhysics => {
                if let Some(body) = self.body_mut(first) {
                    body.gravity = 0.2;
                }
            }
            _ => return false,
        }
        true
    }

    fn execute_pair(
        &mut self,
        id: EffectId,
        effect: &Effect,
        first: u16,
        second: u16,
        outcome: &mut Outcome,
    ) {
        match &effect.kind {
            Kind::KillBoth => {
                self.kill(first, false);
                self.kill(second, false);
            }
            Kind::AttractGaze { align } => self.attract_gaze(effect, first, second, *align),
            Kind::Align { orient } => {
                let (rect, orientation) = (self.rect(second), self.body(second).orientation);
                if *orient && let Some(body) = self.body_mut(first) {
                    body.orientation = orientation;
                }
                self.place(first, rect.x, rect.y);
            }
            Kind::BounceForward => self.bounce_forward(first, second),
            Kind::PullWithIt { pixel_perfect } => self.pull(id, first, second, *pixel_perfect),
            Kind::TeleportToExit => self.teleport(first, second),
            Kind::WallStop => self.wall_stop(first, second),
            Kind::BounceDirection { max_angle } => self.bounce_direction(first, second, *max_angle),
            Kind::KillIfOtherHasMore { resource, limit, subtract } => {
                let amount = resource.and_then(|r| self.resource(second, r)).unwrap_or(0);
                outcome.score = amount >= *limit;
                if outcome.score {
                    self.kill(first, false);
                    if let (true, Some(resource)) = (*subtract, resource) {
                        self.add_resource(second, *resource, limit.saturating_neg());
                    }
                }
            }
            Kind::KillIfFromAbove => {
                let (last, other) = (self.last(first), self.last(second));
                let rect = self.rect(second);
                outcome.score = last.y > other.y + rect.h / 2 && rect.y > other.y;
                if outcome.score {
                    self.kill(first, false);
                }
            }
            Kind::KillIfFrontal { frontal } => {
                let own = normalised(self.last_direction(first));
                let other = normalised(self.last_direction(second));
                let opposite = (own.0 + other.0, own.1 + other.1) == NONE;
                outcome.score = own == NONE || opposite == *frontal;
                if outcome.score {
                    self.kill(first, false);
                }
            }
            Kind::KillIfAlive if self.is_killed(second) => {}
            Kind::KillIfAlive => self.kill(first, false),
            Kind::KillIfSpeed { limit, fast } => {
                let (a, b) = (self.body(first), self.body(second));
                let speed = if self.def(first).is_static {
                    b.speed
                } else if self.def(second).is_static {
                    a.speed
                } else {
                    magnitude((
                        a.orientation.0 - b.orientation.0,
                        a.orientation.1 - b.orientation.1,
                    ))
                };
                if (*fast && speed > *limit) || (!*fast && speed < *limit) {
                    self.kill(first, false);
                }
            }
            Kind::TransformIfCount { transform, count, geq, leq, otherwise } => {
                let number = count.map_or(0, |count| self.count_family(count)) as i32;
                let holds = (*geq..=*leq).contains(&number);
                outcome.score = holds;
                outcome.count = holds;
                outcome.count_else = !holds && otherwise.is_some();
                let to = if holds { Some(transform.to) } else { *otherwise };
                if let Some(to) = to {
                    let (x, y) = (self.sprite(first).x, self.sprite(first).y);
                    let made = self.create_forced(to, x, y);
                    self.transform(*transform, made, first, Some(second));
                }
            }
            Kind::TransformToSingleton { to, other, take_orientation } => {
                self.transform_to_singleton(*to, *other, *take_orientation, first, second);
            }
            Kind::SpawnBehind { to } => {
                if self.s.chance.double() < effect.prob
                    && let Some((x, y)) = self.left_behind(second)
                {
                    self.create(*to, x, y);
                }
            }
            Kind::SpawnBeside { to, dx, dy, step_back } => {
                let drawn = self.s.chance.double() < effect.prob;
                let place = if *step_back {
                    self.left_behind(second)
                } else {
                    Some((self.sprite(second).x, self.sprite(second).y))
                };
                if let (true, Some((x, y)), Some(to)) = (drawn, place, to) {
                    let block = self.w.block;
                    self.create(*to, x + dx * block, y + dy * block);
                }
            }
            Kind::CollectResource { .. } | Kind::CollectResourceIfHeld { .. }
                if !self.def(first).is_resource => {}
            Kind::CollectResource { kill } => self.collect(first, second, *kill, outcome),
            Kind::CollectResourceIfHeld { held, value, kill } => {
                let needed = held.and_then(|h| self.resource(second, h)).unwrap_or(0);
                outcome.score = false;
                if needed >= *value {
                    self.collect_whole(first, second, *kill, outcome);
                }
            }
            Kind::ChangeResource { resource, value, kill } => {
                let Some(resource) = *resource else { return };
                let owned = self.resource(first, resource).unwrap_or(0);
                let limit = self.w.resource_limits[resource.index()];
                outcome.score = owned.saturating_add(*value) <= limit;
                if outcome.score {
                    self.add_resource(first, resource, *value);
                    if *kill {
                        self.kill(second, true);
                    }
                }
            }
            _ => {}
        }
    }

    /// `second` takes as much of the resource `first` as it has room for.
    fn collect(&mut self, first: u16, second: u16, kill: bool, outcome: &mut Outcome) {
        let (resource, value) = (self.type_of(first), self.def(first).value);
        let limit = self.w.resource_limits[resource.index()];
        let held = self.resource(second, resource).unwrap_or(0);
        outcome.score = held < limit;
        if outcome.score {
            self.add_resource(second, resource, value.min(limit - held));
            if kill {
                self.kill(first, true);
            }
        }
    }

    /// `second` takes all of the resource `first` or nothing; either way it is used up.
    fn collect_whole(&mut self, first: u16, second: u16, kill: bool, outcome: &mut Outcome) {
        let (resource, value) = (self.type_of(first), self.def(first).value);
        let owned = self.resource(second, resource).unwrap_or(0);
        outcome.score = owned.saturating_add(value) <= self.w.resource_limits[resource.index()];
        if outcome.score {
            self.add_resource(second, resource, value);
        }
        if kill {
            self.kill(first, false);
        }
    }

    fn step_back(&mut self, slot: u16) {
        let last = self.last(slot);
        self.set_rect(slot, last);
    }

    fn reverse(&mut self, slot: u16) {
        if let Some(body) = self.body_mut(slot) {
            body.orientation = (-body.orientation.0, -body.orientation.1);
        }
    }

    fn undo_all(&mut self, except: &[TypeId]) {
        let world = self.w;
        for &ty in &world.rules.types.order {
            if world.scenery[ty.index()] || except.contains(&ty) {
                continue;
            }
            let mut at = self.s.index[self.s.layout.heads + ty.index()];
            while at != NOBODY {
                self.step_back(at);
                at = self.sprite(at).next;
            }
        }
    }

    fn wrap_around(&mut self, slot: u16, offset: f64) {
        let (rect, screen) = (self.rect(slot), self.w.screen);
        let (ox, oy) = self.body(slot).orientation;
        let (w, h) = (f64::from(rect.w), f64::from(rect.h));
        let (mut x, mut y) = (rect.x, rect.y);
        if ox > 0.0 {
            x = (offset * w) as i32;
        } else if ox < 0.0 {
            x = (f64::from(screen.w) - w * (1.0 + offset)) as i32;
        } else if oy > 0.0 {
            y = (offset * h) as i32;
        } else if oy < 0.0 {
            y = (f64::from(screen.h) - h * (1.0 + offset)) as i32;
        }
        self.place(slot, x, y);
        if let Some(body) = self.body_mut(slot) {
            body.lastmove = 0;
        }
    }

    fn attract_gaze(&mut self, effect: &Effect, first: u16, second: u16, align: bool) {
        if !(self.body(first).oriented && self.body(second).oriented)
            || self.s.chance.double() >= effect.prob
        {
            return;
        }
        let orientation = self.body(second).orientation;
        if let Some(body) = self.body_mut(first) {
            body.orientation = orientation;
        }
        if align {
            let (own, other) = (self.rect(first), self.rect(second));
            if orientation == LEFT || orientation == RIGHT {
                self.place(first, own.x, other.y);
            } else {
                self.place(first, other.x, own.y);
            }
        }
    }

    fn bounce_forward(&mut self, first: u16, second: u16) {
        let moved = self.last_direction(second);
        let (orientation, speed) = (self.body(second).orientation, self.body(second).speed);
        let mut direction = normalised(moved);
        if moved.0 * orientation.0 < 0.0 {
            direction.0 = -direction.0;
        }
        if moved.1 * orientation.1 < 0.0 {
            direction.1 = -direction.1;
        }
        self.active(first, direction, speed);
        if let Some(body) = self.body_mut(first) {
            body.orientation = direction;
        }
    }

    fn pull(&mut self, id: EffectId, first: u16, second: u16, pixel_perfect: bool) {
        if self.x.pulled.contains(&(id.0, first)) {
            return;
        }
        self.x.pulled.push((id.0, first));
        let continuous = self.def(first).continuous;
        let grid = if continuous { 10 } else { self.w.block };
        let direction = normalised(self.last_direction(second));
        let pixels = (self.body(second).speed * f64::from(grid)) as i32;
        self.step(first, direction, pixels);
        let other = self.rect(second);
        if continuous {
            let x = self.sprite(first).x;
            self.place(first, x, other.y - other.h);
            if let Some(body) = self.body_mut(first) {
                body.orientation.1 = 0.0;
            }
        }
        if pixel_perfect {
            self.set_rect(first, other);
        }
    }

    /// Where something that leads elsewhere leads to.
    fn exit_of(&self, slot: u16) -> Option<TypeId> {
        use Class::*;
        let def = self.def(slot);
        match def.class? {
            SpawnPoint | Bomber | RandomBomber | BomberRandomMissile => {
                u16::try_from(self.body(slot).product).ok().map(TypeId)
            }
            Portal | Spreader | Chaser | Fleeing | LosChaser | PathChaser | FlakAvatar => {
                def.targets.first().copied().flatten()
            }
            _ => None,
        }
    }

    fn teleport(&mut self, first: u16, second: u16) {
        let Some(exit) = self.exit_of(second) else { return };
        let exits = self.s.count(exit);
        if exits == 0 {
            self.kill(first, false);
            return;
        }
        let choice = self.s.chance.below(exits);
        let Some(exit) = self.s.slots(exit).nth(choice) else { return };
        let rect = self.rect(exit);
        self.set_rect(first, rect);
        let (oriented, orientation) = (self.body(exit).oriented, self.body(exit).orientation);
        if let Some(body) = self.body_mut(first) {
            body.lastmove = 0;
            if oriented {
                body.orientation = orientation;
            }
        }
    }

    /// Where `slot` was, if it has left that place entirely.
    fn left_behind(&self, slot: u16) -> Option<(i32, i32)> {
        let last = self.last(slot);
        (!last.overlaps(&self.rect(slot))).then_some((last.x, last.y))
    }

    fn change_speed(&mut self, of: TypeId, change: SpeedChange) {
        let world = self.w;
        for &member in &world.rules.types[of].family {
            let mut at = self.s.index[self.s.layout.heads + member.index()];
            while at != NOBODY {
                if let Some(body) = self.body_mut(at) {
                    body.speed = match change {
                        SpeedChange::Add(value) => body.speed + value,
                        SpeedChange::Subtract(value) if body.speed - value < 0.0 => 0.0,
                        SpeedChange::Subtract(value) => body.speed - value,
                        SpeedChange::Set(value) => value,
                    };
                }
                at = self.sprite(at).next;
            }
        }
    }

    fn update_spawn_type(&mut self, to: TypeId, spawner: TypeId, old: TypeId) {
        let world = self.w;
        for &member in &world.rules.types[spawner].family {
            let class = world.rules.types[member].class;
            if class == Some(Class::BomberRandomMissile) && self.s.count(member) > 0 {
                // Each bomber replaces one entry of its list.
                if old != to && !self.s.replaced.contains(&(member.0, old.0, to.0)) {
                    self.s.replaced.push((member.0, old.0, to.0));
                }
                continue;
            }
            if !class.is_some_and(Class::is_spawn_point) {
                continue;
            }
            let mut at = self.s.index[self.s.layout.heads + member.index()];
            while at != NOBODY {
                if let Some(body) = self.body_mut(at) {
                    body.product = i32::from(to.0);
                }
                at = self.sprite(at).next;
            }
        }
    }

    /// The first sprite of the last type of the family that has sprites.
    fn last_first_of_family(&self, of: TypeId) -> Option<u16> {
        let family = &self.w.rules.types[of].family;
        family.iter().rev().find_map(|&member| self.s.slots(member).next())
    }

    /// `first` placed flush against `second` if it moved along an axis, else where it was.
    pub fn flush(&self, first: u16, second: u16) -> Rect {
        let (rect, last, other) = (self.rect(first), self.last(first), self.rect(second));
        let (now, then) = (rect.center(), last.center());
        let direction = normalised((now.0 - then.0, now.1 - then.1));
        match direction {
            d if d == DOWN => Rect { y: other.y - rect.h, ..rect },
            d if d == RIGHT => Rect { x: other.x - rect.w, ..rect },
            d if d == UP => Rect { y: other.y + other.h, ..rect },
            d if d == LEFT => Rect { x: other.x + other.w, ..rect },
            _ => last,
        }
    }
}
