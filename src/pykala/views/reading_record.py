"""Documents, surroundings and the graph of an answer as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pykala.law.composition import Composed
from pykala.records import answers
from pykala.records import law as records
from pykala.views.hydrate import HydratedDocument
from pykala.views.reasoning import Reasoning
from pykala.views.surroundings import Surroundings


def document_record(found: HydratedDocument) -> records.Document:
    """A hydrated document."""
    spans = list(_spans(found.composed, found)) if found.composed else []
    text = found.composed.text if found.composed else None
    return records.Document.of(
        found,
        **around_fields(found.surroundings, found.languages),
        target=records.Target(provision=str(found.target), text=text, spans=spans),
    )


def around_fields(around: Surroundings, languages: Sequence[str]) -> dict[str, object]:
    """The fields of a record that tell what surrounds a provision."""
    work = records.Work.of(
        around.work,
        title=around.title,
        citation=around.work_citation,
        jurisdiction=around.work.id.jurisdiction,
        languages=languages,
        url=around.work_url,
    )
    names = ("label", "breadcrumbs", "previous", "next", "citations", "urls")
    return {"work": work, **{name: getattr(around, name) for name in names}}


def reasoning_record(found: Reasoning) -> answers.Reasoning:
    """The graph of an answer, numbered in order of appearance."""
    return answers.Reasoning(
        nodes=[answers.ReasoningNode.of(one, order=at) for at, one in enumerate(found.nodes)],
        edges=[answers.ReasoningEdge.of(one, order=at) for at, one in enumerate(found.edges)],
    )


def _spans(composed: Composed, found: HydratedDocument) -> Iterator[records.Span]:
    """Which part of a composed text belongs to which provision; `prefix` is the length of its label."""
    texts = {one.provision: one.text for one in found.blocks}
    for line in composed.lines:
        if line.provision in texts:
            yield records.Span.of(line, prefix=line.end - line.start - len(texts[line.provision]))
