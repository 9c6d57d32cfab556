"""An answer for the page: its record, its graph, other candidates, and the ranks of its sources."""

from __future__ import annotations

from pykala.answer.record import derived_fields
from pykala.law.answers import Answer, Evidence
from pykala.law.composition import compose
from pykala.law.grades import LISTED_FROM
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import WorkKind
from pykala.law.validity import ALWAYS
from pykala.library import Library
from pykala.records import answers as records
from pykala.records.record import Identifier, Record, Rounded4
from pykala.retrieve.tree import shortened
from pykala.views.prose import citations_of, shown_of
from pykala.views.reading_record import reasoning_record
from pykala.views.reasoning import Node, node, on_date

NEAREST = 5
_SNIPPET = 60  # words


class Rank(Record):
    """The rank of a source and why it has it."""

    authority: int
    kind: WorkKind
    reason: str


class Conflict(records.Conflict):
    """Two sources that disagree, which of them prevails, and why: both as they are cited and ranked."""

    winner_citation: str
    winner_rank: Rank
    loser_citation: str
    loser_rank: Rank


class Near(records.Dated):
    """A provision that came near."""

    provision: Identifier
    citation: str
    heading: str
    snippet: str
    score: Rounded4
    url: str
    language: str
    authority: int


class AnswerPage(records.Answer):
    """An answer record: it can be kept, and asked again with `pykala replay`."""

    conflicts: tuple[Conflict, ...]
    ms: float
    reasoning: records.Reasoning
    near: list[Near]
    parts: tuple[AnswerPage, ...]


def quotes_of(answer: Answer) -> list[records.DatedQuote]:
    """Every citation of an answer, once, with the dates of its wording."""
    found = []
    for one in citations_of(answer):
        shown = shown_of(answer, one.provision)
        dates = shown.validity if shown else ALWAYS
        found.append(
            records.DatedQuote.of(one, valid_from=dates.start, valid_to=dates.end, as_of=answer.as_of)
        )
    return found


def answer_page(answer: Answer, library: Library, *, jurisdiction: str | None) -> AnswerPage:
    """An answer record with the page's additions."""
    reasoning = library.reasoning(answer)
    return AnswerPage.of(
        answer,
        **derived_fields(answer),
        jurisdiction=jurisdiction or answer.jurisdiction,
        conflicts=[
            Conflict.of(
                one,
                **_side("winner", one.winner, library, answer) | _side("loser", one.loser, library, answer),
            )
            for one in answer.conflicts
        ],
        ms=round(sum(stage.milliseconds for stage in answer.trace), 2),
        reasoning=reasoning_record(reasoning),
        near=[_near(one, library, answer) for one in answer.evidence[:NEAREST] if one.score >= LISTED_FROM],
        parts=[answer_page(one, library, jurisdiction=one.jurisdiction) for one in answer.parts],
    )


def _side(side: str, provision: ProvisionId, library: Library, answer: Answer) -> dict[str, object]:
    found = _node(provision, side, library, answer)
    pack = library.packs.get(found.provision.work.jurisdiction)
    ranks = pack.facts.authority.items() if pack else ()
    kind = next((name for name, rank in ranks if rank == found.authority), "")
    reason = pack.facts.reason(kind, answer.language) if pack else ""
    return {f"{side}_citation": found.citation, f"{side}_rank": Rank.of(found, reason=reason)}


def _near(one: Evidence, library: Library, answer: Answer) -> Near:
    stored = on_date(one.provision, library.store, answer.as_of, answer.language)
    return Near.of(
        _node(one.provision, "near", library, answer),
        snippet=shortened(compose(stored.provision).text, _SNIPPET),
        score=one.score,
        language=stored.language,
        valid_from=stored.version.validity.start,
        valid_to=stored.version.validity.end,
    )


def _node(provision: ProvisionId, role: str, library: Library, answer: Answer) -> Node:
    return node(provision, role, library.store, library.packs, as_of=answer.as_of, language=answer.language)
