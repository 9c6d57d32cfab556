"""Words that their own opening limits to certain tax years.

"For each tax year commencing on or after June first, nineteen hundred sixty-three and ending on or before May
thirty-first, nineteen hundred seventy, every tenant shall pay …": the code still prints the rate of those
years. Such a provision applies from the first of its tax years to the end of the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import APPARATUS, Provision, ProvisionKind, Version
from pykala.law.validity import Validity

from .ended_taxes import administrations, ended_taxes
from .period_phrases import (
    UNBOUNDED,
    Bounds,
    counted_as_of,
    elects,
    expired,
    grants,
    no_longer,
    not_imposed,
    only_for,
    opens_only,
    period,
    rolls_counted,
    taxes_of_part,
    years_of_rows,
)

_STEPS = {"section": "sec", "subdivision": "subd", "paragraph": "para", "subparagraph": "subpara"}


def with_tax_years(provision: Provision) -> Provision:
    """A tree in which provisions for certain tax years apply only in those years."""
    limits: dict[ProvisionId, Bounds] = {}
    for one, bounds in (*_limits(provision, ()), *ended_taxes(provision)):
        limits[one] = _both(limits.get(one, UNBOUNDED), bounds)
    return _bounded(provision, UNBOUNDED, limits | dict(administrations(provision, limits)))


def _limits(provision: Provision, above: tuple[Provision, ...]) -> Iterator[tuple[ProvisionId, Bounds]]:
    """What a provision says of the years of another: the whole that it stands in, the tax of a section."""
    text = provision.versions[-1].text if provision.versions else ""
    within = (*above, provision)
    if provision.kind is ProvisionKind.EDITORIAL_NOTE:
        yield from _of_note(text, above)
        return
    unit, bounds = only_for(text)
    yield from ((one.id, bounds) for one in _innermost(within, _STEPS.get(unit)))
    unit, end = no_longer(text)
    yield from ((one.id, (None, end)) for one in _innermost(within, _STEPS.get(unit)))
    yield from _of_tax(provision, text)
    if taxes_of_part(text):
        yield from ((one.id, period(text)) for one in _innermost(above, "part"))
    if (
        above
        and above[-1].kind is ProvisionKind.SECTION
        and above[-1].children[0] is provision
        and grants(text)
    ):
        yield above[-1].id, period(text)
    if above and above[-1].children[0] is provision and elects(text):
        yield above[-1].id, period(text)
    if provision.kind is ProvisionKind.SECTION:
        words = " ".join(node.versions[-1].text for node in provision.walk() if _is_law(node))
        yield provision.id, (None, rolls_counted(words))
    for child in provision.children:
        yield from _limits(child, within)


def _is_law(node: Provision) -> bool:
    return bool(node.versions) and node.kind not in APPARATUS


def _innermost(within: Sequence[Provision], step: str | None) -> Sequence[Provision]:
    return [one for one in within if one.id.path and one.id.path[-1].kind == step][-1:]


def _of_note(text: str, above: Sequence[Provision]) -> Iterator[tuple[ProvisionId, Bounds]]:
    end = expired(text)
    if end is not None and above:
        yield above[-1].id, (None, end)


def _of_tax(provision: Provision, text: str) -> Iterator[tuple[ProvisionId, Bounds]]:
    """The tax of a provision, or of one of its paragraphs, that is not imposed after a day."""
    number, end = not_imposed(text)
    if end is not None:
        named = [one for one in provision.children if one.id.path[-1].number == str(number)]
        yield from ((one.id, (None, end)) for one in (named if number else [provision]))


def _bounded(provision: Provision, above: Bounds, limits: Mapping[ProvisionId, Bounds]) -> Provision:
    text = provision.versions[-1].text if provision.versions else ""
    first, end = _both(_both(above, period(text)), limits.get(provision.id, UNBOUNDED))
    if first is not None and end is not None and end <= first:
        first = end = None  # not understood: better valid for too long than never
    children = tuple(_children(provision.children, (first, end), limits))
    if end is None and opens_only(text):
        end = _last_below(children)
    versions = (
        tuple(_applied(one, first, end) for one in provision.versions) if first or end else provision.versions
    )
    return replace(provision, versions=versions, children=children)


def _children(
    children: Sequence[Provision], above: Bounds, limits: Mapping[ProvisionId, Bounds]
) -> Iterator[Provision]:
    """A line that opens a table ("For taxable years beginning after …:") bounds the table that follows it."""
    opened = UNBOUNDED
    successive = dict(_successive(children))
    for child in children:
        text = child.versions[-1].text if child.versions else ""
        if child.kind is ProvisionKind.TABLE and (rows := years_of_rows(text)) != UNBOUNDED:
            yield _bounded(child, _both(above, rows), limits)
            continue
        if child.kind is not ProvisionKind.TABLE or text.endswith(":"):
            opened = period(text) if text.endswith(":") and not child.children else UNBOUNDED
        yield _bounded(child, _both(above, successive.get(child.id, opened)), limits)


def _last_below(children: Sequence[Provision]) -> date | None:
    """The first day without anything of a list, if all of it has ended by its own words."""
    last = [one.versions[-1] for one in children if one.versions and one.kind not in APPARATUS]
    ends = [one.validity.end for one in last if one.validity.end and one.ends_by_its_words]
    return max(ends) if last and len(ends) == len(last) else None


def _successive(children: Sequence[Provision]) -> Iterator[tuple[ProvisionId, Bounds]]:
    """Tables that count the same as of different days: each holds until the day of the next one."""
    found: dict[str, list[tuple[date, ProvisionId]]] = {}
    for child in children:
        what, day = counted_as_of(child.versions[-1].text if child.versions else "")
        if child.kind is ProvisionKind.TABLE and day is not None:
            found.setdefault(what, []).append((day, child.id))
    for tables in found.values():
        tables.sort(key=lambda one: one[0])
        ends = [day for day, _ in tables[1:]]
        for (day, one), end in zip(tables, [*ends, None], strict=True):
            if len(tables) > 1 and day != end:
                yield one, (day, end)


def _both(one: Bounds, other: Bounds) -> Bounds:
    """The days that are in both periods."""
    return (
        max(filter(None, (one[0], other[0])), default=None),
        min(filter(None, (one[1], other[1])), default=None),
    )


def _applied(version: Version, first: date | None, end: date | None) -> Version:
    start, last = version.validity.start, version.validity.end
    if start is not None and end is not None and end <= start and last is None:
        # The section was amended after those years: its present words on them apply to those years only. The
        # act that amended it since did not make it law of those years.
        return replace(version, validity=Validity(first, end), source_act=None, ends_by_its_words=True)
    begun = start
    start = max((day for day in (start, first) if day), default=None)
    last = min((day for day in (last, end) if day), default=None)
    if start is not None and last is not None and last < start:
        return version
    return replace(
        version,
        validity=Validity(start, last),
        source_act=version.source_act if begun or start is None else None,
        # Before the years that it names it was not law, so no earlier wording is missing.
        history_unavailable=version.history_unavailable and (first is None or start != first),
        ends_by_its_words=last is not None and last == end,
    )
