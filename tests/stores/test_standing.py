"""Standing: references counted within a jurisdiction, kept in columns that may be lost without harm."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from math import log1p
from pathlib import Path

import numpy as np
import pytest

from making import bundle, cites, document, section, simple, since
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.references import EdgeKind
from pykala.law.standing import UNKNOWN, Standing
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.integrity import MANIFEST
from pykala.stores.embedded.standing import SECTIONS, WORKS
from pykala.stores.embedded.store import EmbeddedStore

EMBEDDER = HashingEmbedder(32)
CENTRE = WorkId("ca:act:A-1")


def at(text: str) -> ProvisionId:
    return ProvisionId.parse(text)


def fill(store: EmbeddedStore) -> None:
    """An act that others cite, two that cite it, and one of another country that does."""
    one, two = at("ca:act:A-1/sec_1"), at("ca:act:A-1/sec_2")
    sections = [
        section(CENTRE, "1", "Tax is paid.", "by horses"),
        section(CENTRE, "2", "Fees."),
        section(CENTRE, "3", "A tax that nobody cites."),
    ]
    within = [cites(two, one), cites(one.child("subsec", "1"), one)]  # the second is within the section
    store.put(bundle(CENTRE, [document(CENTRE, "en", sections)], references=within))
    from_b = [
        cites(at("ca:act:B-1/sec_1"), one.child("subsec", "1"), validity=since(2003)),
        cites(at("ca:act:B-1/sec_2"), one, validity=since(2011, 2015), kind=EdgeKind.EXCEPTS),
    ]
    store.put(simple("ca:act:B-1", "See there.", "Except there.", references=from_b))
    from_c = [cites(at("ca:act:C-1/sec_1"), one), cites(at("ca:act:C-1/sec_1"), two)]
    store.put(simple("ca:act:C-1", "See both.", references=from_c))
    abroad = [
        cites(at("fi:act:2000/1/sec_1"), one),
        cites(at("fi:act:2000/1/sec_1"), at("fi:act:2001/1/sec_1")),
    ]
    store.put(simple("fi:act:2001/1", "Vero.", language="fi"))
    store.put(simple("fi:act:2000/1", "Katso.", language="fi", references=abroad))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("standing") / "library"
    with EmbeddedStore.open(folder, writable=True, embedder=EMBEDDER) as store:
        fill(store)
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "library"))


def standing(folder: Path, section: str) -> Standing:
    with EmbeddedStore.open(folder) as store:
        return store.standing(at(section))


def test_references_are_counted_by_section_by_work_and_by_act(made: Path) -> None:
    assert standing(made, "ca:act:A-1/sec_1") == Standing(
        cited=4, works=3, act_works=2, last_cited=date(2011, 1, 1).toordinal(), weight=1.0, act_weight=1.0
    )
    other = standing(made, "ca:act:A-1/sec_2")
    assert (other.cited, other.works, other.act_works, other.last_cited) == (1, 1, 2, 0)
    assert other.weight == pytest.approx(log1p(1) / log1p(4))


def test_a_section_that_nobody_cites_has_its_acts_standing(made: Path) -> None:
    assert standing(made, "ca:act:A-1/sec_3") == Standing(act_works=2, act_weight=1.0)
    assert standing(made, "ca:act:B-1/sec_1") == UNKNOWN
    assert standing(made, "ca:act:A-1/sec_99") == standing(made, "ca:act:Z-1/sec_1") == UNKNOWN


def test_a_place_stands_as_its_section_does(made: Path) -> None:
    assert standing(made, "ca:act:A-1/sec_1/subsec_1") == standing(made, "ca:act:A-1/sec_1")


def test_each_jurisdiction_is_counted_by_itself(made: Path) -> None:
    alone = standing(made, "fi:act:2001/1/sec_1")
    assert (alone.cited, alone.works, alone.act_works) == (1, 1, 1)
    assert alone.weight == alone.act_weight == 1.0, "the most of its own country, however few"


def test_another_country_changes_nothing(library: Path) -> None:
    before = standing(library, "ca:act:A-1/sec_1")
    references = [cites(at(f"fi:act:2002/1/sec_{n}"), at("fi:act:2001/1/sec_1")) for n in range(1, 9)]
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("fi:act:2002/1", *["Katso."] * 8, language="fi", references=references))
    assert standing(library, "ca:act:A-1/sec_1") == before
    assert standing(library, "fi:act:2001/1/sec_1").cited == 9


def test_what_is_found_comes_with_its_standing(made: Path) -> None:
    vector = EMBEDDER.encode(["tax"], "query")[0]
    with EmbeddedStore.open(made, embedder=EMBEDDER) as store:
        by_words, by_meaning = store.match_text("tax", Filter(), 9), store.match_vector(vector, Filter(), 99)
        by_terms = store.match_terms({"tax": 1.0}, "en", Filter(), 9)
        for found in (by_words, by_meaning, by_terms, store.children([(by_words[0].passage, 1.0)])):
            assert found
            assert all(one.standing == store.standing(one.section) for one in found)
        assert {one.standing.cited for one in by_words} == {4, 0}


def test_a_section_that_cites_itself_or_its_neighbour_gains_nothing_for_its_act(tmp_path: Path) -> None:
    one, two = at("ca:act:A-1/sec_1"), at("ca:act:A-1/sec_2")
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(simple("ca:act:A-1", "One.", "Two.", references=[cites(one, one), cites(two, one)]))
    found = standing(tmp_path / "library", "ca:act:A-1/sec_1")
    assert (found.cited, found.works, found.act_works, found.act_weight) == (1, 1, 0, 0.0)


def test_it_is_counted_anew_after_a_delete(library: Path) -> None:
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.delete(WorkId("ca:act:B-1"))
    left = standing(library, "ca:act:A-1/sec_1")
    assert (left.cited, left.works, left.act_works, left.last_cited) == (2, 2, 1, 0)
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.delete(WorkId("ca:act:C-1"))
        store.delete(WorkId("fi:act:2000/1"))
    assert standing(library, "fi:act:2001/1/sec_1") == UNKNOWN
    assert standing(library, "ca:act:A-1/sec_2") == UNKNOWN


def test_a_library_that_cites_nothing_stands_for_nothing(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(simple("ca:act:A-1", "One."))
        assert store.standing(at("ca:act:A-1/sec_1")) == UNKNOWN, "before anything was counted"
    assert standing(tmp_path / "library", "ca:act:A-1/sec_1") == UNKNOWN


def test_a_reader_moves_on_when_it_refreshes(library: Path) -> None:
    place = at("ca:act:A-1/sec_1")
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        before = reader.standing(place)
        with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
            store.put(simple("ca:act:D-1", "See.", references=[cites(at("ca:act:D-1/sec_1"), place)]))
        assert reader.standing(place) == before, "a reader keeps the state that it opened"
        reader.refresh()
        assert reader.standing(place).cited == before.cited + 1


def test_nothing_is_written_where_nothing_has_changed(library: Path) -> None:
    before = [(library / name).stat().st_ino for name in (SECTIONS, WORKS)]
    EmbeddedStore.open(library, writable=True, embedder=EMBEDDER).close()
    assert [(library / name).stat().st_ino for name in (SECTIONS, WORKS)] == before
    assert not list(library.glob("standing*.tmp"))


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _saved(path: Path, column: np.ndarray) -> None:
    with path.open("wb") as file:
        np.save(file, column)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "garbage": lambda path: path.write_bytes(b"not a column " * 500),
    "an archive": lambda path: path.write_bytes(b"PK\x03\x04" * 500),
    "cut off in its header": lambda path: path.write_bytes(path.read_bytes()[:50]),
    "cut off in its rows": lambda path: path.write_bytes(path.read_bytes()[:-5]),
    "a folder": lambda path: _folder(path),
    "of other columns": lambda path: _saved(path, np.zeros(3, dtype=[("unit", "<i8")])),
    "of plain numbers": lambda path: _saved(path, np.arange(9)),
    "of objects": lambda path: _saved(path, np.array([{}, None], dtype=object)),
    "of another shape": lambda path: _saved(path, np.load(path)[:1].reshape(())),
}


@pytest.mark.parametrize("name", [SECTIONS, WORKS])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_cannot_be_read_and_has_no_checksum_is_no_help_and_no_error(
    library: Path, damage: Callable[[Path], object], name: str
) -> None:
    (library / MANIFEST).unlink()
    damage(library / name)
    vector = EMBEDDER.encode(["tax"], "query")[0]
    with EmbeddedStore.open(library, embedder=EMBEDDER) as store:
        assert store.standing(at("ca:act:A-1/sec_1")) == UNKNOWN
        found = (*store.match_text("tax", Filter(), 9), *store.match_vector(vector, Filter(), 9))
        assert {str(one.section) for one in found} >= {"ca:act:A-1/sec_1", "ca:act:A-1/sec_3"}
        assert all(one.standing == UNKNOWN for one in found)


@pytest.mark.parametrize("name", [SECTIONS, WORKS])
@pytest.mark.parametrize("damage", ["missing", "garbage", "cut off in its rows"])
def test_what_is_damaged_is_counted_anew_at_opening(library: Path, damage: str, name: str) -> None:
    before = standing(library, "ca:act:A-1/sec_1")
    DAMAGES[damage](library / name)
    assert standing(library, "ca:act:A-1/sec_1") == before != UNKNOWN


@pytest.mark.parametrize("name", [SECTIONS, WORKS])
@pytest.mark.parametrize("damage", [one for name, one in DAMAGES.items() if name != "a folder"])
def test_the_next_change_counts_anew(library: Path, damage: Callable[[Path], object], name: str) -> None:
    damage(library / name)
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("ca:act:D-1", "Nothing is cited here."))
    assert standing(library, "ca:act:A-1/sec_1").cited == 4


@pytest.mark.parametrize("name", [SECTIONS, WORKS])
def test_the_next_writer_makes_what_is_missing(library: Path, name: str) -> None:
    (library / name).unlink()
    EmbeddedStore.open(library, writable=True, embedder=EMBEDDER).close()
    assert standing(library, "ca:act:A-1/sec_1").cited == 4


@pytest.mark.parametrize("name", [SECTIONS, WORKS])
def test_a_folder_in_its_place_stops_no_writer(library: Path, name: str) -> None:
    DAMAGES["a folder"](library / name)
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("ca:act:D-1", "Carriages."))
    with EmbeddedStore.open(library) as store:
        assert store.match_text("carriages", Filter(), 1)
    assert not list(library.glob("standing*.tmp"))
