"""A library without any work is told from one that holds law and from a damaged one, and can be removed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from making import simple
from pykala.stores.embedded.database import FILE
from pykala.stores.embedded.emptiness import discard_empty, is_empty, names_in
from pykala.stores.embedded.store import EmbeddedStore


def nothing(folder: Path) -> None:
    EmbeddedStore.open(folder, writable=True).close()


def one_work(folder: Path) -> None:
    with EmbeddedStore.open(folder, writable=True) as store:
        store.put(simple("ca:act:H-1", "A tax on horses is payable each year.", language="en"))


def emptied(folder: Path) -> None:
    one_work(folder)
    with EmbeddedStore.open(folder, writable=True) as store:
        store.delete(next(store.works()).id)


def not_made_yet(folder: Path) -> None:
    folder.mkdir()
    (folder / FILE).touch()


def records_lost(folder: Path) -> None:
    one_work(folder)
    (folder / FILE).write_bytes(b"")


def no_database(folder: Path) -> None:
    nothing(folder)
    (folder / FILE).write_bytes(b"This is no database." * 100)


@pytest.mark.parametrize(
    ("made", "empty"),
    [
        (nothing, True),
        (emptied, True),
        (not_made_yet, True),
        (one_work, False),
        (records_lost, False),
        (no_database, False),
        (Path.mkdir, False),
    ],
)
def test_only_a_library_without_works_is_empty(
    tmp_path: Path, made: Callable[[Path], None], empty: bool
) -> None:
    made(tmp_path / "library")
    assert is_empty(tmp_path / "library") is empty


@pytest.mark.parametrize("before", [None, (), ("notes.txt", "drafts")])
def test_what_was_there_before_an_empty_library_stays(tmp_path: Path, before: tuple[str, ...] | None) -> None:
    folder = tmp_path / "library"
    for name in before or ():
        (folder / name).mkdir(parents=True)
    if before is not None:
        folder.mkdir(exist_ok=True)
    names = names_in(folder)
    nothing(folder)
    discard_empty(folder, names)
    assert names_in(folder) == names


@pytest.mark.parametrize("made", [one_work, records_lost, no_database])
def test_a_library_that_is_not_surely_empty_stays(tmp_path: Path, made: Callable[[Path], None]) -> None:
    made(tmp_path / "library")
    held = {path.name: path.stat().st_size for path in (tmp_path / "library").iterdir()}
    discard_empty(tmp_path / "library", None)
    assert (names_in(tmp_path / "library") or set()) >= held.keys()
    assert (tmp_path / "library" / FILE).stat().st_size == held[FILE]


def test_a_library_that_somebody_writes_stays(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        discard_empty(tmp_path / "library", None)
        store.put(simple("ca:act:H-1", "A tax on horses is payable each year.", language="en"))
    assert not is_empty(tmp_path / "library")
