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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context

from pykala.fetch.confined import Bounds, ConfinedProcesses, TookTooMuch
from pykala.fetch.mirror import Mirror, SourceFile
from pykala.fetch.refusals import Refusal
from pykala.graph.relate import relate
from pykala.law.bundles import Bundle
from pykala.law.currency import newest
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, Manifestation, Work
from pykala.law.references import Reference
from pykala.packs.pack import Pack, Reading, Snapshot, SourceItem, SurveyingPack, installed, pack_for
from pykala.passages.cut import cut
from pykala.stores.holding import Held, Keeper, why_not_prune
from pykala.stores.store import Store, WritableStore
from pykala.text.encoding import REPAIRED, repaired

#: Raised when relating or cutting changes what is stored: items are then prepared again.
PREPARATION = "5"
_PUBLISH_AFTER = 40_000  # children; a publication costs about a second
_PARTIAL = "only a part of the source was asked for"
_FOR_A_FILE = Bounds(seconds=60, patience=300.0)  # that reading one untrusted file may take
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
    mended: tuple[str, ...] = ()
    beside_subject: bool = False  # its title holds none of the words that were asked for


@dataclass(slots=True)
class Report:
    """What an ingest did, for the person who ran it."""

    read: int = 0
    unchanged: int = 0
    removed: int = 0
    refusals: list[Refusal] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)  # files whose text was encoded twice, read as meant
    documents: Counter[str] = field(default_factory=Counter)
    passages: int = 0
    references: int = 0
    gone: list[str] = field(default_factory=list)  # stored earlier, no longer in the source
    kept: frozenset[str] = frozenset()  # stored from files that this source lacks: left as they are
    held: list[Held] = field(default_factory=list)  # what came in their place looks broken: left as they are
    left_out: int = 0  # read, and of another subject than the one asked for
    not_pruned: str = ""  # why nothing was removed though it was asked for
    unresolved: Mapping[str, int] = field(default_factory=dict)

    @property
    def held_back(self) -> bool:
        """Whether something was not done so that good law stays: a person must look."""
        return bool(self.held or self.not_pruned)


Progress = Callable[[int, int], None]  # items done, items in all


def ingest(
    store: WritableStore,
    pack: Pack,
    source: Mirror,
    *,
    workers: int = 1,
    prune: bool = False,
    accept: bool = False,
    partial: bool = False,
    titled: Sequence[str] = (),
    whole: bool = True,
    progress: Progress = lambda done, total: None,
    confined: ConfinedProcesses | None = None,
) -> Report:
    """Bring a store up to date with a source.

    A `partial` source was asked for some works only: what it lacks is not gone. With `titled`, only works
    whose title holds one of the words are stored, and the others are left as they are.
    With `confined`, files from nobody knows where are read in a process that is ended if it takes too much.

    A work whose text breaks or shrinks to less than half stays as it was (`Report.held`); `accept` takes the
    shorter text, never a broken file. `prune` removes what left the source, if the source is whole.
    Single acts (`whole` is false) do not tell how far the rest of the library reaches.
    """
    hashes = {file.path: file.sha256 for file in source.files()}
    # What could not be opened, or went away since it was listed, is among the refusals by now.
    report = Report(refusals=list(source.refusals))
    grouped = pack.survey(source, workers) if isinstance(pack, SurveyingPack) else pack.works(source.paths())
    items = [item for item in grouped if all(path in hashes for path in item.paths)]
    known = store.fingerprints()
    fingerprints = {item.name: _fingerprint(pack, item, hashes) for item in items}
    changed = [item for item in items if known.get(item.name) != fingerprints[item.name]]
    report.unchanged = len(items) - len(changed)
    partial = partial or bool(titled)
    if prune:
        report.not_pruned = _PARTIAL if partial else why_not_prune(source.refusals, hashes, items)
        prune = not report.not_pruned
    if not prune:
        report.kept = _from_more_sources(store, changed, {*hashes, *(one.path for one in source.refusals)})
        changed = [item for item in changed if item.name not in report.kept]
    progress(report.unchanged, len(items))
    used = workers if len(changed) > _FEW else 1
    with _uncollected(), _preparing(pack, source, used, tuple(titled), confined) as prepare:
        prepared = prepare((item, fingerprints[item.name]) for item in changed)
        _store_all(store, prepared, report, progress, len(items), Keeper.of(store, accept=accept))
    if not partial:
        report.gone, silent = _missing(store, pack, items, source)
        report.held += silent
    if prune:
        _prune(store, report)
    if whole:
        _record_days(store, pack.facts.code)
    report.unresolved = store.stats().unresolved
    return report


