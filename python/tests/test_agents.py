"""Agents and what they decide."""

import pickle
import subprocess
import sys

import pytest

import gamegrove as gg


def winning(game):
    """x wins with (mark 1 3)."""
    state = game.initial_state()
    for move in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"]:
        state = state.apply(move)
    return state


def test_searches_find_the_win_and_tell_what_they_found(opened):
    state = winning(opened("tic_tac_toe"))
    decision = gg.Agent("mcts").choose(state, simulations=2000, seed=1)
    assert decision.name == "(mark 1 3)"
    assert decision.move == state.game.move_number(0, "(mark 1 3)")
    assert decision.simulations >= 2000 and decision.nodes > 1
    best = decision.moves[0]
    assert best.name == decision.name and best.mean == 100.0
    assert best.line[0] == ["(mark 1 3)"]
    assert sum(found.visits for found in decision.moves) >= 2000
    assert decision.simulations_per_second > 0


def test_equal_seeds_decide_alike(opened):
    state = opened("connect_four", None, "propnet").initial_state()
    agent = gg.Agent("mcts(select=grave, playout=mast)")

    def visits(seed):
        found = agent.choose(state, simulations=500, seed=seed)
        return [(move.move, move.visits) for move in found.moves]

    assert visits(1) == visits(1)
    assert visits(1) != visits(2)


def test_time_is_kept(opened):
    decision = gg.Agent("mcts").choose(opened("connect_four").initial_state(), seconds=0.2)
    assert 0.15 < decision.seconds < 5


def test_agents_come_by_name_spec_and_file(opened, tmp_path):
    state = opened("tic_tac_toe").initial_state()
    toml = gg.Agent("uct_mast").to_toml()
    path = tmp_path / "mine.toml"
    path.write_text(toml)
    for agent in [
        gg.Agent("uct_mast"),
        gg.Agent(str(path)),
        gg.Agent.from_toml(toml),
        pickle.loads(pickle.dumps(gg.Agent("uct_mast"))),
    ]:
        assert agent.spec == gg.Agent("uct_mast").spec
        assert agent.choose(state, simulations=50).move in state.legal()
    with pytest.raises(gg.GameError, match="did you mean `random`"):
        gg.Agent("randm")


@pytest.mark.parametrize("name", ["octagon(small)", "zelda", "eight_puzzle"])
def test_all_kinds_of_games_are_searched(opened, name):
    state = opened(name).initial_state()
    agent = "octagon_grove" if name.startswith("octagon") else "grove"
    assert gg.Agent(agent).choose(state, simulations=60).move in state.legal()


def test_players_remember(opened):
    game = opened("connect_four", None, "propnet")
    player = gg.Agent("mcts").player(game, role=0, seed=1)
    state = game.initial_state()
    first = player.choose(state, simulations=300)
    reply = state.apply(first.move)
    joint = [reply.legal(0)[0], reply.legal(1)[3]]
    player.played(state.apply(first.move).history[-1])
    player.choose(reply, simulations=300)
    player.played(joint)
    again = player.choose(reply.apply(joint), simulations=300)
    fresh = gg.Agent("mcts").choose(reply.apply(joint), simulations=300)
    assert sum(m.visits for m in again.moves) > sum(m.visits for m in fresh.moves)
    other = opened("tic_tac_toe").initial_state()
    with pytest.raises(TypeError, match="another game"):
        player.choose(other, simulations=10)


def test_what_was_played_is_told_while_a_search_runs():
    """The search needs the interpreter for its policy, so whoever waits for the search must not hold it."""
    code = """
import threading, gamegrove as gg
state = gg.Game("tic_tac_toe").initial_state()
begun = threading.Event()
def policy(state, role, legal):
    begun.set()
    return legal[0]
player = gg.Agent("mcts", playout=policy).player(state.game)
search = threading.Thread(target=lambda: player.choose(state, seconds=1))
search.start()
begun.wait()
player.played([state.legal(0)[0], state.legal(1)[0]])
search.join()
"""
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True)


class Endless:
    """A list that says more of itself than is true."""

    def __len__(self):
        return 2**40

    def __getitem__(self, at):
        return at


def test_lists_are_not_believed_to_be_as_long_as_they_say(opened, small_experiment, tmp_path):
    game = opened("tic_tac_toe")
    player = gg.Agent("random").player(game)
    for call in [
        lambda: player.played(Endless()),
        lambda: player.played(range(2**40)),
        lambda: gg.play(game, Endless(), simulations=1),
        lambda: gg.tournament(game, Endless(), simulations=1),
    ]:
        with pytest.raises(gg.GameError, match="more than 1024 entries"):
            call()
    with pytest.raises(TypeError, match="a list is wanted"):
        gg.play(game, "random", simulations=1)
    with pytest.raises(gg.GameError, match="at least one match"):
        gg.tournament(game, ["random", "random"], runs=0, simulations=1)


def test_long_texts_are_no_agents():
    with pytest.raises(gg.GameError, match="at most"):
        gg.Agent.from_toml("(a b c)\n" * 200_000)


def test_a_python_function_steers_play_outs(opened):
    game = opened("tic_tac_toe", None, "propnet")
    state = game.initial_state()
    calls = []

    def first(position, role, legal):
        calls.append((role, len(legal)))
        assert legal == position.legal(role)
        assert not position.terminal
        return legal[0]

    agent = gg.Agent("mcts", playout=first)
    decision = agent.choose(state, simulations=200, seed=1)
    assert decision.move in state.legal()
    assert len(calls) > 200 and {role for role, _ in calls} == {0, 1}
    # In play-outs that always take the first move, other moves are worth other things.
    plain = gg.Agent("mcts").choose(state, simulations=200, seed=1)
    assert [m.visits for m in plain.moves] != [m.visits for m in decision.moves]
    same = agent.choose(state, simulations=200, seed=1)
    assert [m.visits for m in same.moves] == [m.visits for m in decision.moves]


def test_exceptions_in_play_outs_reach_the_caller(opened):
    state = opened("tic_tac_toe").initial_state()

    def broken(position, role, legal):
        raise KeyError("a mistake")

    with pytest.raises(KeyError, match="a mistake"):
        gg.Agent("mcts", playout=broken).choose(state, simulations=100)
    with pytest.raises(gg.GameError, match="not legal"):
        gg.Agent("mcts", playout=lambda *_: 0 if 0 not in _[2] else 10**6).choose(
            state, simulations=100
        )
    with pytest.raises(gg.GameError, match="kind mcts"):
        gg.Agent("random", playout=broken)
