"""Words are weighed within a jurisdiction: loading one country's law does not move another's order."""

from __future__ import annotations

from pathlib import Path

import pytest

from making import simple
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.stores.embedded import indexing
from pykala.stores.embedded.fulltext import TextIndex
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import StoreFull

#: Two provisions whose order depends on which of the question's words is the rarer one.
OWN = (
    ("xx:act:1", "A tax on horses is paid.", "Ships carry a flag."),
    ("xx:act:2", "A tax on carts is paid.", "A tax on boats is paid, and a tax on mills, and on looms."),
    ("xx:act:3", "Horses are counted each year.", "A horse that nobody claims is sold."),
)
OTHER = [(f"yy:act:{number}", "Horses, horses and horses in the town.", "A stable.") for number in range(12)]
HERE = Filter(jurisdictions=frozenset({"xx"}))


def filled(folder: Path, *groups: list[tuple[str, str, str]] | tuple[tuple[str, str, str], ...]) -> Path:
    for group in groups:
        with EmbeddedStore.open(folder, writable=True) as store, store.batch():
            for work, first, second in group:
                store.put(simple(work, first, second))
    return folder


def order(folder: Path) -> list[tuple[str, float]]:
    with EmbeddedStore.open(folder) as store:
        return [(str(one.section), one.score) for one in store.match_text("tax on horses", HERE, 20)]


def test_loading_another_country_moves_nothing(tmp_path: Path) -> None:
    alone = order(filled(tmp_path / "alone", OWN))
    assert len(alone) > 3
    assert order(filled(tmp_path / "before", OTHER, OWN)) == alone
    assert order(filled(tmp_path / "after", OWN, OTHER)) == alone


def test_words_are_as_rare_as_in_the_law_of_the_place(tmp_path: Path) -> None:
    with EmbeddedStore.open(filled(tmp_path / "alone", OWN)) as store:
        alone = store.weigh("tax on horses and stables", "en")
    with EmbeddedStore.open(filled(tmp_path / "both", OWN, OTHER)) as store:
        assert store.weigh("tax on horses and stables", "en", frozenset({"xx"})) == alone
        everywhere = store.weigh("tax on horses and stables", "en")
        assert store.weigh("tax on horses and stables", "en", frozenset({"xx", "yy"})) == everywhere != alone
        assert not any(store.weigh("horses", "en", frozenset({"zz"})).values())


def test_without_a_place_all_are_searched(tmp_path: Path) -> None:
    with EmbeddedStore.open(filled(tmp_path / "both", OWN, OTHER)) as store:
        found = {one.work.jurisdiction for one in store.match_text("horses", Filter(), 50)}
        assert found == {"xx", "yy"}
        scores = [one.score for one in store.match_text("horses", Filter(), 50)]
        assert scores == sorted(scores, reverse=True)


def test_a_work_is_taken_out_of_its_own_index(tmp_path: Path) -> None:
    folder = filled(tmp_path / "both", OWN, OTHER)
    with EmbeddedStore.open(folder, writable=True) as store:
        store.delete(next(work.id for work in store.works() if str(work.id) == "yy:act:3"))
    with EmbeddedStore.open(folder) as store:
        assert len({one.work for one in store.match_text("stable", Filter(), 50)}) == len(OTHER) - 1
    assert order(folder) == order(filled(tmp_path / "alone", OWN))


def test_a_reader_sees_a_jurisdiction_that_came_after_it_was_opened(tmp_path: Path) -> None:
    folder = filled(tmp_path / "library", OWN)
    with EmbeddedStore.open(folder) as reader:
        filled(folder, OTHER)
        assert reader.match_text("stable", Filter(), 9) == ()
        reader.refresh()
        assert len(reader.match_text("stable", Filter(), 9)) == 9


@pytest.mark.parametrize("writable", [True, False])
def test_an_index_of_the_earlier_layout_is_written_anew(tmp_path: Path, writable: bool) -> None:
    folder = filled(tmp_path / "library", OWN)
    expected = order(folder)
    TextIndex.discard(folder / "text")
    TextIndex.open(folder / "text", writable=True).close()  # one index for all, as it was once
    with EmbeddedStore.open(folder, writable=writable):
        pass
    assert order(folder) == expected
    assert not (folder / "text" / "meta.json").exists()


MANY = [
    (
        f"xx:act:{number}",
        f"A tax on horses of class {number} is paid.",
        "A cart is wide, and a horse draws it.",
    )
    for number in range(20, 40)
]


@pytest.mark.parametrize("deleted", [1, 4, 15, 20])
def test_deleted_law_does_not_stay_in_the_weights_of_words(tmp_path: Path, deleted: int) -> None:
    """However much was deleted, words weigh more than nothing; after much of it, as in a new library."""
    folder = filled(tmp_path / "changed", OWN, MANY)
    with EmbeddedStore.open(folder, writable=True) as store, store.batch():
        for work, _, _ in MANY[:deleted]:
            store.delete(WorkId(work))
    with EmbeddedStore.open(folder) as store:
        (weights,) = store.weights("tax on horses and carts", "en", [frozenset({"xx"})])
        assert min(weight for weight in weights.values() if weight) > 0
    if deleted > 4:
        assert order(folder) == order(filled(tmp_path / "new", OWN, MANY[deleted:]))


def test_an_index_that_cannot_be_rewritten_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = filled(tmp_path / "changed", OWN, MANY)

    def no_room(*_: object) -> bool:
        raise StoreFull("the disk is full")

    monkeypatch.setattr(indexing, "renew_words", no_room)
    with EmbeddedStore.open(folder, writable=True) as store, store.batch():
        for work, _, _ in MANY:
            store.delete(WorkId(work))
    assert {work for work, _ in order(folder)} == {work for work, _ in order(filled(tmp_path / "new", OWN))}
