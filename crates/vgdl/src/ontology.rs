//! The names a description may use: sprite classes, effects, terminations and their parameters
//! (`vgdl-ontology`, 3.1 to 3.5).

/// The class of a sprite: its behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are the class names of the ontology")]
pub enum Class {
    Conveyor,
    Flicker,
    Immovable,
    OrientedFlicker,
    Passive,
    Resource,
    Spreader,
    ErraticMissile,
    Missile,
    RandomMissile,
    Walker,
    WalkerJumper,
    ResourcePack,
    Chaser,
    PathChaser,
    Fleeing,
    RandomInertial,
    RandomNpc,
    AlternateChaser,
    RandomAltChaser,
    PathAltChaser,
    RandomPathAltChaser,
    LosChaser,
    Bomber,
    RandomBomber,
    BomberRandomMissile,
    Portal,
    SpawnPoint,
    SpawnPointMultiSprite,
    SpriteProducer,
    Door,
    FlakAvatar,
    HorizontalAvatar,
    VerticalAvatar,
    MovingAvatar,
    MissileAvatar,
    OrientedAvatar,
    ShootAvatar,
    OngoingAvatar,
    OngoingTurningAvatar,
    OngoingShootAvatar,
    NullAvatar,
    AimedAvatar,
    PlatformerAvatar,
    BirdAvatar,
    SpaceshipAvatar,
    CarAvatar,
    WizardAvatar,
    LanderAvatar,
    ShootOnlyAvatar,
}

/// All classes with their names in descriptions.
pub const CLASSES: [(&str, Class); 50] = [
    ("Conveyor", Class::Conveyor),
    ("Flicker", Class::Flicker),
    ("Immovable", Class::Immovable),
    ("OrientedFlicker", Class::OrientedFlicker),
    ("Passive", Class::Passive),
    ("Resource", Class::Resource),
    ("Spreader", Class::Spreader),
    ("ErraticMissile", Class::ErraticMissile),
    ("Missile", Class::Missile),
    ("RandomMissile", Class::RandomMissile),
    ("Walker", Class::Walker),
    ("WalkerJumper", Class::WalkerJumper),
    ("ResourcePack", Class::ResourcePack),
    ("Chaser", Class::Chaser),
    ("PathChaser", Class::PathChaser),
    ("Fleeing", Class::Fleeing),
    ("RandomInertial", Class::RandomInertial),
    ("RandomNPC", Class::RandomNpc),
    ("AlternateChaser", Class::AlternateChaser),
    ("RandomAltChaser", Class::RandomAltChaser),
    ("PathAltChaser", Class::PathAltChaser),
    ("RandomPathAltChaser", Class::RandomPathAltChaser),
    ("LOSChaser", Class::LosChaser),
    ("Bomber", Class::Bomber),
    ("RandomBomber", Class::RandomBomber),
    ("BomberRandomMissile", Class::BomberRandomMissile),
    ("Portal", Class::Portal),
    ("SpawnPoint", Class::SpawnPoint),
    ("SpawnPointMultiSprite", Class::SpawnPointMultiSprite),
    ("SpriteProducer", Class::SpriteProducer),
    ("Door", Class::Door),
    ("FlakAvatar", Class::FlakAvatar),
    ("HorizontalAvatar", Class::HorizontalAvatar),
    ("VerticalAvatar", Class::VerticalAvatar),
    ("MovingAvatar", Class::MovingAvatar),
    ("MissileAvatar", Class::MissileAvatar),
    ("OrientedAvatar", Class::OrientedAvatar),
    ("ShootAvatar", Class::ShootAvatar),
    ("OngoingAvatar", Class::OngoingAvatar),
    ("OngoingTurningAvatar", Class::OngoingTurningAvatar),
    ("OngoingShootAvatar", Class::OngoingShootAvatar),
    ("NullAvatar", Class::NullAvatar),
    ("AimedAvatar", Class::AimedAvatar),
    ("PlatformerAvatar", Class::PlatformerAvatar),
    ("BirdAvatar", Class::BirdAvatar),
    ("SpaceshipAvatar", Class::SpaceshipAvatar),
    ("CarAvatar", Class::CarAvatar),
    ("WizardAvatar", Class::WizardAvatar),
    ("LanderAvatar", Class::LanderAvatar),
    ("ShootOnlyAvatar", Class::ShootOnlyAvatar),
];

