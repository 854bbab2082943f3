"""Types of the extension; ``gamegrove`` exports all of it."""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypedDict, final

import numpy as np
from numpy.typing import NDArray

__version__: str

class GameError(ValueError):
    """A game, an agent or an experiment that cannot be used, and what to do about it."""

Role = int | str
Move = int | str

class Chooser(Protocol):
    """A class that plays. It may also have ``prepare(state, role, budget)``, called once before the
    first move where there is a start clock, and ``played(joint)``, called after every step."""

    def choose(self, state: State, role: int, budget: Budget, /) -> Move: ...

AnyAgent = Agent | str | Chooser | Callable[[State, int], Move]
PlayoutPolicy = Callable[[State, int, list[int]], Move]

@final
class Game:
    """A game that is ready to be played."""

    def __new__(
        cls, name: str, *, level: int | str | None = None, reasoner: str = "auto"
    ) -> Game: ...
    @staticmethod
    def from_text(
        rules: str,
        *,
        level: str | None = None,
        name: str = "pasted",
        kind: str | None = None,
        reasoner: str = "auto",
    ) -> Game: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def roles(self) -> list[str]: ...
    @property
    def reasoner(self) -> str: ...
    @property
    def remarks(self) -> list[str]: ...
    @property
    def lanes(self) -> int: ...
    @property
    def observation_shape(self) -> list[int] | None: ...
    def observation_names(self) -> list[str]: ...
    def move_count(self, role: Role) -> int: ...
    def move_name(self, role: Role, move: int) -> str: ...
    def move_number(self, role: Role, name: str) -> int: ...
    def initial_state(self, seed: int = 0) -> State: ...
    def playouts(
        self, count: int, *, seed: int = 0, limit: int = 10_000, threads: int = 1, first: int = 0
    ) -> Playouts: ...
    def perft(self, depth: int) -> tuple[int, int]: ...

@final
class State:
    """A position of a game. It never changes: ``apply`` gives another one."""

    @property
    def game(self) -> Game: ...
    @property
    def terminal(self) -> bool: ...
    @property
    def turn(self) -> int | None: ...
    @property
    def goals(self) -> list[float]: ...
    @property
    def scores(self) -> list[float] | None: ...
    @property
    def facts(self) -> list[str]: ...
    @property
    def history(self) -> list[list[int]]: ...
    def legal(self, role: Role | None = None) -> list[int]: ...
    def legal_names(self, role: Role | None = None) -> list[str]: ...
    def apply(self, moves: Move | Sequence[Move]) -> State: ...
    def with_chance(self, seed: int) -> State: ...
    def observation(self) -> NDArray[np.uint8]: ...
    def playouts(
        self, count: int, *, seed: int = 0, limit: int = 10_000, threads: int = 1, first: int = 0
    ) -> Playouts: ...
    def perft(self, depth: int) -> tuple[int, int]: ...
    def svg(self) -> str | None: ...
    def _repr_svg_(self) -> str | None: ...
    def __hash__(self) -> int: ...

@final
class Playouts:
    """What came of random games, in the order of their numbers."""

    @property
    def goals(self) -> NDArray[np.float32]: ...
    @property
    def steps(self) -> NDArray[np.uint32]: ...
    @property
    def endings(self) -> NDArray[np.uint8]: ...
    def __len__(self) -> int: ...

