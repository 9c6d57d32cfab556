"""To which day a library knows its law: counted at ingest, kept with each work, told with every answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from making import simple
from plain_pack import PlainPack
from pykala.answer.in_words import law_in_words
from pykala.answer.record import answer_json
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.answers import CaveatKind
from pykala.law.currency import known_to, newest, recorded
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Work, WorkKind
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.packs.pack import Reading, Snapshot, SourceItem
from pykala.stores.embedded.store import EmbeddedStore
from pykala.views.prose import answer_text

STATED, ISSUED = date(2026, 7, 1), date(2025, 2, 28)


class DatedPack(PlainPack):
    """Acts whose first word is a date: of the publisher's statement ("=2026-07-01") or of issue."""

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        reading = super().read(item, snapshots)
        assert reading.work is not None
        word = snapshots[0].data.decode().split()[0]
        stated = date.fromisoformat(word[1:]) if word.startswith("=") else None
        issued = None if stated else date.fromisoformat(word)
        return replace(reading, work=replace(reading.work, current_to=stated, issued=issued))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    source = tmp_path / "source"
    source.mkdir()
    acts = {
        "1": f"={STATED} Dog Tax Act\nThe dog tax is twelve crowns a year.",
        "2": f"{ISSUED} Cat Tax Act\nThe cat tax is seven crowns a year.",
        "3": "1999-01-01 Horse Tax Act\nThe horse tax is forty crowns a year.",
    }
    for number, text in acts.items():
        (source / f"{number}.txt").write_text(text)
    with EmbeddedStore.open(tmp_path / "library", writable=True, embedder=None) as store:
        with open_mirror(source) as mirror:
            ingest(store, DatedPack(), mirror)
        yield Library(store, packs={"xx": DatedPack()})


@pytest.mark.parametrize(
    ("act", "day"),
    [
        ("1", STATED),  # the publisher's own statement
        ("2", ISSUED),  # none: the newest date in the source of those that state none
        ("3", ISSUED),
    ],
)
def test_a_work_is_known_as_far_as_its_publisher_says_or_its_source_reaches(
    library: Library, act: str, day: date
) -> None:
    assert library.store.work(WorkId(f"xx:act:{act}")).current_to == day
    assert library.show(f"xx:act:{act}/sec_1", as_of=ISSUED).cited.current_to == day
    assert library.stats().current_to == {
        "xx/act": {"oldest": ISSUED.isoformat(), "newest": STATED.isoformat()}
    }


@pytest.mark.parametrize(
    ("language", "beyond"),
    [
        ("en", "later changes are not in this library"),
        ("fi", "myöhemmät muutokset eivät ole tässä kirjastossa"),
        ("sv", "senare ändringar finns inte i detta bibliotek"),
        ("fr", "les modifications ultérieures ne sont pas dans cette bibliothèque"),
    ],
)
def test_beyond_the_day_nothing_is_called_the_law_in_force(
    library: Library, language: str, beyond: str
) -> None:
    asked = replace(library.ask("§ 1 of act 1", as_of=date(2035, 1, 1)), language=language)
    assert asked.current_to == STATED
    assert asked.is_beyond
    assert answer_json(asked)["current_to"] == STATED.isoformat()
    for told in (law_in_words(asked, language, "shown"), answer_text(asked)):
        assert beyond in told
        assert STATED.isoformat() in told
        assert "Law in force on" not in told
        assert "law in force on" not in told


def test_the_caveat_says_so_and_is_not_there_within_the_day(library: Library) -> None:
    beyond, within = (library.ask("§ 1 of act 1", as_of=day) for day in (date(2035, 1, 1), STATED))
    assert [one.kind for one in beyond.caveats].count(CaveatKind.BEYOND_CURRENT_TO) == 1
    assert CaveatKind.BEYOND_CURRENT_TO not in {one.kind for one in within.caveats}
    assert "Law in force on 2026-07-01, known to 2026-07-01." in answer_text(within)
    shown = library.show("xx:act:1/sec_1", as_of=date(2035, 1, 1))
    assert CaveatKind.BEYOND_CURRENT_TO in {one.kind for one in shown.caveats}


