"""Games and states with the interface of OpenSpiel.

>>> from gamegrove import spiel
>>> game = spiel.load_game("connect_four")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])

``load_game`` needs nothing of OpenSpiel. ``register`` makes a game known to an installed OpenSpiel, whose
own algorithms and checks then work with it: ``pyspiel.load_game(spiel.register("connect_four"))``.

Returns are from -1 (goal 0) to 1 (goal 100). Actions are the numbers of moves. Games of chance draw
their chance from the seed of the start: to an algorithm they look deterministic.
"""

from __future__ import annotations

from typing import Any

from ._gamegrove import Game as Rules
from ._gamegrove import State as Position

TERMINAL_PLAYER = -4
SIMULTANEOUS_PLAYER = -2
CHANCE_PLAYER = -1

STEP_LIMIT = 10_000
"""What ``max_game_length`` says: rules do not tell how long a game may last."""


class _Play:
    """What a state answers, in the form that OpenSpiel asks games written in Python."""

    _position: Position

    def current_player(self) -> int:
        if self._position.terminal:
            return TERMINAL_PLAYER
        turn = self._position.turn
        return SIMULTANEOUS_PLAYER if turn is None else turn

    def _legal_actions(self, player: int) -> list[int]:
        if self._position.terminal or player < 0:
            return []
        turn = self._position.turn
        # Who is not to move has nothing to choose, also where rules call that a move.
        return sorted(self._position.legal(player)) if turn in (None, player) else []

    def _apply_action(self, action: int) -> None:
        self._position = self._position.apply(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self._position = self._position.apply(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._position.game.move_name(player, action)

    def is_terminal(self) -> bool:
        return self._position.terminal

    def returns(self) -> list[float]:
        goals = self._position.goals
        return [goal / 50 - 1 if self._position.terminal else 0.0 for goal in goals]

    def __str__(self) -> str:
        return str(self._position)


class State(_Play):
    """A state with the methods of ``pyspiel.State``."""

    def __init__(self, game: Game, start: Position, position: Position) -> None:
        self._game = game
        self._start = start
        self._position = position

    @property
    def position(self) -> Position:
        """The state as ``gamegrove`` has it."""
        return self._position

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
        self._apply_action(action)

    def apply_actions(self, actions: list[int]) -> None:
        self._apply_actions(actions)

    def child(self, action: int) -> State:
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> State:
        # Positions never change, so they can be shared.
        return State(self._game, self._start, self._position)

    def action_to_string(self, first: int, second: int | None = None) -> str:
        if second is None:
            return self._action_to_string(self.current_player(), first)
        return self._action_to_string(first, second)

    def string_to_action(self, first: int | str, second: str | None = None) -> int:
        player, text = (self.current_player(), first) if second is None else (first, second)
        return self._position.game.move_number(player, str(text))

    def rewards(self) -> list[float]:
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        return self.rewards()[player]

    def history(self) -> list[int]:
        """Actions as they were chosen; of steps in which several chose, one after another."""
        return [action for _, action in self.full_history()]

    def full_history(self) -> list[tuple[int, int]]:
        actions = []
        position = self._start
        for joint in self._position.history:
            turn = position.turn
            players = range(len(joint)) if turn is None else [turn]
            actions += [(player, joint[player]) for player in players]
            position = position.apply(joint)
        return actions

    def move_number(self) -> int:
        return len(self._position.history)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        return self._position.observation().astype(float).ravel().tolist()

    def observation_string(self, player: int | None = None) -> str:
        return str(self)

    def information_state_string(self, player: int | None = None) -> str:
        return " ".join(str(action) for action in self.history())


class Game:
    """A game with the methods of ``pyspiel.Game``."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def new_initial_state(self, seed: int = 0) -> State:
        start = self.rules.initial_state(seed)
        return State(self, start, start)

    def num_players(self) -> int:
        return len(self.rules.roles)

    def num_distinct_actions(self) -> int:
        return max(self.rules.move_count(role) for role in range(self.num_players()))

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def max_game_length(self) -> int:
        return STEP_LIMIT

    def max_chance_outcomes(self) -> int:
        return 0

    def observation_tensor_shape(self) -> list[int]:
        return list(self.rules.observation_shape or [])

    def observation_tensor_size(self) -> int:
        size = 1
        for length in self.observation_tensor_shape():
            size *= length
        return size

    def __str__(self) -> str:
        return f"{self.rules.name}()"


def load_game(name: str, **options: Any) -> Game:
    """A game by its name or path; options are those of ``gamegrove.Game``."""
    return Game(Rules(name, **options))


def takes_turns(rules: Rules, games: int = 20, seed: int = 1) -> bool:
    """Whether never two roles had a choice at the same time in some random games."""
    import random

    generator = random.Random(seed)
    for _ in range(games):
        position = rules.initial_state()
        for _ in range(STEP_LIMIT):
            if position.terminal:
                break
            if position.turn is None:
                return False
            position = position.apply(generator.choice(position.legal()))
    return True


def register(name: str, **options: Any) -> str:
    """Makes a game known to OpenSpiel; returns what it is called there."""
    import pyspiel

    rules = Rules(name, **options)
    # With other options it is another game.
    full = "_".join([rules.name, *(f"{key}_{options[key]}" for key in sorted(options))])
    short = f"gamegrove_{''.join(c if c.isalnum() else '_' for c in full)}"
    if short in pyspiel.registered_names():
        return short
    players = len(rules.roles)
    turns = takes_turns(rules)
    dynamics = pyspiel.GameType.Dynamics
    kind = pyspiel.GameType(
        short_name=short,
        long_name=rules.name,
        dynamics=dynamics.SEQUENTIAL if turns else dynamics.SIMULTANEOUS,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    about = pyspiel.GameInfo(
        num_distinct_actions=max(rules.move_count(role) for role in range(players)),
        max_chance_outcomes=0,
        num_players=players,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=None,
        max_game_length=STEP_LIMIT,
    )

    class SpielState(_Play, pyspiel.State):  # type: ignore[misc]
        def __init__(self, game: Any) -> None:
            pyspiel.State.__init__(self, game)
            self._position = rules.initial_state()

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, about, params or {})

        def new_initial_state(self) -> SpielState:
            return SpielState(self)

    pyspiel.register_game(kind, SpielGame)
    return short
