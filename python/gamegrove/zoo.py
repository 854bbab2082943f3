"""Games for several players as PettingZoo environments.

>>> from gamegrove.zoo import GroveAEC, GroveParallel
>>> env = GroveAEC("connect_four")        # one agent after another
>>> env = GroveParallel("tron")           # all agents at once

Observations are dictionaries with ``observation`` and ``action_mask``. An action is a number in
``env.game.actions``, the same for all agents. Where agents take turns, the move that the others make
meanwhile has no number: their mask is all 0, and any number will do. An agent is rewarded at the end:
from -1 (goal 0) to 1 (goal 100); in video games by what each step adds to its score. An illegal action
is replaced by a random legal one, and the agent's info says so. In an AEC environment only roles with a
choice are asked; who has none plays the one move there is.
"""

from __future__ import annotations

from typing import Any

from gymnasium.spaces import Box, Dict, Discrete
import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from ._gamegrove import Game, GameError, State
from ._shapes import RENDER_MODES, Drawer, episode, observation_space, open_game


class _Spaces:
    """What both kinds share."""

    def __init__(
        self,
        game: Game | str,
        *,
        level: int | str | None = None,
        render_mode: str | None = None,
        max_steps: int | None = None,
        illegal: str = "random",
    ) -> None:
        super().__init__()
        self.game = open_game(game, level, "PettingZoo environment")
        self.render_mode = render_mode
        self.metadata = {
            "name": f"gamegrove_{self.game.name}",
            "render_modes": RENDER_MODES,
            "render_fps": 10,
            "is_parallelizable": True,
        }
        self.possible_agents = list(self.game.roles)
        self._episode = episode(self.game, max_steps, illegal, render_mode)
        self._drawer = Drawer(render_mode)
        self._role = {name: role for role, name in enumerate(self.possible_agents)}
        count = len(self.game.actions)
        seen = Dict({
            "observation": observation_space(self.game),
            "action_mask": Box(0, 1, (count,), np.int8),
        })
        self.observation_spaces = {name: seen for name in self.possible_agents}
        self.action_spaces = {name: Discrete(count) for name in self.possible_agents}
        self._generator = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        self._episode.reset(int(self._generator.integers(2**31)))
        self.agents = list(self.possible_agents)

    def state(self) -> Any:
        """All there is to see: every game here is one of full information."""
        return self._episode.observation()

    @property
    def position(self) -> State:
        """The state of play."""
        return self._episode.state

    def render(self) -> Any:
        """The state as text (``ansi``), as SVG (``svg``) or as pixels (``rgb_array``)."""
        return self._drawer.draw(self.position)

    def close(self) -> None:
        pass


class GroveAEC(_Spaces, AECEnv[str, Any, Any]):
    """A game in which one agent after another is asked."""

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, with the mask of its legal actions."""
        episode = self._episode
        return {
            "observation": episode.observation(),
            "action_mask": episode.mask(self._role[agent]),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game."""
        self._begin(seed)
        names = self.agents
        self.rewards = dict.fromkeys(names, 0.0)
        self._cumulative_rewards = dict.fromkeys(names, 0.0)
        self.terminations = dict.fromkeys(names, False)
        self.truncations = dict.fromkeys(names, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in names}
        self._go_on(self._episode.play_on())

    def step(self, action: int | None) -> None:
        """Takes the action of ``agent_selection``."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise GameError(f"{agent} is to choose an action")
        episode, role = self._episode, self._role[agent]
        waiting = episode.act(role, action)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"illegal": episode.replaced[role]}
        self.rewards = dict(zip(self.agents, episode.rewards))
        self._accumulate_rewards()
        self._go_on(waiting)

    def _go_on(self, waiting: int | None) -> None:
        """Says which agent has to act, or that play is over."""
        if waiting is not None:
            self.agent_selection = self.possible_agents[waiting]
            return
        self.terminations = dict.fromkeys(self.agents, self._episode.terminated)
        self.truncations = dict.fromkeys(self.agents, self._episode.truncated)
        self.agent_selection = self.agents[0]


class GroveParallel(_Spaces, ParallelEnv[str, Any, Any]):
    """A game in which all agents are asked at once."""

    def _seen(self, names: list[str]) -> dict[str, Any]:
        observation = self._episode.observation()
        return {
            name: {"observation": observation, "action_mask": self._episode.mask(self._role[name])}
            for name in names
        }

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts a new game. All agents get the same array as their observation."""
        self._begin(seed)
        return self._seen(self.agents), {name: {"illegal": False} for name in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[
        dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]
    ]:
        """Makes a step with one action of each agent."""
        episode, names = self._episode, self.agents
        if not names:
            return {}, {}, {}, {}, {}
        missing = [name for name in names if name not in actions]
        if missing:
            raise GameError(f"no action for {', '.join(missing)}")
        episode.step([actions[name] for name in names])
        over, given_up = episode.terminated, episode.truncated
        if over or given_up:
            self.agents = []
        return (
            self._seen(names),
            dict(zip(names, episode.rewards)),
            dict.fromkeys(names, over),
            dict.fromkeys(names, given_up),
            {name: {"illegal": illegal} for name, illegal in zip(names, episode.replaced)},
        )
