"""Experiments without Ray: the lines that ``docs/python.md`` prints are run as they stand there."""

import os
import pathlib
import shutil
import subprocess

import pytest

import gamegrove as gg

BOOK = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
GROVE = shutil.which(os.environ.get("GROVE", "grove"))

pytestmark = pytest.mark.skipif(
    GROVE is None or os.name != "posix", reason="the command grove is not there, or no shell"
)


def printed():
    """The lines of GNU parallel, and the script of a Slurm array."""
    blocks = [block.split("```")[0] for block in BOOK.read_text().split("```sh\n")[1:]]
    (lines,) = [block.splitlines() for block in blocks if "| parallel " in block]
    (script,) = [block for block in blocks if "SLURM_ARRAY_TASK_ID" in block]
    return lines, script


def shell(lines, folder, **variables):
    commands = f"{pathlib.Path(GROVE).absolute().parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": commands, **variables}
    command = ["bash", "-euo", "pipefail", "-c", lines]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def place(small_experiment, tmp_path):
    """A folder with the experiment that the lines speak of."""
    text = small_experiment.replace("runs = 12", "runs = 70")
    (tmp_path / "my.toml").write_text(text)
    return tmp_path


def check(place):
    """The rows are those of a run here."""
    experiment = gg.Experiment(str(place / "my.toml"))
    experiment.run(place / "local.sqlite")
    here, there = (
        [(row["cell"], row["run"], row["outcome"]) for row in experiment.rows(place / store)]
        for store in ("local.sqlite", "my.sqlite")
    )
    assert len(here) == 140 and here == there


def test_gnu_parallel_plays_the_chunks(place):
    if shutil.which("parallel") is None:
        pytest.skip("GNU parallel is not installed")
    lines, _ = printed()
    shell("\n".join(lines), place)
    assert len(list(place.glob("rows/*.jsonl"))) == 3
    # What is there is not played again.
    shell("\n".join(lines[2:]), place)
    assert len((place / "jobs.log").read_text().splitlines()) == 1 + 3
    check(place)


def test_a_slurm_array_plays_the_chunks(place):
    lines, script = printed()
    shell("\n".join(lines[:2]), place)
    # A task that was killed left a part, which does not count; one that is started again finds its rows.
    (place / "rows" / "my-2.jsonl.part").write_text("half a li")
    for task in (3, 1, 2, 1):
        shell(script, place, SLURM_ARRAY_TASK_ID=str(task))
    shell(lines[3], place)
    check(place)
