//! `grove draw`: a position as text or SVG.

use gamegrove_game::{Move, Rng, Role};
use gamegrove_view::{TextStyle, Theme};
use serde::Serialize;

use super::{any_rules, drawn_board, stopped};
use crate::cli::{DrawArgs, DrawingTheme};
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use gamegrove_play::load::Source;
use gamegrove_play::names::{did_you_mean, nearest};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::text::printable;
use gamegrove_play::units::plural;
use gamegrove_play::{Board, Setup, State, View};

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
    let rules = any_rules(&source, args.rules, out)?;
    let board = drawn_board(&source, rules, &Setup::new(Reasoner::Prover), out)?;
    let Way { states, joints, moves } = position(&*board, &args.moves, args.random, args.seed)?;
    let Some((state, before)) = states.split_last() else { return Ok(Outcome::Fine) };
    let last = before.last().zip(joints.last().map(Vec::as_slice));
    let style = TextStyle { unicode: out.style.unicode, width: out.style.width };
    let drawing = board.text(state, last, style);
    let theme = match args.theme {
        DrawingTheme::Auto => Theme::Auto,
        DrawingTheme::Light => Theme::Light,
        DrawingTheme::Dark => Theme::Dark,
    };
    let svg = board.svg(state, last, &svg_title(&source.name, moves.len()), theme);
    if let Some(path) = &args.svg {
        let Some(svg) = &svg else {
            let help = "a table [board] in a file beside the rules can say where it is";
            return Err(Failure::usage(format!("no board can be seen in {}", source.name), help));
        };
        write_svg(path, svg, out)?;
    }
    if out.is_json() {
        out.value(&Report {
            roles: board.about().roles.clone(),
            game: source.name,
            moves,
            facts: board.facts(state),
            board: svg.is_some(),
            drawing: drawing.lines().map(str::to_owned).collect(),
            svg: svg.filter(|_| args.svg.is_some()),
        })?;
    } else if args.svg.is_none() {
        out.text(&drawing)?;
    }
    Ok(Outcome::Fine)
}

/// The title of a drawing of the game called `name`.
pub(super) fn svg_title(name: &str, steps: usize) -> String {
    format!("{name} after {}", plural(steps, "step"))
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

/// The way to a position.
pub(super) struct Way {
    /// All states in order.
    pub states: Vec<State>,
    /// The joint moves between them.
    pub joints: Vec<Vec<Move>>,
    /// Their names.
    pub moves: Vec<Vec<String>>,
}

/// The way to the position after `moves` and then `random` random steps.
pub(super) fn position(board: &dyn Board, moves: &[String], random: u32, seed: u64) -> Result<Way> {
    let mut rng = Rng::new(seed);
    let mut state = board.start(seed);
    let mut way = Way { states: Vec::new(), joints: Vec::new(), moves: Vec::new() };
    let wanted = moves.iter().map(Some).chain((0..random).map(|_| None));
    for (number, step) in wanted.enumerate() {
        let view = board.view(&state).map_err(|fault| stopped(&fault))?;
        if view.is_over() {
            match step {
                None => break,
                Some(_) => {
                    let message = format!("the game is over after {}", plural(number, "step"));
                    return Err(Failure::usage(message, "leave out the moves behind it"));
                }
            }
        }
        let joint = match step {
            Some(text) => chosen(board, &view, text, number + 1)?,
            None => Role::all(view.roles())
                .filter_map(|role| rng.pick(view.legal(role)))
                .collect::<Vec<Move>>(),
        };
        if joint.len() < view.roles() {
            let message = format!("somebody has no legal move after {}", plural(number, "step"));
            return Err(Failure::broken(message, "`grove check` says more"));
        }
        let names = Role::all(joint.len()).zip(&joint);
        way.moves.push(names.map(|(role, &mov)| board.move_name(role, mov)).collect());
        let next = board.next(&state, &joint).map_err(|fault| stopped(&fault))?;
        way.joints.push(joint);
        way.states.push(std::mem::replace(&mut state, next));
    }
    way.states.push(state);
    Ok(way)
}

/// The joint move that `text` names.
fn chosen(board: &dyn Board, view: &View, text: &str, number: usize) -> Result<Vec<Move>> {
    let mut given = text.split('|').map(|part| part.trim().to_lowercase());
    let parts = text.split('|').count();
    let all = parts == view.roles() && parts > 1;
    let mut joint = Vec::new();
    for role in Role::all(view.roles()) {
        let moves = view.legal(role);
        if !all && let [only] = moves {
            joint.push(*only);
            continue;
        }
        let role_name = &board.about().roles[role.index()];
        let Some(name) = given.next() else {
            let message = format!("step {number} does not say what {role_name} does");
            return Err(Failure::usage(message, "give the moves of all roles with | between them"));
        };
        let names: Vec<String> = moves.iter().map(|&mov| board.move_name(role, mov)).collect();
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
