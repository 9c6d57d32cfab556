"""The write path, top to bottom: fetch → parse → relate → cut into passages → store.

Work is grouped into items (the files of one work). An item whose files and readers are unchanged is
neither parsed nor written. Items are prepared on several cores and stored in order, in batches; a kill
loses at most the batch under way, and the next run goes on from there.
"""

from __future__ import annotations

import gc
import hashlib
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context

from pykala.fetch.mirror import Mirror
from pykala.fetch.refusals import Refusal
from pykala.graph.relate import relate
from pykala.law.bundles import Bundle
from pykala.law.identifiers import WorkId
from pykala.law.references import Reference
from pykala.packs.pack import Pack, Reading, Snapshot, SourceItem, SurveyingPack
from pykala.passages.cut import cut
from pykala.stores.store import Store

#: Raised when relating or cutting changes what is stored: items are then prepared again.
PREPARATION = "3"
_PUBLISH_AFTER = 40_000  # children; a publication costs about a second
_FEW = 24  # items; below this, starting workers costs more than they save


class WorkerLost(RuntimeError):
    """A worker process ended before its work was done, most likely for want of memory."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a worker makes of an item: a bundle to store, or the reasons why there is none."""

    item: SourceItem
    fingerprint: str
    bundle: Bundle | None
    refusals: tuple[Refusal, ...]


@dataclass(slots=True)
class Report:
    """What an ingest did, for the person who ran it."""

    read: int = 0
    unchanged: int = 0
    removed: int = 0
    refusals: list[Refusal] = field(default_factory=list)
    documents: Counter[str] = field(default_factory=Counter)
    passages: int = 0
    references: int = 0
    gone: list[str] = field(default_factory=list)  # stored earlier, no longer in the source
    kept: frozenset[str] = frozenset()  # stored from files that this source lacks: left as they are
    unresolved: Mapping[str, int] = field(default_factory=dict)


Progress = Callable[[int, int], None]  # items done, items in all


def ingest(
    store: Store,
    pack: Pack,
    source: Mirror,
    *,
    workers: int = 1,
    prune: bool = False,
    progress: Progress = lambda done, total: None,
) -> Report:
    """Bring a store up to date with a source."""
    hashes = {file.path: file.sha256 for file in source.files()}
    # What could not be opened, or went away since it was listed, is among the refusals by now.
    report = Report(refusals=list(source.refusals))
    grouped = pack.survey(source, workers) if isinstance(pack, SurveyingPack) else pack.works(source.paths())
    items = [item for item in grouped if all(path in hashes for path in item.paths)]
    known = store.fingerprints()
    fingerprints = {item.name: _fingerprint(pack, item, hashes) for item in items}
    changed = [item for item in items if known.get(item.name) != fingerprints[item.name]]
    report.unchanged = len(items) - len(changed)
    if not prune:
        report.kept = _from_more_sources(store, changed, {*hashes, *(one.path for one in source.refusals)})
        changed = [item for item in changed if item.name not in report.kept]
    progress(report.unchanged, len(items))
    with _uncollected(), _preparing(pack, source, workers if len(changed) > _FEW else 1) as prepare:
        prepared = prepare((item, fingerprints[item.name]) for item in changed)
        _store_all(store, prepared, report, progress, len(items))
    report.gone = _gone(store, pack, {item.name for item in items}, source)
    if prune:
        _prune(store, report)
    report.unresolved = store.stats().unresolved
    return report


def prepare_item(pack: Pack, source: Mirror, item: SourceItem, fingerprint: str) -> Prepared:
    """Read one item and make everything of it that is stored. A bad file never stops the rest."""
    try:
        files = [source.read(path) for path in item.paths]
        snapshots = [Snapshot(file.path, file.data, file.sha256) for file in files]
        reading = pack.read(item, snapshots)
        bundle = _bundle(pack, item, fingerprint, reading) if reading.work else None
    except Exception as error:  # whatever a hostile or broken file brings about: refused, by name
        reason = f"could not be read: {type(error).__name__}: {error}"
        return Prepared(item, fingerprint, None, tuple(Refusal(path, reason) for path in item.paths))
    return Prepared(item, fingerprint, bundle, reading.refusals)


def _bundle(pack: Pack, item: SourceItem, fingerprint: str, reading: Reading) -> Bundle:
    assert reading.work is not None
    facts = pack.facts
    references: list[Reference] = []
    for document in reading.documents:
        references.extend(relate(document, pack, facts.exception_cues, facts.yielding_cues))
    return Bundle(
        work=reading.work,
        item=item.name,
        fingerprint=fingerprint,
        documents=reading.documents,
        references=tuple(references),
        pairings=reading.pairings,
        passages=tuple(
            passage for document in reading.documents for passage in cut(document, pack.sections(document))
        ),
        paths=item.paths,
    )


