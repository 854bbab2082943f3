//! `grove draw`: a position as text or SVG.

use gamegrove_game::{Describe, Move, Rng, Role};
use gamegrove_octagon::Colours;
use gamegrove_view::{Layout, Scene, SvgStyle, TextStyle, Theme, facts_text};
use serde::Serialize;

use super::rules;
use crate::cli::{DrawArgs, DrawingTheme};
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use gamegrove_inspect::trial::joint_names;
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::names::{did_you_mean, nearest};
use gamegrove_play::octagon;
use gamegrove_play::picture;
use gamegrove_play::reasoner::prover;
use gamegrove_play::text::printable;
use gamegrove_play::units::plural;
use gamegrove_play::video;

/// A position for tools.
#[derive(Debug, Serialize)]
struct Report {
    game: String,
    roles: Vec<String>,
    /// The joint moves that led here, one name per role.
    moves: Vec<Vec<String>>,
    facts: Vec<String>,
    /// Whether a board was found.
    board: bool,
    /// The lines of the drawing.
    drawing: Vec<String>,
    svg: Option<String>,
}

/// Runs the command.
pub fn run(args: &DrawArgs, out: &mut Output) -> Result {
    let source = Source::open_as(&args.game, args.kind.kind)?;
    if source.kind == Kind::Octagon {
        return draw_octagon(args, &source, out);
    }
    video::require(&source, Kind::Gdl)?;
    let sheet = rules(&source, args.rules, out)?;
    let layout = picture::layout(&source, &sheet)?;
    let mut game = prover(&source.name, &sheet)?;
    let (states, moves) = position(&mut game, &args.moves, args.random, args.seed)?;
    let facts = states.last().map(|state| game.facts(state)).unwrap_or_default();
    let style = TextStyle { unicode: out.style.unicode, width: out.style.width };
    let scene = layout.as_ref().map(|layout| scene(layout, &facts, &moves));
    let drawing = match &scene {
        Some(scene) => scene.text(style),
        None => facts_text(facts.iter().map(String::as_str), style.width),
    };
    let svg = scene.as_ref().map(|scene| {
        let theme = match args.theme {
            DrawingTheme::Auto => Theme::Auto,
            DrawingTheme::Light => Theme::Light,
            DrawingTheme::Dark => Theme::Dark,
        };
        svg(scene, &source.name, moves.len(), theme)
    });
    if let Some(path) = &args.svg {
        let Some(svg) = &svg else {
            let help = "a table [board] in a file beside the rules can say where it is";
            return Err(Failure::usage(format!("no board can be seen in {}", source.name), help));
        };
        write_svg(path, svg, out)?;
    }
    if out.is_json() {
        let roles = Role::all(gamegrove_game::Game::role_count(&game));
        out.value(&Report {
            roles: roles.map(|role| game.role_name(role)).collect(),
            game: source.name,
            moves,
            facts,
            board: layout.is_some(),
            drawing: drawing.lines().map(str::to_owned).collect(),
            svg: svg.filter(|_| args.svg.is_some()),
        })?;
    } else if args.svg.is_none() {
        out.text(&drawing)?;
    }
    Ok(Outcome::Fine)
}

/// Draws a position of The Octagon Theory, which knows how.
fn draw_octagon(args: &DrawArgs, source: &Source, out: &mut Output) -> Result {
    let mut game = octagon::load(source)?;
    let (states, moves) = position(&mut game, &args.moves, args.random, args.seed)?;
    let Some((state, before)) = states.split_last() else { return Ok(Outcome::Fine) };
    let drawing = game.draw(state);
    let last = before.last().zip(moves.last()).and_then(|(before, names)| {
        let mover = before.mover();
        Some((before, game.find_move(mover, &names[mover.index()])?))
    });
    let svg = args.svg.as_ref().map(|_| {
        let colours = match args.theme {
            DrawingTheme::Auto => Colours::Auto,
            DrawingTheme::Light => Colours::Light,
            DrawingTheme::Dark => Colours::Dark,
        };
        let title = format!("{} after {}", source.name, plural(moves.len(), "step"));
        game.svg(state, last, &title, colours)
    });
    if let (Some(path), Some(svg)) = (&args.svg, &svg) {
        write_svg(path, svg, out)?;
    }
    if out.is_json() {
        out.value(&Report {
            game: source.name.clone(),
            roles: Role::all(2).map(|role| game.role_name(role)).collect(),
            facts: game.facts(state),
            moves,
            board: true,
            drawing: drawing.lines().map(str::to_owned).collect(),
            svg,
        })?;
    } else if args.svg.is_none() {
        out.text(&drawing)?;
    }
    Ok(Outcome::Fine)
}

