"""From which day the amendments apply that wait below the works of a source, noted on those works.

"SOR/2025-242, par. 238(a)" stands below the regulations that it repeals; that it comes into force on
October 1, 2026 stands in SOR/2025-242 alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from pykala.fetch.refusals import NotInMirror, RefusedFile
from pykala.packs.canada.changes import change_note
from pykala.packs.canada.commencement import Commencement
from pykala.packs.canada.naming import group_works, language_of
from pykala.packs.canada.reading import commencement_of
from pykala.packs.pack import Snapshot, SourceItem

if TYPE_CHECKING:
    from pykala.fetch.mirror import Mirror

_WAITING = b'id="NifProvs"'
_ENTRY = re.compile(
    r"<TitleText>\s*—\s*(?P<by>(?P<kind>SOR|SI)/(?P<number>\d+-\d+), [^<>]{1,80}?)\s*</TitleText>"
)
_SECTION = re.compile(r"\d+(?:\.\d+)*")
_CURRENT = re.compile(r'lims:current-date="(\d{4}-\d\d-\d\d)"')
_HEAD = 2_000  # characters of a file in which its day stands


def survey(source: Mirror) -> Iterator[SourceItem]:
    """Every work of a source; where an amendment waits and its day is known, a note tells it."""
    items = list(group_works(source.paths()))
    by_name = {item.name: item for item in items}

    @cache
    def told_by(name: str) -> Commencement:
        item = by_name[name]
        file = source.read(item.paths[0])
        return commencement_of(item, Snapshot(file.path, file.data, file.sha256))

    for item in items:
        path = item.paths[0]
        data = _data(source, path) if language_of(path) == "en" else b""
        waiting = data.partition(_WAITING)[2]
        current = _CURRENT.search(data[:_HEAD].decode("utf-8", "replace")) if waiting else None
        notes: list[tuple[str, str]] = []
        for entry in _ENTRY.finditer(waiting.decode("utf-8", "replace")) if current else ():
            name = f"ca:reg:{entry['kind']}-{entry['number']}"
            section = _SECTION.search(entry["by"].partition(", ")[2])
            day = _begins(told_by, name, section[0]) if name in by_name and section else None
            # On the day of the text it was not in force: an earlier day is that of another part.
            if day is not None and current is not None and day > date.fromisoformat(current[1]):
                notes.append((path, change_note(" ".join(entry["by"].split()), day)))
        yield replace(item, notes=tuple(dict.fromkeys(notes))) if notes else item


def _begins(told_by: Callable[[str], Commencement], name: str, section: str) -> date | None:
    try:
        return told_by(name).begins(section)
    except (RefusedFile, NotInMirror):
        return None


def _data(source: Mirror, path: str) -> bytes:
    """The bytes of a file; none where it cannot be given, which the ingest itself reports."""
    try:
        return source.read(path).data
    except (RefusedFile, NotInMirror):
        return b""
