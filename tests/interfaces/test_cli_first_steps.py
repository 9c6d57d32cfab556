"""A first step that fails leaves no empty library in place of the sample."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from loopback import hang_up, reply
from making import simple
from publishers import CANADA, Publishers, union_publishing
from pykala.interfaces.cli.main import run as run_command
from pykala.library.chosen import given_or_own
from pykala.settings import Settings
from pykala.stores.embedded.database import FILE
from pykala.stores.embedded.store import EmbeddedStore

NO_ACTS = reply(200, b'{"results": {"bindings": []}}')


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYKALA_LIBRARY", str(tmp_path / "library"))
    monkeypatch.setenv("PYKALA_EMBEDDER", "none")
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "library"


@pytest.fixture
def union(monkeypatch: pytest.MonkeyPatch) -> Iterator[Publishers]:
    with union_publishing(monkeypatch) as server:
        yield server


def run(*arguments: str) -> tuple[int, str]:
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = run_command(arguments)
    return code, said.getvalue()


@pytest.mark.parametrize(
    ("fault", "code", "made"),
    [(None, 0, True), (NO_ACTS, 0, False), (reply(503), 5, False), (hang_up, 5, False)],
)
def test_a_fetch_makes_a_library_only_of_what_came(
    union: Publishers,
    own: Path,
    fault: Callable[[BaseHTTPRequestHandler], None] | None,
    code: int,
    made: bool,
) -> None:
    union.fault = lambda path: fault
    assert run("fetch", "eu", "vehicles")[0] == code
    assert own.exists() is made
    assert (given_or_own(None, Settings.read()) == own) is made


def test_a_failed_fetch_leaves_an_earlier_library(union: Publishers, own: Path) -> None:
    assert run("fetch", "eu", "vehicles")[0] == 0
    union.fault = lambda path: hang_up
    assert run("fetch", "eu", "vehicles")[0] == 5
    assert given_or_own(None, Settings.read()) == own


def test_a_source_without_law_makes_no_library(tmp_path: Path, own: Path) -> None:
    (tmp_path / "source").mkdir()
    code, said = run("get", "ca", "--from", str(tmp_path / "source"), "--workers", "1")
    assert (code, own.exists()) == (0, False)
    assert "Ask it" not in said


#: The program as a terminal starts it, interrupted when a file of the source is opened after the library is
#: made.
INTERRUPTED = """
import os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
made, source = sys.argv.pop(1), sys.argv.pop(1)
def interrupt(event, given):
    if event == "open" and str(given[0]).startswith(source) and os.path.exists(made):
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(interrupt)
runpy.run_module("pykala", run_name="__main__", alter_sys=True)
"""


def test_an_interrupted_first_get_changes_nothing(own: Path) -> None:
    command = ("get", "ca", "--from", str(CANADA), "--workers", "1")
    program = [sys.executable, "-c", INTERRUPTED, str(own / FILE), str(CANADA), *command]
    ended = subprocess.run(program, capture_output=True, text=True, env=os.environ, check=False, timeout=300)
    assert ended.returncode == 130, ended.stderr
    assert "interrupted; nothing was changed" in ended.stderr
    assert not own.exists()


def empty(folder: Path) -> None:
    EmbeddedStore.open(folder, writable=True).close()


def horses(folder: Path) -> None:
    with EmbeddedStore.open(folder, writable=True) as store:
        store.put(simple("ca:act:H-1", "A tax on horses is payable each year.", language="en"))


def damaged(folder: Path) -> None:
    horses(folder)
    (folder / FILE).write_bytes(b"")


@pytest.mark.parametrize(
    ("made", "code", "sample"),
    [(Path.mkdir, 0, True), (empty, 0, True), (horses, 0, False), (damaged, 3, False)],
)
def test_the_sample_answers_where_the_own_library_holds_no_work(
    own: Path, made: Callable[[Path], None], code: int, sample: bool
) -> None:
    made(own)
    ended, said = run("ask", "general", "VAT", "rate", "in", "Finland")
    assert ended == code, said
    assert ("Sample: paraphrases, not law." in said) is sample
    assert ("25.5 per cent" in said) is sample