/// Writes a drawing to a file, or to standard output for `-`.
fn write_svg(path: &str, svg: &str, out: &mut Output) -> Result<()> {
    if path != "-" {
        return std::fs::write(path, svg).map_err(|error| {
            let message = format!("{} could not be written: {error}", printable(path));
            Failure::usage(message, "check the path")
        });
    }
    if out.is_json() { Ok(()) } else { out.picture(svg) }
}

/// A position with its last move marked.
pub(super) fn scene(layout: &Layout, facts: &[String], moves: &[Vec<String>]) -> Scene {
    let mut scene = layout.scene(facts);
    for mov in moves.last().into_iter().flatten() {
        scene.mark(&layout.touches(mov));
    }
    scene
}

/// The drawing of a position of the game called `name`.
pub(super) fn svg(scene: &Scene, name: &str, steps: usize, theme: Theme) -> String {
    let title = format!("{name} after {}", plural(steps, "step"));
    scene.svg(&SvgStyle { theme, title, ..SvgStyle::default() })
}

/// States in order, and the names of the joint moves between them.
type Way<S> = (Vec<S>, Vec<Vec<String>>);

/// The states on the way to the position after `moves` and then `random` random steps, that position
/// last, and all moves on the way.
pub(super) fn position<G: Describe>(
    game: &mut G,
    moves: &[String],
    random: u32,
    seed: u64,
) -> Result<Way<G::State>> {
    let mut rng = Rng::new(seed);
    let mut state = game.initial_state();
    let (mut states, mut played) = (Vec::new(), Vec::new());
    let wanted = moves.iter().map(Some).chain((0..random).map(|_| None));
    for (number, step) in wanted.enumerate() {
        if game.is_terminal(&state) {
            match step {
                None => break,
                Some(_) => {
                    let message = format!("the game is over after {}", plural(number, "step"));
                    return Err(Failure::usage(message, "leave out the moves behind it"));
                }
            }
        }
        let mut legal: Vec<Vec<Move>> = vec![Vec::new(); game.role_count()];
        for (role, moves) in Role::all(game.role_count()).zip(&mut legal) {
            game.legal_moves(&state, role, moves);
        }
        let joint = match step {
            Some(text) => chosen(game, &legal, text, number + 1)?,
            None => legal.iter().filter_map(|moves| rng.pick(moves)).collect(),
        };
        if joint.len() < legal.len() {
            let message = format!("somebody has no legal move after {}", plural(number, "step"));
            return Err(Failure::broken(message, "`grove check` says more"));
        }
        played.push(joint_names(game, &joint));
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        states.push(std::mem::replace(&mut state, next));
    }
    states.push(state);
    match game.take_fault() {
        Some(fault) => Err(Failure::broken(format!("the game stopped: {fault}"), "")),
        None => Ok((states, played)),
    }
}

/// The joint move that `text` names.
fn chosen<G: Describe>(
    game: &G,
    legal: &[Vec<Move>],
    text: &str,
    number: usize,
) -> Result<Vec<Move>> {
    let mut given = text.split('|').map(|part| part.trim().to_lowercase());
    let parts = text.split('|').count();
    let all = parts == legal.len() && parts > 1;
    let mut joint = Vec::new();
    for (role, moves) in Role::all(legal.len()).zip(legal) {
        if !all && let [only] = moves[..] {
            joint.push(only);
            continue;
        }
        let role_name = game.role_name(role);
        let Some(name) = given.next() else {
            let message = format!("step {number} does not say what {role_name} does");
            return Err(Failure::usage(message, "give the moves of all roles with | between them"));
        };
        let names: Vec<String> = moves.iter().map(|&mov| game.move_name(role, mov)).collect();
        let bare = |text: &str| text.trim_matches(['(', ')']).to_owned();
        let Some(at) = names.iter().position(|known| bare(known) == bare(&name)) else {
            let near = nearest(&name, names.iter().map(String::as_str));
            let first = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            let help = did_you_mean(&near).unwrap_or_else(|| format!("legal are {first}, ..."));
            let message =
                format!("step {number}: {} is no legal move of {role_name}", printable(&name));
            return Err(Failure::usage(message, help));
        };
        joint.push(moves[at]);
    }
    if let Some(more) = given.next() {
        let message = format!("step {number}: nobody is left to play {}", printable(&more));
        return Err(Failure::usage(message, "roles with only one move play it by themselves"));
    }
    Ok(joint)
}
