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
import time
from typing import Any, Callable

from ._gamegrove import Experiment

MOST_ATTEMPTS = 20
"""How often a chunk is given out before the run gives up."""


@lru_cache(maxsize=4)
def _experiment(text: str, name: str, profile: str, seed: int | None) -> Experiment:
    # Planning takes longer than a short chunk, and a worker plays many chunks of one experiment.
    return Experiment.from_text(text, name=name, profile=profile, seed=seed)


def play_chunk(
    text: str, name: str, profile: str, seed: int | None, chunk: str
) -> tuple[list[str], float]:
    """What a worker does: the rows of a chunk, and the seconds that playing it took."""
    since = time.perf_counter()
    rows = _experiment(text, name, profile, seed).run_chunk(chunk)
    return rows, time.perf_counter() - since


def run(
    experiment: Experiment | str,
    *,
    profile: str = "full",
    seed: int | None = None,
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
    games done and in all after every chunk.
    """
    import ray

    if isinstance(experiment, str):
        experiment = Experiment(experiment, profile=profile, seed=seed)
    elif seed is not None and seed != experiment.seed:
        raise ValueError("an Experiment has its seed; give it where the Experiment is made")
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
    each = spent / max(status["done"], 1)
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
    name, profile = experiment.name, experiment.profile
    text = ray.put(experiment.text)
    total = len(experiment)
    open_chunks = [(chunk, 0) for chunk in reversed(experiment.chunks(size, store=store))]
    done = experiment.status(store)["done"]
    under_way: dict[Any, tuple[str, int]] = {}
    while open_chunks or under_way:
        # Enough for every core and some more; a cluster may have grown since the last look.
        wanted = 2 * max(1, int(ray.cluster_resources().get("CPU", 1) / max(cpus, 0.01))) + 2
        while open_chunks and len(under_way) < wanted:
            chunk, attempts = open_chunks.pop()
            task = remote.remote(text, name, profile, experiment.seed, chunk)
            under_way[task] = (chunk, attempts + 1)
        finished, _ = ray.wait(list(under_way), num_returns=1, timeout=1.0)
        for task in finished:
            chunk, attempts = under_way.pop(task)
            try:
                rows, _ = ray.get(task)
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError:
                if attempts >= MOST_ATTEMPTS:
                    raise
                open_chunks.append((chunk, attempts))
                continue
            done += experiment.merge(rows, store)
            if watch is not None:
                watch(done, total)

