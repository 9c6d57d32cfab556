"""Provisions for display: exact text, citation, official link, dates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from pykala.law.answers import CitedProvision
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Work
from pykala.law.validity import Validity
from pykala.packs.pack import Pack
from pykala.stores.store import StoredProvision


def cited(stored: StoredProvision, packs: Mapping[str, Pack], as_of: date | None) -> CitedProvision:
    """A stored provision as an answer shows it."""
    provision, work = stored.provision, stored.work
    pack = packs.get(work.id.jurisdiction)
    facts = pack.facts if pack else None
    publisher = facts.publishers.get(work.kind, facts.publisher) if facts else ""
    return CitedProvision(
        provision=provision.id,
        citation=citation(provision.id, work, stored.language, packs),
        url=pack.url(provision.id, work, stored.language, as_of) if pack else "",
        text=compose(provision).text,
        heading=provision.heading or next((a.heading for a in reversed(stored.ancestors) if a.heading), ""),
        language=stored.language,
        validity=_validity(stored),
        authority=work.authority,
        source=", ".join(part for part in (publisher, stored.format) if part),
        adopted=work.issued,
        in_force=stored.version.in_force,
        current_to=known_day(stored),
    )


def known_day(stored: StoredProvision) -> date | None:
    """The day to which a provision is known: its work's day, or the start of a newer wording."""
    day = stored.work.current_to
    starts = (one.validity for node in stored.provision.walk() for one in node.versions)
    newest = max((one.start for one in starts if one.start and not one.is_pending), default=None)
    return max(day, newest) if day is not None and newest is not None else day


def _validity(stored: StoredProvision) -> Validity:
    """The dates of the whole text shown: of its own words and all below them."""
    own = stored.version.validity
    whole = own
    for node in stored.provision.walk():
        for version in node.versions:
            whole = whole.intersection(version.validity)
    # The dates may not overlap where a later wording is shown in place of one that the source lacks.
    return own if whole.is_empty else whole


def citation(provision: ProvisionId, work: Work, language: str, packs: Mapping[str, Pack]) -> str:
    """The citation, or the identifier where no pack covers the work."""
    pack = packs.get(work.id.jurisdiction)
    return pack.cite(provision, work, language) if pack else str(provision)
