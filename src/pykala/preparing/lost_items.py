"""Items that end their worker process: each is refused; several in a row are an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from pykala.fetch.refusals import Refusal
from pykala.fetch.workers import WorkerLost
from pykala.packs.pack import SourceItem
from pykala.preparing.item import Prepared

_LOST: Final = "it ended its worker process three times, perhaps for want of memory; the next run tries again"
#: So many lost items one after another are no fault of theirs.
_LOST_IN_A_ROW: Final = 3

Job = tuple[SourceItem, str]  # an item and its fingerprint
Prepare = Callable[[Iterable[Job]], Iterator[Prepared]]


def lost_item(item: SourceItem, fingerprint: str) -> Prepared:
    """The refusal of an item that ends every process that reads it."""
    refusals = tuple(Refusal(path, _LOST) for path in item.paths)
    return Prepared(item, fingerprint, None, refusals, lost=True)


def few_lost(prepared: Iterable[Prepared]) -> Iterator[Prepared]:
    """Pass on prepared items; raise WorkerLost when several in a row are lost."""
    lost: list[Prepared] = []  # not given on before it is known that the machine is well
    for one in prepared:
        lost = [*lost, one] if one.lost else lost
        if len(lost) >= _LOST_IN_A_ROW:
            raise WorkerLost(
                "worker processes end unexpectedly one after another, perhaps for want of memory; what was"
                " published is safe. Run the command again, with fewer --workers"
            )
        if not one.lost:
            yield from lost
            lost = []
            yield one
    yield from lost
