//! Games of all kinds behind one interface give what they give without it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gamegrove_agents::{Agent, Outline, OutlineNode};
use gamegrove_game::{Fault, Move, Rng, Role};
use gamegrove_gdl::ProverLimits;
use gamegrove_play::library::Kind;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::{Answer, Clocks, Ending, MatchRecord, MatchRules, StepRecord, Wrong};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::{
    Board, Budget, Entrant, Fixture, Hooks, Match, PlayOuts, PlayOutsWanted, Played, Player,
    PlayoutFn, Refused, Seat, Setup, State, StopFlag, View, choose_in_slices, open, play, seats,
};
use gamegrove_view::Theme;

fn game(name: &str, reasoner: Reasoner) -> Arc<dyn Board> {
    let source = Source::open(name).expect("a shipped game");
    let setup = Setup { patience: Duration::from_secs(60), ..Setup::new(reasoner) };
    open(&source, &LevelChoice::Number(0), &setup).expect("a sound game")
}

fn rules(simulations: u64) -> MatchRules {
    MatchRules { clocks: Clocks::simulations(simulations), step_limit: 1000, seed: 7, facts: false }
}

fn agent(spec: &str) -> Agent {
    Agent::find(spec).expect("an agent")
}

fn fixture(specs: &[&str], rules: MatchRules) -> Fixture {
    let entrants = specs.iter().map(|spec| Entrant::new(agent(spec))).collect();
    Fixture { entrants, rules, real_time: None }
}

fn played(board: &Arc<dyn Board>, fixture: Fixture) -> Played {
    let mut found = None;
    Arc::clone(board).play_matches(&[fixture], &StopFlag::default(), &mut |number, played| {
        assert_eq!(number, 0);
        found = Some(played.expect("agents that can play"));
    });
    found.expect("the match was played")
}

fn record(board: &Arc<dyn Board>, fixture: Fixture) -> MatchRecord {
    let Played::Board(record) = played(board, fixture) else { panic!("a board game") };
    record
}

fn moves(record: &MatchRecord) -> Vec<Vec<String>> {
    record.steps.iter().map(|step| step.moves.clone()).collect()
}

/// A match by hand: the joint move of each step is chosen by `choose`.
fn course(name: &str, plies: usize) -> Match {
    let mut course = Match::new(game(name, Reasoner::Auto), rules(0));
    let mut rng = Rng::new(3);
    for _ in 0..plies {
        for role in course.wanted().collect::<Vec<_>>() {
            let mov = rng.pick(course.view().legal(role)).expect("a legal move");
            course.submit(role, mov).expect("it is legal");
        }
        course.step().expect("all have chosen");
    }
    course
}

#[test]
fn matches_depend_on_their_fixture_alone() {
    let board = game("tic_tac_toe", Reasoner::Propnet);
    let one = |seed| fixture(&["mcts", "random"], MatchRules { seed, ..rules(100) });
    let alone: Vec<_> = (1..5).map(|seed| moves(&record(&board, one(seed)))).collect();
    let fixtures: Vec<Fixture> = (1..5).map(one).collect();
    let mut together = vec![Vec::new(); 4];
    Arc::clone(&board).play_matches(&fixtures, &StopFlag::default(), &mut |number, played| {
        let Ok(Played::Board(record)) = played else { panic!("a board game") };
        together[number] = moves(&record);
    });
    assert_eq!(together, alone);
    assert_ne!(alone[0], alone[1]);
}

#[test]
fn every_kind_of_game_is_played_to_its_end_or_a_limit() {
    for name in ["connect_four", "tron", "octagon(small)", "aliens", "hanoi"] {
        let game = game(name, Reasoner::Auto);
        let mut rng = Rng::new(1);
        let mut at = game.start(1);
        for _ in 0..200 {
            let view = game.view(&at).expect("no limit is hit");
            assert_eq!(view.roles(), game.about().roles.len(), "{name}");
            if view.is_over() {
                break;
            }
            let joint: Option<Vec<Move>> =
                Role::all(view.roles()).map(|role| rng.pick(view.legal(role))).collect();
            let joint = joint.expect("all roles have a move");
            let next = game.next(&at, &joint).expect("no limit is hit");
            let svg = game.svg(&next, Some((&at, &joint)), name, Theme::Auto);
            assert!(svg.is_some_and(|svg| svg.contains("<svg")));
            let mut seen = Vec::new();
            assert!(game.observe(&next, &mut seen), "{name}");
            let size: usize = game.about().shape.as_ref().expect("a shape").iter().product();
            assert_eq!(seen.len(), size, "{name}");
            assert!(next == next.clone() && !game.facts(&next).is_empty());
            if let Some(same) = game.state_of(&game.facts(&next)) {
                assert_eq!(same, next, "{name}");
            }
            assert!(game.another().knows(&next));
            at = next;
        }
    }
}

