"""Citations as people write them in questions; a document's text is read without them."""

from __future__ import annotations

import pytest

from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.packs.finland import pack

TSL, TVL, OYL = "fi:act:2001/55", "fi:act:1992/1535", "fi:act:2006/624"
RULING = "fi:kho:2020/1/head_1/para_1"


def targets(text: str, context: CitationContext) -> list[str]:
    """Where each citation leads; "name#path" for a work that is known by its name only."""
    return [
        str(one.target) if one.target else f"{one.alias}#{'/'.join(map(str, one.path))}"
        for citation in pack.find_citations(text, context)
        for one in pack.resolve(citation, context)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TSL 2 luku 11 §", [f"{TSL}/chp_2/sec_11"]),
        ("TSL 2 luvun 11 §:n 1 momentti", [f"{TSL}/chp_2/sec_11/subsec_1"]),
        ("TSL 2:11", [f"{TSL}/chp_2/sec_11"]),
        ("TSL:n 2:11.1", [f"{TSL}/chp_2/sec_11/subsec_1"]),
        ("Mitä TSL 7:2 ja 7:3 sanovat?", [f"{TSL}/chp_7/sec_2", f"{TSL}/chp_7/sec_3"]),
        ("TSL 2:11:1", [f"{TSL}/chp_2/sec_11/subsec_1"]),
        ("TSL 1:11a", [f"{TSL}/chp_1/sec_11a"]),
        ("työsopimuslaki 1:4", ["työsopimuslaki#chp_1/sec_4"]),
        ("työsopimuslain 1:4 §", ["työsopimuslaki#chp_1/sec_4"]),
        ("rikoslaki 21:1", ["fi:act:1889/39/chp_21/sec_1"]),
        ("RL 21:1", ["fi:act:1889/39/chp_21/sec_1"]),
        ("OYL 13:1", [f"{OYL}/chp_13/sec_1"]),
        # Acts that are numbered through have a momentti behind the colon.
        ("TVL 48:6", [f"{TVL}/sec_48/subsec_6"]),
        ("TVL 48:6 §", [f"{TVL}/sec_48/subsec_6"]),
        # A number alone, behind an abbreviation anywhere, behind a name where nothing follows to be counted.
        ("Tuloverolaki 124", [f"{TVL}/sec_124"]),
        ("mitä sanoo tuloverolaki 95 a?", [f"{TVL}/sec_95a"]),
        ("tuloverolain 48, kun kyse on perinnöstä", [f"{TVL}/sec_48"]),
        ("Miten tuloverolaki 30 päivän ajan sitoo?", [TVL]),
        ("tuloverolaki 1992", [TVL]),
        ("rikoslaki 21", ["fi:act:1889/39"]),
        # No law stands beside these.
        ("KHO 2025:46", ["fi:kho:2025/46"]),
        ("Alkaako työaika klo 7:30?", []),
        ("TSL klo 7:30", [TSL]),
        ("Yhdistys TSL 7:30:15:20", [TSL]),
    ],
)
def test_citations_in_a_question(text: str, expected: list[str]) -> None:
    assert targets(text, CitationContext("fi")) == expected


@pytest.mark.parametrize("text", ["TSL 2:11", "Yhdistys TSL on", "työsopimuslaki 1:4"])
def test_a_document_is_not_read_so(text: str) -> None:
    found = targets(text, CitationContext("fi", ProvisionId.parse(RULING)))
    assert not any(TSL in one or "chp_" in one for one in found)
