"""The pieces of law that are searched (children) and shown (parents)."""

from __future__ import annotations

from dataclasses import dataclass

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.law.validity import Validity


@dataclass(frozen=True, slots=True)
class Child:
    """A span of its parent's text, small enough to be searched, and the provision that holds it.

    `kind` is the kind under which it is found: a definition, a footnote, a table; else that of its section.
    """

    start: int
    end: int
    provision: ProvisionId
    kind: ProvisionKind


@dataclass(frozen=True, slots=True)
class Passage:
    """A parent: a section, or a part of a long one, with the header that places it in its work."""

    section: ProvisionId
    language: str
    validity: Validity
    ordinal: int
    header: str
    text: str
    offset: int  # where `text` starts in the section's composed text
    children: tuple[Child, ...]
