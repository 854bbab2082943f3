"""PettingZoo's own checks of the environments."""

import warnings

import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test  # noqa: E402

from gamegrove import GameError  # noqa: E402
from gamegrove.zoo import GroveAEC, GroveParallel  # noqa: E402

GAMES = ["tic_tac_toe", "connect_four", "tron", "octagon(small)"]


@pytest.mark.parametrize("name", GAMES)
def test_one_after_another(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(GroveAEC(name), num_cycles=200, verbose_progress=False)


@pytest.mark.parametrize("name", GAMES)
def test_all_at_once(name):
    parallel_api_test(GroveParallel(name), num_cycles=200)


def test_seeds_are_kept():
    seed_test(lambda: GroveAEC("tron"), num_cycles=50)
    parallel_seed_test(lambda: GroveParallel("tron"), num_cycles=50)


def test_a_win_is_worth_one():
    env = GroveAEC("tic_tac_toe")
    env.reset(seed=1)
    moves = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]
    for turn, move in enumerate(moves):
        assert env.agent_selection == "xo"[turn % 2]
        seen, *_ = env.last()
        number = env.game.move_number(turn % 2, move)
        assert seen["action_mask"][number]
        env.step(number)
    assert env.terminations == {"x": True, "o": True}
    assert env.rewards == {"x": 1.0, "o": -1.0}
    assert env.position.goals == [100.0, 0.0]


def test_everybody_chooses_before_a_simultaneous_step():
    env = GroveAEC("tron")
    env.reset(seed=1)
    before = env.position
    first = env.agent_selection
    env.step(before.legal(first)[0])
    assert env.position == before and env.agent_selection != first
    env.step(before.legal(env.agent_selection)[0])
    assert env.position != before


def test_missing_actions_are_said():
    env = GroveParallel("tron")
    env.reset(seed=1)
    with pytest.raises(GameError, match="no action for"):
        env.step({})