#[test]
fn lanes_play_what_single_games_play() {
    let wanted = PlayOutsWanted { seed: 3, first: 5, limit: 1000, threads: 2 };
    let [lanes, single] = [Reasoner::Auto, Reasoner::Propnet].map(|reasoner| {
        let game = game("connect_four", reasoner);
        assert_eq!(game.about().lanes > 0, reasoner == Reasoner::Auto);
        let (mut goals, mut steps, mut endings) = (vec![0.0; 601], vec![0; 300], vec![9; 302]);
        let into = PlayOuts { goals: &mut goals, steps: &mut steps, endings: &mut endings };
        let played = game.play_outs(&game.start(0), &wanted, into, &StopFlag::default());
        played.expect("no limit is hit");
        (goals, steps, endings)
    });
    assert_eq!(lanes, single);
    let (goals, steps, endings) = lanes;
    assert!(steps.iter().all(|&steps| steps >= 7));
    assert!(goals[..600].chunks(2).all(|goals| goals[0] + goals[1] == 100.0));
    // Nothing is written where there is no room for a whole game.
    assert_eq!((goals[600], &endings[300..]), (0.0, &[9, 9][..]));
}

/// Plays the first legal move.
struct First {
    board: Arc<dyn Board>,
    role: Role,
    asked: Arc<AtomicBool>,
}

impl Player for First {
    fn choose(&mut self, state: &State, _: &Budget) -> Option<Move> {
        self.asked.store(true, Ordering::Relaxed);
        self.board.view(state).ok()?.legal(self.role).first().copied()
    }
}

#[test]
fn players_from_outside_play_and_steer_play_outs() {
    let board = game("tic_tac_toe", Reasoner::Propnet);
    let (asked, steered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (told, other) = (Arc::clone(&steered), board.another());
    let playout: PlayoutFn = Arc::new(move |state: &State, role, legal, _: &mut Rng| {
        told.store(true, Ordering::Relaxed);
        assert_eq!(other.view(state).expect("no limit is hit").legal(role), legal);
        0
    });
    let first = First { board: Arc::clone(&board), role: Role(0), asked: Arc::clone(&asked) };
    let second =
        board.player(&agent("mcts(playout=mast)"), Role(1), 1, &Hooks { playout: Some(playout) });
    let mut players =
        [Seat::new("first", Box::new(first)), Seat::new("mcts", second.expect("it can play"))];
    let played = play(&board, &mut players, &rules(20), None, &StopFlag::default());
    assert_eq!(played.goals().len(), 2);
    assert!(asked.load(Ordering::Relaxed) && steered.load(Ordering::Relaxed));
}

#[test]
fn a_match_that_is_called_off_ends_at_once() {
    let stop = StopFlag::default();
    stop.store(true, Ordering::Relaxed);
    let mut hour = fixture(&["mcts", "mcts"], rules(1));
    hour.rules.clocks = Clocks::time(Duration::ZERO, Duration::from_secs(3600));
    let board = game("connect_four", Reasoner::Propnet);
    let mut players = seats(&board, &hour.entrants, 7).expect("both can play");
    let Played::Board(record) = play(&board, &mut players, &hour.rules, None, &stop) else {
        panic!("a board game")
    };
    assert_eq!((record.steps.len(), record.ending), (0, Ending::Stopped));
    assert_eq!(serde_json::to_value(record.ending).expect("JSON"), "stopped");
}

#[test]
fn a_search_under_way_is_called_off() {
    let board = game("connect_four", Reasoner::Prover);
    let mut player =
        board.player(&agent("mcts"), Role(0), 1, &Hooks::default()).expect("it can play");
    let stop = StopFlag::default();
    let later = Arc::clone(&stop);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        later.store(true, Ordering::Relaxed);
    });
    let hour = Budget::time(Duration::from_secs(3600)).with_stop(&stop);
    assert!(player.choose(&board.start(0), &hour).is_some());
}

#[test]
fn a_player_of_a_board_that_is_stopped_makes_no_more_steps() {
    let board = game("connect_four", Reasoner::Prover);
    let steps = |stopped: bool| {
        let own = board.stoppable(&Arc::new(AtomicBool::new(stopped)));
        let player = own.player(&agent("mcts"), Role(0), 1, &Hooks::default());
        let mut player = player.expect("it can play");
        player.choose(&board.start(0), &Budget::simulations(20));
        player.report().map_or(0, |report| report.steps)
    };
    assert!(steps(false) > 20);
    // Every question ends with its first step, so the first state is an end of play too.
    assert_eq!(steps(true), 0);
}

