"""What reaches a terminal or a pipe: law is data there too, and no argument or file ends in a traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from rich.console import Console

from making import bundle, document, section
from plain_pack import pack
from pykala.interfaces.cli import render, render_answer
from pykala.interfaces.cli.main import run
from pykala.interfaces.cli.terminal import console
from pykala.law.answers import Answer, Outcome, Relation, Support
from pykala.law.identifiers import WorkId
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.stores.embedded.store import EmbeddedStore

WORK = WorkId("xx:act:5")
MARKUP = "[/] [bold]x[/bold] [link=http://a.example]y"
HOSTILE = f"{MARKUP} \x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b31m \u202e \u061c \u2028 \U000e0041 horses"


@pytest.fixture
def hostile(tmp_path: Path) -> Library:
    held = document(WORK, "en", [section(WORK, "1", HOSTILE, HOSTILE, heading=HOSTILE)], f"Act {HOSTILE}")
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(bundle(WORK, [held]))
    return Library(EmbeddedStore.open(tmp_path / "library"), packs={"xx": pack})


def likely(library: Library, outcome: Outcome) -> Answer:
    """An answer whose provision is only listed, with a grade."""
    found = library.ask("horses", as_of=date(2026, 1, 1))
    assert found.primary is not None
    listed = (Support(found.primary, Relation.POSSIBLY_RELATED, 0, 2.0),)
    return replace(found, outcome=outcome, primary=None, claims=(), support=listed)


VERBS: dict[str, Callable[[Library, Console], None]] = {
    "an answer": lambda library, to: render_answer.answer(to, library.ask("horses", as_of=date(2026, 1, 1))),
    "no answer": lambda library, to: render_answer.answer(to, likely(library, Outcome.GUIDANCE)),
    "a work": lambda library, to: render.shown(to, library.show("xx:act:5")),
    "a section": lambda library, to: render.shown(to, library.show("xx:act:5/sec_1")),
    "results": lambda library, to: render.results(to, library.search("horses")),
}


@pytest.mark.parametrize("verb", VERBS)
def test_law_changes_nothing_in_the_terminal(
    hostile: Library, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "2000")
    written = io.StringIO()
    with redirect_stdout(written):
        VERBS[verb](hostile, console())
    hostile.close()
    assert MARKUP in written.getvalue()
    assert not set(written.getvalue()) & set("\x1b\x07\x9b\u202e\u061c\u2028\U000e0041")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    sample_library(folder, installed())
    return folder


@pytest.fixture(autouse=True)
def _settings(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(cache))
    monkeypatch.setenv("PYKALA_LIBRARY", str(cache / "own"))


def said(*arguments: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run(arguments)
    return code, stdout.getvalue(), stderr.getvalue()


def test_each_line_of_a_batch_is_read_for_itself(tmp_path: Path) -> None:
    lines = [
        '{"id": 1, "question": "capital income\u2028tax rate"}'.encode(),  # a separator inside a text
        b'{"id": "\xff"}',
        b'{"id": 3, "question": "  "}',
        b'{"id": 4, "question": 5}',
        b'{"id": 5, "question": "x", "language": "de"}',
        b'{"id": 6, "question": "x", "jurisdiction": ["fi"]}',
        b'{"id": 7, "question": "x", "jurisdiction": "zz"}',
        b'{"id": 8, "question": "x", "as_of": 20}',
        b"[1]",
        b"[" * 100_000,
        b'{"id": null, "question": "capital income \\ud800 \\u0000"}',
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    code, out, _ = said("ask", "--batch", str(batch))
    answers = [json.loads(line) for line in out.split("\n") if line]
    assert code == 0
    assert [(one["id"], "error" in one) for one in answers] == [
        ("1", False), ("2", True), ("3", True), ("4", True), ("5", True), ("6", True), ("7", True),
        ("8", True), ("9", True), ("10", True), ("11", False),
    ]  # fmt: skip


def test_flags_count_for_every_line_of_a_batch_that_does_not_say_otherwise(tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"question": "capital income"}\n{"question": "x", "as_of": "2020-01-01"}\n')
    _, out, _ = said("ask", "--batch", str(batch), "--as-of", "2014-06-01", "--language", "en")
    assert [json.loads(line)["as_of"] for line in out.splitlines()] == ["2014-06-01", "2020-01-01"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("ask", "--batch", "/nonexistent.jsonl"), 2, "/nonexistent.jsonl cannot be read"),
        (("ask", "--batch", "/"), 2, "cannot be read"),
        (("search", "x", "--jurisdiction", "zz"), 2, "no pack 'zz'"),
        (("show", "\udcff\udcfe"), 2, "is not a provision"),
        (("show", "a\x1b[31m\nb"), 2, "is not a provision"),
        (("show", "x", "--as-of", "\x1b[31m"), 2, "is not a date"),
        (("show", "x", "--as-of", "2020-W01-1"), 2, "is not a date"),
        (("ingest", "fi", "--from", "/etc/passwd"), 2, "/etc/passwd: "),
    ],
)
def test_a_bad_argument_gets_one_line(arguments: tuple[str, ...], code: int, words: str) -> None:
    got, out, err = said(*arguments)
    assert (got, out) == (code, "")
    assert words in err
    assert len(err.splitlines()) == 1
    assert "\x1b" not in err
    assert not err.rstrip().endswith(arguments[-1])  # a name alone says nothing


def test_a_question_of_broken_bytes_is_still_answered() -> None:
    question = "tax on capital income in Finland"
    whole, broken = (said("ask", asked, "--json") for asked in (question, f"{question} \udcff"))
    assert broken[0] == whole[0] == 0
    told = [json.loads(out) for _, out, _ in (whole, broken)]
    assert told[0]["primary"]["citation"] == told[1]["primary"]["citation"]


def test_a_folder_that_cannot_be_made_gets_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", "/dev/null/cache")
    code, _, err = said("stats")
    assert (code, len(err.splitlines())) == (3, 1)
    assert "/dev/null/cache" in err


@pytest.mark.parametrize("arguments", [("--json",), ()])
def test_a_terminal_of_another_encoding_gets_the_answer(arguments: tuple[str, ...], cache: Path) -> None:
    command = [sys.executable, "-c", "from pykala.interfaces.cli.main import main; main()"]
    done = subprocess.run(
        [*command, "ask", "Mikä on pääomatulon vero?", *arguments],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("ascii")
    if arguments:
        assert "pääomatulon" in json.loads(text)["question"]  # data is escaped, not replaced


def test_two_first_runs_at_once_both_get_the_sample(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as threads:
        built = [threads.submit(sample_library, tmp_path, installed()) for _ in range(2)]
        assert len({one.result() for one in built}) == 1
