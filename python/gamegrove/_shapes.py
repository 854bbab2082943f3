"""What the shapes of other libraries share: levels of play that go on step by step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._gamegrove import Game, GameError, State

RENDER_MODES = ["ansi", "svg"]

VIDEO_LIMIT = 2000
"""Ticks after which a video game is given up, as competitions do."""


def open_game(game: Game | str, level: int | str | None, shape: str) -> Game:
    """The game, if learners can see its states."""
    if isinstance(game, str):
        game = Game(game, level=level)
    elif not isinstance(game, Game):
        raise GameError(f"a game is a gamegrove.Game, a name or a path, not {type(game).__name__}")
    elif level is not None:
        raise GameError("a Game has its level; give it where the Game is made")
    if game.observation_shape is None:
        raise GameError(
            f"{game.name} has no network, so the facts that may ever hold are not known and there is "
            f"no {shape} of it; gamegrove.State plays it all the same"
        )
    return game


def observation_space(game: Game) -> Any:
    """The space of the observations of a game."""
    from gymnasium.spaces import Box

    assert game.observation_shape is not None
    most = 1 if game.kind == "gdl" else 255
    return Box(0, most, tuple(game.observation_shape), np.uint8)


def mask(state: State, role: int, count: int) -> np.ndarray[Any, Any]:
    """1 for each legal move of a role."""
    legal = np.zeros(count, dtype=np.int8)
    legal[state.legal(role)] = 1
    return legal


class Course:
    """One course of play: the state, and how many steps there were."""

    def __init__(
        self, game: Game, limit: int | None, illegal: str, render_mode: str | None
    ) -> None:
        if illegal not in ("random", "raise"):
            raise GameError(f"illegal moves can be met with 'random' or 'raise', not {illegal!r}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            known = " and ".join(RENDER_MODES)
            raise GameError(f"no render mode is called {render_mode!r}; there is {known}")
        if limit is not None and limit < 1:
            raise GameError(f"play takes at least one step, not {limit}")
        self.game = game
        self.limit = VIDEO_LIMIT if limit is None and game.kind == "vgdl" else limit
        self.illegal = illegal
        self.render_mode = render_mode
        self.counts = [game.move_count(role) for role in range(len(game.roles))]
        self._state: State | None = None
        self.steps = 0
        self.replaced: list[bool] = []

    def reset(self, seed: int) -> None:
        self._state = self.game.initial_state(seed)
        self.steps = 0
        self.replaced = [False] * len(self.counts)
        self._generator = np.random.default_rng(seed)

    @property
    def state(self) -> State:
        if self._state is None:
            raise GameError("play has not begun: call reset first")
        return self._state

    @property
    def over(self) -> bool:
        return self.state.terminal

    @property
    def given_up(self) -> bool:
        return not self.over and self.limit is not None and self.steps >= self.limit

    def step(self, moves: list[int]) -> list[float]:
        """Makes a step; returns what it brought each role. A move that is not legal is replaced by a
        random one, as the referee of matches does, unless it is to be an error."""
        if self.over:
            raise GameError("play is over: call reset to begin again")
        joint = []
        for role, move in enumerate(moves):
            legal = self.state.legal(role)
            self.replaced[role] = move not in legal
            if self.replaced[role]:
                if self.illegal == "raise":
                    name = self.game.roles[role]
                    raise GameError(f"{move} is no legal move of {name} here")
                move = legal[self._generator.integers(len(legal))]
            joint.append(int(move))
        before = self.state.scores
        self._state = self.state.apply(joint)
        self.steps += 1
        if before is not None:
            return [new - old for new, old in zip(self.state.scores or before, before)]
        if not self.over:
            return [0.0] * len(moves)
        return self.returns()

    def returns(self) -> list[float]:
        """What the end is worth: from 0 to 1 for one role, from -1 to 1 where there are several."""
        goals = self.state.goals
        if len(goals) == 1:
            return [goals[0] / 100]
        return [goal / 50 - 1 for goal in goals]

    def render(self) -> str | None:
        if self.render_mode == "ansi":
            return str(self.state)
        return self.state.svg() if self.render_mode == "svg" else None
