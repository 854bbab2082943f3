"""Experiments, and their chunks."""

import json
import pickle

import pytest

import gamegrove as gg


def outcomes(experiment, store):
    return {(row["cell"], row["run"]): row["outcome"] for row in experiment.rows(store)}


def test_chunks_give_what_a_run_gives(small_experiment, tmp_path):
    experiment = gg.Experiment.from_text(small_experiment, name="small")
    assert len(experiment) == 24
    seen = []
    status = experiment.run(tmp_path / "run.sqlite", watch=lambda done, of: seen.append((done, of)))
    assert status["done"] == status["total"] == 24
    assert seen and seen[-1][1] == 24

    other = pickle.loads(pickle.dumps(experiment))
    assert other.plan == experiment.plan
    chunks = other.chunks(5)
    assert sum(g["count"] for chunk in chunks for g in json.loads(chunk)["games"]) == 24
    store = tmp_path / "chunks.sqlite"
    rows = [other.run_chunk(chunk) for chunk in reversed(chunks)]
    assert sum(other.merge(part, store) for part in rows) == 24
    # Twice counts once.
    assert other.merge(rows[0], store) == 0
    assert outcomes(experiment, tmp_path / "run.sqlite") == outcomes(other, store)
    assert "A small experiment" in experiment.report(store)
    assert json.loads(experiment.report(store, format="json"))


def test_only_what_is_missing_is_cut_into_chunks(small_experiment, tmp_path):
    experiment = gg.Experiment.from_text(small_experiment)
    store = tmp_path / "part.sqlite"
    chunks = experiment.chunks(7, store=store)
    experiment.merge(experiment.run_chunk(chunks[1]), store)
    left = experiment.chunks(100, store=store)
    assert sum(g["count"] for chunk in left for g in json.loads(chunk)["games"]) == 17
    experiment.merge(experiment.run_chunk(left[0]), store)
    assert experiment.chunks(1, store=store) == []


def test_chunks_of_another_plan_are_refused(small_experiment, tmp_path):
    experiment = gg.Experiment.from_text(small_experiment)
    other = gg.Experiment.from_text(small_experiment, seed=2)
    with pytest.raises(gg.GameError, match="belongs to plan"):
        other.run_chunk(experiment.chunks(1)[0])
    with pytest.raises(gg.GameError, match="no chunk"):
        experiment.run_chunk("{}")
    beyond = experiment.chunks(1)[0].replace('"first":0', '"first":4294967295')
    with pytest.raises(gg.GameError, match="no game"):
        experiment.run_chunk(beyond)
    for name in ("", "a/b"):
        with pytest.raises(gg.GameError, match="called by a name"):
            gg.Experiment.from_text(small_experiment, name=name)
    row = experiment.run_chunk(experiment.chunks(1)[0])
    with pytest.raises(gg.GameError, match="no game"):
        other.merge(row, tmp_path / "other.sqlite")


def test_a_folder_of_rules_takes_the_place_of_games_that_ship(
    small_experiment, folder_of_rules, tmp_path, monkeypatch
):
    shipped = gg.Experiment.from_text(small_experiment)
    assert shipped.games is None
    monkeypatch.chdir(tmp_path)
    own = gg.Experiment.from_text(small_experiment, games="rules")
    assert own.games == folder_of_rules and own.plan != shipped.plan
    (tmp_path / "small.toml").write_text(small_experiment)
    assert gg.Experiment("small.toml", games=folder_of_rules).plan == own.plan
    # Whoever plays chunks may be elsewhere.
    monkeypatch.chdir("/")
    carried = pickle.loads(pickle.dumps(own))
    assert carried.games == own.games and carried.plan == own.plan
    own.run(tmp_path / "run.sqlite")
    assert all(row["outcome"]["steps"] == 2 for row in own.rows(tmp_path / "run.sqlite"))
    for chunk in carried.chunks(7):
        carried.merge(carried.run_chunk(chunk), tmp_path / "chunks.sqlite")
    assert outcomes(own, tmp_path / "run.sqlite") == outcomes(own, tmp_path / "chunks.sqlite")
    with pytest.raises(gg.GameError, match="belongs to plan"):
        shipped.run_chunk(own.chunks(1)[0])
    for games, problem in [(tmp_path, "has no file tic_tac_toe"), ("nowhere", "cannot be read")]:
        with pytest.raises(gg.GameError, match=problem):
            gg.Experiment.from_text(small_experiment, games=games)


def test_rows_that_cannot_be_true_are_refused(small_experiment, tmp_path):
    experiment = gg.Experiment.from_text(small_experiment, name="small")
    rows = experiment.run_chunk(experiment.chunks(4)[0])
    store = tmp_path / "rows.sqlite"

    def changed(part, key, value):
        row = json.loads(rows[0])
        row[part][key] = value
        return json.dumps(row)

    for wrong, said in [
        (changed("outcome", "goals", [1e39, 0]), "goals are numbers from 0 to 100"),
        (changed("outcome", "goals", [1000, -3]), "goals are numbers from 0 to 100"),
        (changed("cost", "seconds", -1e9), "finite numbers from 0"),
        (changed("cost", "speeds", [-1, None]), "finite numbers from 0"),
    ]:
        with pytest.raises(gg.GameError, match=said):
            experiment.merge([*rows[1:], wrong], store)
    assert experiment.status(store)["done"] == 0
    assert experiment.merge(rows, store) == len(rows)
    assert experiment.rows(store)


@pytest.mark.parametrize("store", ["", ":memory:", "file:x?mode=memory"])
def test_results_need_a_file(small_experiment, store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(gg.GameError, match="need a file"):
        gg.Experiment.from_text(small_experiment).run(store)
    assert not list(tmp_path.iterdir())


def test_shipped_experiments_open():
    experiment = gg.Experiment("sironi_2019_table_5_2", profile="smoke")
    assert experiment.profile == "smoke" and len(experiment) > 0
    with pytest.raises(gg.GameError, match="no experiment is called"):
        gg.Experiment("sironi_2019_table_5_3000")
