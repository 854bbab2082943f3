"""Gamegrove: games from their rules, Monte-Carlo tree search, matches and experiments.

>>> import gamegrove as gg
>>> game = gg.Game("tic_tac_toe")
>>> state = game.initial_state()
>>> decision = gg.Agent("mcts").choose(state, simulations=1000)
>>> state = state.apply(decision.move)

``gamegrove.gym``, ``gamegrove.zoo`` and ``gamegrove.spiel`` are the same games in the shapes of
Gymnasium, PettingZoo and OpenSpiel; ``gamegrove.ray`` runs experiments on a cluster.
"""

# The first thread that imports it counts as the main one; agents are called on threads of their own.
import threading as _threading  # noqa: F401

from ._gamegrove import (
    Agent,
    Batch,
    Budget,
    Decision,
    Experiment,
    Game,
    GameError,
    MoveStatistics,
    Player,
    Playouts,
    State,
    __version__,
    agents,
    experiments,
    games,
    play,
    tournament,
)

__all__ = [
    "Agent",
    "Batch",
    "Budget",
    "Decision",
    "Experiment",
    "Game",
    "GameError",
    "MoveStatistics",
    "Player",
    "Playouts",
    "State",
    "__version__",
    "agents",
    "experiments",
    "games",
    "play",
    "tournament",
]
