"""Speed from Python: one question at a time, random games in bulk, and side by side with OpenSpiel.

    python speed.py [--seconds 5] [--grove PATH]

Rates are per second of processor time on one core, so that what else the machine does counts little, and
what is compared is measured in turns within one run. Play-outs of OpenSpiel are counted by a loop in Python over its states, and in C++, inside its
evaluator; simulations by its search in C++ with one play-out each.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import time

import gamegrove as gg


def per_call(seconds, work, calls=2000):
    """Seconds a call: the best of many rounds."""
    best, end = float("inf"), time.process_time() + seconds
    while time.process_time() < end:
        since = time.process_time()
        for _ in range(calls):
            work()
        best = min(best, (time.process_time() - since) / calls)
    return best


def single(seconds):
    state = gg.Game("tic_tac_toe").initial_state()
    move = state.legal()[4]

    def work():
        state.apply(move).legal()

    print(f"apply + legal, tic_tac_toe: {per_call(seconds, work) * 1e6:.2f} µs")


def grove_bench(grove, game, seconds):
    """Play-outs a second: what a longer run does more than a short one, which pays for the set-up too."""

    def run(length):
        command = [grove, "bench", game, "--reasoner", "lanes", "--threads", "1"]
        command += ["--seconds", str(length), "--json"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return json.loads(output)[0]["playouts"], spent

    (few, short), (many, long) = run(seconds / 10), run(seconds)
    return (many - few) / (long - short)


def playouts(game, seconds, count):
    """Play-outs a second in calls of so many games."""
    calls, since = 0, time.process_time()
    while time.process_time() - since < seconds:
        game.playouts(count, seed=calls)
        calls += 1
    return calls * count / (time.process_time() - since)


def bulk(grove, seconds, rounds=9):
    """In calls of a tenth of a second, and in one call of all games, which has to fetch all its memory anew."""
    for name in ["tic_tac_toe", "connect_four", "breakthrough", "othello"]:
        game = gg.Game(name, reasoner="lanes")
        rate = playouts(game, seconds / 4, 4096)
        few, all_at_once = int(rate / 10), min(int(rate * seconds), 50_000_000)
        ours, whole, bench = [], [], []
        for _ in range(rounds):
            ours.append(playouts(game, seconds, few))
            whole.append(playouts(game, seconds / 2, all_at_once))
            if grove:
                bench.append(grove_bench(grove, name, seconds))
        text = f"{name}: {statistics.median(ours):,.0f} play-outs/s from Python in calls of {few:,}"
        text += f", {statistics.median(whole):,.0f} in one of {all_at_once:,}"
        if bench:
            ratios = [statistics.median(a / b for a, b in zip(some, bench)) for some in (ours, whole)]
            text += f", {statistics.median(bench):,.0f} by grove bench"
            text += f", ratios {ratios[0]:.3f} and {ratios[1]:.3f}"
        print(text, flush=True)


def spiel_loop(game, seconds):
    """Play-outs a second by a loop in Python over states in C++."""
    count, since = 0, time.process_time()
    while time.process_time() - since < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
        count += 1
    return count / (time.process_time() - since)


def spiel_search(pyspiel, game, simulations):
    """Simulations a second of the search in C++."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
    state = game.new_initial_state()
    since = time.process_time()
    bot.step(state)
    return simulations / (time.process_time() - since)


def spiel_evaluate(pyspiel, game, count):
    """Play-outs a second in C++: a search of one simulation evaluates the start by so many play-outs."""
    evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, 1, False)
    state = game.new_initial_state()
    since = time.process_time()
    bot.step(state)
    return count / (time.process_time() - since)


def same_game(theirs, ours):
    """Whether both have the same number of sequences of one, two and three moves."""

    def count(state, depth):
        if depth == 0:
            return 1
        if state.is_terminal():
            return 0
        return sum(count(state.child(action), depth - 1) for action in state.legal_actions())

    start = theirs.new_initial_state()
    return all(count(start, depth) == ours.perft(depth)[0] for depth in (1, 2, 3))


def side_by_side(seconds, rounds=3):
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed: no comparison")
        return
    agent = gg.Agent("mcts")
    for name in ["connect_four", "breakthrough", "othello"]:
        theirs = pyspiel.load_game(name)
        lanes, one = gg.Game(name, reasoner="lanes"), gg.Game(name, reasoner="propnet")
        rows = {}

        def note(key, value):
            rows.setdefault(key, []).append(value)

        for number in range(rounds):
            count = 200_000
            since = time.process_time()
            lanes.playouts(count, seed=number)
            note("play-outs, ours in bulk", count / (time.process_time() - since))
            note("play-outs, OpenSpiel in C++", spiel_evaluate(pyspiel, theirs, 5000))
            note("play-outs, OpenSpiel by a loop in Python", spiel_loop(theirs, seconds / 2))
            for key, game in (("lanes", lanes), ("one state at a time", one)):
                state = game.initial_state()
                since = time.process_time()
                found = agent.choose(state, seconds=seconds, seed=number)
                note(f"simulations, ours ({key})", found.simulations / (time.process_time() - since))
            note("simulations, OpenSpiel in C++", spiel_search(pyspiel, theirs, 5000))
        print(name if same_game(theirs, lanes) else f"{name} (not the same game)")
        for key, values in rows.items():
            print(f"  {key}: {statistics.median(values):,.0f} a second")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--grove", help="the command, to be measured beside the package")
    args = parser.parse_args()
    single(args.seconds)
    bulk(args.grove, args.seconds)
    side_by_side(args.seconds)