impl Class {
    /// The class called `name`.
    pub fn named(name: &str) -> Option<Class> {
        CLASSES.iter().find(|(known, _)| *known == name).map(|(_, class)| *class)
    }

    /// Its name in descriptions.
    pub fn name(self) -> &'static str {
        CLASSES.iter().find(|(_, class)| *class == self).map_or("", |(name, _)| name)
    }

    /// Whether a player controls sprites of this class.
    pub fn is_avatar(self) -> bool {
        self as usize >= Class::FlakAvatar as usize
    }

    /// Whether the class keeps the direction an avatar last moved in.
    pub fn is_oriented_avatar(self) -> bool {
        use Class::*;
        matches!(
            self,
            MissileAvatar
                | OrientedAvatar
                | ShootAvatar
                | OngoingAvatar
                | OngoingTurningAvatar
                | OngoingShootAvatar
                | AimedAvatar
                | BirdAvatar
                | SpaceshipAvatar
                | CarAvatar
                | LanderAvatar
                | ShootOnlyAvatar
        )
    }

    /// Whether overlap tests of this class also look for ground below it.
    pub fn feels_ground(self) -> bool {
        use Class::*;
        matches!(self, PlatformerAvatar | WizardAvatar | Walker | WalkerJumper)
    }

    /// Whether sprites of this class make others at their place.
    pub fn is_spawn_point(self) -> bool {
        use Class::*;
        matches!(self, SpawnPoint | Bomber | RandomBomber | BomberRandomMissile)
    }

    /// The actions an avatar of this class lists, in the framework's order.
    pub fn actions(self) -> &'static [Action] {
        use Action::*;
        match self {
            Class::HorizontalAvatar => &[Left, Right],
            Class::VerticalAvatar => &[Up, Down],
            Class::NullAvatar => &[Nil],
            Class::FlakAvatar => &[Use, Left, Right],
            Class::ShootAvatar | Class::OngoingShootAvatar | Class::SpaceshipAvatar => {
                &[Use, Left, Right, Down, Up]
            }
            Class::ShootOnlyAvatar => &[Left, Up, Right, Down, Use],
            Class::AimedAvatar => &[Use, Down, Up],
            Class::BirdAvatar => &[Use],
            Class::PlatformerAvatar => &[Left, Right, Use],
            Class::WizardAvatar => &[Left, Right, Use, Up],
            _ => &[Left, Right, Down, Up],
        }
    }
}

/// An action of a player in one tick. The number of an action is its move in the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Action {
    /// Nothing.
    #[default]
    Nil = 0,
    /// Towards the top.
    Up,
    /// Left.
    Left,
    /// Towards the bottom.
    Down,
    /// Right.
    Right,
    /// Shoot, jump and the like.
    Use,
}

impl Action {
    /// All actions by their number.
    pub const ALL: [Action; 6] =
        [Action::Nil, Action::Up, Action::Left, Action::Down, Action::Right, Action::Use];

    /// The name the framework's records use.
    pub fn name(self) -> &'static str {
        ["NIL", "UP", "LEFT", "DOWN", "RIGHT", "USE"][self as usize]
    }

    /// The action called `name`, with or without the framework's prefix.
    pub fn named(name: &str) -> Option<Action> {
        let name = name.strip_prefix("ACTION_").unwrap_or(name);
        Action::ALL.into_iter().find(|action| action.name().eq_ignore_ascii_case(name))
    }

    /// The direction of a move; none for the others.
    pub fn direction(self) -> crate::value::Vector {
        use crate::value::{DOWN, LEFT, NONE, RIGHT, UP};
        [NONE, UP, LEFT, DOWN, RIGHT, NONE][self as usize]
    }
}

