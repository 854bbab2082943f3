"""OpenSpiel's interface, and its own checks where it is installed."""

import random

import pytest

import gamegrove as gg
from gamegrove import spiel


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "tron"])
def test_states_play_as_open_spiel_asks(name):
    game = spiel.load_game(name)
    generator = random.Random(1)
    for _ in range(5):
        state = game.new_initial_state()
        played = 0
        while not state.is_terminal():
            assert state.returns() == [0.0] * game.num_players()
            copy = state.clone()
            if state.is_simultaneous_node():
                actions = [
                    generator.choice(state.legal_actions(player))
                    for player in range(game.num_players())
                ]
                state.apply_actions(actions)
                played += len(actions)
            else:
                player = state.current_player()
                assert state.legal_actions(1 - player) == []
                mask = state.legal_actions_mask()
                assert [a for a, legal in enumerate(mask) if legal] == state.legal_actions()
                action = generator.choice(state.legal_actions())
                text = state.action_to_string(player, action)
                assert state.string_to_action(player, text) == action
                assert str(state.child(action)) == str(copy.child(action))
                state.apply_action(action)
                state.undo_action(player, action)
                assert state.history() == copy.history() and str(state) == str(copy)
                state.apply_action(action)
                assert state.full_history()[-1].player == player
                played += 1
            assert len(copy.history()) < len(state.history()) == played
        assert state.current_player() == spiel.TERMINAL_PLAYER
        again = game.deserialize_state(state.serialize())
        assert again.history() == state.history() and str(again) == str(state)
        assert all(-1 <= worth <= 1 for worth in state.returns())
        assert len(state.observation_tensor()) == game.observation_tensor_size()


@pytest.mark.parametrize("name", ["tic_tac_toe", "breakthrough", "tron"])
def test_open_spiel_finds_nothing_wrong(name):
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(spiel.register(name))
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)


def test_open_spiel_knows_the_same_game():
    """Ours from the rules and theirs in C++: the same number of games of each length."""
    pyspiel = pytest.importorskip("pyspiel")
    ours = pyspiel.load_game(spiel.register("tic_tac_toe"))
    theirs = pyspiel.load_game("tic_tac_toe")

    def count(state, depth):
        if depth == 0 or state.is_terminal():
            return 1
        return sum(count(state.child(action), depth - 1) for action in state.legal_actions())

    for depth in range(4):
        first, second = ours.new_initial_state(), theirs.new_initial_state()
        assert count(first, depth) == count(second, depth)


def test_algorithms_of_open_spiel_play_our_games():
    pyspiel = pytest.importorskip("pyspiel")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    import numpy as np

    game = pyspiel.load_game(spiel.register("tic_tac_toe"))
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 50, evaluator, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    assert bot.step(state) in state.legal_actions()


def test_other_options_make_another_game():
    pytest.importorskip("pyspiel")
    names = [spiel.register("zelda", level=level) for level in (1, 2)] + [spiel.register("zelda")]
    assert len(set(names)) == 3
    assert spiel.register("zelda", level=2) == names[1]


def test_utilities_and_kinds_are_told():
    four, tron = spiel.load_game("connect_four"), spiel.load_game("tron")
    assert four.num_distinct_actions() == 7 and four.utility_sum() == 0.0
    assert four.get_type().utility == "ZERO_SUM" and four.get_type().dynamics == "SEQUENTIAL"
    assert tron.get_type().dynamics == "SIMULTANEOUS"
    assert spiel.load_game("hanoi").get_type().utility == "GENERAL_SUM"
    assert spiel.load_game(four.rules, max_game_length=42).max_game_length() == 42
    with pytest.raises(gg.GameError, match="has no network"):
        spiel.load_game("tic_tac_toe", {"reasoner": "prover"})


PILE = """
(role left) (role right)
(init (sticks 4)) (init (control left))
(other left right) (other right left)
(less 4 1 3) (less 4 2 2) (less 3 1 2) (less 3 2 1) (less 2 1 1) (less 2 2 0) (less 1 1 0)
(<= (legal ?role (take ?n)) (true (control ?role)) (true (sticks ?m)) (less ?m ?n ?k))
(<= (legal ?other noop) (true (control ?role)) (other ?role ?other))
(<= (next (sticks ?k)) (does ?role (take ?n)) (true (sticks ?m)) (less ?m ?n ?k))
(<= (next (control ?other)) (true (control ?role)) (other ?role ?other))
(<= terminal (true (sticks 0)))
(<= (goal ?role 0) (role ?role) (true (control ?role)))
(<= (goal ?role 100) (role ?role) (not (true (control ?role))))
"""


def test_open_spiel_learns_and_solves_our_games():
    """Who takes the last of four sticks wins, one or two at a time: the first player wins."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import cfr, expected_game_score, minimax

    pile = gg.Game.from_text(PILE, name="pile")
    game = pyspiel.load_game(spiel.register(pile, max_game_length=4))
    assert game.observation_tensor_shape() == pile.observation_shape
    other = gg.Game.from_text(PILE.replace("(sticks 4)", "(sticks 3)"), name="pile")
    assert spiel.register(other) != spiel.register(pile)
    state = game.new_initial_state()
    assert list(state.observation_tensor()) == pile.initial_state().observation().tolist()
    assert state.observation_string() == str(pile.initial_state())
    value, action = minimax.alpha_beta_search(game)
    assert value == 1.0 and state.action_to_string(0, action) == "(take 1)"
    solver = cfr.CFRSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    policies = [solver.average_policy()] * 2
    values = expected_game_score.policy_value(game.new_initial_state(), policies)
    assert values[0] > 0.9
    environment = rl_environment.Environment(game)
    step = environment.reset()
    seen = 0
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == game.observation_tensor_size()
        step = environment.step([step.observations["legal_actions"][player][0]])
        seen += 1
    assert 1 < seen <= 4 and sorted(step.rewards) == [-1.0, 1.0]