def test_what_is_not_answered_says_how_far_the_library_knows_the_law(library: Library) -> None:
    answer = library.ask("zeppelin xylophone quorum?", as_of=date(2035, 1, 1))
    assert answer.primary is None
    assert answer.current_to == ISSUED
    assert CaveatKind.BEYOND_CURRENT_TO in {one.kind for one in answer.caveats}
    assert "in force on 2035" not in answer.text


def test_single_acts_do_not_tell_how_far_the_rest_reaches(tmp_path: Path) -> None:
    (tmp_path / "9.txt").write_text("2026-11-01 Goat Tax Act\nThe goat tax is two crowns a year.")
    with EmbeddedStore.open(tmp_path / "library", writable=True, embedder=None) as store:
        with open_mirror(tmp_path) as mirror:
            ingest(store, DatedPack(), mirror, whole=False)
        assert recorded(store.facts()) == {}
        assert store.work(WorkId("xx:act:9")).current_to is None


def test_a_library_that_tells_no_day_is_answered_from_as_before(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True, embedder=None) as store:
        store.put(simple("xx:act:1", "The dog tax is twelve crowns a year."))
        answer = Library(store, packs={"xx": PlainPack()}).ask("§ 1 of act 1", as_of=date(2035, 1, 1))
    assert answer.current_to is None
    assert not answer.is_beyond
    assert "Law in force on 2035-01-01." in answer_text(answer)


DAYS = st.none() | st.dates(date(1900, 1, 1), date(2030, 1, 1))


@given(
    st.lists(
        st.tuples(DAYS, DAYS, st.sampled_from([WorkKind.ACT, WorkKind.DECREE, WorkKind.CASE])), max_size=8
    )
)
def test_the_newest_day_is_that_of_some_work_and_no_work_of_most_tells_a_later_one(
    told: list[tuple[date | None, date | None, WorkKind]],
) -> None:
    works = [
        Work(WorkId(f"xx:act:{n}"), kind, 100, issued=issued, current_to=stated)
        for n, (issued, stated, kind) in enumerate(told)
    ]
    facts = newest(works, "xx")
    statutes = [work for work in works if work.kind is not WorkKind.CASE and (work.issued or work.current_to)]
    of = statutes or [work for work in works if work.issued or work.current_to]
    stated = [work.current_to for work in of if work.current_to]
    dated = [work.issued for work in of if work.issued and not work.current_to]
    most = dated if len(dated) > len(stated) else [*stated, *dated]
    assert known_to(facts, frozenset()) == max(most, default=None)
    assert known_to(facts, frozenset({"yy"})) is None
    assert newest(works, "yy") == {}


def test_rulings_and_decisions_of_an_authority_say_nothing_of_the_statutes() -> None:
    """A decision of the Finnish tax administration of 2026 stood for statutes known to 2018."""
    works = [
        Work(WorkId("xx:act:1"), WorkKind.ACT, 100, issued=date(2018, 9, 1)),
        Work(WorkId("xx:vero:1"), WorkKind.DECISION, 50, issued=date(2026, 3, 9)),
        Work(WorkId("xx:kho:2025/46"), WorkKind.CASE, 50, validity=Validity(date(2025, 1, 1))),
        Work(WorkId("xx:kho:1995/1"), WorkKind.CASE, 50, issued=date(1995, 10, 12)),
    ]
    facts = newest(works, "xx")
    assert recorded(facts) == {
        ("xx", "legislation"): date(2018, 9, 1),
        ("xx", "decision"): date(2026, 3, 9),
        ("xx", "case"): date(2025, 1, 1),
    }
    assert known_to(facts, frozenset()) == date(2018, 9, 1)
