//! Games in real time on levels made for the purpose: the clock's rules, records, and every part of
//! a plan where it matters.

use std::sync::Arc;
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_game::{Move, Role};
use gamegrove_play::library::Kind;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::Ending;
use gamegrove_play::matches::realtime::{Lateness, RealTimeRecord, RealTimeRules, Spending, Timer};
use gamegrove_play::{
    Board, Budget, Entrant, Hooks, Player, Seat, Setup, State, open, real_time, seats,
};
use gamegrove_vgdl::ontology::Action;

/// A door to reach, gems that bring points, fire that kills.
const RULES: &str = "BasicGame
  SpriteSet
    door > Door
    gem > Resource limit=9
    fire > Immovable
    avatar > MovingAvatar
  InteractionSet
    avatar wall > stepBack
    gem avatar > collectResource scoreChange=1
    door avatar > killSprite
    avatar fire > killSprite
  TerminationSet
    SpriteCounter stype=door win=True
    SpriteCounter stype=avatar win=False
    Timeout limit=200 win=False
  LevelMapping
    d > door
    x > gem
    f > fire
";

fn level(text: &str) -> Arc<dyn Board> {
    level_of(RULES, text)
}

fn level_of(rules: &str, text: &str) -> Arc<dyn Board> {
    let levels = vec![text.to_owned()];
    let source = Source::pasted("test", rules.to_owned(), levels, Some(Kind::Vgdl));
    let source = source.expect("it is a video game");
    let board = open(&source, &LevelChoice::Number(0), &Setup::default());
    let board = board.unwrap_or_else(|problem| panic!("{problem}"));
    assert!(board.about().remarks.is_empty(), "{:?}", board.about().remarks);
    board
}

const CORRIDOR: &str = "wwwwwwww\nwA    dw\nwwwwwwww";
/// The straight way leads into a wall, the way around is longer than a play-out.
const DETOUR: &str = "wwwwwwwww\nwA w   dw\nw  w  www\nw     w w\nwwwwwwwww";

fn rules(tick: Spending) -> RealTimeRules {
    RealTimeRules::COMPETITION.with(tick)
}

fn play(text: &str, agent: &str, iterations: u64, seed: u64) -> RealTimeRecord {
    play_game(&level(text), agent, iterations, seed)
}

fn play_game(board: &Arc<dyn Board>, agent: &str, iterations: u64, seed: u64) -> RealTimeRecord {
    let agent = Agent::find(agent).unwrap_or_else(|error| panic!("{error}"));
    let mut seats =
        seats(board, &[Entrant::new(agent)], seed).unwrap_or_else(|error| panic!("{error}"));
    real_time(board, &mut seats, &rules(Spending::Iterations(iterations)), seed, &mut |_, _| true)
}

/// Goes right, and works or sleeps so long in tick 2.
struct Slow {
    tick: u32,
    sleep: Duration,
}

impl Player for Slow {
    fn choose(&mut self, _: &State, _: &Budget) -> Option<Move> {
        if self.tick == 2 {
            std::thread::sleep(self.sleep);
        }
        self.tick += 1;
        Some(Move(Action::Right as u32))
    }
}

fn late(slow: Duration, lateness: Lateness, timer: Timer) -> RealTimeRecord {
    let tick = Spending::Time(Duration::from_millis(200));
    let rules = RealTimeRules { lateness, timer, ..rules(tick) };
    let mut seats = [Seat::new("slow", Box::new(Slow { tick: 0, sleep: slow }))];
    real_time(&level(CORRIDOR), &mut seats, &rules, 1, &mut |_, _| true)
}

#[test]
fn late_answers_are_replaced_forgiven_or_punished() {
    let contest = Lateness::Contest { grace: Duration::from_secs(3600) };
    let record = late(Duration::from_millis(250), contest, Timer::Wall);
    assert_eq!((record.ticks, record.moves[2][0].as_str(), record.late[0]), (6, "NIL", 1));
    assert_eq!((record.won[0], record.disqualified[0]), (Some(true), None));

    let record = late(Duration::from_millis(250), Lateness::Lenient, Timer::Wall);
    assert_eq!((record.ticks, record.late[0], record.won[0]), (5, 1, Some(true)));

    let contest = Lateness::Contest { grace: Duration::from_millis(10) };
    let record = late(Duration::from_millis(250), contest, Timer::Wall);
    assert_eq!((record.ending, record.disqualified[0]), (Ending::Disqualified, Some(2)));
    assert_eq!((record.scores[0], record.won[0]), (-1000.0, Some(false)));

    // A player that sleeps uses no processor time.
    let record = late(Duration::from_millis(250), contest, Timer::Processor);
    assert_eq!((record.ticks, record.late[0], record.won[0]), (5, 0, Some(true)));
}

