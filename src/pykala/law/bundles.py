"""Everything that ingest knows of one work, stored in one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from pykala.law.passages import Passage
from pykala.law.provisions import Document, Pairing, Work
from pykala.law.references import Reference


@dataclass(frozen=True, slots=True)
class Bundle:
    """One work with its documents (one a language), references and passages.

    `item` names where it came from (a pack's own name for the group of files) and `fingerprint` hashes
    those files together with the readers' version: equal fingerprints mean that nothing needs doing.
    """

    work: Work
    item: str
    fingerprint: str
    documents: tuple[Document, ...]
    references: tuple[Reference, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    passages: tuple[Passage, ...] = ()
    paths: tuple[str, ...] = ()  # the files that it was read from
