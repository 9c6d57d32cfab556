"""EUR-Lex online: acts in force as CELLAR lists them, fetched into a folder with the archive's layout.

There is no single file of all Union law. CELLAR is asked for the numbers of acts in force, page by page, then
for each act's text as adopted and as last consolidated, in English and French.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from pykala.fetch.folder import FolderMirror
from pykala.fetch.http import PoliteClient
from pykala.fetch.limits import Limits
from pykala.fetch.mirror import Mirror
from pykala.fetch.order import EVERYTHING, FetchOrder, Forecast
from pykala.fetch.refusals import MirrorDamaged, Refusal
from pykala.fetch.snapshots import Snapshots

from .cellar import CONTENT, CellarClient, is_recent
from .live import Progress, fetch_acts
from .sparql import ENDPOINT, NAME, numbers_in_force

#: Bytes of a text on average: the archive's 1,404 files hold 251.5 MB.
MEAN_SIZE: Final = 179_100
_LANGUAGES: Final = ("en", "fr")
_TEXTS_OF_AN_ACT: Final = 2 * len(_LANGUAGES)  # as adopted and as last consolidated
_AT_ONCE: Final = 50  # acts whose facts one query asks for
_PAGE: Final = 1_000


class UnionMirror(FolderMirror):
    """The folder of fetched acts; texts that CELLAR did not give are among its refusals."""

    def refuse(self, refusals: Sequence[Refusal]) -> None:
        """Record a text that could not be fetched."""
        self._refusals.update(refusals)


def live_mirror(
    client: PoliteClient,
    snapshots: Snapshots,
    *,
    order: FetchOrder = EVERYTHING,
    progress: Progress = lambda done, total: None,
) -> Mirror:
    """Bring the folder of fetched acts up to date with what is in force, and return it.

    Raises SourceUnreachable where CELLAR does not answer, MirrorDamaged where it lists nothing.
    """
    base = order.address.rstrip("/")
    endpoint = f"{base}/webapi/rdf/sparql" if base else ENDPOINT
    content = f"{base}/resource/celex/" if base else CONTENT
    with CellarClient(client.hosts, client.manners, checked_since=client.checked_since) as cellar:
        numbers = list(_in_force(cellar, order.words, endpoint))
        if not numbers:
            raise MirrorDamaged(NAME, "it lists no act in force by these words; nothing was fetched")
        order.announce(_forecast(numbers, cellar, snapshots, content))
        folder, refusals, done = snapshots.folder / "acts", list[Refusal](), 0
        folder.mkdir(parents=True, exist_ok=True)
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            came = fetch_acts(cellar, some, folder, snapshots, endpoint=endpoint, content=content)
            refusals.extend(came.refusals)
            done += len(some)
            progress(done, len(numbers))
    mirror = UnionMirror(folder, Limits())
    mirror.refuse(refusals)
    return mirror


def _in_force(client: CellarClient, words: Sequence[str], endpoint: str) -> Iterator[str]:
    for page in count():
        asked = {"limit": _PAGE, "offset": page * _PAGE}
        numbers, last = numbers_in_force(client, words, endpoint=endpoint, **asked)
        yield from numbers
        if last:
            return


def _forecast(numbers: Sequence[str], client: CellarClient, snapshots: Snapshots, content: str) -> Forecast:
    """At most four texts an act; an act whose text as adopted was checked lately is at hand."""
    at_hand = sum(is_recent(client, number, _LANGUAGES[0], snapshots, content) for number in numbers)
    left = (len(numbers) - at_hand) * _TEXTS_OF_AN_ACT
    files, there = len(numbers) * _TEXTS_OF_AN_ACT, at_hand * _TEXTS_OF_AN_ACT
    return Forecast(NAME, files, there, left * MEAN_SIZE, left * client.manners.interval)