#[test]
fn records_are_read_back_and_equal_seeds_give_equal_games() {
    for agent in ["maastcts2", "kb_fast_evo_final", "vanilla_mcts", "maastcts2_ntbea_5", "genetic"]
    {
        let record = play(DETOUR, agent, 20, 7);
        let mut again = play(DETOUR, agent, 20, 7);
        again.slowest_ms.clone_from(&record.slowest_ms);
        assert_eq!(record, again, "{agent}");
        let text = serde_json::to_string(&record).expect("a record is plain data");
        let mut read: RealTimeRecord = serde_json::from_str(&text).expect("the same data");
        // Reading a decimal may change its last bit.
        read.slowest_ms.clone_from(&record.slowest_ms);
        assert_eq!(read, record);
    }
}

#[test]
fn advances_are_counted() {
    let agent = Agent::find("sample_mcts").expect("a shipped agent");
    let board = level(CORRIDOR);
    let state = board.start(1);
    let player = board.player(&agent, Role(0), 1, &Hooks::default());
    let mut player = player.expect("it plays video games");
    player.choose(&state, &Budget::advances(95));
    let report = player.report().expect("a search");
    // Ten moves a simulation: the tenth simulation begins with 90 and is finished.
    assert_eq!((report.simulations, report.steps), (10, 100));
}

#[test]
fn every_agent_of_video_games_plays() {
    let mut played = 0;
    for agent in Agent::all() {
        let video = agent.video.is_some()
            || ["plan", "genetic", "one_step"].contains(&agent.part.name.as_str());
        if video {
            let record = play(CORRIDOR, &agent.name, 12, 3);
            assert_eq!(record.ending, Ending::Terminal, "{}", agent.name);
            played += 1;
        }
    }
    assert!(played >= 20, "{played}");
}

fn wins(text: &str, agent: &str, iterations: u64) -> usize {
    (0..10).filter(|&seed| play(text, agent, iterations, seed).won[0] == Some(true)).count()
}

fn score(text: &str, agent: &str, iterations: u64) -> f64 {
    (0..10).map(|seed| play(text, agent, iterations, seed).scores[0]).sum::<f64>() / 10.0
}

#[test]
fn simple_agents_do_what_they_are_for() {
    let beside = "wwwww\nwxAdw\nwwwww";
    assert_eq!(wins(beside, "one_step", 1), 10);
    assert!(wins(CORRIDOR, "genetic", 60) >= 9);
    assert!(wins(CORRIDOR, "vanilla_mcts", 60) >= 9);
    assert!(wins(CORRIDOR, "open_loop_mcts", 60) >= 9);
}

#[test]
fn safety_keeps_out_of_fire() {
    // Fire on both sides: without a search only trying all moves shows that.
    let narrow = "wwwwwww\nwfAfwdw\nwwwwwww";
    let survived = |agent: &str| {
        let games = (0..10).map(|seed| play(narrow, agent, 0, seed));
        games.filter(|game| game.ticks >= 199).count()
    };
    let plain = "plan(wait=true, depth=1, select=ucb(c=1))";
    let safe = "plan(wait=true, depth=1, select=ucb(c=1), safety=1)";
    assert_eq!(survived(safe), 10);
    assert!(survived(plain) < 10);
}

#[test]
fn a_decisive_move_is_played_at_once() {
    let beside = "wwwwwww\nwx A dw\nwwwwwww";
    let plain = play("wwwww\nwxA w\nw  dw\nwwwww", "plan(decisive=true)", 1, 1);
    assert_eq!(plain.moves[0][0], "LEFT", "a point beside it is taken");
    let won = play("wwwww\nwxAdw\nwwwww", "plan(decisive=true)", 1, 1);
    assert_eq!((won.moves[0][0].as_str(), won.ticks), ("RIGHT", 1), "a win before a point");
    assert!(wins(beside, "plan(decisive=true)", 30) >= 9);
}

/// How many of 40 games begin with a step to the left, by number of simulations.
fn steps_left(text: &str, agent: &str, iterations: u64) -> usize {
    let games = (0..40).map(|seed| play(text, agent, iterations, seed));
    games.filter(|game| game.moves[0][0] == "LEFT").count()
}

