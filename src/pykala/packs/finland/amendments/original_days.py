"""The day from which an original act is applied, if it differs from that of its entry into force.

"Tämä laki tulee voimaan 1 päivänä tammikuuta 2024. Sitä sovelletaan kuitenkin vasta 15 päivästä huhtikuuta
2024.", for the whole act or for named sections. The first tax year ("sovelletaan ensimmäisen kerran vuodelta
2020 toimitettavassa verotuksessa") is not a day, and is kept as words.
"""

from __future__ import annotations

from dataclasses import replace

from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version
from pykala.packs.finland.amendments.amending_days import Days, applied_days


def with_applied_days(document: Document) -> Document:
    """An original act whose wordings are dated by their application; `in_force` keeps the other day."""
    days = Days.of(document)
    if not (days.applied or any(part.applied for part in days.parts)):
        return document
    children = tuple(_dated(child, days) for child in document.root.children)
    return replace(document, root=replace(document.root, children=children))


def _dated(provision: Provision, days: Days) -> Provision:
    if provision.kind is ProvisionKind.ENTRY_INTO_FORCE:
        return provision
    versions = tuple(_applied(one, provision, days) for one in provision.versions)
    children = tuple(_dated(child, days) for child in provision.children)
    return replace(provision, versions=versions, children=children)


def _applied(version: Version, provision: Provision, days: Days) -> Version:
    if version.event is not Event.ENACTED or version.in_force is not None:
        return version
    applied = days.applied_from(provision.id.path, "")
    validity, in_force = applied_days(version.validity, applied, temporary=False)
    return replace(version, validity=validity, in_force=in_force) if in_force else version
