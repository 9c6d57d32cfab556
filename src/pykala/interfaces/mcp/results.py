"""Results of the tools: the records of the other interfaces, and whether they are complete.

Every piece of law has its identifier, citation, official URL, the dates of the wording, and the exact words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from pykala.answer.cite import cited
from pykala.answer.in_words import outcome_in_words
from pykala.answer.structured import short_answer
from pykala.draft.context import ContextBlock, context_record
from pykala.interfaces.records import law, library
from pykala.interfaces.records.answers import quotes_of
from pykala.interfaces.records.from_library import FromLibrary, told_of
from pykala.law.answers import Answer, CitedProvision, Outcome
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Work
from pykala.law.references import EdgeKind
from pykala.law.validity import NOT_YET
from pykala.library import Library
from pykala.library.results import Found, Related, Shown
from pykala.online.acts import FetchReport
from pykala.records import answers
from pykala.records import law as records
from pykala.records.record import Day, Identifier, Record, Rounded2, json_field
from pykala.retrieve.tree import TreeNode
from pykala.views.chronicle import ActChanges, Comparison, History
from pykala.views.prose import answer_text, caveats_told, headed_text, shown_of, upload_notice
from pykala.views.reasoning import on_date
from pykala.views.time_record import comparison_record, history_record

MOST_DIFFERENCES = 200
MOST_PLACES = 500
_MOST_CHANGES = 20  # of one work
_CUT = "only the first {shown} of {all} are here: {how}"


class Partial(Record):
    """Whether the result is incomplete, because of the deadline or a long list."""

    partial: bool = json_field("True: what is here is not all.", default=False)
    note: str = json_field("What is missing, and what to do about it.", default="")


class SearchResult(law.Search, Partial):
    """Provisions that a search found, best first."""


class ProvisionResult(answers.Cited):
    """A provision on a date."""

    as_of: Day
    languages: list[str]
    caveats: list[answers.Caveat]
    below: list[Identifier] = json_field("Identifiers of the provisions directly below it.")


class HistoryResult(records.Wordings, FromLibrary, Partial):
    """A provision's wordings, oldest first, and the days on which anything below it changed."""

    changed_on: list[Day]


class Neighbour(answers.Cited):
    """A provision beside another, and the words that connect them."""

    relation: EdgeKind
    words: str
    hops: int


class RelatedResult(FromLibrary, Partial):
    """A provision's neighbourhood."""

    provision: Identifier
    neighbours: list[Neighbour]
    unresolved: list[answers.Unresolved] = json_field("References that lead out of the library.")


class KeyedQuote(answers.DatedQuote):
    """A quote of an answer under its key."""

    language: str
    authority: int
    notice: str | None


class AnswerPart(Record):
    """The answer to one of several things asked; its keys are those of the whole."""

    question: str
    standalone: str | None = json_field("As it was asked of the law by itself; null: as it stands.")
    outcome: Outcome
    as_of: Day
    text: str


class AnswerResult(Partial):
    """An answer; `text` carries keys such as [L1], which `citations` explains."""

    standalone: str | None = json_field(
        "How a question that went on from another was understood; give it as after.", default=None
    )
    parts: list[AnswerPart] = json_field(
        "Each of several things asked; the outcome of all is that of the weakest.", default_factory=list
    )
    outcome: Outcome = json_field(
        "ANSWERED; LIKELY: quoted as the likeliest answer, support names what else it may be;"
        " GUIDANCE: possibly related provisions, none of them the answer; SILENT; OUTSIDE_CORPUS;"
        " UNAVAILABLE."
    )
    outcome_text: str = json_field(
        "The outcome in words: a user's own document that answers is not law.", default=""
    )
    confidence: Rounded2 = json_field(
        "Ten times the measured chance that the first provision is the right one; 0: none was measured, as"
        " for a user's own document.",
        path="grade",
        default=0.0,
    )
    as_of: Day
    current_to: Day | None = json_field(
        "The last day to which this law is known; where as_of is later, changes may be missing.", default=None
    )
    language: str
    text: str = json_field(
        "In Markdown, quoted words as words: signs in them have a backslash. The exact words are in"
        " citations."
    )
    citations: list[KeyedQuote] = json_field(default_factory=list)
    support: list[answers.Supporting] = json_field(default_factory=list)
    conflicts: list[answers.Conflict] = json_field(default_factory=list)
    caveats: list[answers.Caveat] = json_field(default_factory=list)
    kind: str | None = json_field(
        "The kind of answer asked for: period, rate, …; null: not told.", default=None
    )
    short_answer: str | None = json_field("The words that answer; null: nothing is quoted.", default=None)
    open_parts: list[str] = json_field(
        "The questions that nothing of the law was quoted for; say that they are open.", default_factory=list
    )
    general: answers.GeneralGuidance | None = json_field(
        "A model's general words where nothing is certain: not law, not checked; its notice must be kept with"
        " it. Never cite it.",
        default=None,
    )
    markdown: str = json_field("The whole answer for a reader.")
    fetched: list[str] = json_field(
        "Works that were fetched from their publisher for this answer.", default_factory=list
    )
    second_opinion: answers.SecondOpinion | None = json_field(
        "Where it was asked for: what the web says, apart from the law.", default=None
    )


class ContextResult(answers.Context, Partial):
    """A block of numbered evidence to put in front of a prompt."""


class DiffResult(records.Comparison, Partial):
    """What differs between two dates, in document order."""


class CiteResult(law.CitationsFromLibrary, Partial):
    """The citations in a text, in their order."""


class ChangesResult(law.Changes, Partial):
    """The works whose words changed in a period."""


class WorksResult(library.Works, Partial):
    """The works that the library holds."""