#[test]
fn players_with_reasoners_of_their_own_meet() {
    let home = game("connect_four", Reasoner::Propnet);
    for (one, other) in [
        (Reasoner::CachedProver, Reasoner::Hardware),
        (Reasoner::Prover, Reasoner::CachedPropnet),
        (Reasoner::Hardware, Reasoner::Lanes),
    ] {
        let boards = [game("connect_four", one), game("connect_four", other)];
        let entrant = |board: &Arc<dyn Board>| {
            let agent = agent("mcts(leaf_playouts=4)");
            Entrant { board: Some(Arc::clone(board)), ..Entrant::new(agent) }
        };
        let entrants: Vec<Entrant> = boards.iter().map(entrant).collect();
        let fixture = Fixture { entrants, rules: rules(40), real_time: None };
        let found = record(&home, fixture.clone());
        assert_eq!((found.ending, found.offences.len()), (Ending::Terminal, 0));
        let told = found.steps.iter().flat_map(|step| step.searches.iter().flatten());
        assert!(told.clone().count() >= 14);
        assert!(told.clone().all(|search| search.simulations == 40 && search.visits > 0));
        assert_eq!(moves(&record(&home, fixture)), moves(&found), "{one} {other}");
    }
}

#[test]
fn equal_seeds_give_equal_games_on_every_route() {
    // By the driver in real time, by the state machine with the same players, and by hand.
    let board = game("aliens", Reasoner::Auto);
    let match_rules = MatchRules { step_limit: 60, ..rules(5) };
    let fixture = fixture(&["mcts(tree=open)"], match_rules);
    let Played::Video(video) = played(&board, fixture.clone()) else { panic!("in real time") };
    let mut player = seats(&board, &fixture.entrants, 7).expect("it can play").remove(0).player;
    let mut course = Match::new(Arc::clone(&board), match_rules);
    let mut by_hand = board.start(match_rules.seed);
    while course.ending().is_none() {
        let shown = course.shown();
        assert_ne!(&shown, course.state(), "chance is drawn anew for players");
        let mov = player.choose(&shown, &Budget::simulations(5)).expect("a move");
        course.submit(Role(0), mov).expect("it is legal");
        let joint = course.step().expect("the role has chosen").to_vec();
        player.played(&joint);
        by_hand = board.next(&by_hand, &joint).expect("no limit is hit");
    }
    assert_eq!(&by_hand, course.state());
    let names: Vec<Vec<String>> = course.steps().iter().map(|step| step.moves.clone()).collect();
    assert!(names.len() >= 40);
    assert_eq!(names, video.moves);
    let again = Match::resume(board, match_rules, &course.record(vec!["x".to_owned()]));
    assert_eq!(again.expect("the same game").state(), course.state());
}

/// Remembers the states it is shown.
struct Watcher(Arc<std::sync::Mutex<Vec<State>>>);

impl Player for Watcher {
    fn choose(&mut self, state: &State, _: &Budget) -> Option<Move> {
        self.0.lock().expect("no panic").push(state.clone());
        None
    }
}

#[test]
fn players_in_real_time_do_not_see_what_chance_will_bring() {
    let board = game("aliens", Reasoner::Auto);
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut players = [Seat::new("watcher", Box::new(Watcher(Arc::clone(&seen))))];
    let match_rules = MatchRules { step_limit: 20, ..rules(1) };
    play(&board, &mut players, &match_rules, None, &StopFlag::default());
    let seen = seen.lock().expect("no panic");
    assert_eq!(seen.len(), 20);
    let mut state = board.start(match_rules.seed);
    let waiting = board.about().real_time.as_ref().expect("a video game").waiting;
    for shown in seen.iter() {
        assert_ne!(shown, &state, "the future is another one");
        assert_eq!(board.facts(shown), board.facts(&state), "all else is the same");
        state = board.next(&state, &[waiting]).expect("no limit is hit");
    }
}

