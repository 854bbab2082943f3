//! What happens after everything has moved: timed effects, effects at the end of the screen and
//! effects of pairs (`vgdl-ontology`, 2.2.4 and 2.2.5).
//!
//! The rule for a pair of types and one of its effects is: take all sprites of both sides as they
//! are; for each first sprite list the second sprites it overlaps now; run the effect on each of
//! them that it still overlaps, unless the first sprite is killed. The framework compares every
//! first with every second sprite. Here the blocks are asked instead, from the side with fewer
//! sprites where the result is the same; `reference_collide` is the rule as written, and a test
//! holds the two against each other.

use crate::contacts::OUTSIDE;
use crate::effect::{Effect, EffectId};
use crate::level::{Check, Collision, FirstType, Moves, World};
use crate::sim::Sim;
use crate::state::{DISABLED, Event, FROM_AVATAR, KILLED, NOBODY, Rect, Sprite, Waiting};
use crate::types::TypeId;

/// The score and counters of an effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub score: bool,
    pub killed: bool,
    pub count: bool,
    pub count_else: bool,
}

/// Work of running an effect, in sprites that could be looked at meanwhile.
const EFFECT_WORK: u64 = 20;
/// Waiting effects that are moved aside in the time that one sprite is looked at.
const MOVED_ASIDE: usize = 8;
/// Meetings that are listed before they are acted on.
const MAX_LISTED: usize = 100_000;
/// Pixels below a sprite in which ground counts.
const GROUND_REACH: i32 = 3;

impl<'a> Sim<'a> {
    /// Runs all effects of a tick.
    pub fn handle_events(&mut self) {
        let world: &'a World = self.w;
        self.find_contacts();
        self.run_timers();
        for edge in &world.edges {
            self.run_edge(edge.ty, edge.effect);
        }
        // Places in the list of collisions: those of one effect follow each other.
        let (mut current, mut shielded, mut newest) = (u16::MAX, false, 0);
        let mut from = 0;
        while let Some(number) = self.x.contacts.next_due(from) {
            from = number + 1;
            let check = &world.checks[number];
            if !check.always && !self.x.contacts.may_touch(check.bit, check.seconds) {
                continue;
            }
            let collision = &world.collisions[usize::from(check.collision)];
            if check.collision != current {
                current = check.collision;
                shielded = self.is_shielded(collision);
                newest = self.s.next_id;
            }
            if !shielded {
                self.collide(collision, check, newest);
            }
        }
        self.x.contacts.clear(&world.fixed);
    }

    /// Runs all effects of a tick with the rule as it is written.
    pub fn handle_events_by_reference(&mut self) {
        let world: &'a World = self.w;
        self.run_timers();
        for edge in &world.edges {
            self.run_edge_of_all(edge.ty, edge.effect);
        }
        for collision in &world.collisions {
            if !self.is_shielded(collision) {
                // The slow rule looks at far more sprites; its limit is per effect.
                self.x.work = 0;
                self.reference_collide(collision);
            }
        }
    }

    fn is_shielded(&self, collision: &Collision) -> bool {
        let shields = &self.x.shields;
        !shields.is_empty() && {
            let name = self.w.effect(collision.effect).name;
            shields.contains(&(collision.first.0, collision.second.0, name))
        }
    }

    /// Enters a timed effect before all that are due at the same time.
    pub fn wait(&mut self, timed: u16, at: i32) {
        let place = self.s.waiting.partition_point(|waiting| waiting.at < at);
        self.x.work += ((self.s.waiting.len() - place) / MOVED_ASIDE) as u64;
        self.s.waiting.insert(place, Waiting { at, timed });
    }

    fn run_timers(&mut self) {
        let world: &'a World = self.w;
        let tick = self.s.tick;
        // A repeating effect with a timer below 1 would always be due again at once; it runs
        // once a tick. An effect may add timers, but each only for a later tick.
        let mut due = self.s.waiting.iter().filter(|waiting| waiting.at <= tick).count();
        while due > 0 && self.may_go_on((self.s.waiting.len() / MOVED_ASIDE) as u64) {
            due -= 1;
            let waiting = self.s.waiting.remove(0);
            let timed = world.rules.timed[usize::from(waiting.timed)];
            let effect = world.effect(timed.effect);
            let scores = world.effect(timed.scores);
            match timed.of {
                None => {
                    self.execute(timed.effect, effect, None, None);
                    self.pay(scores, scores.apply_score, false, 1);
                }
                Some(of) => {
                    for &member in &world.rules.types[of].family {
                        let newest = self.s.next_id;
                        let mut at = self.s.index[self.s.layout.heads + member.index()];
                        while at != NOBODY && self.sprite(at).id < newest {
                            if self.sprite(at).flags & (KILLED | DISABLED) == 0 {
                                self.execute(timed.effect, effect, Some(at), None);
                                self.pay(scores, scores.apply_score, false, 1);
                                self.add_counters(scores, true, true, 1);
                            }
                            at = self.sprite(at).next;
                        }
                    }
                }
            }
            if timed.repeating {
                self.wait(waiting.timed, tick.saturating_add(timed.timer.max(1)));
            }
        }
    }

