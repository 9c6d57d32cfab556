"""The walk of CONTRIBUTING: a pack is written, installed, tested, ingested and asked, as its lines say."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"
SOURCE = Path(__file__).parents[2] / "src"


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