#[test]
fn a_player_draws_chance_anew_where_its_driver_did_not() {
    let board = game("aliens", Reasoner::Auto);
    let start = board.start(1);
    let choose = |state: &State| {
        let agent = agent("mcts(tree=open)");
        let mut player = board.player(&agent, Role(0), 4, &Hooks::default()).expect("it can play");
        player.choose(state, &Budget::simulations(60)).expect("a move");
        player.report().expect("a search")
    };
    // The same position with another future is the same to a player.
    let other = board.resample(&start, &mut Rng::new(77));
    assert_ne!(start, other);
    assert_eq!(choose(&start).moves, choose(&other).moves);
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let mut course = course("connect_four", 9);
    let state = course.state().clone();
    let joints: Vec<Vec<Move>> =
        (0..9).map(|step| course.joint(step).expect("a step").to_vec()).collect();
    for plies in [8, 5, 1, 0] {
        let expected = course.state_after(plies);
        course.undo(plies);
        assert_eq!((course.plies(), course.state()), (plies, &expected));
    }
    assert_eq!(course.state(), &course.board().start(7));
    for joint in joints {
        for (role, mov) in Role::all(2).zip(joint) {
            course.submit(role, mov).expect("it was legal before");
        }
        course.step();
    }
    assert_eq!(course.state(), &state);
}

#[test]
fn what_is_not_legal_is_refused_or_replaced() {
    let mut course = course("tic_tac_toe", 0);
    let known = course.view().legal(Role(0)).to_vec();
    let wrong = Move(known.iter().map(|mov| mov.0).max().expect("moves") + 1000);
    let never = course.board().find_move(Role(1), "noop").expect("it exists");
    assert!(course.step().is_none(), "no role has chosen");
    course.submit(Role(1), never).expect("the only move");
    assert_eq!(course.submit(Role(1), never), Err(Refused::Again("o".to_owned())));
    assert_eq!(course.wanted().collect::<Vec<_>>(), [Role(0)]);
    let late = Err((Wrong::Late, "too late".to_owned()));
    course.answer(Role(0), Answer { choice: late, taken: Duration::ZERO, search: None });
    assert!(
        known.contains(&course.chosen(Role(0)).expect("a random one")) && !known.contains(&wrong)
    );
    course.step().expect("both have chosen");
    let record = course.record(vec!["a".to_owned(), "b".to_owned()]);
    assert_eq!((record.offences.len(), record.offences[0].kind), (1, Wrong::Late));
    course.undo(0);
    assert!(course.record(Vec::new()).offences.is_empty());
    course.resign(Role(1));
    assert_eq!((course.ending(), course.goals()), (Some(Ending::Resigned), &[100.0, 0.0][..]));
    assert_eq!(course.submit(Role(0), known[0]), Err(Refused::Over));
    assert_eq!(course.wanted().count(), 0);
}

#[test]
fn a_match_goes_on_with_another_reasoner() {
    let (network, prover) =
        (game("connect_four", Reasoner::Propnet), game("connect_four", Reasoner::Prover));
    let mut course = Match::new(Arc::clone(&prover), rules(1));
    for column in ["(drop 3)", "(drop 4)", "(drop 3)"] {
        let turn = course.view().turn().expect("a turn");
        let own = course.view().legal(turn).to_vec();
        let board = Arc::clone(course.board());
        let found = own.iter().find(|&&mov| board.move_name(turn, mov) == column);
        let mov = found.copied().unwrap_or(own[0]);
        let joint = course.view().complete(turn, mov).expect("one role has a choice");
        for (role, mov) in Role::all(2).zip(joint) {
            course.submit(role, mov).expect("it is legal");
        }
        course.step();
    }
    let facts = prover.facts(course.state());
    course.replace_board(Arc::clone(&network)).expect("the same game");
    assert!(network.knows(course.state()) && !prover.knows(course.state()));
    assert_eq!((course.plies(), network.facts(course.state())), (3, facts));
    let other = game("tic_tac_toe", Reasoner::Prover);
    assert!(course.replace_board(other).is_err());
    assert_eq!(course.plies(), 3);
}

#[test]
fn slices_add_up_to_one_search() {
    let board = game("connect_four", Reasoner::Propnet);
    let mut player =
        board.player(&agent("mcts"), Role(0), 1, &Hooks::default()).expect("it can play");
    let mut looks = 0;
    let time = Budget::time(Duration::from_millis(200));
    let slice = Duration::from_millis(20);
    let mov = choose_in_slices(player.as_mut(), &board.start(0), &time, slice, &mut |player| {
        looks += 1;
        assert!(player.favourite().is_some() && !player.outline(Outline::Top(10)).is_empty());
        std::ops::ControlFlow::Continue(())
    });
    assert!(mov.is_some() && looks >= 3, "{looks}");
    let before = player.report().expect("a search").simulations;
    let all_first = |nodes: &[OutlineNode]| nodes[0].children.len() == 7;
    assert!(
        all_first(&player.outline(Outline::Top(7))) && player.outline(Outline::Top(1)).len() == 2
    );
    assert!(all_first(&player.outline(Outline::Levels(1, 7))));
    player.forget();
    assert!(player.report().is_none() && before > 0);
    assert!(player.choose(&board.start(0), &Budget::simulations(10)).is_some());
}

