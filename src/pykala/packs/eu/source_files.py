"""The files of a mirror: one folder a work, one a state, and what their `meta.json` say of them.

32006l0112/meta.json
32006l0112/versions/2007-01-01--3c7c…/{meta.json,en.xml,fr.html,en.fmx4/CL2006L0112EN0010010.0001.xml}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from pykala.law.identifiers import InvalidIdentifier, WorkId
from pykala.packs.pack import Snapshot, SourceItem

_PATH = re.compile(
    r"(?:^|/)(?P<slug>[0-9ce]\d{4}[a-z]{1,2}[a-z0-9()-]*)/"
    r"(?:versions/(?P<day>\d{4}-\d{2}-\d{2})--(?P<hash>[0-9a-f]{8,64})/)?"
    r"(?P<file>meta\.json|(?P<language>en|fr)(?:\.(?P<page>xml|html)|\.fmx4/(?P<formex>[\w().-]+\.xml)))$"
)
_CORRIGENDUM = re.compile(r"R\((?P<number>\d{2})\)$")
#: Of these every file of facts has some; the error of a server, sent as JSON, has none.
_FACTS = frozenset({"document_type", "expressions", "raw", "title", "valid_from", "work_identifier"})
_CONSOLIDATED = re.compile(r"0(?P<act>\d{4}[A-Z]{1,2}\d{4})-\d{8}")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One path of the mirror, understood."""

    path: str
    work: str  # CELEX number of the act: a corrigendum belongs to the act that it corrects
    corrigendum: str = ""  # "01", for a file of a corrigendum
    state: str = ""  # the folder of a state, "" for the facts of the work
    day: date | None = None
    language: str = ""
    format: str = ""  # "page", "formex", "facts"


def understand(path: str) -> SourceFile | None:
    """Say what a path of the mirror holds; None for a file of another kind."""
    match = _PATH.search(path)
    if match is None:
        return None
    celex = match["slug"].upper()
    corrigendum = _CORRIGENDUM.search(celex)
    if corrigendum is not None:
        celex = celex[: corrigendum.start()]
    celex = celex.replace("-", "/")
    if match["formex"]:
        if match["formex"].endswith(".doc.xml"):
            return None  # the publisher's metadata about the file beside it
        form = "formex"
    else:
        form = "page" if match["page"] else "facts"
    return SourceFile(
        path,
        celex,
        corrigendum["number"] if corrigendum else "",
        path[: match.start("file")] if match["day"] else "",
        _date(match["day"] or ""),
        match["language"] or "",
        form,
    )


def group_works(paths: Iterable[str]) -> Iterator[SourceItem]:
    """Group paths into works, each with all its states, languages and corrigenda, ordered by number."""
    grouped: dict[str, list[str]] = {}
    for path in paths:
        file = understand(path)
        if file is not None and _is_work(file.work):
            grouped.setdefault(f"eu:{file.work}", []).append(path)
    for name in sorted(grouped):
        if any(not path.endswith("meta.json") for path in grouped[name]):
            yield SourceItem(name, tuple(sorted(grouped[name])))


def _is_work(celex: str) -> bool:
    try:
        WorkId(f"eu:{celex}")
    except InvalidIdentifier:
        return False
    return True


@dataclass(frozen=True, slots=True)
class StateFacts:
    """The publisher's facts about one state of a work."""

    day: date | None
    celex: str = ""
    until: date | None = None  # the last day, inclusive
    issued: date | None = None
    in_force: bool | None = None
    kind: str = ""
    roles: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    short_titles: tuple[tuple[str, str], ...] = ()
    retrieved: Mapping[str, date] = field(default_factory=dict)  # file name → day
    addresses: Mapping[str, str] = field(default_factory=dict)  # file name → URL

    @property
    def consolidated(self) -> bool:
        """Whether it is a consolidation rather than the act as published."""
        return _CONSOLIDATED.fullmatch(self.celex) is not None


def read_facts_of_state(snapshot: Snapshot, day: date | None) -> StateFacts:
    """Read a state's `meta.json`; of a broken one nothing, and the folder's date is used."""
    table = _table(snapshot)
    raw = table.get("raw")
    titles: dict[str, str] = {}
    retrieved: dict[str, date] = {}
    addresses: dict[str, str] = {}
    for expression in _list(table, "expressions"):
        language, title = str(expression.get("language", "")), str(expression.get("title") or "")
        if language and title:
            titles[language] = " ".join(title.split())
        for seen in _list(expression, "observations"):
            name = str(seen.get("file", ""))
            moment = _date(str(seen.get("retrieved_at", ""))[:10])
            if name and moment:
                retrieved[name] = moment
            addresses[name] = str(seen.get("source_uri", ""))
    status, roles = table.get("in_force_status"), table.get("document_roles")
    return StateFacts(
        _date(str(table.get("valid_from", ""))) or day,
        str(raw.get("celex", "")) if isinstance(raw, dict) else "",
        _date(str(table.get("valid_to", ""))),
        _date(str(table.get("publication_date", ""))),
        None if status not in ("0", "1") else status == "1",
        str(table.get("document_type", "")),
        tuple(str(role) for role in roles) if isinstance(roles, list) else (),
        titles,
        tuple(_short_titles(table)),
        retrieved,
        addresses,
    )


def read_facts_of_work(snapshot: Snapshot) -> tuple[str, str]:
    """The kind and the title in a work's own `meta.json`."""
    table = _table(snapshot)
    return str(table.get("document_type", "")), " ".join(str(table.get("title", "")).split())


def _short_titles(table: dict[str, object]) -> Iterator[tuple[str, str]]:
    for entry in _list(table, "publisher_metadata"):
        if entry.get("kind") == "publisher_short_title" and entry.get("label"):
            yield str(entry.get("language", "")), str(entry["label"])


def tells_facts(snapshot: Snapshot) -> bool:
    """Whether a `meta.json` is what it is called."""
    return not _FACTS.isdisjoint(_table(snapshot))


def _table(snapshot: Snapshot) -> dict[str, object]:
    try:
        table = json.loads(snapshot.data)
    except (ValueError, RecursionError):
        return {}
    return table if isinstance(table, dict) else {}


def _list(table: Mapping[str, object], name: str) -> list[dict[str, object]]:
    found = table.get(name)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
