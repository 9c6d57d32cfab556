"""Questions about acts: which are recognised, and what the library's indexes say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, cites, document, section, since
from plain_pack import PlainPack
from pykala.answer.about_acts.answering import answer_metadata
from pykala.answer.about_acts.words import day_words
from pykala.law.answers import Answer, CaveatKind, Outcome
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Version
from pykala.law.references import EdgeKind
from pykala.law.validity import Validity
from pykala.packs.pack import Pack
from pykala.retrieve.metadata import Asked, metadata_question
from pykala.retrieve.question import understand
from pykala.stores.changed import WorkChange, changed_works, counted
from pykala.stores.embedded.store import EmbeddedStore

TODAY = date(2026, 1, 1)
PACKS: dict[str, Pack] = {"xx": PlainPack()}
HORSES, COWS, CHANGE, OLD, GONE = (WorkId(f"xx:act:{number}") for number in (1, 2, 3, 4, 5))


def amended(before: str, after: str, year: int) -> tuple[Version, ...]:
    return (
        Version(before, since(2000, year)),
        Version(after, since(year), event=Event.AMENDED, source_act=CHANGE),
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    horses = document(
        HORSES,
        "en",
        [
            section(HORSES, "1", "", versions=amended("Horses are taxed.", "Horses are taxed at 5 %.", 2023)),
            section(HORSES, "2", "Mules are taxed.", validity=since(2000, 2023)),
            section(HORSES, "3", "This Act comes into force on 1 January 2000.", validity=since(2000)),
        ],
        "Horse Tax Act",
    )
    horses = replace(horses, root=replace(horses.root, versions=(Version("", since(2000), "Horse Tax Act"),)))
    cows = document(COWS, "en", [section(COWS, "1", "Cows are free.", validity=since(2010))], "Cow Act")
    cows = replace(cows, root=replace(cows.root, versions=(Version("", since(2010), "Cow Act"),)))
    change = document(CHANGE, "en", [section(CHANGE, "1", "Amends the Horse Tax Act.")], "Change Act")
    old = document(OLD, "en", [section(OLD, "1", "Carts.", validity=since(1990, 2023))], "Carts Act")
    old = replace(old, root=replace(old.root, versions=(Version("", since(1990, 2023), "Carts Act"),)))
    # An act whose source says that it was repealed: a notice stands where its words did.
    notice = Version("", since(2018), "Toll Act", Event.REPEALED, CHANGE)
    gone = document(GONE, "en", [section(GONE, "1", "Tolls.", validity=since(1995, 2018))], "Toll Act")
    gone = replace(
        gone, root=replace(gone.root, versions=(Version("", since(1995, 2018), "Toll Act"), notice))
    )
    section_1 = ProvisionId(CHANGE).child("sec", "1")
    amends = cites(section_1, ProvisionId(HORSES).child("sec", "1"), kind=EdgeKind.AMENDS)
    folder = tmp_path_factory.mktemp("library")
    with EmbeddedStore.open(folder, writable=True) as opened:
        for work, one in ((HORSES, horses), (COWS, cows), (OLD, old), (GONE, gone)):
            opened.put(bundle(work, [one]))
        opened.put(bundle(CHANGE, [change], references=[amends]))
        yield opened


def asked(text: str, store: EmbeddedStore, language: str | None = None) -> Answer | None:
    question = understand(text, store, PACKS, as_of=TODAY, language=language, dated=False)
    found = metadata_question(question, store)
    return answer_metadata(found, question, store, PACKS) if found else None


YEAR = (date(2023, 1, 1), date(2023, 12, 31))


@pytest.mark.parametrize(
    ("text", "change", "period"),
    [
        ("Which acts were amended in 2023?", WorkChange.AMENDED, YEAR),
        ("Which laws were amended in Plainland in 2023?", WorkChange.AMENDED, YEAR),
        ("What acts have been repealed since 2023?", WorkChange.ENDED, (date(2023, 1, 1), TODAY)),
        (
            "Which acts came into force between 2020 and 2023?",
            WorkChange.BEGAN,
            (date(2020, 1, 1), YEAR[1]),
        ),
        ("Mitä lakeja muutettiin vuonna 2023?", WorkChange.AMENDED, YEAR),
        ("Mitkä lait tulivat voimaan vuonna 2023?", WorkChange.BEGAN, YEAR),
        ("Mitä asetuksia kumottiin vuosina 2020–2023?", WorkChange.ENDED, (date(2020, 1, 1), YEAR[1])),
        ("Vilka lagar ändrades 2023?", WorkChange.AMENDED, YEAR),
        ("Vilka förordningar upphävdes år 2023?", WorkChange.ENDED, YEAR),
        ("Quelles lois ont été modifiées en 2023 ?", WorkChange.AMENDED, YEAR),
        ("Which acts were amended last year?", WorkChange.AMENDED, (date(2025, 1, 1), date(2025, 12, 31))),
        ("Mitä lakeja muutettiin viime vuonna?", WorkChange.AMENDED, (date(2025, 1, 1), date(2025, 12, 31))),
        ("Quels règlements sont entrés en vigueur en 2023 ?", WorkChange.BEGAN, YEAR),
    ],
)
def test_acts_of_a_period(
    store: EmbeddedStore, text: str, change: WorkChange, period: tuple[date, date]
) -> None:
    question = understand(text, store, PACKS, as_of=TODAY, dated=False)
    found = metadata_question(question, store)
    assert found is not None
    assert (found.asked, found.change, (found.since, found.until)) == (Asked.CHANGED_IN, change, period)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("How many sections has the Horse Tax Act?", Asked.SECTIONS),
        ("How many sections are there in the Horse Tax Act?", Asked.SECTIONS),
        ("Kuinka monta pykälää Horse Tax Act on?", Asked.SECTIONS),
        ("Hur många paragrafer har Horse Tax Act?", Asked.SECTIONS),
        ("Combien d'articles compte le Horse Tax Act ?", Asked.SECTIONS),
        ("When did the Horse Tax Act enter into force?", Asked.BEGINNING),
        ("Milloin Horse Tax Act tuli voimaan?", Asked.BEGINNING),
        ("När trädde Horse Tax Act i kraft?", Asked.BEGINNING),
        ("Quand le Horse Tax Act est-il entré en vigueur ?", Asked.BEGINNING),
        ("When was the Horse Tax Act last amended?", Asked.LAST_AMENDED),
        ("Milloin Horse Tax Act on viimeksi muutettu?", Asked.LAST_AMENDED),
        ("När ändrades Horse Tax Act senast?", Asked.LAST_AMENDED),
        ("Quand le Horse Tax Act a-t-il été modifié pour la dernière fois ?", Asked.LAST_AMENDED),
        ("Which acts have amended the Horse Tax Act?", Asked.AMENDMENTS_OF),
        ("How many times has the Horse Tax Act been amended since 2020?", Asked.AMENDMENTS_OF),
        ("Mitkä lait ovat muuttaneet Horse Tax Act vuonna 2023?", Asked.AMENDMENTS_OF),
        ("What acts did the Horse Tax Act amend?", Asked.AMENDED_BY),
        ("Mitä lakeja Horse Tax Act muutti?", Asked.AMENDED_BY),
        ("Is the Horse Tax Act still in force?", Asked.END),
        ("Onko Horse Tax Act voimassa?", Asked.END),
        ("Är Horse Tax Act i kraft?", Asked.END),
        ("Horse Tax Act", Asked.ITSELF),
    ],
)
def test_questions_about_an_act(store: EmbeddedStore, text: str, what: Asked) -> None:
    found = metadata_question(understand(text, store, PACKS, as_of=TODAY, dated=False), store)
    assert found is not None
    assert (found.asked, found.works) == (what, (HORSES,))


@pytest.mark.parametrize(
    "text",
    [
        "When does a decision enter into force?",
        "When did the Unicorn Act enter into force?",
        "How many sections must a fence have?",
        "Which acts were amended?",
        "Which acts were amended in 2023 because of the reform of the horse tax?",
        "How many horses does the Horse Tax Act allow?",
        "Horse Tax Act fines",
        "horse tax",
        "What is the tax on horses in 2023?",
        "Milloin päätös tulee voimaan?",
        "Mitä lakeja sovelletaan vuonna 2023?",
        "is in force",
        "Which acts amended " + "x" * 400,
    ],
)
def test_questions_about_the_law_are_left_to_search(store: EmbeddedStore, text: str) -> None:
    question = understand(text, store, PACKS, as_of=TODAY, dated=False)
    assert metadata_question(question, store) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Which acts were amended in 2023?",
         "Amended in 2023: 1 act.\n– Horse Tax Act: 2 provisions by Change Act"),
        ("Which acts were repealed in 2023?",
         "Repealed or expired in 2023: 1 act.\n– Carts Act, 1 January 2023"),
        ("Which acts came into force in 2010?",
         "Entered into force in 2010: 1 act.\n– Cow Act, 1 January 2010"),
        ("How many sections has the Horse Tax Act?",
         "Horse Tax Act has 2 sections in force on 1 January 2026, from 1 § to 3 §."),
        ("When did the Horse Tax Act enter into force?",
         "Horse Tax Act entered into force on 1 January 2000."),
        ("When did the Cow Act enter into force?",
         "Cow Act: the oldest wording in this library counts from 1 January 2010."),
        ("When was the Horse Tax Act last amended?",
         "Horse Tax Act was last amended on 1 January 2023: 2 provisions by Change Act."),
        ("Which acts have amended the Horse Tax Act?",
         "Horse Tax Act: 1 day of changes, 1 act that made them."
         "\n– 1 January 2023: 2 provisions by Change Act"),
        ("What acts did the Change Act amend?", "Change Act amended 1 act.\n– Horse Tax Act: 1 provision"),
        ("Is the Cow Act in force?", "Cow Act is in force on 1 January 2026; no end is known."),
        ("Is the Carts Act in force?", "Carts Act was in force until 31 December 2022."),
        ("Carts Act", "Carts Act was in force until 31 December 2022."),
    ],
)  # fmt: skip
def test_what_the_library_knows(store: EmbeddedStore, text: str, says: str) -> None:
    answer = asked(text, store, "en")
    assert answer is not None
    assert (answer.outcome, answer.text, answer.strategy) == (Outcome.ANSWERED, says, "metadata")


@pytest.mark.parametrize(
    "text",
    [
        "Which acts were amended in 1950?",
        "When was the Cow Act last amended?",
        "What acts did the Cow Act amend?",
        "Which acts have amended the Cow Act in 2011?",
    ],
)
def test_what_the_library_does_not_know_is_silence_with_a_reason(store: EmbeddedStore, text: str) -> None:
    answer = asked(text, store, "en")
    assert answer is not None
    assert answer.outcome is Outcome.SILENT
    assert "this library" in answer.text.casefold()
    assert CaveatKind.HISTORY_UNAVAILABLE in {caveat.kind for caveat in answer.caveats}


def test_quotes_are_verbatim_and_acts_have_links(store: EmbeddedStore) -> None:
    for text in ("When did the Horse Tax Act enter into force?", "When was the Horse Tax Act last amended?"):
        answer = asked(text, store, "en")
        assert answer is not None
        assert answer.primary is not None
        (claim,) = answer.claims
        (citation,) = claim.citations
        stored = store.provision(citation.provision, as_of=TODAY)
        assert compose(stored.provision).text[citation.start : citation.end] == citation.quote
        assert citation.quote
        for support in answer.support:
            assert support.cited.url.startswith("https://gazette.example/")
    last = asked("When was the Horse Tax Act last amended?", store, "en")
    assert last is not None
    assert last.primary is not None
    assert last.primary.validity == Validity(date(2023, 1, 1))


def test_an_answer_speaks_the_language_of_the_question(store: EmbeddedStore) -> None:
    said = {
        "fi": ("Mitä lakeja muutettiin vuonna 2023?", "Muutettu vuonna 2023: 1 säädös."),
        "sv": ("Vilka lagar ändrades 2023?", "Ändrade 2023: 1 författning."),
        "fr": ("Quelles lois ont été modifiées en 2023 ?", "Modifiés en 2023 : 1 acte."),
    }
    for language, (text, first) in said.items():
        answer = asked(text, store, language)
        assert answer is not None
        assert answer.text.splitlines()[0] == first


def test_days_are_written_as_each_language_writes_them() -> None:
    assert [day_words(date(1993, 1, 1), one) for one in ("en", "fi", "sv", "fr", "xx")] == [
        "1 January 1993", "1.1.1993", "1 januari 1993", "1er janvier 1993", "1 January 1993",
    ]  # fmt: skip


@pytest.mark.parametrize("change", list(WorkChange))
def test_counting_in_the_engine_and_counting_its_changes_agree(
    store: EmbeddedStore, change: WorkChange
) -> None:
    for since_year, until_year in ((1980, 2030), (2023, 2023), (2010, 2011), (2024, 2030)):
        days = date(since_year, 1, 1), date(until_year, 12, 31)
        found = changed_works(store, *days, change)
        assert list(found) == sorted(
            counted(store.changes(*days), change), key=lambda one: (-one.provisions, one.work)
        )


@pytest.mark.parametrize(
    ("year", "change", "works"),
    [
        (2018, WorkChange.ENDED, [GONE]),
        (2018, WorkChange.AMENDED, []),
        (2023, WorkChange.ENDED, [OLD]),
        (2023, WorkChange.AMENDED, [HORSES]),
        (1995, WorkChange.BEGAN, [GONE]),
    ],
)
def test_an_act_with_a_notice_of_its_repeal_has_ended(
    store: EmbeddedStore, year: int, change: WorkChange, works: list[WorkId]
) -> None:
    days = date(year, 1, 1), date(year, 12, 31)
    assert [one.work for one in changed_works(store, *days, change)] == works
    assert [one.work for one in counted(store.changes(*days), change)] == works


#: Acts of one name: (number, first year, last year), in the order in which they are put, and the one meant.
NAMESAKES = [
    ([(21, 1970, 1990), (22, 1990, None)], 22),
    ([(22, 1990, None), (21, 1970, 1990)], 22),
    ([(23, 1990, None), (24, 2020, 2024)], 23),
    ([(25, 1990, None), (26, 2000, None)], 26),
    ([(27, 1970, 1990), (28, 1990, 2026)], 28),
]


@pytest.mark.parametrize(("acts", "meant"), NAMESAKES)
def test_of_acts_of_one_name_the_one_in_force_is_meant(
    tmp_path: Path, acts: list[tuple[int, int, int | None]], meant: int
) -> None:
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        for number, first, last in acts:
            work, stands = WorkId(f"xx:act:{number}"), since(first, last)
            text = "Bridges are free." if last else "Bridges cost a penny."
            held = document(work, "en", [section(work, "1", text, validity=stands)], "Bridges Act")
            made = bundle(work, [held])
            store.put(replace(made, work=replace(made.work, validity=stands)))
        question = understand("Is the Bridges Act still in force?", store, PACKS, as_of=TODAY, dated=False)
        found = metadata_question(question, store)
    assert found is not None
    assert found.works == (WorkId(f"xx:act:{meant}"),)
