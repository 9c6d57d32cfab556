"""Decisions of courts whose case law no pack holds, as lawyers cite them: "2016 SCC 27", "KKO 2019:104".

They are recognised so that a question about a decision is not answered from other law that uses the same
words. Each pack gives the patterns of its courts (`decisions` in `pack.toml`), and each language its words
for a case and an application. A pattern begins at a word and has only bounded repetitions, so that any text
is read in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pykala.packs.pack import Pack
from pykala.text.languages.known import NOTHING, alternatives, derived

#: Names in a pack's patterns, and the tables of all languages that are filled in there.
_FILLED_IN = {"{case}": "law.case", "{application}": "law.application", "{numbered}": "law.numbered"}


@dataclass(frozen=True, slots=True)
class CaseCited:
    """A decision as it is cited, and where."""

    start: int
    end: int
    text: str


def cases_in(text: str, packs: Iterable[Pack]) -> Iterator[CaseCited]:
    """Decisions that a text cites, of courts whose case law none of some packs holds."""
    facts = [pack.facts for pack in packs]
    written = tuple(pattern for one in facts for pattern in one.decisions)
    held = tuple(pattern for one in facts for pattern in one.decisions_held)
    for match in _decisions(written, held).finditer(text):
        yield CaseCited(match.start(), match.end(), match[0])


@derived
def _decisions(written: tuple[str, ...], held: tuple[str, ...]) -> re.Pattern[str]:
    """The pattern of any decision: ways in which decisions are written, except those that a pack holds."""
    pattern = "|".join(written) or NOTHING
    for name, table in _FILLED_IN.items():
        pattern = pattern.replace(name, f"(?:{alternatives(table)})")
    return re.compile(rf"(?<![\w./-])(?!{'|'.join(held) or NOTHING})(?:{pattern})(?!\w|[/:-]\d)")
