"""The README's blocks run, and print what it says they print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```(console|python)\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def settle(text: str) -> list[str]:
    """Lines without what changes from day to day and machine to machine."""
    text = re.sub(r"law in force on \d{4}-\d\d-\d\d", "law in force on DATE", text)
    text = re.sub(r"^\d+ ms", "N ms", text, flags=re.MULTILINE)
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("readme")
    places = {"PYKALA_CACHE": str(folder / "cache"), "PYKALA_LIBRARY": str(folder / "none"), "COLUMNS": "100"}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **places, "PATH": path, "NO_COLOR": "1"}


@pytest.mark.parametrize("block", [text for kind, text in BLOCKS if kind == "console"])
def test_a_command_prints_what_the_readme_shows(block: str, environment: dict[str, str]) -> None:
    command, expected = block.split("\n", 1)
    words = shlex.split(command.removeprefix("$ "))
    if words[:2] == ["make", "ask"]:  # the same command, without making an environment within one
        words = ["pykala", "ask", words[2].removeprefix("Q=")]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert settle(done.stdout) == settle(expected)


@pytest.mark.parametrize("block", [text for kind, text in BLOCKS if kind == "python"])
def test_python_runs(block: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "ANSWERED" in done.stdout
    assert "34 per cent" in done.stdout
