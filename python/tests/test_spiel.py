"""OpenSpiel's interface, and its own checks where it is installed."""

import random

import pytest

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
                played += 1
            assert len(copy.history()) < len(state.history()) == played
        assert state.current_player() == spiel.TERMINAL_PLAYER
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
