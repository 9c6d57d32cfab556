"""Read the code as the State Senate's Open Legislation gives it: JSON, one node per section.

The text of a section has a backslash and an n at each line end. All paragraphs start with spaces and a label,
so the labels show the levels (see `outline`). "* NB Expires June 30, 2026" after a text that starts with "*"
marks it as one of parallel versions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import InvalidIdentifier, Step
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.nyc.blocks import Block, BlockKind, joined
from pykala.packs.nyc.outline import depths

_UNITS = {"CHAPTER": "chp", "SUBCHAPTER": "subchp", "PART": "part", "SUBPART": "part"}
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_MARKER = re.compile(r"\s*\*\s*NB\s+(?P<words>.*\S)\s*", re.IGNORECASE)
_DAY = r"(?P<month>[A-Z][a-z]+) (?P<day>\d{1,2}), (?P<year>\d{4})"
#: What stands between a word and its day: "Expires and is repealed 2 years after its effective date, …".
_BETWEEN = r".{0,300}"
_ENDS = re.compile(
    rf"(?:expires|repealed|effective (?:and {_BETWEEN})?until|until)\b{_BETWEEN}?{_DAY}", re.IGNORECASE
)
_STARTS = re.compile(
    rf"(?:effective|takes effect)(?! (?:and {_BETWEEN})?until)\b{_BETWEEN}?{_DAY}", re.IGNORECASE
)
_LABEL = re.compile(
    r"(?P<label>\((?:\d{1,3}|[a-z]{1,4}|[A-Z]{1,4})(?:[-.]\w{1,3})?\)|(?:\d{1,3}|[a-zA-Z]{1,2})(?:-\w{1,2})?\.)\s+(?=\S)"
)
_NUMBER = re.compile(r"\s*\*?\s*§+\s*(?P<number>\d+-\d[\w.-]*?)\.?\s+")
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class SenateFile:
    """One answer of the service: its nodes as blocks, the day it speaks of, and its law."""

    blocks: tuple[Block, ...]
    title: str  # number of the title: "11"
    active: date | None


def read_senate(data: bytes, path: str, title: str = "11") -> SenateFile:
    """Read one answer. Raises RefusedFile."""
    result = _result(data, path)
    node = (
        result.get("documents")
        if isinstance(result.get("documents"), dict) and "docType" not in result
        else result
    )
    if not isinstance(node, dict) or not node.get("docType"):
        raise RefusedFile(path, "its result is no law document: docType is missing")
    if node.get("lawId", "ADC") != "ADC":
        raise RefusedFile(path, f"it is of the law {node.get('lawId')!r}; the code is 'ADC'")
    top = _title_node(node, title)
    if top is None:
        raise RefusedFile(path, f"it holds no title {title} of the code")
    parents = [_container(parent) for parent in result.get("parents") or () if isinstance(parent, dict)]
    blocks = [block for block in parents if block is not None] if top is node else []
    blocks += _node_blocks(top, path)
    if not any(block.kind is BlockKind.SECTION for block in blocks):
        raise RefusedFile(path, "it holds no section with its text; ask for it with full=true")
    return SenateFile(tuple(blocks), title, _date(node.get("activeDate")))


def _result(data: bytes, path: str) -> Mapping[str, Any]:
    try:
        envelope = json.loads(data)
    except (ValueError, RecursionError):
        raise RefusedFile(path, "it is no JSON, or only a part of it") from None
    if not isinstance(envelope, dict) or "success" not in envelope:
        raise RefusedFile(path, "it is not an answer of Open Legislation: 'success' is missing")
    if envelope["success"] is not True:
        raise RefusedFile(
            path, f"the service said no: {str(envelope.get('message', ''))[:200] or 'no reason'}"
        )
    result = envelope.get("result")
    if not isinstance(result, dict):
        raise RefusedFile(path, "the answer holds no result")
    return result


def _title_node(node: Mapping[str, Any], title: str) -> Mapping[str, Any] | None:
    """Find a title of the code: below this node, or the node itself where it is the title or a part of it."""
    kind, number = node.get("docType"), str(node.get("docLevelId", ""))
    if kind == "TITLE":
        return node if number == title else None
    if kind == "SECTION" or "SECTION" in {str(child.get("docType")) for child in _children(node)}:
        return node if _of_title(node, title) else None
    if kind in _UNITS and str(node.get("locationId", "")).startswith(f"T{title}C"):
        return node
    return next((found for child in _children(node) if (found := _title_node(child, title))), None)


def _of_title(node: Mapping[str, Any], title: str) -> bool:
    sections = [node, *_children(node)]
    return any(str(one.get("locationId", "")).startswith(f"{title}-") for one in sections)


def _children(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    documents = node.get("documents")
    items = documents.get("items") if isinstance(documents, dict) else None
    return [item for item in items or () if isinstance(item, dict)]


def _container(node: Mapping[str, Any]) -> Block | None:
    unit = _UNITS.get(str(node.get("docType")))
    if unit is None:
        return None
    title = " ".join(str(node.get("title") or "").split())
    title = f"{title} [Repealed]" if node.get("repealed") is True else title
    return Block(BlockKind.CONTAINER, title, unit=unit, number=str(node.get("docLevelId") or ""))


def _node_blocks(top: Mapping[str, Any], path: str) -> Iterator[Block]:
    stack = [(top, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > _DEEPEST:
            raise RefusedFile(path, f"its documents are nested more than {_DEEPEST} deep")
        if node.get("docType") == "SECTION":
            yield from _section_blocks(node, path)
        elif (block := _container(node)) is not None:
            yield block
        stack.extend((child, depth + 1) for child in reversed(_children(node)))


def _section_blocks(node: Mapping[str, Any], path: str) -> Iterator[Block]:
    number = str(node.get("locationId") or node.get("docLevelId") or "")
    try:
        Step("sec", number)
    except InvalidIdentifier:
        raise RefusedFile(path, f"a section is numbered {number!r}, which is no number of one") from None
    title = " ".join(str(node.get("title") or "").split())
    text = str(node.get("text") or "").replace("\\n", "\n").replace("\r", "")
    if node.get("repealed") is True:
        gone = _date(node.get("repealedDate"))
        yield Block(BlockKind.SECTION, f"{title} [Repealed]", number=number, validity=Validity(gone))
        return
    for part, validity in _parallel(text):
        paragraphs = list(_paragraphs(part))
        if paragraphs:
            paragraphs[0] = _without_heading(paragraphs[0], title)
        yield Block(BlockKind.SECTION, title, number=number, validity=validity)
        yield from _levelled([paragraph for paragraph in paragraphs if paragraph], validity)


def _parallel(text: str) -> Iterator[tuple[str, Validity]]:
    """The versions of a whole section, each with its dates; a text without marks is one."""
    lines = text.split("\n")
    marks = [index for index, line in enumerate(lines) if _MARKER.fullmatch(line)]
    starts = [index for index, line in enumerate(lines) if re.match(r"\s*\*\s*§", line)]
    if not marks or not starts:
        yield text, ALWAYS
        return
    begin = 0
    for mark in marks:
        words = lines[mark].strip()
        yield "\n".join([*lines[begin:mark], f"  {words}"]), interval(words)
        begin = mark + 1
    if any(line.strip() for line in lines[begin:]):
        yield "\n".join(lines[begin:]), ALWAYS


def interval(words: str) -> Validity:
    """When a version marked so is in force: "Expires June 30, 2026" ends it, "Effective …" starts it."""
    end, start = _named_day(_ENDS.search(words)), _named_day(_STARTS.search(words))
    if start and end and end < start:
        return Validity(start)
    return Validity(start, end)


def _named_day(match: re.Match[str] | None) -> date | None:
    if match is None:
        return None
    month = match["month"].casefold()
    try:
        return date(int(match["year"]), _MONTHS.index(month) + 1, int(match["day"]))
    except ValueError:
        return None


def _paragraphs(text: str) -> Iterator[str]:
    """Running texts of the paragraphs: each starts with spaces, the lines that it wraps over do not."""
    lines: list[str] = []
    for line in text.split("\n"):
        if (line.startswith("  ") or not line.strip()) and lines:
            yield joined(lines)
            lines = []
        if line.strip():
            lines.append(line)
    if lines:
        yield joined(lines)


def _without_heading(paragraph: str, title: str) -> str:
    """The first paragraph without "§ 11-503 Title.", which the node tells already."""
    number = _NUMBER.match(paragraph)
    rest = paragraph[number.end() :] if number else paragraph
    wanted = title.rstrip(". ")
    if wanted and rest.casefold().startswith(wanted.casefold()):
        return rest[len(wanted) :].lstrip(". ")
    return rest


def _levelled(paragraphs: list[str], validity: Validity) -> Iterator[Block]:
    """Blocks with depths; labels may stand several before one text, "b. (1) The…"."""
    blocks: list[Block] = []
    for paragraph in paragraphs:
        rest = paragraph.removeprefix("* ") if _starred(paragraph) else paragraph
        labels: list[str] = []
        if _MARKER.fullmatch(paragraph):
            blocks.append(Block(BlockKind.NOTE, paragraph.strip()))
            continue
        while (match := _LABEL.match(rest)) is not None and len(labels) < 5:
            labels.append(match["label"])
            rest = rest[match.end() :]
        blocks.append(Block(BlockKind.TEXT, rest, labels=tuple(labels)))
    flat = [label for block in blocks for label in block.labels]
    levels = iter(depths(flat))
    for block in blocks:
        own = [next(levels) for _ in block.labels]
        yield replace(block, depth=own[0] if own else 0, validity=validity)


def _starred(paragraph: str) -> bool:
    return paragraph.startswith("* ") and _LABEL.match(paragraph[2:]) is not None


def _date(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        return None
