//! What agents see, and games as the search sees them.

use std::sync::Arc;

use gamegrove_game::{Describe, Ending, Game, Goal, Move, Player, Rng, Role};
use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::observe::History;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::rules::compile;
use gamegrove_vgdl::types::Category;

const GAME: &str = "BasicGame square_size=10
    SpriteSet
        floor > Immovable hidden=True
        coin > Resource limit=5
        door > Door
        bat > RandomNPC
        shot > Missile
        avatar > ShootAvatar stype=shot healthPoints=3 limitHealthPoints=9
    InteractionSet
        avatar wall > stepBack
        bat wall > stepBack
        shot wall > killSprite
        coin avatar > collectResource scoreChange=2
        door avatar > killSprite scoreChange=1
    TerminationSet
        SpriteCounter stype=door win=True
        Timeout limit=50 win=False
    LevelMapping
        c > floor coin
        d > floor door
        b > bat
        A > floor avatar
";
const LEVEL: &str = "wwwwww\nwA cdw\nw   bw\nwwwwww\n";

fn world() -> Arc<World> {
    let compiled = compile(GAME);
    assert!(compiled.findings.is_empty(), "{:?}", compiled.findings);
    World::load(&compiled.rules, LEVEL).world.expect("a level")
}

#[test]
fn a_player_sees_what_is_not_hidden() {
    let world = world();
    let view = world.view(world.start(), 0);
    assert_eq!(view.size(), (60, 40));
    assert_eq!(view.by_category(Category::Static, None).len(), 1, "walls only");
    assert_eq!(view.by_category(Category::Static, None)[0].len(), 16);
    let coin = &view.by_category(Category::Resource, Some((10, 10)))[0][0];
    assert_eq!((coin.position, coin.square_distance), ((30, 10), 400.0));
    assert_eq!(view.by_category(Category::Portal, None)[0][0].position, (40, 10));
    assert_eq!(view.by_category(Category::Npc, None).len(), 1);
    assert!(view.by_category(Category::FromAvatar, None).is_empty());
    let grid = view.grid();
    assert_eq!((grid.len(), grid[0].len()), (6, 4));
    assert_eq!(grid[3][1].len(), 1, "the floor below the coin is hidden");
    let avatar = view.avatar().expect("an avatar");
    assert_eq!((avatar.position, avatar.health, avatar.limit_health), ((10, 10), 3, 9));
    assert!(avatar.alive);
    assert_eq!(view.resources().count(), 0);
    assert_eq!(
        view.actions(),
        [Action::Use, Action::Left, Action::Right, Action::Down, Action::Up]
    );
}

/// What asks for one type or category at a time says what the lists of the framework say.
#[test]
fn queries_agree_with_the_lists() {
    let world = world();
    let mut state = world.start().clone();
    let mut scratch = Scratch::default();
    for tick in 0..20 {
        let view = world.view(&state, 0);
        let here = view.avatar().expect("an avatar").position;
        assert_eq!(view.block_of(here), Some((here.0 as usize / 10, here.1 as usize / 10)));
        let mut counted = 0;
        for category in [
            Category::Avatar,
            Category::Resource,
            Category::Portal,
            Category::Npc,
            Category::Static,
            Category::FromAvatar,
            Category::Movable,
        ] {
            let lists = view.by_category(category, Some(here));
            let listed: usize = lists.iter().map(Vec::len).sum();
            assert_eq!(view.in_category(category).count(), listed, "{category:?} in tick {tick}");
            for list in lists {
                let ty = list[0].ty;
                counted += list.len();
                assert_eq!(view.count(ty), list.len());
                assert!(view.types().any(|seen| seen == (ty, list.len())));
                let nearest = view.nearest(ty, here).expect("one of them");
                assert_eq!(nearest.square_distance, list[0].square_distance);
                assert!(view.of_type(ty).eq(view.sprites().filter(|seen| seen.ty == ty)));
            }
        }
        assert_eq!(view.sprites().count(), counted);
        let action = [Action::Use, Action::Down, Action::Right][tick % 3];
        world.advance(&mut state, &[action], &mut scratch);
    }
    let view = world.view(&state, 0);
    let floor = world.rules.types.find("floor").expect("a floor");
    assert_eq!((view.count(floor), view.of_type(floor).count()), (0, 0), "hidden");
    assert_eq!(view.nearest(floor, (0, 0)), None);
    assert_eq!((view.block_of((-1, 0)), view.block_of((0, 40))), (None, None));
    assert_eq!(view.block_of((59, 39)), Some((5, 3)));
}

