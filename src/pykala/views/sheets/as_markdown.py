"""An answer as Markdown; quoted text is escaped (see `views.markdown`)."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote as quoted

from pykala.views.markdown import IN_ADDRESSES, as_words, claimed_words, with_keys
from pykala.views.sheets.sheet import Resting, Sheet, Source


def markdown(sheet: Sheet) -> str:
    """The whole document."""
    return "\n\n".join((f"# {_flat(sheet.question)}", *_body(sheet), f"*{_flat(sheet.made)}*")) + "\n"


def _body(sheet: Sheet, level: str = "##") -> Iterator[str]:
    if sheet.understood:
        yield f"*{_flat(sheet.understood)}*"
    yield f"{_flat(sheet.facts)}"
    yield from (f"**{_flat(notice)}**" for notice in sheet.notices)
    if sheet.parts:
        for number, part in enumerate(sheet.parts, start=1):
            yield f"{level} {number}. {_flat(part.question)}"
            yield from _body(part, f"{level}#")
        return
    yield f"**{_flat(sheet.outcome)}**"
    yield from _paragraphs(_words(sheet))
    if sheet.sources:
        yield f"{level} {sheet.titles.sources}"
        yield "\n".join(_source(one) for one in sheet.sources)
    if sheet.resting:
        yield f"{level} {sheet.titles.rests_on}"
        yield from _resting(sheet.resting)
    if sheet.beside:
        yield f"{level} {sheet.titles.beside}"
        yield "\n".join(_source(one) for one in sheet.beside)
    for title, lines in ((sheet.titles.conflicts, sheet.conflicts), (sheet.titles.notes, sheet.notes)):
        if lines:
            yield f"{level} {title}"
            yield "\n".join(f"- {_flat(one)}" for one in lines)


def _words(sheet: Sheet) -> str:
    if sheet.drafted:
        return with_keys(sheet.text, sheet.keys)
    return claimed_words(sheet.text, sheet.claims)


def _paragraphs(text: str) -> Iterator[str]:
    yield from (one for one in text.split("\n") if one.strip())


def _resting(resting: Resting) -> Iterator[str]:
    yield _source(resting.source).removeprefix("- ")
    if resting.heading:
        yield f"*{_flat(resting.heading)}*"
    yield "\n>\n".join(f"> {as_words(one)}" for one in resting.text.split("\n") if one.strip())
    if resting.publisher:
        yield _flat(resting.publisher)


def _source(one: Source) -> str:
    key = f"[{one.key}] " if one.key else ""
    said = ", ".join(filter(None, (_flat(one.citation), _flat(one.dated), _flat(one.why))))
    quote = f": “{_flat(one.quote)}”" if one.quote else ""
    address = f" <{quoted(one.url, safe=IN_ADDRESSES)}>" if one.url else ""
    return f"- {key}{said}{quote}{address}"


def _flat(text: str) -> str:
    """A foreign text on one line, escaped."""
    return as_words(" ".join(text.split()))
