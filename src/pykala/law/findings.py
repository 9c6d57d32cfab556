"""Defects that readers find in a text, as far as the engine itself acts on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pykala.law.messages import Message

#: The findings on a page whose day is only inferred, or not known at all.
#: A title that tells the day is as good as a date.
NO_DATE: Final = frozenset({"finding.undated", "finding.by_what_it_cites"})


def has_no_date(findings: Iterable[Message]) -> bool:
    """Whether a source does not say since when its words hold."""
    return any(one.key in NO_DATE for one in findings)
