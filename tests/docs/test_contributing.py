"""CONTRIBUTING: its walk to a new pack runs, and its drawing and table name the rooms that there are."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"
PROJECT = Path(__file__).parents[2] / "pyproject.toml"
SOURCE = Path(__file__).parents[2] / "src"
#: Modules of no layer: the public names, and the settings, which hold values and need no room.
OF_NO_LAYER = {"__init__", "__main__", "settings", "settings_table", "settings_values"}


def layers() -> list[set[str]]:
    """The rooms as the import linter holds them, the lowest layer first."""
    contracts = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    written = next(one["layers"] for one in contracts if one["name"] == "Data flows one way")
    return [set(re.findall(r"pykala\.(\w+)", layer)) for layer in reversed(written)]


def the_house() -> str:
    """The section that names the rooms."""
    return CONTRIBUTING.read_text("utf-8").partition("## The house")[2].partition("\n## ")[0]


def test_the_drawing_is_of_the_layers() -> None:
    drawing = the_house().partition("```\n")[2].partition("```")[0]
    assert [set(re.findall(r"\w+", layer)) for layer in drawing.split("←")] == layers()


def test_every_room_has_a_layer_and_a_line_in_the_table() -> None:
    packages = {path.parent.name for path in (SOURCE / "pykala").glob("*/__init__.py")}
    modules = {path.stem for path in (SOURCE / "pykala").glob("*.py")} - OF_NO_LAYER
    rooms = set().union(*layers())
    assert packages | modules == rooms
    named = [line.split("|")[1] for line in the_house().splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)", " ".join(named))) == sorted(rooms)


def walk() -> list[list[str]]:
    """The commands under "Add a jurisdiction"."""
    section = CONTRIBUTING.read_text("utf-8").partition("## Add a jurisdiction")[2].partition("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def command(words: list[str], installed: Path) -> list[str]:
    """A line as it runs here: by this Python, and installed without the network into a folder of its own."""
    program, *rest = words
    if program == "pip":
        offline = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
        return [sys.executable, "-m", "pip", "install", *offline, "--target", str(installed), "."]
    if program == "pytest":
        rest = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *rest]
    return [sys.executable, "-m", program, *rest]


def test_the_walk_to_a_new_jurisdiction_runs(tmp_path: Path) -> None:
    installed, folder = tmp_path / "installed", tmp_path
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(installed), str(SOURCE))),
        "PYKALA_CACHE": str(tmp_path / "cache"),
        "COLUMNS": "200",
    }
    told = {}
    for words in walk():
        if words[0] == "cd":
            folder /= words[1]
            continue
        done = subprocess.run(
            command(words, installed), cwd=folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"
        told[" ".join(words[:2])] = done.stdout
    assert "passed" in told["pytest"]
    assert re.search(r"\bse\b", told["pykala packs"])
    assert "40 euros" in told["pykala ask"]
    assert "Example Act, § 2" in told["pykala ask"]
