"""The sentence that answers, and the list it introduces."""

from __future__ import annotations

import pytest

from pykala.answer.extract import best_sentence, first_sentence, whole_statement
from pykala.law.composition import Composed, Line
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.wording import Figures

SECTION = ProvisionId.parse("ca:act:d-4/sec_241")


def composed(law: str, note: str = "") -> Composed:
    """A section with, perhaps, an editor's note below it."""
    text = f"{law}\n{note}" if note else law
    lines = [Line(SECTION, ProvisionKind.SECTION, 0, 0, len(law))]
    if note:
        below = SECTION.child("note", "1")
        lines.append(Line(below, ProvisionKind.HISTORICAL_NOTE, 1, len(law) + 1, len(text)))
    return Composed(text, tuple(lines))


LIST = "A bank means\n(a) a bank listed here; or\n(b) a foreign bank.\nThis Part applies to it."


@pytest.mark.parametrize(
    ("text", "sentence", "whole"),
    [
        (LIST, "A bank means", "A bank means\n(a) a bank listed here; or\n(b) a foreign bank."),
        (LIST, "This Part applies to it.", "This Part applies to it."),
        ("The rate is 5 %.\nIt is paid yearly.", "The rate is 5 %.", "The rate is 5 %."),
        ("It means\n" + "x" * 2000, "It means", "It means"),
        ("No end", "No end", "No end"),
    ],
)
def test_a_statement_is_quoted_with_its_list(text: str, sentence: str, whole: str) -> None:
    start = text.index(sentence)
    first, last = whole_statement(text, start, start + len(sentence))
    assert text[first:last] == whole


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        (frozenset({"months"}), "The stay ends after 84 months."),
        (frozenset({"percent"}), "The tax on the stay is 25 per cent."),
    ],
)
def test_the_unit_asked_for_decides(units: frozenset[str], expected: str) -> None:
    text = "A stay is taxed. The tax on the stay is 25 per cent. The stay ends after 84 months."
    asked = AskedWords("stay", "en", {"stay": 1.0})
    start, end = best_sentence(composed(text), asked, "en", figures=Figures(True, units))
    assert text[start:end] == expected


def test_what_editors_note_below_a_section_answers_nothing() -> None:
    law, note = "A dog wears a tag.", "R.S., c. D-4, s. 241; a tag for a dog, c. 20."
    asked = AskedWords("tag dog 241", "en", {"tag": 1.0, "dog": 1.0, "241": 5.0})
    text = composed(law, note)
    for start, end in (best_sentence(text, asked, "en", figures=Figures(False)), first_sentence(text)):
        assert text.text[start:end] == law
    alone = composed("", note)
    start, end = first_sentence(alone)
    assert alone.text[start:end].strip() == note
