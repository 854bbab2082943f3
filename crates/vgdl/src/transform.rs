//! How one sprite takes the place of another (`vgdl-ontology`, 3.4, the `transform` effects).

use crate::effect::Transform;
use crate::ontology::Class;
use crate::sim::Sim;
use crate::state::NOBODY;
use crate::types::TypeId;
use crate::value::{NONE, Vector};

impl Sim<'_> {
    /// Makes `made` take the place of `old`.
    pub fn transform(&mut self, how: Transform, made: Option<u16>, old: u16, second: Option<u16>) {
        let Some(made) = made else { return };
        let (new, was) = (*self.body(made), *self.body(old));
        if how.force_orientation || (new.oriented && was.oriented && new.orientation == NONE) {
            self.set_orientation(made, was.orientation);
        }
        let transformed = self.inherit(made, old);
        if self.sprite(made).body != NOBODY
            && let Some(body) = self.body_mut(made)
        {
            body.health = was.health;
        }
        self.kill(old, transformed);
        if let (true, Some(second)) = (how.kill_second, second) {
            self.kill(second, true);
        }
    }

    fn set_orientation(&mut self, slot: u16, orientation: Vector) {
        if self.sprite(slot).body != NOBODY
            && let Some(body) = self.body_mut(slot)
        {
            body.orientation = orientation;
        }
    }

    /// Hands last rectangle, resources and player on; whether `old` may go for good.
    fn inherit(&mut self, made: u16, old: u16) -> bool {
        let last = self.last(old);
        if self.sprite(made).body != NOBODY
            && let Some(body) = self.body_mut(made)
        {
            body.last = last;
        }
        for at in 0..self.w.resource_types.len() {
            let resource = self.w.resource_types[at];
            if let Some(amount) = self.resource(old, resource) {
                self.add_resource(made, resource, amount);
            }
        }
        if !self.def(old).is_avatar {
            return true;
        }
        let is_avatar = |slot| self.def(slot).class.is_some_and(Class::is_avatar);
        if !is_avatar(made) || !is_avatar(old) {
            return false;
        }
        let player = self.body(old).player;
        if let Some(body) = self.body_mut(made) {
            body.player = player;
        }
        self.s.players[usize::from(player)].avatar = made;
        true
    }

    pub fn transform_to_singleton(
        &mut self,
        to: TypeId,
        other: TypeId,
        take_orientation: bool,
        first: u16,
        second: u16,
    ) {
        let present: Vec<u16> = self.s.slots(to).collect();
        for slot in present {
            let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
            if let Some(made) = self.create(other, x, y) {
                self.hand_over(made, slot);
            }
        }
        let (x, y) = (self.sprite(first).x, self.sprite(first).y);
        if let Some(made) = self.create(to, x, y) {
            self.hand_over(made, first);
            if take_orientation {
                let (ox, oy) = self.body(second).orientation;
                if let Some(body) = self.body_mut(made) {
                    body.oriented = true;
                    body.orientation = (-ox, -oy);
                }
            }
        }
    }

    fn hand_over(&mut self, made: u16, old: u16) {
        let was = *self.body(old);
        if self.body(made).oriented && was.oriented {
            self.set_orientation(made, was.orientation);
        }
        let transformed = self.inherit(made, old);
        self.kill(old, transformed);
    }
}