#[test]
fn the_mean_decides_only_where_all_moves_have_as_many_visits() {
    // All moves are tried in turn; the fifth simulation goes to the gem again, the sixth anywhere else.
    let agent = "plan(depth=1, select=ucb(c=100), final=visits)";
    let gem = "wwwww\nwxA w\nw  dw\nwwwww";
    assert_eq!(steps_left(gem, agent, 8), 40);
    let left = steps_left(gem, agent, 6);
    assert!((10..=30).contains(&left), "two moves were tried twice: {left}");
}

#[test]
fn noise_hides_points_beside_an_end() {
    // Fire to the right costs ten million, a gem to the left brings one point, other moves nothing.
    let agent = |noise: &str| format!("plan(depth=1, select=ucb(c=0), ends=huge, noise={noise})");
    let fire = "wwwwww\nwxAfdw\nwwwwww";
    let steps = |noise: &str| steps_left(fire, &agent(noise), 60);
    let (little, much) = (steps("1e-9"), steps("1e-4"));
    assert!(little == 40 && much <= 25, "{little} and {much}");
}

#[test]
fn ends_of_games_before_hide_points_too() {
    // A gem to the left, nothing that could end the game in one step.
    let gem = "wwwww\nwxA w\nw  dw\nwwwww";
    let agent = |bounds: &str| {
        format!("plan(depth=1, select=ucb(c=1), bounds={bounds}, noise=1e-6, final=visits)")
    };
    // Nine simulations are two of each move and one more: of the gem, where that shows.
    let (shown, hidden) =
        (steps_left(gem, &agent("run"), 9), steps_left(gem, &agent("session"), 9));
    assert!(shown == 40 && (2..=25).contains(&hidden), "{shown} and {hidden}");
}

#[test]
fn the_number_of_simulations_may_vary() {
    let board = level(CORRIDOR);
    let counts = |agent: &str| -> Vec<u64> {
        let agent = Agent::find(agent).unwrap_or_else(|error| panic!("{error}"));
        let player = board.player(&agent, Role(0), 1, &Hooks::default());
        let mut player = player.unwrap_or_else(|e| panic!("{e}"));
        let state = board.start(1);
        let mut count = || {
            player.choose(&state, &Budget::simulations(100));
            player.report().expect("a search").simulations
        };
        (0..50).map(|_| count()).collect()
    };
    assert_eq!(counts("plan"), [100; 50]);
    let varied = counts("plan(vary=0.2)");
    let (least, most) = (varied.iter().min(), varied.iter().max());
    assert!(least < Some(&85) && least >= Some(&80) && most > Some(&95), "{varied:?}");
}

#[test]
fn what_gives_a_puzzle_up_plays_on() {
    // The door cannot be reached, so all states are soon gone through.
    let walled = "wwwwwww\nwA  wdw\nwx  wdw\nwwwwwww";
    let record = play(walled, "plan(solve=true, patience=50, depth=3)", 20, 1);
    assert_eq!((record.ending, record.scores[0]), (Ending::Terminal, 1.0), "it takes the gem");
}

#[test]
fn knowledge_leads_where_points_are_too_far_to_be_seen() {
    let far = "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww\nwA                            dw\nwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww";
    let plain = wins(far, "plan(depth=5)", 20);
    for value in ["kb", "approach"] {
        let knowing = wins(far, &format!("plan(depth=5, value={value}, distance=astar)"), 20);
        assert!(knowing == 10 && plain < 5, "{value}: {knowing} against {plain}");
    }
}

#[test]
fn what_stays_where_it_is_draws_once_it_has_brought_points() {
    // Nothing happens where a stone is; coins bring points, and the last is far beyond a play-out.
    let rules = "BasicGame
  SpriteSet
    stone > Immovable
    coin > Immovable
    avatar > MovingAvatar
  InteractionSet
    avatar wall > stepBack
    coin avatar > killSprite scoreChange=1
  TerminationSet
    SpriteCounter stype=coin win=True
    Timeout limit=100 win=False
  LevelMapping
    s > stone
    c > coin
";
    let row = "ws cA                              cw";
    let edge = "w".repeat(row.len());
    let won = |options: &str| {
        let agent = format!("plan(depth=5, value=kb, {options})");
        let game = level_of(rules, &format!("{edge}\n{row}\n{edge}"));
        let play = |seed| play_game(&game, &agent, 30, seed).won[0] == Some(true);
        (0..10).filter(|&seed| play(seed)).count()
    };
    let (later, at_once) = (won("statics=false"), won("statics=true"));
    assert!(
        later >= 9 && at_once <= 3,
        "{later} and {at_once}: an agent that counts the stone stays there"
    );
    let reached = won("statics=true, reached=true");
    assert!(reached >= 9, "{reached}: an agent that was there knows that nothing happens");
}

