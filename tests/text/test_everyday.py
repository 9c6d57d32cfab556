"""Words that people say and the law does not."""

from __future__ import annotations

import pytest

from pykala.text.everyday import EVERYDAY_STEMS, is_everyday, packed


@pytest.mark.parametrize(
    ("stem", "language", "known"),
    [
        ("soppari", "fi", True),
        ("gadget", "en", True),
        ("soppari", "en", False),
        ("gadgte", "en", False),
        ("", "fi", False),
    ],
)
def test_words_of_people_are_known_in_their_language(stem: str, language: str, known: bool) -> None:
    assert is_everyday(stem, language) is known


def test_the_file_is_sorted_and_whole() -> None:
    hashes = EVERYDAY_STEMS.read_bytes()
    each = [hashes[at : at + 4] for at in range(0, len(hashes), 4)]
    assert each == sorted(set(each))
    assert len(each[-1]) == 4


def test_what_is_packed_has_each_stem_once() -> None:
    assert len(packed([("a", "fi"), ("b", "fi"), ("a", "fi"), ("a", "sv")])) == 12
