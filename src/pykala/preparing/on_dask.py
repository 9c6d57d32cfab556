"""Prepare items on a Dask cluster: each task carries its item's bytes and returns the result.

The workers need nothing but this package: no source, no library. The scheduler gives the items of a worker
that died to another one. Items are sent only some way ahead of what is stored.
"""

from __future__ import annotations

import logging
import secrets
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from pykala.fetch.mirror import Mirror, SourceFile
from pykala.fetch.refusals import Refusal
from pykala.fetch.workers import WorkerLost
from pykala.packs.pack import Pack, SourceItem, installed, pack_for
from pykala.preparing.item import PREPARATION, Prepared, prepare_files
from pykala.preparing.lost_items import Job, Prepare, few_lost, lost_item
from pykala.preparing.uncollected import uncollected

if TYPE_CHECKING:
    from distributed import Future

MISSING_EXTRA: Final = "workers on other machines need the extra 'cluster': pip install 'pykala[cluster]'"
_AHEAD: Final = 6  # items for each thread of the workers
_BYTES_AHEAD: Final = 256 * 1024**2
_CONNECT_SECONDS: Final = 10
_WORKER_SECONDS: Final = 30
#: Items are as large as acts are; the warning is about graphs of thousands of small tasks.
_SETTINGS: Final = {"distributed.admin.large-graph-warning-threshold": "1GB"}


@dataclass(frozen=True, slots=True)
class Sent:
    """An item as a worker receives it, with everything the worker needs."""

    pack: Pack | str  # by its code where it is installed
    edition: str  # of everything that decides what is made of the item
    item: SourceItem
    files: tuple[SourceFile, ...]
    fingerprint: str
    titled: tuple[str, ...]


def prepare_sent(sent: Sent) -> Prepared:
    """Prepare an item on a worker."""
    pack = pack_for(sent.pack) if isinstance(sent.pack, str) else sent.pack
    if _edition(pack) != sent.edition:
        raise WorkerLost(
            f"a worker has pykala {_edition(pack)}, and this command {sent.edition} (version, preparation,"
            " pack); install the same version on all of them"
        )
    with uncollected():
        return prepare_files(pack, sent.item, sent.files, sent.fingerprint, sent.titled)


def _edition(pack: Pack) -> str:
    return f"{version('pykala')}, {PREPARATION}, {pack.facts.code} {pack.facts.version}"


@contextmanager
def preparing_on_dask(
    pack: Pack, source: Mirror, *, scheduler: str, titled: tuple[str, ...] = ()
) -> Iterator[Prepare]:
    """Prepare items with the workers of a scheduler. Raises WorkerLost, which says what to do."""
    try:
        import dask
        import distributed
    except ImportError as error:
        raise WorkerLost(MISSING_EXTRA) from error
    with _quiet(), dask.config.set(_SETTINGS):
        try:
            connect: Any = distributed.Client
            client = connect(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WorkerLost(
                f"there is no scheduler at {scheduler}; start one with 'dask scheduler', or name its address:"
                " --workers tcp://HOST:8786"
            ) from error
        try:
            threads = _threads(client, scheduler)
            cluster = _Cluster(client, scheduler, pack, source, titled, ahead=threads * _AHEAD)
            yield lambda jobs: few_lost(cluster.in_order(jobs))
        finally:
            with suppress(Exception):  # a scheduler that is gone has nothing to be told
                client.close(timeout=_CONNECT_SECONDS)


def _threads(client: Any, scheduler: str) -> int:
    """The number of worker threads; waits for the first worker."""
    try:
        client.wait_for_workers(1, timeout=_WORKER_SECONDS)
        return int(max(1, sum(client.nthreads().values())))
    except TimeoutError as error:
        raise WorkerLost(
            f"the scheduler at {scheduler} has no workers; start some: 'dask worker {scheduler} --nthreads 1'"
        ) from error


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An item that was sent, or that could not be read."""

    job: Job
    sent: Future[Any] | Prepared
    size: int = 0  # bytes on their way


@dataclass(slots=True)
class _Cluster:
    """Sends items to workers and collects the results in order."""

    client: Any  # of Dask, whose methods have no types
    scheduler: str
    pack: Pack
    source: Mirror
    titled: tuple[str, ...]
    ahead: int

    def in_order(self, jobs: Iterable[Job]) -> Iterator[Prepared]:
        """The result for each item, in order."""
        waiting: deque[_Waiting] = deque()
        size = 0
        for job in jobs:
            waiting.append(self._send(*job))
            size += waiting[-1].size
            while waiting and (len(waiting) >= self.ahead or size > _BYTES_AHEAD):
                size -= waiting[0].size
                yield self._result(waiting.popleft(), waiting)
        while waiting:
            yield self._result(waiting.popleft(), waiting)

    def _send(self, item: SourceItem, fingerprint: str) -> _Waiting:
        job = item, fingerprint
        try:
            files = tuple(self.source.read(path) for path in item.paths)
        except Exception as error:  # refused by name, as everywhere
            reason = f"could not be read: {type(error).__name__}: {error}"
            refusals = tuple(Refusal(path, reason) for path in item.paths)
            return _Waiting(job, Prepared(item, fingerprint, None, refusals))
        code = self.pack.facts.code
        known = code if installed().get(code) is self.pack else self.pack
        sent = Sent(known, _edition(self.pack), item, files, fingerprint, self.titled)
        key = f"pykala-{secrets.token_hex(8)}-{item.name}"
        with self._failures():
            future = self.client.submit(prepare_sent, sent, key=key, pure=False)
        return _Waiting(job, future, sum(len(file.data) for file in files))

    def _result(self, one: _Waiting, others: Iterable[_Waiting]) -> Prepared:
        """The result for an item; where its workers were killed, it is tried once more, alone.

        The scheduler blames every item that a worker held when it died. Alone, only the item itself can be
        to blame.
        """
        from distributed import KilledWorker

        try:
            return self._done(one)
        except KilledWorker:
            for other in others:
                with suppress(KilledWorker):
                    self._done(other)
        try:
            return self._done(self._send(*one.job))
        except KilledWorker:
            return lost_item(*one.job)

    def _done(self, one: _Waiting) -> Prepared:
        """Wait for a result while there are workers."""
        if isinstance(one.sent, Prepared):
            return one.sent
        with self._failures():
            while True:
                try:
                    result: Prepared = one.sent.result(timeout=_WORKER_SECONDS)
                    return result
                except TimeoutError:
                    _threads(self.client, self.scheduler)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            yield
        except (KilledWorker, WorkerLost):
            raise
        except (CancelledError, OSError, TimeoutError, RuntimeError) as error:
            raise WorkerLost(
                f"the scheduler at {self.scheduler} ended or cannot be reached; what was stored is safe."
                " Start it and its workers, and run the same command again: it goes on from there"
            ) from error
        except Exception as error:  # a worker that lacks a package, or has another one
            raise WorkerLost(
                f"the workers of {self.scheduler} could not do the work ({type(error).__name__}: {error});"
                " install the same pykala on all of them"
            ) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the client's log: errors are raised, in one line."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
