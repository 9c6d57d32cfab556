"""What the routes say, as JSON: the names of the answer record and the command line, and what a page adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from pykala.answer.cite import citation
from pykala.answer.record import caveat_json, edge_json, validity_json
from pykala.answer.replay import answer_record
from pykala.law.answers import Answer, Stage
from pykala.law.composition import Composed, compose
from pykala.law.grades import LISTED_FROM
from pykala.law.identifiers import ProvisionId
from pykala.law.validity import NOT_YET
from pykala.library import Library
from pykala.library.results import Related
from pykala.retrieve.tree import shortened
from pykala.views.chronicle import ActChanges, Comparison, History
from pykala.views.hydrate import HydratedDocument
from pykala.views.keywords import Keyword
from pykala.views.reasoning import Node, Reasoning, node, on_date
from pykala.views.surroundings import Place, Surroundings
from pykala.views.time_record import changes_json, comparison_json

Json = dict[str, object]
NEAREST = 5
_SNIPPET = 60  # words


def answer_shape(answer: Answer, library: Library, *, jurisdiction: str | None) -> Json:
    """An answer record with what a page shows beside it."""
    record: dict[str, Any] = answer_record(answer, jurisdiction=jurisdiction)
    for conflict in record["conflicts"]:
        for side in ("winner", "loser"):
            conflict |= _side(conflict[side], side, library, answer)
    return {
        **record,
        "ms": round(sum(stage.milliseconds for stage in answer.trace), 2),
        "reasoning": reasoning_json(library.reasoning(answer)),
        "near": [
            _near_json(one.provision, one.score, library, answer)
            for one in answer.evidence[:NEAREST]
            if one.score >= LISTED_FROM
        ],
        "parts": [answer_shape(one, library, jurisdiction=one.jurisdiction) for one in answer.parts],
    }


def _side(provision: str, side: str, library: Library, answer: Answer) -> Json:
    found = node(
        ProvisionId.parse(provision), side, library.store, library.packs,
        as_of=answer.as_of, language=answer.language,
    )  # fmt: skip
    pack = library.packs.get(found.provision.work.jurisdiction)
    ranks = pack.facts.authority.items() if pack else ()
    kind = next((name for name, rank in ranks if rank == found.authority), "")
    reason = pack.facts.reason(kind, answer.language) if pack else ""
    return {
        f"{side}_citation": found.citation,
        f"{side}_rank": {"authority": found.authority, "kind": found.kind.value, "reason": reason},
    }


def _near_json(provision: ProvisionId, score: float, library: Library, answer: Answer) -> Json:
    stored = on_date(provision, library.store, answer.as_of, answer.language)
    shown = node(
        provision, "near", library.store, library.packs, as_of=answer.as_of, language=answer.language
    )
    return {
        "provision": str(provision),
        "citation": shown.citation,
        "heading": shown.heading,
        "snippet": shortened(compose(stored.provision).text, _SNIPPET),
        "score": round(score, 4),
        "url": shown.url,
        "language": stored.language,
        **validity_json(stored.version.validity),
        "authority": shown.authority,
    }


def stage_json(stage: Stage) -> Json:
    """A stage of the trace."""
    return {"stage": stage.name, "ms": round(stage.milliseconds, 2), **dict(stage.facts)}


def reasoning_json(found: Reasoning) -> Json:
    """The graph of an answer."""
    return {
        "nodes": [{**node_json(one), "order": order} for order, one in enumerate(found.nodes)],
        "edges": [{**edge_json(one), "order": order} for order, one in enumerate(found.edges)],
    }


def node_json(one: Node) -> Json:
    """A node of a graph."""
    return {
        "provision": str(one.provision),
        "citation": one.citation,
        "heading": one.heading,
        "label": one.label,
        "kind": one.kind.value,
        "role": one.role,
        "authority": one.authority,
        "url": one.url,
    }


def comparison_shape(found: Comparison, library: Library, language: str | None) -> Json:
    """What differs between two dates, each place by its citation: a subsection has no label of its own."""
    told: dict[str, Any] = comparison_json(found)
    work = library.store.work(found.provision.work)
    pack = library.packs.get(work.id.jurisdiction)
    spoken = language or (pack.facts.default_language if pack else "")
    told["differences"] = [
        {**one, "citation": citation(ProvisionId.parse(one["provision"]), work, spoken, library.packs)}
        for one in told["differences"]
    ]
    return told


def changes_shape(found: Sequence[ActChanges], library: Library, since: date, until: date | None) -> Json:
    """The works that changed in a period, each provision by its citation."""
    told: dict[str, Any] = changes_json(found, since, until)
    for listed, one in zip(told["works"], found, strict=True):
        for change, place in zip(listed["changes"], one.changes, strict=True):
            change["citation"] = own_citation(place.provision, library)
    return told


def own_citation(provision: ProvisionId, library: Library) -> str:
    """A provision's citation in the first language of its jurisdiction."""
    work, pack = library.store.work(provision.work), library.packs.get(provision.work.jurisdiction)
    return citation(provision, work, pack.facts.default_language if pack else "", library.packs)


