"""What is said of an act or a decision that the library does not hold."""

from __future__ import annotations

import pytest

from pykala.answer.lacking import not_held
from pykala.retrieve.cites import NotHeld


@pytest.mark.parametrize(
    ("lacking", "words"),
    [
        (NotHeld("the Horse Act", "horse act"), "The Horse Act is not in this library."),
        (NotHeld("GDPR art. 5", "gdpr"), "GDPR is not in this library."),
        (NotHeld("art. 5", "horse charter"), "The horse charter is not in this library."),
        (
            NotHeld("the Horse Act", "horse act", fetch="pykala fetch horse"),
            "The Horse Act is not in this library. To look for it at its publisher: pykala fetch horse",
        ),
        (
            NotHeld("2019 SCC 5", "2019 SCC 5", case=True, fetch="never said"),
            "This library holds no decisions of the court that gave 2019 SCC 5.",
        ),
    ],
)
def test_what_is_lacking_is_named_with_the_command_that_fetches_it(lacking: NotHeld, words: str) -> None:
    assert not_held(lacking, "en") == words
