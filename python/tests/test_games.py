"""Games and states."""

import copy
import os
import pickle
import subprocess
import sys
import xml.dom.minidom

import numpy as np
import pytest

import gamegrove as gg

NIM = """
(role left) (role right)
(init (sticks 4)) (init (control left))
(other left right) (other right left)
(less 4 3) (less 3 2) (less 2 1) (less 1 0)
(<= (legal ?p take) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (true (control ?q)) (other ?p ?q))
(<= (next (sticks ?b)) (true (sticks ?a)) (less ?a ?b))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= terminal (true (sticks 0)))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (not (true (control ?p))))
"""

PAINT = """BasicGame
    SpriteSet
        hero > MovingAvatar
        gem > Immovable color=GOLD
    LevelMapping
        A > hero
        g > gem
    InteractionSet
        gem hero > killSprite scoreChange=3
        hero wall > stepBack
    TerminationSet
        SpriteCounter stype=gem limit=0 win=True
        Timeout limit=50 win=False
"""


def test_shipped_games_are_listed():
    games = {entry["name"]: entry["kind"] for entry in gg.games()}
    assert games["connect_four"] == "gdl"
    assert games["zelda"] == "vgdl"
    assert games["octagon"] == "octagon"
    assert "grove" in {entry["name"] for entry in gg.agents()}
    assert "sironi_2019_table_5_2" in gg.experiments()


def test_a_game_of_tic_tac_toe(opened):
    game = opened("tic_tac_toe")
    assert game.roles == ["x", "o"]
    start = game.initial_state()
    assert start.turn == 0 and not start.terminal
    assert len(start.legal()) == 9 and len(start.legal(1)) == 1
    assert "(mark 2 2)" in start.legal_names("x")
    state = start
    for move in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]:
        state = state.apply(move)
    assert state.terminal and state.turn is None and state.legal() == []
    assert state.goals == [100.0, 0.0]
    assert len(state.history) == 5
    # Nothing happened to the first state.
    assert start.legal() == game.initial_state().legal()


def test_moves_are_numbers_names_or_one_for_each_role(opened):
    game = opened("tic_tac_toe")
    start = game.initial_state()
    number = game.move_number("x", "(mark 2 2)")
    assert game.move_name(0, number) == "(mark 2 2)"
    noop = start.legal("o")[0]
    states = [start.apply(m) for m in (number, "(mark 2 2)", [number, noop], ["(mark 2 2)", noop])]
    assert len(set(states)) == 1 and all(state == states[0] for state in states)
    assert states[0] != start and states[0] != "(mark 2 2)"
    assert start.apply(np.int64(number)) == states[0]


def test_what_is_wrong_is_said(opened):
    game = opened("tic_tac_toe")
    start = game.initial_state()
    with pytest.raises(gg.GameError, match="did you mean connect_four"):
        gg.Game("conect_four")
    with pytest.raises(gg.GameError, match="no legal move of x"):
        start.apply(start.apply("(mark 1 1)").legal("x")[0])
    with pytest.raises(gg.GameError, match="did you mean"):
        start.apply("(mark 2 4)")
    with pytest.raises(gg.GameError, match="no role"):
        start.legal(7)
    with pytest.raises(gg.GameError, match="no role nobody; there is x, o"):
        start.legal("nobody")
    with pytest.raises(gg.GameError, match="needs 2 moves"):
        start.apply([1])
    with pytest.raises(TypeError):
        start.apply([1.5, 2])
    with pytest.raises(gg.GameError, match="no reasoner is called that"):
        gg.Game("tic_tac_toe", reasoner="propnt")
    with pytest.raises(gg.GameError, match="no level 9"):
        gg.Game("zelda", level=9)
    with pytest.raises(gg.GameError, match="no level third; there are levels 0 to 4"):
        gg.Game("zelda", level="third")
    with pytest.raises(gg.GameError, match=r"pasted:1:\d+: error"):
        gg.Game.from_text("(role x) (<= (legal ?y a) (true")


def test_simultaneous_moves_need_all_roles(opened):
    game = opened("tron")
    start = game.initial_state()
    assert start.turn is None
    with pytest.raises(gg.GameError, match="give a move for each"):
        start.apply(start.legal(0)[0])
    with pytest.raises(gg.GameError, match="say which role"):
        start.legal()
    assert start.apply([start.legal(0)[0], start.legal(1)[0]]).history


@pytest.mark.parametrize("reasoner", ["prover", "propnet", "auto"])
def test_counts_prove_the_reasoners_right(reasoner):
    game = gg.Game("tic_tac_toe", reasoner=reasoner)
    assert [game.perft(depth)[0] for depth in range(4)] == [1, 9, 72, 504]
    after = game.initial_state().apply("(mark 2 2)")
    assert after.perft(2) == (8 * 7, 0)
    # All games of at most seven moves that are over: 1440 after five, 5328 after six, 47952 after seven.
    assert game.perft(7)[1] == 1440 + 5328 + 47952
    with pytest.raises(gg.GameError, match="at most"):
        game.perft(100_000)


