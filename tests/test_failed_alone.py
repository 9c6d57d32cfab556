"""What failed in a whole run is asked once more, alone: an accident is named, a fault stays a fault."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import failed_alone

WRITTEN = """
import pathlib, pytest

@pytest.mark.parametrize("name", ["first", "second thing", "third"])
def test_unsteady(name):
    seen = pathlib.Path(name)
    assert seen.exists() or seen.write_text("") is None and False

def test_fault():
    assert False

def test_sound():
    assert True
"""


@pytest.mark.parametrize(
    ("chosen", "status", "said"),
    [
        ("unsteady and first", 0, "UNSTEADY"),
        ("unsteady and (first or second)", 0, "test_unsteady[second thing]"),
        ("unsteady", 1, ""),
        ("fault", 1, "1 failed"),
        ("fault or first", 1, "1 failed, 1 passed"),
        ("sound", 1, ""),
    ],
)
def test_a_second_run_alone(tmp_path: Path, chosen: str, status: int, said: str) -> None:
    (tmp_path / "test_written.py").write_text(WRITTEN)
    run = [sys.executable, "-m", "pytest", "-q", "-k", chosen, "-o", "cache_dir=kept", "test_written.py"]
    subprocess.run(run, cwd=tmp_path, capture_output=True, check=False)
    again = [sys.executable, failed_alone.__file__, "kept"]
    done = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, said in done.stdout) == (status, True), done.stdout + done.stderr


def test_a_run_that_never_began_is_not_asked_again(tmp_path: Path) -> None:
    assert failed_alone.main(tmp_path) == 1
