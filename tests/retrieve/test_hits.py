"""What search shows: law, not the shells of repealed provisions, by the passage with the query's words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from making import graded
from pykala.retrieve.hits import is_shell, worth_showing
from pykala.retrieve.search import Candidate


@pytest.mark.parametrize(
    ("text", "shell"),
    [
        ("[Repealed]", True),
        ("[Repealed]\n[Editor's note: For related provisions, see Appendix A at L.L. 1985/37.]", True),
        ("(Repealed L.L. 2013/80, 10/17/2013, eff. 10/17/2013)", True),
        ("4. [Repealed.]", True),
        ("[Repealed, 2011, c. 24, s. 5]", True),
        ("[Revoked, SOR/2002-5, s. 3]", True),
        ("[12 to 14 reserved]", True),
        ("[Repeal]", True),
        ("[Abrogé, 2011, ch. 24, art. 5]", True),
        ("(kumottu)", True),
        ("2 a § on kumottu L:lla 24.6.2010/650.", True),
        ("3 § har upphävts genom L 24.6.2010/650.", True),
        ("", False),
        ("[Editor's note: see underlying legislation.]", False),
        ("The Renewable Fuels Regulations are repealed.", False),
        ("(1) [Repealed, 2011, c. 24, s. 5]\n(2) The tax is two per cent.", False),
        ("Tällä lailla kumotaan rehulaki (86/2008).", False),
        ("A repealed enactment does not revive.", False),
    ],
)
def test_a_shell_says_only_that_it_was_repealed(text: str, shell: bool) -> None:
    assert is_shell(text) == shell


def candidate(*texts: str, whole: str = "") -> Candidate:
    """A section with matching passages, the best one first."""
    (first,) = graded("nyc", 6.0)
    made = first.candidate
    matches = [replace(made.match.saying(text, whole or "\n".join(texts)), language="en") for text in texts]
    return replace(made, match=matches[0], beside=tuple(matches[1:]))


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (candidate("[Repealed]"), []),
        (candidate("All revenues.", "A tax on parking."), ["A tax on parking."]),
        (candidate("A tax on garages.", "The tax is due."), ["A tax on garages."]),  # the first of equals
        (candidate("[Repealed]", "A tax on parking."), ["A tax on parking."]),
        (candidate("All revenues."), ["All revenues."]),
    ],
)
def test_a_hit_is_shown_by_the_passage_with_the_words(found: Candidate, shown: list[str]) -> None:
    assert [one.match.text for one in worth_showing([found], "parking tax")] == shown
