"""A whole document for the reading panel, limited to 150 sections or 100 KB.

Where a document is larger, the part around the provision that was asked for is given, in document order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pykala.law.answers import Caveat, CaveatKind
from pykala.law.composition import Composed, compose
from pykala.law.forms import Part, Result
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Provision, ProvisionKind
from pykala.packs.pack import Pack
from pykala.packs.sections import CONTAINERS
from pykala.stores.store import NotInForce, Store, StoredProvision
from pykala.views.surroundings import Surroundings, surroundings

MOST_SECTIONS = 150
MOST_BYTES = 100_000
_BEFORE = 20  # sections shown before the target where the document does not fit


@dataclass(frozen=True, slots=True, repr=False)
class Block(Part):
    """One provision's own words in a document, and its position."""

    provision: ProvisionId
    parent: ProvisionId | None
    kind: ProvisionKind
    label: str
    heading: str
    text: str
    depth: int


#: A section with all below it, or a container by itself.
Unit = tuple[Block, ...]


@dataclass(frozen=True, slots=True, repr=False)
class HydratedDocument(Result):
    """A document on a date, for scrolling."""

    surroundings: Surroundings
    target: ProvisionId
    composed: Composed | None  # the target's text, for positions of citations; None where too large
    as_of: date
    language: str
    languages: tuple[str, ...]
    blocks: tuple[Block, ...]
    total_sections: int
    shown_sections: int
    notice: str  # what was left out; empty where all is shown
    language_note: str
    caveats: tuple[Caveat, ...]

    def __repr__(self) -> str:
        shown = f"{self.shown_sections} of {self.total_sections} sections"
        return f"<HydratedDocument {self.target}, {self.language}, {self.as_of}: {shown}>"

    @property
    def truncated(self) -> bool:
        """Whether something was left out."""
        return bool(self.notice)


def hydrate(
    provision: ProvisionId,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    as_of: date,
    language: str | None = None,
    most_sections: int = MOST_SECTIONS,
    most_bytes: int = MOST_BYTES,
) -> HydratedDocument:
    """The document that a provision belongs to, whole or as much as fits around it."""
    whole, day, caveats = _standing(ProvisionId(provision.work), store, as_of, language)
    target, missing = _target(provision, whole, store, day, language)
    units = [tuple(_blocks(*unit)) for unit in _units(whole.provision)]
    read = units if target.provision.id.path else _to_the_rules(units, most_bytes)
    wanted = next(
        (
            place
            for place, unit in enumerate(units)
            if any(target.provision.id == one.provision for one in unit)
        ),
        0,
    )
    shown = _window(read, wanted, target.provision.id, most_sections, most_bytes)
    total = _sections(units)
    cut = sum(map(_size, shown)) < sum(map(_size, units))
    around = surroundings(target, store, packs, day)
    return HydratedDocument(
        surroundings=around,
        target=target.provision.id,
        composed=_composed(target.provision, most_bytes),
        as_of=as_of,
        language=whole.language,
        languages=whole.languages,
        blocks=tuple(block for unit in shown for block in unit),
        total_sections=total,
        shown_sections=_sections(shown),
        notice=_notice(_sections(shown), total, around) if cut else "",
        language_note=_language_note(language, whole),
        caveats=(*caveats, *missing),
    )


def _composed(provision: Provision, most_bytes: int) -> Composed | None:
    composed = compose(provision)
    return composed if len(composed.text.encode()) <= most_bytes else None


def _standing(
    work: ProvisionId, store: Store, as_of: date, language: str | None
) -> tuple[StoredProvision, date, tuple[Caveat, ...]]:
    """The whole work on the date; where it had no wording then, the nearest one with a caveat."""
    try:
        return store.provision(work, as_of=as_of, language=language), as_of, ()
    except NotInForce as error:
        ends = [one.validity.end for one in error.versions if one.validity.end and one.validity.end <= as_of]
        if ends:
            day = max(ends) - timedelta(days=1)
            caveat = Caveat(CaveatKind.REPEALED, work, f"{error}. Its last wording is shown.")
            return store.provision(work, as_of=day, language=language), day, (caveat,)
        kind = (
            CaveatKind.HISTORY_UNAVAILABLE
            if error.versions and error.versions[0].history_unavailable
            else CaveatKind.NOT_YET_IN_FORCE
        )
        later = store.provision(work, as_of=error.begins, language=language)
        day = error.begins or max(as_of, later.version.validity.start or as_of)
        return later, day, (Caveat(kind, work, f"{error}. A later wording is shown."),)


