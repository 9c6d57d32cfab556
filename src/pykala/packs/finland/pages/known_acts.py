"""Acts whose numbers are known from another source of the same mirror, by the signs that pages show too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from pykala.law.identifiers import WorkId
from pykala.packs.finland.commencement import short_date
from pykala.packs.finland.pages.page_facts import (
    amended_sections,
    entry_words,
    long_date,
    plain_words,
    squeeze,
    work_id,
)
from pykala.text.encoding import UndecodableText, decode

_STATUTE_XML = re.compile(r"(?:^|/)asd/fi/(\d{4})/asd\1(\d{4})\.xml$")
_AKOMA_NTOSO = re.compile(r"(?:^|/)(\d{4})_(\d{1,4})_fin\.xml$")
_CONSOLIDATED = re.compile(r"(?:^|/)sd-jsonld-fi/(\d{4})-(\d{1,4})\.jsonld$")

_XML_SIGNATURES = "<asi:AllekirjoitusOsa"
_XML_SECTION = re.compile(r"<saa:PykalaTunnusKooste>\s*(\d{1,4}(?:\s?[a-zåäö])?)\s*§")
_AKN_TITLE = re.compile(r"<docTitle[^<>]{0,200}>")
_AKN_CLAUSE = re.compile(r'<formula [^<>]{0,200}name="enactingClause"[^<>]{0,200}>')
_AKN_DATE = re.compile(r'<FRBRdate (?=[^<>]{0,200}name="dateIssued")[^<>]{0,200}?date="(\d{4}-\d\d-\d\d)"')
_AKN_SECTION = re.compile(r"<num[^<>]{0,200}>\s*(\d{1,4}(?:\s?[a-zåäö])?)\s*§")
_AKN_AFTER = re.compile(r'<hcontainer [^<>]{0,200}name="(?:preliminaryWork|signatures|attachments)"')
_LONG_DATE = re.compile(r"(\d{1,2}) päivänä ([a-zäö]+kuu)ta (\d{4})")

_NODE_SECTION = re.compile(r"/pykala/(\d{1,4}[a-zåäö]?)(?:/|$)")
_NODE_DAY = re.compile(r"/ajantasa/(\d{4})(\d\d)(\d\d)$")
_NODE_ACT = re.compile(r"sfsd:(\d{4})/(\d{1,4})(?:/|$)")
_NOTE = re.compile(r"\((\d{1,2}\.\d{1,2}\.\d{4})/(\d{1,4})\)\s*$")
#: No consolidated act nests so deeply: act, part, chapter, section, momentti, kohta, alakohta.
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class KnownAct:
    """An act with its number and what a source tells of it; texts are squeezed as those of pages are."""

    work: WorkId
    title: str = ""
    issued: date | None = None
    clause: str = ""
    amends: WorkId | None = None
    sections: frozenset[str] = frozenset()  # that it is known to change; there may be more
    entry: str = ""
    day: date | None = None


def is_source_of_numbers(path: str) -> bool:
    """Whether `known_acts` reads a path."""
    return any(pattern.search(path) for pattern in (_STATUTE_XML, _AKOMA_NTOSO, _CONSOLIDATED))


def known_acts(path: str, data: bytes) -> Iterator[KnownAct]:
    """The acts that one file of a numbered source tells of; none where the file cannot be read."""
    try:
        text = decode(data).text
    except UndecodableText:
        return
    if found := _STATUTE_XML.search(path):
        yield from _statute_xml(work_id(found[2], found[1]), text)
    elif found := _AKOMA_NTOSO.search(path):
        yield from _akoma_ntoso(work_id(found[2], found[1]), text)
    elif found := _CONSOLIDATED.search(path):
        yield from _consolidated(work_id(found[2], found[1]), text)


@dataclass(frozen=True, slots=True)
class _Span:
    """What stands between two tags, and where it ends; nothing where they are not there."""

    words: str = ""
    end: int = 0


def _between(text: str, opening: str | re.Pattern[str], closing: str) -> _Span:
    if isinstance(opening, str):
        start = text.find(opening)
        start += len(opening) if start >= 0 else 0
    else:
        found = opening.search(text)
        start = found.end() if found else -1
    end = text.find(closing, start) if start >= 0 else -1
    return _Span(text[start:end], end) if end >= 0 else _Span()


def _statute_xml(work: WorkId, text: str) -> Iterator[KnownAct]:
    title = _between(text, "<saa:SaadosNimeke>", "</saa:SaadosNimeke>")
    clause = _between(text, "<saa:Johtolause>", "</saa:Johtolause>")
    signed = _between(text, "<asi:PaivaysKooste>", "</asi:PaivaysKooste>")
    if not title.words:
        return
    end = text.find(_XML_SIGNATURES)
    body = text[clause.end or title.end : end if end >= 0 else len(text)]
    dated = _LONG_DATE.search(plain_words(signed.words))
    issued = long_date(dated) if dated else None
    yield _known(work, title.words, clause.words, body, issued, _XML_SECTION.findall(body))


def _akoma_ntoso(work: WorkId, text: str) -> Iterator[KnownAct]:
    title = _between(text, _AKN_TITLE, "</docTitle>")
    clause = _between(text, _AKN_CLAUSE, "</formula>")
    if not title.words:
        return
    issued = _AKN_DATE.search(text)
    start = clause.end or title.end
    after = _AKN_AFTER.search(text, start)
    body = text[start : after.start() if after else len(text)]
    day = _iso(issued[1]) if issued else None
    yield _known(work, title.words, clause.words, body, day, _AKN_SECTION.findall(body))


def _known(
    work: WorkId, title: str, clause: str, body: str, issued: date | None, sections: list[str]
) -> KnownAct:
    words = plain_words(clause)
    amends, changed = amended_sections(words)
    entry, day = entry_words(plain_words(body))
    return KnownAct(
        work,
        plain_words(title),
        issued,
        squeeze(words),
        amends,
        frozenset(changed | {"".join(number.split()).lower() for number in sections}),
        squeeze(entry),
        day,
    )


def _consolidated(work: WorkId, text: str) -> Iterator[KnownAct]:
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return
    state = tree.get("temporalVersion") if isinstance(tree, dict) else None
    if not isinstance(state, dict):
        return
    language = state.get("languageVersion")
    title = language.get("title_fi") if isinstance(language, dict) else ""
    issued = _iso(state.get("dateDocument"))
    yield KnownAct(work, title if isinstance(title, str) else "", issued)
    yield from _amendments(work, state)


def _amendments(work: WorkId, state: dict[str, Any]) -> Iterator[KnownAct]:
    """One act a changed provision: which act changed it, since when, and the act's own day in the note."""
    stack: list[tuple[Any, int]] = [(state, 0)]
    while stack:
        node, depth = stack.pop()
        if not isinstance(node, dict) or depth > _DEEPEST:
            continue
        parts = node.get("hasPart")
        stack.extend(
            (part, depth + 1) for part in (parts if isinstance(parts, list) else [parts] if parts else [])
        )
        section = _NODE_SECTION.search(str(node.get("isMemberOf", "")))
        amending = node.get("amendedBy")
        if section is None or not amending:
            continue
        day = _NODE_DAY.search(str(node.get("@id", "")))
        noted = _NOTE.search(_content(node))
        for one in amending if isinstance(amending, list) else [amending]:
            if found := _NODE_ACT.match(str(one)):
                act = work_id(found[2], found[1])
                same = noted is not None and act == work_id(noted[2], noted[1][-4:])
                yield KnownAct(
                    act,
                    issued=short_date(noted[1]) if same and noted else None,
                    amends=work,
                    sections=frozenset({section[1].lower()}),
                    day=_iso("-".join(day.groups())) if day else None,
                )


def _content(node: dict[str, Any]) -> str:
    language = node.get("languageVersion")
    form = language.get("hasFormat") if isinstance(language, dict) else None
    return str(form.get("content_fi", "")) if isinstance(form, dict) else ""


def _iso(text: object) -> date | None:
    try:
        return date.fromisoformat(str(text)[:10])
    except ValueError:
        return None
