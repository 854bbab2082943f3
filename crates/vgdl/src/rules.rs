//! A description compiled to the tables the engine runs on.
//!
//! The framework reads the sections in the order of the file and loses everything behind the first
//! interaction or termination it cannot build (`vgdl-ontology`, 2.1.7). Compiling does the same, so
//! that such games run as they do there, and reports the place as an error.

use std::sync::Arc;

use gamegrove_settings::nearest;
use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, MAX_FINDINGS, Span};
use crate::effect::{Effect, EffectCompiler, EffectId, Lost, Timed};
use crate::ontology::{GAME_PARAMETERS, TERMINATION_PARAMETERS, TERMINATIONS};
use crate::sprite_set;
use crate::syntax::{Document, Line, Section};
use crate::types::{TypeId, TypeTable};
use crate::value::Value;

/// Most players of a game.
pub const MAX_PLAYERS: usize = 4;
/// Most counters of a game.
pub const MAX_COUNTERS: usize = 16;
/// Most registered effects.
pub const MAX_EFFECTS: usize = 10_000;
const MAX_REPEAT: i32 = 100;

/// A condition that ends a game.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the variants and fields are the names of the ontology")]
pub enum Condition {
    SpriteCounter { of: TypeId },
    SpriteCounterMore { of: TypeId },
    MultiSpriteCounter { of: Vec<TypeId>, min: bool },
    MultiSpriteCounterSubTypes { of: Option<TypeId>, kinds: i32 },
    Timeout { use_counter: bool, compare: bool, limits: Vec<i32> },
    StopCounter { of: Vec<TypeId>, min: bool },
}

/// A line of the termination set.
#[derive(Clone, Debug)]
pub struct Termination {
    /// The condition.
    pub condition: Condition,
    /// Its limit.
    pub limit: i32,
    /// Whether each player wins then.
    pub win: Vec<bool>,
    /// Whether the higher score wins instead.
    pub count_score: bool,
}

/// The effects of one pair of sprite types.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Type of the first sprite.
    pub first: TypeId,
    /// Type of the second sprite.
    pub second: TypeId,
    /// The effects in the order they run.
    pub effects: Vec<EffectId>,
}

/// A game's rules, without a level.
#[derive(Clone, Debug)]
pub struct Rules {
    /// All sprite types.
    pub types: TypeTable,
    /// All effects.
    pub effects: Vec<Effect>,
    /// Pairs in the order of their first mention.
    pub pairs: Vec<Pair>,
    /// Types with effects at the end of the screen; one entry per line, so that a type with n lines
    /// runs its n effects n times.
    pub edges: Vec<TypeId>,
    /// The effects of those types.
    pub edge_effects: FxHashMap<TypeId, Vec<EffectId>>,
    /// Timed effects: those of `TIME` lines and those that `addTimer` may add.
    pub timed: Vec<Timed>,
    /// Terminations in order.
    pub terminations: Vec<Termination>,
    /// The sprites that each character of a level stands for.
    pub mapping: FxHashMap<char, Vec<TypeId>>,
    /// Number of players.
    pub players: usize,
    /// Number of counters.
    pub counters: usize,
    /// Pixels of a block, if the description fixes them.
    pub square_size: Option<i32>,
    /// Types the built-in path finder walks around; `None` means no path finder.
    pub obstacles: Option<Vec<TypeId>>,
}

/// The outcome of compiling a description.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The rules as the framework would run them.
    pub rules: Arc<Rules>,
    /// Findings about the text.
    pub findings: Vec<Diagnostic>,
}

impl Compiled {
    /// Whether an error was found.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(Diagnostic::is_error)
    }
}

/// Compiles the text of a description.
pub fn compile(text: &str) -> Compiled {
    let (document, mut findings) = Document::parse(text);
    let rules = Compiler { document: &document, findings: &mut findings }.compile();
    findings.sort_by_key(|finding| finding.span.start);
    Compiled { rules: Arc::new(rules), findings }
}

