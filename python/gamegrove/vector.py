"""Many games at once as one Gymnasium vector environment, stepped on the lanes of a network.

>>> from gamegrove.vector import BatchEnv
>>> env = BatchEnv("connect_four", 4096)
>>> observations, infos = env.reset(seed=1)
>>> observations, rewards, terminated, truncated, infos = env.step_at_random()
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._gamegrove import Batch, Game, GameError

RESTARTS = {AutoresetMode.NEXT_STEP: "next step", AutoresetMode.SAME_STEP: "at once"}

LIMIT = 10_000
"""Steps after which a game is cut off."""


class BatchEnv(VectorEnv[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]):
    """``num_envs`` games of one rulesheet.

    Observations are one byte for each fact that may hold. An action is the number of a move's name, the
    same for every role. Where roles take turns a game wants one action, that of the role whose turn it
    is; else it wants one of each role. Where a role has no choice any number will do.

    ``infos`` has ``legal`` (1 for each legal action), ``mover`` (the role whose turn it is, 255 where
    roles do not take turns or play is over) and ``goals`` (of all roles, from 0 to 100, in the step that
    ends a game). ``rewards`` are the goals of ``role`` from 0 to 1.

    The arrays are those that the next step writes; ``copy=True`` gives copies.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        role: int | str = 0,
        limit: int = LIMIT,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = False,
    ) -> None:
        if isinstance(game, str):
            game = Game(game)
        elif not isinstance(game, Game):
            raise GameError(f"a game is a gamegrove.Game, a name or a path, not {type(game).__name__}")
        try:
            mode = AutoresetMode(autoreset_mode)
            restart = RESTARTS[mode]
        except (KeyError, ValueError):
            known = " and ".join(f"{mode.value!r}" for mode in RESTARTS)
            raise GameError(f"no autoreset_mode is {autoreset_mode!r}; there is {known}") from None
        self.game = game
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.batch = Batch(game, num_envs, limit=limit, restart=restart, threads=threads)
        self.copy = copy
        self.role = self._role(role)
        games, batch = num_envs, self.batch
        self.actions = batch.actions
        """The names of the actions."""
        self._arrays = Arrays(batch)
        self._observations = self._arrays.facts.reshape(games, batch.facts)
        self._last = self._arrays.last_facts.reshape(games, batch.facts)
        each = (games,) if batch.choosers == 1 else (games, batch.choosers)
        self._legal = self._arrays.legal.reshape(*each, len(self.actions))
        self._chosen = self._arrays.chosen.reshape(each)
        self._goals = self._arrays.goals.reshape(games, batch.roles)
        self._shape = each
        self.single_observation_space = Box(0, 1, (batch.facts,), np.uint8)
        count = max(len(self.actions), 1)
        self.single_action_space = (
            Discrete(count) if batch.choosers == 1 else MultiDiscrete([count] * batch.choosers)
        )
        self.observation_space = batch_space(self.single_observation_space, games)
        self.action_space = batch_space(self.single_action_space, games)

    def _role(self, role: int | str) -> int:
        roles = self.game.roles
        if isinstance(role, str) and role in roles:
            return roles.index(role)
        if isinstance(role, int) and 0 <= role < len(roles):
            return role
        raise GameError(f"{self.game.name} has no role {role!r}; there is {', '.join(roles)}")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Starts all games again. Random actions of game ``i`` follow from the seed and ``i``."""
        if seed is not None and not isinstance(seed, (int, np.integer)):
            raise GameError("a seed is one number; every game draws its own stream from it")
        super().reset(seed=None if seed is None else int(seed), options=options)
        drawn = int(self.np_random.integers(1 << 63)) if seed is None else int(seed)
        self.batch.reset(drawn, self._arrays)
        return self._given(self._observations), self._infos()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Steps all games with one action each, or one of each role."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise GameError(f"actions are whole numbers, not {given.dtype}")
        if given.shape != self._shape:
            raise GameError(f"actions have the shape {given.shape}; {self._shape} is wanted")
        flat = np.ascontiguousarray(given, dtype=np.int64).reshape(-1)
        self.batch.step(flat, self._arrays)
        return self._result()

    def step_at_random(self) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Steps all games with random legal actions; ``infos["actions"]`` says which, -1 where there was
        no choice."""
        self.batch.step(None, self._arrays)
        result = self._result()
        result[4]["actions"] = self._given(self._chosen)
        return result

    def _result(self) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        arrays, infos = self._arrays, self._infos()
        terminated, truncated = arrays.terminated.view(np.bool_), arrays.truncated.view(np.bool_)
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
            infos["final_obs"] = self._given(self._last)
            infos["_final_obs"] = terminated | truncated
        rewards = self._goals[:, self.role] / 100
        return (
            self._given(self._observations),
            rewards,
            self._given(terminated),
            self._given(truncated),
            infos,
        )

    def _infos(self) -> dict[str, Any]:
        return {
            "legal": self._given(self._legal),
            "mover": self._given(self._arrays.movers),
            "goals": self._given(self._goals),
        }

    def _given(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return array.copy() if self.copy else array


class Arrays:
    """The memory that a batch writes."""

    def __init__(self, batch: Batch) -> None:
        games, choosers = batch.games, batch.games * batch.choosers
        self.facts = np.zeros(games * batch.facts, np.uint8)
        self.last_facts = np.zeros(games * batch.facts, np.uint8)
        self.legal = np.zeros(choosers * len(batch.actions), np.uint8)
        self.goals = np.zeros(games * batch.roles, np.float32)
        self.terminated = np.zeros(games, np.uint8)
        self.truncated = np.zeros(games, np.uint8)
        self.movers = np.zeros(games, np.uint8)
        self.chosen = np.zeros(choosers, np.int64)
