//! What can be known about the types of a game before it is played.
//!
//! *Scenery* are types whose sprites never change: they do nothing by themselves and no effect
//! touches anything of theirs but their existence. They need no body and no update. A type is
//! *made* if a sprite of it can come into being after the start. Two types of scenery that are not
//! made and do not share a block at the start never meet. All of this errs on the safe side.

use rustc_hash::FxHashSet;

use crate::effect::{Effect, Kind};
use crate::ontology::Class;
use crate::rules::Rules;
use crate::types::{SpriteType, TypeId};
use crate::value::NONE;

/// Longest chain of transforms that is followed.
const MAX_ROUNDS: usize = 50;

/// Facts about the types of a game on a level.
pub(crate) struct Analysis {
    pub scenery: Vec<bool>,
    pub made: Vec<bool>,
    present: Vec<bool>,
    stacked: FxHashSet<(TypeId, TypeId)>,
    /// Types that sprites can own as resources.
    pub resources: Vec<TypeId>,
}

/// An effect with the types it can happen to.
struct Use<'r> {
    effect: &'r Effect,
    firsts: &'r [TypeId],
    seconds: &'r [TypeId],
}

impl Analysis {
    pub fn new(rules: &Rules, sprites: &[(TypeId, i32, i32)]) -> Self {
        let types = &rules.types.types;
        let uses = uses(rules);
        let mut present = vec![false; types.len()];
        for &(ty, _, _) in sprites {
            present[ty.index()] = true;
        }
        let mut scenery: Vec<bool> = types.iter().map(is_inert).collect();
        for used in &uses {
            exclude_changed(rules, used, &mut scenery);
        }
        exclude_turned(rules, &mut scenery);
        exclude_transformed(rules, &uses, &mut scenery);
        Analysis {
            made: made(rules, &uses),
            scenery,
            present,
            stacked: stacked(sprites),
            resources: resources(rules),
        }
    }

    /// Whether a sprite of `first` can ever overlap one of `second`.
    pub fn can_meet(&self, first: TypeId, second: TypeId) -> bool {
        let exists = |ty: TypeId| self.present[ty.index()] || self.made[ty.index()];
        let fixed = |ty: TypeId| self.scenery[ty.index()] && !self.made[ty.index()];
        exists(first)
            && exists(second)
            && !(fixed(first) && fixed(second) && !self.stacked.contains(&(first, second)))
    }
}

/// Whether sprites of the type do nothing by themselves.
fn is_inert(t: &SpriteType) -> bool {
    use Class::*;
    let quiet = matches!(
        t.class,
        Some(
            Immovable
                | Door
                | Passive
                | Resource
                | ResourcePack
                | Portal
                | Conveyor
                | SpriteProducer
        )
    );
    let stays = t.is_static || t.only_active || t.speed == 0.0 || !t.continuous && !t.is_oriented;
    quiet && stays && t.time_to_live == -1 && t.w_mult == 1.0 && t.h_mult == 1.0 && !t.is_avatar
}

fn uses(rules: &Rules) -> Vec<Use<'_>> {
    let family = |ty: TypeId| rules.types[ty].family.as_slice();
    let effect = |id: crate::effect::EffectId| &rules.effects[usize::from(id.0)];
    let mut uses = Vec::new();
    for pair in &rules.pairs {
        for &id in &pair.effects {
            uses.push(Use {
                effect: effect(id),
                firsts: family(pair.first),
                seconds: family(pair.second),
            });
        }
    }
    for (&ty, effects) in &rules.edge_effects {
        uses.extend(effects.iter().map(|&id| Use {
            effect: effect(id),
            firsts: family(ty),
            seconds: &[],
        }));
    }
    for timed in &rules.timed {
        let firsts = timed.of.map_or(&[][..], family);
        uses.push(Use { effect: effect(timed.effect), firsts, seconds: &[] });
    }
    uses
}

