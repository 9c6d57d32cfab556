"""`pykala get`: law from publishers on this machine, with cuts and resumes, and from folders of mirrors."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path

import pytest

from loopback import hang_up
from publishers import CANADA, FINNISH_TITLES, Publishers, publishing
from pykala.fetch.order import Forecast
from pykala.fetch.refusals import MirrorUnavailable
from pykala.interfaces.cli.getting import forecast_in_words
from pykala.interfaces.cli.main import run as run_command
from pykala.library import Library
from pykala.online.source import mirrors_in

FILES = len(list(CANADA.rglob("*.xml")))


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Publishers]:
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYKALA_LIBRARY", str(tmp_path / "library"))
    monkeypatch.setenv("PYKALA_EMBEDDER", "none")
    monkeypatch.setenv("PYKALA_KEY_NYC", "0123456789")
    monkeypatch.setenv("COLUMNS", "200")
    with publishing() as server:
        for code in ("CA", "FI", "EU", "NYC"):
            monkeypatch.setenv(f"PYKALA_SOURCE_{code}", server.base)
        yield server


def run(*arguments: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command([*arguments, "--workers", "1"] if arguments[0] == "get" else arguments)
    return code, stdout.getvalue(), stderr.getvalue()


def works(tmp_path: Path) -> set[str]:
    with Library.open(tmp_path / "library", embedder=None) as library:
        return {str(work) for work in library.store.items().values()}


def test_several_jurisdictions_come_in_one_command_and_say_first_what_they_take(
    source: Publishers, tmp_path: Path
) -> None:
    code, told, said = run("get", "ca", "fi", "eu", "nyc", "--json")
    assert code == 0, said
    assert f"ca: Justice Laws lists {FILES} files; {FILES} to come, about 0.3 MB" in said
    assert [one["pack"] for one in json.loads(told)] == ["ca", "fi", "eu", "nyc"]
    held = works(tmp_path)
    assert {"ca:act:E-5.6", "fi:act:2010/1", "fi:act:2010/2", "eu:32019R2144", "nyc:adc:11"} <= held


@pytest.mark.parametrize(
    ("pack", "subject", "there", "missing"),
    [
        ("fi", "tax", "fi:act:2010/1", "fi:act:2010/2"),
        ("ca", "employment", "ca:act:E-5.6", "ca:act:A-1"),
    ],
)
def test_a_subject_fetches_its_works_alone(
    source: Publishers, tmp_path: Path, pack: str, subject: str, there: str, missing: str
) -> None:
    code, told, said = run("get", pack, "--subject", subject)
    assert code == 0, said
    held = works(tmp_path)
    assert there in held
    assert missing not in held
    assert "no longer in the source" not in told  # what was not asked for is not gone
    assert not any("/2010/2/" in path for path in source.asked)


def test_a_cut_keeps_what_came_and_the_same_command_goes_on(source: Publishers, tmp_path: Path) -> None:
    before, acts = 5, len(FINNISH_TITLES)
    served: list[str] = []

    def fails_after_some(path: str):  # type: ignore[no-untyped-def]
        if path.endswith("/list"):
            return None
        served.append(path)
        return hang_up if len(served) > before else None

    source.fault = fails_after_some
    code, _, said = run("get", "fi")
    assert code == 5  # the publisher failed, the request was understood
    assert (
        "it does not answer any more (the connection ended before the answer was whole, 5 times over)" in said
    )
    assert f"{before} of {acts} files are kept, and the same command goes on from there" in said
    assert not (tmp_path / "library").exists()
    source.fault, source.asked[:] = lambda path: None, []
    code, _, said = run("get", "fi")
    assert code == 0, said
    assert f"{before} are here already; {acts - before} to come" in said
    assert len(source.asked) == acts - before  # neither the lists nor what was kept is asked for again
    assert "fi:act:2010/1" in works(tmp_path)
    source.asked.clear()
    code, told, said = run("get", "fi")
    assert (code, source.asked) == (0, [])
    assert "all were fetched within the last day" in said
    assert "fi: 0 items read" in told
    assert 'Ask it: pykala ask "…"' in told
    assert run("get", "fi", "--refresh")[0] == 0
    assert len(source.asked) > acts


#: The program as a terminal starts it: what runs in the background is often told to ignore interrupts.
INTERRUPTIBLE = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("pykala", run_name="__main__", alter_sys=True)
"""


