"""What the forms of other libraries share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._gamegrove import Episode, Game, GameError, State

RENDER_MODES = ["ansi", "svg", "rgb_array"]

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


def episode(game: Game, limit: int | None, illegal: str, render_mode: str | None) -> Episode:
    """One game to be played, after a check of the options of an environment."""
    if illegal not in ("random", "raise"):
        raise GameError(f"illegal moves can be met with 'random' or 'raise', not {illegal!r}")
    if render_mode is not None and render_mode not in RENDER_MODES:
        known = " and ".join(RENDER_MODES)
        raise GameError(f"no render mode is called {render_mode!r}; there is {known}")
    if limit is not None and limit < 1:
        raise GameError(f"play takes at least one step, not {limit}")
    limit = VIDEO_LIMIT if limit is None and game.kind == "vgdl" else limit
    return Episode(game, limit=limit, strict=illegal == "raise")


class Drawer:
    """Draws states in a render mode."""

    def __init__(self, mode: str | None) -> None:
        self.mode = mode
        self._shape: tuple[int, ...] | None = None

    def draw(self, state: State) -> Any:
        """The state as text (``ansi``), as SVG (``svg``) or as an array of pixels (``rgb_array``). All arrays
        have the size of the first."""
        if self.mode == "ansi":
            return str(state)
        if self.mode == "svg":
            return state.svg()
        if self.mode is None:
            return None
        from ._pixels import fitted, pixels, text_pixels

        svg = state.svg()
        image = text_pixels(str(state)) if svg is None else pixels(svg)
        self._shape = self._shape or image.shape
        return fitted(image, self._shape)
