"""Experiments on a Ray cluster.

>>> import gamegrove.ray
>>> gamegrove.ray.run("sironi_2019_table_5_2", profile="quick", address="auto")

An experiment is cut into chunks, which know nothing of Ray: each names its games by the hash of the plan
and their numbers, and brings back rows. Rows are put into the same store that ``Experiment.run`` and
``grove experiment`` use, by this process alone. A game that was played twice counts once; a lost node
costs the chunks that it had not finished, which are played again elsewhere; a run that is stopped goes on
where it was. All nodes need this package in the same version.
"""

from __future__ import annotations

from functools import lru_cache
from os import PathLike
from pathlib import Path
import pickle
import time
from typing import Any, Callable, Iterator

from ._gamegrove import Experiment

MOST_ATTEMPTS = 20
"""How often a chunk is given out before the run gives up."""


@lru_cache(maxsize=4)
def _experiment(pickled: bytes) -> Experiment:
    # Planning takes longer than a short chunk, and a worker plays many chunks of one experiment.
    experiment: Experiment = pickle.loads(pickled)
    return experiment


def play_chunk(pickled: bytes, chunk: str) -> list[str]:
    """What a worker does: the rows of a chunk of a pickled experiment."""
    return _experiment(pickled).run_chunk(chunk)


def run(
    experiment: Experiment | str,
    *,
    profile: str | None = None,
    seed: int | None = None,
    games: str | PathLike[str] | None = None,
    store: str | PathLike[str] | None = None,
    address: str | None = None,
    size: int | None = None,
    seconds: float = 10.0,
    cpus: float = 1.0,
    watch: Callable[[int, int], object] | None = None,
) -> dict[str, Any]:
    """Plays what the store lacks on a Ray cluster; returns how far the experiment is.

    ``address`` is what ``ray.init`` takes: of a running cluster, ``"auto"``, or nothing for this machine;
    a Ray that is already initialised is used as it is. ``size`` is the number of games a chunk; if it is
    not given, chunks are made so large that they take about ``seconds``. ``watch`` hears the numbers of
    games done and in all whenever chunks came back.
    """
    import ray

    if isinstance(experiment, str):
        experiment = Experiment(experiment, profile=profile or "full", seed=seed, games=games)
    elif not isinstance(experiment, Experiment):
        raise TypeError(f"an Experiment or its name is wanted, not {type(experiment).__name__}")
    elif profile is not None and profile != experiment.profile:
        raise ValueError("an Experiment has its profile; give it where the Experiment is made")
    elif seed is not None and seed != experiment.seed:
        raise ValueError("an Experiment has its seed; give it where the Experiment is made")
    elif games is not None and Path(games).absolute() != experiment.games:
        raise ValueError("an Experiment has its games; give them where the Experiment is made")
    store = f"{experiment.name}.sqlite" if store is None else store
    own = not ray.is_initialized()
    if own:
        ray.init(address=address, log_to_driver=False)
    try:
        if size is None:
            size = _games_in(experiment, store, seconds)
        _play(ray, experiment, store, size, cpus, watch)
    finally:
        if own:
            ray.shutdown()
    return experiment.status(store)


def _games_in(experiment: Experiment, store: str | PathLike[str], seconds: float) -> int:
    """How many games take about so many seconds, by what was played; one game is, if nothing was."""
    status = experiment.status(store)
    if status["done"] == 0 and status["total"] > 0:
        first = experiment.chunks(1)[0]
        experiment.merge(experiment.run_chunk(first), store)
        status = experiment.status(store)
    spent = sum(cell["seconds"] for cell in status["cells"])
    each: float = spent / max(status["done"], 1)
    return max(1, min(10_000, round(seconds / max(each, 1e-4))))


def _play(
    ray: Any,
    experiment: Experiment,
    store: str | PathLike[str],
    size: int,
    cpus: float,
    watch: Callable[[int, int], object] | None,
) -> None:
    # Ray itself gives a task of a lost node to another one; what it gives up is given out again here.
    remote = ray.remote(num_cpus=cpus, max_retries=-1)(play_chunk)
    pickled = ray.put(pickle.dumps(experiment))
    total = len(experiment)
    open_chunks = [(chunk, 0) for chunk in reversed(experiment.chunks(size, store=store))]
    done = experiment.status(store)["done"]
    under_way: dict[Any, tuple[str, int]] = {}
    room = _room(ray, cpus)
    while open_chunks or under_way:
        wanted = next(room)
        while open_chunks and len(under_way) < wanted:
            chunk, attempts = open_chunks.pop()
            under_way[remote.remote(pickled, chunk)] = (chunk, attempts + 1)
        # What came back together is merged together: opening the store costs more than most chunks.
        rows: list[str] = []
        for task in _finished(ray, list(under_way)):
            chunk, attempts = under_way.pop(task)
            try:
                rows += ray.get(task)
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError:
                if attempts >= MOST_ATTEMPTS:
                    raise
                open_chunks.append((chunk, attempts))
        if rows:
            done += experiment.merge(rows, store)
            if watch is not None:
                watch(done, total)


def _finished(ray: Any, tasks: list[Any]) -> list[Any]:
    """All tasks that are done, once one is; none after a second."""
    # The first wait returns as soon as it can; looking at thousands of tasks for each that is done
    # would be most of what this process does.
    if not ray.wait(tasks, num_returns=1, timeout=1.0)[0]:
        return []
    finished: list[Any] = ray.wait(tasks, num_returns=len(tasks), timeout=0)[0]
    return finished


def _room(ray: Any, cpus: float) -> Iterator[int]:
    """How many chunks to give out: enough for every core and some more."""
    while True:
        looked = time.monotonic()
        wanted = 2 * max(1, int(ray.cluster_resources().get("CPU", 1) / max(cpus, 0.01))) + 2
        # Clusters grow and shrink, but asking for every chunk would cost more than giving it out.
        while time.monotonic() < looked + 1.0:
            yield wanted
