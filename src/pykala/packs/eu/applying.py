"""Date the wordings of an act by its own words: `as_of` asks what applies; entry into force is apart.

The publisher dates an act as adopted by the day of its signature, on which none of it is law yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from pykala.law.citations import CitationContext
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import NOT_YET, Validity
from pykala.packs.pack import PackFacts

from . import grammar, resolution
from .commencement import Commencement, read_commencement, tells_commencement

_CONTAINERS = frozenset(
    {ProvisionKind.WORK, ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.DIVISION}
)
#: Kinds that apply from the act's day of application; everything else is dated by entry into force.
_APPLIED = frozenset({*_CONTAINERS, ProvisionKind.ARTICLE, ProvisionKind.ANNEX})


def commencement_of(
    root: Provision, language: str, facts: PackFacts, *, published: date | None, adopted: date | None
) -> tuple[ProvisionId | None, Commencement]:
    """The article on entry into force (the last that mentions it), and its present words."""
    for article in reversed(list(_articles(root))):
        text = _newest_text(article)
        if not tells_commencement(text, language):
            continue
        places = list(_places(text, CitationContext(language, article.id), root.id.work, facts))
        told = read_commencement(text, language, places, published=published, adopted=adopted)
        return article.id, told
    return None, Commencement()


def _newest_text(article: Provision) -> str:
    """An article as last changed: a later act may postpone the application."""
    starts = (version.validity.start for node in article.walk() for version in node.versions)
    last = max((day for day in starts if day is not None and day != NOT_YET), default=None)
    newest = article.at(last) if last is not None else None
    return compose(newest or article).text


def _places(
    text: str, context: CitationContext, work: WorkId, facts: PackFacts
) -> Iterator[tuple[int, ProvisionId]]:
    """The places of an act that a text names, each with where it is named."""
    for found in grammar.find_citations(text, context, facts.abbreviations, facts.asked):
        for one in resolution.resolve(found, context, facts.abbreviations):
            if one.target is not None and one.target.path and one.target.work == work:
                yield found.start, _as_placed(one.target)


def _as_placed(place: ProvisionId) -> ProvisionId:
    """The place without its first subparagraph, whose words and points are the paragraph's own."""
    return ProvisionId(place.work, tuple(step for step in place.path if str(step) != "subpara_1"))


def _articles(root: Provision) -> Iterator[Provision]:
    """The act's own articles: not those of an annex or of words that it gives to another act."""
    for child in root.children:
        if child.kind is ProvisionKind.ARTICLE:
            yield child
        elif child.kind in _CONTAINERS:
            yield from _articles(child)


def with_days(root: Provision, told: ProvisionId | None, commencement: Commencement) -> Provision:
    """The tree with every wording dated by what the act says of its application."""
    entered = commencement.entered or commencement.applies
    applies = commencement.applies or commencement.entered
    if entered is None or applies is None:
        return root
    own, staged = dict(commencement.parts), dict(commencement.stages)
    if told is not None:
        own[told] = entered
    dated = tuple(
        _dated(child, applies if child.kind in _APPLIED else entered, entered, own) for child in root.children
    )
    dated = tuple(_noted(child, staged, own, "") for child in dated) if staged else dated
    first = min(entered, *(day for day in own.values()), applies)
    versions = _moved(root.versions, first, first) if root.versions else ()
    return replace(root, versions=versions, children=dated)


def _dated(provision: Provision, day: date, entered: date, own: dict[ProvisionId, date]) -> Provision:
    day = own.get(provision.id, day)
    children = tuple(_dated(child, day, entered, own) for child in provision.children)
    if provision.kind in _CONTAINERS or children:
        # A chapter or an article is in force as soon as any part of it is.
        below = (one.validity for child in children for one in child.versions)
        day = min((day, *(one.start for one in below if one.start is not None and not one.is_empty)))
    return replace(provision, versions=_moved(provision.versions, day, entered), children=children)


def _noted(
    provision: Provision, staged: dict[ProvisionId, str], own: dict[ProvisionId, date], note: str
) -> Provision:
    """If a provision applies to some from one day and to others later, note it in the act's words."""
    note = staged.get(provision.id, "" if provision.id in own else note)
    children = tuple(_noted(child, staged, own, note) for child in provision.children)
    if not note or provision.kind in _CONTAINERS:
        return replace(provision, children=children)
    versions = tuple(one if one.application else replace(one, application=note) for one in provision.versions)
    return replace(provision, versions=versions, children=children)


def _moved(versions: Sequence[Version], day: date, entered: date) -> tuple[Version, ...]:
    """Date a chain by the day from which it applies; wordings that ended earlier get an empty period."""
    moved: list[Version] = []
    for number, version in enumerate(versions):
        start, end = version.validity.start, version.validity.end
        # The first words of the act itself; inserted words are dated by the act that inserted them.
        original = number == 0 and version.event is Event.ENACTED and not version.history_unavailable
        if start is None or version.validity.is_pending or not (original or start < day):
            moved.append(version)
        elif end is not None and end <= day:
            moved.append(replace(version, validity=Validity(end, end)))
        else:
            since = entered if original else max(start, entered)
            in_force = since if since != day else None
            # Inserted words had no earlier wording, so none is missing before they apply.
            lacking = version.history_unavailable and version.event is not Event.INSERTED
            moved.append(
                replace(
                    version,
                    validity=Validity(day, end),
                    in_force=in_force,
                    history_unavailable=lacking,
                )
            )
    return tuple(moved)
