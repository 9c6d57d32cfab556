"""The engine's own words: every phrase in every language, every use of one known, English told again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pykala
from pykala.answer.in_words import _LEVELS
from pykala.answer.support import _RELATIONS
from pykala.law.answers import CaveatKind, Outcome, Relation
from pykala.law.authority import Ground
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.references import EdgeKind, Unresolved
from pykala.packs.canada.changes import OVERDUE, UNDATED
from pykala.packs.eu.acts import ENDED_BY, TREATY_ENDED
from pykala.packs.finland import acts, commencement
from pykala.packs.finland.amendments import doubles, enabling, named_amendments
from pykala.packs.finland.consolidated import dating as consolidated_dating
from pykala.packs.finland.consolidated import reading as consolidated
from pykala.packs.finland.pages import guidance, guidance_age, statute_pages, superseded
from pykala.packs.left_out import REPEATED
from pykala.packs.nyc.doubts import BAD_ROW, COPY, EMPTY_COPY
from pykala.stores.changed import WorkChange
from pykala.text.dates import date_asked
from pykala.text.phrases import LANGUAGES, Phrase, catalogue, decimal, named, retold, say, tell
from pykala.text.quantities import _UNITS

OTHERS = LANGUAGES[1:]
#: Families whose phrases are chosen by a value, with every value that they must know.
CHOSEN = {
    "outcome": {*Outcome} | {"not_known"},
    "caveat_kind": {*CaveatKind},
    "happened": {*WorkChange},
    "unit": {*_UNITS},
    "text_in": {*LANGUAGES},
    "held_in": {*LANGUAGES},
    "grade": {name for _, name in _LEVELS},
    "prose": {f"headed_{one.value}" for one in Outcome if one is not Outcome.ANSWERED},
}
#: Enumerations whose members have a phrase each.
NAMED = {"relation": Relation, "unresolved": Unresolved, "precedence": Ground}
#: Families that libraries keep in English, and that are told again to readers.
RETOLD = ("finding", "unplayed")


def forms(phrase: Phrase) -> list[str]:
    return [phrase] if isinstance(phrase, str) else list(phrase.values())


def places(phrase: Phrase) -> set[str]:
    return {name for form in forms(phrase) for _, name, _, _ in Formatter().parse(form) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_everything_that_english_says(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert other.keys() == english.keys()
    for key, phrase in english.items():
        assert places(other[key]) == places(phrase), key
        assert isinstance(other[key], str) == isinstance(phrase, str), key
        assert all(form.strip() for form in forms(other[key])), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phrase_that_counts_has_both_forms(language: str) -> None:
    for key, phrase in catalogue(language).items():
        assert isinstance(phrase, str) or phrase.keys() == {"one", "other"}, key
        assert "count" not in places(phrase) or not isinstance(phrase, str), key


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call of `say` in the package, with the file that it stands in."""
    root = Path(pykala.__file__).parent
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                yield path.relative_to(root).as_posix(), node


def test_every_phrase_that_is_said_exists_and_gets_what_it_speaks_of() -> None:
    checked = 0
    for file, call in calls():
        if file == "text/phrases.py":
            continue
        key, given = call.args[1], {one.arg for one in call.keywords}
        if isinstance(key, ast.JoinedStr):
            family = ast.unparse(key)[2:].partition(".")[0]
            assert family in CHOSEN, f"{file}:{call.lineno}"
        elif isinstance(key, ast.Constant):
            checked += 1
            phrase = catalogue("en")[str(key.value)]
            missing = places(phrase) - given
            assert not missing or None in given, f"{file}:{call.lineno} lacks {missing}"
            assert isinstance(phrase, str) or "count" in given, f"{file}:{call.lineno}"
    assert checked > 80


def keys_written() -> set[str]:
    """Whatever reads as the key of a phrase in the modules that say phrases."""
    texts = (path.read_text(encoding="utf-8") for path in Path(pykala.__file__).parent.rglob("*.py"))
    families = {key.split(".")[0] for key in catalogue("en")}
    return {
        node.value
        for text in texts
        if "pykala.text.phrases import" in text or "pykala.law.messages import" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z_]+\.\w*[^\W_]", node.value)
        and node.value.split(".")[0] in families
    }


def test_no_key_is_unknown_and_no_phrase_is_left_over() -> None:
    literals = keys_written()
    assert literals <= catalogue("en").keys()
    chosen = {f"{family}.{one}" for family, names in CHOSEN.items() for one in names}
    chosen |= {
        f"{family}.{one.name.lower()}" for family, names in NAMED.items() for one in names if one.value
    }
    # Said by the name of what is wrong, and by the days that are known.
    told = {key for key in catalogue("en") if key.split(".")[0] in (*RETOLD, "form")}
    told |= {key for key in catalogue("en") if key.startswith("claim.other_time_")}
    assert set(catalogue("en")) - literals - chosen - told == set()