#[test]
fn walls_are_nearest_first() {
    let world = world();
    let walls = &world.view(world.start(), 0).by_category(Category::Static, Some((0, 0)))[0];
    assert!(walls.windows(2).all(|pair| pair[0].square_distance <= pair[1].square_distance));
    assert_eq!(walls[0].position, (0, 0));
}

#[test]
fn collecting_and_winning_leave_their_marks() {
    let world = world();
    let mut state = world.start().clone();
    let (mut scratch, mut history) = (Scratch::default(), History::default());
    world.advance(&mut state, &[Action::Use], &mut scratch);
    history.add(&state);
    let made = world.view(&state, 0).by_category(Category::FromAvatar, None);
    assert_eq!(made[0][0].position, (20, 10));
    for _ in 0..3 {
        world.advance(&mut state, &[Action::Right], &mut scratch);
        history.add(&state);
    }
    let view = world.view(&state, 0);
    let coin = world.rules.types.find("coin").expect("a coin");
    assert_eq!(view.resources().collect::<Vec<_>>(), [(coin, 1)]);
    assert_eq!((view.resource(coin), view.score(), view.win()), (1, 3.0, Some(true)));
    assert_eq!((view.tick(), view.events()), (4, state.events()));
    assert_eq!(view.avatar().expect("an avatar").last_action, Action::Right);
    assert!(state.is_over());
    assert_eq!((state.player(0).score, state.player(0).win), (3.0, Some(true)));
    let collected = history
        .events()
        .iter()
        .any(|event| world.rules.types[event.passive_type].name == "coin" && !event.from_avatar);
    assert!(collected, "{:?}", history.events());
    assert!(world.view(&state, 0).actions().is_empty());
}

#[test]
fn a_search_can_play_it() {
    let mut game = VideoGame::new(world(), 5);
    let start = game.initial_state();
    let mut moves = Vec::new();
    game.legal_moves(&start, Role(0), &mut moves);
    assert_eq!(moves.len(), 6);
    let names: Vec<_> = moves.iter().map(|&mov| game.move_name(Role(0), mov)).collect();
    assert_eq!(names, ["USE", "LEFT", "RIGHT", "DOWN", "UP", "NIL"]);
    assert_eq!(game.find_move(Role(0), "LEFT"), Some(Move(Action::Left as u32)));
    let mut player = Player::new(game.clone());
    let playout = player.random_game(&start, 100, &mut Rng::new(3));
    assert_eq!(playout.ending, Ending::Terminal);
    assert!(playout.steps <= 51);
    let goal = player.goals()[0];
    assert!(goal == Goal::BEST || goal == Goal::WORST);
    // Equal states have equal futures; another seed has another.
    let joint = [Move(Action::Nil as u32)];
    let (mut a, mut b) = (start.clone(), start.clone());
    let bats: Vec<_> = (0..20)
        .map(|seed| {
            let mut root = start.clone();
            game.reseed(&mut root, seed);
            game.apply(&root, &joint, &mut a);
            game.apply(&root, &joint, &mut b);
            assert_eq!(a, b);
            game.facts(&a)
        })
        .collect();
    assert!(bats.iter().any(|facts| facts != &bats[0]));
}
