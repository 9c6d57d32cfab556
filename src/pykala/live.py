"""A pack's source as its publisher has it today."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib.metadata import version
from pathlib import Path

from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.mirror import Mirror
from pykala.fetch.refusals import MirrorUnavailable
from pykala.ingest import Progress
from pykala.packs.pack import LivePack, pack_for


def live_source(
    pack: str, snapshots: Path, *, key: str = "", progress: Progress = lambda done, total: None
) -> AbstractContextManager[Mirror]:
    """A pack's source as its publisher has it today; only what changed since the last time is fetched.

    `key` is the user's own, for a publisher that wants one.
    """
    found = pack_for(pack)
    if not isinstance(found, LivePack):
        raise MirrorUnavailable(pack, "it has no live source here; give --from FOLDER_OR_ARCHIVE")
    # What the network needs is loaded only by who goes there.
    from pykala.fetch.http import Manners, PoliteClient
    from pykala.fetch.snapshots import Snapshots

    kept = Snapshots(snapshots / pack)
    hosts = AllowedHosts(frozenset(found.facts.hosts))
    # Five requests a second: a first full fetch of ten thousand files then takes under an hour.
    manners = Manners(user_agent=f"pykala/{version('pykala')}", interval=0.2)
    with PoliteClient(hosts, manners, snapshots=kept) as client:  # the mirror reads what was fetched
        return found.live(client, kept, key=key, progress=progress)
