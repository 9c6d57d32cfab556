"""Title 11 online: what Open Legislation answers, as a mirror under the paths that the pack reads."""

from __future__ import annotations

from pykala.fetch.http import FetchFailed, FetchRefused, PoliteClient
from pykala.fetch.indexed import Listing
from pykala.fetch.limits import Limits
from pykala.fetch.live import LiveMirror, Progress
from pykala.fetch.refusals import MirrorDamaged, MirrorUnavailable
from pykala.fetch.snapshots import Snapshots

from .connector import BASE, OpenLegislation, SourceUnusable

NAME = "Open Legislation"


def live_mirror(
    client: PoliteClient,
    snapshots: Snapshots,
    key: str,
    *,
    base: str = BASE,
    progress: Progress = lambda done, total: None,
) -> LiveMirror:
    """Bring snapshots up to date. The title comes whole or not at all: an outage is never "no law".

    Raises MirrorUnavailable without a key or an answer, MirrorDamaged for an answer that is not the law.
    """
    if not key:
        raise MirrorUnavailable(
            NAME, "it needs a key: get one at legislation.nysenate.gov and set PYKALA_KEY_NYC"
        )
    listing = Listing[str](NAME, Limits())
    try:
        service = OpenLegislation(client, key, base=base)
        sections = len(service.sections())
        for done, file in enumerate(service.files(), 1):
            listing.add(file.path, len(file.data), file.sha256)
            progress(done, sections)
    except (FetchFailed, FetchRefused) as fault:
        raise MirrorUnavailable(NAME, f"it cannot be had ({fault}); nothing was changed") from fault
    except (SourceUnusable, ValueError) as fault:
        raise MirrorDamaged(NAME, f"{fault}; nothing was changed") from fault
    for refusal in service.refusals:
        listing.refuse(refusal.path, refusal.reason)
    return LiveMirror(NAME, snapshots, listing, [refusal.path for refusal in service.refusals])
