"""What a library hands out, as plain data and as HTML; the forms of answers lie in `answer/`."""

from __future__ import annotations

from html import escape

from pykala.answer.record import caveat_json, cited_json, edge_json, validity_json
from pykala.law.forms import as_html, as_record
from pykala.law.provisions import Provision
from pykala.library.results import Found, Related, Shown
from pykala.views.notebook import cited_html, link, table


@as_record.register(Found)
def found_json(found: Found) -> dict[str, object]:
    """A search result."""
    match = found.match
    return {
        "provision": str(match.provision),
        "work": str(match.work),
        "citation": found.citation,
        "url": found.url,
        "score": round(match.score, 4),
        "text": match.text,
        "header": match.header,
        "language": match.language,
        **validity_json(match.validity),
        "authority": match.authority,
    }


@as_record.register(Shown)
def shown_json(shown: Shown) -> dict[str, object]:
    """A provision on a date."""
    version = shown.version
    return {
        **cited_json(shown.cited),
        "event": version.event.value,
        "source_act": str(version.source_act) if version.source_act else None,
        "application": version.application,
        "languages": list(shown.languages),
        "cited_by": {"provisions": shown.standing.cited, "works": shown.standing.works},
        "children": [_child_json(child) for child in shown.children],
        "caveats": [caveat_json(caveat) for caveat in shown.caveats],
    }


def _child_json(child: Provision) -> dict[str, object]:
    return {
        "provision": str(child.id),
        "kind": child.kind.value,
        "label": child.label,
        "heading": child.heading,
        "text": child.versions[-1].text if child.versions else "",
    }


@as_record.register(Related)
def related_json(found: Related) -> dict[str, object]:
    """A neighbourhood."""
    return {
        "provision": str(found.provision),
        "related": [
            {
                "provision": str(visit.provision),
                "hops": visit.hops,
                "score": round(visit.score, 4),
                **edge_json(visit.via),
            }
            for visit in found.visited
        ],
        "unresolved": [
            {"provision": str(one.source), "text": one.text, "target": one.target, "reason": one.reason.value}
            for one in found.unresolved
        ],
    }


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
