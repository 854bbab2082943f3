//! Sprite types: one [`SpriteType`] per name with the defaults of its class (`vgdl-ontology`, 3.1 to
//! 3.3).

use gamegrove_settings::nearest;
use rustc_hash::FxHashMap;

use crate::ontology::Class;
use crate::value::{self, Vector};

/// Most types a game may have.
pub const MAX_TYPES: usize = 500;

/// The number of a sprite type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u16);

impl TypeId {
    /// The type that walls have unless the description says otherwise.
    pub const WALL: TypeId = TypeId(0);
    /// The type `avatar`.
    pub const AVATAR: TypeId = TypeId(1);

    /// Its place in tables of types.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The category in which agents see a sprite; the first that fits counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// A player's sprite.
    Avatar,
    /// Something to collect.
    Resource,
    /// A door or portal.
    Portal,
    /// A character that moves by itself.
    Npc,
    /// Something that stays.
    Static,
    /// Made by an avatar.
    FromAvatar,
    /// Everything else.
    Movable,
}

/// A sprite type with all its parameters; fields are named like the parameters.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are the parameters of the ontology")]
pub struct SpriteType {
    pub name: String,
    /// The class that instances really have; `None` if the description gives none.
    pub class: Option<Class>,
    /// Ancestors from the root down, itself last.
    pub ancestry: Vec<TypeId>,
    /// The types that the framework counts as its sub-types: ancestors, itself, descendants.
    pub family: Vec<TypeId>,
    /// Whether this very type is flagged `singleton`.
    pub singleton: bool,
    pub speed: f64,
    pub cooldown: i32,
    pub orientation: Vector,
    pub is_oriented: bool,
    pub continuous: bool,
    pub mass: f64,
    pub friction: f64,
    pub gravity: f64,
    pub max_speed: f64,
    pub jump_strength: f64,
    pub solid: bool,
    pub health: i32,
    pub max_health: i32,
    pub limit_health: i32,
    pub time_to_live: i32,
    pub rotate_in_place: bool,
    pub stationary: bool,
    pub only_active: bool,
    pub is_static: bool,
    pub is_npc: bool,
    pub is_stochastic: bool,
    pub is_resource: bool,
    pub is_avatar: bool,
    pub portal: bool,
    pub w_mult: f64,
    pub h_mult: f64,
    pub hidden: Vec<bool>,
    pub invisible: Vec<bool>,
    pub colour: Option<String>,
    pub img: Option<String>,
    pub limit: i32,
    pub value: i32,
    /// The types it makes, chases, shoots or leads to; `None` entries are unknown names.
    pub targets: Vec<Option<TypeId>>,
    pub prob: f64,
    pub total: i32,
    pub spawn_orientation: Vector,
    pub cons: i32,
    pub max_distance: f32,
    pub fleeing: bool,
    pub random_target: bool,
    pub epsilon: f64,
    pub spread_prob: f64,
    pub probability: f64,
    pub airsteering: bool,
    /// Resources shooting costs, by weapon; empty means free.
    pub ammo: Vec<Option<TypeId>>,
    pub min_ammo: i32,
    pub ammo_cost: i32,
    pub angle_diff: f64,
    pub ground_speedup: f64,
    pub air_slowdown: f64,
}

impl SpriteType {
    pub(crate) fn blank(name: &str) -> Self {
        SpriteType {
            name: name.to_owned(),
            class: None,
            ancestry: Vec::new(),
            family: Vec::new(),
            singleton: false,
            speed: 0.0,
            cooldown: 0,
            orientation: value::NONE,
            is_oriented: false,
            continuous: false,
            mass: 1.0,
            friction: 0.0,
            gravity: 0.0,
            max_speed: -1.0,
            jump_strength: 0.0,
            solid: false,
            health: 0,
            max_health: 0,
            limit_health: 1000,
            time_to_live: -1,
            rotate_in_place: false,
            stationary: false,
            only_active: false,
            is_static: false,
            is_npc: false,
            is_stochastic: false,
            is_resource: false,
            is_avatar: false,
            portal: false,
            w_mult: 1.0,
            h_mult: 1.0,
            hidden: Vec::new(),
            invisible: Vec::new(),
            colour: None,
            img: None,
            limit: 0,
            value: 0,
            targets: Vec::new(),
            prob: 1.0,
            total: 0,
            spawn_orientation: value::NONE,
            cons: 0,
            max_distance: -1.0,
            fleeing: false,
            random_target: false,
            epsilon: 0.0,
            spread_prob: 1.0,
            probability: 0.1,
            airsteering: false,
            ammo: Vec::new(),
            min_ammo: -1,
            ammo_cost: 1,
            angle_diff: 0.15,
            ground_speedup: 1.0,
            air_slowdown: 2.0,
        }
    }

