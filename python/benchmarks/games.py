"""The table of all shipped games: what an agent sees, how many actions and players there are, and steps a second.

    python games.py [--seconds 0.3] [--envs 4096] [NAME ...]

Steps are counted in ``gamegrove.vector.BatchEnv`` with observations, masks, rewards and ends, per second of
processor time on one thread: with random legal actions chosen in Rust, and with the same actions passed in as
a NumPy array, which takes no time for choosing. Games without lanes are stepped one by one:
``GroveEnv`` for one player, ``GroveParallel`` for several, with random actions.
"""

import argparse
import random
import time

import gamegrove as gg
from gamegrove.gym import GroveEnv
from gamegrove.vector import BatchEnv
from gamegrove.zoo import GroveParallel


def batch(game, envs, seconds):
    """Steps a second at random and with given actions: those that were chosen at random a moment before."""
    leader, follower = BatchEnv(game, envs), BatchEnv(game, envs)
    seen = [leader.reset(seed=1), follower.reset(seed=1)]
    steps, spent = 0, [0.0, 0.0]
    while min(spent) < seconds:
        begin = time.process_time()
        seen[0] = leader.step_at_random()
        middle = time.process_time()
        seen[1] = follower.step(seen[0][4]["actions"])
        end = time.process_time()
        spent = [spent[0] + middle - begin, spent[1] + end - middle]
        steps += envs
    assert (seen[0][0] == seen[1][0]).all(), "equal actions make equal games"
    return [steps / each for each in spent]


def one_by_one(game, seconds):
    """Steps a second of a single environment."""
    alone = len(game.roles) == 1
    env = GroveEnv(game) if alone else GroveParallel(game, max_steps=1000)
    choices = range(len(game.actions))
    steps, since = 0, time.process_time()
    over = True
    while time.process_time() - since < seconds:
        if over:
            env.reset(seed=steps)
        if alone:
            _, _, terminated, truncated, _ = env.step(random.choice(choices))
            over = terminated or truncated
        else:
            env.step({agent: random.choice(choices) for agent in env.agents})
            over = not env.agents
        steps += 1
    return steps / (time.process_time() - since)


def shown(rate):
    """Three digits at most: 1.2 k, 345 k, 67 M."""
    for size, sign in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            value = rate / size
            return f"{value:.0f}{sign}" if value >= 10 else f"{value:.1f}{sign}"
    return f"{rate:.0f}"


def row(name, envs, seconds):
    game = gg.Game(name)
    if game.observation_shape is None:
        return f"| `{name}` | {len(game.roles)} | – | – | – | – |"
    shape = " × ".join(map(str, game.observation_shape))
    try:
        rates = [shown(rate) for rate in batch(game, envs, seconds)]
    except gg.GameError:
        rates = ["–", f"{shown(one_by_one(game, seconds))} (one by one)"]
    return f"| `{name}` | {len(game.roles)} | {shape} | {len(game.actions)} | {' | '.join(rates)} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="games; all that ship without names")
    parser.add_argument("--seconds", type=float, default=0.3, help="processor time for each figure")
    parser.add_argument("--envs", type=int, default=4096, help="games in a batch")
    args = parser.parse_args()
    print("| game | players | observation | actions | steps a second, random | with actions given |")
    print("|---|---:|---|---:|---:|---:|")
    for name in args.names or [entry["name"] for entry in gg.games()]:
        print(row(name, args.envs, args.seconds), flush=True)
