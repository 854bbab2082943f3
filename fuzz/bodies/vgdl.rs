//! What must hold for any bytes taken as a video game; the fuzz target and a plain test run this.
//!
//! An input is a description, a level and actions, parted by zero bytes.

use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::diagnostic::Diagnostic;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::rules::compile;
use gamegrove_vgdl::types::Category;

/// Ticks played at most.
const TICKS: usize = 40;
/// Beyond so many sprites the slow rule takes too long to compare with.
const COMPARED: usize = 400;

/// Reads, checks and plays `data`; panics if anything is wrong with what comes out.
pub fn run(data: &[u8]) {
    let mut parts = data.splitn(3, |&byte| byte == 0);
    let mut text = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (description, level) = (text(), text());
    let actions = parts.next().unwrap_or_default();
    let compiled = compile(&description);
    point_into(&description, &compiled.findings);
    let loaded = World::load(&compiled.rules, &level);
    point_into(&level, &loaded.findings);
    match loaded.world {
        Some(world) => play(&world, actions),
        None => assert!(loaded.findings.iter().any(Diagnostic::is_error), "refused without a word"),
    }
}

/// Findings lie inside the text, between characters.
fn point_into(text: &str, findings: &[Diagnostic]) {
    for finding in findings {
        assert!(text.get(finding.span.start..finding.span.end).is_some(), "{finding:?}");
        let _ = finding.line_column(text);
    }
}

/// The fast engine does what the slow rule says, copies go on alike, and views hold together.
fn play(world: &World, actions: &[u8]) {
    let mut scratch = Scratch::default();
    let mut state = world.start().clone();
    let mut twin = state.clone();
    for tick in 0..TICKS {
        if state.is_over() {
            return;
        }
        let action = |player: usize| {
            let byte = actions.get(tick * 2 + player).copied().unwrap_or(tick as u8);
            Action::ALL[usize::from(byte) % Action::ALL.len()]
        };
        let joint: Vec<Action> = (0..world.rules.players).map(action).collect();
        world.advance(&mut state, &joint, &mut scratch);
        if scratch.take_overworked() {
            return; // Cut short: nothing to compare.
        }
        let view = world.view(&state, 0);
        let seen = view.sprites().count();
        assert_eq!(seen, view.types().map(|(_, count)| count).sum::<usize>());
        assert!(view.in_category(Category::Avatar).count() <= seen);
        let all: usize = (0..world.rules.types.types.len())
            .map(|ty| state.count(gamegrove_vgdl::types::TypeId(ty as u16)))
            .sum();
        if all > COMPARED {
            return;
        }
        world.advance_by_reference(&mut twin, &joint, &mut scratch);
        if scratch.take_overworked() {
            return;
        }
        assert_eq!(state, twin, "fast and slow differ in tick {tick}");
        assert_eq!(state.events(), twin.events(), "events of tick {tick}");
    }
}
