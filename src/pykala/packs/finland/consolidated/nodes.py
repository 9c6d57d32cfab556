"""Semantic Finlex's JSON-LD as typed nodes: every value is validated here, so that the readers need not.

A file has one act in its newest state. Each node is one dated version of a place in it:
`sfsd:1995/1551/pykala/2/momentti/3/ajantasa/20070101` is 2 § 3 mom. as worded since 1 January 2007 (the
suffix is a date here), `…/alkup` the wording as first enacted. If Finlex printed an earlier wording beside
the newer one, both nodes are in the file, as siblings or below two versions of a parent.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import WorkId

MAX_BYTES = 64 * 1024 * 1024
#: Statute, part, chapter, section, momentti, kohta, alakohta, introduction: real acts have nine levels.
MAX_DEPTH = 24
#: Limits for sorting and comparing: real acts have at most 137 parts below one node, 4,032 nodes in all, and
#: seven copies of one place.
MAX_PARTS = 5_000
MAX_NODES = 200_000
MAX_COPIES = 64

_MEMBER = re.compile(r"sfsd:(?P<year>\d{4})/(?P<number>\d{1,5}[A-Z]?)(?:/(?P<rest>[^\s]{1,400}))?")
_NUMBER = re.compile(r"[0-9A-Za-zåäöÅÄÖ]{1,12}")
_DAY = re.compile(r"/ajantasa/(\d{4})(\d{2})(\d{2})$")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
#: Dates such as 00020614 stand in some files where the day was not known.
_FIRST_YEAR = 1600


class Level(StrEnum):
    """What sort of place a node is a version of."""

    STATUTE = "Statute"
    PART = "Part"
    CHAPTER = "Chapter"
    SECTION = "Section"
    SUBSECTION = "Subsection"
    PARAGRAPH = "Paragraph"
    SUBPARAGRAPH = "Subparagraph"
    INTRODUCTION = "Preamble"  # johdanto: the words before a list, not the preamble of an act
    FLUSH = "FinalParagraph"  # loppukappale: the words after a list
    SUBHEADING = "Subheading"
    ATTACHMENT = "Attachment"
    ENACTING_CLAUSE = "EnactingClause"
    TABLE = "Table"  # not in the source: split off from a text that holds one


@dataclass(frozen=True, slots=True)
class Node:
    """One dated version of one place, with the versions of the places below it."""

    level: Level
    number: str  # "" for what is not numbered: an introduction, a flush text, the enacting clause
    member: str  # the place without its date: "luku/1/pykala/2"
    day: date | None  # since when, as the file says; None for an original, and where no day can be read
    original: bool
    amended_by: tuple[WorkId, ...]
    repealed_by: tuple[WorkId, ...]
    title: str
    content: str
    followed_by: tuple[str, ...]  # of a subheading: the members that follow it
    parts: tuple[Node, ...]

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in the file's order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.parts))


@dataclass(frozen=True, slots=True)
class Statute:
    """A file: which act, what sort of statute, its days, and its newest state."""

    work: WorkId
    sorts: tuple[str, ...]  # "Act", "GovernmentDecree"
    issued: date | None
    in_force_since: date | None
    state: date | None  # the day of the newest state that the file knows
    root: Node


def open_statute(data: bytes, path: str) -> Statute:
    """Read a file. Raises RefusedFile, and nothing else, for what is not an act of Semantic Finlex."""
    whole = _load(data, path)
    work, rest = _place(whole.get("@id"), path)
    if rest:
        raise RefusedFile(path, f"its @id names a part of an act, {whole['@id']!r}")
    version = whole.get("temporalVersion")
    if not isinstance(version, dict):
        raise RefusedFile(path, "it holds no temporalVersion, the state of the act")
    root = _node(version, work, path, 0)
    if root.level is not Level.STATUTE:
        raise RefusedFile(path, f"its temporalVersion is a {root.level}, not a statute")
    _bound(root, path)
    sorts = tuple(value.rpartition("/")[2] for value in _strings(whole, "typeDocument", path))
    return Statute(
        work,
        sorts,
        _iso(version, "dateDocument", path),
        _iso(version, "firstDateEntryInForce", path),
        _iso(version, "versionDate", path),
        root,
    )


def _bound(root: Node, path: str) -> None:
    copies: Counter[str] = Counter()
    for node in root.walk():
        copies[node.member] += 1
        if len(node.parts) > MAX_PARTS or copies[node.member] > MAX_COPIES:
            raise RefusedFile(path, f"{node.member!r} has more parts or copies than any act")
    if copies.total() > MAX_NODES:
        raise RefusedFile(path, f"it has more than {MAX_NODES} parts")


def _load(data: bytes, path: str) -> dict[str, object]:
    if len(data) > MAX_BYTES:
        raise RefusedFile(path, f"it is larger than {MAX_BYTES} bytes")
    try:
        whole = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise RefusedFile(
            path, f"it is not JSON that can be read ({type(fault).__name__}: {fault})"
        ) from None
    if not isinstance(whole, dict):
        raise RefusedFile(path, "it is JSON, but not an object")
    return whole


def _node(value: dict[str, object], work: WorkId, path: str, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise RefusedFile(path, f"its parts are nested more than {MAX_DEPTH} deep")
    identifier = _string(value, "@id", path)
    level = _level(_string(value, "@type", path), path)
    owner, member = _place(value.get("isMemberOf"), path)
    if owner != work:
        raise RefusedFile(path, f"it holds a part of another act, {owner}")
    title, content = _words(value, path)
    dated = _DAY.search(identifier)
    return Node(
        level,
        _number(member, level, path),
        member,
        _calendar_day(dated) if dated else None,
        identifier.endswith("/alkup"),
        _acts(value, "amendedBy", path),
        _acts(value, "repealedBy", path),
        title,
        content,
        tuple(_place(name, path)[1] for name in _strings(value, "followedBy", path)),
        tuple(_node(part, work, path, depth + 1) for part in _parts(value, path)),
    )


def _parts(value: dict[str, object], path: str) -> list[dict[str, object]]:
    parts = value.get("hasPart", [])
    objects: list[dict[str, object]] = []
    for part in parts if isinstance(parts, list) else [parts]:
        if not isinstance(part, dict):
            raise RefusedFile(path, f"a hasPart holds {type(part).__name__} instead of an object")
        objects.append(part)
    return objects


def _words(value: dict[str, object], path: str) -> tuple[str, str]:
    language = _object(value, "languageVersion", path)
    return (
        _string(language, "title_fi", path, optional=True),
        _string(_object(language, "hasFormat", path), "content_fi", path, optional=True),
    )


def _object(value: dict[str, object], key: str, path: str) -> dict[str, object]:
    found = value.get(key, {})
    if not isinstance(found, dict):
        raise RefusedFile(path, f"its {key} is {type(found).__name__} instead of an object")
    return found


def _string(value: dict[str, object], key: str, path: str, optional: bool = False) -> str:
    found = value.get(key, "")
    if not isinstance(found, str) or not (found or optional):
        raise RefusedFile(path, f"a part has no {key}, or one that is not text")
    return found


def _strings(value: dict[str, object], key: str, path: str) -> tuple[str, ...]:
    found = value.get(key, [])
    listed = found if isinstance(found, list) else [found]
    if not all(isinstance(one, str) for one in listed):
        raise RefusedFile(path, f"its {key} holds something that is not text")
    return tuple(listed)


def _level(name: str, path: str) -> Level:
    try:
        return Level(name.removeprefix("sfl:").removesuffix("Version"))
    except ValueError:
        raise RefusedFile(path, f"it holds a part of the unknown type {name!r}") from None


def _place(name: object, path: str) -> tuple[WorkId, str]:
    """The act and the place within it that a name such as `sfsd:1995/1551/pykala/2` stands for."""
    found = _MEMBER.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        raise RefusedFile(path, f"{name!r} is not a name such as sfsd:1995/1551/pykala/2")
    rest = found["rest"] or ""
    return act_id(found["year"], found["number"]), _DAY.sub("", f"/{rest}").removesuffix("/alkup").lstrip("/")


def act_id(year: str, number: str) -> WorkId:
    """The identifier of an act: `fi:act:1995/1551`, `fi:act:1889/39B`."""
    return WorkId(f"fi:act:{year}/{number.lstrip('0') or '0'}")


def _acts(value: dict[str, object], key: str, path: str) -> tuple[WorkId, ...]:
    return tuple(_place(name, path)[0] for name in _strings(value, key, path))


def _number(member: str, level: Level, path: str) -> str:
    if level in {Level.STATUTE, Level.INTRODUCTION, Level.FLUSH, Level.ENACTING_CLAUSE}:
        return ""
    number = member.rpartition("/")[2]
    if not _NUMBER.fullmatch(number):
        raise RefusedFile(path, f"the part {member!r} has no number")
    return number


def _calendar_day(found: re.Match[str]) -> date | None:
    year, month, day = (int(part) for part in found.groups())
    try:
        return date(year, month, day) if year >= _FIRST_YEAR else None
    except ValueError:
        return None


def _iso(value: dict[str, object], key: str, path: str) -> date | None:
    """The first day of those that are given; two acts name two."""
    found = [match for text in _strings(value, key, path) if (match := _ISO.fullmatch(text))]
    return _calendar_day(found[0]) if found else None
