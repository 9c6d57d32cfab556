"""What an act says of its own end: "This Article shall apply until 31 December 2022".

Consolidated texts still print such words after that day. The wording ends on that day, unless a later wording
of the sentence itself postponed it in time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.pack import PackFacts

from . import grammar, resolution
from .commencement import DAY, written_day

_ENDS = {
    "en": re.compile(
        r"shall (?:(?:apply|be applicable|remain (?:in force|applicable)|have effect)(?: only)? until"
        rf"|expire on|cease to (?:apply|have effect|be in force|be applicable) on) {DAY}",
        re.I,
    ),
    "fr": re.compile(
        r"(?:(?:(?:est|sont|reste(?:nt)?) (?:applicables?|en vigueur)|s[’']appliquent?) jusqu[’']au"
        rf"|(?:expirent?|cessent? (?:de s[’']appliquer|d[’']être (?:applicables?|en vigueur))) le) {DAY}",
        re.I,
    ),
}
_BEGINS = re.compile(r"(?:^|[.;\n]\s+|^\d+[a-z]?\.\s+)")
_SELF = {
    "en": re.compile(r"(?:This|That) (?P<level>\w+)$|(?P<it>It)$"),
    "fr": re.compile(r"(?:Le|La|L[’'])\s?présente? (?P<level>\w+)$|(?P<it>Il|Elle)$"),
}
_CITES = re.compile(
    r"(?:(?:Sub)?paragraphs?|Points?|Articles?|Chapters?|Titles?|Sections?|Annex(?:es)?"
    r"|(?:Les?|L[’'])\s?(?:paragraphes?|points?|articles?|chapitres?|titres?|annexes?))\b",
    re.I,
)
_LEVELS = {
    "article": "art", "paragraph": "para", "paragraphe": "para", "annex": "anx", "annexe": "anx",
    "chapter": "cpt", "chapitre": "cpt", "title": "tis", "titre": "tis", "section": "sct", "part": "prt",
    "partie": "prt", "subsection": "sbs",
}  # fmt: skip
_ACTS = frozenset({"directive", "regulation", "decision", "règlement", "décision"})
#: Words of another act, of the preamble or of a note: they do not end anything in this act.
_FOREIGN = frozenset(
    {ProvisionKind.AMENDMENT, ProvisionKind.RECITAL, ProvisionKind.FOOTNOTE, ProvisionKind.EDITORIAL_NOTE}
)


@dataclass(frozen=True, slots=True)
class Expiry:
    """The first day on which something no longer applies, and the period in which the words said so."""

    day: date
    told: Validity


def expiries_of(root: Provision, language: str, facts: PackFacts) -> dict[ProvisionId, list[Expiry]]:
    """The parts of an act that expire, as its own wordings state."""
    found: dict[ProvisionId, list[Expiry]] = {}
    for chain in _chains(root, ()):
        for version in chain[-1].versions:
            for target, day in _ends_told(version.text, language, chain, facts):
                found.setdefault(target, []).append(Expiry(day, version.validity))
    return found


def _chains(provision: Provision, above: tuple[Provision, ...]) -> Iterator[tuple[Provision, ...]]:
    """Every provision of the act's own with those above it."""
    if provision.kind in _FOREIGN:
        return
    chain = (*above, provision)
    yield chain
    for child in provision.children:
        yield from _chains(child, chain)


def _ends_told(
    text: str, language: str, chain: tuple[Provision, ...], facts: PackFacts
) -> Iterator[tuple[ProvisionId, date]]:
    for verb in _ENDS[language].finditer(text):
        day = written_day(verb)
        starts = [one.end() for one in _BEGINS.finditer(text, 0, verb.start())]
        subject = text[starts[-1] if starts else 0 : verb.start()].strip()
        if day is None or "‘" in subject or "«" in subject:
            continue
        for target in _targets(subject, language, chain, facts):
            yield target, day + timedelta(days=1)


def _targets(
    subject: str, language: str, chain: tuple[Provision, ...], facts: PackFacts
) -> Iterator[ProvisionId]:
    own = _SELF[language].match(subject)
    if own is not None:
        level = (own["level"] or "").casefold()
        if level in _ACTS or (own["it"] and _is_final(chain)):
            yield chain[0].id  # "it" in a paragraph may mean anything; in the last article it means the act
        step = _LEVELS.get(level)
        yield from [one.id for one in chain if step and one.id.path and one.id.path[-1].kind == step][-1:]
        return
    if not _CITES.match(subject):
        return
    context = CitationContext(language, chain[-1].id)
    for found in grammar.find_citations(subject, context, facts.abbreviations, facts.asked):
        for one in resolution.resolve(found, context, facts.abbreviations):
            if one.target is not None and one.target.path and one.target.work == chain[0].id.work:
                yield one.target


def _is_final(chain: tuple[Provision, ...]) -> bool:
    """Whether words stand in the last article of an act."""
    articles = [one for one in chain[0].walk() if one.kind is ProvisionKind.ARTICLE]
    return bool(articles) and any(one is articles[-1] for one in chain)


def with_expiries(root: Provision, expiries: Mapping[ProvisionId, list[Expiry]]) -> Provision:
    """The tree, with every wording ended that was to apply until a day."""
    return _expired(root, expiries, ()) if expiries else root


def _expired(
    provision: Provision, expiries: Mapping[ProvisionId, list[Expiry]], above: tuple[Expiry, ...]
) -> Provision:
    bound = (*above, *expiries.get(provision.id, ()))
    children = tuple(_expired(child, expiries, bound) for child in provision.children)
    versions = tuple(_bounded(version, bound) for version in provision.versions)
    if versions == provision.versions and all(map(lambda a, b: a is b, children, provision.children)):
        return provision
    return replace(provision, versions=versions, children=children)


def _bounded(version: Version, bound: tuple[Expiry, ...]) -> Version:
    for one in bound:
        # The sentence must have stood on the day itself, and the wording as well.
        if (
            one.told.covers(one.day)
            and version.validity.covers(one.day)
            and version.validity.start != one.day
        ):
            version = replace(
                version, validity=Validity(version.validity.start, one.day), ends_by_its_words=True
            )
    return version
