"""A mirror of an online source: fetch the files that an index lists into snapshots, and read those.

Every file is asked for with its validators, so that only what changed is sent again. A file that does not
come, or comes damaged, is refused; its last snapshot is used in its place.
Files that make one work come together or not at all: half a work would take the place of a whole one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date

from .http import FetchFailed, FetchRefused, PoliteClient, redacted
from .indexed import IndexedMirror, Listing
from .limits import Limits
from .order import EVERYTHING, FetchOrder, Forecast
from .refusals import RefusedFile, SourceUnreachable
from .snapshots import Sighting, SnapshotDamaged, Snapshots

__all__ = ["Check", "ListedFile", "LiveMirror", "Progress", "fetch_listed", "fetching_at_once", "forecast_of"]

#: Says why a complete body cannot be used ("" if it can): a login page, half a file, another format.
Check = Callable[[str, bytes], str]
Progress = Callable[[int, int], None]  # files asked for, files in all
#: Together with the interval between requests this bounds what a source has to bear.
AT_ONCE = 4
#: So many files in a row without an answer are an outage; each was asked for several times already.
_GIVE_UP = 8


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file that an index lists: its path in the mirror, its address, its work."""

    path: str
    url: str
    work: str


@dataclass(frozen=True, slots=True)
class _Held:
    """The state of a file: the hash of its body (empty if it has none), and the fault, if any."""

    sha256: str
    size: int = 0
    fault: str = ""
    unanswered: bool = False  # the source itself failed, not this file
    seen: date | None = None  # the last day on which the source was found to give this body


class LiveMirror(IndexedMirror[str]):
    """Files of an online source; a place is the hash of a snapshot. Several processes can read it.

    `withheld` are the paths that the source lists and that are not at hand: they are not gone, and nothing
    that was stored of them may be removed.
    """

    def __init__(
        self,
        name: str,
        snapshots: Snapshots,
        listing: Listing[str],
        withheld: Collection[str] = (),
        seen: Mapping[str, date] | None = None,
    ) -> None:
        super().__init__(name, listing.limits, listing)
        self._snapshots, self._seen = snapshots, dict(seen or {})
        self.withheld = frozenset(withheld)

    def _bytes(self, path: str, place: str) -> bytes:
        try:
            return self._snapshots.get(place)
        except SnapshotDamaged as fault:
            raise RefusedFile(path, str(fault)) from fault

    def _retrieved_at(self, path: str) -> date | None:
        return self._seen.get(path)


def fetch_listed(
    name: str,
    files: Iterable[ListedFile],
    client: PoliteClient,
    snapshots: Snapshots,
    *,
    check: Check = lambda path, data: "",
    at_once: int = AT_ONCE,
    limits: Limits | None = None,
    order: FetchOrder = EVERYTHING,
    mean_size: int = 0,
    progress: Progress = lambda done, total: None,
) -> LiveMirror:
    """Update the snapshots from a listing and return them as a mirror.

    `client` must keep what it fetches in `snapshots`. Raises nothing for a file that cannot be had, and
    SourceUnreachable where many in a row are not answered: what came so far is kept for the next time.
    `mean_size` is what a file of this source has on average, for the forecast that `order` hears first.
    """
    wanted = sorted(set(files), key=lambda file: file.path)
    order.announce(forecast_of(name, [file.url for file in wanted], client, mean_size))
    held: dict[str, _Held] = {}
    silent = 0
    with fetching_at_once(at_once) as pool:
        fetched = pool.map(lambda file: _fetch(file, client, snapshots, check), wanted)
        for done, (file, one) in enumerate(zip(wanted, fetched, strict=True), 1):
            held[file.path] = one
            silent = silent + 1 if one.unanswered else 0
            if silent == _GIVE_UP:
                raise _outage(name, held, len(wanted))
            progress(done, len(wanted))
    return _mirror(name, wanted, held, snapshots, limits or Limits())


@contextmanager
def fetching_at_once(most: int) -> Iterator[ThreadPoolExecutor]:
    """A thread pool for fetching; an interrupt waits only for the requests under way."""
    pool = ThreadPoolExecutor(max_workers=max(1, most))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def forecast_of(name: str, addresses: Sequence[str], client: PoliteClient, mean_size: int) -> Forecast:
    """A forecast of fetching the addresses; fresh snapshots are not counted."""
    at_hand = sum(client.at_hand(address) for address in addresses)
    left = len(addresses) - at_hand
    return Forecast(name, len(addresses), at_hand, left * mean_size, left * client.manners.interval)


def _fetch(file: ListedFile, client: PoliteClient, snapshots: Snapshots, check: Check) -> _Held:
    known = snapshots.last(redacted(file.url))
    try:
        answer = client.get(file.url)
    except (FetchFailed, FetchRefused) as fault:
        held = _stand_in(known, snapshots, getattr(fault, "reason", str(fault)))
        status = fault.status if isinstance(fault, FetchFailed) else _NOT_FOUND
        return replace(held, unanswered=status == 0 or status >= 500)
    fault_found = "" if answer.from_cache else check(file.path, answer.data)
    if not fault_found:
        current = snapshots.last(redacted(file.url))
        return _Held(
            answer.sha256, len(answer.data), seen=current.checked_at.date() if current is not None else None
        )
    # A damaged body must not be confirmed by its own validators next time.
    current = snapshots.last(redacted(file.url))
    if known is not None:
        snapshots.record(known)
    elif current is not None:
        snapshots.record(replace(current, etag="", last_modified=""))
    return _stand_in(known, snapshots, fault_found)


_NOT_FOUND = 404


def _outage(name: str, held: Mapping[str, _Held], total: int) -> SourceUnreachable:
    came = sum(not one.fault for one in held.values())
    last = list(held.values())[-1].fault.partition(";")[0]
    kept = f"{came:,} of {total:,} files are kept, and the same command goes on from there"
    return SourceUnreachable(name, f"it does not answer any more ({last}); {kept}")


def _stand_in(known: Sighting | None, snapshots: Snapshots, fault: str) -> _Held:
    if known is not None:
        try:
            size = len(snapshots.get(known.sha256))
        except SnapshotDamaged:
            return _Held("", fault=fault)
        seen = f"{known.checked_at:%Y-%m-%d}"
        reason = f"{fault}; what was seen on {seen} stands in for it"
        return _Held(known.sha256, size, reason, seen=known.checked_at.date())
    return _Held("", fault=f"{fault}; what is stored of it stays as it is")


def _mirror(
    name: str,
    wanted: Iterable[ListedFile],
    held: Mapping[str, _Held],
    snapshots: Snapshots,
    limits: Limits,
) -> LiveMirror:
    broken = {file.work for file in wanted if not held[file.path].sha256}
    listing = Listing[str](name, limits)
    withheld: set[str] = set()
    for file in wanted:
        one = held[file.path]
        if one.fault:
            listing.refuse(file.path, one.fault)
        if file.work in broken:
            withheld.add(file.path)
            if not one.fault:
                listing.refuse(file.path, "another file of the same work could not be had; neither is read")
        elif not listing.add(file.path, one.size, one.sha256):
            break
    seen = {path: one.seen for path, one in held.items() if one.seen is not None}
    return LiveMirror(name, snapshots, listing, withheld, seen)
