"""Experiments on a Ray cluster: two nodes on this machine, one of which is lost."""

import time

import pytest

ray = pytest.importorskip("ray")

import gamegrove as gg  # noqa: E402
import gamegrove.ray  # noqa: E402

EXPERIMENT = """
title = "Two agents"
layout = "duels"
runs = 40
reasoner = "propnet"
budget = { simulations = 400 }
agents = [{ name = "uct", agent = "mcts" }, { name = "mast", agent = "mcts(playout=mast)" }]
columns = [{ label = "MAST", of = "mast", against = ["uct"] }]

[[games]]
name = "connect_four"
"""


def outcomes(experiment, store):
    return [(row["cell"], row["run"], row["outcome"]) for row in experiment.rows(store)]


def test_a_lost_node_costs_nothing_but_time(tmp_path):
    from ray.cluster_utils import Cluster

    experiment = gg.Experiment.from_text(EXPERIMENT, name="two")
    alone = tmp_path / "alone.sqlite"
    experiment.run(alone)

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    lost = cluster.add_node(num_cpus=1)
    together = tmp_path / "together.sqlite"
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        cluster.wait_for_nodes()
        assert ray.cluster_resources()["CPU"] == 2
        seen = []

        def watch(done, of):
            seen.append(done)
            if len(seen) == 2:
                # Both nodes are in the middle of chunks now.
                cluster.remove_node(lost, allow_graceful=False)

        status = gamegrove.ray.run(experiment, store=together, size=2, watch=watch)
        assert sum(node["Alive"] for node in ray.nodes()) == 1
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert status["done"] == status["total"] == 40
    assert seen[-1] == 40 and seen == sorted(seen)
    assert outcomes(experiment, together) == outcomes(experiment, alone)


def test_a_run_goes_on_where_it_was(tmp_path):
    experiment = gg.Experiment.from_text(EXPERIMENT, name="two", seed=3)
    store = tmp_path / "part.sqlite"
    experiment.merge(experiment.run_chunk(experiment.chunks(30)[0]), store)
    ray.init(num_cpus=1, log_to_driver=False, include_dashboard=False)
    try:
        since = time.monotonic()
        seen = []
        status = gamegrove.ray.run(
            experiment, store=store, seconds=0.2, watch=lambda done, of: seen.append(done)
        )
        assert status["done"] == 40 and seen[0] > 30
        assert time.monotonic() - since < 300
        # All is there: nothing is given out again.
        assert gamegrove.ray.run(experiment, store=store, size=5)["done"] == 40
    finally:
        ray.shutdown()


def test_a_folder_of_rules_travels(small_experiment, folder_of_rules, tmp_path):
    experiment = gg.Experiment.from_text(small_experiment, games=folder_of_rules)
    experiment.run(tmp_path / "alone.sqlite")
    (tmp_path / "small.toml").write_text(small_experiment)
    ray.init(num_cpus=1, log_to_driver=False, include_dashboard=False)
    try:
        file, store = str(tmp_path / "small.toml"), tmp_path / "ray.sqlite"
        gamegrove.ray.run(file, games=folder_of_rules, store=store, size=6)
    finally:
        ray.shutdown()
    assert outcomes(experiment, store) == outcomes(experiment, tmp_path / "alone.sqlite")


def test_mistakes_reach_the_caller(tmp_path):
    experiment = gg.Experiment.from_text(EXPERIMENT, name="two")
    with pytest.raises(ValueError, match="has its seed"):
        gamegrove.ray.run(experiment, seed=99, store=tmp_path / "x.sqlite")
    with pytest.raises(ValueError, match="has its games"):
        gamegrove.ray.run(experiment, games=tmp_path, store=tmp_path / "x.sqlite")
    with pytest.raises(gg.GameError, match="no experiment is called"):
        gamegrove.ray.run("nothing_at_all", store=tmp_path / "x.sqlite")


def test_an_experiment_has_its_profile():
    experiment = gg.Experiment("sironi_2019_table_5_2", profile="smoke")
    with pytest.raises(ValueError, match="has its profile"):
        gamegrove.ray.run(experiment, profile="quick")
    with pytest.raises(TypeError, match="not NoneType"):
        gamegrove.ray.run(None)
