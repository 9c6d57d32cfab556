"""Which act made each wording: the marks of consolidated states as references from the amending act."""

from __future__ import annotations

from collections.abc import Iterator

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Event, Provision
from pykala.law.references import EdgeKind, Method, Reference
from pykala.law.validity import Validity

_EDGES = {Event.INSERTED: EdgeKind.INSERTS, Event.REPEALED: EdgeKind.REPEALS}


def amendments_of(root: Provision, language: str) -> Iterator[Reference]:
    """A reference for every wording that another act made: it amends, inserts or corrects the provision."""
    for provision in root.walk():
        for version in provision.versions:
            if version.source_act is None or version.source_act == provision.id.work:
                continue
            yield Reference(
                provision.id,
                _EDGES.get(version.event, EdgeKind.AMENDS),
                version.source_act.value.removeprefix("eu:"),
                language,
                Method.AMENDMENT,
                target=ProvisionId(version.source_act),
                validity=Validity(version.validity.start),
                reverse=True,
            )
