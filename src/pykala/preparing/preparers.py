"""Prepare many items: in this process, on several cores, or on a cluster; results keep the order.

An item that ends its process, wherever that runs, is prepared again, and refused when it does so every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pykala.fetch.confined import ConfinedProcesses
from pykala.fetch.mirror import Mirror
from pykala.fetch.workers import WorkerPool
from pykala.packs.pack import Pack, SourceItem
from pykala.preparing.item import Prepared, prepare_item
from pykala.preparing.lost_items import Prepare, few_lost, lost_item


@contextmanager
def preparing(
    pack: Pack,
    source: Mirror,
    *,
    workers: int,
    scheduler: str = "",
    titled: tuple[str, ...] = (),
    confined: ConfinedProcesses | None = None,
) -> Iterator[Prepare]:
    """Choose how to prepare items: with a Dask scheduler where one is named."""
    if scheduler and confined is None:
        from pykala.preparing.on_dask import preparing_on_dask

        with preparing_on_dask(pack, source, scheduler=scheduler, titled=titled) as prepare:
            yield prepare
        return
    if workers <= 1 or confined is not None:
        yield lambda jobs: (prepare_item(pack, source, item, stamp, titled, confined) for item, stamp in jobs)
        return
    with WorkerPool(workers, _prepare, pack, source, titled) as pool:
        yield lambda jobs: few_lost(pool.in_order(jobs, lost_item))


def _prepare(pack: Pack, source: Mirror, titled: tuple[str, ...], item: SourceItem, stamp: str) -> Prepared:
    return prepare_item(pack, source, item, stamp, titled)
