"""Results of a library as JSON and HTML; those of answers are in `answer/`."""

from __future__ import annotations

from html import escape

from pykala.answer.citations_in import CitationInText
from pykala.answer.replay import Replay
from pykala.law.forms import as_html, as_record
from pykala.law.provisions import Work
from pykala.law.references import Edge
from pykala.library.results import Found, ProvisionHandle, Related, Shown
from pykala.records import answers
from pykala.records import law as records
from pykala.records.record import Json
from pykala.views.hydrate import HydratedDocument
from pykala.views.keywords import Keyword
from pykala.views.notebook import cited_html, link, table
from pykala.views.reading_record import around_fields, document_record, reasoning_record
from pykala.views.reasoning import Reasoning
from pykala.views.surroundings import Surroundings


@as_record.register(Found)
def found_json(found: Found) -> Json:
    """A search result as JSON."""
    return records.Found.of(found).as_json()


@as_record.register(Shown)
def shown_json(shown: Shown) -> Json:
    """A provision on a date, as JSON."""
    return shown_record(shown).as_json()


@as_record.register(Related)
def related_json(found: Related) -> Json:
    """A neighbourhood as JSON."""
    return records.Related.of(found).as_json()


@as_record.register(ProvisionHandle)
def handle_json(handle: ProvisionHandle) -> Json:
    """Every wording of a provision with its dates, as JSON."""
    return as_record(handle.library.history(str(handle.id)))


@as_record.register(Work)
def work_json(work: Work) -> Json:
    """The facts of a work as JSON."""
    return records.WorkFacts.of(work).as_json()


@as_record.register(Edge)
def edge_json(edge: Edge) -> Json:
    """An edge as JSON."""
    return answers.Edge.of(edge).as_json()


@as_record.register(CitationInText)
def citation_in_text_json(found: CitationInText) -> Json:
    """A citation in a text, as JSON."""
    return records.CitationInText.of(found).as_json()


@as_record.register(Keyword)
def keyword_json(keyword: Keyword) -> Json:
    """A keyword as JSON."""
    return records.Keyword.of(keyword).as_json()


@as_record.register(HydratedDocument)
def document_json(found: HydratedDocument) -> Json:
    """A document as JSON."""
    return document_record(found).as_json()


@as_record.register(Surroundings)
def surroundings_json(found: Surroundings) -> Json:
    """What surrounds a provision, as JSON."""
    return records.Around.of(None, **around_fields(found, list(found.citations))).as_json()


@as_record.register(Reasoning)
def reasoning_json(found: Reasoning) -> Json:
    """The graph of an answer as JSON."""
    return reasoning_record(found).as_json()


def shown_record(shown: Shown) -> records.Shown:
    """A provision on a date."""
    return records.Shown.of(shown, **children_of(shown))


def children_of(shown: Shown) -> dict[str, object]:
    """The provisions directly below, each with its newest words."""
    texts = ((one, one.versions[-1].text if one.versions else "") for one in shown.children)
    return {"children": [records.Child.of(one, text=text) for one, text in texts]}


@as_html.register(Found)
def found_html(found: Found) -> str:
    """A search result."""
    words = f"<blockquote>{escape(found.match.text)}</blockquote>"
    return f"<div><p>{link(found.citation, found.url)}</p>{words}</div>"


@as_html.register(Shown)
def shown_html(shown: Shown) -> str:
    """A provision on a date."""
    return cited_html(shown.cited)


@as_html.register(Related)
def related_html(found: Related) -> str:
    """A neighbourhood."""
    rows = ((one.via.kind.value, str(one.provision), one.via.text) for one in found.visited)
    return f"<div><p><b>{escape(str(found.provision))}</b></p>{table(rows)}</div>"


@as_html.register(ProvisionHandle)
def handle_html(handle: ProvisionHandle) -> str:
    """Every wording of a provision with its dates."""
    return as_html(handle.library.history(str(handle.id)))


@as_html.register(HydratedDocument)
def document_html(found: HydratedDocument) -> str:
    """A document: its headings and words in order, and what was left out."""
    around = found.surroundings
    rows = ((one.label, one.heading, one.text) for one in found.blocks)
    title = f"<p>{link(around.work_citation, around.work_url)} {escape(found.notice)}</p>"
    return f"<div>{title}{table(rows)}</div>"


@as_html.register(Reasoning)
def reasoning_html(found: Reasoning) -> str:
    """The provisions that mattered, in order of appearance."""
    return f"<div>{table((one.role, one.citation, one.heading) for one in found.nodes)}</div>"


@as_html.register(Replay)
def replay_html(found: Replay) -> str:
    """What changed since the record, and today's answer."""
    rows = ((one.kind.value, one.message) for one in (*found.changes, *found.notes))
    told = "<p>The answer is the same.</p>" if found.same else ""
    return f"<div>{told}{table(rows)}{as_html(found.answer)}</div>"
