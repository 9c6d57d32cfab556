"""Sections that are cited beside one of an act that is named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from making import bundle, document, section
from pykala.law.identifiers import WorkId
from pykala.packs.pack import installed
from pykala.retrieve.cites import cited_provisions
from pykala.stores.embedded.store import EmbeddedStore

ACTS = {
    "ca:act:D-3.4": ("en", "Divorce Act", ("4", "5", "16")),
    "ca:act:P-21": ("en", "Privacy Act", ("5", "7")),
    "fi:act:1992/1535": ("fi", "Tuloverolaki", ("33a", "124")),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    folder = tmp_path_factory.mktemp("together")
    with EmbeddedStore.open(folder, writable=True) as made:
        for name, (language, title, numbers) in ACTS.items():
            work = WorkId(name)
            rules = [section(work, number, f"Rule {number} of {title}.") for number in numbers]
            made.put(bundle(work, [document(work, language, rules, title)]))
    with EmbeddedStore.open(folder) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("compare section 4 of the Divorce Act with section 5", ["D-3.4/sec_4", "D-3.4/sec_5"]),
        ("How does section 5 differ from section 4 of the Divorce Act?", ["D-3.4/sec_4", "D-3.4/sec_5"]),
        ("What does section 4 of the Divorce Act say, and section 16?", ["D-3.4/sec_4", "D-3.4/sec_16"]),
        (
            "the difference between section 16 and section 5 of the Divorce Act",
            ["D-3.4/sec_5", "D-3.4/sec_16"],
        ),
        # The act has no such section: it is one of something else.
        ("What does section 4 of the Divorce Act say? I signed section 12.", ["D-3.4/sec_4"]),
        ("section 4 of the Divorce Act and section 7 of the Privacy Act", ["D-3.4/sec_4", "P-21/sec_7"]),
        ("section 5", []),
        ("the Divorce Act and section 5", []),
        ("tuloverolain 124 § ja mitä 33 a § sanoo", ["1992/1535/sec_124", "1992/1535/sec_33a"]),
    ],
)
def test_a_section_cited_beside_that_of_an_act(store: EmbeddedStore, text: str, cited: list[str]) -> None:
    found = [str(one).split("act:")[1] for one in cited_provisions(text, store, installed()) if one.path]
    assert found == cited