class TreePlace(Record):
    """One place of a work's table of contents."""

    id: Identifier
    depth: int
    number: str
    title: str
    summary: str = json_field("Its first words; read_provision gives all of them.")


class TreeResult(FromLibrary, Partial):
    """A work's table of contents, in document order."""

    as_of: Day
    places: list[TreePlace]


class FetchResult(library.Fetched, Partial):
    """What the publisher had, and what of it is in the library now."""

    added: int = json_field("Works that are new or renewed in the library.")
    job: str = json_field("Of a fetch that goes on: the tool job tells how far it is.", default="")


def _notice(provision: ProvisionId, language: str) -> str | None:
    return upload_notice(language) if provision.work.is_upload else None


def _noticed(one: CitedProvision) -> dict[str, Any]:
    return {"notice": _notice(one.provision, one.language)}


def search_result(query: str, found: Sequence[Found], opened: Library, as_of: date) -> SearchResult:
    """What a search found."""
    results = [
        records.Found.of(one, notice=_notice(one.match.provision, one.match.language)) for one in found
    ]
    return SearchResult(query=query, as_of=as_of, results=results, **told_of(opened))


def provision_result(shown: Shown, as_of: date) -> ProvisionResult:
    """A provision on a date."""
    return ProvisionResult.of(
        shown.cited,
        **_noticed(shown.cited),
        as_of=as_of,
        languages=shown.languages,
        caveats=shown.caveats,
        below=[child.id for child in shown.children],
    )


def history_result(found: History, opened: Library) -> HistoryResult:
    """A provision's wordings."""
    days = [one.day for one in found.moments if one.day is not None and one.day != NOT_YET]
    versions = history_record(found).versions
    return HistoryResult.of(found, versions=versions, changed_on=days, **told_of(opened))


def related_result(found: Related, opened: Library, as_of: date) -> RelatedResult:
    """A provision's neighbourhood."""
    neighbours = []
    for visit in found.visited:
        one = cited(on_date(visit.provision, opened.store, as_of, None), opened.packs, as_of)
        neighbours.append(
            Neighbour.of(one, **_noticed(one), relation=visit.via.kind, words=visit.via.text, hops=visit.hops)
        )
    return RelatedResult.of(found, neighbours=neighbours, **told_of(opened))


def answer_result(answer: Answer, second_opinion: answers.SecondOpinion | None = None) -> AnswerResult:
    """An answer with its citations and, apart from it, a second opinion."""
    return AnswerResult.of(
        answer,
        parts=[AnswerPart.of(one, text=headed_text(one)) for one in answer.parts],
        outcome_text=outcome_in_words(answer),
        text=headed_text(answer),
        citations=list(_quotes(answer)),
        support=[answers.Supporting.of(one, **_noticed(one.cited)) for one in answer.support],
        caveats=caveats_told(answer),
        short_answer=short_answer(answer),
        markdown=answer_text(answer),
        second_opinion=second_opinion,
    )


def _quotes(answer: Answer) -> Iterator[KeyedQuote]:
    for one in quotes_of(answer):
        provision = ProvisionId.parse(one.provision)
        shown = shown_of(answer, provision)
        yield KeyedQuote.of(
            one,
            language=shown.language if shown else answer.language,
            authority=shown.authority if shown else 0,
            notice=_notice(provision, answer.language),
        )


def context_result(block: ContextBlock) -> ContextResult:
    """A context block."""
    whole = context_record(block)
    noticed = zip(whole.evidence, block.items, strict=True)
    evidence = [replace(one, **_noticed(item.evidence.cited)) for one, item in noticed]
    return ContextResult.of(whole, evidence=evidence)


def diff_result(found: Comparison) -> DiffResult:
    """What differs between two dates."""
    whole = comparison_record(found)
    shown = whole.differences[:MOST_DIFFERENCES]
    cut = _cut(len(shown), len(whole.differences), "ask for a part of the work")
    return DiffResult.of(whole, differences=shown, **cut)


def changes_result(
    found: Sequence[ActChanges], opened: Library, since: date, until: date | None, limit: int
) -> ChangesResult:
    """The works that changed in a period."""
    listed = law.changes_record(found, opened, since, until, works=limit, changes=_MOST_CHANGES)
    cut = _cut(len(listed.works), len(found), "give a shorter period, a jurisdiction or a larger limit")
    return ChangesResult.of(listed, **cut)


def works_result(found: Sequence[Work], opened: Library, language: str, limit: int) -> WorksResult:
    """Works by name."""
    listed = [library.work_line(work, opened, language) for work in found[:limit]]
    cut = _cut(len(listed), len(found), "give more words, a jurisdiction or a larger limit")
    return WorksResult(total=len(found), works=listed, **cut, **told_of(opened))


def tree_result(root: TreeNode, opened: Library, as_of: date) -> TreeResult:
    """A table of contents."""
    every = list(root.walk())
    places = [TreePlace.of(node, depth=depth) for depth, node in every[:MOST_PLACES]]
    cut = _cut(len(places), len(every), "ask for a part or a chapter of it")
    return TreeResult(as_of=as_of, places=places, **cut, **told_of(opened))


def fetch_result(report: FetchReport) -> FetchResult:
    """What a fetch did."""
    ingested = report.ingested
    refused = (*report.refusals, *(ingested.refusals if ingested else ()))
    return FetchResult.of(report, refused=refused, added=ingested.read if ingested else 0)


def _cut(shown: int, every: int, how: str) -> dict[str, Any]:
    """The fields that mark a list as incomplete, and say what to do about it."""
    if shown >= every:
        return {}
    return {"partial": True, "note": _CUT.format(shown=shown, all=f"{every:,}", how=how)}
