"""A mirror of a source as it stands online: what an index lists, fetched into snapshots and read from there.

Every file is asked for with its validators, so that only what changed is sent again. A file that does not
come, or comes damaged, is a refusal of that file; what it held when it was last seen stands in for it.
Files that make one work come together or not at all: half a work would take the place of a whole one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from .http import FetchFailed, FetchRefused, PoliteClient, redacted
from .indexed import IndexedMirror, Listing
from .limits import Limits
from .refusals import RefusedFile
from .snapshots import Sighting, SnapshotDamaged, Snapshots

__all__ = ["Check", "ListedFile", "LiveMirror", "Progress", "fetch_listed"]

#: Says what is wrong with a body that came whole, or nothing: a login page, half a file, another format.
Check = Callable[[str, bytes], str]
Progress = Callable[[int, int], None]  # files asked for, files in all
#: Together with the interval between requests this bounds what a source has to bear.
AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file that an index lists: the path it has in the mirror, its address, the work it belongs to."""

    path: str
    url: str
    work: str


@dataclass(frozen=True, slots=True)
class _Held:
    """What is at hand of a file: the hash of its body, empty where there is none, and what went wrong."""

    sha256: str
    size: int = 0
    fault: str = ""


class LiveMirror(IndexedMirror[str]):
    """Files of an online source; a place is the hash of a snapshot. It can be read by several processes.

    `withheld` are the paths that the source lists and that are not at hand: they are not gone, and nothing
    that was stored of them may be removed.
    """

    def __init__(
        self, name: str, snapshots: Snapshots, listing: Listing[str], withheld: Collection[str] = ()
    ) -> None:
        super().__init__(name, listing.limits, listing)
        self._snapshots = snapshots
        self.withheld = frozenset(withheld)

    def _bytes(self, path: str, place: str) -> bytes:
        try:
            return self._snapshots.get(place)
        except SnapshotDamaged as fault:
            raise RefusedFile(path, str(fault)) from fault


def fetch_listed(
    name: str,
    files: Iterable[ListedFile],
    client: PoliteClient,
    snapshots: Snapshots,
    *,
    check: Check = lambda path, data: "",
    at_once: int = AT_ONCE,
    limits: Limits | None = None,
    progress: Progress = lambda done, total: None,
) -> LiveMirror:
    """Bring the snapshots up to date with a listing and return them as a mirror.

    `client` must keep what it fetches in `snapshots`. Raises nothing for a file that cannot be had.
    """
    wanted = sorted(set(files), key=lambda file: file.path)
    held: dict[str, _Held] = {}
    with ThreadPoolExecutor(max_workers=max(1, at_once)) as pool:
        fetched = pool.map(lambda file: _fetch(file, client, snapshots, check), wanted)
        for done, (file, one) in enumerate(zip(wanted, fetched, strict=True), 1):
            held[file.path] = one
            progress(done, len(wanted))
    return _mirror(name, wanted, held, snapshots, limits or Limits())


def _fetch(file: ListedFile, client: PoliteClient, snapshots: Snapshots, check: Check) -> _Held:
    known = snapshots.last(redacted(file.url))
    try:
        answer = client.get(file.url)
    except (FetchFailed, FetchRefused) as fault:
        return _stand_in(known, snapshots, getattr(fault, "reason", str(fault)))
    fault_found = "" if answer.from_cache else check(file.path, answer.data)
    if not fault_found:
        return _Held(answer.sha256, len(answer.data))
    # A damaged body must not be confirmed by its own validators next time.
    current = snapshots.last(redacted(file.url))
    if known is not None:
        snapshots.record(known)
    elif current is not None:
        snapshots.record(replace(current, etag="", last_modified=""))
    return _stand_in(known, snapshots, fault_found)


def _stand_in(known: Sighting | None, snapshots: Snapshots, fault: str) -> _Held:
    if known is not None:
        try:
            size = len(snapshots.get(known.sha256))
        except SnapshotDamaged:
            return _Held("", fault=fault)
        seen = f"{known.checked_at:%Y-%m-%d}"
        return _Held(known.sha256, size, f"{fault}; what was seen on {seen} stands in for it")
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
    return LiveMirror(name, snapshots, listing, withheld)
