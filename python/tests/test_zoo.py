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
        number = env.game.actions.index(move)
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
    env.step(before.legal_actions(first)[0])
    assert env.position == before and env.agent_selection != first
    env.step(before.legal_actions(env.agent_selection)[0])
    assert env.position != before


def test_missing_actions_are_said():
    env = GroveParallel("tron")
    env.reset(seed=1)
    with pytest.raises(GameError, match="no action for"):
        env.step({})


def test_an_illegal_action_is_said_where_it_is_made():
    env = GroveAEC("tron", illegal="raise")
    env.reset(seed=1)
    first = env.agent_selection
    seen, *_ = env.last()
    illegal = int((seen["action_mask"] == 0).argmax())
    with pytest.raises(GameError, match=f"no legal move of {first}"):
        env.step(illegal)


@pytest.mark.parametrize("name, count", [("connect_four", 7), ("tic_tac_toe", 9), ("tron", 4)])
def test_an_action_means_the_same_to_all(name, count):
    env = GroveAEC(name)
    spaces = [env.action_space(agent) for agent in env.possible_agents]
    assert [space.n for space in spaces] == [count] * len(spaces)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        agent = env.agent_selection
        seen, *_ = env.last()
        role = env.possible_agents.index(agent)
        legal = {n for n, text in enumerate(env.game.actions) if seen["action_mask"][n]}
        assert {env.game.actions[n] for n in legal} == set(env.position.legal_names(role))
        env.step(max(legal))


def test_who_has_no_turn_has_no_action():
    env = GroveParallel("connect_four")
    seen, _ = env.reset(seed=1)
    assert [seen[name]["action_mask"].sum() for name in env.agents] == [7, 0]
    seen, *_ = env.step({"red": 3, "yellow": 5})
    assert [seen[name]["action_mask"].sum() for name in env.agents] == [0, 7]
    assert env.position.history == [
        [env.game.move_number(0, env.game.actions[3]), env.game.move_number(1, "noop")]
    ]