@pytest.mark.parametrize(("family", "names"), CHOSEN.items())
def test_a_family_knows_every_value(family: str, names: set[str]) -> None:
    assert {f"{family}.{name}" for name in names} <= catalogue("en").keys()


@pytest.mark.parametrize("language", OTHERS)
def test_whatever_is_kept_in_english_is_told_again(language: str) -> None:
    kept = [
        ("finding", one)
        for one in (
            acts.UNKNOWN_AGE,
            consolidated.CUT_LIST,
            commencement.DAY_UNKNOWN,
            named_amendments.NO_LIST,
            named_amendments.mark(WorkId("fi:act:2016/1320")),
            enabling._FINDING.format(act="1143/1994", ender="1102/2017"),
            REPEATED,
            doubles.LOST.format(act="1165/2000"),
            doubles.PERHAPS_NEXT.format(act="1165/2000"),
            ENDED_BY.format(day="2026-08-06"),
            TREATY_ENDED.format(treaty="TFEU"),
            COPY,
            EMPTY_COPY,
            BAD_ROW.format(row="$9 $1"),
            f"{consolidated_dating.OTHER_COPY}: 1) muu",
            consolidated_dating.NO_TEXT,
            guidance._OLD_VERSION,
            guidance_age.UNDATED,
            guidance_age.BY_WHAT_IT_CITES.format(year=2026),
            guidance_age.BY_ITS_TITLE.format(day="2018-01-01"),
            guidance_age.EDITIONS.format(count=2),
            statute_pages.NUMBER_UNKNOWN,
            superseded.SUPERSEDED.format(title="Verovapaat lahjat"),
            "371/2019 could not be played forward: the section is printed without text",
            UNDATED.format(act="2024, c. 15, s. 340", day="2025-07-24"),
            OVERDUE.format(act="SOR/2025-165, s. 14", day="2026-07-16"),
            "the publisher's record of this text ends on 2019-03-01 without a repeal: it may have changed"
            " since",
        )
    ]
    for family, text in kept:
        assert retold(language, family, text) != text, text


@pytest.mark.parametrize("family", NAMED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_member_of_an_enumeration_has_its_words(language: str, family: str) -> None:
    said = [named(language, family, one) for one in NAMED[family] if one.value]
    assert all(said)
    assert language == "en" or not {*said} & {one.value for one in NAMED[family]}


def test_every_edge_has_words_for_both_of_its_ends() -> None:
    assert _RELATIONS.keys() == {*EdgeKind}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_is_told_with_the_messages_within_it(language: str) -> None:
    quantity = Message.of("unit.months", figures="3", count=2)
    said = tell(language, Message.of("claim.no_quantity", quantity=quantity))
    assert say(language, "unit.months", figures="3", count=2) in said
    for question in ("vuonna 2019", "verovuonna 2020", "ennen muutosta"):
        asked = date_asked(question, today=date(2026, 1, 1))
        assert asked is not None
        assert asked.text in tell(language, asked.reason)


@given(
    key=st.sampled_from([key for key in catalogue("en") if key.split(".")[0] in RETOLD]),
    language=st.sampled_from(OTHERS),
    words=st.text("abc äö§ 12", min_size=1, max_size=20),
    count=st.integers(1, 30),
)
def test_what_is_told_again_is_the_same_phrase(key: str, language: str, words: str, count: int) -> None:
    days = ("day", "start", "end", "first", "changed", "issued")
    values: dict[str, str | int | date] = {
        name: date(2020, 1, 2) if name in days else count if name == "count" else words
        for name in places(catalogue("en")[key])
    }
    told = retold(language, key.split(".")[0], say("en", key, **values))
    assert told == say(language, key, **values)
    assert retold("en", key.split(".")[0], say("en", key, **values)) == say("en", key, **values)


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 1, "1 act"),
        ("en", 2, "2 acts"),
        ("en", 1234, "1,234 acts"),
        ("fi", 1, "1 säädös"),
        ("fi", 0, "0 säädöstä"),
        ("fi", 1234, "1\u00a0234 säädöstä"),
        ("sv", 2, "2 författningar"),
        ("fr", 0, "0 acte"),
        ("fr", 1, "1 acte"),
        ("fr", 12345, "12\u202f345 actes"),
        ("de", 2, "2 acts"),
        ("", 1, "1 act"),
    ],
)
def test_things_are_counted_as_each_language_counts(language: str, count: int, said: str) -> None:
    assert say(language, "acts.acts", count=count) == said


def test_days_stay_as_they_are_written_in_records() -> None:
    for language in LANGUAGES:
        assert "2026-01-31" in say(language, "answer.silent", day=date(2026, 1, 31))


def test_a_decimal_mark_is_the_language_s_own() -> None:
    assert [decimal(language, "7.5") for language in ("en", "fi", "xx")] == ["7.5", "7,5", "7.5"]


@pytest.mark.parametrize("text", ["nothing of ours", "cited by them", "x" * 5_000, "", "{day}"])
def test_what_is_no_phrase_is_told_as_it_stands(text: str) -> None:
    assert retold("fi", "finding", text) == text
