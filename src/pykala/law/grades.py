"""The grades from which a provision is listed, quoted as most likely, and answers.

They stand apart from the calibration that measures them, so that code that only prints a grade loads no
model.
"""

from __future__ import annotations

from math import floor

LISTED_FROM, LIKELY_FROM, ANSWERED_FROM = 0.8, 5.0, 9.0
HIGHEST = 10.0
#: The highest grade of a provision that is likely and does not answer for sure.
HIGHEST_LIKELY = ANSWERED_FROM - 0.01


def shown_grade(grade: float) -> str:
    """A grade as a reader sees it, cut and not rounded: what is below a line must not read as on it."""
    return f"{floor(grade * 10) / 10:.1f}"