class WrongPack(ValueError):
    """A source of which a pack reads nothing, and another pack does."""


def require_fitting(pack: Pack, source: Mirror) -> None:
    """WrongPack, with the name of the right one, where a source is another pack's."""
    paths = list(source.paths())
    if not paths or any(True for _ in pack.works(paths)):
        return
    # A pack of uploads reads files whatever they are called, which says nothing of a source.
    others = {code: one for code, one in installed().items() if "upload" not in one.facts.authority}
    counted = {code: sum(1 for _ in one.works(paths)) for code, one in others.items()}
    best = max(counted, key=lambda code: counted[code], default="")
    if best and counted[best]:
        raise WrongPack(
            f"{source.name} holds nothing that the pack {pack.facts.code} reads, and {counted[best]:,} works"
            f" of {best}; run 'pykala ingest {best}' with it"
        )


def prepare_item(
    pack: Pack,
    source: Mirror,
    item: SourceItem,
    fingerprint: str,
    titled: Sequence[str] = (),
    confined: ConfinedProcesses | None = None,
) -> Prepared:
    """Read one item and make everything of it that is stored. A bad file never stops the rest."""
    try:
        files = [source.read(path) for path in item.paths]
        snapshots = [
            Snapshot(file.path, repaired(file.data), file.sha256, retrieved_at=file.retrieved_at)
            for file in files
        ]
        mended = _mended(files, snapshots)
        if confined is not None:
            job = pack.facts.code, item, snapshots, fingerprint, mended
            return confined.bounded(_FOR_A_FILE, prepare_confined, *job)
        return _prepared(pack, item, snapshots, fingerprint, mended, titled)
    except TookTooMuch as error:
        reason = str(error)
    except Exception as error:  # whatever a hostile or broken file brings about: refused, by name
        reason = f"could not be read: {type(error).__name__}: {error}"
    return Prepared(item, fingerprint, None, tuple(Refusal(path, reason) for path in item.paths))


def prepare_confined(
    code: str,
    item: SourceItem,
    snapshots: Sequence[Snapshot],
    fingerprint: str,
    mended: tuple[str, ...],
) -> Prepared:
    """Prepare an item of an installed pack, in whatever process this is."""
    return _prepared(pack_for(code), item, snapshots, fingerprint, mended)


def _prepared(
    pack: Pack,
    item: SourceItem,
    snapshots: Sequence[Snapshot],
    fingerprint: str,
    mended: tuple[str, ...],
    titled: Sequence[str] = (),
) -> Prepared:
    # By their bytes: an upload is known by its name, not by where it lay.
    hashes = frozenset(one.sha256 for one in snapshots if one.path in mended)
    reading = _noted(pack.read(item, snapshots), hashes)
    if titled and not _is_titled(reading, titled):
        return Prepared(item, fingerprint, None, (), beside_subject=True)
    bundle = _bundle(pack, item, fingerprint, reading) if reading.work else None
    return Prepared(item, fingerprint, bundle, reading.refusals, mended)


def _mended(files: Iterable[SourceFile], snapshots: Iterable[Snapshot]) -> tuple[str, ...]:
    """The files whose text was encoded twice and is read as it was meant."""
    pairs = zip(files, snapshots, strict=True)
    return tuple(file.path for file, snapshot in pairs if file.data is not snapshot.data)


def _noted(reading: Reading, mended: Set[str]) -> Reading:
    """A reading whose documents say which of their files were repaired."""
    if not mended:
        return reading
    documents = (
        replace(one, manifestations=tuple(_with_note(file, mended) for file in one.manifestations))
        for one in reading.documents
    )
    return replace(reading, documents=tuple(documents))


def _with_note(file: Manifestation, mended: Set[str]) -> Manifestation:
    told = file.sha256 not in mended or REPAIRED in file.notes
    return file if told else replace(file, notes=(*file.notes, REPAIRED))


def _is_titled(reading: Reading, words: Sequence[str]) -> bool:
    work = reading.work
    titles = (*work.titles, *work.short_titles) if work is not None else ()
    return any(word.casefold() in title.casefold() for _, title in titles for word in words)


