"""Matches, also with agents written in Python."""

import pytest

import gamegrove as gg


class First:
    """Plays the first legal move, and remembers what happened."""

    def __init__(self):
        self.budgets, self.joints, self.steps = [], [], []

    def choose(self, state, role, budget):
        self.budgets.append((budget.seconds, budget.simulations))
        self.steps.append(len(state.history))
        return state.legal(role)[0]

    def played(self, joint):
        self.joints.append(joint)


def test_agents_meet(opened):
    record = gg.play(opened("tic_tac_toe"), ["mcts", "random"], simulations=300, seed=4)
    assert record["roles"] == ["x", "o"] and record["players"] == ["mcts", "random"]
    assert record["ending"] == "terminal" and sum(record["goals"]) == 100
    again = gg.play(opened("tic_tac_toe"), ["mcts", "random"], simulations=300, seed=4)
    assert record == _timeless(again, record)
    assert record["steps"][0]["searches"][0]["simulations"] >= 300


def _timeless(record, like):
    """The record with the times of another: times differ."""
    for step, other in zip(record["steps"], like["steps"]):
        step["seconds"] = other["seconds"]
        for search, known in zip(step["searches"], other["searches"]):
            if search:
                for speed in ("simulations_per_second", "states_per_second"):
                    search[speed] = known[speed]
    return record


def test_a_python_class_plays(opened):
    first = First()
    record = gg.play(opened("tic_tac_toe"), [first, "random"], simulations=10, seed=1)
    assert record["players"] == ["First", "random"] and not record["offences"]
    assert first.budgets[0] == (None, 10)
    assert len(first.joints) == len(record["steps"])
    assert first.steps == list(range(len(record["steps"])))
    names = [step["moves"][0] for step in record["steps"]]
    game = opened("tic_tac_toe")
    assert names == [game.move_name(0, joint[0]) for joint in first.joints]


def test_a_python_function_plays(opened):
    def last(state, role):
        return state.legal_names(role)[-1]

    record = gg.play(opened("connect_four"), ["random", last], simulations=10, seed=2)
    assert record["players"][1] == "last" and not record["offences"]


def test_python_agents_may_search(opened):
    def thinks(state, role):
        return gg.Agent("mcts").choose(state, role=role, simulations=200, seed=1).move

    result = gg.tournament(opened("tic_tac_toe"), [thinks, "random"], runs=10, simulations=1, seed=3)
    assert result["agents"][0]["win_percent"] > 70
    assert result["agents"][0]["name"] == "thinks"


def test_illegal_moves_are_replaced_and_recorded(opened):
    record = gg.play(opened("tic_tac_toe"), [lambda s, r: 10_000, "random"], simulations=1)
    assert record["offences"] and record["offences"][0]["kind"] == "illegal"
    assert record["ending"] == "terminal"


def test_exceptions_end_the_match(opened):
    calls = []

    def broken(state, role):
        calls.append(1)
        raise ZeroDivisionError("in the agent")

    with pytest.raises(ZeroDivisionError, match="in the agent"):
        gg.play(opened("tic_tac_toe"), ["mcts", broken], simulations=10)
    assert len(calls) == 1


def test_results_do_not_depend_on_threads(opened):
    game = opened("connect_four", None, "propnet")
    one = gg.tournament(game, ["mcts", "random"], runs=6, simulations=50, seed=9)
    two = gg.tournament(game, ["mcts", "random"], runs=6, simulations=50, seed=9, threads=2)
    assert one == two and one["runs"] == 6
    assert one["agents"][0]["win_percent"] > 50


def test_video_games_are_played_in_real_time(opened):
    record = gg.play(opened("aliens", 0), ["one_step"], simulations=20, step_limit=40, seed=1)
    assert record["ticks"] <= 40 and len(record["moves"]) == record["ticks"]

    def still(state, role):
        return "ACTION_NIL"

    record = gg.play(opened("aliens", 0), [still], simulations=1, step_limit=15, seed=1)
    assert {move for step in record["moves"] for move in step} == {"NIL"}


def test_wrong_orders_are_refused(opened):
    game = opened("tic_tac_toe")
    with pytest.raises(gg.GameError, match="one agent for each"):
        gg.play(game, ["mcts"])
    with pytest.raises(gg.GameError, match="not by both"):
        gg.play(game, ["mcts", "mcts"], seconds=1, simulations=1)
    with pytest.raises(TypeError, match="an agent is"):
        gg.play(game, [3, "mcts"], simulations=1)
    with pytest.raises(gg.GameError, match="no number of seconds"):
        gg.play(game, ["mcts", "mcts"], seconds=-1.0)


def test_replaced_moves_and_cut_matches_are_counted():
    found = gg.tournament("tic_tac_toe", ["random", lambda state, role: 9999], runs=2, simulations=1)
    assert found["offences"] >= 4 and found["unfinished"] == 0
    found = gg.tournament("tic_tac_toe", ["random"] * 2, runs=2, simulations=1, step_limit=2)
    assert found["offences"] == 0 and found["unfinished"] == 2