/// Takes out the types whose sprites an effect changes.
fn exclude_changed(rules: &Rules, used: &Use<'_>, scenery: &mut [bool]) {
    let mut exclude = |types: &[TypeId]| types.iter().for_each(|ty| scenery[ty.index()] = false);
    match &used.effect.kind {
        Kind::StepBack { pixel_perfect: false }
        | Kind::UndoAll { .. }
        | Kind::KillSprite
        | Kind::KillBoth
        | Kind::KillAll { .. }
        | Kind::KillIfHasLess { .. }
        | Kind::KillIfHasMore { .. }
        | Kind::KillIfFromAbove
        | Kind::KillIfFrontal { .. }
        | Kind::KillIfAlive
        | Kind::KillIfSpeed { .. }
        | Kind::KillIfNotUpright
        | Kind::TransformTo(_)
        | Kind::TransformToAll { .. }
        | Kind::TransformIfCount { .. }
        | Kind::TransformToSingleton { .. }
        | Kind::TransformToRandomChild(_)
        | Kind::CloneSprite
        | Kind::Spawn { .. }
        | Kind::SpawnBehind { .. }
        | Kind::SpawnBeside { .. }
        | Kind::SpawnIfHasLess { .. }
        | Kind::SpawnIfCounterSubTypes { .. }
        | Kind::ShieldFrom { .. }
        | Kind::AddTimer { .. }
        | Kind::UpdateSpawnType { .. }
        | Kind::RemoveScore { .. } => {}
        Kind::CollectResource { .. } | Kind::CollectResourceIfHeld { .. } => exclude(used.seconds),
        Kind::KillIfOtherHasMore { subtract, .. } => {
            if *subtract {
                exclude(used.seconds);
            }
        }
        Kind::ChangeSpeed { of, .. } => exclude(&rules.types[*of].family),
        Kind::SubtractHealth { of: Some(of), .. } => {
            exclude(&rules.types[*of].family);
            exclude(used.firsts);
        }
        Kind::WallBounce | Kind::WallReverse => {
            exclude(used.firsts);
            exclude(used.seconds);
        }
        _ => exclude(used.firsts),
    }
}

/// Takes out the types that get an orientation when they are made.
fn exclude_turned(rules: &Rules, scenery: &mut [bool]) {
    for maker in &rules.types.types {
        let Some(class) = maker.class else { continue };
        for &product in maker.targets.iter().flatten() {
            let oriented = rules.types[product].is_oriented;
            let turned = if class.is_avatar() {
                oriented
            } else {
                oriented || maker.spawn_orientation != NONE || maker.is_oriented
            };
            if turned {
                scenery[product.index()] = false;
            }
        }
    }
}

/// Takes out the types that inherit something when another sprite becomes one of them.
fn exclude_transformed(rules: &Rules, uses: &[Use<'_>], scenery: &mut [bool]) {
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        let mut inherit = |from: TypeId, to: TypeId, always: bool| {
            let (old, new) = (&rules.types[from], &rules.types[to]);
            let plain =
                scenery[from.index()] && old.health == new.health && !new.is_oriented && !always;
            if !plain && scenery[to.index()] {
                scenery[to.index()] = false;
                changed = true;
            }
        };
        for used in uses {
            match &used.effect.kind {
                Kind::TransformTo(t) => {
                    used.firsts.iter().for_each(|&f| inherit(f, t.to, t.force_orientation));
                }
                Kind::TransformToAll { from, transform: t } => {
                    inherit(*from, t.to, t.force_orientation);
                }
                Kind::TransformIfCount { transform: t, otherwise, .. } => {
                    for &first in used.firsts {
                        inherit(first, t.to, t.force_orientation);
                        if let Some(otherwise) = otherwise {
                            inherit(first, *otherwise, t.force_orientation);
                        }
                    }
                }
                Kind::TransformToSingleton { to, other, .. } => {
                    used.firsts.iter().for_each(|&first| inherit(first, *to, true));
                    inherit(*to, *other, true);
                }
                Kind::TransformToRandomChild(t) => {
                    for &child in &rules.types[t.to].family {
                        used.firsts.iter().for_each(|&f| inherit(f, child, t.force_orientation));
                    }
                }
                _ => {}
            }
        }
        if !changed {
            return;
        }
    }
    // A chain of transforms longer than any game has: be on the safe side.
    scenery.fill(false);
}

