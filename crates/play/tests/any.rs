//! Games of all kinds behind one face give what they give without it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_game::{Move, Rng, Role};
use gamegrove_gdl::Reading;
use gamegrove_play::any::{
    AnyGame, AnyPosition, Guest, PlayOuts, PlayOutsWanted, Played, Seat, Spend, StopFlag, Taste,
    open,
};
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::{Chair, Clocks, Ending, MatchRecord, MatchRules};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::table;

fn game(name: &str, reasoner: Reasoner) -> Arc<dyn AnyGame> {
    let source = Source::open(name).expect("a shipped game");
    let level = LevelChoice::Number(0);
    open(&source, &level, reasoner, Duration::from_secs(60)).expect("a sound game").game
}

fn rules(simulations: u64) -> MatchRules {
    MatchRules { clocks: Clocks::simulations(simulations), step_limit: 1000, seed: 7, facts: false }
}

fn agent(spec: &str) -> Agent {
    Agent::find(spec).expect("an agent")
}

#[test]
fn matches_are_those_of_tables() {
    let (uct, random) = (agent("mcts"), agent("random"));
    let source = Source::open("tic_tac_toe").expect("a shipped game");
    let sheet = source.rules(Reading::Logical).expect("sound rules");
    let (mut table, _) = table(&source.name, &sheet, Reasoner::Propnet).expect("a table");
    let known = table.play(&[&uct, &random], &rules(100)).expect("both can play");
    let seats = vec![Seat::Agent(uct, None), Seat::Agent(random, None)];
    let played = game("tic_tac_toe", Reasoner::Propnet)
        .play(seats, &rules(100), &StopFlag::default())
        .expect("both can play");
    let Played::Board(record) = played else { panic!("a board game") };
    let moves = |record: &gamegrove_play::matches::MatchRecord| -> Vec<Vec<String>> {
        record.steps.iter().map(|step| step.moves.clone()).collect()
    };
    assert_eq!(moves(&record), moves(&known));
    assert_eq!(record.goals, known.goals);
}

#[test]
fn every_kind_of_game_is_played_to_its_end_or_a_limit() {
    for name in ["connect_four", "tron", "octagon(small)", "aliens", "hanoi"] {
        let game = game(name, Reasoner::Auto);
        let mut rng = Rng::new(1);
        let mut at = game.start(1);
        for _ in 0..200 {
            let look = at.look().expect("no limit is hit");
            assert_eq!(look.roles(), game.roles().len(), "{name}");
            if look.terminal {
                break;
            }
            let joint: Option<Vec<Move>> =
                Role::all(look.roles()).map(|role| rng.pick(look.legal(role))).collect();
            let joint = joint.expect("everybody has a move");
            let next = at.after(&joint).expect("no limit is hit");
            assert!(next.svg(Some((&*at, &joint)), name).is_some_and(|svg| svg.contains("<svg")));
            let mut seen = Vec::new();
            assert!(next.observe(&mut seen), "{name}");
            let size: usize = game.shape().expect("a shape").iter().product();
            assert_eq!(seen.len(), size, "{name}");
            assert!(next.equals(&*next) && !next.facts().is_empty());
            at = next;
        }
    }
}

#[test]
fn lanes_play_what_single_games_play() {
    let wanted = PlayOutsWanted { seed: 3, first: 5, limit: 1000, threads: 2 };
    let [lanes, single] = [Reasoner::Auto, Reasoner::Propnet].map(|reasoner| {
        let game = game("connect_four", reasoner);
        assert_eq!(game.lanes() > 0, reasoner == Reasoner::Auto);
        let (mut goals, mut steps, mut endings) = (vec![0.0; 601], vec![0; 300], vec![9; 302]);
        let into = PlayOuts { goals: &mut goals, steps: &mut steps, endings: &mut endings };
        game.start(0).play_outs(&wanted, into, &StopFlag::default()).expect("no limit is hit");
        (goals, steps, endings)
    });
    assert_eq!(lanes, single);
    let (goals, steps, endings) = lanes;
    assert!(steps.iter().all(|&steps| steps >= 7));
    assert!(goals[..600].chunks(2).all(|goals| goals[0] + goals[1] == 100.0));
    // Nothing is written where there is no room for a whole game.
    assert_eq!((goals[600], &endings[300..]), (0.0, &[9, 9][..]));
}

struct First(Arc<AtomicBool>);

impl Guest for First {
    fn choose(&mut self, position: Arc<dyn AnyPosition>, role: Role, _: Spend) -> Option<Move> {
        self.0.store(true, Ordering::Relaxed);
        position.look().ok()?.legal(role).first().copied()
    }
}

#[test]
fn guests_play_and_policies_steer() {
    let asked = Arc::new(AtomicBool::new(false));
    let steered = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&steered);
    let taste: Taste = Arc::new(move |position: Arc<dyn AnyPosition>, role, legal, _: &mut Rng| {
        told.store(true, Ordering::Relaxed);
        assert_eq!(position.look().expect("no limit is hit").legal(role), legal);
        0
    });
    let seats = vec![
        Seat::Guest("first".to_owned(), Box::new(First(Arc::clone(&asked)))),
        Seat::Agent(agent("mcts(playout=mast)"), Some(taste)),
    ];
    let played = game("tic_tac_toe", Reasoner::Propnet)
        .play(seats, &rules(20), &StopFlag::default())
        .expect("both can play");
    assert_eq!(played.goals().len(), 2);
    assert!(asked.load(Ordering::Relaxed) && steered.load(Ordering::Relaxed));
}

#[test]
fn a_match_that_is_called_off_ends_at_once() {
    let stop = StopFlag::default();
    stop.store(true, Ordering::Relaxed);
    let seats = vec![Seat::Agent(agent("mcts"), None), Seat::Agent(agent("mcts"), None)];
    let mut hour = rules(1);
    hour.clocks = Clocks::time(Duration::ZERO, Duration::from_secs(3600));
    let played = game("connect_four", Reasoner::Propnet).play(seats, &hour, &stop);
    let Ok(Played::Board(record)) = played else { panic!("a board game") };
    assert!(record.steps.is_empty());
}

#[test]
fn players_with_reasoners_of_their_own_meet() {
    let source = Source::open("connect_four").expect("it ships");
    let sheet = source.rulesheet(Reading::Logical).expect("it is sound");
    let lay = |reasoner| table(&source.name, &sheet, reasoner).expect("a table").0;
    let mut home = lay(Reasoner::Propnet);
    let agent = agent("mcts(leaf_playouts=4)");
    for (one, other) in [
        (Reasoner::CachedProver, Reasoner::Hardware),
        (Reasoner::Prover, Reasoner::CachedPropnet),
        (Reasoner::Hardware, Reasoner::Lanes),
    ] {
        let tables = [lay(one), lay(other)];
        let seats = [Some(&*tables[0]), Some(&*tables[1])].map(|at| Chair { agent: &agent, at });
        let record = home.play_seated(&seats, &[], &rules(40)).expect("agents that can play");
        assert_eq!((record.ending, record.offences.len()), (Ending::Terminal, 0));
        let told = record.steps.iter().flat_map(|step| step.searches.iter().flatten());
        assert!(told.clone().count() >= 14);
        assert!(told.clone().all(|search| search.simulations == 40 && search.visits > 0));
        let again = home.play_seated(&seats, &[], &rules(40)).expect("agents that can play");
        let moves = |record: &MatchRecord| -> Vec<Vec<String>> {
            record.steps.iter().map(|step| step.moves.clone()).collect()
        };
        assert_eq!(moves(&again), moves(&record), "{one} {other}");
    }
}
