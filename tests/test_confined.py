"""Untrusted texts are read in a process that can be killed, and the server lives on."""

from __future__ import annotations

import io
import os
import pickle
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import httpx
import pytest

from pykala.answer.citations_in import found_in
from pykala.fetch.confined import Bounds, ConfinedProcesses, TookTooMuch, _Reader
from pykala.library import Library
from pykala.retrieve.conversation import Turn
from pykala.retrieve.conversing import After
from pykala.retrieve.trial import LONG_TEXT

DAY = date(2026, 1, 1)
CITED = "See section 7 of the Employment Insurance Act. "


@pytest.fixture(scope="module")
def processes() -> Iterator[ConfinedProcesses]:
    made = ConfinedProcesses(1)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("bounds", "function", "given"),
    [
        (Bounds(seconds=0), re.fullmatch, (r"(a+)+b", "a" * 64)),  # more of the processor than it may
        (Bounds(patience=0.2), time.sleep, (60,)),  # more of our time
        (Bounds(memory=2 * 1024**3), bytearray, (64 * 1024**3,)),  # more memory
        (Bounds(), os.abort, ()),  # a crash
    ],
)
def test_what_takes_too_much_is_ended_and_the_next_is_read(
    processes: ConfinedProcesses, bounds: Bounds, function: object, given: tuple[object, ...]
) -> None:
    with pytest.raises(TookTooMuch):
        processes.bounded(bounds, function, *given)  # type: ignore[arg-type]
    assert processes.call(len, "abc") == 3


def test_an_answer_is_data_and_runs_nothing() -> None:
    class Hostile:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.system, ("exit 1",)

    for answer in (Hostile(), print, subprocess.Popen):
        with pytest.raises(pickle.UnpicklingError):
            _Reader(io.BytesIO(pickle.dumps((True, answer)))).load()


def test_ending_lets_go_of_who_waits(processes: ConfinedProcesses) -> None:
    processes.call(len, "")
    waiting = threading.Timer(0.2, processes.stop)
    waiting.start()
    with pytest.raises(TookTooMuch):
        processes.call(time.sleep, 60)
    waiting.join()


@pytest.fixture
def library(tmp_path: Path, processes: ConfinedProcesses) -> Iterator[Library]:
    with Library.open(tmp_path / "library", writable=True, create=True, embedder=None) as made:
        yield made.with_parts(confined=processes)


def test_a_server_that_ends_leaves_the_work_of_another(processes: ConfinedProcesses) -> None:
    processes.server_begins()
    processes.server_begins()
    ending = threading.Timer(0.2, processes.server_ends)
    ending.start()
    processes.bounded(Bounds(seconds=30), time.sleep, 0.6)  # goes on: the other server has not ended
    ending.join()
    ending = threading.Timer(0.2, processes.server_ends)
    ending.start()
    with pytest.raises(TookTooMuch):
        processes.bounded(Bounds(seconds=30), time.sleep, 20)
    ending.join()


def test_only_long_texts_pay_for_a_process(library: Library) -> None:
    counted = ConfinedProcesses(1)
    library = library.with_parts(confined=counted)
    short, long = CITED, CITED * (LONG_TEXT // len(CITED) + 1)
    try:
        library.citations(short, as_of=DAY)
        library.ask(short, as_of=DAY)
        assert counted.started == 0
        found = library.citations(long, as_of=DAY)
        assert counted.started == 1
    finally:
        counted.close()
    here = library.with_parts(confined=None)
    assert here.citations(long, as_of=DAY) == found, "read here or there, it is the same"
    assert len(found) == long.count("section")


@pytest.mark.parametrize("form", [str, lambda words: ["And?", words], Turn])
def test_a_long_question_that_another_goes_on_from_is_read_there_too(
    library: Library, form: Callable[[str], After]
) -> None:
    counted = ConfinedProcesses(1)
    library = library.with_parts(confined=counted)
    try:
        library.ask("And in 2013?", as_of=DAY, after=form(CITED))
        assert counted.started == 0
        library.ask("And in 2013?", as_of=DAY, after=form(CITED * (LONG_TEXT // len(CITED) + 1)))
        assert counted.started == 1
    finally:
        counted.close()


@pytest.mark.parametrize("name", ["note.md", "note.txt", "note.html"])
def test_uploads_of_every_kind_are_read_there(
    library: Library, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def here(*_: object) -> None:
        raise AssertionError("an upload is read in this process")

    monkeypatch.setattr("pykala.packs.uploads.reading.read_file", here)
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / name).write_text("<html><p>The fee is nine euros.</p></html>")
    report = next(iter(library.inbox(tmp_path / "inbox")))
    assert (report.added, report.refusals) == ((name,), ())
    assert "nine euros" in library.text_at(str(next(iter(library.store.items().values()))), DAY)


def test_a_file_that_takes_too_much_is_refused_by_name(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pykala.preparing.item._FOR_A_FILE", Bounds(patience=0.0))
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "bomb.txt").write_text("." * 900_000)
    report = next(iter(library.inbox(tmp_path / "inbox")))
    assert [one.path for one in report.refusals] == ["bomb.txt"]
    assert "more time or memory" in report.refusals[0].reason
    assert not library.store.items()


def test_a_real_server_answers_throughout_and_ends_when_told(tmp_path: Path) -> None:
    Library.open(tmp_path / "library", writable=True, create=True, embedder=None).close()
    program = [str(Path(sys.executable).parent / "pykala"), "serve", "--port", "0"]
    given = [*program, "--library", str(tmp_path / "library")]
    environment = {**os.environ, "PYKALA_CACHE": str(tmp_path / "cache")}
    server = subprocess.Popen(given, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found
        with httpx.Client(base_url=found[0], trust_env=False, timeout=300) as client:
            hostile = threading.Thread(target=_send, args=(found[0], "§" * 200_000))
            hostile.start()
            taken = []
            while hostile.is_alive():
                began = time.monotonic()
                assert client.get("/api/v1/health").status_code == 200
                taken.append(time.monotonic() - began)
        assert statistics.median(taken) < 5, "it answers while hostile texts are read"
        assert max(taken) < 30
        last = threading.Thread(target=_send, args=(found[0], CITED * 4_000))
        last.start()
        server.send_signal(signal.SIGTERM)
        server.wait(300)
        last.join()
    finally:
        server.kill()
        server.communicate()


def _send(address: str, text: str) -> None:
    with httpx.Client(base_url=address, trust_env=False, timeout=300) as client:
        try:
            client.post("/api/v1/cite", json={"text": text})
            client.post("/api/v1/uploads", files={"file": ("hostile.txt", text.encode())})
        except httpx.HTTPError:
            return  # the server ended


def test_what_is_found_elsewhere_is_plain(processes: ConfinedProcesses) -> None:
    (code, spoken, found), *_ = processes.call(found_in, CITED, ("ca",), "en")
    assert (code, spoken) == ("ca", "en")
    assert [one.text for one in found] == ["section 7 of the Employment Insurance Act"]