/// Types of which a sprite can be made after the start.
fn made(rules: &Rules, uses: &[Use<'_>]) -> Vec<bool> {
    let mut made = vec![false; rules.types.types.len()];
    let mut make = |ty: TypeId| made[ty.index()] = true;
    for (number, maker) in rules.types.types.iter().enumerate() {
        maker.targets.iter().flatten().for_each(|&ty| make(ty));
        match maker.class {
            Some(Class::OngoingTurningAvatar) => make(TypeId::WALL),
            Some(Class::Spreader) => make(TypeId(number as u16)),
            _ => {}
        }
    }
    for used in uses {
        match &used.effect.kind {
            Kind::TransformTo(t) | Kind::TransformToAll { transform: t, .. } => make(t.to),
            Kind::TransformIfCount { transform, otherwise, .. } => {
                make(transform.to);
                otherwise.iter().for_each(|&ty| make(ty));
            }
            Kind::TransformToSingleton { to, other, .. } => {
                make(*to);
                make(*other);
            }
            Kind::TransformToRandomChild(t) => {
                rules.types[t.to].family.iter().for_each(|&ty| make(ty));
            }
            Kind::CloneSprite => used.firsts.iter().for_each(|&ty| make(ty)),
            Kind::Spawn { to } | Kind::SpawnBehind { to } => make(*to),
            Kind::SpawnBeside { to, .. } => to.iter().for_each(|&ty| make(ty)),
            Kind::SpawnIfHasMore { to, .. } | Kind::SpawnIfHasLess { to, .. } => make(*to),
            Kind::SpawnIfCounterSubTypes { to, otherwise, .. } => {
                make(*to);
                make(*otherwise);
            }
            Kind::UpdateSpawnType { to, .. } => make(*to),
            _ => {}
        }
    }
    made
}

/// Pairs of types that share a block at the start.
fn stacked(sprites: &[(TypeId, i32, i32)]) -> FxHashSet<(TypeId, TypeId)> {
    let mut stacked = FxHashSet::default();
    // Sprites of one block follow each other.
    for block in sprites.chunk_by(|a, b| (a.1, a.2) == (b.1, b.2)) {
        for (at, &(first, _, _)) in block.iter().enumerate() {
            for &(second, _, _) in &block[at + 1..] {
                stacked.insert((first, second));
                stacked.insert((second, first));
            }
        }
    }
    stacked
}

/// Types that effects or weapons treat as resources.
fn resources(rules: &Rules) -> Vec<TypeId> {
    let mut resources = Vec::new();
    let mut add = |ty: TypeId| {
        if !resources.contains(&ty) {
            resources.push(ty);
        }
    };
    for (number, t) in rules.types.types.iter().enumerate() {
        if t.is_resource {
            add(TypeId(number as u16));
        }
        t.ammo.iter().flatten().for_each(|&ty| add(ty));
    }
    for effect in &rules.effects {
        match effect.kind {
            Kind::KillIfHasLess { resource, .. }
            | Kind::KillIfHasMore { resource, .. }
            | Kind::SpawnIfHasMore { resource, .. }
            | Kind::SpawnIfHasLess { resource, .. } => add(resource),
            Kind::KillIfOtherHasMore { resource: Some(resource), .. }
            | Kind::ChangeResource { resource: Some(resource), .. }
            | Kind::CollectResourceIfHeld { held: Some(resource), .. } => add(resource),
            _ => {}
        }
    }
    resources.sort_unstable();
    resources
}