    fn run_edge(&mut self, ty: TypeId, effect: EffectId) {
        let world: &'a World = self.w;
        for &member in &world.rules.types[ty].family {
            if world.never_outside[member.index()] {
                continue;
            }
            let bit = world.bits[member.index()];
            if world.odd_sizes || self.x.contacts.may_touch(bit, OUTSIDE) {
                self.run_edge_of(member, effect);
            }
        }
    }

    fn run_edge_of_all(&mut self, ty: TypeId, effect: EffectId) {
        let world: &'a World = self.w;
        for &member in &world.rules.types[ty].family {
            self.run_edge_of(member, effect);
        }
    }

    fn run_edge_of(&mut self, ty: TypeId, effect: EffectId) {
        let mut at = self.s.index[self.s.layout.heads + ty.index()];
        while at != NOBODY {
            let inside = self.w.screen.contains(&self.rect(at));
            if !inside && self.sprite(at).flags & (KILLED | DISABLED) == 0 {
                let before = self.s.count(ty);
                self.run(effect, Some(at), None);
                if self.s.count(ty) != before {
                    // The framework's list does not survive a new member while it is read.
                    break;
                }
            }
            at = self.sprite(at).next;
        }
    }

    fn collide(&mut self, collision: &'a Collision, check: &Check, newest: u32) {
        let first = &collision.firsts[usize::from(check.first)];
        let firsts = self.s.count(first.ty);
        let seconds: usize = first.seconds.iter().map(|&ty| self.s.count(ty)).sum();
        if firsts == 0 || seconds == 0 || !self.may_go_on(0) {
            return;
        }
        if check.always || collision.batch {
            self.collide_slowly(collision, first, newest);
        } else if seconds >= firsts
            || !collision.can_swap(first.ty)
            || !self.collide_from_seconds(collision, first, check, newest)
        {
            self.collide_from_firsts(collision, first, check, newest);
        }
    }

    fn collide_from_firsts(
        &mut self,
        collision: &Collision,
        first: &FirstType,
        check: &Check,
        newest: u32,
    ) {
        self.list_blocks(check.seconds);
        let mut found = std::mem::take(&mut self.x.found);
        let mut at = self.s.index[self.s.layout.heads + first.ty.index()];
        while at != NOBODY {
            let sprite = *self.sprite(at);
            if sprite.id >= newest {
                break;
            }
            if sprite.flags & KILLED == 0 {
                found.clear();
                let seen = self.each_touching(at, check.seconds, |slot, other| {
                    if let Some(key) = self.second_key(collision, slot, other, newest) {
                        found.push((0, key));
                    }
                });
                if !self.may_go_on(seen) {
                    break;
                }
                if found.len() > 1 {
                    found.sort_unstable();
                    found.dedup();
                }
                for &(_, key) in &found {
                    self.meet(collision.effect, at, key as u16);
                }
            }
            at = self.sprite(at).next;
        }
        self.x.found = found;
    }

    /// The same from the other side; `false` if it was not done because too many meet.
    fn collide_from_seconds(
        &mut self,
        collision: &Collision,
        first: &FirstType,
        check: &Check,
        newest: u32,
    ) -> bool {
        let (mut work, types) = (0, 1 << check.bit);
        self.list_blocks(types);
        let mut found = std::mem::take(&mut self.x.found);
        found.clear();
        for &ty in &first.seconds {
            for at in self.s.slots(ty) {
                let second = self.sprite(at);
                let Some(key) = self.second_key(collision, at, second, newest) else { break };
                work += self.each_touching(at, types, |slot, other| {
                    if other.ty == first.ty.0 && other.id < newest {
                        found.push((u64::from(other.id) << 16 | u64::from(slot), key));
                    }
                });
                if found.len() > MAX_LISTED {
                    self.x.found = found;
                    return false;
                }
            }
        }
        self.may_go_on(work);
        if found.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
        for &(first, second) in &found {
            self.meet(collision.effect, first as u16, second as u16);
        }
        self.x.found = found;
        true
    }

    /// Place of a second sprite in the order they are met in; `None` if it takes no part.
    #[inline]
    fn second_key(&self, c: &Collision, slot: u16, other: &Sprite, newest: u32) -> Option<u64> {
        let rank = c.ranks[usize::from(other.ty)];
        if rank == NOBODY || other.id >= newest {
            return None;
        }
        Some(u64::from(rank) << 48 | u64::from(other.id) << 16 | u64::from(slot))
    }

    #[inline]
    fn meet(&mut self, effect: EffectId, first: u16, second: u16) {
        if !self.is_killed(first) && self.overlap(first, second) {
            self.run(effect, Some(first), Some(second));
        }
    }

