"""An amending act whose file breaks does not undo its amendment: the older words are not the law again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from statute_book import printed, section

from pykala.fetch.mirror import open_mirror
from pykala.ingest import Report, ingest
from pykala.law.identifiers import WorkId
from pykala.packs.finland import pack
from pykala.stores.embedded.store import EmbeddedStore

BASE, AMENDING = WorkId("fi:act:2001/77"), WorkId("fi:act:2020/900")
BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "a page of an outage": lambda good: b"<html><body><h1>503</h1><p>Try again later.</p></body></html>",
    "NULs": lambda good: bytes(len(good)),
    "nothing": lambda good: b"",
    "most of a download": lambda good: good[: len(good) * 9 // 10],
}


def read(store: EmbeddedStore, source: Path, **options: bool) -> Report:
    with open_mirror(source) as mirror:
        return ingest(store, pack, mirror, **options)


def wordings(store: EmbeddedStore) -> list[str]:
    root = store.document(BASE, "fi").root
    return [version.text for one in root.walk() if one.id.path for version in one.versions]


@pytest.mark.parametrize("how", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_amending_act_does_not_undo_its_amendment(
    tmp_path: Path, how: Callable[[bytes], bytes]
) -> None:
    source, files = tmp_path / "source", list[Path]()
    for name, data in (
        printed(77, 2001, section("1", "Maksu on 5 euroa."), base=True),
        printed(900, 2020, section("1", "Maksu on 7 euroa.")),
    ):
        files.append(source / name)
        files[-1].parent.mkdir(parents=True, exist_ok=True)
        files[-1].write_bytes(data)
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        read(store, source)
        before = wordings(store)
        assert "Maksu on 7 euroa." in before
        good = files[-1].read_bytes()
        files[-1].write_bytes(how(good))
        for options in ({}, {"prune": True}, {"accept": True}, {}):  # and again, as long as it is broken
            report = read(store, source, **options)
            assert wordings(store) == before
            assert {one.work for one in report.held} == {str(BASE), str(AMENDING)}
        files[-1].write_bytes(good)
        mended = read(store, source)
        assert (mended.held, mended.refusals, wordings(store)) == ([], [], before)