@final
class MoveStatistics:
    """What a search found about a move."""

    @property
    def move(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def visits(self) -> int: ...
    @property
    def mean(self) -> float | None: ...
    @property
    def interval(self) -> float | None: ...
    @property
    def line(self) -> list[list[str]]: ...

@final
class Decision:
    """What an agent decided, and what its search found."""

    @property
    def move(self) -> int | None: ...
    @property
    def name(self) -> str | None: ...
    @property
    def seconds(self) -> float: ...
    @property
    def simulations(self) -> int: ...
    @property
    def simulations_per_second(self) -> float: ...
    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def moves(self) -> list[MoveStatistics]: ...

@final
class Budget:
    """What an agent may spend on a move; None where there is no limit."""

    @property
    def seconds(self) -> float | None: ...
    @property
    def simulations(self) -> int | None: ...

@final
class Batch:
    """Many games of one rulesheet that are stepped together; ``gamegrove.vector`` is the form for
    learners. What a step writes are flat arrays: the attributes ``facts``, ``last_facts``, ``legal``,
    ``terminated``, ``truncated``, ``movers`` (bytes), ``goals`` (``float32``) and ``chosen`` (``int64``)
    of ``arrays``."""

    def __new__(
        cls,
        game: Game,
        games: int,
        *,
        limit: int = 10_000,
        restart: str = "next step",
        threads: int = 1,
    ) -> Batch: ...
    @property
    def games(self) -> int: ...
    @property
    def roles(self) -> int: ...
    @property
    def choosers(self) -> int:
        """How many actions a game wants in a step: one where roles take turns, else one of each role."""

    @property
    def facts(self) -> int: ...
    @property
    def actions(self) -> list[str]: ...
    def reset(self, seed: int, arrays: Any) -> None:
        """Starts all games again and writes what they look like."""

    def step(self, actions: NDArray[np.int64] | None, arrays: Any) -> None:
        """Steps all games with the given actions, or with random legal ones without them."""

@final
class Agent:
    """Somebody who plays: a named agent, a one-line spec, or the path of a TOML file."""

    def __new__(cls, text: str, *, playout: PlayoutPolicy | None = None) -> Agent: ...
    @staticmethod
    def from_toml(
        text: str, *, name: str = "agent", playout: PlayoutPolicy | None = None
    ) -> Agent: ...
    @property
    def name(self) -> str: ...
    @property
    def spec(self) -> str: ...
    @property
    def sentence(self) -> str: ...
    def to_toml(self) -> str: ...
    def choose(
        self,
        state: State,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        role: Role | None = None,
        seed: int = 0,
    ) -> Decision: ...
    def player(self, game: Game, *, role: Role | None = None, seed: int = 0) -> Player: ...

@final
class Player:
    """Someone who plays a role of a whole game, and remembers what it searched."""

    @property
    def role(self) -> int: ...
    def choose(
        self, state: State, *, seconds: float | None = None, simulations: int | None = None
    ) -> Decision: ...
    def played(self, joint: Sequence[int]) -> None: ...

@final
class Experiment:
    """An experiment: a shipped one by its name, or a file."""

    def __new__(
        cls,
        file: str,
        *,
        profile: str = "full",
        seed: int | None = None,
        games: str | PathLike[str] | None = None,
    ) -> Experiment: ...
    @staticmethod
    def from_text(
        text: str,
        *,
        name: str = "experiment",
        profile: str = "full",
        seed: int | None = None,
        games: str | PathLike[str] | None = None,
    ) -> Experiment: ...
    @property
    def name(self) -> str: ...
    @property
    def profile(self) -> str: ...
    @property
    def plan(self) -> str: ...
    @property
    def seed(self) -> int | None: ...
    @property
    def games(self) -> Path | None: ...
    @property
    def text(self) -> str: ...
    def __len__(self) -> int: ...
    def run(
        self,
        store: str | PathLike[str] | None = None,
        *,
        threads: int = 1,
        watch: Callable[[int, int], object] | None = None,
    ) -> dict[str, Any]: ...
    def status(self, store: str | PathLike[str] | None = None) -> dict[str, Any]: ...
    def report(
        self, store: str | PathLike[str] | None = None, *, format: str = "markdown"
    ) -> str: ...
    def rows(self, store: str | PathLike[str] | None = None) -> list[dict[str, Any]]: ...
    def chunks(
        self, size: int, *, store: str | PathLike[str] | None = None
    ) -> list[str]: ...
    def run_chunk(self, chunk: str) -> list[str]: ...
    def merge(
        self, rows: Sequence[str], store: str | PathLike[str] | None = None
    ) -> int: ...

class GameEntry(TypedDict):
    name: str
    kind: str
    title: str
    tags: list[str]

class AgentEntry(TypedDict):
    name: str
    title: str
    sentence: str
    source: str
    spec: str

def games() -> list[GameEntry]: ...
def agents() -> list[AgentEntry]: ...
def experiments() -> list[str]: ...
def play(
    game: Game,
    agents: Sequence[AnyAgent],
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    start_seconds: float = 0.0,
    seed: int = 1,
    step_limit: int = 10_000,
    ponder: bool = True,
    facts: bool = False,
) -> dict[str, Any]: ...
def tournament(
    game: Game,
    agents: Sequence[AnyAgent],
    *,
    runs: int = 100,
    seconds: float | None = None,
    simulations: int | None = None,
    start_seconds: float = 0.0,
    seed: int = 1,
    step_limit: int = 10_000,
    ponder: bool = True,
    threads: int = 1,
) -> dict[str, Any]: ...
def restore(game: Game, seed: int, history: list[list[int]]) -> State: ...
