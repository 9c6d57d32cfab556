"""The numbers of acts: with the year first in identifiers ("2006/624"), with the year last in print."""

from __future__ import annotations

from pykala.law.identifiers import WorkId

_ACTS = "fi:act:"


def act_number(act: WorkId) -> str:
    """The number in an act's identifier: "2006/624"."""
    return act.value.removeprefix(_ACTS)


def as_printed(number: str) -> str:
    """A number as the law prints it: "624/2006"."""
    year, _, rest = number.partition("/")
    return f"{rest}/{year}"


def printed_number(work: WorkId) -> str:
    """The number of an act as the law prints it; empty for a work that has none."""
    return as_printed(act_number(work)) if work.value.startswith(_ACTS) else ""


def year_of_act(act: WorkId) -> int:
    """The year in an act's number."""
    return int(act_number(act).partition("/")[0])
