"""The table of all shipped games in the documentation is that of the command."""

import pathlib
import re
import subprocess
import sys

import pytest

import gamegrove as gg

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

ROOT = pathlib.Path(__file__).parents[2]


def columns(text):
    """Players, observation and actions of each game of a table."""
    rows = re.findall(r"^\| `([^`]+)` \| (.*) \| [^|]* \| [^|]* \|$", text, re.MULTILINE)
    return dict(rows)


def test_the_documentation_lists_all_games():
    page = (ROOT / "docs" / "python.md").read_text()
    listed = columns(page[page.index("## All shipped games") :])
    assert list(listed) == [entry["name"] for entry in gg.games()]
    names = ["connect_four", "tron", "zelda", "octagon"]
    command = [sys.executable, ROOT / "python" / "benchmarks" / "games.py", "--seconds", "0.01", "--envs", "64"]
    printed = subprocess.run([*command, *names], capture_output=True, text=True, check=True).stdout
    assert columns(printed) == {name: listed[name] for name in names}
