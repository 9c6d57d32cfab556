"""Slim trees: numbers, titles and summaries that are the law's own words."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from making import document, section, since
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.records.law import Tree
from pykala.retrieve.tree import LONGEST_SUMMARY, shortened, slim_tree

WORK = WorkId("xx:act:1")
LONG = (
    "Every organization that collects personal information in the course of a commercial activity shall"
    " protect it by safeguards that fit its sensitivity, and shall train its employees, agents and mandataries."
)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A bank is a body corporate.", "A bank is a body corporate."),
        ("", ""),
        ("This Part applies to every bank that", "This Part applies to every bank that…"),
        (
            LONG,
            "Every organization that collects personal information in the course of a commercial activity shall"
            " protect it by safeguards that fit its sensitivity…",
        ),
        (" ".join(["word"] * 40), " ".join(["word"] * LONGEST_SUMMARY) + "…"),
        (
            "Verovelvollisen on maksettava vero viimeistään sen kuukauden lopussa, jona päätös on annettu tiedoksi"
            " hänelle tai hänen edustajalleen, jos edustaja on ilmoitettu verottajalle ennen päätöstä ja"
            " määräaikaa.",
            "Verovelvollisen on maksettava vero viimeistään sen kuukauden lopussa, jona päätös on annettu tiedoksi"
            " hänelle tai hänen edustajalleen, jos edustaja on ilmoitettu verottajalle ennen päätöstä…",
        ),
    ],
)
def test_a_long_sentence_ends_with_a_clause(sentence: str, expected: str) -> None:
    assert shortened(sentence) == expected


@given(st.text(alphabet=st.sampled_from("ab ,;:.—\n\té("), max_size=400))
def test_a_summary_is_the_beginning_of_its_sentence(sentence: str) -> None:
    summary = shortened(sentence)
    assert len(summary.split()) <= LONGEST_SUMMARY
    assert " ".join(sentence.split()).startswith(summary.removesuffix("…"))


def titled(kind: ProvisionKind, step: str, heading: str, *children: Provision) -> Provision:
    place = ProvisionId(WORK).child(step, "1")
    return Provision(place, kind, "", (Version("", heading=heading),), children)


def act() -> Document:
    repealed = section(WORK, "3", "[Repealed, 2001, c. 9, s. 1]")
    opening = section(WORK, "2", "", "Where:", "the bank is wound up, a claim lies.", heading="Winding-up")
    noted = section(WORK, "1", "A bank keeps books. It shows them.", heading="Books")
    note = Provision(
        noted.id.child("hist", "1"), ProvisionKind.HISTORICAL_NOTE, "", (Version("1991, c. 46, s. 1"),)
    )
    noted = Provision(noted.id, noted.kind, noted.label, noted.versions, (note,))
    schedule = Provision(
        ProvisionId(WORK).child("sched", "1"),
        ProvisionKind.SCHEDULE,
        "SCHEDULE",
        (Version("(Section 1)", heading="Forms"),),
        (section(WORK, "9", "The form is prescribed."),),
    )
    part = titled(ProvisionKind.PART, "part", "Duties", noted, opening)
    empty = titled(ProvisionKind.HEADING, "head", "")
    return document(WORK, "en", [part, repealed, empty, schedule], "Bank Act")


def test_an_act_as_a_tree() -> None:
    tree = slim_tree(act())
    lines = [(depth, node.number, node.title, node.summary) for depth, node in tree.walk()]
    assert lines == [
        (0, "", "Bank Act", ""),
        (1, "", "Duties", ""),
        (2, "1 §", "Books", "A bank keeps books."),
        (2, "2 §", "Winding-up", "the bank is wound up, a claim lies."),
        (1, "3 §", "", "[Repealed, 2001, c. 9, s. 1]"),
        (1, "SCHEDULE", "Forms", "(Section 1)"),
        (2, "9 §", "", "The form is prescribed."),
    ]


def test_it_is_json() -> None:
    printed = json.loads(json.dumps(Tree.of(slim_tree(act())).as_json()))
    assert printed["id"] == "xx:act:1"
    assert printed["children"][0]["children"][0] == {
        "id": "xx:act:1/sec_1",
        "number": "1 §",
        "title": "Books",
        "summary": "A bank keeps books.",
        "children": [],
    }


def test_on_a_date_only_what_is_in_force() -> None:
    versions = (Version("Old rule here.", since(2000, 2010)), Version("New rule here.", since(2010)))
    source = document(
        WORK,
        "en",
        [section(WORK, "1", versions=versions), section(WORK, "2", "Later rule here.", validity=since(2020))],
    )
    assert [node.summary for node in slim_tree(source, as_of=date(2005, 1, 1)).children] == ["Old rule here."]
    assert [node.summary for node in slim_tree(source).children] == ["New rule here.", "Later rule here."]
    assert slim_tree(source.root, as_of=date(2005, 1, 1)).children[0].id == ProvisionId.parse(
        "xx:act:1/sec_1"
    )


def test_a_part_of_an_act_is_a_tree_too() -> None:
    part = act().root.children[0]
    assert [node.number for node in slim_tree(part).children] == ["1 §", "2 §"]
    assert slim_tree(part.children[0]).summary == "A bank keeps books."
