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
from .repeals import KNOWN, Ending, Happening, Repeal, plain_words, repeals_in
from .source_files import group_works, understand

if TYPE_CHECKING:
    from pykala.fetch.mirror import Mirror

_NOTE = re.compile(
    r"repealed from (?P<day>\d{4}-\d\d-\d\d) by (?P<by>\S+)(?: (?P<how>only|but) (?P<places>.+))?"
)
_TELLING = {"en": (b"repealed", b"cease to"), "fr": ("abrogé".encode(), b"abrog&eacute;", b"cesse")}
_Reader = Callable[[SourceItem, Sequence[Snapshot], PackFacts], Reading]


def survey(source: Mirror, facts: PackFacts, read: _Reader) -> Iterator[SourceItem]:
    """Every work of a source; one that another act there repeals has a note that says when."""
    items = list(group_works(source.paths()))
    by_name = {item.name: item for item in items}
    held = by_name.keys()
    notes: dict[str, list[tuple[str, str]]] = {}
    for item in items:
        path, language = _newest_page(item.paths)
        data = _data(source, path) if path else b""
        if not any(word in data for word in _TELLING[language]):
            continue
        words = plain_words(data)
        told = repeals_in(words, lambda _event, _act: date.min, language)
        if not any(one.work.value in held for one in told):
            continue

        @cache
        def day_of(event: Happening, act: WorkId | None, item: SourceItem = item) -> date | None:
            meant = item if act is None else by_name.get(act.value)
            return _day_of(source, meant, event, facts, read) if meant is not None else None

        for one in repeals_in(words, day_of, language):
            if one.work.value in held and one.work.value != item.name:
                notes.setdefault(one.work.value, []).append((path, _noted(one, item.name)))
    for item in items:
        yield replace(item, notes=tuple(notes[item.name])) if item.name in notes else item


def _data(source: Mirror, path: str) -> bytes:
    """The bytes of a file; none where it cannot be given, which the ingest itself reports."""
    try:
        return source.read(path).data
    except (RefusedFile, NotInMirror):
        return b""


def _noted(repeal: Repeal, by: str) -> str:
    """The facts about an act's repeal that are added to its item."""
    how = f" only {' '.join(repeal.only)}" if repeal.only else ""
    how = f" but {' '.join(repeal.but)}" if repeal.but else how
    return f"repealed from {repeal.day} by {by}{how}"


def ending_of(item: SourceItem) -> Ending | None:
    """When an act ended: the first day that another act of the source names, else what is known of it."""
    whole = (one for one in _endings(item) if not one.only and not one.but)
    return min(whole, key=lambda one: one.day, default=KNOWN.get(item.name))


def partial_endings(item: SourceItem) -> tuple[Ending, ...]:
    """What other acts of the source repeal of an act, or all but some places of it."""
    return tuple(one for one in _endings(item) if one.only or one.but)


def _endings(item: SourceItem) -> Iterator[Ending]:
    for _, note in item.notes:
        if (found := _NOTE.fullmatch(note)) is not None:
            places = tuple((found["places"] or "").split())
            yield Ending(
                date.fromisoformat(found["day"]),
                WorkId(found["by"]),
                places if found["how"] == "only" else (),
                places if found["how"] == "but" else (),
            )


def _newest_page(paths: Sequence[str]) -> tuple[str, str]:
    """The page of the newest state and its language: English where there is one."""
    for language in ("en", "fr"):
        pages = {
            file.day or date.min: path
            for path in paths
            if (file := understand(path)) and _is_page(path, language)
        }
        if pages:
            return pages[max(pages)], language
    return "", "en"


def _is_page(path: str, language: str) -> bool:
    file = understand(path)
    return file is not None and file.format == "page" and file.language == language and not file.corrigendum


def _day_of(
    source: Mirror, item: SourceItem, event: Happening, facts: PackFacts, read: _Reader
) -> date | None:
    """The day on which an act applies or enters into force: by its words, else of most of its articles."""
    page, language = _newest_page(item.paths)
    words = plain_words(_data(source, page)) if page else ""
    told = read_commencement(words, language, (), published=None, adopted=None)
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
