"""Questions for what a court has held: "What has the court said about couriers?" is one of them.

Only the court's own rulings answer them. Each pack names the courts whose rulings it has (`courts` in
`pack.toml`), each language the words for ruling and for appealing. Who asks how to appeal asks for the law.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pykala.law.identifiers import WorkId
from pykala.packs.pack import Pack
from pykala.text.languages.known import alternatives, derived
from pykala.text.one_line import bounded

_TELLING: Final = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class CourtAsked:
    """The court whose rulings are asked for, and the question without it."""

    jurisdiction: str
    kind: str  # in the identifiers of its rulings: "kho"
    subject: str  # what the rulings are to be about

    def gave_ruling(self, work: WorkId) -> bool:
        """Whether a work is a ruling of this court."""
        return work.value.startswith(f"{self.jurisdiction}:{self.kind}:")


def court_asked(text: str, packs: Mapping[str, Pack]) -> CourtAsked | None:
    """The court whose rulings a question asks for; None where it asks for anything else."""
    text = bounded(text)
    if _words("questions.ruled").search(text) is None or _words("questions.appeals").search(text):
        return None
    for code, pack in packs.items():
        for kind, names in pack.facts.courts.items():
            court = _court(names)
            if court.search(text):
                subject = _words("questions.ruled").sub(" ", court.sub(" ", text))
                return CourtAsked(code, kind, subject) if _TELLING.search(subject) else None
    return None


@derived
def _words(table: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{alternatives(table)})(?!\w)", re.IGNORECASE)


@derived
def _court(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)")
