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

from ._gamegrove import Batch, Game, GameError, State

RESTARTS = {AutoresetMode.NEXT_STEP: "next step", AutoresetMode.SAME_STEP: "at once"}

OBSERVATIONS = ("bytes", "bits", "floats")
"""The forms of observations."""

LIMIT = 10_000
"""Steps after which a game is cut off."""


class BatchEnv(VectorEnv[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]):
    """``num_envs`` games of one rulesheet.

    Observations are one byte for each fact that may hold; with ``observations="floats"`` one ``float32``, with
    ``"bits"`` one bit: words of ``uint64``, the first fact in the lowest bit of the first word. An action is the number of a move's name, the
    same for every role. Where roles take turns a game wants one action, that of the role whose turn it
    is; else it wants one of each role. Where a role has no choice any number will do.

    ``infos`` has ``legal`` (1 for each legal action), ``mover`` (the role whose turn it is, 255 where
    roles do not take turns or play is over) and ``goals`` (of all roles, from 0 to 100, in the step that
    ends a game). ``rewards`` are the goals of ``role`` from 0 to 1.

    The arrays are those that the next step writes; ``copy=True`` gives copies. PyTorch and JAX take them
    without copying: ``torch.from_dlpack(observations)``. ``state(i)`` is game ``i`` as an ordinary state.
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
        observations: str = "bytes",
    ) -> None:
        """Opens ``num_envs`` games.

        :param game: a game, its name, or the path of its rules
        :param num_envs: how many games there are
        :param role: the role whose goals are the rewards
        :param limit: steps after which a game is cut off
        :param autoreset_mode: ``"NextStep"`` or ``"SameStep"``: when a game that is over starts again
        :param threads: how many threads step the games, in groups of 512
        :param copy: whether arrays are copied, so that the next step does not write over them
        :param observations: ``"bytes"``, ``"bits"`` or ``"floats"``
        """
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
        if observations not in OBSERVATIONS:
            known = ", ".join(map(repr, OBSERVATIONS))
            raise GameError(f"no observations are {observations!r}; there is {known}")
        self.game = game
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.batch = Batch(game, num_envs, limit=limit, restart=restart, threads=threads)
        self.copy = copy
        self.role = self._role(role)
        games, batch = num_envs, self.batch
        self.actions = batch.actions
        """The names of the actions."""
        self._bits = observations == "bits"
        self._arrays = Arrays(batch, self._bits)
        self._facts = self._arrays.facts.reshape(games, 0 if self._bits else batch.facts)
        self._observations = {
            "bytes": self._facts,
            "bits": self._arrays.fact_bits.reshape(games, -1),
            "floats": np.zeros((games, batch.facts), np.float32),
        }[observations]
        self._last = self._arrays.last_facts.reshape(games, batch.facts)
        each = (games,) if batch.choosers == 1 else (games, batch.choosers)
        self._legal = self._arrays.legal.reshape(*each, len(self.actions))
        self._chosen = self._arrays.chosen.reshape(each)
        self._goals = self._arrays.goals.reshape(games, batch.roles)
        self._shape = each
        each_seen, kind = self._observations.shape[1:], self._observations.dtype
        most = np.iinfo(np.uint64).max if self._bits else 1
        self.single_observation_space = Box(0, most, each_seen, kind.type)
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
        return self._seen(), self._infos()

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
            infos["final_obs"] = self._final()
            infos["_final_obs"] = terminated | truncated
        rewards = self._goals[:, self.role] / 100
        return (
            self._seen(),
            rewards,
            self._given(terminated),
            self._given(truncated),
            infos,
        )

    def state(self, number: int) -> State:
        """Game ``number`` as a state, which can be drawn and searched. Its history is not known."""
        return self.batch.state(number)

    def _seen(self) -> np.ndarray[Any, Any]:
        if self._observations.dtype == np.float32:
            np.copyto(self._observations, self._facts)
        return self._given(self._observations)

    def _final(self) -> np.ndarray[Any, Any]:
        """The last observations of games that have started again."""
        if not self._bits:
            return self._last.astype(self._observations.dtype, copy=self.copy)
        room = 64 * self._observations.shape[1] - self._last.shape[1]
        packed = np.packbits(np.pad(self._last, ((0, 0), (0, room))), axis=1, bitorder="little")
        return packed.view("<u8")

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

    def __init__(self, batch: Batch, bits: bool = False) -> None:
        games, choosers = batch.games, batch.games * batch.choosers
        self.facts = np.zeros(0 if bits else games * batch.facts, np.uint8)
        self.fact_bits = np.zeros(games * -(-batch.facts // 64) if bits else 0, np.uint64)
        self.last_facts = np.zeros(games * batch.facts, np.uint8)
        self.legal = np.zeros(choosers * len(batch.actions), np.uint8)
        self.goals = np.zeros(games * batch.roles, np.float32)
        self.terminated = np.zeros(games, np.uint8)
        self.truncated = np.zeros(games, np.uint8)
        self.movers = np.zeros(games, np.uint8)
        self.chosen = np.zeros(choosers, np.int64)
