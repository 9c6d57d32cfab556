"""Ingest on a real Dask scheduler with two workers: the same library, whoever is killed meanwhile."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import dask_servers
import pykala.ingest
from dask_servers import DaskServers
from plain_pack import PlainPack, pack
from pykala.fetch.mirror import open_mirror
from pykala.fetch.workers import WorkerLost
from pykala.ingest import Report, ingest
from pykala.interfaces.cli.main import app
from pykala.packs.pack import SourceItem
from pykala.preparing import on_dask
from pykala.stores.embedded.store import EmbeddedStore
from same_contents import contents
from test_lost_workers import DyingPack

_ACTS = 40


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    for number in range(10, 10 + _ACTS):
        words = f"Act {number}\nDuty {number} under § 1 of act {number - 1}.\n" + "A long duty. " * 100
        (folder / f"{number}.txt").write_text(words, "utf-8")
    (folder / "50.txt").write_text("", "utf-8")
    return folder


@pytest.fixture(scope="module")
def undisturbed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    library = tmp_path_factory.mktemp("libraries") / "undisturbed"
    run(library, source)
    return contents(library)


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskServers]:
    if reason := dask_servers.missing():
        pytest.skip(reason)
    with DaskServers.started(tmp_path_factory.mktemp("dask")) as servers:
        yield servers


def run(library: Path, source: Path, chosen: PlainPack = pack, **options: object) -> Report:
    with EmbeddedStore.open(library, writable=True) as store, open_mirror(source) as mirror:
        return ingest(store, chosen, mirror, **options)  # type: ignore[arg-type]


def test_workers_elsewhere_make_the_same_library(
    tmp_path: Path, source: Path, undisturbed: dict[str, tuple[int, str]], dask: DaskServers
) -> None:
    told: list[tuple[int, int]] = []
    report = run(
        tmp_path / "library",
        source,
        scheduler=dask.address,
        progress=lambda done, total: told.append((done, total)),
    )
    assert (report.read, [one.path for one in report.refusals]) == (_ACTS + 1, ["50.txt"])
    assert told[-1] == (_ACTS + 1, _ACTS + 1)
    assert contents(tmp_path / "library") == undisturbed
    assert run(tmp_path / "library", source, scheduler=dask.address).unchanged == _ACTS + 1


@pytest.mark.parametrize("collecting", [True, False])
def test_a_worker_looks_for_no_garbage_while_it_prepares(
    monkeypatch: pytest.MonkeyPatch, collecting: bool
) -> None:
    """Documents are large trees without cycles: these workers were a third dearer than a pool of our own."""
    seen = []
    monkeypatch.setattr(on_dask, "prepare_files", lambda *given: seen.append(gc.isenabled()))
    edition = on_dask._edition(pack)
    was_collecting = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        on_dask.prepare_sent(on_dask.Sent(pack, edition, SourceItem("a", ("a.txt",)), (), "", ()))
        assert (seen, gc.isenabled()) == ([False], collecting)
    finally:
        (gc.enable if was_collecting else gc.disable)()


def test_an_item_that_ends_every_worker_is_refused(tmp_path: Path, source: Path) -> None:
    with DaskServers.started(tmp_path, workers=3, allowed_failures=0) as dask:  # two of them end
        report = run(tmp_path / "library", source, DyingPack([12]), scheduler=dask.address)
    assert [one.path for one in report.refusals] == ["12.txt", "50.txt"]


def test_a_worker_that_is_killed_changes_nothing(
    tmp_path: Path, source: Path, undisturbed: dict[str, tuple[int, str]], dask: DaskServers
) -> None:
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done == 5:
            dask.kill_worker(0)
            killed.append(done)

    report = run(tmp_path / "library", source, scheduler=dask.address, progress=kill)
    assert killed
    assert [one.path for one in report.refusals] == ["50.txt"]
    assert contents(tmp_path / "library") == undisturbed


def test_the_scheduler_is_killed_and_the_same_command_goes_on(
    tmp_path: Path,
    source: Path,
    undisturbed: dict[str, tuple[int, str]],
    dask: DaskServers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pykala.ingest, "_PUBLISH_AFTER", 12)

    def kill(done: int, total: int) -> None:
        if done == 20:
            dask.kill_scheduler()

    with pytest.raises(WorkerLost, match="run the same command again") as told:
        run(tmp_path / "library", source, scheduler=dask.address, progress=kill)
    assert "\n" not in str(told.value)
    dask.start_scheduler()
    dask.start_workers(2)
    report = run(tmp_path / "library", source, scheduler=dask.address)
    assert report.unchanged >= 20  # what had come before the kill was stored
    assert contents(tmp_path / "library") == undisturbed


def test_items_are_sent_only_some_way_ahead(
    tmp_path: Path, source: Path, dask: DaskServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_dask, "_BYTES_AHEAD", 4_000)  # about three files
    with open_mirror(source) as mirror:
        read: list[str] = []
        reading = mirror.read

        class Counting:
            def __getattr__(self, name: str) -> object:
                return getattr(mirror, name)

            def read(self, path: str) -> object:
                read.append(path)
                return reading(path)

        items = [(item, "1") for item in pack.works(mirror.paths())]
        with on_dask.preparing_on_dask(pack, Counting(), scheduler=dask.address) as prepare:  # type: ignore[arg-type]
            next(prepare(items))
    assert len(read) <= 5


def test_workers_of_another_version_are_told_apart(
    tmp_path: Path, source: Path, dask: DaskServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_dask, "PREPARATION", "another")
    with pytest.raises(WorkerLost, match="install the same version on all of them"):
        run(tmp_path / "library", source, scheduler=dask.address)


def test_a_wrong_address_is_one_line(tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_dask, "_CONNECT_SECONDS", 0.2)
    with pytest.raises(WorkerLost, match=r"there is no scheduler at tcp://127\.0\.0\.1:9; start one"):
        run(tmp_path / "library", source, scheduler="tcp://127.0.0.1:9")


def test_a_scheduler_without_workers_is_one_line(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_dask, "_WORKER_SECONDS", 0.2)
    with (
        DaskServers.started(tmp_path, workers=0) as dask,
        pytest.raises(WorkerLost, match="has no workers; start some: 'dask worker tcp://"),
    ):
        run(tmp_path / "library", source, scheduler=dask.address)


def test_a_missing_extra_prints_its_command(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkerLost, match=r"pip install 'pykala\[cluster\]'"):
        run(tmp_path / "library", source, scheduler="tcp://127.0.0.1:9")


@pytest.mark.parametrize("given", ["many", "0", "-1", "http://127.0.0.1:8786"])
def test_the_command_takes_a_number_or_an_address(given: str, tmp_path: Path) -> None:
    asked = ["ingest", "fi", "--from", str(tmp_path), "--library", str(tmp_path / "library")]
    result = CliRunner().invoke(app, [*asked, "--workers", given])
    assert result.exit_code == 2
    assert "tcp://" in result.output
    assert not (tmp_path / "library").exists()
