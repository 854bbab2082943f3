//! The sprite set compiled to sprite types (`vgdl-ontology`, 2.1.3 to 2.1.6).
//!
//! Parameters are inherited and a child's own win. Of classes the parent's wins, which is surely not
//! meant, but games rely on it.

use gamegrove_settings::nearest;

use crate::diagnostic::{Diagnostic, MAX_FINDINGS, Span};
use crate::ontology::{CLASSES, Class, SPRITE_PARAMETERS, class_parameters, is_sprite_parameter};
use crate::syntax::{Document, Word};
use crate::types::{MAX_TYPES, SpriteType, TypeId, TypeTable};
use crate::value::{self, Value};

/// Most parameters of a sprite, inherited ones included.
const MAX_PARAMETERS: usize = 200;

/// One definition, before its parameters are converted.
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
                if parameters.len() >= MAX_PARAMETERS {
                    let message = format!("a sprite can have at most {MAX_PARAMETERS} parameters");
                    self.findings.push(Diagnostic::error(
                        "too-many-parameters",
                        parameter.key.span,
                        message,
                    ));
                    break;
                }
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
        let Some(own) = own.filter(|_| self.findings.len() < MAX_FINDINGS) else { return };
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
        if found.is_none() && self.findings.len() < MAX_FINDINGS {
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
        if self.findings.len() >= MAX_FINDINGS {
            return;
        }
        let finding = if is_sprite_parameter(key.text) {
            Diagnostic::warning(
                "unused-parameter",
                key.span,
                format!("The class {} has no parameter `{}`", class.name(), key.text),
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