#[test]
fn ways_around_walls_are_found() {
    let agent = |distance: &str| format!("plan(depth=6, value=approach, distance={distance})");
    let pocket = "wwwwwwwwwwwwww\nw         w  w\nw wwwwwww w  w\nw       w w  w\nw   A   w   dw\nw       w wwww\nw wwwwwww w  w\nw         w  w\nwwwwwwwwwwwwww";
    let (straight, around) =
        (wins(pocket, &agent("euclid"), 15), wins(pocket, &agent("astar"), 15));
    assert!(around >= 9 && around > straight, "{around} against {straight}");
}

#[test]
fn puzzles_are_solved() {
    let solver = "plan(solve=true, patience=50)";
    assert_eq!(wins(DETOUR, solver, 50), 10);
    let record = play(DETOUR, solver, 50, 1);
    let shortest = 3 + 3 + 4 + 2 + 2;
    assert!(record.ticks <= shortest + 50, "{}", record.ticks);
    // With little memory states are forgotten and played again when their turn comes.
    assert_eq!(wins(DETOUR, "plan(solve=true, patience=50, memory=0.01)", 50), 10);
}

#[test]
fn evolving_playouts_and_sequences_learn() {
    let gems = "wwwwwwwwwwww\nwA        xw\nwx        xw\nwx        dw\nwwwwwwwwwwww";
    for playout in ["nst(epsilon=0.2)", "fast_evo(evolution=v1)", "fast_evo(evolution=v2)"] {
        let agent = format!("plan(playout={playout}, value=kb, depth=10)");
        assert!(score(gems, &agent, 40) >= 1.0, "{playout}");
    }
}

#[test]
fn each_switch_of_the_tree_makes_a_difference() {
    let plain = "select=history(c=0.6), playout=nst, ends=banded, counted=leaf, depth=8";
    let moves = |more: &str| play(DETOUR, &format!("plan({plain}{more})"), 40, 5).moves;
    let before = moves("");
    for switch in [
        ", reuse=true",
        ", safety=2",
        ", novelty=true",
        ", detect=true",
        ", wait=true",
        ", final=mean",
        ", tune=sim-rnd(parameters=[c, w])",
        ", vary=0.5",
        ", value=kb",
    ] {
        assert_ne!(moves(switch), before, "{switch}");
    }
    for (was, instead) in [
        ("counted=leaf", "counted=root"),
        ("ends=banded", "ends=huge"),
        ("playout=nst", "playout=random"),
        ("c=0.6", "c=0.6, w=20"),
        ("history", "ucb_tuned"),
        ("depth=8", "depth=9"),
    ] {
        let changed = format!("plan({})", plain.replace(was, instead));
        assert_ne!(play(DETOUR, &changed, 40, 5).moves, before, "{instead}");
    }
    let gems = "wwwwwwww\nwx  A xw\nwx    xw\nwx    dw\nwwwwwwww";
    let several = |more: &str| -> Vec<_> {
        (0..5).map(|seed| play(gems, &format!("plan({plain}{more})"), 15, seed).moves).collect()
    };
    assert_ne!(several(", reuse=true, decay=0.1"), several(", reuse=true"));
    assert_ne!(several(", detect=true, mix=1"), several(", detect=true"));
    assert_eq!(moves(", loop=closed"), before, "without chance it makes none");
    let fire = "wwwwwwww\nwf  A fw\nwf    fw\nwf    dw\nwwwwwwww";
    let moves = |more: &str| -> Vec<_> {
        let agent = format!("plan({plain}{more})");
        (0..10).map(|seed| play(fire, &agent, 9, seed).moves).collect()
    };
    assert_ne!(moves(", loss_avoidance=true"), moves(""));
    let moves = |more: &str| -> Vec<_> {
        let agent = format!("plan({plain}{more})");
        (0..10).map(|seed| play(gems, &agent, 40, seed).moves).collect()
    };
    assert_ne!(moves(", bounds=node"), moves(""));
}
