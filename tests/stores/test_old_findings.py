"""The sentences of libraries of before become messages; what is no known sentence keeps its words."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from importlib.resources import files
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.messages import Message
from pykala.stores.old_findings import message_of, rewritten
from pykala.text.phrases import LANGUAGES, has_phrase, tell

TABLE = tomllib.loads(files("pykala.stores").joinpath("old_findings.toml").read_text("utf-8"))
VALUES = {
    **{name: date(2020, 1, 2) for name in ("day", "first", "issued")},
    **dict.fromkeys(("count", "pages"), 12),
}
SENTENCES = [
    (f"{family}.{name}", sentence)
    for family, sentences in TABLE.items()
    for name, forms in sentences.items()
    for sentence in forms
]


def placed(sentence: str) -> dict[str, str | int | date]:
    names = [name for _, name, _, _ in Formatter().parse(sentence) if name]
    return {name: VALUES.get(name, "5/2020") for name in names}


@pytest.mark.parametrize(("key", "sentence"), SENTENCES)
def test_every_sentence_becomes_its_message_that_every_language_can_tell(key: str, sentence: str) -> None:
    values = placed(sentence)
    written = sentence.format(**values)
    if key.startswith("unplayed."):
        told = message_of(f"1/2020 could not be played forward: {written}")
        assert told.value("act") == "1/2020"
        found = told.value("reason")
    else:
        if "reason" in values:
            values["reason"] = Message.in_words("5/2020")  # type: ignore[assignment]
        found = message_of(written)
    assert found == Message.of(key, **values)
    assert isinstance(found, Message)
    assert has_phrase(found)
    assert len({tell(language, found) for language in LANGUAGES}) == len(LANGUAGES)


@given(words=st.text() | st.builds("the source holds these words {}".format, st.text()))
def test_another_sentence_keeps_its_words(words: str) -> None:
    assert message_of(words) == Message.in_words(words)
    assert tell("fi", message_of(words)) == words


@pytest.mark.parametrize(
    "sentence",
    [
        "the page has no date; its title says that it holds from 2020-02-31",
        "the source holds ten pages under this title: this may be the older edition",
        "the page has no date",
    ],
)
def test_a_sentence_that_only_looks_like_one_keeps_its_words(sentence: str) -> None:
    assert message_of(sentence) == Message.in_words(sentence)


def test_words_of_the_source_within_a_sentence_stay_whole() -> None:
    words = "1) muu\n2) {toinen}: the act prints no heading there"
    told = message_of(f"the source holds these words twice, and not alike; the other copy reads: {words}")
    assert told == Message.of("finding.other_copy", words=words)


def test_facts_are_written_anew_where_they_hold_sentences() -> None:
    old = {"source_act": "fi:act:2020/5", "findings": ["the page says that it is an old version", "ä"]}
    new = rewritten(json.dumps(old, ensure_ascii=False))
    assert new == (
        '{"source_act": "fi:act:2020/5", "findings": [["finding.old_version"],'
        ' ["finding.in_words", {"words": "ä"}]]}'
    )
    assert rewritten(new) == new


@pytest.mark.parametrize(
    "facts", ["", "{", "[]", "7", '{"application": "\\"findings\\""}', '{"findings": "x"}']
)
def test_other_facts_and_damaged_ones_stay_as_they_are(facts: str) -> None:
    assert rewritten(facts) == facts
