"""What a chunk costs on Ray, and how chunks a second grow with workers.

    python scaling.py [--workers 1 2] [--size 20]
"""

import argparse
import tempfile
import time

import ray

import gamegrove as gg
import gamegrove.ray

EXPERIMENT = """
title = "Scaling"
layout = "duels"
runs = 400
reasoner = "propnet"
budget = { simulations = 500 }
agents = [{ name = "uct", agent = "mcts" }, { name = "mast", agent = "mcts(playout=mast)" }]
columns = [{ label = "MAST", of = "mast", against = ["uct"] }]

[[games]]
name = "connect_four"
"""

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--size", type=int, default=20)
    args = parser.parse_args()
    experiment = gg.Experiment.from_text(EXPERIMENT, name="scaling")
    chunk = experiment.chunks(args.size)[0]
    experiment.run_chunk(chunk)
    since = time.perf_counter()
    rows = experiment.run_chunk(chunk)
    alone = time.perf_counter() - since
    with tempfile.TemporaryDirectory() as folder:
        since = time.perf_counter()
        experiment.merge(rows, f"{folder}/merge.sqlite")
        merge = time.perf_counter() - since
    print(f"a chunk of {args.size} games: {alone:.3f} s, merging its rows {merge * 1e3:.1f} ms")
    for workers in args.workers:
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        remote = ray.remote(gamegrove.ray.play_chunk)
        task = (experiment.text, experiment.name, experiment.profile, experiment.seed)
        # Every worker has planned and opened the game before the clock starts.
        ray.get([remote.remote(*task, chunk) for _ in range(2 * workers)])
        with tempfile.TemporaryDirectory() as folder:
            finished = []
            since = time.perf_counter()
            gamegrove.ray.run(
                experiment,
                store=f"{folder}/rows.sqlite",
                size=args.size,
                watch=lambda done, of: finished.append(time.perf_counter()),
            )
            taken = time.perf_counter() - since
        ray.shutdown()
        rate = len(finished) / taken
        print(f"{workers} workers: {rate:.2f} chunks/s, {taken:.1f} s in all")
