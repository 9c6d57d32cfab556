"""Numbers at the start of a block, and where they put it."""

from __future__ import annotations

import pytest

from pykala.packs.uploads.labels import is_title, read_label
from pykala.packs.uploads.numerals import printed_number


@pytest.mark.parametrize(
    ("text", "step", "number", "rest"),
    [
        ("§ 5 Payment", "sec", "5", "Payment"),
        ("§ 11-503. Imposition", "sec", "11-503", "Imposition"),
        ("5 § Maksu", "sec", "5", "Maksu"),
        ("33 a § Osinko", "sec", "33a", "Osinko"),
        ("Section 12. Notices", "sec", "12", "Notices"),
        ("Clause 4.2: Fees", "sec", "4.2", "Fees"),
        ("Article 3", "art", "3", ""),
        ("ARTICLE IV – Term", "art", "iv", "Term"),
        ("3 artikla", "art", "3", ""),
        ("Chapter II", "chp", "ii", ""),
        ("2 luku Verotus", "chp", "2", "Verotus"),
        ("1 kap. Allmänt", "chp", "1", "Allmänt"),
        ("Part A Payments", "part", "a", "Payments"),
        ("Annex 1", "sched", "1", ""),
        ("LIITE 2 Hinnasto", "sched", "2", "Hinnasto"),
        ("1. Definitions", "sec", "1", "Definitions"),
        ("1.2 The customer pays", "subsec", "1.2", "The customer pays"),
        ("1.2.3. the customer pays", "subsec", "1.2.3", "the customer pays"),
        ("(a) in cash", "pnt", "a", "in cash"),
        ("b) by card", "pnt", "b", "by card"),
        ("(iv) later", "pnt", "iv", "later"),
        ("12) twelve", "pnt", "12", "twelve"),
        ("• by mail", "pnt", "", "by mail"),
    ],
)
def test_labels_are_read(text: str, step: str, number: str, rest: str) -> None:
    label = read_label(text)
    assert label is not None
    assert (label.step, label.number, label.rest) == (step, number, rest)


@pytest.mark.parametrize(
    "text",
    [
        "Section 5 of the Act applies to notices.",
        "§ 5 applies where",
        "5 §:n mukaan",
        "Article 3, which is void, applies",
        "1.5 million euros were paid",
        "30.6.2024 was the last day",
        "2024 was a good year",
        "part of the fee",
        "(see below) the fee",
        "[L1] is no label",
        "Partly paid",
        "osa maksusta",
    ],
)
def test_sentences_are_not_labels(text: str) -> None:
    assert read_label(text) is None


def test_a_single_roman_letter_has_two_readings() -> None:
    label = read_label("(i) first or ninth")
    assert label is not None
    assert label.other is not None
    assert (label.shape, label.order, label.other.shape, label.other.order) == ("(a)", 9, "(i)", 1)


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("Payment", True),
        ("Term and termination", True),
        ("The customer pays.", False),
        ("in cash", False),
        ("The fee covers:", False),
        ("", False),
        ("X " * 20, False),
    ],
)
def test_titles_are_short_and_no_sentence(words: str, title: bool) -> None:
    assert is_title(words) is title


@pytest.mark.parametrize(
    ("number", "style", "printed"),
    [
        (4, "lowerRoman", "iv"),
        (1999, "upperRoman", "MCMXCIX"),
        (1, "upperLetter", "A"),
        (28, "lowerLetter", "bb"),
        (7, "decimalZero", "07"),
        (0, "lowerRoman", "0"),
        (10_000, "lowerLetter", "10000"),
        (3, "chicago", "3"),
    ],
)
def test_automatic_numbers_print_as_word_prints_them(number: int, style: str, printed: str) -> None:
    assert printed_number(number, style) == printed
