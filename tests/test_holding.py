"""Nothing lost: a broken or cut source takes no good law out of a library, and says so."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

import pykala.packs.canada
import pykala.packs.eu
import pykala.packs.finland
from making import document, section
from pykala.fetch.mirror import open_mirror
from pykala.ingest import Report, ingest
from pykala.interfaces.cli.main import run as run_command
from pykala.law.identifiers import WorkId
from pykala.library import Library
from pykala.packs.pack import pack_for
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.holding import _loss

EXCISE = WorkId("ca:act:E-15")
FILES = ("eng/acts/E-15.xml", "fra/lois/E-15.xml")
INCOME_TAX = WorkId("fi:act:1992/1535")
OUTAGE = (
    b"<!DOCTYPE html><html><head><title>503 Service Unavailable</title></head>"
    b"<body><h1>Service Unavailable</h1><p>Try again later.</p></body></html>"
)
BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "a page of an outage": lambda good: OUTAGE,
    "NULs": lambda good: bytes(len(good)),
    "nothing": lambda good: b"",
    "a third of a download": lambda good: good[: len(good) // 3],
}


def sample(package: object) -> Path:
    return Path(str(getattr(package, "__file__", ""))).parent / "sample"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample(pykala.packs.canada), tmp_path / "source"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as opened:
        yield opened


def read(store: EmbeddedStore, source: Path, pack: str = "ca", **options: bool) -> Report:
    with open_mirror(source) as mirror:
        return ingest(store, pack_for(pack), mirror, **options)


def held(store: EmbeddedStore) -> dict[str, dict[str, int]]:
    """Every work with its words by language: what must not become less."""
    return {str(work.id): dict(store.words(work.id)) for work in store.works()}


def change(source: Path, names: tuple[str, ...], how: Callable[[bytes], bytes]) -> None:
    for name in names:
        (source / name).write_bytes(how((source / name).read_bytes()))


def without_sections(good: bytes) -> bytes:
    """The act as a publisher's mishap leaves it: well-formed, with its first section alone."""
    first = good.index(b"</Section>") + len(b"</Section>")
    return good[:first] + good[good.rindex(b"</Body>") :]


@pytest.mark.parametrize("names", [FILES, FILES[:1], FILES[1:]], ids=["both", "English", "French"])
@pytest.mark.parametrize("how", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_file_leaves_the_last_good_version(
    store: EmbeddedStore, source: Path, names: tuple[str, ...], how: Callable[[bytes], bytes]
) -> None:
    read(store, source)
    before = held(store)
    change(source, names, how)
    for options in ({}, {"prune": True}, {"accept": True}):  # a broken file is never accepted
        report = read(store, source, **options)
        assert held(store) == before
        assert [one.work for one in report.held] == [str(EXCISE)]
        assert {one.path for one in report.refusals} >= set(names)
        assert report.held_back
    for name in names:
        shutil.copy(sample(pykala.packs.canada) / name, source / name)
    mended = read(store, source)
    assert (mended.held, mended.refusals, held(store)) == ([], [], before)


@pytest.mark.parametrize("how", BROKEN.values(), ids=BROKEN.keys())
def test_a_survey_that_cannot_make_a_file_out_loses_nothing(
    store: EmbeddedStore, tmp_path: Path, how: Callable[[bytes], bytes]
) -> None:
    source = Path(shutil.copytree(sample(pykala.packs.finland), tmp_path / "finland"))
    read(store, source, "fi")
    before = held(store)
    files = tuple(str(path.relative_to(source)) for path in source.rglob("*") if path.is_file())
    change(source, files, how)
    report = read(store, source, "fi", prune=True)
    assert held(store) == before
    assert {one.work for one in report.held} == set(before)
    assert (report.gone, report.removed) == ([], 0)


def test_a_text_that_shrinks_waits_to_be_accepted(store: EmbeddedStore, source: Path) -> None:
    read(store, source)
    before = held(store)
    change(source, FILES, without_sections)
    report = read(store, source)
    (one,) = report.held
    assert one.work == str(EXCISE)
    assert "(en) would shrink from" in one.reason
    assert "--accept" in one.reason
    assert held(store) == before
    assert [one.work for one in read(store, source).held] == [str(EXCISE)]  # as long as it is so
    assert read(store, source, accept=True).held == []
    assert held(store)[str(EXCISE)]["en"] < before[str(EXCISE)]["en"] / 2
    assert read(store, source).unchanged == len(before)


@pytest.mark.parametrize(
    ("before", "after", "is_held"),
    [(100, 51, False), (100, 49, True), (5_000, 4_100, False), (5_000, 3_900, True), (5_000, 0, True)],
)
def test_a_long_text_may_lose_less_than_a_short_one(before: int, after: int, is_held: bool) -> None:
    work = WorkId("xx:act:1")
    texts = [document(work, "en", [section(work, "1", "word " * after)])]
    assert bool(_loss({"en": before}, texts)) is is_held


def test_a_text_that_grows_or_loses_a_little_is_stored(store: EmbeddedStore, source: Path) -> None:
    read(store, source)
    change(source, FILES[:1], lambda good: good.replace(b"</Section>", b"<!-- mended --></Section>"))
    report = read(store, source)
    assert (report.held, report.read) == ([], 1)


def packed(folder: Path, archive: Path, mode: str) -> bytes:
    with tarfile.open(archive, mode) as tar:
        for path in sorted(folder.rglob("*.xml")):
            tar.add(path, path.relative_to(folder).as_posix())
    return archive.read_bytes()


@pytest.mark.parametrize("suffix", ["tar", "tar.gz"])
def test_nothing_is_pruned_from_an_archive_that_was_cut(
    store: EmbeddedStore, source: Path, tmp_path: Path, suffix: str
) -> None:
    archive = tmp_path / f"canada.{suffix}"
    whole = packed(source, archive, "w:gz" if suffix == "tar.gz" else "w")
    read(store, archive)
    before = held(store)
    archive.write_bytes(whole[: len(whole) // 3])
    report = read(store, archive, prune=True)
    assert (report.removed, held(store)) == (0, before)
    assert "the source is not whole" in report.not_pruned
    assert report.held_back


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda folder: shutil.rmtree(folder / "eng") or shutil.rmtree(folder / "fra"), "holds nothing"),
        (lambda folder: (folder / "more.xml").symlink_to("/nowhere"), "more.xml: the link leads"),
    ],
    ids=["empty", "refused"],
)
def test_nothing_is_pruned_from_a_source_that_is_not_whole(
    store: EmbeddedStore, source: Path, spoil: Callable[[Path], object], reason: str
) -> None:
    read(store, source)
    before = held(store)
    for name in FILES:
        (source / name).unlink()
    spoil(source)
    report = read(store, source, prune=True)
    assert (report.removed, held(store)) == (0, before)
    assert reason in report.not_pruned
    assert str(EXCISE) in report.gone


