//! Effects of continuous physics that look at how two sprites hit each other.

use crate::effect::{Effect, Kind};
use crate::motion::{magnitude, normalised};
use crate::sim::Sim;
use crate::state::Rect;
use crate::value::Vector;

/// Which sides were hit.
struct Hit {
    horizontal: bool,
    vertical: bool,
}

fn distance(a: Vector, b: Vector) -> f64 {
    magnitude((a.0 - b.0, a.1 - b.1))
}

impl Sim<'_> {
    pub fn wall_stop(&mut self, first: u16, second: u16) {
        let rect = self.flush(first, second);
        self.set_rect(first, rect);
        let (own, other) = (self.rect(first).center(), self.rect(second).center());
        let (ox, oy) = self.body(first).orientation;
        let kept =
            if (own.0 - other.0).abs() > (own.1 - other.1).abs() { (0.0, oy) } else { (ox, 0.0) };
        self.slide(first, kept);
    }

    /// Goes on with what is left of the velocity, but never slower than gravity pulls.
    fn slide(&mut self, slot: u16, kept: Vector) {
        if let Some(body) = self.body_mut(slot) {
            body.orientation = normalised(kept);
            body.speed = (magnitude(kept) * body.speed).max(body.gravity);
        }
    }

    /// Runs an effect that takes all second sprites at once; how often its score counts.
    pub fn execute_batch(&mut self, effect: &Effect, first: u16, seconds: &mut [u16]) -> i32 {
        let (obstacle, times) = self.obstacle(first, seconds);
        let hit = self.hit(first, &obstacle);
        let (ox, oy) = self.body(first).orientation;
        if matches!(effect.kind, Kind::WallReverse) {
            let side = if hit.vertical { ox } else { -ox };
            self.slide(first, (side, 0.0));
        } else if let Some(body) = self.body_mut(first) {
            body.orientation = match hit {
                Hit { vertical: true, .. } => (ox, -oy),
                Hit { horizontal: true, .. } => (-ox, oy),
                _ => (-ox, -oy),
            };
        }
        for slot in std::iter::once(first).chain(seconds.iter().copied()) {
            let last = self.last(slot);
            self.set_rect(slot, last);
        }
        times
    }

    /// The obstacle that was hit. Two aligned sprites act as one wall; among others the nearest counts.
    fn obstacle(&self, first: u16, seconds: &mut [u16]) -> (Rect, i32) {
        if let [a, b] = *seconds {
            let (a, b) = (self.rect(a), self.rect(b));
            if a.center().0 == b.center().0 {
                return (Rect { x: a.x, y: a.y.min(b.y), w: a.w, h: a.h * 2 }, 2);
            }
            if a.center().1 == b.center().1 {
                return (Rect { x: a.x.min(b.x), y: a.y, w: a.w * 2, h: a.h }, 2);
            }
        }
        if seconds.len() > 1 {
            let from = self.last(first).center();
            seconds.sort_by(|&a, &b| {
                let (a, b) = (self.last(a).center(), self.last(b).center());
                distance(from, a).total_cmp(&distance(from, b))
            });
        }
        (self.rect(seconds[0]), 1)
    }

    fn hit(&self, first: u16, other: &Rect) -> Hit {
        let rect = self.rect(first);
        let width = (rect.x + rect.w).min(other.x + other.w) - rect.x.max(other.x);
        let height = (rect.y + rect.h).min(other.y + other.h) - rect.y.max(other.y);
        let (horizontal, vertical) = (rect.h == height, rect.w == width);
        if horizontal || vertical {
            return Hit { horizontal, vertical };
        }
        let last = self.last(first);
        let (vx, vy) = self.velocity(first);
        let far_x = if vx == 0.0 {
            last.x - other.x
        } else if vx > 0.0 {
            last.x + rect.w - other.x
        } else {
            other.x + other.w - last.x
        };
        let far_y = if vy == 0.0 {
            last.y - other.y
        } else if vy > 0.0 {
            last.y + rect.h - other.y
        } else {
            last.y - (other.y + other.h)
        };
        let time_x = (f64::from(far_x.abs()) / vx).abs();
        let time_y = (f64::from(far_y.abs()) / vy).abs();
        Hit { horizontal: time_x < time_y, vertical: time_y < time_x }
    }

    fn velocity(&self, slot: u16) -> Vector {
        let body = self.body(slot);
        if body.speed == 0.0 {
            (0.0, 0.0)
        } else {
            (body.orientation.0 * body.speed, body.orientation.1 * body.speed)
        }
    }

    /// Breakout's paddle: where it is hit decides the angle.
    pub fn bounce_direction(&mut self, first: u16, second: u16, max_angle: f64) {
        let (own, last, other) = (self.rect(first), self.last(first), self.rect(second));
        let (vx, vy) = self.velocity(first);
        let far = |from: i32, size: i32, to: i32, width: i32| {
            f64::from((from - (to + width)).abs().min((from + size - to).abs()))
        };
        let time_x = (far(last.x, own.w, other.x, other.w) / vx).abs();
        let time_y = (far(last.y, own.h, other.y, other.h) / vy).abs();
        let (center, paddle) = (own.center(), other.center());
        let vertical = time_y < time_x;
        let (offset, length, side) = if vertical {
            let side = if center.1 < paddle.1 { 1.0 } else { -1.0 };
            (center.0 - paddle.0, other.w, side)
        } else if time_x < time_y {
            let side = if center.0 > paddle.0 { 1.0 } else { -1.0 };
            (paddle.1 - center.1, other.h, side)
        } else {
            if let Some(body) = self.body_mut(first) {
                body.orientation.0 = -body.orientation.0;
            }
            return;
        };
        let relative = (offset / (0.5 * f64::from(length))).clamp(-1.0, 1.0);
        let angle = relative * max_angle;
        let direction = if vertical {
            (angle.sin(), -angle.cos() * side)
        } else {
            (angle.cos() * side, -angle.sin())
        };
        if let Some(body) = self.body_mut(first) {
            body.orientation = normalised(direction);
        }
    }
}
