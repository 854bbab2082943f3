//! The sprite set compiled: one [`SpriteType`] per name (`vgdl-ontology`, 2.1.3 to 2.1.6, 3.1).

use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::ontology::{CLASSES, Class, SPRITE_PARAMETERS, class_parameters, is_sprite_parameter};
use crate::syntax::{Document, Word};
use crate::value::{self, Value, Vector};

/// Most types a game may have.
pub const MAX_TYPES: usize = 2000;

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

/// What kind of thing a sprite shows itself as to agents; the first that fits counts.
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
    /// What the framework counts as its sub-types: ancestors, itself, descendants.
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
    /// What it makes, chases, shoots or leads to; `None` entries are unknown names.
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
    fn blank(name: &str) -> Self {
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
    fn class_defaults(&mut self, class: Class) {
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

    /// What a sprite of this type shows itself as.
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
        self.hidden.get(player).or(self.hidden.last()).copied().unwrap_or(false)
    }
}

/// All sprite types of a game.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    /// The types by number.
    pub types: Vec<SpriteType>,
    /// Leaf types in the order of their definition, `avatar` last: the order of drawing, and from
    /// the back the order of updates.
    pub order: Vec<TypeId>,
    numbers: FxHashMap<String, TypeId>,
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

/// What one definition said, before the parameters are converted.
#[derive(Clone, Default)]
struct Definition<'t> {
    class: Option<Word<'t>>,
    parameters: Vec<(Word<'t>, Word<'t>)>,
    ancestry: Vec<TypeId>,
    family: Vec<TypeId>,
}

/// Compiles the sprite set; without one, the two types that always exist.
pub fn compile(
    document: &Document<'_>,
    section: Option<usize>,
    findings: &mut Vec<Diagnostic>,
) -> TypeTable {
    let mut compiler =
        Compiler { document, findings, table: TypeTable::default(), definitions: Vec::new() };
    compiler.register("wall");
    compiler.register("avatar");
    compiler.table.order = vec![TypeId::WALL, TypeId::AVATAR];
    if let Some(section) = section {
        compiler.walk(section);
    }
    compiler.finish()
}

struct Compiler<'d, 't> {
    document: &'d Document<'t>,
    findings: &'d mut Vec<Diagnostic>,
    table: TypeTable,
    definitions: Vec<Option<Definition<'t>>>,
}

/// A block of the sprite tree that is being read.
struct Block<'t> {
    children: Vec<usize>,
    next: usize,
    class: Option<Word<'t>>,
    parameters: Vec<(Word<'t>, Word<'t>)>,
    ancestry: Vec<TypeId>,
    /// The definition whose children these are.
    owner: Option<TypeId>,
}

