"""A question in one line: nothing that people write is changed, and nothing in it is without an end."""

from __future__ import annotations

import pytest

from pykala.text.one_line import LONGEST, LONGEST_WORD, bounded, one_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  What is\n the fine?\t", "What is the fine?"),
        ("l’impôt", "l'impôt"),
        (
            "lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilas",
            "lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppila",
        ),
        ("", ""),
    ],
)
def test_a_line_is_what_was_asked(text: str, line: str) -> None:
    assert one_line(text) == line
    assert bounded(line) == line


@pytest.mark.parametrize("unit", ["a", "a ", "a'", "-", "1 ", "\n", "é"])
def test_nothing_is_without_an_end(unit: str) -> None:
    found = one_line(f"How? {unit * 200_000} Why?")
    assert len(found) <= LONGEST + 1
    assert all(len(word) <= LONGEST_WORD for word in found.split())
    assert found.startswith("How?")
    assert found.endswith("Why?")
