"""Worker processes that are killed: their items are prepared again, and the library is the same."""

from __future__ import annotations

from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path

import pytest

from dying_pack import DyingPack, end
from plain_pack import PlainPack, pack
from pykala.fetch.mirror import open_mirror
from pykala.fetch.workers import JobLost, WorkerLost, WorkerPool
from pykala.ingest import Report, ingest
from pykala.stores.embedded.store import EmbeddedStore
from same_contents import contents

_ACTS = range(10, 70)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    for number in _ACTS:
        words = f"Act {number}\nDuty {number} under § 1 of act {number - 1}.\n" + "A duty. " * 20
        if number % 20 == 12:  # more than a pipe holds: a kill can come while it is being sent
            words += "A long duty. " * 6_000
        (folder / f"{number}.txt").write_text(words, "utf-8")
    return folder


def run(library: Path, source: Path, chosen: PlainPack = pack, **options: object) -> Report:
    with EmbeddedStore.open(library, writable=True) as store, open_mirror(source) as mirror:
        return ingest(store, chosen, mirror, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, source: Path) -> dict[str, tuple[int, str]]:
    """What a library holds that no other process had a hand in."""
    library = tmp_path_factory.mktemp("undisturbed")
    run(library, source, workers=1)
    return contents(library)


def test_what_a_dead_worker_had_is_done_again(
    tmp_path: Path, source: Path, undisturbed: dict[str, tuple[int, str]]
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    report = run(tmp_path / "disturbed", source, DyingPack([12, 13, 40, 69], marks), workers=2)
    assert len(list(marks.iterdir())) == 4
    assert report.refusals == []
    assert contents(tmp_path / "disturbed") == undisturbed


def test_workers_killed_from_outside_at_any_moment_change_nothing(
    tmp_path: Path, source: Path, undisturbed: dict[str, tuple[int, str]]
) -> None:
    killed = []

    def kill(done: int, total: int) -> None:
        # Twice, while the others read ahead, or write what they have read: an item whose process is killed a
        # third time is refused, and which item a process holds at the moment of a kill is not ours to choose.
        if done in (2, 9):
            for worker in active_children():
                with suppress(ValueError):  # the pool may just have closed one that ended
                    killed.append(worker.pid)
                    worker.kill()

    report = run(tmp_path / "disturbed", source, workers=2, progress=kill)
    assert killed
    assert report.refusals == []
    assert contents(tmp_path / "disturbed") == undisturbed


def test_an_item_that_ends_every_worker_is_refused_and_tried_again_by_the_next_run(
    tmp_path: Path, source: Path
) -> None:
    report = run(tmp_path / "library", source, DyingPack([20]), workers=2)
    assert [(one.path, "three times" in one.reason) for one in report.refusals] == [("20.txt", True)]
    report = run(tmp_path / "library", source)
    assert (report.read, report.unchanged, report.refusals) == (1, len(_ACTS) - 1, [])


def test_workers_that_end_one_after_another_are_a_clear_error_and_what_was_read_stays(
    tmp_path: Path, source: Path
) -> None:
    with pytest.raises(WorkerLost, match="fewer --workers"):
        run(tmp_path / "library", source, DyingPack(range(30, 70)), workers=2)
    assert run(tmp_path / "library", source).unchanged == 20


def test_a_job_that_ends_every_process_is_lost_where_nothing_stands_in_for_it() -> None:
    with WorkerPool(1, end) as pool, pytest.raises(JobLost, match="three times"):
        list(pool.in_order([(1,)]))
    assert active_children() == []
