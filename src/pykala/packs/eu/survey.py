"""Which acts of a source repeal which others, noted on the items of the repealed acts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from pykala.fetch.refusals import NotInMirror, RefusedFile
from pykala.law.identifiers import WorkId
from pykala.law.provisions import ProvisionKind
from pykala.packs.pack import PackFacts, Reading, Snapshot, SourceItem

from .commencement import read_commencement
from .repeals import KNOWN, Ending, Happening, plain_words, repeals_in
from .source_files import group_works, understand

if TYPE_CHECKING:
    from pykala.fetch.mirror import Mirror

_NOTE = re.compile(r"repealed from (?P<day>\d{4}-\d\d-\d\d) by (?P<by>\S+)")
_Reader = Callable[[SourceItem, Sequence[Snapshot], PackFacts], Reading]


def survey(source: Mirror, facts: PackFacts, read: _Reader) -> Iterator[SourceItem]:
    """Every work of a source; one that another act there repeals has a note that says when."""
    items = list(group_works(source.paths()))
    by_name = {item.name: item for item in items}
    held = by_name.keys()
    notes: dict[str, list[tuple[str, str]]] = {}
    for item in items:
        path = _newest_page(item.paths)
        data = _data(source, path) if path else b""
        if b"repealed" not in data and b"cease to" not in data:
            continue
        words = plain_words(data)
        if not any(work.value in held for work, _ in repeals_in(words, lambda _event, _act: date.min)):
            continue

        @cache
        def day_of(event: Happening, act: WorkId | None, item: SourceItem = item) -> date | None:
            meant = item if act is None else by_name.get(act.value)
            return _day_of(source, meant, event, facts, read) if meant is not None else None

        for work, day in repeals_in(words, day_of):
            if work.value in held and work.value != item.name:
                notes.setdefault(work.value, []).append((path, f"repealed from {day} by {item.name}"))
    for item in items:
        yield replace(item, notes=tuple(notes[item.name])) if item.name in notes else item


def _data(source: Mirror, path: str) -> bytes:
    """The bytes of a file; none where it cannot be given, which the ingest itself reports."""
    try:
        return source.read(path).data
    except (RefusedFile, NotInMirror):
        return b""


def ending_of(item: SourceItem) -> Ending | None:
    """When an act ended: the first day that another act of the source names, else what is known of it."""
    told = [
        Ending(date.fromisoformat(found["day"]), WorkId(found["by"]))
        for _, note in item.notes
        if (found := _NOTE.fullmatch(note)) is not None
    ]
    return min(told, key=lambda one: one.day, default=KNOWN.get(item.name))


def _newest_page(paths: Sequence[str]) -> str:
    """The English page of the newest state."""
    pages = {file.day or date.min: path for path in paths if (file := understand(path)) and _is_page(path)}
    return pages[max(pages)] if pages else ""


def _is_page(path: str) -> bool:
    file = understand(path)
    return file is not None and file.format == "page" and file.language == "en" and not file.corrigendum


def _day_of(
    source: Mirror, item: SourceItem, event: Happening, facts: PackFacts, read: _Reader
) -> date | None:
    """The day on which an act applies or enters into force: by its words, else of most of its articles."""
    page = _newest_page(item.paths)
    words = plain_words(_data(source, page)) if page else ""
    told = read_commencement(words, "en", (), published=None, adopted=None)
    if told.is_known:
        days = (told.applies, told.entered)
        return next(filter(None, days if event is Happening.APPLICATION else days[::-1]), None)
    paths = [path for path in item.paths if path == page or path.endswith("meta.json")]
    snapshots = [Snapshot(path, file.data, file.sha256) for path in paths if (file := source.read(path))]
    reading = read(SourceItem(item.name, tuple(paths)), snapshots, facts)
    starts: Mapping[date, int] = Counter(
        (version.in_force if event is Happening.ENTRY else None) or version.validity.start
        for document in reading.documents
        for provision in document.root.walk()
        if provision.kind is ProvisionKind.ARTICLE and provision.versions
        for version in provision.versions[:1]
        if version.validity.start
    )
    return max(starts, key=lambda day: starts[day], default=None)
