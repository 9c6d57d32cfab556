"""A language that no file of ours knows: a pack brings it, and its questions are answered."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.answers import CaveatKind, Outcome
from pykala.library import Library
from pykala.packs.pack import Pack, bring_languages, installed, languages_of
from pykala.retrieve.courts import cases_in
from pykala.retrieve.kinds import Kind, kinds_asked
from pykala.retrieve.parts import parts
from pykala.retrieve.strategies import strategy_for
from pykala.retrieve.wording import figures_wanted, term_asked, without_asking
from pykala.stores.embedded.store import EmbeddedStore
from pykala.text.analysis import analyse, fingerprint
from pykala.text.dates import date_asked
from pykala.text.language import detect
from pykala.text.languages.known import (
    BUILT_IN,
    bring,
    forget,
    forget_phrases,
    known_tables,
    language_of,
)
from pykala.text.languages.language import LanguageRefused, read_language
from pykala.text.numerals import numerals
from pykala.text.phrases import say, tell
from pykala.text.quantities import quantities
from pykala.text.slips import slips_of

TODAY = date(2026, 6, 1)
QUESTIONS = [
    ("Wie hoch darf die Kaution sein?", "de:act:1/sec_2"),
    ("Wie lange ist die Kündigungsfrist für den Mieter?", "de:act:1/sec_3"),
    ("Darf ich eine Katze in der Wohnung halten?", "de:act:1/sec_4"),
    ("Um wie viel Prozent darf der Vermieter die Miete erhöhen?", "de:act:1/sec_5"),
    ("Wie hoch ist die Hundesteuer?", "de:act:2/sec_2"),
    ("Muss ich für einen Blindenhund Hundesteuer zahlen?", "de:act:2/sec_1"),
    ("Innerhalb welcher Frist muss der Halter den Hund anmelden?", "de:act:2/sec_3"),
]


@pytest.fixture(scope="module")
def pack() -> Iterator[Pack]:
    found: Pack = importlib.import_module("german_pack").pack
    bring_languages(files("german_pack").joinpath("languages"))
    yield found
    forget("de")
    forget_phrases(Path(str(files("german_pack"))) / "languages" / "phrases" / "en.toml")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, pack: Pack) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("musterland")
    with EmbeddedStore.open(folder, writable=True) as store:
        with open_mirror(Path(str(files("german_pack").joinpath("acts")))) as mirror:
            ingest(store, pack, mirror)
        yield Library(store, packs={**installed(), "de": pack}, today=lambda: TODAY)


@pytest.mark.parametrize(("question", "section"), QUESTIONS)
def test_questions_in_it_are_answered(library: Library, question: str, section: str) -> None:
    answer = library.ask(question)
    assert answer.language == "de"
    assert answer.outcome in (Outcome.ANSWERED, Outcome.LIKELY), answer.outcome
    assert answer.primary is not None
    assert str(answer.primary.provision) == section


def test_a_date_in_it_says_whose_law_counts(library: Library) -> None:
    then, now = (
        library.ask("Wie hoch war die Hundesteuer im Jahr 2019?"),
        library.ask("Wie hoch ist die Hundesteuer?"),
    )
    assert then.as_of == date(2019, 12, 31)
    assert then.primary is not None
    assert "90 Euro" in then.primary.text
    assert now.primary is not None
    assert "120 Euro" in now.primary.text


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "seit wann dieser Wortlaut vor dem 2021-01-01 galt, sagt die Quelle nicht"),
        ("en", "the source does not say since when this wording held before 2021-01-01"),
        ("fi", "the source does not say since when this wording held before 2021-01-01"),
    ],
)
def test_what_its_pack_finds_is_told_in_the_words_that_it_brings(
    library: Library, language: str, told: str
) -> None:
    found = library.show("de:act:2/sec_2", as_of=date(2019, 12, 31))
    (finding,) = found.version.findings
    assert tell(language, finding) == told


def test_an_answer_says_what_its_pack_finds(library: Library) -> None:
    asked = library.ask("Wie hoch war die Hundesteuer im Jahr 2019?")
    (told,) = [one.message for one in asked.caveats if one.kind is CaveatKind.SUSPECT]
    assert told == "seit wann dieser Wortlaut vor dem 2021-01-01 galt, sagt die Quelle nicht"


@pytest.mark.parametrize("question", [question for question, _ in QUESTIONS])
def test_it_is_told_from_all_others_where_its_pack_is_installed(pack: Pack, question: str) -> None:
    among = languages_of({**installed(), "de": pack})
    assert detect(question, among=among).language == "de"
    assert detect(question).language in BUILT_IN


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How high may the deposit be?", "en"),
        ("Kuinka suuri vuokravakuus saa olla?", "fi"),
        ("Hur hög får hyresgarantin vara?", "sv"),
        ("Quel est le montant maximal du dépôt de garantie?", "fr"),
    ],
)
def test_our_own_languages_are_told_beside_it(pack: Pack, question: str, language: str) -> None:
    assert detect(question, among=languages_of({**installed(), "de": pack})).language == language


def test_dates_are_read(pack: Pack) -> None:
    table = {
        "Was galt am 3. März 2020?": date(2020, 3, 3),
        "Wie hoch war die Steuer im letzten Jahr?": date(2025, 12, 31),
        "Was galt vor drei Jahren?": date(2023, 6, 1),
        "Wie hoch ist sie für das Steuerjahr 2024?": date(2024, 12, 31),
    }
    read = {text: date_asked(text, today=TODAY) for text in table}
    assert {text: found.day if found else None for text, found in read.items()} == table


def test_words_that_ask_say_nothing_of_the_matter(pack: Pack) -> None:
    assert without_asking("Wie lange ist die Kündigungsfrist?", "de").split()[-1] == "Kündigungsfrist?"
    assert "Wie" not in without_asking("Wie hoch ist die Hundesteuer?", "de")
    assert figures_wanted("Wie hoch ist die Hundesteuer?").units == {"euros"}
    assert term_asked("Was ist ein Mietverhältnis?", "de") == "Mietverhältnis"
    assert kinds_asked("Wie lange ist die Frist?", "de")[0] is Kind.PERIOD
    assert kinds_asked("Darf ich eine Katze halten?", "de") == (Kind.CONDITION,)
    assert strategy_for("Was ist ein Mietverhältnis?", "de").name == "definition"


def test_numbers_and_quantities_are_read(pack: Pack) -> None:
    assert [one.value for one in numerals("zwei, einundzwanzig und dreihundert")] == [2, 21, 300]
    assert [
        (one.figure, one.unit) for one in quantities("innerhalb von vierzehn Tagen und zehn Prozent")
    ] == [
        ("14", "days"),
        ("10", "percent"),
    ]


def test_two_questions_in_it_are_taken_apart(pack: Pack) -> None:
    asked = "Wie hoch ist die Kaution, und wie lange ist die Kündigungsfrist?"
    assert [one.heading for one in parts(asked, "de", today=TODAY)] == [
        "Wie hoch ist die Kaution?",
        "Wie lange ist die Kündigungsfrist?",
    ]


def test_slips_are_made_with_its_letters(pack: Pack) -> None:
    assert "kündigung" in set(slips_of("kundigung"))
    forget("de")
    assert "kündigung" not in set(slips_of("kundigung"))
    bring_languages(files("german_pack").joinpath("languages"))
    assert "kündigung" in set(slips_of("kundigung"))


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Gilt BGHZ 154, 205 noch?", "BGHZ 154, 205"),  # a court of its pack
        ("Was sagt die Rechtssache 26/62 dazu?", "Rechtssache 26/62"),  # a court of another pack, in its word
        ("Beschwerde Nr. 12345/19", "Beschwerde Nr. 12345/19"),
    ],
)
def test_decisions_of_courts_are_recognised_by_its_words(pack: Pack, text: str, cited: str) -> None:
    assert [one.text for one in cases_in(text, {**installed(), "de": pack}.values())] == [cited]
    forget("de")
    assert not [one.text for one in cases_in(text, installed().values())]
    bring_languages(files("german_pack").joinpath("languages"))


def test_a_decision_that_is_not_held_is_no_question_about_other_law(library: Library) -> None:
    answer = library.ask("BGHZ 154, 205")
    assert answer.outcome not in (Outcome.ANSWERED, Outcome.LIKELY)
    assert "BGHZ 154, 205" in answer.text


def test_its_words_are_stemmed_and_other_law_stays_as_it_is(pack: Pack) -> None:
    assert analyse("die Kündigungen der Mieter", "de") == analyse("eine Kündigung des Mieters", "de")
    with_it = (fingerprint(), analyse("Artikel 5 och 30 000 euro", "sv"))
    forget("de")
    assert (fingerprint(), analyse("Artikel 5 och 30 000 euro", "sv")) == with_it
    bring_languages(files("german_pack").joinpath("languages"))


def test_the_engine_speaks_it_where_it_has_phrases_and_english_elsewhere(pack: Pack) -> None:
    assert say("de", "acts.acts", count=1_200) == "1.200 Gesetze"
    assert say("de", "acts.provisions", count=2) == "2 provisions"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "German"', "begins with its code"),
        ('code = "de"\nname = "German"\n[terms]\nstop_word = "der"', "did you mean terms.stop_words"),
        ("code = ", "no TOML"),
        ('code = "de"\nname = "German"\n[terms]\nstop_words = 1.5', "no text"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_a_reason(text: str, says: str) -> None:
    with pytest.raises(LanguageRefused, match=says):
        read_language(text, known=known_tables())


def test_no_pack_changes_a_language_of_ours() -> None:
    own = language_of("sv")
    bring(read_language('code = "sv"\nname = "Another"'))
    assert language_of("sv") is own


@pytest.mark.parametrize("code", BUILT_IN)
def test_every_pattern_of_ours_is_filled(code: str) -> None:
    language = language_of(code)
    assert language is not None
    left = {"year", "count", "month", "noun", "changed", "within", "act"}
    left |= {"one", "ten", "teen", "times_ten", "times_hundred", "times_thousand"}
    for table, value in language.tables.items():
        for piece in value if isinstance(value, tuple) else (value,):
            named = {part.partition("}")[0] for part in str(piece).split("{")[1:]}
            assert not {name for name in named if name.isidentifier()} - left, (table, piece)
