"""Games for several players as PettingZoo environments.

>>> from gamegrove.zoo import GroveAEC, GroveParallel
>>> env = GroveAEC("connect_four")        # one agent after another
>>> env = GroveParallel("tron")           # all agents at once

Observations are dictionaries with ``observation`` and ``action_mask``. An agent is rewarded at the end:
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
from ._shapes import RENDER_MODES, Course, mask, observation_space, open_game


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
            "is_parallelizable": True,
        }
        self.possible_agents = list(self.game.roles)
        self._course = Course(self.game, max_steps, illegal, render_mode)
        self._role = {name: role for role, name in enumerate(self.possible_agents)}
        seen = observation_space(self.game)
        counts = self._course.counts
        self.observation_spaces = {
            name: Dict({
                "observation": seen,
                "action_mask": Box(0, 1, (counts[role],), np.int8),
            })
            for name, role in self._role.items()
        }
        self.action_spaces = {
            name: Discrete(counts[role]) for name, role in self._role.items()
        }
        self._generator = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        self._course.reset(int(self._generator.integers(2**31)))
        self.agents = list(self.possible_agents)

    def _seen(self, agent: str) -> dict[str, Any]:
        role, course = self._role[agent], self._course
        return {
            "observation": course.state.observation(),
            "action_mask": mask(course.state, role, course.counts[role]),
        }

    def state(self) -> Any:
        """All there is to see: every game here is one of full information."""
        return self._course.state.observation()

    @property
    def position(self) -> State:
        """The state of play."""
        return self._course.state

    def render(self) -> Any:
        return self._course.render()

    def close(self) -> None:
        pass


class GroveAEC(_Spaces, AECEnv[str, Any, Any]):
    """A game in which one agent after another is asked."""

    def observe(self, agent: str) -> dict[str, Any]:
        return self._seen(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        names = self.agents
        self.rewards = dict.fromkeys(names, 0.0)
        self._cumulative_rewards = dict.fromkeys(names, 0.0)
        self.terminations = dict.fromkeys(names, False)
        self.truncations = dict.fromkeys(names, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in names}
        self._chosen: dict[int, int] = {}
        self._play_on()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise GameError(f"{agent} is to choose an action")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[self._role[agent]] = int(action)
        self._play_on()
        self._accumulate_rewards()

    def _play_on(self) -> None:
        """Makes steps until somebody has to choose or play is over."""
        course = self._course
        while not (course.over or course.given_up):
            choosing = [r for r, _ in enumerate(course.counts) if len(course.state.legal(r)) > 1]
            waiting = [role for role in choosing if role not in self._chosen]
            if waiting:
                self.agent_selection = self.possible_agents[waiting[0]]
                return
            only = [course.state.legal(role)[0] for role, _ in enumerate(course.counts)]
            moves = [self._chosen.get(role, only[role]) for role, _ in enumerate(only)]
            self._chosen = {}
            for role, reward in enumerate(course.step(moves)):
                name = self.possible_agents[role]
                self.rewards[name] += reward
                self.infos[name] = {"illegal": course.replaced[role]}
        self.terminations = dict.fromkeys(self.agents, course.over)
        self.truncations = dict.fromkeys(self.agents, course.given_up)
        self.agent_selection = self.agents[0]


class GroveParallel(_Spaces, ParallelEnv[str, Any, Any]):
    """A game in which all agents are asked at once. Who has no choice has one legal action."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._begin(seed)
        return {name: self._seen(name) for name in self.agents}, {
            name: {"illegal": False} for name in self.agents
        }

    def step(self, actions: dict[str, int]) -> tuple[
        dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]
    ]:
        course, names = self._course, self.agents
        if not names:
            return {}, {}, {}, {}, {}
        missing = [name for name in names if name not in actions]
        if missing:
            raise GameError(f"no action for {', '.join(missing)}")
        rewards = course.step([int(actions[name]) for name in names])
        over, given_up = course.over, course.given_up
        if over or given_up:
            self.agents = []
        return (
            {name: self._seen(name) for name in names},
            dict(zip(names, rewards)),
            dict.fromkeys(names, over),
            dict.fromkeys(names, given_up),
            {name: {"illegal": course.replaced[role]} for role, name in enumerate(names)},
        )