    /// Sets what the class sets before parameters are read.
    pub(crate) fn class_defaults(&mut self, class: Class) {
        use Class::*;
        if class.is_avatar() {
            self.speed = 1.0;
            self.is_avatar = true;
        }
        if class.is_oriented_avatar() {
            self.orientation = value::RIGHT;
            self.is_oriented = true;
            self.rotate_in_place = true;
        }
        match class {
            Immovable => self.is_static = true,
            Door => {
                self.is_static = true;
                self.portal = true;
            }
            Resource | ResourcePack => {
                (self.limit, self.value) = (2, 1);
                self.is_resource = true;
                self.is_static = class == ResourcePack;
            }
            Flicker | Spreader => self.limit = 1,
            OrientedFlicker => {
                self.limit = 1;
                self.is_oriented = true;
            }
            Conveyor => {
                self.is_static = true;
                self.jump_strength = 1.0;
                self.is_oriented = true;
            }
            Missile | ErraticMissile => {
                self.speed = 1.0;
                self.is_oriented = true;
            }
            RandomMissile => {
                self.speed = 1.0;
                self.is_oriented = true;
                self.orientation = value::NIL;
            }
            Portal => {
                self.is_static = true;
                self.portal = true;
            }
            SpawnPoint => {
                self.cooldown = 1;
                self.is_static = true;
            }
            SpawnPointMultiSprite => {
                self.cooldown = 1;
                self.is_static = true;
                self.is_oriented = true;
                self.orientation = value::RIGHT;
                self.is_npc = true;
            }
            Bomber | BomberRandomMissile | RandomBomber => {
                self.cooldown = 1;
                self.is_oriented = true;
                self.orientation = value::RIGHT;
                self.is_npc = true;
                if class == RandomBomber {
                    self.speed = 1.0;
                    self.is_stochastic = true;
                }
            }
            RandomNpc | Chaser | LosChaser | PathChaser | AlternateChaser | RandomAltChaser
            | PathAltChaser | RandomPathAltChaser => self.npc_defaults(),
            Fleeing => {
                self.npc_defaults();
                self.fleeing = true;
            }
            RandomInertial => {
                self.npc_defaults();
                self.continuous = true;
                self.is_oriented = true;
            }
            Walker | WalkerJumper => {
                (self.speed, self.max_speed) = (5.0, 5.0);
                self.is_oriented = true;
                self.is_stochastic = true;
                if class == WalkerJumper {
                    self.jump_strength = 1.0;
                }
            }
            AimedAvatar => {
                self.speed = 0.0;
                self.stationary = true;
            }
            BirdAvatar => self.jump_strength = 10.0,
            CarAvatar => self.speed = 0.0,
            LanderAvatar | SpaceshipAvatar => {
                self.speed = 5.0;
                self.orientation = value::NONE;
                self.angle_diff = 0.3;
            }
            PlatformerAvatar | WizardAvatar => {
                self.jump_strength = 10.0;
                self.max_speed = 30.0;
                if class == WizardAvatar {
                    self.speed = 0.0;
                }
            }
            _ => {}
        }
    }

    fn npc_defaults(&mut self) {
        self.speed = 1.0;
        self.is_npc = true;
        self.is_stochastic = true;
    }

    /// The category in which agents see a sprite of this type.
    pub fn category(&self, from_avatar: bool) -> Category {
        if self.is_avatar {
            Category::Avatar
        } else if self.is_resource {
            Category::Resource
        } else if self.portal {
            Category::Portal
        } else if self.is_npc {
            Category::Npc
        } else if self.is_static {
            Category::Static
        } else if from_avatar {
            Category::FromAvatar
        } else {
            Category::Movable
        }
    }

    /// Whether player `player` does not see sprites of this type.
    pub fn is_hidden(&self, player: usize) -> bool {
        for_player(&self.hidden, player)
    }

    /// Whether sprites of this type are not drawn for player `player`.
    pub fn is_invisible(&self, player: usize) -> bool {
        for_player(&self.invisible, player)
    }
}

/// The entry of a list per player; the last one counts for all that have none.
fn for_player(list: &[bool], player: usize) -> bool {
    list.get(player).or(list.last()).copied().unwrap_or(false)
}

/// All sprite types of a game.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    /// The types by number.
    pub types: Vec<SpriteType>,
    /// Leaf types in the order of their definition, `avatar` last: the order of drawing, and from
    /// the back the order of updates.
    pub order: Vec<TypeId>,
    pub(crate) numbers: FxHashMap<String, TypeId>,
}

impl TypeTable {
    /// The type called `name`.
    pub fn find(&self, name: &str) -> Option<TypeId> {
        self.numbers.get(name).copied()
    }

    /// The types a comma list names.
    pub fn find_list(&self, names: &str) -> Vec<Option<TypeId>> {
        names.split(',').map(|name| self.find(name)).collect()
    }

    /// Names close to `name`, for people.
    pub fn suggestion(&self, name: &str) -> Option<&str> {
        nearest(name, self.types.iter().map(|t| t.name.as_str()))
    }
}

impl std::ops::Index<TypeId> for TypeTable {
    type Output = SpriteType;

    fn index(&self, id: TypeId) -> &SpriteType {
        &self.types[id.index()]
    }
}