def _store_all(
    store: Store, prepared: Iterable[Prepared], report: Report, progress: Progress, total: int
) -> None:
    """Store what the workers prepare, publishing a batch whenever enough has come together."""
    waiting = iter(prepared)
    one = next(waiting, None)
    while one is not None:
        size = 0
        with store.batch():
            while one is not None and size < _PUBLISH_AFTER:
                size += _store(store, one, report)
                progress(report.unchanged + report.read, total)
                one = next(waiting, None)


def _store(store: Store, prepared: Prepared, report: Report) -> int:
    report.read += 1
    report.refusals.extend(prepared.refusals)
    bundle = prepared.bundle
    if bundle is None:
        reasons = [(refusal.path, refusal.reason) for refusal in prepared.refusals]
        store.refuse(prepared.item.name, prepared.fingerprint, reasons)
        return 0
    store.put(bundle)
    report.documents.update(document.language for document in bundle.documents)
    report.passages += len(bundle.passages)
    report.references += len(bundle.references)
    return sum(len(passage.children) for passage in bundle.passages)


def _fingerprint(pack: Pack, item: SourceItem, hashes: Mapping[str, str]) -> str:
    facts = pack.facts
    parts = [facts.code, facts.version, PREPARATION]
    parts += [f"{path}={hashes[path]}" for path in item.paths]
    parts += [f"{path}: {note}" for path, note in item.notes]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _from_more_sources(store: Store, changed: Iterable[SourceItem], present: set[str]) -> frozenset[str]:
    """Items whose stored work was also read from files that are not here now.

    To read them again from less would put a poorer text in the place of a better one.
    """
    sources = store.sources()
    return frozenset(
        item.name for item in changed if any(p not in present for p in sources.get(item.name, ()))
    )


def _gone(store: Store, pack: Pack, present: set[str], source: Mirror) -> list[str]:
    """Works of this pack that were stored earlier and that the source does not have any more.

    What it lists and could not give is not gone: an outage never yields "no law".
    """
    refused = {refusal.path for refusal in source.refusals}
    present |= {item.name for item in pack.works((*source.paths(), *refused))}
    sources = store.sources()
    return sorted(
        str(work)
        for item, work in store.items().items()
        if work.jurisdiction == pack.facts.code
        and item not in present
        and refused.isdisjoint(sources.get(item, ()))
    )


def _prune(store: Store, report: Report) -> None:
    with store.batch():
        for name in report.gone:
            store.delete(WorkId(name))
            report.removed += 1


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the cycle collector: documents are trees of millions of nodes and hold no cycles to find."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


_Prepare = Callable[[Iterable[tuple[SourceItem, str]]], Iterator[Prepared]]


@contextmanager
def _preparing(pack: Pack, source: Mirror, workers: int) -> Iterator[_Prepare]:
    """A way to prepare items: here, or on several cores, always in the order they were given."""
    if workers <= 1:
        yield lambda jobs: (prepare_item(pack, source, item, fingerprint) for item, fingerprint in jobs)
        return
    # Spawned, not forked: a fork would copy the index writer's threads in whatever state they are.
    executor = ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=_start_worker,
        initargs=(pack, source),
    )
    try:
        # Far enough ahead that the workers have something to do while a batch is published.
        yield lambda jobs: _in_order(executor, jobs, ahead=workers * 24)
    except BrokenProcessPool as error:
        raise WorkerLost(
            "a worker process ended unexpectedly, perhaps for want of memory; what was published is safe."
            " Run the command again, with fewer --workers"
        ) from error
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _in_order(
    executor: ProcessPoolExecutor, jobs: Iterable[tuple[SourceItem, str]], ahead: int
) -> Iterator[Prepared]:
    waiting: deque[Future[Prepared]] = deque()
    for item, fingerprint in jobs:
        waiting.append(executor.submit(_work, item, fingerprint))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


_worker: tuple[Pack, Mirror] | None = None


def _start_worker(pack: Pack, source: Mirror) -> None:
    global _worker
    _worker = (pack, source)
    gc.disable()
    # An interrupt is for the process that stores: it stops at a batch and lets the workers go.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(item: SourceItem, fingerprint: str) -> Prepared:
    assert _worker is not None
    return prepare_item(*_worker, item, fingerprint)
