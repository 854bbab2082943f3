//! Runs the example programs.

#[path = "../../own_agent.rs"]
mod own_agent;
#[path = "../../own_game.rs"]
mod own_game;
#[path = "../../own_policy.rs"]
mod own_policy;
#[path = "../../own_selection.rs"]
mod own_selection;
#[path = "../../play_a_game.rs"]
mod play_a_game;

#[test]
fn all_examples_run() {
    play_a_game::main().expect("a match");
    own_policy::main().expect("a search with an own policy");
    own_selection::main().expect("a search with an own selection");
    own_agent::main().expect("matches of an own agent");
    own_game::main().expect("searches in an own game");
}

#[test]
fn the_search_leaves_a_multiple_of_four() {
    for stones in [5, 6, 7, 9, 10, 11] {
        assert_eq!(
            own_game::best(stones).expect("a move"),
            u32::from(stones % 4),
            "{stones} stones"
        );
    }
}
