from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, cites, document
from plain_pack import pack
from pykala.law.bundles import Bundle
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Provision, ProvisionKind, Version
from pykala.retrieve.definitions import defining_provision
from pykala.retrieve.question import understand
from pykala.stores.embedded.store import EmbeddedStore

TODAY = date(2026, 1, 1)
TERM = "foreign national"


def defining(
    identifier: str,
    path: str,
    scope: str = "",
    *,
    within: str = "",
    title: str = "",
    citing: Sequence[str] = (),
) -> Bundle:
    """A work that defines the term at `path`, its section perhaps within a part, and cites other places."""
    work = WorkId(identifier)
    here = ProvisionId.parse(f"{identifier}/{path}/def_foreign-national")
    kinds = {"sec": ProvisionKind.SECTION, "subsec": ProvisionKind.SUBSECTION}
    node = Provision(
        here, ProvisionKind.DEFINITION, "", (Version(f"{TERM} means a person of {identifier}."),)
    )
    for depth in range(len(here.path) - 1, 0, -1):
        above = ProvisionId(work, here.path[:depth])
        node = Provision(above, kinds[above.path[-1].kind], "", (Version("In this place,"),), (node,))
    if within:
        part = ProvisionId.parse(f"{identifier}/{within}")
        node = Provision(part, ProvisionKind.PART, "PART", (Version("", heading="A part"),), (node,))
    made = document(work, "en", [node], title or f"Act {identifier[-1]}")
    defined = DefinedTerm(
        TERM, "en", here, ProvisionId.parse(f"{identifier}/{scope}" if scope else identifier)
    )
    references = [cites(here, ProvisionId.parse(target)) for target in citing]
    return bundle(work, [replace(made, terms=(defined,))], references=references)


@pytest.mark.parametrize(
    ("bundles", "home"),
    [
        # The interpretation section speaks for its act, though its list is "in this subsection".
        (
            [
                defining("xx:act:1", "sec_2/subsec_1", "sec_2/subsec_1"),
                defining("xx:act:2", "sec_2", citing=["xx:act:1/sec_2/subsec_1"]),
            ],
            "xx:act:1",
        ),
        # A section deep in an act, or the first of a part, speaks for itself, however often it is cited.
        (
            [
                defining("xx:act:1", "sec_35", "sec_35"),
                defining("xx:act:2", "sec_2", citing=["xx:act:1/sec_35"]),
            ],
            "xx:act:2",
        ),
        (
            [
                defining("xx:act:1", "sec_3", "sec_3", within="part_1"),
                defining("xx:act:2", "sec_2", citing=["xx:act:1/sec_3"]),
            ],
            "xx:act:2",
        ),
        # Among equals the one that others refer to, then the one whose name has the term.
        (
            [
                defining("xx:act:1", "sec_2", title="Foreign Nationals Act", citing=["xx:act:2/sec_2"]),
                defining("xx:act:2", "sec_2"),
            ],
            "xx:act:2",
        ),
        (
            [defining("xx:act:1", "sec_2", title="Foreign Nationals Act"), defining("xx:act:2", "sec_2")],
            "xx:act:1",
        ),
    ],
)
def test_the_definition_that_is_asked_for(tmp_path: Path, bundles: list[Bundle], home: str) -> None:
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        for one in bundles:
            store.put(one)
        question = understand(f"What is a {TERM}?", store, {"xx": pack}, as_of=TODAY)
        found = defining_provision(question, store, [WorkId("xx:act:2")])
    assert found is not None
    assert str(found.work) == home
