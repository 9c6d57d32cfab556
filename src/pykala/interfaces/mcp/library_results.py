"""What the tools about time, works and citations give back, as data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from pydantic import BaseModel, Field

from pykala.answer.citations_in import CitationInText
from pykala.interfaces.http.shapes import comparison_shape
from pykala.interfaces.mcp.results import Partial
from pykala.law.provisions import Work
from pykala.library import Library
from pykala.retrieve.tree import TreeNode
from pykala.views.chronicle import ActChanges, Comparison
from pykala.views.time_record import act_changes_json

MOST_DIFFERENCES = 200
MOST_PLACES = 500
_MOST_CHANGES = 20  # of one work
_CUT = "only the first {shown} of {all} are here: {how}"


class Piece(BaseModel):
    """Words that stayed, went or came."""

    mark: str = Field(description="same, removed or added")
    text: str


class DifferenceLine(BaseModel):
    """What became of one provision."""

    identifier: str
    citation: str
    alteration: str = Field(
        description="changed, added, removed, renumbered; unknown: no wording of the first date is held"
    )
    since: str | None = Field(description="The day from which the later words stand; null: not known.")
    act: str | None = Field(description="The act that made the change, as it is cited.")
    words: list[Piece]


class DiffResult(Partial):
    """What differs between two dates, in document order."""

    identifier: str
    citation: str
    first: str
    second: str
    unchanged: int = Field(description="Provisions whose words stayed the same.")
    differences: list[DifferenceLine]
    caveats: list[str]


class Target(BaseModel):
    """Where a citation leads."""

    identifier: str
    citation: str
    url: str
    held: bool = Field(description="Whether the library has it: read_provision then shows it.")


class CitationLine(BaseModel):
    """A citation in a text."""

    start: int = Field(description="Where it begins, in code points.")
    end: int
    text: str
    jurisdiction: str
    targets: list[Target]
    reason: str | None = Field(description="Why it leads nowhere; null: it leads somewhere.")


class CiteResult(Partial):
    """The citations in a text, in their order."""

    citations: list[CitationLine]


class ChangeLine(BaseModel):
    """One change of one provision."""

    identifier: str
    day: str | None
    event: str
    act: str | None = Field(description="The act that made it, as it is cited.")


class ChangedWorkLine(BaseModel):
    """A work whose words changed."""

    identifier: str
    citation: str
    total: int = Field(description="How many changes; some of them are listed.")
    changes: list[ChangeLine]


class ChangesResult(Partial):
    """The works whose words changed in a period."""

    since: str
    until: str | None
    total: int
    works: list[ChangedWorkLine]


class WorkLine(BaseModel):
    """A work that the library holds."""

    identifier: str
    title: str
    kind: str
    languages: list[str]
    current_to: str | None = Field(description="The last day to which it is known; null: not known.")


class WorksResult(Partial):
    """The works that the library holds."""

    total: int
    works: list[WorkLine]


class TreeLine(BaseModel):
    """One place of a work's table of contents."""

    identifier: str
    depth: int
    number: str
    title: str
    summary: str = Field(description="Its first words; read_provision gives all of them.")


class TreeResult(Partial):
    """A work's table of contents, in document order."""

    as_of: str
    places: list[TreeLine]


def diff_result(found: Comparison, library: Library, language: str | None) -> DiffResult:
    """What differs between two dates."""
    shape: Any = comparison_shape(found, library, language)
    lines = [
        DifferenceLine(
            identifier=one["provision"],
            citation=one["citation"],
            alteration=one["alteration"],
            since=one["since"],
            act=one["act"],
            words=[Piece(mark=mark, text=text) for mark, text in one["words"]],
        )
        for one in shape["differences"][:MOST_DIFFERENCES]
    ]
    return DiffResult(
        identifier=str(found.provision),
        citation=found.citation,
        first=found.first.isoformat(),
        second=found.second.isoformat(),
        unchanged=shape["unchanged"],
        differences=lines,
        caveats=[caveat.message for caveat in found.caveats],
        **_cut(len(lines), len(shape["differences"]), "ask for a part of the work"),
    )


def cite_result(found: Sequence[CitationInText]) -> CiteResult:
    """The citations in a text."""
    return CiteResult(
        citations=[
            CitationLine(
                start=one.start,
                end=one.end,
                text=one.text,
                jurisdiction=one.jurisdiction,
                targets=[
                    Target(identifier=str(to.provision), citation=to.citation, url=to.url, held=to.held)
                    for to in one.targets
                ],
                reason=one.reason or None,
            )
            for one in found
        ]
    )


def changes_result(found: Sequence[ActChanges], since: date, until: date | None, limit: int) -> ChangesResult:
    """The works that changed in a period."""
    return ChangesResult(
        since=since.isoformat(),
        until=until.isoformat() if until else None,
        total=len(found),
        works=[_changed_work(one) for one in found[:limit]],
        **_cut(min(limit, len(found)), len(found), "give a shorter period, a jurisdiction or a larger limit"),
    )


def _changed_work(one: ActChanges) -> ChangedWorkLine:
    shape: Any = act_changes_json(one)
    return ChangedWorkLine(
        identifier=str(one.work),
        citation=one.citation,
        total=len(one.changes),
        changes=[
            ChangeLine(
                identifier=change["provision"], day=change["day"], event=change["event"], act=change["act"]
            )
            for change in shape["changes"][:_MOST_CHANGES]
        ],
    )


def works_result(found: Sequence[Work], language: str, limit: int) -> WorksResult:
    """Works by name."""
    return WorksResult(
        total=len(found),
        works=[
            WorkLine(
                identifier=str(work.id),
                title=work.title(language),
                kind=work.kind.value,
                languages=[spoken for spoken, _ in work.titles],
                current_to=work.current_to.isoformat() if work.current_to else None,
            )
            for work in found[:limit]
        ],
        **_cut(min(limit, len(found)), len(found), "give more words, a jurisdiction or a larger limit"),
    )


def tree_result(root: TreeNode, as_of: date) -> TreeResult:
    """A table of contents."""
    every = list(root.walk())
    places = [
        TreeLine(
            identifier=str(node.id), depth=depth, number=node.number, title=node.title, summary=node.summary
        )
        for depth, node in every[:MOST_PLACES]
    ]
    return TreeResult(
        as_of=as_of.isoformat(),
        places=places,
        **_cut(len(places), len(every), "ask for a part or a chapter of it"),
    )


def _cut(shown: int, every: int, how: str) -> dict[str, Any]:
    """That a list is not whole, and what to do about it."""
    if shown >= every:
        return {}
    return {"partial": True, "note": _CUT.format(shown=shown, all=f"{every:,}", how=how)}
