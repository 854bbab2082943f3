//! Draws every public rulesheet after a few random moves: `survey FOLDER [NAME]`. Prints for each
//! which board was found, and writes text, SVG and a table.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use gamegrove_game::{Describe, Game, Rng, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_testdata::{files_below, shared};
use gamegrove_view::{Evidence, Layout, SvgStyle, TextStyle, Theme};

#[expect(clippy::print_stdout, reason = "it is what the example is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("give a folder for the drawings")?;
    let wanted = std::env::args().nth(2).unwrap_or_default();
    let root = shared("corpus/gdl").ok_or("no public rulesheets here")?;
    std::fs::create_dir_all(&folder)?;
    let (mut found, mut all) = (0, 0);
    for path in files_below(&root, "kif") {
        let name = path.strip_prefix(&root)?.with_extension("").display().to_string();
        if !name.contains(&wanted) {
            continue;
        }
        let Ok(sheet) = Rulesheet::load(&std::fs::read(&path)?) else { continue };
        all += 1;
        let mut game = Prover::new(&sheet.program)?;
        let mut evidence = Evidence::of_game(&mut game, 1);
        evidence.add_rules(&sheet.program, &std::sync::Arc::default());
        let Some(layout) = Layout::find(&evidence) else {
            println!("{name}: no board");
            continue;
        };
        found += 1;
        let (facts, last) = some_state(&mut game);
        let mut scene = layout.scene(&facts);
        scene.mark(&last.iter().flat_map(|mov| layout.touches(mov)).collect::<Vec<_>>());
        let boards = &scene.boards;
        let mut line = format!("{name}: {} boards", boards.len());
        let _ =
            write!(line, ", {} cells, {} facts beside", boards[0].cells.len(), scene.rest.len());
        println!("{line}");
        let file = Path::new(&folder).join(name.replace('/', "_"));
        let text = scene.text(TextStyle { unicode: false, width: 100 });
        std::fs::write(file.with_extension("txt"), format!("{name} {last:?}\n{text}"))?;
        for (theme, ending) in [(Theme::Light, "svg"), (Theme::Dark, "dark.svg")] {
            let style = SvgStyle { theme, title: name.clone(), ..SvgStyle::default() };
            std::fs::write(file.with_extension(ending), scene.svg(&style))?;
        }
    }
    println!("{found} of {all} have a board");
    Ok(())
}

/// A state in the middle of a random game, and the moves that led there.
fn some_state(game: &mut Prover) -> (Vec<String>, Vec<String>) {
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let mut rng = Rng::new(5);
    let (mut state, mut last) = (game.initial_state(), Vec::new());
    for _ in 0..9 {
        if game.is_terminal(&state) {
            break;
        }
        let (mut joint, mut legal) = (Vec::new(), Vec::new());
        for &role in &roles {
            game.legal_moves(&state, role, &mut legal);
            joint.extend(rng.pick(&legal));
        }
        if joint.len() < roles.len() {
            break;
        }
        last = roles.iter().zip(&joint).map(|(&role, &mov)| game.move_name(role, mov)).collect();
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
    (game.facts(&state), last)
}
