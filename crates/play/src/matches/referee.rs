//! The referee: plays one match. It holds the state, checks every answer and replaces what is missing
//! or wrong by a random legal move [Sironi 2019, 3.1.2].

use gamegrove_game::{Describe, Goal, Move, Rng, Role};

use crate::matches::clock::Clocks;
use crate::matches::panel::{Panel, Position};
use crate::matches::record::{ClockRecord, Ending, MatchRecord, Offence, StepRecord, Wrong};

/// What a match is about, besides game and players.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The game's name, for the record.
    pub game: String,
    /// The players' names, for the record.
    pub players: Vec<String>,
    /// The clocks.
    pub clocks: Clocks,
    /// Steps after which the match is given up.
    pub step_limit: usize,
    /// What random replacements depend on.
    pub seed: u64,
    /// Whether the facts of every state are recorded.
    pub facts: bool,
}

/// Plays one match with players that `panel` knows how to ask.
pub fn referee<G: Describe>(game: &mut G, panel: &mut impl Panel<G>, terms: &Terms) -> MatchRecord {
    let roles = game.role_count();
    // A stream of its own, so that a replaced move does not shift anybody's choices.
    let mut rng = Rng::stream(terms.seed, u64::MAX);
    let mut state = game.initial_state();
    let mut next = state.clone();
    let mut record = MatchRecord {
        id: None,
        game: terms.game.clone(),
        clocks: ClockRecord::from(terms.clocks),
        roles: Role::all(roles).map(|role| game.role_name(role)).collect(),
        players: terms.players.clone(),
        seed: terms.seed,
        initial: game.facts(&state),
        steps: Vec::new(),
        ending: Ending::Terminal,
        goals: Vec::new(),
        offences: Vec::new(),
    };
    for (role, kind, what) in panel.start(game, &state) {
        record.offences.push(Offence { step: 0, role: game.role_name(role), kind, what });
    }
    let mut last: Vec<Move> = Vec::new();
    let mut legal: Vec<Vec<Move>> = vec![Vec::new(); roles];
    record.ending = loop {
        if game.is_terminal(&state) {
            break Ending::Terminal;
        }
        if record.steps.len() == terms.step_limit {
            break Ending::StepLimit;
        }
        for (role, legal) in Role::all(roles).zip(&mut legal) {
            game.legal_moves(&state, role, legal);
        }
        if legal.iter().any(Vec::is_empty) {
            break Ending::NoLegalMove;
        }
        let position =
            Position { step: record.steps.len(), state: &state, legal: &legal, last: &last };
        let (joint, step) = play_step(game, panel, &position, &mut record.offences, &mut rng);
        game.apply(&state, &joint, &mut next);
        std::mem::swap(&mut state, &mut next);
        last = joint;
        record.steps.push(step);
        if terms.facts
            && let Some(made) = record.steps.last_mut()
        {
            made.facts = game.facts(&state);
        }
        if game.take_fault().is_some() {
            break Ending::Fault;
        }
    };
    // A reasoner that cannot evaluate a state says that play is over there.
    if game.take_fault().is_some() {
        record.ending = Ending::Fault;
    }
    panel.finish(game, &last, record.ending);
    let mut goals = vec![Goal::default(); roles];
    game.goals(&state, &mut goals);
    record.goals = goals.iter().map(|goal| goal.0).collect();
    record
}

/// Asks all players for their moves and replaces those that cannot be played.
fn play_step<G: Describe>(
    game: &mut G,
    panel: &mut impl Panel<G>,
    position: &Position<'_, G::State>,
    offences: &mut Vec<Offence>,
    rng: &mut Rng,
) -> (Vec<Move>, StepRecord) {
    let roles = position.legal.len();
    let answers = panel.ask(game, position);
    assert_eq!(answers.len(), roles, "everybody was asked");
    let mut joint = Vec::with_capacity(roles);
    let mut step = StepRecord {
        moves: Vec::with_capacity(roles),
        seconds: Vec::with_capacity(roles),
        searches: Vec::with_capacity(roles),
        facts: Vec::new(),
    };
    for ((role, legal), answer) in Role::all(roles).zip(position.legal).zip(answers) {
        let checked = answer.choice.and_then(|mov| match legal.contains(&mov) {
            true => Ok(mov),
            false => Err((Wrong::Illegal, format!("illegal move {}", game.move_name(role, mov)))),
        });
        let mov = checked.unwrap_or_else(|(kind, what)| {
            let role = game.role_name(role);
            offences.push(Offence { step: position.step, role, kind, what });
            legal[rng.below(legal.len())]
        });
        step.searches.push(answer.search);
        step.seconds.push(answer.taken.as_secs_f64());
        step.moves.push(game.move_name(role, mov));
        joint.push(mov);
    }
    (joint, step)
}
