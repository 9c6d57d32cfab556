"""The grades from which a provision is listed, quoted as most likely, and answers.

They stand apart from the calibration that measures them, so that what only tells of a grade loads no model.
"""

from __future__ import annotations

LISTED_FROM, LIKELY_FROM, ANSWERED_FROM = 0.8, 5.0, 9.0
HIGHEST = 10.0
