"""How likely the best part of the right section is the right part, by how far it is ahead of the rest.

A grade says how likely a section is right. What is shown of it is often one of its parts, and that may be the
special case where the rule was asked for: so the grade of a part is its section's, times this chance. Both
are measured; `python -m training.fit_pinpoint` writes the scale into the calibration file. There stands also
the least chance with which a part of a sure section answers.
"""

from __future__ import annotations

import json
from functools import cache

import numpy as np

from pykala.law.grades import ANSWERED_FROM, HIGHEST
from pykala.retrieve.calibration import bundled


def chance_of_part(lead: float | None) -> float:
    """The measured share of parts with this lead that were right; 1 for a whole section, which has none."""
    if lead is None:
        return 1.0
    leads, shares = zip(*part_scale(), strict=True)
    return float(np.interp(lead, leads, shares))


@cache
def least_to_answer() -> float:
    """The least chance with which a part answers; a less likely one is most likely at best."""
    return float(json.loads(bundled())["parts"]["answers_from"])


@cache
def surely_ahead() -> float:
    """The least lead of a part that is right nine times in ten; the next one is named beside any other."""
    leads, shares = zip(*part_scale(), strict=True)
    return float(np.interp(ANSWERED_FROM / HIGHEST, shares, leads))


@cache
def part_scale() -> tuple[tuple[float, float], ...]:
    """Pairs of a lead and the share of parts that were right with it; both increase."""
    scale = json.loads(bundled())["parts"]["scale"]
    return tuple((float(lead), float(share)) for lead, share in scale)
