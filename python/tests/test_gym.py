"""Gymnasium's own checks of the environments."""

import copy
import pickle
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import gamegrove as gg  # noqa: E402
from gamegrove._pixels import pixels  # noqa: E402
from gamegrove.gym import GroveEnv, register  # noqa: E402


@pytest.mark.parametrize("name", ["zelda", "aliens", "hanoi"])
def test_gymnasium_finds_nothing_wrong(name):
    env = GroveEnv(name, max_steps=50)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What a checker only recommends: an environment made by name.
        warnings.filterwarnings("ignore", message=".*spec.*")
        check_env(env, skip_render_check=True)


def test_environments_are_made_by_name():
    names = register()
    assert "Grove/zelda-v0" in names and len(names) > 25
    env = gymnasium.make("Grove/zelda-v0", level=1)
    check_env(env.unwrapped, skip_render_check=True)
    seen, info = env.reset(seed=3)
    for _ in range(10):
        seen, reward, terminated, truncated, info = env.step(env.action_space.sample())
        if terminated or truncated:
            break
    assert env.observation_space.contains(seen)


def test_a_won_level_is_worth_its_score():
    rules = """BasicGame
    SpriteSet
        hero > MovingAvatar
        gem > Immovable
    LevelMapping
        A > hero
        g > gem
    InteractionSet
        gem hero > killSprite scoreChange=3
    TerminationSet
        SpriteCounter stype=gem limit=0 win=True
"""
    env = GroveEnv(gg.Game.from_text(rules, level="A g"), render_mode="ansi")
    _, info = env.reset(seed=1)
    right = env.game.actions.index("RIGHT")
    assert env.action_masks()[right] and info["action_mask"][right]
    _, reward, terminated, *_ = env.step(right)
    assert reward == 0 and not terminated
    _, reward, terminated, truncated, info = env.step(right)
    assert reward == 3 and terminated and not truncated and info["won"]
    assert isinstance(env.render(), str)


def test_illegal_actions_are_replaced_or_refused():
    env = GroveEnv("hanoi")
    _, info = env.reset(seed=1)
    illegal = np.flatnonzero(info["action_mask"] == 0)
    *_, info = env.step(illegal[0])
    assert info["illegal"]
    strict = GroveEnv("hanoi", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(gg.GameError, match="no legal move"):
        strict.step(illegal[0])


def test_levels_end_at_the_limit():
    env = GroveEnv("aliens", max_steps=5)
    env.reset(seed=1)
    ends = [env.step(env.game.actions.index("NIL"))[3] for _ in range(5)]
    assert ends == [False] * 4 + [True]


def test_games_for_several_are_elsewhere():
    with pytest.raises(gg.GameError, match="gamegrove.zoo"):
        GroveEnv("tic_tac_toe")


def test_a_game_that_is_open_has_its_level():
    with pytest.raises(gg.GameError, match="has its level"):
        GroveEnv(gg.Game("zelda"), level=3)
    with pytest.raises(gg.GameError, match="not NoneType"):
        GroveEnv(None)


def test_play_begins_and_ends_with_reset():
    env = GroveEnv("zelda", max_steps=5)
    with pytest.raises(gg.GameError, match="call `reset`"):
        env.step(0)
    with pytest.raises(gg.GameError, match="at least one step"):
        GroveEnv("zelda", max_steps=0)
    with pytest.raises(gg.GameError, match="no render mode"):
        GroveEnv("zelda", render_mode="human")


@pytest.mark.parametrize("name", ["zelda", "eight_puzzle", "hanoi"])
def test_states_are_drawn_as_pixels(name):
    register()
    env = gymnasium.make(f"Grove/{name}-v0", render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    _, info = env.reset(seed=1)
    frames = [env.render()]
    for _ in range(8):
        *_, info = env.step(np.flatnonzero(info["action_mask"])[-1])
        frames.append(env.render())
    assert {(frame.shape, frame.dtype) for frame in frames} == {(frames[0].shape, np.dtype("uint8"))}
    assert any((frame != frames[0]).any() for frame in frames)


def test_pixels_have_the_colours_of_the_drawing():
    drawing = """<svg viewBox="0 0 20 10"><style>svg{--x:#0a0b0c}@media(prefers-color-scheme:dark){svg{--x:#fff}}
    .s{fill:var(--x)}</style><rect width="10" height="10" fill="#ff0000"/><circle class="s" cx="15" cy="5" r="4"/>
    <g transform="translate(10 0) scale(0.5)"><path d="M0 0H4V4L0 4Z" fill="var(--g-a,#00ff00)"/></g></svg>"""
    seen = pixels(drawing)
    assert seen.shape == (10, 20, 3)
    assert seen[5, 5].tolist() == [255, 0, 0] and seen[5, 15].tolist() == [10, 11, 12]
    assert seen[0, 10].tolist() == [0, 255, 0] and seen[9, 10].tolist() == [255, 255, 255]


def test_steps_are_refused_after_the_end_and_with_wrong_numbers():
    env = GroveEnv("aliens", max_steps=2)
    env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(1.7)
    env.step(0)
    *_, truncated, _ = env.step(np.int64(0))
    assert truncated
    with pytest.raises(gg.GameError, match="call `reset`"):
        env.step(0)


def test_environments_are_copied_in_the_middle_of_play():
    env = GroveEnv("zelda", level=1)
    env.reset(seed=5)
    for action in (1, 2, 0, 3):
        env.step(action)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.state == env.state
        after = [each.step(1)[0] for each in (copy.deepcopy(env), other)]
        assert (after[0] == after[1]).all()