struct Compiler<'d, 't> {
    document: &'d Document<'t>,
    findings: &'d mut Vec<Diagnostic>,
}

impl<'t> Compiler<'_, 't> {
    fn compile(mut self) -> Rules {
        let sections: Vec<(usize, Section)> = self
            .document
            .lines
            .first()
            .map(|root| root.children.as_slice())
            .unwrap_or_default()
            .iter()
            .filter_map(|&at| {
                let name = self.document.lines[at].head().text;
                let known = Section::HEADINGS.iter().find(|(heading, _)| *heading == name);
                known.map(|(_, section)| (at, *section))
            })
            .collect();
        self.check_headings();
        let sprites = sections.iter().find(|(_, s)| *s == Section::Sprites).map(|(at, _)| *at);
        let types = sprite_set::compile(self.document, sprites, self.findings);
        let mut rules = Rules {
            types,
            effects: Vec::new(),
            pairs: Vec::new(),
            edges: Vec::new(),
            edge_effects: FxHashMap::default(),
            timed: Vec::new(),
            terminations: Vec::new(),
            mapping: FxHashMap::default(),
            players: 1,
            counters: 0,
            square_size: None,
            obstacles: None,
        };
        rules.mapping.insert('w', vec![TypeId::WALL]);
        rules.mapping.insert('A', vec![TypeId::AVATAR]);
        self.game_line(&mut rules);
        if sprites.is_none() {
            let span = self.document.lines.first().map_or(Span::default(), |l| l.span);
            self.findings.push(
                Diagnostic::error("no-sprites", span, "the description has no SpriteSet")
                    .help("add a block `SpriteSet` that defines the sprites"),
            );
        }
        let mut sprites_read = false;
        for (at, section) in sections {
            let done = match section {
                Section::Sprites => {
                    sprites_read = true;
                    Ok(())
                }
                Section::Mapping => {
                    self.mapping(at, &mut rules);
                    Ok(())
                }
                Section::Interactions | Section::Terminations if !sprites_read => {
                    Err(Lost(Diagnostic::error(
                        "sprites-first",
                        self.document.lines[at].span,
                        "the SpriteSet must come before this block",
                    )))
                }
                Section::Interactions => self.interactions(at, &mut rules),
                Section::Terminations => self.terminations(at, &mut rules),
                Section::Parameters | Section::Game => {
                    self.findings.push(Diagnostic::warning(
                        "parameter-set",
                        self.document.lines[at].span,
                        "a ParameterSet is not used: its names are taken as they stand",
                    ));
                    Ok(())
                }
            };
            if let Err(Lost(finding)) = done {
                self.findings.push(finding);
                break;
            }
        }
        rules
    }

    fn check_headings(&mut self) {
        let Some(root) = self.document.lines.first() else { return };
        if !matches!(root.head().text, "BasicGame" | "GameSpace")
            && !root.words.iter().any(|w| matches!(w.text, "BasicGame" | "GameSpace"))
        {
            self.findings.push(
                Diagnostic::error("no-game", root.span, "a description starts with `BasicGame`")
                    .help("make `BasicGame` the first line"),
            );
        }
        for &at in root.children.iter().take(MAX_FINDINGS) {
            let head = self.document.lines[at].head();
            if Section::HEADINGS.iter().any(|(name, _)| *name == head.text) {
                continue;
            }
            let mut finding = Diagnostic::error(
                "unknown-block",
                head.span,
                format!("there is no block `{}`", head.text),
            );
            if let Some(near) = nearest(head.text, Section::HEADINGS.iter().map(|(n, _)| *n)) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            self.findings.push(finding);
        }
    }

    fn game_line(&mut self, rules: &mut Rules) {
        let Some(root) = self.document.lines.first() else { return };
        for parameter in root.parameters(0) {
            let (key, text) = (parameter.key, parameter.value);
            let value = Value::parse(key.text, text.text);
            if self.findings.len() >= MAX_FINDINGS {
                break;
            }
            match key.text {
                "square_size" => match value.int() {
                    Some(size @ 1..=1000) => rules.square_size = Some(size),
                    Some(-1) => {}
                    _ => self.findings.push(Diagnostic::error(
                        "bad-square-size",
                        text.span,
                        "`square_size` must be a number of pixels from 1 to 1000",
                    )),
                },
                "no_players" | "no_counters" => {
                    let (least, most) =
                        if key.text == "no_players" { (1, MAX_PLAYERS) } else { (0, MAX_COUNTERS) };
                    match value.int().map(|n| n as usize) {
                        Some(n) if (least..=most).contains(&n) => {
                            if key.text == "no_players" {
                                rules.players = n;
                            } else {
                                rules.counters = n;
                            }
                        }
                        _ => self.findings.push(Diagnostic::error(
                            "out-of-range",
                            text.span,
                            format!("`{}` must be from {least} to {most}", key.text),
                        )),
                    }
                }
                "obs" => {
                    let found = value.text().map(|names| rules.types.find_list(names));
                    rules.obstacles = found.map(|list| list.into_iter().flatten().collect());
                }
                "key_handler" => {}
                _ => {
                    let mut finding = Diagnostic::error(
                        "unknown-parameter",
                        key.span,
                        format!("there is no game parameter `{}`", key.text),
                    );
                    if let Some(near) = nearest(key.text, GAME_PARAMETERS.iter().copied()) {
                        finding = finding.help(format!("did you mean `{near}`?"));
                    }
                    self.findings.push(finding);
                }
            }
        }
    }

    fn mapping(&mut self, at: usize, rules: &mut Rules) {
        let document = self.document;
        for &child in &document.lines[at].children {
            let line = &document.lines[child];
            let Some(character) = line.head().text.chars().next() else { continue };
            if line.words.len() < 3 || line.words[1].text != ">" {
                self.findings.push(
                    Diagnostic::warning("bad-mapping", line.span, "this maps to no sprite")
                        .help("write `c > sprite sprite ...`"),
                );
            }
            let mut sprites = Vec::new();
            for word in line.words.iter().skip(2) {
                match rules.types.find(word.text) {
                    Some(id) => sprites.push(id),
                    None => self.unknown_sprite(rules, word.text, word.span),
                }
            }
            rules.mapping.insert(character, sprites);
        }
    }

    fn unknown_sprite(&mut self, rules: &Rules, name: &str, span: Span) {
        if self.findings.len() >= MAX_FINDINGS {
            return;
        }
        let mut finding =
            Diagnostic::error("unknown-sprite", span, format!("there is no sprite `{name}`"));
        if let Some(near) = rules.types.suggestion(name) {
            finding = finding.help(format!("did you mean `{near}`?"));
        }
        self.findings.push(finding);
    }

    fn interactions(&mut self, at: usize, rules: &mut Rules) -> Result<(), Lost> {
        let mut compiler = EffectCompiler {
            table: &rules.types,
            players: rules.players,
            counters: rules.counters,
            effects: std::mem::take(&mut rules.effects),
            timed: std::mem::take(&mut rules.timed),
        };
        let mut registry = Registry {
            pairs: &mut rules.pairs,
            places: FxHashMap::default(),
            edges: &mut rules.edges,
            edge_effects: &mut rules.edge_effects,
            count: 0,
        };
        let mut outcome = Ok(());
        for &child in &self.document.lines[at].children {
            let line = &self.document.lines[child];
            if let Err(lost) = registry.line(line, &mut compiler, self.findings) {
                outcome = Err(lost);
                break;
            }
            self.ignored_children(line);
        }
        (rules.effects, rules.timed) = (compiler.effects, compiler.timed);
        outcome
    }

    /// Lines below an interaction are never looked at.
    fn ignored_children(&mut self, line: &Line<'t>) {
        if let Some(&child) = line.children.first() {
            self.findings.push(
                Diagnostic::warning(
                    "ignored-line",
                    self.document.lines[child].span,
                    "this line is indented below another one and has no effect",
                )
                .help("indent it like the lines around it"),
            );
        }
    }

    fn terminations(&mut self, at: usize, rules: &mut Rules) -> Result<(), Lost> {
        for &child in &self.document.lines[at].children {
            let line = &self.document.lines[child];
            let termination = self.termination(line, rules)?;
            rules.terminations.push(termination);
            self.ignored_children(line);
        }
        Ok(())
    }

    fn termination(&mut self, line: &Line<'t>, rules: &Rules) -> Result<Termination, Lost> {
        let head = line.head();
        let Some((_, own)) = TERMINATIONS.iter().find(|(name, _)| *name == head.text) else {
            let mut finding = Diagnostic::error(
                "unknown-termination",
                head.span,
                format!("there is no termination `{}`", head.text),
            );
            if let Some(near) = nearest(head.text, TERMINATIONS.iter().map(|(name, _)| *name)) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            return Err(Lost(finding));
        };
        let mut values = FxHashMap::default();
        for p in line.parameters(1) {
            if !own.contains(&p.key.text) && !TERMINATION_PARAMETERS.contains(&p.key.text) {
                if self.findings.len() >= MAX_FINDINGS {
                    continue;
                }
                let mut finding = Diagnostic::error(
                    "unknown-parameter",
                    p.key.span,
                    format!("there is no parameter `{}` of {}", p.key.text, head.text),
                );
                let known = own.iter().chain(TERMINATION_PARAMETERS).copied();
                if let Some(near) = nearest(p.key.text, known) {
                    finding = finding.help(format!("did you mean `{near}`?"));
                }
                self.findings.push(finding);
                continue;
            }
            values.insert(p.key.text, (Value::parse(p.key.text, p.value.text), p.value.span));
        }
        let sprite = |key: &str| -> Result<Option<TypeId>, Lost> {
            let Some((value, span)) = values.get(key) else { return Ok(None) };
            let name = value.text().unwrap_or("");
            rules.types.find(name).map(Some).ok_or_else(|| {
                let mut finding = Diagnostic::error(
                    "unknown-sprite",
                    *span,
                    format!("there is no sprite `{name}`"),
                )
                .label("the framework drops everything from here on");
                if let Some(near) = rules.types.suggestion(name) {
                    finding = finding.help(format!("did you mean `{near}`?"));
                }
                Lost(finding)
            })
        };
        let one = |key: &str| {
            sprite(key)?.ok_or_else(|| {
                let message = format!("this termination needs `{key}=`");
                Lost(Diagnostic::error("missing-parameter", line.span, message))
            })
        };
        let many = || -> Result<Vec<TypeId>, Lost> {
            let all = [sprite("stype1")?, sprite("stype2")?, sprite("stype3")?];
            Ok(all.into_iter().flatten().collect())
        };
        let flag = |key: &str| values.get(key).and_then(|(v, _)| v.bool()).unwrap_or(false);
        let int =
            |key: &str, default| values.get(key).and_then(|(v, _)| v.int()).unwrap_or(default);
        let condition = match head.text {
            "SpriteCounter" => Condition::SpriteCounter { of: one("stype")? },
            "SpriteCounterMore" => Condition::SpriteCounterMore { of: one("stype")? },
            "MultiSpriteCounter" => Condition::MultiSpriteCounter { of: many()?, min: flag("min") },
            "MultiSpriteCounterSubTypes" => Condition::MultiSpriteCounterSubTypes {
                of: sprite("stype1")?,
                kinds: int("subTypesNum", -1),
            },
            "Timeout" => Condition::Timeout {
                use_counter: flag("use_counter"),
                compare: flag("compare"),
                limits: values
                    .get("limits")
                    .and_then(|(v, _)| v.text())
                    .unwrap_or("0")
                    .split(',')
                    .map(|part| part.parse().unwrap_or(0))
                    .collect(),
            },
            _ => Condition::StopCounter { of: many()?, min: flag("min") },
        };
        let win = values
            .get("win")
            .and_then(|(v, _)| v.text())
            .map(|text| text.split(',').map(|part| part.eq_ignore_ascii_case("true")).collect());
        Ok(Termination {
            condition,
            limit: int("limit", 0),
            win: win.unwrap_or_default(),
            count_score: flag("count_score"),
        })
    }
}