def _target(
    provision: ProvisionId, whole: StoredProvision, store: Store, day: date, language: str | None
) -> tuple[StoredProvision, tuple[Caveat, ...]]:
    """The requested provision, or its nearest ancestor that stands on the date."""
    held = {one.id for one in whole.provision.walk()}
    nearest = provision
    while nearest.path and nearest not in held:
        nearest = nearest.parent
    if nearest == ProvisionId(provision.work):
        found = whole
    else:
        found = store.provision(nearest, as_of=day, language=language)
    if nearest == provision:
        return found, ()
    store.provision(provision, language=language)  # a provision that never existed is an error, not a caveat
    message = (
        f"{provision} has no wording on {day.isoformat()}; the document is shown at what holds its place."
    )
    return found, (Caveat(CaveatKind.REPEALED, provision, message),)


def _units(
    node: Provision, parent: ProvisionId | None = None, depth: int = 0
) -> Iterator[tuple[Provision, ProvisionId | None, int, bool]]:
    """Sections with their descendants, and the containers between them."""
    if node.kind not in CONTAINERS:
        yield node, parent, depth, True
        return
    yield node, parent, depth, False
    for child in node.children:
        yield from _units(child, node.id, depth + 1)


def _blocks(node: Provision, parent: ProvisionId | None, depth: int, with_children: bool) -> Iterator[Block]:
    version = node.versions[-1] if node.versions else None
    heading, text = (version.heading, version.text) if version else ("", "")
    yield Block(node.id, parent, node.kind, node.label, heading, text, depth)
    if with_children:
        for child in node.children:
            yield from _blocks(child, node.id, depth + 1, True)


def _sections(units: Sequence[Unit]) -> int:
    return sum(1 for unit in units if unit and unit[0].kind not in CONTAINERS)


def _size(unit: Sequence[Block]) -> int:
    return sum(len(f"{one.label}{one.heading}{one.text}".encode()) for one in unit)


def _window(
    units: Sequence[Unit], wanted: int, target: ProvisionId, most_sections: int, most_bytes: int
) -> list[Unit]:
    """As many units around the target as fit: the target, then some before it, then those after it."""
    if _sections(units) <= most_sections and sum(map(_size, units)) <= most_bytes:
        return list(units)
    own = _shortened(units[wanted], target, most_bytes)
    chosen, room = {wanted: own}, most_bytes - _size(own)
    # Stop on a side at the first unit that does not fit or is cut: a gap would look like consecutive text.
    whole = units[wanted]
    closed = {side for side, cut in ((-1, own[0] != whole[0]), (1, own[-1] != whole[-1])) if cut}
    before = range(wanted - 1, -1, -1)
    for place in (*before[:_BEFORE], *range(wanted + 1, len(units)), *before[_BEFORE:]):
        side = -1 if place < wanted else 1
        fits = _size(units[place]) <= room and _sections([*chosen.values(), units[place]]) <= most_sections
        if side in closed or not fits:
            closed.add(side)
            continue
        chosen[place] = units[place]
        room -= _size(units[place])
    return [chosen[place] for place in sorted(chosen)]


def _to_the_rules(units: Sequence[Unit], most_bytes: int) -> list[Unit]:
    """The units with only the heading of a preamble that would leave no room for the rules behind it.

    A reader who opens an act by its name wants its first articles, not a hundred recitals.
    """
    if sum(map(_size, units)) <= most_bytes:
        return list(units)
    return [
        (replace(unit[0], text=""),) if unit[0].kind is ProvisionKind.PREAMBLE else unit for unit in units
    ]


def _shortened(unit: Unit, target: ProvisionId, most_bytes: int) -> Unit:
    """The part around the target of a section that is too large by itself."""
    at = next((place for place, block in enumerate(unit) if block.provision == target), 0)
    if _size(unit[at : at + 1]) > most_bytes:
        block = unit[at]
        room = max(0, most_bytes - len(f"{block.label}{block.heading}".encode()))
        return (replace(block, text=block.text.encode()[:room].decode("utf-8", "ignore")),)
    first, last, room = at, at + 1, most_bytes - _size(unit[at : at + 1])
    enough = room * 3 // 4
    while first > 0 and (size := _size(unit[first - 1 : first])) <= room - enough:
        first, room = first - 1, room - size
    while last < len(unit) and (size := _size(unit[last : last + 1])) <= room:
        last, room = last + 1, room - size
    while first > 0 and (size := _size(unit[first - 1 : first])) <= room:
        first, room = first - 1, room - size
    return unit[first:last]


def _notice(shown: int, total: int, around: Surroundings) -> str:
    where = f"; the whole is at {around.work_url}" if around.work_url else ""
    return (
        f"This document has {total:,} sections; {shown:,} of them are shown, around the one that was opened"
        f"{where}."
    )


def _language_note(language: str | None, whole: StoredProvision) -> str:
    if language is None or language == whole.language:
        return ""
    return f"Not held in {language!r}; shown in {whole.language!r}."
