"""Random games in bulk."""

import pickle

import numpy as np
import pytest

import gamegrove as gg


def test_arrays_have_their_shapes(opened):
    found = opened("connect_four").playouts(1000, seed=3)
    assert found.goals.shape == (1000, 2) and found.goals.dtype == np.float32
    assert found.steps.shape == (1000,) and found.steps.dtype == np.uint32
    assert found.endings.shape == (1000,) and not found.endings.any()
    assert len(found) == 1000
    assert set(found.goals.sum(axis=1)) == {100.0}
    assert found.steps.min() >= 7 and found.steps.max() <= 42


def test_known_chances_come_out(opened):
    # Of random games of tic-tac-toe x wins 737/1260, o 363/1260, and 16/126 are drawn.
    goals = opened("tic_tac_toe").playouts(200_000, seed=1).goals
    wins = (goals == 100).mean(axis=0)
    assert abs(wins[0] - 737 / 1260) < 0.005
    assert abs(wins[1] - 363 / 1260) < 0.005


def test_lanes_threads_and_single_games_agree(opened):
    lanes, single = opened("connect_four"), opened("connect_four", None, "propnet")
    assert lanes.lanes > 0 and single.lanes == 0
    a, b = lanes.playouts(700, seed=5), single.playouts(700, seed=5)
    c = lanes.playouts(700, seed=5, threads=3)
    d = lanes.playouts(300, seed=5, first=400)
    for name in ("goals", "steps", "endings"):
        first = getattr(a, name)
        assert (first == getattr(b, name)).all()
        assert (first == getattr(c, name)).all()
        assert (first[400:] == getattr(d, name)).all()
    assert (lanes.playouts(700, seed=6).steps != a.steps).any()


def test_games_can_start_anywhere(opened):
    state = opened("tic_tac_toe").initial_state()
    for move in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]:
        state = state.apply(move)
    found = state.playouts(10)
    assert (found.goals == [100, 0]).all() and not found.steps.any()


@pytest.mark.parametrize("name", ["octagon(small)", "aliens"])
def test_games_without_lanes_are_played_too(opened, name):
    found = opened(name).playouts(5, limit=30)
    assert found.steps.max() <= 30


def test_limits_are_kept(opened):
    found = opened("connect_four").playouts(64, limit=3)
    assert (found.steps == 3).all() and (found.endings == 1).all()
    for count in (0, 10**9):
        with pytest.raises(gg.GameError, match="play-outs come in numbers"):
            opened("connect_four").playouts(count)


def test_results_travel(opened):
    found = opened("tic_tac_toe").playouts(100, seed=2)
    other = pickle.loads(pickle.dumps(found))
    assert (other.goals == found.goals).all() and (other.steps == found.steps).all()
    assert len(other) == 100