/// Parameters every sprite takes.
pub const SPRITE_PARAMETERS: &[&str] = &[
    "speed",
    "cooldown",
    "orientation",
    "singleton",
    "physicstype",
    "mass",
    "friction",
    "gravity",
    "max_speed",
    "jump_strength",
    "solid",
    "healthPoints",
    "maxHealthPoints",
    "limitHealthPoints",
    "timeToLive",
    "rotateInPlace",
    "stationary",
    "only_active",
    "is_static",
    "is_npc",
    "is_stochastic",
    "is_resource",
    "is_avatar",
    "is_oriented",
    "is_from_avatar",
    "portal",
    "wMult",
    "hMult",
    "hidden",
    "invisible",
    "color",
    "img",
    "orientedImg",
    "shrinkfactor",
    "autotiling",
    "randomtiling",
    "frameRate",
    "draw_arrow",
    "name",
];

/// The own parameters of the classes that have some.
pub fn class_parameters(class: Class) -> &'static [&'static str] {
    use Class::*;
    match class {
        Resource | ResourcePack => &["limit", "value"],
        Flicker | OrientedFlicker => &["limit"],
        Spreader => &["limit", "spreadprob", "stype"],
        Portal => &["stype"],
        SpawnPoint | Bomber | RandomBomber => &["stype", "prob", "total", "spawnorientation"],
        BomberRandomMissile => &["stype", "stypeMissile", "prob", "total", "spawnorientation"],
        SpawnPointMultiSprite => &["stypes", "prob", "total", "spawnorientation"],
        RandomNpc | RandomInertial => &["cons"],
        Chaser | Fleeing | LosChaser | PathChaser => &["cons", "stype", "maxDistance", "fleeing"],
        AlternateChaser => &["cons", "stype1", "stype2", "fleeing"],
        RandomAltChaser => &["cons", "stype1", "stype2", "fleeing", "epsilon"],
        PathAltChaser => &["cons", "stype1", "stype2", "fleeing", "randomTarget"],
        RandomPathAltChaser => &["cons", "stype1", "stype2", "fleeing", "randomTarget", "epsilon"],
        Walker => &["airsteering"],
        WalkerJumper => &["airsteering", "probability"],
        FlakAvatar => &["stype", "ammo", "minAmmo", "ammoCost"],
        ShootAvatar | ShootOnlyAvatar | OngoingShootAvatar => &["stype", "ammo"],
        AimedAvatar | SpaceshipAvatar => &["stype", "ammo", "angle_diff"],
        CarAvatar | LanderAvatar => &["angle_diff"],
        OngoingTurningAvatar => &["spawnBehind"],
        PlatformerAvatar => &["ground_speedup_factor", "air_slowdown_factor"],
        WizardAvatar => &["stype", "ground_speedup_factor", "air_slowdown_factor"],
        _ => &[],
    }
}

/// Whether some class takes a parameter called `name`.
pub fn is_sprite_parameter(name: &str) -> bool {
    SPRITE_PARAMETERS.contains(&name)
        || CLASSES.iter().any(|(_, class)| class_parameters(*class).contains(&name))
}

/// All effects.
pub const EFFECTS: &[&str] = &[
    "stepBack",
    "turnAround",
    "killSprite",
    "killBoth",
    "killAll",
    "transformTo",
    "transformToSingleton",
    "transformIfCount",
    "wrapAround",
    "changeResource",
    "killIfHasLess",
    "killIfHasMore",
    "cloneSprite",
    "flipDirection",
    "reverseDirection",
    "shieldFrom",
    "undoAll",
    "spawn",
    "spawnIfHasMore",
    "spawnIfHasLess",
    "pullWithIt",
    "wallStop",
    "collectResource",
    "collectResourceIfHeld",
    "killIfOtherHasMore",
    "killIfFromAbove",
    "teleportToExit",
    "bounceForward",
    "attractGaze",
    "align",
    "subtractHealthPoints",
    "addHealthPoints",
    "transformToAll",
    "addTimer",
    "killIfFrontal",
    "killIfNotFrontal",
    "spawnBehind",
    "updateSpawnType",
    "removeScore",
    "increaseSpeedToAll",
    "decreaseSpeedToAll",
    "setSpeedForAll",
    "transformToRandomChild",
    "addHealthPointsToMax",
    "spawnIfCounterSubTypes",
    "bounceDirection",
    "wallBounce",
    "killIfSlow",
    "killIfAlive",
    "waterPhysics",
    "halfSpeed",
    "killIfNotUpright",
    "killIfFast",
    "wallReverse",
    "spawnAbove",
    "spawnLeft",
    "spawnRight",
    "spawnBelow",
];