def test_pasted_rules_are_played():
    game = gg.Game.from_text(NIM, name="sticks")
    state = game.initial_state()
    for _ in range(4):
        assert state.legal_names() == ["take"] or state.turn == 0
        state = state.apply([state.legal(0)[0], state.legal(1)[0]])
    assert state.terminal and state.goals == [100.0, 0.0]
    assert "(sticks 0)" in state.facts


def test_pasted_video_games_are_played():
    game = gg.Game.from_text(PAINT, level="wwwww\nwA gw\nwwwww")
    assert game.kind == "vgdl" and game.roles == ["player"]
    state = game.initial_state(seed=3)
    state = state.apply("ACTION_RIGHT").apply("ACTION_RIGHT")
    assert state.terminal and state.scores == [3.0] and state.goals == [100.0]
    rows, cols, types = game.observation_shape
    assert (rows, cols) == (3, 5) and types == len(game.observation_names())
    seen = state.observation()
    assert seen.shape == (3, 5, types) and seen.sum() == 12 + 1
    assert "gem" in game.observation_names()


def test_chance_belongs_to_the_seed(opened):
    game = opened("aliens", 0)

    def course(seed):
        state = game.initial_state(seed)
        for _ in range(60):
            if state.terminal:
                break
            state = state.apply("ACTION_NIL")
        return state

    assert course(1) == course(1)
    assert course(1) != course(2)
    assert course(1).with_chance(5) == course(1).with_chance(5)


@pytest.mark.parametrize("name", ["tic_tac_toe", "octagon(small)", "zelda", "breakthrough"])
def test_states_are_drawn(opened, name):
    state = opened(name).initial_state()
    for _ in range(3):
        state = state.apply(state.legal()[0])
    svg = state._repr_svg_()
    assert xml.dom.minidom.parseString(svg).documentElement.tagName == "svg"
    assert len(str(state).splitlines()) > 2
    assert state.game.name in repr(state)


@pytest.mark.parametrize("name", ["tic_tac_toe", "octagon(small)", "zelda"])
def test_observations_have_their_shape(opened, name):
    game = opened(name)
    state = game.initial_state()
    seen = state.observation()
    assert seen.dtype == np.uint8 and list(seen.shape) == game.observation_shape
    assert len(game.observation_names()) == seen.shape[-1]
    assert (state.apply(state.legal()[0]).observation() != seen).any()
    if game.kind == "gdl":
        held = {n for n, bit in zip(game.observation_names(), seen) if bit}
        assert held <= set(state.facts)


def test_without_a_network_there_are_no_observations():
    game = gg.Game("tic_tac_toe", reasoner="prover")
    assert game.observation_shape is None
    with pytest.raises(gg.GameError, match="has no network"):
        game.initial_state().observation()


@pytest.mark.parametrize("name", ["tic_tac_toe", "zelda", "octagon(small)"])
def test_games_and_states_travel(opened, name):
    state = opened(name).initial_state(seed=4)
    for _ in range(3):
        state = state.apply(state.legal()[-1])
    other = pickle.loads(pickle.dumps(state))
    assert other.history == state.history
    assert other.facts == state.facts
    # The board of the game is found again, so both can be compared and searched alike.
    assert other == pickle.loads(pickle.dumps(state))
    gg.Agent("random").player(other.game).choose(pickle.loads(pickle.dumps(state)), simulations=1)
    pasted = pickle.loads(pickle.dumps(gg.Game.from_text(NIM, name="sticks")))
    assert pasted.name == "sticks"


def test_what_was_pickled_knows_its_rules(tmp_path):
    path = tmp_path / "mine.kif"
    path.write_text(NIM)
    state = pickle.dumps(gg.Game(str(path)).initial_state())
    assert pickle.loads(state).facts == gg.Game(str(path)).initial_state().facts
    path.write_text(NIM + "\n; another word\n")
    with pytest.raises(gg.GameError, match="not those they were"):
        pickle.loads(state)


def test_copies_cost_nothing(opened):
    state = opened("tic_tac_toe").initial_state()
    assert copy.copy(state) is state and copy.deepcopy(state) is state
    assert copy.deepcopy(state.game) is state.game


def test_long_games_are_dropped_without_a_deep_stack(opened):
    state = opened("zelda").initial_state()
    for _ in range(900):
        if state.terminal:
            break
        state = state.apply("ACTION_NIL")
    del state


