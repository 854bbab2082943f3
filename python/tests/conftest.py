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
