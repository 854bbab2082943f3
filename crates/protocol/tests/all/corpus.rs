//! The player with public rulesheets: a legal first move under a short clock. Reads the shared corpus,
//! and passes on a machine without it.

use crate::support;

use gamegrove_game::{Describe, Game, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_protocol::{SeatConfig, flatten};
use support::{config, say, serve};

/// One rulesheet of so many, so that the test takes seconds.
const ONE_IN: usize = 24;

#[test]
fn public_rulesheets_get_a_legal_move_in_half_a_second() {
    let Some(corpus) = gamegrove_testdata::shared("corpus/gdl") else { return };
    let player = serve(SeatConfig { ponder: false, ..config("grove") });
    let mut played = 0;
    for path in gamegrove_testdata::files_below(&corpus, "kif").iter().step_by(ONE_IN) {
        let text = std::fs::read(path).expect("a file of the corpus");
        let name = path.display();
        let Ok(sheet) = Rulesheet::load(&text) else { continue };
        let mut game = Prover::new(&sheet.program).expect("it has roles");
        let (state, role) = (game.initial_state(), Role(0));
        let mut legal = Vec::new();
        game.legal_moves(&state, role, &mut legal);
        if legal.is_empty() {
            continue;
        }
        let rules = flatten(&text).expect("it was read before");
        let start = format!("( START m {} ( {rules} ) 0.5 0.5 )", game.role_name(role));
        assert_eq!(say(player, &start), "ready", "{name}");
        let reply = say(player, "( PLAY m NIL )");
        let mov = game.find_move(role, &reply.replace("( ", "(").replace(" )", ")"));
        assert!(mov.is_some_and(|mov| legal.contains(&mov)), "{name}: {reply}");
        assert_eq!(say(player, "( ABORT m )"), "aborted");
        played += 1;
    }
    assert!(played >= 10, "only {played} rulesheets");
}

#[test]
fn rules_are_sent_in_one_list() {
    let Some(corpus) = gamegrove_testdata::shared("corpus/gdl") else { return };
    let mut listed = 0;
    for path in gamegrove_testdata::files_below(&corpus, "kif") {
        let text = std::fs::read(&path).expect("a file of the corpus");
        let Ok(rules) = flatten(&text) else { continue };
        assert!(!rules.starts_with("(("), "{}", path.display());
        let start: Vec<u8> = text.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
        listed += usize::from(start.starts_with(b"(("));
    }
    assert!(listed >= 10, "only {listed} rulesheets have an outer list");
}
