"""Citations as New York's lawyers write them, and the address of a section at the State Senate.

The official publisher's pages (codelibrary.amlegal.com/…/NYCadmin/0-0-0-4242) have numbers that cannot be
derived from the text and change with its editions; only the front page of the code is stable there. The State
Senate publishes the same code at addresses made of the section's own number, so those are used.
"""

from __future__ import annotations

from pykala.law.identifiers import ProvisionId, Step
from pykala.packs.nyc.tree import LEVELS

SENATE = "https://www.nysenate.gov/legislation/laws/ADC"
PUBLISHER = "https://codelibrary.amlegal.com/codes/newyorkcity/latest/NYCadmin/0-0-0-1"
NAME = "NYC Admin. Code"
_PLACES = {
    "chp": "ch.", "subchp": "subch.", "part": "pt.", "hist": "history note", "note": "editor's note",
    "table": "table",
}  # fmt: skip
_ADDRESSES = {"chp": "C", "subchp": "SC", "part": "P"}


def cite(provision: ProvisionId) -> str:
    """The human citation: "NYC Admin. Code § 11-503(a)(1)"."""
    _, kind, number = provision.work.value.split(":", 2)
    if kind != "adc":
        year, _, law = number.partition("/")
        return f"NYC Local Law {law} of {year}" if kind == "ll" else provision.work.value
    path = provision.path
    if not path:
        return f"{NAME}, Title {number}"
    if path[0].kind != "sec":
        return f"{NAME}, Title {number}, {', '.join(_place(step) for step in path)}"
    brackets = "".join(f"({_printed(step)})" for step in path if step.kind in LEVELS)
    others = [_place(step) for step in path[1:] if step.kind not in LEVELS and step.kind != "flush"]
    return ", ".join([f"{NAME} § {_printed(path[0])}{brackets}", *others])


def _printed(step: Step) -> str:
    return step.number.partition(".dup")[0]


def _place(step: Step) -> str:
    if step.kind == "def":
        return f"definition “{_printed(step).replace('-', ' ')}”"
    name = _PLACES.get(step.kind, step.kind)
    alone = step.kind in ("hist", "note", "table") and step.number == "1"
    return name if alone else f"{name} {_printed(step)}"


def url(provision: ProvisionId) -> str:
    """The section's page at the State Senate: …/ADC/11-503, and of a chapter …/ADC/T11C5."""
    _, kind, number = provision.work.value.split(":", 2)
    if kind != "adc":
        return PUBLISHER
    path = provision.path
    if path and path[0].kind == "sec":
        return f"{SENATE}/{_printed(path[0]).upper()}"
    places = "".join(f"{_ADDRESSES[step.kind]}{step.number}" for step in path if step.kind in _ADDRESSES)
    return f"{SENATE}/T{number}{places}"
