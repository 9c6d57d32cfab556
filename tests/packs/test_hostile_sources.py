"""A bad file is refused by its name and reason; the rest goes on; nothing already stored is lost."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

import pykala.packs.canada
from pykala.law.identifiers import WorkId
from pykala.library import Library

SAMPLE = Path(pykala.packs.canada.__file__).parent / "sample"
GOOD = {path.relative_to(SAMPLE).as_posix(): path.read_bytes() for path in SAMPLE.rglob("*.xml")}
_LEVELS = "".join(f'<!ENTITY {name} "{f"&{below};" * 8}">' for below, name in ("ab", "bc", "cd"))
BOMB = f'<!DOCTYPE Statute [<!ENTITY a "aaaaaaaa">{_LEVELS}]><Statute>{"&d;" * 4}</Statute>'.encode()
OUTSIDE = (
    b'<?xml version="1.0"?><!DOCTYPE Statute [<!ENTITY x SYSTEM "file:///etc/passwd">]><Statute>&x;</Statute>'
)

#: name of the case → bytes of a file in the place of an act
HOSTILE = {
    "empty": b"",
    "blank": b"  \n ",
    "truncated": next(iter(GOOD.values()))[:900],
    "not-xml": b"%PDF-1.4 not law",
    "bomb": BOMB,
    "outside": OUTSIDE,
    "deep": b"<Statute>" * 20_000 + b"</Statute>" * 20_000,
    "nul": b"<Statute>\x00\x00</Statute>",
    "encoding": b'<?xml version="1.0" encoding="utf-8"?><Statute>\xff\xfe\xfa</Statute>',
    "other": b"<html><body>Service unavailable</body></html>",
    "hollow": b"<Statute/>",
}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", writable=True, create=True) as opened:
        opened.ingest("ca", SAMPLE)
        yield opened


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_by_name(tmp_path: Path, library: Library, case: str) -> None:
    source = tmp_path / "source"
    for name, data in {**GOOD, f"eng/acts/Z-{case}.xml": HOSTILE[case]}.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
    before = list(library.store.works())
    report = library.ingest("ca", source)
    assert [refusal.path for refusal in report.refusals] == [f"eng/acts/Z-{case}.xml"]
    assert report.refusals[0].reason
    assert "\n" not in report.refusals[0].reason
    assert list(library.store.works()) == before
    again = library.ingest("ca", source)
    assert (again.read, again.unchanged) == (0, report.read + report.unchanged)


def test_one_bad_language_does_not_lose_the_other(tmp_path: Path, library: Library) -> None:
    source = tmp_path / "source"
    for name, data in GOOD.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data if name != "fra/lois/E-5.6.xml" else b"<broken")
    report = library.ingest("ca", source)
    assert [refusal.path for refusal in report.refusals] == ["fra/lois/E-5.6.xml"]
    assert library.store.document(WorkId("ca:act:E-5.6"), "en")


def _tar(members: dict[str, bytes], link: str | None = None) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        if link:
            entry = tarfile.TarInfo("eng/acts/link.xml")
            entry.type, entry.linkname = tarfile.SYMTYPE, link
            archive.addfile(entry)
    return packed.getvalue()


def _zip(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


TRICKS = {"../../escape.xml": b"<Statute/>", "/etc/absolute.xml": b"<Statute/>"}


@pytest.mark.parametrize("form", ["tar.zst", "zip"])
def test_an_archive_with_path_tricks_is_read_without_them(
    tmp_path: Path, library: Library, form: str
) -> None:
    members = {**GOOD, **TRICKS}
    archive = tmp_path / f"source.{form}"
    if form == "zip":
        archive.write_bytes(_zip(members))
    else:
        archive.write_bytes(zstandard.ZstdCompressor().compress(_tar(members, link="/etc/passwd")))
    report = library.ingest("ca", archive)
    refused = {refusal.path for refusal in report.refusals}
    assert len(refused) >= 2
    assert any("escape.xml" in path for path in refused)
    assert any("absolute.xml" in path for path in refused)
    assert not (tmp_path.parent / "escape.xml").exists()
    # The archive's good files are the sample's own: nothing changed.
    assert (report.read, report.unchanged) == (0, len(list(library.store.works())))