    /// The pairs of one first type as the rule says, every first against every second sprite.
    fn collide_slowly(&mut self, collision: &'a Collision, first: &FirstType, newest: u32) {
        let world: &'a World = self.w;
        let mut seconds = std::mem::take(&mut self.x.seconds);
        let mut met = std::mem::take(&mut self.x.firsts);
        seconds.clear();
        for &ty in &world.rules.types[collision.second].family {
            seconds.extend(self.s.slots(ty).filter(|&slot| self.sprite(slot).id < newest));
        }
        let mut at = self.s.index[self.s.layout.heads + first.ty.index()];
        while at != NOBODY && self.sprite(at).id < newest {
            if !self.may_go_on(seconds.len() as u64) {
                break;
            }
            met.clear();
            for &second in &seconds {
                if second != at && self.touches(at, second) {
                    met.push(second);
                }
            }
            if world.effect(collision.effect).is_batch() {
                if !met.is_empty() {
                    self.run_batch(collision.effect, at, &mut met);
                }
            } else {
                for &second in &met {
                    if !self.is_killed(at) && self.touches(at, second) {
                        self.run(collision.effect, Some(at), Some(second));
                    }
                }
            }
            at = self.sprite(at).next;
        }
        self.x.seconds = seconds;
        self.x.firsts = met;
    }

    /// The rule as it is written: slow, and what the fast ways are checked against.
    fn reference_collide(&mut self, collision: &'a Collision) {
        let newest = self.s.next_id;
        let world: &'a World = self.w;
        for &ty in &world.rules.types[collision.first].family {
            let first = FirstType { ty, seconds: Vec::new(), feels_ground: false };
            self.collide_slowly(collision, &first, newest);
        }
    }

    /// Whether two sprites overlap; a platform sprite also looks for ground below itself.
    fn touches(&mut self, first: u16, second: u16) -> bool {
        let (rect, other) = (self.rect(first), self.rect(second));
        let feels = self.def(first).class.is_some_and(crate::ontology::Class::feels_ground);
        if feels && !self.body(first).on_ground && self.def(second).solid {
            let (last, other_last) = (self.last(first), self.last(second));
            let above = other_last.y > last.y + rect.h / 2;
            let falling = rect.y > last.y;
            let lowered = Rect { y: rect.y + GROUND_REACH, ..rect };
            let ground = lowered.overlaps(&other) && above && falling;
            if let Some(body) = self.body_mut(first) {
                body.on_ground = ground;
            }
        }
        rect.overlaps(&other)
    }

    /// Runs an effect and does what follows from every effect: score, history, counters.
    pub fn run(&mut self, id: EffectId, first: Option<u16>, second: Option<u16>) {
        let world: &'a World = self.w;
        let effect = world.effect(id);
        self.x.work += EFFECT_WORK;
        let outcome = self.execute(id, effect, first, second);
        self.pay(effect, outcome.score, outcome.killed, 1);
        if let (Some(first), Some(second)) = (first, second) {
            self.record(first, second);
        }
        self.add_counters(effect, outcome.count, outcome.count_else, 1);
    }

    fn run_batch(&mut self, id: EffectId, first: u16, seconds: &mut [u16]) {
        let world: &'a World = self.w;
        let effect = world.effect(id);
        let times = self.execute_batch(effect, first, seconds);
        self.pay(effect, effect.apply_score, false, times);
        for &second in &*seconds {
            self.record(first, second);
        }
        self.add_counters(effect, true, true, times);
    }

    fn pay(&mut self, effect: &Effect, applies: bool, killed: bool, times: i32) {
        if !applies {
            return;
        }
        let score = if killed { &effect.score_if_killed } else { &effect.score };
        for (player, &points) in self.s.players.iter_mut().zip(score) {
            player.score += f64::from(points) * f64::from(times);
        }
    }

    fn add_counters(&mut self, effect: &Effect, count: bool, count_else: bool, times: i32) {
        for (at, counter) in self.s.counters.iter_mut().enumerate().take(self.w.rules.counters) {
            if count {
                *counter = counter.wrapping_add(effect.counter[at].wrapping_mul(times));
            }
            if count_else {
                *counter = counter.wrapping_add(effect.counter_else[at].wrapping_mul(times));
            }
        }
    }

    /// Enters an event if an avatar or something it made takes part.
    fn record(&mut self, first: u16, second: u16) {
        let avatar = |slot| self.def(slot).is_avatar;
        let made = |slot| self.sprite(slot).flags & FROM_AVATAR != 0;
        let (active, passive, from_avatar) = if avatar(first) {
            (first, second, false)
        } else if made(first) {
            (first, second, true)
        } else if avatar(second) {
            (second, first, false)
        } else if made(second) {
            (second, first, true)
        } else {
            return;
        };
        let (a, p) = (self.sprite(active), self.sprite(passive));
        self.s.events.push(Event {
            tick: self.s.tick,
            from_avatar,
            active_type: TypeId(a.ty),
            passive_type: TypeId(p.ty),
            active_id: a.id,
            passive_id: p.id,
            position: (a.x, a.y),
        });
    }
}

impl Collision {
    /// Whether the second sprites may be visited first without changing what happens: nothing that
    /// is a second sprite may move while the effect runs.
    fn can_swap(&self, first: TypeId) -> bool {
        match self.moves {
            Moves::Nothing => true,
            Moves::First => self.ranks[first.index()] == NOBODY,
            Moves::Everything => false,
        }
    }
}
