"""Acts by keyword: search at the publisher, fetch what was found, ingest it.

    found = search_acts(pack, "vehicle type approval", snapshots, year=2019)
    report = fetch_and_ingest(store, pack, found, folder)

A pack takes part when it is a SearchablePack. The folder keeps what was fetched, laid out as the pack's
archive is; fetching again brings it up to date.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from pykala.fetch.mirror import open_mirror
from pykala.fetch.refusals import MirrorUnavailable, Refusal
from pykala.ingest import Progress, Report, ingest
from pykala.packs.pack import ActFound, Pack, SearchablePack
from pykala.stores.store import WritableStore

if TYPE_CHECKING:  # what the network needs is loaded only by who goes there
    from pykala.fetch.http import Manners


@dataclass(frozen=True, slots=True)
class FetchReport:
    """The result of a fetch: acts found, texts fetched, refusals, and the ingest."""

    found: tuple[ActFound, ...]
    fetched: tuple[str, ...]
    pages: int
    refusals: tuple[Refusal, ...]
    ingested: Report | None


def searchable(pack: Pack) -> SearchablePack:
    """The pack as one that can be searched. Raises MirrorUnavailable for any other."""
    if not isinstance(pack, SearchablePack):
        raise MirrorUnavailable(
            pack.facts.code, "its publisher is not searched here; give --from FOLDER_OR_ARCHIVE to 'ingest'"
        )
    return pack


def find_acts(
    pack: Pack, words: str, *, year: int | None = None, limit: int = 20, manners: Manners | None = None
) -> tuple[ActFound, ...]:
    """Search the publisher for acts by title; fetches nothing."""
    source = searchable(pack)
    with source.open_client(manners or _manners()) as client:
        return tuple(source.find_acts(client, words, year=year, limit=limit))


def fetch_acts(
    store: WritableStore,
    pack: Pack,
    words: str,
    folder: Path,
    *,
    year: int | None = None,
    limit: int = 20,
    manners: Manners | None = None,
    on_found: Callable[[Sequence[ActFound]], None] = lambda found: None,
    progress: Progress = lambda done, total: None,
) -> FetchReport:
    """Search, fetch into `folder`, and ingest the folder.

    `on_found` sees the list before anything is fetched; `progress` counts what is fetched, then what is read,
    as one. Raises MirrorUnavailable or MirrorDamaged where the
    publisher does not answer: an outage never reads as "nothing found".
    """
    from pykala.fetch.snapshots import Snapshots

    source = searchable(pack)
    code = pack.facts.code
    acts = folder / code / "acts"
    snapshots = Snapshots(folder / code / "snapshots")
    halves = _Halves(progress)
    with source.open_client(manners or _manners()) as client:
        found = tuple(source.find_acts(client, words, year=year, limit=limit))
        on_found(found)
        if not found:
            return FetchReport((), (), 0, (), None)
        came = source.fetch_acts(
            client, [act.number for act in found], acts, snapshots, progress=halves.fetched
        )
    ingested = None
    if came.acts:
        with open_mirror(acts) as mirror:
            ingested = ingest(store, pack, mirror, whole=False, progress=halves.read)
    return FetchReport(found, came.acts, came.pages, came.refusals, ingested)


class _Halves:
    """One progress of two parts that are each counted by themselves: it never goes back."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._half = 0

    def fetched(self, done: int, total: int) -> None:
        """The first half."""
        self._half = total
        self._progress(done, 2 * total)

    def read(self, done: int, total: int) -> None:
        """The second half, in as many steps as the first."""
        self._progress(self._half + self._half * done // max(total, 1), 2 * self._half)


def _manners() -> Manners:
    from pykala.fetch.http import Manners

    return Manners(user_agent=f"pykala/{version('pykala')}", interval=0.2)