impl<'t> Compiler<'_, 't> {
    fn register(&mut self, name: &str) -> Option<TypeId> {
        if let Some(known) = self.table.find(name) {
            return Some(known);
        }
        if self.table.types.len() >= MAX_TYPES {
            return None;
        }
        let id = TypeId(self.table.types.len() as u16);
        self.table.types.push(SpriteType::blank(name));
        self.table.numbers.insert(name.to_owned(), id);
        self.definitions.push(None);
        Some(id)
    }

    /// Visits the sprite tree in order, parents before children, without recursion.
    fn walk(&mut self, section: usize) {
        let mut open = vec![Block {
            children: self.document.lines[section].children.clone(),
            next: 0,
            class: None,
            parameters: Vec::new(),
            ancestry: Vec::new(),
            owner: None,
        }];
        while let Some(block) = open.last_mut() {
            let Some(&number) = block.children.get(block.next) else {
                let closed = open.pop().expect("a block is open");
                if let Some(owner) = closed.owner {
                    self.adopt(owner, &closed.children);
                }
                continue;
            };
            block.next += 1;
            let line = &self.document.lines[number];
            if !line.is_definition() {
                self.findings.push(
                    Diagnostic::error(
                        "not-a-definition",
                        line.span,
                        "a line of the sprite set has no `>`",
                    )
                    .help(
                        "write `name > Class key=value`; the framework skips the rest of the block",
                    ),
                );
                block.next = block.children.len();
                continue;
            }
            let name = line.head();
            let (parent_class, mut parameters, mut ancestry) =
                (block.class, block.parameters.clone(), block.ancestry.clone());
            let Some(id) = self.register(name.text) else {
                let message = format!("a game can have at most {MAX_TYPES} sprite types");
                self.findings.push(Diagnostic::error("too-many-types", name.span, message));
                return;
            };
            ancestry.push(id);
            let own_class = line.keyword(1);
            let mut singleton = false;
            for parameter in line.parameters(1) {
                let (key, value) = (parameter.key, parameter.value);
                singleton |= key.text == "singleton" && value.text.eq_ignore_ascii_case("true");
                parameters.retain(|(known, _)| known.text != key.text);
                parameters.push((key, value));
            }
            if singleton {
                self.table.types[id.index()].singleton = true;
            }
            // The parent's class wins over the child's own: games live with it.
            let class = parent_class.or(own_class);
            self.check_line(own_class, parent_class);
            self.definitions[id.index()] = Some(Definition {
                class,
                parameters: parameters.clone(),
                ancestry: ancestry.clone(),
                family: ancestry.clone(),
            });
            let line = &self.document.lines[number];
            if line.children.is_empty() {
                self.table.order.retain(|&known| known != id);
                self.table.order.push(id);
            } else {
                open.push(Block {
                    children: line.children.clone(),
                    next: 0,
                    class: own_class.or(parent_class),
                    parameters,
                    ancestry,
                    owner: Some(id),
                });
            }
        }
    }

    /// Adds the families of the children to the family of their parent.
    fn adopt(&mut self, owner: TypeId, children: &[usize]) {
        for &child in children {
            let name = self.document.lines[child].head().text;
            let Some(child) = self.table.find(name) else { continue };
            let Some(family) = self.definitions[child.index()].as_ref().map(|d| d.family.clone())
            else {
                continue;
            };
            if let Some(definition) = &mut self.definitions[owner.index()] {
                for member in family {
                    if !definition.family.contains(&member) {
                        definition.family.push(member);
                    }
                }
            }
        }
    }

    fn check_line(&mut self, own: Option<Word<'t>>, parent: Option<Word<'t>>) {
        let Some(own) = own else { return };
        if Class::named(own.text).is_none() {
            let mut finding = Diagnostic::error(
                "unknown-class",
                own.span,
                format!("there is no sprite class `{}`", own.text),
            )
            .label("unknown class");
            if let Some(near) = nearest(own.text, CLASSES.iter().map(|(name, _)| *name)) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            self.findings.push(finding);
        } else if let Some(parent) = parent
            && parent.text != own.text
        {
            self.findings.push(
                Diagnostic::warning(
                    "class-overridden",
                    own.span,
                    format!(
                        "the class `{}` of the parent is used, not `{}`",
                        parent.text, own.text
                    ),
                )
                .label(format!("really is {}", parent.text)),
            );
        }
    }

    fn finish(mut self) -> TypeTable {
        let definitions = std::mem::take(&mut self.definitions);
        for (number, definition) in definitions.iter().enumerate() {
            let id = TypeId(number as u16);
            let mut sprite = self.table.types[number].clone();
            match definition {
                Some(definition) => {
                    sprite.class = definition.class.and_then(|word| Class::named(word.text));
                    sprite.ancestry = definition.ancestry.clone();
                    sprite.family = definition.family.clone();
                    self.fill(&mut sprite, &definition.parameters);
                }
                None => {
                    sprite.ancestry = vec![id];
                    sprite.family = vec![id];
                    let class =
                        if id == TypeId::WALL { Class::Immovable } else { Class::MovingAvatar };
                    sprite.class = Some(class);
                    sprite.solid = id == TypeId::WALL;
                    self.fill(&mut sprite, &[]);
                }
            }
            if (id == TypeId::WALL || id == TypeId::AVATAR) && !sprite.family.contains(&id) {
                sprite.family.push(id);
            }
            self.table.types[number] = sprite;
        }
        self.table.order.retain(|&id| id != TypeId::AVATAR);
        self.table.order.push(TypeId::AVATAR);
        self.table
    }

    /// Converts the parameters of one type and finishes what the class derives from them.
    fn fill(&mut self, sprite: &mut SpriteType, parameters: &[(Word<'t>, Word<'t>)]) {
        let Some(class) = sprite.class else { return };
        sprite.class_defaults(class);
        let mut lists = Lists::default();
        for (key, value) in parameters {
            let known = SPRITE_PARAMETERS.contains(&key.text)
                || class_parameters(class).contains(&key.text);
            if !known {
                self.unknown_parameter(*key, class);
                continue;
            }
            set(sprite, &mut lists, key.text, &Value::parse(key.text, value.text), value.text);
        }
        if sprite.orientation != value::NONE {
            sprite.is_oriented = true;
        }
        if sprite.max_health == 0 {
            sprite.max_health = sprite.health;
        }
        sprite.health = sprite.health.min(sprite.max_health);
        sprite.cooldown = sprite.cooldown.max(1);
        let wanted = match class {
            Class::SpawnPointMultiSprite => lists.stypes,
            Class::BomberRandomMissile => lists.missiles,
            Class::AlternateChaser
            | Class::RandomAltChaser
            | Class::PathAltChaser
            | Class::RandomPathAltChaser => lists.stype1,
            Class::OngoingTurningAvatar => lists.behind,
            _ => lists.stype,
        };
        let single = matches!(
            class,
            Class::Portal
                | Class::SpawnPoint
                | Class::Bomber
                | Class::RandomBomber
                | Class::Spreader
                | Class::Chaser
                | Class::Fleeing
                | Class::LosChaser
                | Class::PathChaser
                | Class::FlakAvatar
                | Class::OngoingTurningAvatar
        );
        sprite.targets = match wanted {
            Some(text) if single => vec![self.lookup(&text, parameters)],
            Some(text) => text.split(',').map(|name| self.lookup(name, parameters)).collect(),
            None => Vec::new(),
        };
        if let Some(ammo) = lists.ammo {
            sprite.ammo = ammo.split(',').map(|name| self.lookup(name, parameters)).collect();
        }
    }

    fn lookup(&mut self, name: &str, parameters: &[(Word<'t>, Word<'t>)]) -> Option<TypeId> {
        let found = self.table.find(name);
        if found.is_none() {
            let span = parameters
                .iter()
                .find(|(_, value)| value.text.split(',').any(|part| part == name))
                .map_or(Span::default(), |(_, value)| value.span);
            let mut finding =
                Diagnostic::error("unknown-sprite", span, format!("there is no sprite `{name}`"));
            if let Some(near) = self.table.suggestion(name) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            if !self.findings.contains(&finding) {
                self.findings.push(finding);
            }
        }
        found
    }

    fn unknown_parameter(&mut self, key: Word<'t>, class: Class) {
        let finding = if is_sprite_parameter(key.text) {
            Diagnostic::warning(
                "unused-parameter",
                key.span,
                format!("`{}` means nothing for the class {}", key.text, class.name()),
            )
        } else {
            let known = SPRITE_PARAMETERS.iter().chain(class_parameters(class)).copied();
            let mut finding = Diagnostic::error(
                "unknown-parameter",
                key.span,
                format!("there is no sprite parameter `{}`", key.text),
            )
            .label("unknown parameter");
            if let Some(near) = nearest(key.text, known) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            finding
        };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

/// Names of other types, looked up once all types are known.
#[derive(Default)]
struct Lists {
    stype: Option<String>,
    stypes: Option<String>,
    stype1: Option<String>,
    missiles: Option<String>,
    behind: Option<String>,
    ammo: Option<String>,
}

fn truths(text: &str) -> Vec<bool> {
    text.split(',').map(|part| part.eq_ignore_ascii_case("true")).collect()
}

/// Gives the field for parameter `key` its value, if the value fits.
fn set(sprite: &mut SpriteType, lists: &mut Lists, key: &str, value: &Value, raw: &str) {
    fn put<T>(field: &mut T, value: Option<T>) {
        if let Some(value) = value {
            *field = value;
        }
    }
    let text = || value.text().map(str::to_owned);
    match key {
        "speed" => put(&mut sprite.speed, value.double()),
        "cooldown" => put(&mut sprite.cooldown, value.int()),
        "orientation" => put(&mut sprite.orientation, value.direction()),
        "is_oriented" => put(&mut sprite.is_oriented, value.bool()),
        "physicstype" => put(&mut sprite.continuous, value.int().map(|kind| kind == 1)),
        "mass" => put(&mut sprite.mass, value.double()),
        "friction" => put(&mut sprite.friction, value.double()),
        "gravity" => put(&mut sprite.gravity, value.double()),
        "max_speed" => put(&mut sprite.max_speed, value.double()),
        "jump_strength" => put(&mut sprite.jump_strength, value.double()),
        "solid" => put(&mut sprite.solid, value.bool()),
        "healthPoints" => put(&mut sprite.health, value.int()),
        "maxHealthPoints" => put(&mut sprite.max_health, value.int()),
        "limitHealthPoints" => put(&mut sprite.limit_health, value.int()),
        "timeToLive" => put(&mut sprite.time_to_live, value.int()),
        "rotateInPlace" => put(&mut sprite.rotate_in_place, value.bool()),
        "stationary" => put(&mut sprite.stationary, value.bool()),
        "only_active" => put(&mut sprite.only_active, value.bool()),
        "is_static" => put(&mut sprite.is_static, value.bool()),
        "is_npc" => put(&mut sprite.is_npc, value.bool()),
        "is_stochastic" => put(&mut sprite.is_stochastic, value.bool()),
        "is_resource" => put(&mut sprite.is_resource, value.bool()),
        "is_avatar" => put(&mut sprite.is_avatar, value.bool()),
        "portal" => put(&mut sprite.portal, value.bool()),
        "wMult" => put(&mut sprite.w_mult, value.double()),
        "hMult" => put(&mut sprite.h_mult, value.double()),
        "hidden" => put(&mut sprite.hidden, value.text().map(truths)),
        "invisible" => put(&mut sprite.invisible, value.text().map(truths)),
        "color" => sprite.colour = Some(raw.to_owned()),
        "img" => sprite.img = Some(raw.to_owned()),
        "limit" => put(&mut sprite.limit, value.int()),
        "value" => put(&mut sprite.value, value.int()),
        "prob" => put(&mut sprite.prob, value.double()),
        "total" => put(&mut sprite.total, value.int()),
        "spawnorientation" => put(&mut sprite.spawn_orientation, value.direction()),
        "cons" => put(&mut sprite.cons, value.int()),
        "maxDistance" => put(&mut sprite.max_distance, value.int().map(|int| int as f32)),
        "fleeing" => put(&mut sprite.fleeing, value.bool()),
        "randomTarget" => put(&mut sprite.random_target, value.bool()),
        "epsilon" => put(&mut sprite.epsilon, value.double()),
        "spreadprob" => put(&mut sprite.spread_prob, value.double()),
        "probability" => put(&mut sprite.probability, value.double()),
        "airsteering" => put(&mut sprite.airsteering, value.bool()),
        "minAmmo" => put(&mut sprite.min_ammo, value.int()),
        "ammoCost" => put(&mut sprite.ammo_cost, value.int()),
        "angle_diff" => put(&mut sprite.angle_diff, value.double()),
        "ground_speedup_factor" => put(&mut sprite.ground_speedup, value.double()),
        "air_slowdown_factor" => put(&mut sprite.air_slowdown, value.double()),
        "stype" => lists.stype = text(),
        "stypes" => lists.stypes = text(),
        "stype1" => lists.stype1 = text(),
        "stypeMissile" => lists.missiles = text(),
        "spawnBehind" => lists.behind = text(),
        "ammo" => lists.ammo = text(),
        _ => {}
    }
}
