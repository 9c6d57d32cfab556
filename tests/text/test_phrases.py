"""The engine's own words: every phrase in every language, every use of one known, every message told."""

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
from pykala.law.messages import Message
from pykala.law.references import EdgeKind, Unresolved
from pykala.stores.changed import WorkChange
from pykala.text.dates import date_asked
from pykala.text.phrases import LANGUAGES, Phrase, catalogue, decimal, has_phrase, named, say, tell
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


KEY = re.compile(r"[a-z_]+\.\w*[^\W_]")


def messages_written() -> Iterator[tuple[str, str, set[str]]]:
    """Every message in the package with a written key: where it is, its key, and the names of its values."""
    root = Path(pykala.__file__).parent
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            made = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if made not in ("Message", "Message.of", "about") or not isinstance(node, ast.Call):
                continue
            keys = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
            given = {one.arg or "" for one in node.keywords} | ({"place"} if made == "about" else set())
            for key in keys:
                if KEY.fullmatch(str(key)):
                    yield f"{path.relative_to(root).as_posix()}:{node.lineno}", str(key), given


def test_every_message_has_a_phrase_that_its_values_fill() -> None:
    found = list(messages_written())
    assert len([key for _, key, _ in found if key.startswith("finding.")]) > 35
    for where, key, named_values in found:
        assert key in catalogue("en"), where
        assert places(catalogue("en")[key]) <= named_values, where


def keys_written() -> set[str]:
    """Whatever reads as the key of a phrase in the modules that say phrases."""
    texts = (path.read_text(encoding="utf-8") for path in Path(pykala.__file__).parent.rglob("*.py"))
    families = {key.split(".")[0] for key in catalogue("en")}
    return {
        node.value
        for text in texts
        if "pykala.text.phrases import" in text
        or "pykala.law.messages import" in text
        or "class Message:" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and KEY.fullmatch(node.value)
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
    told = {key for key in catalogue("en") if key.split(".")[0] == "form"}
    told |= {key for key in catalogue("en") if key.startswith("claim.other_time_")}
    assert set(catalogue("en")) - literals - chosen - told == set()


@pytest.mark.parametrize(("family", "names"), CHOSEN.items())
def test_a_family_knows_every_value(family: str, names: set[str]) -> None:
    assert {f"{family}.{name}" for name in names} <= catalogue("en").keys()


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


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "371/2019 could not be played forward: sec_5 (heading) is there already, with other words"),
        ("fi", "muutosta 371/2019 ei voitu viedä tekstiin: kohta sec_5 (otsikko) on jo olemassa eri sanoin"),
        ("sv", "ändringen 371/2019 kunde inte föras in i texten: sec_5 (rubrik) finns redan, med andra ord"),
        (
            "fr",
            "la modification 371/2019 n’a pu être portée dans le texte : sec_5 (titre) existe déjà, en"
            " d’autres termes",
        ),
    ],
)
def test_a_finding_is_told_in_the_reader_s_language(language: str, words: str) -> None:
    reason = Message.of("unplayed.there_already", place=Message.of("place.heading", place="sec_5"))
    assert tell(language, Message.of("finding.not_played", act="371/2019", reason=reason)) == words


@pytest.mark.parametrize("language", [*LANGUAGES, "de"])
@given(words=st.text())
def test_a_message_in_its_own_words_is_told_as_it_stands(language: str, words: str) -> None:
    assert tell(language, Message.in_words(words)) == words


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (Message("finding.of_tomorrow"), "of tomorrow"),
        (Message.of("de.frist_unklar", tag=date(2020, 1, 2)), "frist unklar (tag: 2020-01-02)"),
        (Message.of("finding.by_its_title", year="2020"), "by its title (year: 2020)"),
    ],
)  # fmt: skip
def test_a_message_of_a_pack_that_is_not_here_or_of_a_later_version_is_told(
    message: Message, told: str
) -> None:
    assert not has_phrase(message)
    assert tell("en", message) == told
    within = Message.of("finding.not_played", act="1/2020", reason=message)
    assert not has_phrase(within)
    assert tell("en", within).endswith(f": {told}")


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