def test_the_stub_names_what_there_is():
    import ast
    import pathlib

    stub = pathlib.Path(gg.__file__).with_name("_gamegrove.pyi").read_text()
    for node in ast.parse(stub).body:
        if isinstance(node, ast.ClassDef) and hasattr(gg, node.name):
            said = {f.name for f in node.body if isinstance(f, ast.FunctionDef)}
            there = {n for n in dir(getattr(gg, node.name)) if not n.startswith("_")}
            assert there <= said | set(dir(ValueError)), (node.name, there - said)
            assert {n for n in said if not n.startswith("_")} <= there, node.name
        if isinstance(node, ast.FunctionDef):
            assert hasattr(gg._gamegrove, node.name), node.name


def test_what_is_no_move_or_level_is_told_apart(opened):
    state = opened("tic_tac_toe").initial_state()
    for wrong in (None, -1, 10**20, float("nan")):
        with pytest.raises(TypeError, match="a move is a number from 0 or a name"):
            state.apply(wrong)
    with pytest.raises(gg.GameError, match="has no levels"):
        gg.Game("tic_tac_toe", level=3)


def test_chance_drawn_anew_is_pickled(opened):
    state = opened("zelda").initial_state(seed=4)
    for _ in range(5):
        state = state.apply("ACTION_NIL")
    other = state.with_chance(99)
    again = pickle.loads(pickle.dumps(other.apply("ACTION_NIL")))
    plain, other = state.apply("ACTION_NIL"), other.apply("ACTION_NIL")
    for _ in range(40):
        plain, other, again = (each.apply("ACTION_NIL") for each in (plain, other, again))
    assert again.facts == other.facts != plain.facts
    assert again.history == other.history and len(again.history) == 46


def test_states_of_unknown_origin_are_not_pickled(opened):
    found = []

    def policy(state, role, legal):
        with pytest.raises(gg.GameError, match="cannot be pickled"):
            pickle.dumps(state)
        found.append(state)
        return legal[0]

    start = opened("tic_tac_toe").initial_state()
    gg.Agent("mcts", playout=policy).choose(start, simulations=3)
    assert found


def test_long_games_keep_moves_and_not_states(opened):
    """A chain of states may hold the memory of moves only."""
    code = (
        "import resource, gamegrove as gg\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "state = gg.Game('boulderdash').initial_state()\n"
        "for tick in range(1500):\n"
        "    if tick == 300: before = peak()\n"
        "    legal = state.legal()\n"
        "    state = state.apply(legal[tick % len(legal)])\n"
        "print(peak() - before)\n"
    )
    grown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # 12 kB for each of 1,200 states would be 14 MB.
    assert int(grown.stdout) < 4000


def test_games_come_by_path_and_moves_by_role(tmp_path):
    path = tmp_path / "mine.kif"
    path.write_text(NIM)
    game = gg.Game(path)
    with pytest.raises(TypeError, match="a path"):
        gg.Game(3)
    state = game.initial_state()
    after = state.apply({"left": state.legal("left")[0], "right": state.legal("right")[0]})
    assert after == state.apply([state.legal(0)[0], state.legal(1)[0]])
    with pytest.raises(gg.GameError, match="has no role up"):
        state.apply({"up": 0})


def test_what_means_nothing_is_refused(opened):
    game = opened("tic_tac_toe")
    state = game.initial_state()
    with pytest.raises(TypeError, match="a move is"):
        state.apply(True)
    with pytest.raises(gg.GameError, match="has no move 9999"):
        game.move_name(0, 9999)
    player = gg.Agent("random").player(game)
    with pytest.raises(gg.GameError, match="2 moves, not 1"):
        player.played([1])
    with pytest.raises(gg.GameError, match="has no move 99"):
        player.played([99, 99])
    while not state.terminal:
        state = state.apply(state.legal()[0])
    with pytest.raises(gg.GameError, match="x has no legal move"):
        gg.Agent("mcts").choose(state, role="x", simulations=10)


def test_first_examples_pass_a_type_checker(tmp_path):
    pytest.importorskip("mypy")
    import pathlib
    import re

    pages = [pathlib.Path(__file__).parents[1] / "README.md"]
    pages.append(pages[0].parents[1] / "docs" / "python.md")
    for number, page in enumerate(pages):
        code = re.search(r"```python\n(.*?)```", page.read_text(), re.DOTALL)[1]
        (tmp_path / f"example_{number}.py").write_text(code)
    files = [str(path) for path in tmp_path.glob("example_*.py")]
    options = ["--strict", "--cache-dir", str(tmp_path / "cache"), "--no-error-summary"]
    package = str(pathlib.Path(gg.__file__).parents[1])
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *files],
        capture_output=True,
        text=True,
        env={**os.environ, "MYPYPATH": package},
        cwd=tmp_path,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
