"""Title 11 online: the responses of Open Legislation, as a mirror under the paths that the pack reads."""

from __future__ import annotations

from pykala.fetch.http import FetchFailed, FetchRefused, PoliteClient
from pykala.fetch.indexed import Listing
from pykala.fetch.limits import Limits
from pykala.fetch.live import LiveMirror, Progress
from pykala.fetch.order import EVERYTHING, FetchOrder, Forecast
from pykala.fetch.refusals import MirrorDamaged, MirrorUnavailable, SourceUnreachable
from pykala.fetch.snapshots import Snapshots

from .connector import BASE, OpenLegislation, SourceUnusable

NAME = "Open Legislation"
#: Bytes of a section on average: the 816 sections of Title 11 hold 4.2 MB.
MEAN_SIZE = 5_100


def live_mirror(
    client: PoliteClient,
    snapshots: Snapshots,
    key: str,
    *,
    base: str = BASE,
    order: FetchOrder = EVERYTHING,
    progress: Progress = lambda done, total: None,
) -> LiveMirror:
    """Bring snapshots up to date. The title comes whole or not at all: an outage is never "no law".

    Raises MirrorUnavailable without a key, SourceUnreachable without an answer, MirrorDamaged for an answer
    that is not the law.
    """
    if not key:
        raise MirrorUnavailable(
            NAME, "it needs a key: get one at legislation.nysenate.gov and set PYKALA_KEY_NYC"
        )
    listing = Listing[str](NAME, Limits())
    try:
        service = OpenLegislation(client, key, base=order.address or base)
        locations = service.sections()
        sections, at_hand = len(locations), sum(map(service.at_hand, locations))
        left = sections - at_hand
        order.announce(Forecast(NAME, sections, at_hand, left * MEAN_SIZE, left * client.manners.interval))
        for done, file in enumerate(service.files(), 1):
            listing.add(file.path, len(file.data), file.sha256)
            progress(done, sections)
    except (FetchFailed, FetchRefused) as fault:
        raise SourceUnreachable(NAME, f"it cannot be had ({fault}); nothing was changed") from fault
    except (SourceUnusable, ValueError) as fault:
        raise MirrorDamaged(NAME, f"{fault}; nothing was changed") from fault
    for refusal in service.refusals:
        listing.refuse(refusal.path, refusal.reason)
    return LiveMirror(NAME, snapshots, listing, [refusal.path for refusal in service.refusals])
