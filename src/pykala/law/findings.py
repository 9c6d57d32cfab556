"""Defects that readers find in a text, as far as the engine itself acts on them.

Libraries keep findings in English words; `text/phrases` says them in other languages.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

#: How every finding begins on a page whose day is only inferred, or not known at all.
NO_DATE: Final = "the page has no date"
#: How it goes on where the title tells the day, which is as good as a date.
BUT_ITS_TITLE: Final = f"{NO_DATE}; its title says that it holds from "


def has_no_date(findings: Iterable[str]) -> bool:
    """Whether a source does not say since when its words hold."""
    return any(one.startswith(NO_DATE) and not one.startswith(BUT_ITS_TITLE) for one in findings)
