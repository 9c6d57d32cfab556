"""The source of a pack: its publisher, or a folder of mirrors."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from pykala.fetch.addresses import LOOPBACK, AllowedHosts
from pykala.fetch.mirror import Mirror
from pykala.fetch.order import EVERYTHING, FetchOrder
from pykala.fetch.refusals import MirrorUnavailable
from pykala.ingest import Progress
from pykala.packs.pack import LivePack, PackFacts, pack_for


class UnknownSubject(LookupError):
    """A subject that a pack does not know."""


def live_source(
    pack: str,
    snapshots: Path,
    *,
    key: str = "",
    order: FetchOrder = EVERYTHING,
    checked_since: datetime | None = None,
    progress: Progress = lambda done, total: None,
) -> AbstractContextManager[Mirror]:
    """A pack's source from its publisher; only changes since the last time are fetched.

    `key` is the user's own, for a publisher that wants one. What the publisher confirmed since
    `checked_since` is not asked for again: a fetch that was cut off goes on where it stopped.
    """
    found = pack_for(pack)
    if not isinstance(found, LivePack):
        raise MirrorUnavailable(pack, "it has no live source here; give --from FOLDER_OR_ARCHIVE")
    # Network code is imported only where it is used.
    from pykala.fetch.http import Manners, PoliteClient
    from pykala.fetch.snapshots import Snapshots

    kept = Snapshots(snapshots / pack)
    hosts = AllowedHosts(frozenset(found.facts.hosts))
    if order.address:
        hosts = AllowedHosts(frozenset({urlsplit(order.address).hostname or ""}), loopback=True)
    # Five requests a second: a first full fetch of ten thousand files then takes under an hour.
    manners = Manners(user_agent=f"pykala/{version('pykala')}", interval=0.2)
    if urlsplit(order.address).hostname in LOOPBACK:  # one's own mirror need not be spared
        manners = replace(manners, interval=0.0, first_wait=0.0)
    with PoliteClient(hosts, manners, snapshots=kept, checked_since=checked_since) as client:
        # The mirror reads what was fetched, so that the client may be closed before it.
        return found.live(client, kept, key=key, order=order, progress=progress)


def subject_words(pack: str, subject: str) -> tuple[str, ...]:
    """The title words of a pack's subject; empty for no subject. Raises UnknownSubject."""
    known = pack_for(pack).facts.subjects
    if not subject:
        return ()
    if subject not in known:
        there = ", ".join(sorted(known)) or "none"
        raise UnknownSubject(f"{pack} has no subject {subject!r}; there are: {there}")
    return known[subject]


def mirrors_in(pack: str, folder: Path, *, only: bool) -> tuple[Path, ...]:
    """A pack's archives and folders in a folder of mirrors: `fi`, `finland-akn.tar.zst`, `canada.zip`.

    An archive may be a link, because the user named the folder; a link to a folder is not followed.
    Where no name fits, the folder or archive itself is the mirror, if it is for this pack `only`.
    """
    names = _names(pack_for(pack).facts)
    named = sorted(path for path in folder.iterdir() if _is_of(path, names)) if folder.is_dir() else []
    found = tuple(path for path in named if path.is_file() or (path.is_dir() and not path.is_symlink()))
    if found:
        return found
    if named:
        raise MirrorUnavailable(str(folder), f"{named[0].name} is {_not_read(named[0])}")
    if only:
        return (folder,)
    raise MirrorUnavailable(
        str(folder), f"it holds nothing of {pack}: no name begins with {' or '.join(sorted(names))}"
    )


def _names(facts: PackFacts) -> frozenset[str]:
    return frozenset({facts.code, facts.package.rpartition(".")[2]})


def _is_of(path: Path, names: frozenset[str]) -> bool:
    """Whether a name is one of these, alone or before a dash, underscore or dot."""
    stem = path.name.casefold()
    return stem.replace("_", "-").replace(".", "-").partition("-")[0] in names


def _not_read(path: Path) -> str:
    """Why a file with the name of a mirror cannot be used as one, and what to do."""
    if path.is_symlink() and path.is_dir():
        return f"a link to a folder; give that folder itself: --from {path.resolve()}"
    if path.is_symlink() and not path.exists():
        return "a link that leads nowhere; check where the archive is"
    return "neither an archive nor a folder; give one of these"