def test_a_whole_source_prunes_as_before(store: EmbeddedStore, source: Path) -> None:
    read(store, source)
    for name in FILES:
        (source / name).unlink()
    report = read(store, source, prune=True)
    assert (report.gone, report.removed, report.held_back) == ([str(EXCISE)], 1, False)


def test_the_command_line_says_so(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "300")
    library = tmp_path / "own"
    verb = ("ingest", "ca", "--from", str(source), "--library", str(library))
    assert said(*verb)[0] == 0
    change(source, FILES, BROKEN["NULs"])
    code, text = said(*verb)
    assert code == 4
    assert f"left as it was {EXCISE}: no text can be read from its files (eng/acts/E-15.xml: " in text
    code, text = said(*verb, "--accept", "--json")
    assert (code, [one["work"] for one in json.loads(text)["held"]]) == (4, [str(EXCISE)])
    with Library.open(library) as opened:
        assert opened.store.words(EXCISE)["en"] > 100
    for name in FILES:
        shutil.copy(sample(pykala.packs.canada) / name, source / name)
    change(source, FILES, without_sections)
    assert said(*verb)[0] == 4
    code, text = said(*verb, "--accept", "--json")
    assert (code, json.loads(text)["held"]) == (0, [])
    shutil.rmtree(source / "eng")
    shutil.rmtree(source / "fra")
    code, text = said(*verb, "--prune")
    assert (code, "nothing removed" in text) == (4, True)
    code, text = said(*verb, "--prune", "--json")
    assert (code, json.loads(text)["removed"]) == (4, 0)
    assert "holds nothing" in json.loads(text)["not_pruned"]


def said(*arguments: str) -> tuple[int, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run_command(arguments)
    return code, stdout.getvalue()


def copied(pack: object, folder: Path) -> Path:
    return Path(shutil.copytree(sample(pack), folder))


STATES_OF_VAT = "32006l0112/versions"


@pytest.mark.parametrize("how", BROKEN.values(), ids=BROKEN.keys())
@pytest.mark.parametrize("name", ["en.xml", "meta.json"], ids=["text", "facts"])
@pytest.mark.parametrize("state", ["2006-11-28", "2022-04-06"])
def test_one_broken_state_of_several_leaves_them_all(
    store: EmbeddedStore, tmp_path: Path, state: str, name: str, how: Callable[[bytes], bytes]
) -> None:
    """Less than half of the words are lost; but the law of a day would be another day's."""
    source = copied(pykala.packs.eu, tmp_path / "eu")
    read(store, source, "eu")
    before = held(store)
    file = next((source / STATES_OF_VAT).glob(f"{state}--*")) / name
    file.write_bytes(how(file.read_bytes()))
    for options in ({}, {"prune": True}, {"accept": True}):
        report = read(store, source, "eu", **options)
        assert held(store) == before
        assert [one.work for one in report.held] == ["eu:32006L0112"]
        assert [source / one.path for one in report.refusals] == [file]


def test_an_error_as_json_is_no_file_of_facts(store: EmbeddedStore, tmp_path: Path) -> None:
    source = copied(pykala.packs.eu, tmp_path / "eu")
    read(store, source, "eu")
    for file in (source / STATES_OF_VAT).glob("*/meta.json"):
        file.write_text('{"error": "too many requests", "status": 429}')
    report = read(store, source, "eu")
    assert [one.work for one in report.held] == ["eu:32006L0112"]
    assert len(report.refusals) == 2


PAGES = {
    "eu": (pykala.packs.eu, "32016r0679/versions/*/en.xml"),
    "fi": (pykala.packs.finland, "vero/Ohjeet/avainhenkilo/avainhenkilo - vero.fi.html"),
}


@pytest.mark.parametrize("pack", PAGES)
def test_a_page_that_lost_its_end_is_no_page(store: EmbeddedStore, tmp_path: Path, pack: str) -> None:
    """A parser of HTML closes what is open, and a tenth of the text is less than what --accept is for."""
    package, name = PAGES[pack]
    source = copied(package, tmp_path / pack)
    read(store, source, pack)
    before = held(store)
    page = next(source.glob(name))
    whole = page.read_bytes()
    page.write_bytes(whole[: len(whole) * 9 // 10])
    report = read(store, source, pack)
    assert held(store) == before
    assert [(source / one.path, "cut" in one.reason) for one in report.refusals] == [(page, True)]
    assert len(report.held) == 1
