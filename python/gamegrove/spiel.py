"""Games and states with the interface of OpenSpiel.

>>> from gamegrove import spiel
>>> game = spiel.load_game("connect_four")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])

``load_game`` needs nothing of OpenSpiel. ``register`` makes a game known to an installed OpenSpiel, whose
own algorithms and checks then work with it: ``pyspiel.load_game(spiel.register("connect_four"))``.

Returns are from -1 (goal 0) to 1 (goal 100). Actions are numbers in ``gamegrove.Game.actions``. Games of
chance draw their chance from the seed of the start: to an algorithm they look deterministic.

OpenSpiel's search in C++ (``pyspiel.MCTSBot``) crashes with every game written in Python; its search in
Python (``open_spiel.python.algorithms.mcts``) works.
"""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple

import numpy as np

from ._gamegrove import Game as Rules
from ._gamegrove import GameError
from ._gamegrove import State as Position

TERMINAL_PLAYER = -4
SIMULTANEOUS_PLAYER = -2
CHANCE_PLAYER = -1

STEP_LIMIT = 10_000
"""What ``max_game_length`` says where nothing else is given: rules do not tell how long a game may last."""

SAMPLES = 500
"""Random games in which a game shows whether utilities have the same sum in every end."""


class PlayerAction(NamedTuple):
    """An action and who chose it."""

    player: int
    action: int


class GameType(NamedTuple):
    """What kind of game it is, in the words of OpenSpiel."""

    short_name: str
    long_name: str
    dynamics: str
    chance_mode: str
    information: str
    utility: str
    reward_model: str
    max_num_players: int
    min_num_players: int


