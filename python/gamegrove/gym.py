"""Games for one player as Gymnasium environments: video games and puzzles.

>>> from gamegrove.gym import GroveEnv
>>> env = GroveEnv("zelda", level=0)
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

The reward is the change of the score in video games, and the goal (0 to 1) at the end of other games.
``info["action_mask"]`` says which actions are legal; ``action_masks()`` is the same for libraries that
ask. An illegal action is replaced by a random legal one, and ``info["illegal"]`` says so.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from ._gamegrove import Game, GameError, State
from ._shapes import RENDER_MODES, Drawer, episode, observation_space, open_game


class GroveEnv(gymnasium.Env[Any, int]):
    """A game for one player."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 10}

    def __init__(
        self,
        game: Game | str,
        *,
        level: int | str | None = None,
        render_mode: str | None = None,
        max_steps: int | None = None,
        illegal: str = "random",
    ) -> None:
        self.game = open_game(game, level, "Gymnasium environment")
        if len(self.game.roles) != 1:
            roles = ", ".join(self.game.roles)
            raise GameError(
                f"{self.game.name} is for several players ({roles}); gamegrove.zoo has it"
            )
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space = Discrete(len(self.game.actions))
        self._episode = episode(self.game, max_steps, illegal, render_mode)
        self._drawer = Drawer(render_mode)
        self._video = self.game.kind == "vgdl"

    @property
    def state(self) -> State:
        """The state of play."""
        return self._episode.state

    def action_masks(self) -> np.ndarray[Any, Any]:
        """True for each legal action."""
        return self._episode.mask(0).astype(bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts a new game; the seed decides its chance and the replacements of illegal actions."""
        super().reset(seed=seed)
        self._episode.reset(int(self.np_random.integers(2**31)))
        return self._episode.observation(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Makes a step with an action, a number in ``game.actions``."""
        episode = self._episode
        episode.step((action,))
        return (
            episode.observation(),
            episode.rewards[0],
            episode.terminated,
            episode.truncated,
            self._info(),
        )

    def render(self) -> Any:
        """The state as text (``ansi``), as SVG (``svg``) or as pixels (``rgb_array``)."""
        return self._drawer.draw(self.state)

    def _info(self) -> dict[str, Any]:
        episode = self._episode
        info = {"action_mask": episode.mask(0), "illegal": episode.replaced[0]}
        if self._video:
            info["score"] = (episode.scores or [0.0])[0]
            if episode.terminated:
                info["won"] = episode.won
        return info


def register(prefix: str = "Grove") -> list[str]:
    """Registers all shipped games for one player with Gymnasium, as ``Grove/zelda-v0``; returns their
    names. Video games take ``level=``."""
    from ._gamegrove import games

    names = []
    for entry in games():
        if entry["kind"] == "vgdl" or "puzzle" in entry["tags"]:
            name = f"{prefix}/{entry['name']}-v0"
            if name not in gymnasium.registry:
                gymnasium.register(
                    name,
                    entry_point="gamegrove.gym:GroveEnv",
                    kwargs={"game": entry["name"]},
                )
            names.append(name)
    return names