#[test]
fn an_end_has_goals_and_an_open_state_has_moves() {
    let course = course("tic_tac_toe", 0);
    assert!(matches!(course.view(), View::Open(_)) && course.goals().is_empty());
    let record = record(course.board(), fixture(&["random", "random"], rules(0)));
    let again = Match::resume(Arc::clone(course.board()), rules(0), &record).expect("a record");
    assert_eq!((again.ending(), again.goals()), (Some(Ending::Terminal), &record.goals[..]));
    assert!(matches!(again.view(), View::Over(goals) if *goals == record.goals));
    let mut broken = record;
    broken.steps[1].moves[0] = "nothing".to_owned();
    let wrong = Match::resume(Arc::clone(course.board()), rules(0), &broken).err();
    assert_eq!(wrong.expect("no such move").step, 1);
}

#[test]
fn moves_have_names_that_people_read_and_type() {
    let board = game("breakthrough", Reasoner::Auto);
    let start = board.start(0);
    let view = board.view(&start).expect("no limit is hit");
    let legal = view.legal(Role(0));
    let names = board.names(&start, Role(0), legal);
    let at = names.iter().position(|name| name.short == "e2-e3").expect("a pawn can go on");
    for typed in ["e2e3", "E2-E3", "(move 5 2 5 3)"] {
        assert_eq!(board.interpret(&start, Role(0), typed), Some(legal[at]), "{typed}");
    }
    assert_eq!(board.interpret(&start, Role(0), "e2e5"), None);
    let spots = board.spots(&start, Role(0), legal);
    assert_eq!(spots[at].len(), 2, "from and to");
    // What is expected to follow is named in the states in which it would be played.
    let reply = board.find_move(Role(1), "(move 4 7 4 6)").expect("it was met");
    let line = [vec![(Role(0), legal[at])], vec![(Role(1), reply)]];
    assert_eq!(board.line_names(&start, &line), ["e2-e3", "d7-d6"]);
    let joint = view.complete(Role(0), legal[at]).expect("the other role waits");
    let both: Vec<(Role, Move)> = Role::all(2).zip(joint).collect();
    assert_eq!(board.short_names(&start, &both), ["e2-e3", "noop"]);
}

#[test]
fn limits_of_a_setup_hold_for_the_prover() {
    // A hundred thousand moves: the count is compared with the limit now and then.
    let wide =
        "(role r) (init a) (next a) (goal r 0) (<= terminal (true b)) (d 0) (d 1) (d 2) (d 3) (d 4)
        (d 5) (d 6) (d 7) (d 8) (d 9)
        (<= (legal r (m ?a ?b ?c ?d ?e)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))";
    let source = Source::pasted("wide", wide.to_owned(), Vec::new(), Some(Kind::Gdl));
    let source = source.expect("it is a rulesheet");
    let tiny = ProverLimits { work: 1, ..ProverLimits::default() };
    let setup = Setup { prover: tiny, ..Setup::new(Reasoner::Prover) };
    let refused = match open(&source, &LevelChoice::Number(0), &setup) {
        Ok(board) => board.view(&board.start(0)).err().map(|fault| fault.to_string()),
        Err(problem) => Some(problem.to_string()),
    };
    assert!(refused.expect("a limit is hit").contains("1 elementary steps"));
}

#[test]
fn a_match_goes_on_after_moves_by_name_until_its_driver_ends_it() {
    let mut course = Match::new(game("tic_tac_toe", Reasoner::Prover), rules(0));
    let step = |moves: [&str; 2]| StepRecord {
        moves: moves.map(str::to_owned).to_vec(),
        ..StepRecord::default()
    };
    course.replay(&step(["(mark 2 2)", "noop"])).expect("it is legal");
    let broken = course.replay(&step(["noop", "(mark 2 2)"])).expect_err("the cell is taken");
    assert_eq!((broken.step, broken.problem.contains("not a legal move of o")), (1, true));
    course.fail(Fault::Terms);
    assert_eq!((course.ending(), course.plies()), (Some(Ending::Fault), 1));
    assert_eq!(course.fault(), Some(&Fault::Terms));
}
