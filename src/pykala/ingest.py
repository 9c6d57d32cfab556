"""The write path, top to bottom: fetch → parse → relate → cut into passages → store.

Work is grouped into items (the files of one work). An item whose files and readers are unchanged is
neither parsed nor written. Items are prepared on several cores and stored in order, in batches; a kill
loses at most the batch under way, and the next run goes on from there. Other jurisdictions may be read into
the same library meanwhile, where its engine takes several writers.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pykala.fetch.confined import ConfinedProcesses
from pykala.fetch.mirror import Mirror
from pykala.fetch.refusals import Refusal
from pykala.fetch.workers import WorkerLost
from pykala.law.currency import newest
from pykala.law.identifiers import WorkId
from pykala.packs.pack import Pack, SourceItem, SurveyingPack, installed
from pykala.preparing.item import PREPARATION, Prepared
from pykala.preparing.preparers import preparing
from pykala.preparing.uncollected import uncollected
from pykala.stores.holding import Held, Keeper, why_not_prune
from pykala.stores.store import Store, WritableStore

_PUBLISH_AFTER = 40_000  # children; a publication costs about a second
_PARTIAL = "only a part of the source was asked for"
_FEW = 24  # items; below this, starting workers costs more than they save


@dataclass(slots=True)
class Report:
    """The result of an ingest, for the person who ran it."""

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
        """Whether something was held back so that good law stays: a person must look."""
        return bool(self.held or self.not_pruned)


Progress = Callable[[int, int], None]  # items done, items in all


def ingest(
    store: WritableStore,
    pack: Pack,
    source: Mirror,
    *,
    workers: int = 1,
    scheduler: str = "",
    prune: bool = False,
    accept: bool = False,
    partial: bool = False,
    titled: Sequence[str] = (),
    whole: bool = True,
    progress: Progress = lambda done, total: None,
    confined: ConfinedProcesses | None = None,
) -> Report:
    """Update a store from a source.

    Items are prepared by `workers` processes, or by those of the Dask `scheduler` at an address.
    A `partial` source was asked for some works only: what it lacks is not gone. With `titled`, only works
    whose title holds one of the words are stored, and the others are left as they are.
    With `confined`, files from nobody knows where are read in a process that is ended if it takes too much.

    A work whose text breaks, or shrinks by half (a long one by a fifth), stays as it was (`Report.held`);
    `accept` takes the shorter text, never a broken file. `prune` removes what left the source, if the source
    is whole. Single acts (`whole` is false) do not tell how far the rest of the library reaches.
    """
    with store.alone_in(pack.facts.code):
        hashes = {file.path: file.sha256 for file in source.files()}
        # Files that could not be opened, or went away since they were listed, are among the refusals now.
        report = Report(refusals=list(source.refusals))
        grouped = (
            pack.survey(source, workers) if isinstance(pack, SurveyingPack) else pack.works(source.paths())
        )
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
            report.kept = _from_more_sources(
                store, changed, {*hashes, *(one.path for one in source.refusals)}
            )
            changed = [item for item in changed if item.name not in report.kept]
        progress(report.unchanged, len(items))
        used = workers if len(changed) > _FEW else 1
        used_scheduler = scheduler if changed else ""
        way = preparing(
            pack, source, workers=used, scheduler=used_scheduler, titled=tuple(titled), confined=confined
        )
        with uncollected(), way as prepare:
            prepared = prepare((item, fingerprints[item.name]) for item in changed)
            keeper = Keeper.of(store, accept=accept)
            waiting = _store_all(store, prepared, report, progress, len(items), keeper, hashes)
        _store_what_waited(
            store, waiting, report, keeper, {*hashes}.difference(*(one.paths for one in items))
        )
        report.refusals = list(dict.fromkeys(report.refusals))  # a file may belong to several works
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
    """The source belongs to another pack."""


def require_fitting(pack: Pack, source: Mirror) -> None:
    """Raise WrongPack, with the right pack's name, where the source is another pack's."""
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


def _store_all(
    store: WritableStore,
    prepared: Iterable[Prepared],
    report: Report,
    progress: Progress,
    total: int,
    keeper: Keeper,
    present: Container[str],
) -> list[Prepared]:
    """Store what the workers prepare, and publish it in batches; returns what has to wait for the rest.

    Where writers take turns, a batch is prepared before it begins: meanwhile others have their turn. A store
    of one writer takes each item as it comes: the workers go on meanwhile, and few items are in memory. Where
    the workers are lost for good, what they had prepared is published before the error is raised.
    """
    waiting = _Preparing(prepared, lambda done: progress(report.unchanged + done, total))
    postponed: list[Prepared] = []
    while waiting.first():
        batch: Iterator[Prepared] = waiting.batch()
        if store.takes_turns:
            batch = _emptied(deque(batch))
        with store.batch():
            for one in batch:
                if keeper.waits(one.item, one.bundle, present):
                    postponed.append(one)
                else:
                    _store(store, one, report, keeper)
    if waiting.lost is not None:
        raise waiting.lost
    return postponed


def _emptied(items: deque[Prepared]) -> Iterator[Prepared]:
    """Items, each of which is let go once it was stored."""
    while items:
        yield items.popleft()


class _Preparing:
    """Items as the workers prepare them, in batches that are worth a publication."""

    def __init__(self, prepared: Iterable[Prepared], tell: Callable[[int], None]) -> None:
        self._prepared, self._tell, self._done = iter(prepared), tell, 0
        self._first: Prepared | None = None
        self.lost: WorkerLost | None = None

    def first(self) -> bool:
        """Wait for the first item of the next batch; whether there is one."""
        self._first = self._first or self._next()
        return self._first is not None

    def batch(self) -> Iterator[Prepared]:
        """The items of the next batch, as they come."""
        size = 0
        while size < _PUBLISH_AFTER and self.first():
            one, self._first = self._first, None
            assert one is not None
            size += sum(len(passage.children) for passage in one.bundle.passages) if one.bundle else 0
            yield one

    def _next(self) -> Prepared | None:
        """The next item; none at the end, or where the workers are lost."""
        if self.lost is not None:
            return None
        try:
            one = next(self._prepared, None)
        except WorkerLost as error:
            self.lost = error
            return None
        if one is not None:
            self._done += 1
            self._tell(self._done)
        return one


def _store_what_waited(
    store: WritableStore, waited: Sequence[Prepared], report: Report, keeper: Keeper, unread: Iterable[str]
) -> None:
    """Store the works that files of other works changed, unless one of those files is broken."""
    if not waited:
        return
    broken = dict.fromkeys(unread, "it is not law that can be read any more")
    broken |= dict(store.refusals())
    broken |= {refusal.path: refusal.reason for refusal in report.refusals}
    with store.batch():
        for one in waited:
            assert one.bundle is not None
            held = keeper.holds_back_at_last(one.item, one.bundle, broken, report.held)
            if held is None:
                _store(store, one, report, keeper)
            else:
                report.read += 1
                report.refusals.extend(one.refusals)
                report.held.append(held)


def _record_days(store: WritableStore, jurisdiction: str) -> None:
    """Record the day to which each kind of work is known."""
    known = store.facts()
    facts = newest(store.works(), jurisdiction)
    if any(known.get(key) != day for key, day in facts.items()):
        store.record(facts)


def _store(store: WritableStore, prepared: Prepared, report: Report, keeper: Keeper) -> None:
    report.read += 1
    if prepared.beside_subject:  # and no fingerprint: a later ingest of everything reads them again
        report.left_out += 1
        return
    report.refusals.extend(prepared.refusals)
    report.mended.extend(prepared.mended)
    if prepared.lost:  # nothing is known of its files, so that what is stored stays, and the next run tries
        return
    bundle = prepared.bundle
    held = keeper.holds_back(prepared.item.name, bundle, prepared.refusals)
    if held is not None:  # its fingerprint is not kept either, so that every run says so until it is mended
        report.held.append(held)
        return
    if bundle is None:
        reasons = [(refusal.path, refusal.reason) for refusal in prepared.refusals]
        store.refuse(prepared.item.name, prepared.fingerprint, reasons)
        return
    store.put(bundle)
    report.documents.update(document.language for document in bundle.documents)
    report.passages += len(bundle.passages)
    report.references += len(bundle.references)


def _fingerprint(pack: Pack, item: SourceItem, hashes: Mapping[str, str]) -> str:
    facts = pack.facts
    parts = [facts.code, facts.version, PREPARATION]
    parts += [f"{path}={hashes[path]}" for path in item.paths]
    parts += [f"{path}: {note}" for path, note in item.notes]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _from_more_sources(store: Store, changed: Iterable[SourceItem], present: set[str]) -> frozenset[str]:
    """Items whose stored work was also read from files that this source lacks.

    They are not read again: with fewer files, a poorer text would replace a better one.
    """
    sources = store.sources()
    return frozenset(
        item.name for item in changed if any(p not in present for p in sources.get(item.name, ()))
    )


def _missing(
    store: WritableStore, pack: Pack, items: Sequence[SourceItem], source: Mirror
) -> tuple[list[str], list[Held]]:
    """Works of this pack that the source no longer has, and works whose file can no longer be read as law.

    Only a work without any file is removed. A file that was refused, or that the survey could not make out,
    keeps its work: an outage never yields "no law".
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