class _Play:
    """What a state answers, in the form that OpenSpiel asks games written in Python."""

    _position: Position

    @property
    def position(self) -> Position:
        """The state as ``gamegrove`` has it."""
        return self._position

    def current_player(self) -> int:
        """Whose action is asked for: ``SIMULTANEOUS_PLAYER`` where several roles choose."""
        if self._position.terminal:
            return TERMINAL_PLAYER
        mover = self._position.mover
        return SIMULTANEOUS_PLAYER if mover is None else mover

    def _legal_actions(self, player: int) -> list[int]:
        if self._position.terminal or player < 0:
            return []
        # A player who is not to move has no action, also where rules call that a move.
        asked = self._position.mover in (None, player)
        return self._position.legal_actions(player) if asked else []

    def _apply_action(self, action: int) -> None:
        self._position = self._position.apply_actions(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self._position = self._position.apply_actions(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._position.game.actions[action]

    def is_terminal(self) -> bool:
        return self._position.terminal

    def returns(self) -> list[float]:
        goals = self._position.goals
        return [goal / 50 - 1 if self._position.terminal else 0.0 for goal in goals]

    def __str__(self) -> str:
        return str(self._position)


class State(_Play):
    """A state with the methods of ``pyspiel.State``."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game = game
        self._seed = seed
        self._position = game.rules.initial_state(seed)
        self._course: list[PlayerAction] = []
        # The positions before each step, and how many actions the step had.
        self._before: list[tuple[Position, int]] = []

    def get_game(self) -> Game:
        return self._game

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def is_chance_node(self) -> bool:
        return False

    def is_simultaneous_node(self) -> bool:
        return self.current_player() == SIMULTANEOUS_PLAYER

    def is_player_node(self) -> bool:
        return self.current_player() >= 0

    def legal_actions(self, player: int | None = None) -> list[int]:
        return self._legal_actions(self.current_player() if player is None else player)

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        mask = [0] * self.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        before, player = self._position, self.current_player()
        self._apply_action(action)
        self._before.append((before, 1))
        self._course.append(PlayerAction(player, action))

    def apply_actions(self, actions: list[int]) -> None:
        before = self._position
        self._apply_actions(actions)
        self._before.append((before, len(actions)))
        self._course += map(PlayerAction, range(len(actions)), actions)

    def child(self, action: int) -> State:
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> State:
        # Positions never change, so they can be shared.
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other._course, other._before = list(self._course), list(self._before)
        return other

    def action_to_string(self, first: int, second: int | None = None) -> str:
        if second is None:
            return self._action_to_string(self.current_player(), first)
        return self._action_to_string(first, second)

    def string_to_action(self, first: int | str, second: str | None = None) -> int:
        text = str(first if second is None else second)
        try:
            return self._position.game.actions.index(text)
        except ValueError:
            raise GameError(f"{self._position.game.name} has no action {text}") from None

    def rewards(self) -> list[float]:
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        return self.rewards()[player]

    def history(self) -> list[int]:
        """Actions as they were chosen; of steps in which several chose, one after another."""
        return [action for _, action in self.full_history()]

    def full_history(self) -> list[PlayerAction]:
        """Actions with who chose them; of steps in which several chose, one after another."""
        return list(self._course)

    def history_str(self) -> str:
        return ", ".join(str(action) for action in self.history())

    def is_initial_state(self) -> bool:
        return not self._course

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back."""
        if not self._before or self._course[-1] != (player, action):
            raise GameError(f"the last action was not {action} of player {player}")
        self._position, count = self._before.pop()
        del self._course[-count:]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """There are no chance nodes, so this is always an error."""
        raise GameError("chance belongs to the seed of the start; there are no chance nodes")

    def serialize(self) -> str:
        """The seed and the actions, for ``Game.deserialize_state``."""
        return json.dumps({"seed": self._seed, "steps": self._steps()})

    def _steps(self) -> list[list[int]]:
        steps, at = [], 0
        for _, count in self._before:
            steps.append([action for _, action in self._course[at : at + count]])
            at += count
        return steps

    def to_string(self) -> str:
        return str(self)

    def move_number(self) -> int:
        return len(self._course)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        return self._position.observation().astype(float).ravel().tolist()

    def observation_string(self, player: int | None = None) -> str:
        return str(self)

    def information_state_string(self, player: int | None = None) -> str:
        """All actions so far: what a player knows who remembers everything."""
        return self.history_str()


class Observer:
    """What a player sees of a state, in the form that OpenSpiel asks of games written in Python."""

    def __init__(self, rules: Rules) -> None:
        shape = rules.observation_shape or []
        self.tensor = np.zeros(math.prod(shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: _Play, player: int) -> None:
        """Writes what a player sees into ``tensor`` and ``dict``."""
        self.dict["observation"][...] = state.position.observation()

    def string_from(self, state: _Play, player: int) -> str:
        """What a player sees, as text."""
        return str(state)


class Game:
    """A game with the methods of ``pyspiel.Game``."""

    def __init__(self, rules: Rules, *, max_game_length: int = STEP_LIMIT) -> None:
        if rules.observation_shape is None:
            raise GameError(
                f"{rules.name} has no network, so its actions cannot be numbered; "
                "gamegrove.State plays it all the same"
            )
        self.rules = rules
        self._length = max_game_length
        self._sum = sum_of_utilities(rules)
        self._turns: bool | None = None

    def new_initial_state(self, seed: int = 0) -> State:
        return State(self, seed)

    def num_players(self) -> int:
        return len(self.rules.roles)

    def num_distinct_actions(self) -> int:
        return len(self.rules.actions)

    def policy_tensor_shape(self) -> list[int]:
        return [self.num_distinct_actions()]

    def action_to_string(self, player: int, action: int) -> str:
        return self.rules.actions[action]

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def utility_sum(self) -> float | None:
        """The sum of all players' returns, if it was the same at the end of all random games that were
        tried; None otherwise."""
        return self._sum

    def max_game_length(self) -> int:
        return self._length

    def max_history_length(self) -> int:
        return self._length * (1 if self._takes_turns() else self.num_players())

    def max_chance_outcomes(self) -> int:
        return 0

    def observation_tensor_shape(self) -> list[int]:
        return list(self.rules.observation_shape or [])

    def observation_tensor_size(self) -> int:
        return math.prod(self.observation_tensor_shape())

    def make_observer(self) -> Observer:
        return Observer(self.rules)

    def get_parameters(self) -> dict[str, Any]:
        return {}

    def get_type(self) -> GameType:
        players = self.num_players()
        return GameType(
            short_name=self.rules.name,
            long_name=self.rules.name,
            dynamics="SEQUENTIAL" if self._takes_turns() else "SIMULTANEOUS",
            chance_mode="DETERMINISTIC",
            information="PERFECT_INFORMATION",
            utility=utility_name(self._sum),
            reward_model="TERMINAL",
            max_num_players=players,
            min_num_players=players,
        )

    def deserialize_state(self, text: str) -> State:
        """The state that ``State.serialize`` wrote."""
        read = json.loads(text)
        state = self.new_initial_state(read["seed"])
        for actions in read["steps"]:
            if len(actions) == 1 and not state.is_simultaneous_node():
                state.apply_action(actions[0])
            else:
                state.apply_actions(actions)
        return state

    def _takes_turns(self) -> bool:
        if self._turns is None:
            self._turns = takes_turns(self.rules)
        return self._turns

    def __str__(self) -> str:
        return f"{self.rules.name}()"


def load_game(
    game: Rules | str,
    parameters: dict[str, Any] | None = None,
    *,
    max_game_length: int = STEP_LIMIT,
    **options: Any,
) -> Game:
    """A game by its name or path, or one that is open. ``parameters`` and further options are those of
    ``gamegrove.Game``."""
    return Game(_rules(game, {**(parameters or {}), **options}), max_game_length=max_game_length)


def _rules(game: Rules | str, options: dict[str, Any]) -> Rules:
    if not isinstance(game, Rules):
        return Rules(game, **options)
    if options:
        raise GameError("a Game is open already; give options where the Game is made")
    return game


def sum_of_utilities(rules: Rules) -> float | None:
    """The sum of all players' returns if it was the same at the end of all of some random games."""
    players = len(rules.roles)
    if players == 1:
        return None
    played = rules.playouts(SAMPLES, limit=STEP_LIMIT)
    sums = np.unique(played.goals[played.endings == 0].sum(axis=1))
    return float(sums[0]) / 50 - players if len(sums) == 1 else None


def utility_name(total: float | None) -> str:
    """How OpenSpiel calls utilities with this sum."""
    if total is None:
        return "GENERAL_SUM"
    return "ZERO_SUM" if total == 0 else "CONSTANT_SUM"


def takes_turns(rules: Rules, games: int = 20, seed: int = 1) -> bool:
    """Whether never two roles had a choice at the same time in some random games."""
    import random

    generator = random.Random(seed)
    for _ in range(games):
        position = rules.initial_state()
        for _ in range(STEP_LIMIT):
            if position.terminal:
                break
            if position.mover is None:
                return False
            position = position.apply_actions(generator.choice(position.legal_actions()))
    return True


def register(
    game: Rules | str,
    parameters: dict[str, Any] | None = None,
    *,
    max_game_length: int = STEP_LIMIT,
    **options: Any,
) -> str:
    """Makes a game known to OpenSpiel; returns what it is called there. Arguments are those of
    ``load_game``."""
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

    options = {**(parameters or {}), **options}
    own = Game(_rules(game, options), max_game_length=max_game_length)
    rules, about = own.rules, own.get_type()
    # With other options it is another game.
    full = "_".join([rules.name, *(f"{key}_{options[key]}" for key in sorted(options))])
    short = f"gamegrove_{''.join(c if c.isalnum() else '_' for c in full)}"
    while isinstance(game, Rules) and _registered.get(short, game) is not game:
        short += "_"
    if short in pyspiel.registered_names():
        return short
    kind = pyspiel.GameType(
        short_name=short,
        long_name=rules.name,
        dynamics=getattr(pyspiel.GameType.Dynamics, about.dynamics),
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=getattr(pyspiel.GameType.Utility, about.utility),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=own.num_players(),
        min_num_players=own.num_players(),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    numbers = pyspiel.GameInfo(
        num_distinct_actions=own.num_distinct_actions(),
        max_chance_outcomes=0,
        num_players=own.num_players(),
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=own.utility_sum(),
        max_game_length=max_game_length,
    )

    class SpielState(_Play, pyspiel.State):  # type: ignore[misc]
        def __init__(self, game: Any) -> None:
            pyspiel.State.__init__(self, game)
            self._position = rules.initial_state()

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, numbers, params or {})

        def new_initial_state(self) -> SpielState:
            return SpielState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            if iig_obs_type is None or (
                iig_obs_type.public_info and not iig_obs_type.perfect_recall
            ):
                return Observer(rules)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    pyspiel.register_game(kind, SpielGame)
    _registered[short] = rules
    return short


_registered: dict[str, Rules] = {}
"""What was registered, by name: another open game of the same name gets another."""