/// Parameters every effect takes, those of timed effects included.
pub const EFFECT_PARAMETERS: &[&str] =
    &["scoreChange", "counter", "counterElse", "prob", "repeat", "applyScore", "sequential"];
/// Parameters of timed effects.
pub const TIMER_PARAMETERS: &[&str] = &["timer", "nextExecution", "repeating"];

/// The own parameters of effect `name`.
pub fn effect_parameters(name: &str) -> &'static [&'static str] {
    match name {
        "stepBack" | "pullWithIt" => &["pixelPerfect"],
        "undoAll" => &["notStype"],
        "attractGaze" => &["align"],
        "align" => &["orient"],
        "wrapAround" => &["offset"],
        "bounceDirection" => &["maxBounceAngleDeg"],
        "killAll" | "spawn" | "spawnBehind" => &["stype"],
        "killIfHasLess" | "killIfHasMore" => &["resource", "limit"],
        "killIfOtherHasMore" => &["resource", "limit", "subtract"],
        "killIfSlow" | "killIfFast" => &["limspeed"],
        "transformTo" | "transformToRandomChild" => &["stype", "killSecond", "forceOrientation"],
        "transformToAll" => &["stype", "stypeTo", "killSecond", "forceOrientation"],
        "transformIfCount" => {
            &["stype", "stypeCount", "geq", "leq", "estype", "killSecond", "forceOrientation"]
        }
        "transformToSingleton" => &["stype", "stype_other", "takeOrientation"],
        "spawnAbove" | "spawnBelow" | "spawnLeft" | "spawnRight" => &["stype", "stepBack"],
        "spawnIfHasMore" => &["resource", "limit", "stype", "spend"],
        "spawnIfHasLess" => &["resource", "limit", "stype"],
        "spawnIfCounterSubTypes" => &["stype", "estype", "stypeCount", "limit", "subTypesNum"],
        "collectResource" => &["killResource"],
        "collectResourceIfHeld" => &["heldResource", "value", "killResource"],
        "changeResource" => &["resource", "value", "killResource"],
        "addHealthPoints" | "addHealthPointsToMax" => &["value", "killSecond"],
        "subtractHealthPoints" => &["value", "limit", "stype", "scoreChangeIfKilled"],
        "shieldFrom" => &["stype", "ftype"],
        "addTimer" => &["ftype"],
        "increaseSpeedToAll" | "decreaseSpeedToAll" | "setSpeedForAll" => &["stype", "value"],
        "updateSpawnType" => &["stype", "spawnPoint"],
        "removeScore" => &["stype", "killSecond"],
        _ => &[],
    }
}

/// All terminations with their own parameters.
pub const TERMINATIONS: &[(&str, &[&str])] = &[
    ("SpriteCounter", &["stype"]),
    ("SpriteCounterMore", &["stype"]),
    ("MultiSpriteCounter", &["stype1", "stype2", "stype3", "min"]),
    ("MultiSpriteCounterSubTypes", &["stype1", "subTypesNum"]),
    ("Timeout", &["use_counter", "compare", "limits"]),
    ("StopCounter", &["stype1", "stype2", "stype3", "min"]),
];
/// Parameters every termination takes.
pub const TERMINATION_PARAMETERS: &[&str] = &["win", "limit", "count_score"];

/// Parameters of the game's own line.
pub const GAME_PARAMETERS: &[&str] =
    &["square_size", "no_players", "no_counters", "obs", "key_handler"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_classes_and_back() {
        for (name, class) in CLASSES {
            assert_eq!(Class::named(name), Some(class));
            assert_eq!(class.name(), name);
            assert_eq!(class.is_avatar(), name.ends_with("Avatar"), "{name}");
        }
    }

    #[test]
    fn actions_have_names() {
        for action in Action::ALL {
            assert_eq!(Action::named(action.name()), Some(action));
            assert_eq!(Action::ALL[action as usize], action);
        }
        assert_eq!(Action::named("ACTION_UP"), Some(Action::Up));
        assert_eq!(Action::named("fly"), None);
    }
}
