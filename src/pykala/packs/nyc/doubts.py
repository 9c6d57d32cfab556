"""Errors of the source itself, noted on the provision: numbers printed twice, impossible rows.

§ 11-2704 occurs twice in the official text, the second time with a heading and no words; the table of rents
of § 11-702 begins with rents of "$4,990 … but not more than $2,499".
"""

from __future__ import annotations

import re
from dataclasses import replace

from pykala.law.messages import Message
from pykala.law.provisions import Provision, ProvisionKind, Version

COPY = Message("finding.copied_number")
EMPTY_COPY = Message("finding.empty_copy")
_BOUNDS = re.compile(r"^\$(?P<low>[\d,]+)(?: or over| and over)?\s{2,}\$(?P<high>[\d,]+)(?=\s)")


def with_doubts(provision: Provision) -> Provision:
    """A tree in which every provision has findings about its errors in the source."""
    children = tuple(map(with_doubts, provision.children))
    doubts = tuple(_doubts(provision))
    versions = provision.versions
    if doubts and versions:
        versions = tuple(version.doubted(*doubts) for version in versions)
    return replace(provision, versions=versions, children=children)


def _doubts(provision: Provision) -> list[Message]:
    found = []
    if provision.id.path and ".dup" in provision.id.path[-1].number:
        worded = provision.children or any(version.text for version in provision.versions)
        found.append(COPY if worded else EMPTY_COPY)
    if provision.kind is ProvisionKind.TABLE:
        rows = (row for version in provision.versions for row in _bad_rows(version))
        found += [Message.of("finding.bad_row", words=row) for row in rows]
    return found


def _bad_rows(version: Version) -> list[str]:
    """Rows whose lower bound is above their upper one."""
    rows = []
    for line in version.text.split("\n"):
        bounds = _BOUNDS.match(line)
        if bounds is not None and _amount(bounds["low"]) > _amount(bounds["high"]):
            rows.append(" ".join(line.split()))
    return rows


def _amount(digits: str) -> int:
    return int(digits.replace(",", "") or 0)