/// Where effects are entered.
struct Registry<'r> {
    pairs: &'r mut Vec<Pair>,
    places: FxHashMap<(TypeId, TypeId), usize>,
    edges: &'r mut Vec<TypeId>,
    edge_effects: &'r mut FxHashMap<TypeId, Vec<EffectId>>,
    count: usize,
}

impl Registry<'_> {
    fn line(
        &mut self,
        line: &Line<'_>,
        compiler: &mut EffectCompiler<'_>,
        findings: &mut Vec<Diagnostic>,
    ) -> Result<(), Lost> {
        let lost = |code, span, message: String| {
            Err(Lost(
                Diagnostic::error(code, span, message)
                    .label("the framework drops everything from here on"),
            ))
        };
        let Some(arrow) = line.words.iter().position(|word| word.text == ">").filter(|&at| at > 0)
        else {
            return lost("bad-interaction", line.span, "an interaction needs `>`".into());
        };
        let effect = compiler.compile(line, arrow, findings)?;
        let head = line.head();
        let table = compiler.table;
        let first = table.find(head.text);
        let is = |text: &str, name: &str| text.eq_ignore_ascii_case(name);
        if line.words[1..arrow].is_empty() {
            return lost("bad-interaction", line.span, "an interaction needs two sprites".into());
        }
        for word in &line.words[1..arrow] {
            let second = table.find(word.text);
            if let (Some(first), Some(second)) = (first, second) {
                let repeat = compiler.effects[usize::from(effect.0)].repeat.clamp(0, MAX_REPEAT);
                self.count += repeat as usize;
                if self.count > MAX_EFFECTS {
                    let message = format!("more than {MAX_EFFECTS} effects");
                    return lost("too-many-effects", line.span, message);
                }
                let pairs = &mut *self.pairs;
                let place = *self.places.entry((first, second)).or_insert_with(|| {
                    pairs.push(Pair { first, second, effects: Vec::new() });
                    pairs.len() - 1
                });
                self.pairs[place].effects.extend((0..repeat).map(|_| effect));
            } else if let (true, Some(first)) = (is(word.text, "EOS"), first) {
                self.edge(first, effect, word.span, findings);
            } else if let (true, Some(second)) = (is(head.text, "EOS"), second) {
                self.edge(second, effect, word.span, findings);
            } else if is(head.text, "TIME") || is(word.text, "TIME") {
                let of = if is(head.text, "TIME") { second } else { first };
                if of.is_none() {
                    findings.push(Diagnostic::error(
                        "unknown-sprite",
                        if is(head.text, "TIME") { word.span } else { head.span },
                        "the timed effect names no known sprite and runs without one",
                    ));
                }
                compiler.schedule(effect, line, arrow, of);
            } else {
                let unknown = if first.is_none() { head } else { *word };
                let mut finding = Diagnostic::error(
                    "unknown-sprite",
                    unknown.span,
                    format!("there is no sprite `{}`", unknown.text),
                )
                .label("the framework drops everything from here on");
                if let Some(near) = table.suggestion(unknown.text) {
                    finding = finding.help(format!("did you mean `{near}`?"));
                }
                return Err(Lost(finding));
            }
        }
        Ok(())
    }

    fn edge(&mut self, id: TypeId, effect: EffectId, span: Span, findings: &mut Vec<Diagnostic>) {
        if self.edges.contains(&id) {
            findings.push(Diagnostic::warning(
                "doubled-eos",
                span,
                "a second EOS line for this sprite makes all its EOS effects run twice",
            ));
        }
        self.edges.push(id);
        self.edge_effects.entry(id).or_default().push(effect);
    }
}
