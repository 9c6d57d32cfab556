"""The line that places a passage in its work, put in front of whatever is indexed.

"Employment Insurance Act › Part I Unemployment Benefits › 7 Qualification requirement": without it a
subsection that says only "the rate is 34 per cent" could not be found by the name of its act.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pykala.law.provisions import Document, Provision

SEPARATOR = " › "


def header(
    document: Document, ancestors: Sequence[Provision], section: Provision, *, as_of: date | None = None
) -> str:
    """The work's name, its containers and the section, each with label and heading as of a date.

    Without a date the newest headings count. `ancestors` run from the root down; the root is the work.
    """
    places = [_place(provision, as_of) for provision in (*ancestors, section) if provision.id.path]
    return SEPARATOR.join(part for part in (" ".join(document.name.split()), *places) if part)


def _place(provision: Provision, as_of: date | None) -> str:
    label, heading = " ".join(provision.label.split()), " ".join(_heading(provision, as_of).split())
    # Some sources repeat the label in the heading: "Part I" and "Part I Unemployment Benefits".
    if not label or heading.startswith(label):
        return heading
    return f"{label} {heading}" if heading else label


def _heading(provision: Provision, as_of: date | None) -> str:
    if as_of is not None:
        for version in reversed(provision.versions):
            if version.validity.covers(as_of):
                return version.heading
    return provision.heading