def test_an_interrupt_says_what_was_kept(source: Publishers) -> None:
    stopped = threading.Event()
    process: list[subprocess.Popen[str]] = []

    def interrupts(path: str):  # type: ignore[no-untyped-def]
        if path.endswith("/2010/9/fin@latest"):
            process[0].send_signal(signal.SIGINT)
            stopped.set()
        return

    source.fault = interrupts
    process.append(
        subprocess.Popen(
            [sys.executable, "-c", INTERRUPTIBLE, "get", "fi"],
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
    )
    _, said = process[0].communicate(timeout=300)
    assert stopped.is_set()
    assert process[0].returncode == 130, said
    assert re.search(r"interrupted; \d+ of 18 files are kept; the same command goes on", said), said


@pytest.mark.parametrize(
    ("asked", "code", "says"),
    [
        (("get", "xx"), 2, "no pack 'xx' is installed"),
        (("get", "fi", "--subject", "knitting"), 2, "there are: company, employment, privacy, tax"),
        (("get", "nyc", "--subject", "company"), 2, "there are: tax"),
        (("get", "up"), 2, "--from"),
        (("get", "ca", "fi", "--from", "."), 2, "no name begins with"),
    ],
)
def test_mistakes_are_said_before_anything_is_fetched(
    source: Publishers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (run(*asked)[0], source.asked) == (code, [])
    assert says in run(*asked)[2]
    assert not (tmp_path / "library").exists()


def test_a_publisher_that_is_not_there_is_no_mistake_of_the_reader(
    source: Publishers, tmp_path: Path
) -> None:
    source.fault = lambda path: hang_up if path.startswith("/eng") else None
    code, _, said = run("get", "ca", "fi")
    assert code == 5
    assert "Justice Laws: the index cannot be had" in said
    assert "without a network, archives that you have are read: pykala get ca fi --from FOLDER" in said
    assert "fi:act:2010/1" in works(tmp_path)  # the other publisher was asked all the same
    code, _, said = run("ingest", "ca")
    assert code == 5
    assert "without a network, archives that you have are read: pykala ingest ca --from FOLDER" in said


@pytest.mark.parametrize("order", [("ca", "nyc"), ("nyc", "ca")])
def test_a_missing_key_does_not_hide_that_there_is_no_network(
    source: Publishers, monkeypatch: pytest.MonkeyPatch, order: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PYKALA_KEY_NYC", "")
    source.fault = lambda path: hang_up
    code, _, said = run("get", *order)
    assert code == 5
    assert "it needs a key" in said
    assert f"without a network, archives that you have are read: pykala get {' '.join(order)} --from" in said
    assert run("get", "nyc")[0] == 2


def test_the_progress_line_names_the_publisher_that_is_asked(
    source: Publishers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    source.fault = lambda path: hang_up
    _, _, said = run("get", "ca", "fi")
    assert said.index("asking Justice Laws …") < said.index("asking Finlex …")
    assert "0/100" not in said
    source.fault = lambda path: None
    assert "reading" in run("get", "fi")[2]


def test_a_forecast_alone_fetches_nothing(source: Publishers, tmp_path: Path) -> None:
    code, told, said = run("get", "ca", "--dry-run", "--json")
    assert code == 0, said
    assert json.loads(told)[0]["forecast"]["files"] == FILES
    assert source.asked == ["/eng/XML/Legis.xml"]
    assert not (tmp_path / "library").exists()


def test_mirrors_are_found_by_their_names(source: Publishers, tmp_path: Path) -> None:
    mirrors = tmp_path / "mirrors"
    shutil.copytree(CANADA, mirrors / "canada")
    shutil.make_archive(str(mirrors / "ca-more"), "gztar", CANADA)
    (mirrors / "canadian-notes.txt").write_text("not a mirror")
    assert [path.name for path in mirrors_in("ca", mirrors, only=False)] == ["ca-more.tar.gz", "canada"]
    shutil.rmtree(mirrors / "canada")
    code, told, said = run("get", "ca", "--from", str(mirrors), "--dry-run", "--json")
    assert code == 0
    assert re.match(r"ca: ca-more.tar.gz: \d+ files, \d+\.\d MB; about \d+ s to read\n$", said), said
    assert json.loads(told)[0]["forecast"]["files"] > 0
    assert not (tmp_path / "library").exists()  # said, and nothing read
    code, told, said = run("get", "ca", "--from", str(mirrors), "--subject", "employment")
    assert (code, source.asked) == (0, []), said
    assert "of another subject, which were left out" in told
    assert "ca:act:E-5.6" in works(tmp_path)
    some = works(tmp_path)
    assert run("get", "ca", "--from", str(mirrors))[0] == 0
    assert works(tmp_path) > some  # what a subject left out is read once everything is asked for
    assert run("get", "ca", "--from", str(CANADA))[0] == 0  # a mirror itself, for one jurisdiction


def test_a_linked_archive_is_a_mirror(source: Publishers, tmp_path: Path) -> None:
    mirrors = tmp_path / "mirrors"
    mirrors.mkdir()
    archive = shutil.make_archive(str(tmp_path / "elsewhere"), "gztar", CANADA)
    (mirrors / "canada.tar.gz").symlink_to(archive)
    for only in (True, False):
        assert mirrors_in("ca", mirrors, only=only) == (mirrors / "canada.tar.gz",)
    code, told, said = run("get", "ca", "--from", str(mirrors), "--dry-run", "--json")
    assert (code, json.loads(told)[0]["forecast"]["files"] >= FILES) == (0, True), said


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (CANADA, f"canada is a link to a folder; give that folder itself: --from {CANADA.resolve()}"),
        (Path("nowhere"), "canada is a link that leads nowhere"),
        (Path("canada"), "canada is a link that leads nowhere"),
        (Path(os.devnull), "canada is neither an archive nor a folder"),
    ],
)
@pytest.mark.parametrize("only", [True, False])
def test_a_link_to_anything_but_a_file_is_not_followed(
    tmp_path: Path, target: Path, reason: str, only: bool
) -> None:
    (tmp_path / "canada").symlink_to(target)
    with pytest.raises(MirrorUnavailable, match=re.escape(reason)):
        mirrors_in("ca", tmp_path, only=only)


def test_get_alone_names_what_can_be_got(source: Publishers, tmp_path: Path) -> None:
    code, _, errors = run("get")
    assert code == 2
    assert "  fi   Finlex: not fetched yet\n" in errors
    assert "  eu   EUR-Lex: not fetched yet\n" in errors
    assert "pykala get fi" in errors
    assert not (tmp_path / "library").exists()


def test_an_unknown_place_lists_what_can_be_got_as_it_is_now(source: Publishers, tmp_path: Path) -> None:
    assert run("get", "fi", "--subject", "tax")[0] == 0
    code, _, errors = run("get", "fi", "xx")
    assert code == 2
    assert "no pack 'xx' is installed" in errors
    day = datetime.now(UTC).date()
    finland = (
        rf"  fi   Finlex: 2 works in your library; \d+ files fetched, its publisher last asked on {day}\n"
    )
    assert re.search(finland, errors), errors
    assert "  ca   Justice Laws: not fetched yet\n" in errors
    assert " up " not in errors  # documents of one's own have no publisher


@pytest.mark.parametrize(
    ("forecast", "words"),
    [
        (
            Forecast("P", 11_670, 0, 611_000_000, 2334.0),
            "11,670 to come, about 611.0 MB, 39 min to fetch, then at most 30 min to read",
        ),
        (
            Forecast("P", 60_000, 10, int(1.07e10), 12_000.0),
            "10 are here already; 59,990 to come, about 10.7 GB, 3.3 h to fetch, then at most 30 min to read",
        ),
        (Forecast("P", 3, 3, 0, 0.0), "all were fetched within the last day"),
    ],
)
def test_a_forecast_in_words(forecast: Forecast, words: str) -> None:
    assert words in forecast_in_words(forecast, 1_790.0)