def related_shape(found: Related, library: Library, as_of: date) -> Json:
    """A neighbourhood as nodes and edges."""
    roles = [(found.provision, "primary", 0, 1.0)]
    roles += [(one.provision, one.via.kind.value, one.hops, one.score) for one in found.visited]
    return {
        "provision": str(found.provision),
        "nodes": [
            {
                **node_json(node(place, role, library.store, library.packs, as_of=as_of, language=None)),
                "hops": hops,
                "score": round(score, 4),
            }
            for place, role, hops, score in roles
        ],
        "edges": [{**edge_json(one.via), "node": str(one.provision)} for one in found.visited],
        "unresolved": [
            {
                "provision": str(one.source),
                "kind": one.kind.value,
                "text": one.text,
                "target": one.target,
                "reason": one.reason.value,
            }
            for one in found.unresolved
        ],
    }


def place_json(place: Place | None) -> Json | None:
    """Where a reader may go on."""
    if place is None:
        return None
    return {
        "provision": str(place.provision),
        "label": place.label,
        "heading": place.heading,
        "citation": place.citation,
    }


def around_json(around: Surroundings, languages: tuple[str, ...]) -> Json:
    """What surrounds a provision."""
    return {
        "work": {
            "id": str(around.work.id),
            "title": around.title,
            "citation": around.work_citation,
            "kind": around.work.kind.value,
            "jurisdiction": around.work.id.jurisdiction,
            "languages": list(languages),
            "url": around.work_url,
            "authority": around.work.authority,
        },
        "label": around.label,
        "breadcrumbs": [place_json(one) for one in around.breadcrumbs],
        "previous": place_json(around.previous),
        "next": place_json(around.next),
        "citations": dict(around.citations),
        "urls": dict(around.urls),
    }


def document_shape(found: HydratedDocument) -> Json:
    """A hydrated document."""
    texts = {one.provision: one.text for one in found.blocks}
    return {
        **around_json(found.surroundings, found.languages),
        "provision": str(found.target),
        "as_of": found.as_of.isoformat(),
        "language": found.language,
        "languages": list(found.languages),
        "sections": [
            {
                "provision": str(one.provision),
                "parent": str(one.parent) if one.parent else None,
                "kind": one.kind.value,
                "label": one.label,
                "heading": one.heading,
                "text": one.text,
                "depth": one.depth,
            }
            for one in found.blocks
        ],
        "target": {
            "provision": str(found.target),
            "text": found.composed.text if found.composed else None,
            "spans": _spans(found.composed, texts) if found.composed else [],
        },
        "total_sections": found.total_sections,
        "shown_sections": found.shown_sections,
        "truncated": found.truncated,
        "notice": found.notice or None,
        "language_note": found.language_note or None,
        "caveats": [caveat_json(caveat) for caveat in found.caveats],
    }


def _spans(composed: Composed, texts: Mapping[ProvisionId, str]) -> list[Json]:
    """Which part of a composed text is whose; `prefix` is the label that stands before its own words."""
    return [
        {
            "provision": str(line.provision),
            "start": line.start,
            "end": line.end,
            "prefix": line.end - line.start - len(texts.get(line.provision, "")),
        }
        for line in composed.lines
        if line.provision in texts
    ]


def version_line(history: History, as_of: date) -> list[Json]:
    """The wordings of a provision with all below it, oldest first: since when, until when, by which act."""
    days = [moment.day for moment in history.moments]
    line: list[Json] = []
    for moment, following in zip(history.moments, [*days[1:], None], strict=True):
        pending = moment.day == NOT_YET
        end = None if pending or following == NOT_YET else following
        act = next(iter(moment.acts), None)
        events = [one.value for one in moment.events if one is not None]
        line.append(
            {
                "valid_from": None if pending else _day(moment.day),
                "valid_to": _day(end),
                "event": "pending" if pending else events[0] if events else "ended",
                "source_act": str(act) if act else None,
                "act": history.acts.get(act, str(act)) if act else None,
                "current": not pending and (moment.day or date.min) <= as_of < (end or date.max),
            }
        )
    return line


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def keyword_json(one: Keyword) -> Json:
    """A keyword with its counts."""
    return {
        "word": one.word,
        "weight": round(one.weight, 3),
        "provisions": one.provisions,
        "documents": one.documents,
        "more": one.more,
    }
