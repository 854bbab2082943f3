"""Types for annotations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypedDict, Union

from ._gamegrove import Agent, Budget, State

Role = Union[int, str]
"""A role: its number or its name."""

Move = Union[int, str]
"""A move: its number or its name."""


class Chooser(Protocol):
    """A class that plays. It may also have ``prepare(state, role, budget)``, called once before the
    first move where there is a start clock, and ``played(joint)``, called after every step."""

    def choose(self, state: State, role: int, budget: Budget, /) -> Move: ...


AnyAgent = Union[Agent, str, Chooser, Callable[[State, int], Move]]
"""An agent of a match: an ``Agent``, its name, or Python code."""

PlayoutPolicy = Callable[[State, int, "list[int]"], Move]
"""Chooses a move of a play-out, given a state, a role and its legal moves."""


class GameEntry(TypedDict):
    """A shipped game."""

    name: str
    kind: str
    title: str
    tags: list[str]


class AgentEntry(TypedDict):
    """A named agent."""

    name: str
    title: str
    sentence: str
    source: str
    spec: str
