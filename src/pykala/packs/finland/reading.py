"""Finland's files: grouped into items, and each item read by the reader of its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pykala.packs.finland.acts import read_act, read_unnumbered
from pykala.packs.finland.pages.guidance import GuidanceFiles, read_guidance
from pykala.packs.finland.pages.rulings import RulingFiles, read_ruling
from pykala.packs.finland.survey import acts_by_path, survey_acts
from pykala.packs.finland.treaties.reading import TreatyFiles, read_treaty
from pykala.packs.pack import PackFacts, Reading, Snapshot, SourceItem

if TYPE_CHECKING:  # reading files needs no network code
    from pykala.fetch.mirror import Mirror

_READERS = {
    "act": read_act,
    "statute": read_unnumbered,
    "treaty": read_treaty,
    "kho": read_ruling,
    "kvl": read_ruling,
    "vero": read_guidance,
}


def group_works(paths: Iterable[str]) -> Iterator[SourceItem]:
    """Statutes by year and number, as far as their paths tell; then treaties, rulings, guidance."""
    known = list(paths)
    yield from acts_by_path(known)
    for files in (TreatyFiles, RulingFiles, GuidanceFiles):
        yield from files.items(known)


def survey(source: Mirror, workers: int) -> Iterator[SourceItem]:
    """Statutes with all their sources and the acts that amend them; then all else."""
    yield from survey_acts(source, workers)
    paths = list(source.paths())
    for files in (TreatyFiles, RulingFiles):
        yield from files.items(paths)
    yield from GuidanceFiles.survey(source)


def read_item(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read one item with the reader of its source."""
    return _READERS[item.name.partition(":")[0]](item, snapshots, facts)
