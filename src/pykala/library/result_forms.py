"""Results of a library as JSON and HTML; those of answers are in `answer/`."""

from __future__ import annotations

from html import escape

from pykala.law.forms import as_html, as_record
from pykala.library.results import Found, ProvisionHandle, Related, Shown
from pykala.records import law as records
from pykala.records.record import Json
from pykala.views.notebook import cited_html, link, table


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
