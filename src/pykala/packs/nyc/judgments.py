"""Taxes that courts ended and that the code still prints.

The code itself does not mention them. The days and the reports were looked up: the tax on plastic containers
of Local Law 43 of 1971 was held invalid on 11 November 1971; chapter 5 of the laws of 1999 repealed the tax
on the earnings of nonresidents for those who live in the state, from 1 July 1999, and for all others should a
court hold that difference invalid, as the Court of Appeals did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from pykala.law.provisions import Provision, Version
from pykala.law.validity import Validity


@dataclass(frozen=True, slots=True)
class Judgment:
    """The first day without a tax, and how a court came to end it."""

    day: date
    told: str


#: By the path of the chapter in title 11.
JUDGMENTS: Final[Mapping[str, Judgment]] = {
    "chp_16": Judgment(
        date(1971, 11, 11),
        "a court held this tax invalid: Society of the Plastics Industry v. City of New York,"
        " 68 Misc. 2d 366 (Sup. Ct. 1971)",
    ),
    "chp_19": Judgment(
        date(1999, 7, 1),
        "this tax ended with June 1999: City of New York v. State of New York, 94 N.Y.2d 577 (2000),"
        " held invalid what the state had left of it",
    ),
}


def with_judgments(root: Provision) -> Provision:
    """A tree in which chapters end whose tax a court ended, and say so."""
    children = tuple(
        _ended(child, JUDGMENTS["/".join(map(str, child.id.path))])
        if "/".join(map(str, child.id.path)) in JUDGMENTS
        else child
        for child in root.children
    )
    return replace(root, children=children)


def _ended(provision: Provision, judgment: Judgment) -> Provision:
    versions = tuple(_told(version, judgment) for version in provision.versions)
    children = tuple(_ended(child, judgment) for child in provision.children)
    return replace(provision, versions=versions, children=children)


def _told(version: Version, judgment: Judgment) -> Version:
    start, end = version.validity.start, version.validity.end
    if end is not None and end <= judgment.day:
        return version  # it was over before
    if start is not None and start >= judgment.day:
        # The chapter was printed anew since, with the same tax: it was never law after that day.
        start = None
    application = "; ".join(filter(None, (version.application, judgment.told)))
    return replace(
        version,
        validity=Validity(start, judgment.day),
        source_act=version.source_act if start else None,
        application=application,
        ends_by_its_words=False,
    )
