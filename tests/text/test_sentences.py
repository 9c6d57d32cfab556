from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.sentences import sentences
from pykala.text.tokens import count_tokens

CASES = [
    [
        "Under s. 7 of R.S.C., 1985, c. L-2, the tax applies.",
        "See art. 5 and No. 3.",
        "The rate is 7.5.",
        "It ends.",
    ],
    ["1. The Minister may act.", "2. He shall not."],
    ["§ 11-503. Imposition of tax.", "A tax is imposed."],
    ["Section 4. Short title.", "This Act may be cited."],
    ["Vero on 30 %.", "Laki tuli voimaan 1.1.2020.", "Sitä sovelletaan 1. tammikuuta alkaen esim. Suomessa."],
    ["Ks. 124 § 2 mom. ja mm. KHO 2025:46.", "Toinen virke."],
    ["Det gäller bl.a. Finland.", "Se 7 kap. 3 § 2 mom. i lagen."],
    ["Le taux est de 34 p. 100.", "L’art. 5 s’applique.", "Voir M. Tremblay."],
    ["Repealed.", "See S.C. 2001, c. 29 for (a) the person; (b) the L.L. Bean case.", '"Tax" means tax.'],
    ["Is it so?", "Yes!", "It is (see above).", "«Fin.»", "Next."],
]


@pytest.mark.parametrize("expected", CASES)
def test_sentences(expected: list[str]) -> None:
    text = " ".join(expected)
    assert [text[start:end] for start, end in sentences(text)] == expected


def test_a_new_line_is_a_boundary() -> None:
    text = "First line without a stop\n\n  (a) an item;\r\n(b) another"
    assert [text[start:end] for start, end in sentences(text)] == [
        "First line without a stop",
        "(a) an item;",
        "(b) another",
    ]


legal = st.text(alphabet="abÄs.7§()?! \n\t0cA1;:'’»no", max_size=120)


@given(st.one_of(st.text(max_size=120), legal))
def test_spans_cover_all_text_in_order(text: str) -> None:
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    covered = {position for start, end in spans for position in range(start, end)}
    assert all(character.isspace() for position, character in enumerate(text) if position not in covered)
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \n", 0),
        ("The rate is 34 per cent.", 7),
        ("arviointimenettely", 5),
        ("124 §", 2),
        ("2024", 2),
    ],
)
def test_count_tokens(text: str, count: int) -> None:
    assert count_tokens(text) == count


@given(st.text(max_size=80), st.text(max_size=80))
def test_tokens_add_up_over_a_space(first: str, second: str) -> None:
    assert count_tokens(f"{first} {second}") == count_tokens(first) + count_tokens(second)
