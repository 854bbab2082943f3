//! How often the opponent's move is among the most visited, by the certainty of the model of it
//! [Fernandes 2013, 5.2.3].
//!
//! `octagon_coverage SIMULATIONS SEED [MODEL]`: ten matches are played between greedy players and
//! searches, in place of the recorded matches of [Fernandes 2013], which are lost. Then UCT-L with the opponent model
//! follows each match from both sides and searches wherever the opponent has the move. A success is a
//! move of the opponent among the tenth of its moves that were visited most; moves visited as often share
//! that tenth equally. MODEL has further options of `opponent_model`.
#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::error::Error;

use gamegrove_agents::{Agent, Player};
use gamegrove_game::{Game, Move, Rng, Role};
use gamegrove_octagon::{Config, Octagon, State};
use gamegrove_search::{Budget, MoveReport, Search};

/// The certainties of Table 5.2.
const CERTAINTIES: [f64; 7] = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The pairings: two sets of five matches [Fernandes 2013, 5].
const MATCHES: [[[&str; 2]; 5]; 2] = [
    [
        ["octagon_greedy", "octagon_greedy_aggressive"],
        ["octagon_uct_l_ma", "octagon_greedy_defensive"],
        ["octagon_greedy_aggressive", "octagon_uct_l"],
        ["octagon_grove", "octagon_uct_l_ma"],
        ["octagon_mcts_l", "octagon_greedy"],
    ],
    [
        ["octagon_greedy_defensive", "octagon_greedy_aggressive"],
        ["octagon_uct_l", "octagon_uct_l_ma"],
        ["octagon_greedy", "octagon_greedy_defensive"],
        ["octagon_greedy_aggressive", "octagon_grove"],
        ["octagon_mc_l_ma", "octagon_uct_l"],
    ],
];

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [simulations, seed, model @ ..] = given.as_slice() else {
        return Err("octagon_coverage SIMULATIONS SEED [MODEL]".into());
    };
    let (simulations, seed): (u64, u64) = (simulations.parse()?, seed.parse()?);
    let budget = Budget::simulations(simulations);
    let further: String = model.iter().map(|option| format!(", {option}")).collect();
    let mut game = Octagon::new(Config::shipped().rules("")?)?;
    let mut sets = Vec::new();
    for (at, set) in MATCHES.iter().enumerate() {
        let matches = set.iter().enumerate();
        let play =
            |(number, pair)| record(&mut game, pair, &budget, seed + (5 * at + number) as u64);
        sets.push(matches.map(play).collect::<Result<Vec<_>, _>>()?);
    }
    println!("certainty  first set %  second set %  both %");
    for certainty in CERTAINTIES {
        let spec = format!(
            "mcts(select=uct(c=1, fpu=inf, vo=0), playout=opponent_model(certainty={certainty}{further}), \
             cutoff=length(steps=40, from=root, worth=goals), reuse=nothing, table=false)"
        );
        let agent = Agent::find(&spec)?;
        let mut scores = Vec::new();
        for set in &sets {
            let mut sum = 0.0;
            for (game_number, moves) in set.iter().enumerate() {
                for role in Role::all(2) {
                    let part = agent.part_for(&game);
                    let search = Search::new(game.clone(), part, seed + game_number as u64)?;
                    sum += coverage(&mut game, search.for_role(role), role, moves, &budget);
                }
            }
            scores.push(100.0 * sum / (2 * set.len()) as f64);
        }
        let both = (scores[0] + scores[1]) / 2.0;
        println!("{certainty:9}  {:11.1}  {:12.1}  {both:6.1}", scores[0], scores[1]);
    }
    Ok(())
}

/// The joint moves of one match.
fn record(
    game: &mut Octagon,
    pair: &[&str; 2],
    budget: &Budget<'_>,
    seed: u64,
) -> Result<Vec<Vec<Move>>, Box<dyn Error>> {
    let mut players: Vec<Box<dyn Player<Octagon>>> = Vec::new();
    for (role, name) in Role::all(2).zip(pair) {
        let seed = Rng::stream(seed, u64::from(role.0)).next_u64();
        players.push(Agent::find(name)?.player(game.clone(), role, seed)?);
    }
    let (mut state, mut moves) = (game.initial_state(), Vec::new());
    while !game.is_terminal(&state) {
        let chosen = players.iter_mut().map(|player| player.choose(&state, budget));
        let joint: Vec<Move> = chosen.collect::<Option<_>>().ok_or("an agent found no move")?;
        players.iter_mut().for_each(|player| player.played(&joint));
        state = after(game, &state, &joint);
        moves.push(joint);
    }
    Ok(moves)
}

/// The share of the opponent's moves that a search expected.
fn coverage(
    game: &mut Octagon,
    mut search: Search<Octagon>,
    searcher: Role,
    moves: &[Vec<Move>],
    budget: &Budget<'_>,
) -> f64 {
    let opponent = Role(1 - searcher.0);
    let (mut state, mut expected, mut all) = (game.initial_state(), 0.0, 0);
    let mut legal = Vec::new();
    for joint in moves {
        search.set_root(&state);
        game.legal_moves(&state, opponent, &mut legal);
        if legal.len() > 1 {
            search.run(budget);
            expected += share_in_tenth(&search.report(opponent).moves, joint[opponent.index()]);
            all += 1;
        }
        search.played(joint);
        state = after(game, &state, joint);
    }
    expected / f64::from(all.max(1))
}

/// 1 if a move is in the most visited tenth, 0 if not, between if others have as many visits as it and
/// not all of them fit in.
fn share_in_tenth(moves: &[MoveReport], played: Move) -> f64 {
    let Some(visits) = moves.iter().find(|seen| seen.mov == played).map(|seen| seen.visits) else {
        return 0.0;
    };
    let more = moves.iter().filter(|seen| seen.visits > visits).count();
    let equal = moves.iter().filter(|seen| seen.visits == visits).count();
    let tenth = moves.len().div_ceil(10);
    (tenth.saturating_sub(more) as f64 / equal as f64).min(1.0)
}

fn after(game: &mut Octagon, state: &State, joint: &[Move]) -> State {
    let mut next = *state;
    game.apply(state, joint, &mut next);
    next
}
