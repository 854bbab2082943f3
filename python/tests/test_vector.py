"""Batches: Gymnasium's vector form, against single states, and with wrong arguments."""

import gamegrove as gg
import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gamegrove.vector import BatchEnv
from gymnasium.vector import AutoresetMode, VectorEnv


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("name", ["connect_four", "tron", "eight_puzzle", "othello"])
def test_games_are_those_of_single_states(opened, name, mode):
    game, games = opened(name), 30
    env = BatchEnv(game, games, autoreset_mode=mode, limit=40)
    numbers = [
        {names: number for number, names in enumerate(_names(game, role))}
        for role in range(len(game.roles))
    ]
    observations, infos = env.reset(seed=3)
    start = game.initial_state()
    states, steps, over = [start] * games, [0] * games, [False] * games
    ends = 0
    rng = np.random.default_rng(1)
    for _ in range(90):
        legal = infos["legal"].reshape(games, env.batch.choosers, -1)
        actions = (rng.random(legal.shape) * (legal + 1e-9)).argmax(axis=2)
        joints = []
        for i, state in enumerate(states):
            moves = []
            for role in range(len(game.roles)):
                allowed = state.legal(role)
                if over[i] or len(allowed) == 1:
                    moves.append(allowed[0] if allowed else 0)
                    continue
                action = actions[i][role if env.batch.choosers > 1 else 0]
                moves.append(numbers[role][env.actions[action]])
                assert moves[-1] in allowed
            joints.append(moves)
        given = actions if env.batch.choosers > 1 else actions[:, 0]
        observations, rewards, terminated, truncated, infos = env.step(given)
        for i in range(games):
            if over[i]:
                states[i], steps[i], over[i] = start, 0, False
                assert not terminated[i] and not truncated[i] and rewards[i] == 0
            else:
                states[i], steps[i] = states[i].apply(joints[i]), steps[i] + 1
                assert terminated[i] == states[i].terminal
                assert truncated[i] == (not states[i].terminal and steps[i] == 40)
                if terminated[i] or truncated[i]:
                    ends += 1
                    assert list(infos["goals"][i]) == list(states[i].goals)
                    assert rewards[i] == pytest.approx(states[i].goals[0] / 100)
                    if mode == AutoresetMode.SAME_STEP:
                        assert infos["_final_obs"][i]
                        assert (infos["final_obs"][i] == states[i].observation()).all()
                        states[i], steps[i] = start, 0
                    else:
                        over[i] = True
                        assert not infos["legal"][i].any()
            assert (observations[i] == states[i].observation()).all()
    assert ends > 0


def _names(game, role):
    return [game.move_name(role, move) for move in range(game.move_count(role))]


def test_it_is_a_vector_environment(opened):
    env = BatchEnv(opened("connect_four"), 8)
    assert isinstance(env, VectorEnv) and env.num_envs == 8
    observations, infos = env.reset(seed=1)
    assert observations in env.observation_space
    assert env.action_space.shape == (8,) and len(env.actions) == 7
    for _ in range(50):
        observations, rewards, terminated, truncated, infos = env.step_at_random()
        assert observations in env.observation_space
        assert rewards.shape == terminated.shape == truncated.shape == (8,)
        assert terminated.dtype == truncated.dtype == np.bool_
    env.close()


def test_equal_seeds_give_equal_games_on_any_number_of_threads(opened):
    def play(seed, threads):
        env = BatchEnv(opened("breakthrough"), 2000, threads=threads, copy=True)
        seen = [env.reset(seed=seed)[0]]
        for _ in range(20):
            seen.append(env.step_at_random()[0])
        return np.stack(seen)

    assert (play(4, 1) == play(4, 2)).all()
    assert (play(4, 1) != play(5, 1)).any()


def test_no_copies_unless_they_are_wanted(opened):
    for copy in (False, True):
        env = BatchEnv(opened("tic_tac_toe"), 4, copy=copy)
        first, _ = env.reset(seed=1)
        before = first.copy()
        second = env.step_at_random()[0]
        assert (first is second) != copy
        assert (first == before).all() == copy


def test_what_is_wrong_is_an_error(opened):
    game = opened("tic_tac_toe")
    env = BatchEnv(game, 3)
    observations, _ = env.reset(seed=1)
    before = observations.copy()
    wrong = [
        [0, 1],
        [[0, 1, 2]],
        [0.0, 1.0, 2.0],
        [0, 1, 9],
        [0, 1, -1],
        [0, 1, 1 << 62],
        "abc",
        None,
        np.zeros(3, np.bool_),
    ]
    for actions in wrong:
        with pytest.raises(gg.GameError):
            env.step(actions)
    assert (observations == before).all()
    env.step([0, 0, 0])
    with pytest.raises(gg.GameError, match="game 1"):
        env.step([1, 0, 1])
    for arguments in [
        {"num_envs": 0},
        {"num_envs": 1 << 40},
        {"limit": 0},
        {"role": "red"},
        {"role": 7},
        {"autoreset_mode": "Disabled"},
        {"autoreset_mode": "never"},
    ]:
        with pytest.raises(gg.GameError):
            BatchEnv(**{"game": game, "num_envs": 2, **arguments})
    with pytest.raises(gg.GameError):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(gg.GameError):
        BatchEnv(opened("zelda"), 2)
    with pytest.raises(gg.GameError):
        BatchEnv(3, 2)


def test_a_game_of_a_batch_is_a_state():
    env = BatchEnv("connect_four", 600)
    _, infos = env.reset(seed=1)
    columns = [[0, 1, 2], [3, 3, 4]]
    for step in range(3):
        actions = np.zeros(600, np.int64)
        actions[[7, 599]] = [columns[0][step], columns[1][step]]
        observations, *_ = env.step(actions)
    for number, chosen in zip((7, 599), columns):
        state = env.game.initial_state()
        for action in chosen:
            state = state.apply_actions(action)
        found = env.state(number)
        assert found == state and (found.observation() == observations[number]).all()
        assert gg.Agent("mcts").choose(found, simulations=10).move in found.legal()
        assert found.svg()
    with pytest.raises(gg.GameError, match="games 0 to 599, not 600"):
        env.state(600)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_observations_have_three_forms(mode):
    forms = ("bytes", "bits", "floats")
    envs = [BatchEnv("tic_tac_toe", 100, autoreset_mode=mode, observations=form) for form in forms]
    results = [env.reset(seed=4) for env in envs]
    for _ in range(12):
        (facts, *_, infos), bits, floats = results
        assert facts.dtype == np.uint8 and floats[0].dtype == np.float32
        for env, (seen, *_) in zip(envs, results):
            assert env.observation_space.contains(seen)
        for seen, packed, numbers in [
            (facts, bits[0], floats[0]),
            *([(r[-1]["final_obs"] for r in results)] if "final_obs" in infos else []),
        ]:
            assert (numbers == seen).all()
            opened = np.unpackbits(packed.view(np.uint8), axis=1, bitorder="little")
            assert (opened[:, : seen.shape[1]] == seen).all()
        results = [env.step_at_random() for env in envs]
    with pytest.raises(gg.GameError, match="no observations are"):
        BatchEnv("tic_tac_toe", 1, observations="planes")


def test_arrays_are_shared_without_copying():
    env = BatchEnv("tic_tac_toe", 5)
    observations, _ = env.reset(seed=1)
    shared = np.from_dlpack(observations)
    before = shared.copy()
    env.step_at_random()
    assert (shared == observations).all() and (shared != before).any()