def _bundle(pack: Pack, item: SourceItem, fingerprint: str, reading: Reading) -> Bundle:
    assert reading.work is not None
    facts = pack.facts
    references: list[Reference] = []
    for document in reading.documents:
        references.extend(relate(document, pack, facts.exception_cues, facts.yielding_cues))
    return Bundle(
        work=_known_to(reading.work, reading.documents),
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


def _known_to(work: Work, documents: Iterable[Document]) -> Work:
    """A work with no date of its own is known to the day on which it was fetched."""
    if work.current_to or work.issued:
        return work
    files = (file for document in documents for file in document.manifestations)
    fetched = (file.retrieved_at for file in files if file.retrieved_at)
    return replace(work, current_to=max(fetched, default=None))


def _store_all(
    store: WritableStore,
    prepared: Iterable[Prepared],
    report: Report,
    progress: Progress,
    total: int,
    keeper: Keeper,
) -> None:
    """Store what the workers prepare, publishing a batch whenever enough has come together."""
    waiting = iter(prepared)
    one = next(waiting, None)
    while one is not None:
        size = 0
        with store.batch():
            while one is not None and size < _PUBLISH_AFTER:
                size += _store(store, one, report, keeper)
                progress(report.unchanged + report.read, total)
                one = next(waiting, None)


def _record_days(store: WritableStore, jurisdiction: str) -> None:
    """Record to which day each kind of work is known; counted anew, so that a killed run loses nothing."""
    known = store.facts()
    facts = newest(store.works(), jurisdiction)
    if any(known.get(key) != day for key, day in facts.items()):
        store.record(facts)


def _store(store: WritableStore, prepared: Prepared, report: Report, keeper: Keeper) -> int:
    report.read += 1
    if prepared.beside_subject:  # no fingerprint either: who asks for everything later gets it
        report.left_out += 1
        return 0
    report.refusals.extend(prepared.refusals)
    report.mended.extend(prepared.mended)
    bundle = prepared.bundle
    held = keeper.holds_back(prepared.item.name, bundle, prepared.refusals)
    if held is not None:  # its fingerprint is not kept either, so that every run says so until it is mended
        report.held.append(held)
        return 0
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


def _missing(
    store: WritableStore, pack: Pack, items: Sequence[SourceItem], source: Mirror
) -> tuple[list[str], list[Held]]:
    """Works of this pack that the source no longer gives: those gone, and those whose file fell silent.

    What it lists and could not give is not gone, nor is a work with a file there that now gives nothing (a
    survey passes over a file that it cannot make out): an outage never yields "no law".
    """
    refused = {refusal.path for refusal in source.refusals}
    present = {item.name for item in (*items, *pack.works((*source.paths(), *refused)))}
    unread = {*source.paths(), *refused}.difference(*(item.paths for item in items))
    sources, gone, silent = store.sources(), list[str](), list[Held]()
    for name, work in sorted(store.items().items(), key=lambda one: str(one[1])):
        if work.jurisdiction != pack.facts.code or name in present:
            continue
        files = sorted(unread.intersection(sources.get(name, ())))
        if not files:
            gone.append(str(work))
        elif refused.isdisjoint(files):
            silent.append(Held(str(work), f"{files[0]}: it is not law that can be read any more"))
    return gone, silent


def _prune(store: WritableStore, report: Report) -> None:
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
def _preparing(
    pack: Pack,
    source: Mirror,
    workers: int,
    titled: tuple[str, ...],
    confined: ConfinedProcesses | None,
) -> Iterator[_Prepare]:
    """A way to prepare items: here, or on several cores, always in the order they were given."""
    if workers <= 1 or confined is not None:
        yield lambda jobs: (prepare_item(pack, source, item, stamp, titled, confined) for item, stamp in jobs)
        return
    # Spawned, not forked: a fork would copy the index writer's threads in whatever state they are.
    executor = ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=_start_worker,
        initargs=(pack, source, titled),
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


_worker: tuple[Pack, Mirror, tuple[str, ...]] | None = None


def _start_worker(pack: Pack, source: Mirror, titled: tuple[str, ...]) -> None:
    global _worker
    _worker = (pack, source, titled)
    gc.disable()
    # An interrupt is for the process that stores: it stops at a batch and lets the workers go.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(item: SourceItem, fingerprint: str) -> Prepared:
    assert _worker is not None
    pack, source, titled = _worker
    return prepare_item(pack, source, item, fingerprint, titled)
