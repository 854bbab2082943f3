"""What tests share: games are set up once."""

from functools import lru_cache

import pytest

import gamegrove as gg


@lru_cache(maxsize=None)
def _open(name, level, reasoner):
    return gg.Game(name, level=level, reasoner=reasoner)


@pytest.fixture(scope="session")
def opened():
    """Opens a game once for all tests."""

    def open_game(name, level=None, reasoner="auto"):
        return _open(name, level, reasoner)

    return open_game


# Small enough to be played in a moment, and the same everywhere: simulations and a named reasoner.
SMALL_EXPERIMENT = """
title = "A small experiment"
layout = "duels"
runs = 12
reasoner = "propnet"
budget = { simulations = 60 }
agents = [{ name = "uct", agent = "mcts" }, { name = "mast", agent = "mcts(playout=mast)" }]
columns = [{ label = "MAST", of = "mast", against = ["uct"] }]

[[games]]
name = "tic_tac_toe"

[[games]]
name = "connect_four"
"""


@pytest.fixture(scope="session")
def small_experiment():
    return SMALL_EXPERIMENT


# Other rules under the names of games that ship.
GUESS = """
(role white) (role black)
(init (step 0)) (succ 0 1) (succ 1 2)
(side left) (side right)
(<= (legal ?role ?side) (role ?role) (side ?side))
(<= (next (step ?after)) (true (step ?before)) (succ ?before ?after))
(<= (next won) (does white left) (does black right))
(<= (next won) (true won))
(<= terminal (true (step 2)))
(<= (goal white 100) (true won))
(<= (goal white 0) (not (true won)))
(<= (goal black 0) (true won))
(<= (goal black 100) (not (true won)))
"""


@pytest.fixture
def folder_of_rules(tmp_path):
    folder = tmp_path / "rules"
    folder.mkdir()
    for name in ("ticTacToe.kif", "connect_four.txt"):
        (folder / name).write_text(GUESS)
    return folder
