"""What an experiment on Ray costs besides its games, and how chunks a second grow with workers.

    python scaling.py [--workers 1 2] [--seconds 5] [--rounds 3]

Chunks of about so many seconds are played with each number of workers, in turns. Whatever else the machine
does slows chunks down, so two things are told besides chunks a second: how much of the workers' time was
spent in chunks (what is left is what the engine costs), and processor time.
"""

import argparse
import json
import os
import pathlib
import pickle
import resource
import subprocess
import sys
import tempfile
import time

import ray

import gamegrove as gg
import gamegrove.ray

EXPERIMENT = """
title = "Scaling"
layout = "duels"
runs = 2000
reasoner = "propnet"
budget = { simulations = SIMULATIONS }
agents = [{ name = "uct", agent = "mcts" }, { name = "mast", agent = "mcts(playout=mast)" }]
columns = [{ label = "MAST", of = "mast", against = ["uct"] }]

[[games]]
name = "connect_four"
"""


def experiment(simulations, runs=2000):
    text = EXPERIMENT.replace("SIMULATIONS", str(simulations)).replace("2000", str(runs))
    return gg.Experiment.from_text(text, name="scaling")


def processor():
    """Seconds of processor time of this process and those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def best(rounds, work, clock=processor):
    """The shortest time of several, in seconds."""
    times = []
    for _ in range(rounds):
        since = clock()
        work()
        times.append(clock() - since)
    return min(times)


def start_up(wanted):
    """A new worker: the interpreter with the package, the plan, and the first game of a chunk made ready."""
    chunk = json.loads(wanted.chunks(1)[0])
    chunk["games"][0]["count"] = 1
    code = "import sys, pickle, gamegrove; e = pickle.load(sys.stdin.buffer); print(e.plan)"
    carried = pickle.dumps(wanted)
    command = [sys.executable, "-c", code]
    fresh = best(5, lambda: subprocess.run(command, input=carried, check=True, stdout=subprocess.PIPE))
    plan = best(5, lambda: pickle.loads(carried))
    one = best(5, lambda: wanted.run_chunk(json.dumps(chunk)))
    print(f"start-up, ms of processor: interpreter, package and plan {fresh * 1e3:.0f}, the plan {plan * 1e3:.1f},")
    print(f"  a chunk of one game {one * 1e3:.1f}, which is more than making the game ready takes")


def merging(rows):
    """Merging the rows of chunks of this size, and of smaller and larger ones."""
    big = experiment(1, 100_000)
    with tempfile.TemporaryDirectory() as folder:
        for size in sorted({1, rows, 1000}):
            store = f"{folder}/{size}.sqlite"
            played = [big.run_chunk(chunk) for chunk in big.chunks(size)[:20]]
            big.merge(played.pop(), store)
            parts = iter(played)
            spent = best(len(played), lambda: big.merge(next(parts), store))
            print(f"merging a chunk of {size} rows: {spent * 1e3:.2f} ms of processor")


def engine(count=400):
    """Chunks that hold next to nothing: all their time is the engine's."""
    tiny = experiment(1, count)
    alone = best(5, lambda: tiny.run_chunk(tiny.chunks(1)[0]))
    with tempfile.TemporaryDirectory() as folder:
        since, driver = time.perf_counter(), time.process_time()
        gamegrove.ray.run(tiny, store=f"{folder}/rows.sqlite", size=1)
        taken, driver = time.perf_counter() - since, time.process_time() - driver
    print(
        f"  {count} chunks of one game that takes {alone * 1e3:.1f} ms of processor: {count / taken:.0f}"
        f" chunks/s, {driver / count * 1e3:.2f} ms of the driver's processor each"
    )


def timed(place):
    """What workers do, noted down."""

    def play_chunk(pickled, chunk):
        since, spent = time.perf_counter(), time.process_time()
        # Workers have the function itself, not this one in its place.
        rows = gamegrove.ray.play_chunk(pickled, chunk)
        spent, taken = time.process_time() - spent, time.perf_counter() - since
        with open(f"{place}/{os.getpid()}", "a", encoding="utf-8") as file:
            file.write(f"{taken} {spent}\n")
        return rows

    return play_chunk


def chunks(wanted, size, workers):
    """Chunks a second; of the workers' time, what was spent in chunks; processor seconds a chunk."""
    with tempfile.TemporaryDirectory() as folder:
        notes = pathlib.Path(folder, "notes")
        notes.mkdir()
        gamegrove.ray.play_chunk = timed(str(notes))
        since = time.perf_counter()
        gamegrove.ray.run(wanted, store=f"{folder}/rows.sqlite", size=size)
        taken = time.perf_counter() - since
        lines = [line.split() for file in notes.iterdir() for line in file.read_text().splitlines()]
    spent = [float(cpu) for _, cpu in lines]
    inside = sum(float(wall) for wall, _ in lines) / (workers * taken)
    return len(lines) / taken, inside, sum(spent) / len(spent)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=5, help="about how long a chunk is")
    parser.add_argument("--chunks", type=int, default=6, help="how many chunks each worker plays a round")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    part = experiment(500)
    first = part.chunks(20)[0]
    size = max(1, round(20 * args.seconds / best(3, lambda: part.run_chunk(first))))
    print(f"a chunk is {size} games of connect four with 500 simulations a move")
    start_up(part)
    merging(size)
    original = gamegrove.ray.play_chunk
    found = {workers: [] for workers in args.workers}
    for number in range(args.rounds):
        for workers in args.workers:
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
            gamegrove.ray.play_chunk = original
            if number == 0:
                print(f"{workers} workers:")
                engine()
            wanted = experiment(500, size * args.chunks * workers)
            # Every worker has planned before the clock starts.
            ready = ray.remote(gamegrove.ray.play_chunk)
            small = wanted.chunks(1)[0]
            pickled = ray.put(pickle.dumps(wanted))
            ray.get([ready.remote(pickled, small) for _ in range(4 * workers)])
            found[workers].append(chunks(wanted, size, workers))
            ray.shutdown()
    for workers, rounds in found.items():
        rates, inside, spent = zip(*rounds)
        print(
            f"{workers} workers: best {max(rates):.3f} chunks/s (all {', '.join(f'{r:.3f}' for r in rates)});"
            f" in chunks {max(inside):.1%} of the time; {min(spent):.2f} s of processor a chunk at best"
        )
