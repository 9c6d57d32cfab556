"""The metadata of an act, from any source, and the work made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from pykala.law.identifiers import WorkId
from pykala.law.provisions import Work, WorkKind
from pykala.law.references import normalise_alias
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.act_numbers import act_number
from pykala.packs.finland.citations.law_names import names_of_title
from pykala.packs.pack import PackFacts


@dataclass(frozen=True, slots=True)
class ActFacts:
    """The metadata of one act in one source; sources are merged before a work is made."""

    work: WorkId
    kind: WorkKind
    titles: tuple[tuple[str, str], ...] = ()  # (language, title)
    short_titles: tuple[tuple[str, str], ...] = ()
    issued: date | None = None
    validity: Validity = ALWAYS
    aliases: tuple[str, ...] = ()  # names that only this source gives: ELI, its own identifiers
    state: date | None = None  # up to when amendments are in the text; None where it is not told
    last_amendment: WorkId | None = None  # the newest act that is in the text, where it is told
    #: The acts that are in the text → the day on which they were given, where it is told.
    amended_by: Mapping[WorkId, date | None] = field(default_factory=dict)
    #: Amending act → its entry into force, where all that it wrote agrees on one day.
    commencements: Mapping[WorkId, date] = field(default_factory=dict)


def work_of(facts: ActFacts, pack: PackFacts) -> Work:
    """The work that an act's facts make, under every name that it answers to."""
    year, _, number = act_number(facts.work).partition("/")
    aliases = [f"{number}/{year}", f"/akn/fi/act/statute/{year}/{number}"]
    aliases += [f"{number}/{year[2:]}"] if year.startswith("19") else []
    aliases += facts.aliases
    for language, title in (*facts.titles, *facts.short_titles):
        aliases += names_of_title(title, language)
    return Work(
        facts.work,
        facts.kind,
        pack.authority["statute" if facts.kind is WorkKind.ACT else "decree"],
        titles=facts.titles,
        short_titles=facts.short_titles,
        abbreviations=tuple(
            sorted(name for name, target in pack.abbreviations.items() if target == facts.work.value)
        ),
        aliases=tuple(dict.fromkeys(map(normalise_alias, filter(None, aliases)))),
        issued=facts.issued,
        validity=facts.validity,
    )


def kind_of_title(title: str) -> WorkKind:
    """What sort of statute a Finnish title names, where the source does not tell."""
    lowered = title.casefold()
    if lowered.startswith("laki ") or "laki" in lowered or lowered.endswith(("kaari", "järjestys")):
        return WorkKind.ACT
    if "asetus" in lowered:
        return WorkKind.DECREE
    return WorkKind.DECISION if "päätös" in lowered else WorkKind.ACT
