//! The boards that FAST finds in real rulesheets, and what it learns about pieces.

use gamegrove_game::{FeatureNames, Features, Game, Goal, Rng, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_search::{Family, FastSettings, FastTable, Learner, Scale, Trace};

fn prover(name: &str) -> Option<Prover> {
    let path = gamegrove_testdata::shared(&format!("corpus/gdl/public/{name}/{name}.kif"))?;
    let sheet =
        Rulesheet::load(&std::fs::read(path).expect("it can be read")).expect("it is sound");
    Some(Prover::new(&sheet.program).expect("it can be played"))
}

/// A random game, with the facts of all of its states.
fn random_game(game: &mut Prover, rng: &mut Rng) -> Trace {
    let roles = game.role_count();
    let mut reader: Box<dyn Features<_>> = game.features().expect("provers know facts");
    let (mut trace, mut facts, mut moves) = (Trace::default(), Vec::new(), Vec::new());
    trace.begin(roles, 1.0);
    let mut state = game.initial_state();
    loop {
        reader.read(&state, &mut facts);
        trace.note_features(&facts);
        if game.is_terminal(&state) || trace.steps() == 300 {
            break;
        }
        let mut joint = Vec::new();
        for role in Role::all(roles) {
            game.legal_moves(&state, role, &mut moves);
            joint.push(rng.pick(&moves).expect("a legal move"));
        }
        trace.push(&joint);
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
    let mut goals = vec![Goal::default(); roles];
    game.goals(&state, &mut goals);
    trace.finish(goals.iter().map(|goal| f64::from(goal.0)));
    trace
}

fn table(game: &Prover, samples: u64, scale: Scale) -> FastTable {
    let settings = FastSettings { samples, alpha: 0.01, lambda: 0.99, scale };
    let mut table = FastTable::new(settings);
    let names = &mut || -> Box<dyn FeatureNames> { game.features().expect("provers know facts") };
    table.introduce(names);
    table
}

fn family(name: &str) -> Option<Family> {
    let mut game = prover(name)?;
    let mut table = table(&game, 20, Scale::Length);
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        assert_eq!(table.family(), None);
        table.learn(&random_game(&mut game, &mut rng));
    }
    table.family()
}

#[test]
fn the_published_outcome_of_detection() {
    // [Finnsson 2012, 4.1.4, 4]
    for (name, expected) in [
        ("battle", Family::Pieces),
        ("checkers", Family::Pieces),
        ("skirmishFinal1", Family::Pieces),
        ("ttcc4_2player", Family::Pieces),
        ("ttcc4", Family::Pieces),
        ("breakthrough", Family::Cells),
        ("chinook", Family::Cells),
        ("connect5", Family::Cells),
        ("knightThrough", Family::Cells),
        ("reversi", Family::Cells),
        ("tictactoe_3d_2player", Family::Nothing),
        ("chineseCheckers3", Family::Nothing),
    ] {
        if let Some(found) = family(name) {
            assert_eq!(found, expected, "{name}");
        }
    }
}

#[test]
fn skirmish_values_pieces_by_their_owner_and_at_the_published_size() {
    // [Finnsson 2012, 4.1.4]: values of about 5 to 13. In random games all pieces are worth about
    // the same, since every capture scores the same; the published order needs sensible play.
    let Some(mut game) = prover("skirmishFinal1") else { return };
    let mut table = table(&game, 20, Scale::Length);
    let mut rng = Rng::new(2);
    for _ in 0..1020 {
        table.learn(&random_game(&mut game, &mut rng));
    }
    for (role, own) in [(Role(0), "white"), (Role(1), "black")] {
        let values = table.piece_values(role);
        assert_eq!(values.len(), 8);
        for (piece, value) in values {
            let signed = if piece.starts_with(own) { value } else { -value };
            assert!((4.0..16.0).contains(&signed), "{role:?} {piece} {value}");
        }
    }
}

/// A cell that wins the game by being reached holds in no state but the last.
#[test]
fn the_last_row_is_what_breakthrough_is_about() {
    let Some(mut game) = prover("breakthrough") else { return };
    let mut table = table(&game, 20, Scale::Each);
    let mut rng = Rng::new(3);
    for _ in 0..520 {
        table.learn(&random_game(&mut game, &mut rng));
    }
    for role in Role::all(2) {
        let values = table.cell_values(role);
        assert_eq!(values.len(), 64);
        let mean = |row: &str| {
            let row: Vec<f64> =
                values.iter().filter(|(cell, _)| cell[1] == row).map(|(_, value)| *value).collect();
            row.iter().sum::<f64>() / row.len() as f64
        };
        // From the row in which the pawns start to the last; no pawn ever moves to the first one.
        let mut rows: Vec<f64> = (1..=8).map(|row: u8| mean(&row.to_string())).collect();
        if role == Role(1) {
            rows.reverse();
        }
        let on_the_way = rows[1..7].iter().copied().fold(f64::MIN, f64::max);
        assert!(rows[7] > on_the_way, "{role:?}: {rows:?}");
    }
}
