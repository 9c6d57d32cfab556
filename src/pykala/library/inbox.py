"""The inbox: a folder whose files are in the library, each known by its bytes and archived as it came.

    with Library.open(folder, writable=True) as library:
        report = scan(library.store, Path("inbox"), FolderArchive(folder / "originals"))

The same bytes under two names are one document. A file that changes replaces what it held before; one that
goes is reported, and taken out of the library when that is asked for; one that breaks leaves its last good
state. The archive holds the originals of
exactly the uploads that the library holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Self

from pykala.fetch.confined import ConfinedProcesses
from pykala.fetch.mirror import Limits, Mirror, MirrorUnavailable, SourceFile, open_mirror
from pykala.fetch.refusals import NotInMirror, Refusal, RefusedFile
from pykala.fetch.snapshots import Snapshots
from pykala.ingest import Progress, Report, ingest
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.packs.uploads import MAX_BYTES, pack, work_of
from pykala.stores.originals import Originals
from pykala.stores.store import UnknownProvision, WritableStore

__all__ = ["FolderArchive", "InboxReport", "remove", "require_inbox", "scan", "watch"]

_EARLIER = "refused earlier, or removed on request; change or rename the file to have it read again"


class FolderArchive(Snapshots):
    """The archive of uploaded files in a library's folder, by hash."""

    def holds(self, sha256: str) -> bool:
        """Whether the archive has a file of that hash."""
        return self._place(sha256).exists()

    def remove(self, sha256: str) -> None:
        """Delete a file from the archive, if it is there."""
        self._place(sha256).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class InboxReport:
    """The results of a scan; names are those of files in the inbox."""

    added: tuple[str, ...] = ()  # files added to the library by this scan
    unchanged: int = 0
    replaced: tuple[str, ...] = ()  # works replaced by a new state of their file
    gone: tuple[tuple[str, WorkId], ...] = ()  # in the library, no longer in the inbox
    removed: tuple[WorkId, ...] = ()  # removed from the library because they are gone
    copies: tuple[tuple[str, str], ...] = ()  # a file, and the file that it copies
    refusals: tuple[Refusal, ...] = ()
    mended: tuple[str, ...] = ()  # files whose text was encoded twice, and was decoded correctly
    held: tuple[tuple[str, WorkId], ...] = ()  # unchanged, because their file cannot be read now


@dataclass(frozen=True, slots=True)
class _Item:
    """A file of an inbox as the library stores it: the inbox, the hash of its bytes, its name."""

    inbox: str
    sha16: str
    name: str

    @classmethod
    def parse(cls, item: str) -> _Item | None:
        """Parse the name of an ingest item; None for one that is not from an inbox."""
        head, _, rest = item.partition("/")
        sha16, _, name = rest.partition("/")
        inbox = head.removeprefix("up:inbox-")
        return cls(inbox, sha16, name) if head.startswith("up:inbox-") and name else None

    @property
    def path(self) -> str:
        """Its path in the mirror that ingest reads."""
        return f"inbox-{self.inbox}/{self.sha16}/{self.name}"


def scan(
    store: WritableStore,
    folder: Path,
    archive: Originals,
    *,
    prune: bool = False,
    progress: Progress = lambda done, total: None,
    confined: ConfinedProcesses | None = None,
) -> InboxReport:
    """Update a library from an inbox; with `prune`, files that are gone are removed from the library too."""
    require_inbox(folder)
    with store.alone_in(pack.facts.code):
        return _scanned(store, folder, archive, prune, progress, confined)


def _scanned(
    store: WritableStore,
    folder: Path,
    archive: Originals,
    prune: bool,
    progress: Progress,
    confined: ConfinedProcesses | None,
) -> InboxReport:
    inbox = _mark(folder)
    with open_mirror(folder, limits=Limits(max_file=MAX_BYTES)) as files:
        mirror = _InboxMirror(files, inbox, _known(store, inbox), archive)
        before = set(store.items().values())
        report = ingest(store, pack, mirror, progress=progress, confined=confined)
        held = set(store.items().values())
        _settle_archive(store, mirror, held, archive)
    replaced, gone, kept = _departed(store, inbox, mirror)
    leaving = [*replaced, *(work for _, work in gone if prune)]
    for work in leaving:
        _forget(store, archive, work)
    return InboxReport(
        added=tuple(item.name for item in mirror.items if work_of(item.sha16) in held - before),
        unchanged=report.unchanged,
        replaced=tuple(map(str, replaced)),
        gone=tuple(gone),
        removed=tuple(work for _, work in gone if prune),
        copies=mirror.copies,
        refusals=_refusals(report, mirror, held),
        mended=tuple(item.name for item in mirror.items if item.path in report.mended),
        held=tuple(kept),
    )


def require_inbox(folder: Path) -> None:
    """Raise MirrorUnavailable where the folder does not exist."""
    if not folder.is_dir():
        raise MirrorUnavailable(str(folder), "there is no such folder; make it, or name another inbox")


def watch(
    store: WritableStore,
    folder: Path,
    archive: Originals,
    *,
    wait: Callable[[], bool],
    prune: bool = False,
    confined: ConfinedProcesses | None = None,
) -> Iterator[InboxReport]:
    """Scan now, and again whenever the folder has changed and settled; ends when `wait` returns False.

    `wait` sleeps and returns whether to go on. A file that is still being copied changes between two looks,
    so a file is read only when two looks agree.
    """
    scanned = seen = _look(folder)
    yield scan(store, folder, archive, prune=prune, confined=confined)
    while wait():
        before, seen = seen, _look(folder)
        if seen == before and seen != scanned:
            scanned = seen
            yield scan(store, folder, archive, prune=prune, confined=confined)


def remove(store: WritableStore, archive: Originals, work: WorkId) -> str:
    """Remove an upload from the library and its original from the archive; return its file's name.

    The library remembers the removal: a scan does not add the file again while it is still in the inbox under
    that name.
    """
    if work.jurisdiction != pack.facts.code:
        raise UnknownProvision(f"{work} is not an upload; 'pykala stats' shows what the library holds")
    items = [item for item, held in store.items().items() if held == work]
    if not items:
        raise UnknownProvision(f"{work} is not in this library; 'pykala search' finds what is")
    with store.alone_in(pack.facts.code):
        fingerprints = store.fingerprints()
        name = _forget(store, archive, work)
        for item in items:
            store.refuse(item, fingerprints[item], [(name, "removed on request")])
    return name


def _forget(store: WritableStore, archive: Originals, work: WorkId) -> str:
    language = store.provision(ProvisionId(work)).language
    file = store.document(work, language).manifestations[0]
    store.delete(work)
    archive.remove(file.sha256)
    return file.path


def _mark(folder: Path) -> str:
    # Two inboxes may feed one library; with this mark, neither takes the other's files for removed ones. The
    # hash keeps the path private.
    return hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:8]


def _known(store: WritableStore, inbox: str) -> Mapping[str, Sequence[_Item]]:
    """Contents that the library holds from any inbox, by hash, then those it refused from this inbox."""
    stored = store.items()
    known: dict[str, list[_Item]] = {}
    for name in sorted(store.fingerprints(), key=lambda name: (name not in stored, name)):
        item = _Item.parse(name)
        if item is not None and (name in stored or item.inbox == inbox):
            known.setdefault(item.sha16, []).append(item)
    return known


@dataclass(frozen=True, slots=True)
class _Place:
    """A content's path in the inbox, and its hash."""

    name: str
    sha256: str


class _InboxMirror:
    """The files of an inbox as a mirror for ingest: each content once, under a path with its hash."""

    def __init__(
        self, files: Mirror, inbox: str, known: Mapping[str, Sequence[_Item]], archive: Originals
    ) -> None:
        self._files, self._archive = files, archive
        self._refusals: set[Refusal] = set()
        self._places: dict[str, _Place] = {}
        names: dict[str, list[str]] = {}
        for file in files.files():
            if any(pack.works([file.path])):
                names.setdefault(file.sha256, []).append(file.path)
        copies = []
        for sha256, held in names.items():
            item = _chosen(inbox, sha256[:16], held, known.get(sha256[:16], ()))
            here = item.name if item.inbox == inbox else held[0]
            self._places[item.path] = _Place(here, sha256)
            copies += [(name, here) for name in held if name != here]
        self.copies = tuple(sorted(copies))
        self.present = {name: sha256[:16] for sha256, held in names.items() for name in held}

    @property
    def items(self) -> Iterator[_Item]:
        """Every content of the inbox."""
        return (item for path in self._places if (item := _Item.parse(f"up:{path}")) is not None)

    def hashes(self) -> Iterator[tuple[str, str]]:
        """Path → hash of every content."""
        return ((path, file.sha256) for path, file in list(self._places.items()))

    def name_of(self, path: str) -> str:
        """The file's own name, for reports."""
        return self._places[path].name if path in self._places else path

    @property
    def name(self) -> str:
        return self._files.name

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return tuple(sorted({*self._files.refusals, *self._refusals}))

    def paths(self) -> Iterator[str]:
        return iter(sorted(self._places))

    def files(self) -> Iterator[SourceFile]:
        for path in list(self.paths()):
            try:
                yield self._checked(path)
            except RefusedFile as refused:
                self._refusals.add(refused.refusal)
                del self._places[path]

    def read(self, path: str) -> SourceFile:
        if path not in self._places:
            raise NotInMirror(self.name, path)
        file = self._checked(path)
        self._archive.put(file.data)
        return file

    def _checked(self, path: str) -> SourceFile:
        place = self._places[path]
        file = self._files.read(place.name)
        if file.sha256 != place.sha256:
            raise RefusedFile(place.name, "it changed while it was read; the next scan reads it again")
        return SourceFile(path, file.size, file.sha256, file.data)

    def close(self) -> None:
        self._files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _chosen(inbox: str, sha16: str, names: Sequence[str], known: Sequence[_Item]) -> _Item:
    """The name of a content: the one the library already uses, if it still fits."""
    for item in known:
        if item.inbox != inbox or item.name in names:
            return item
    return _Item(inbox, sha16, names[0])


def _settle_archive(
    store: WritableStore, mirror: _InboxMirror, held: set[WorkId], archive: Originals
) -> None:
    """Archive the originals of the works that the library holds, and delete all others."""
    lacking = []
    for path, sha256 in mirror.hashes():
        if work_of(sha256) not in held:
            archive.remove(sha256)
        elif not archive.holds(sha256):
            lacking.append(path)
    if not lacking:
        return
    with store.batch():
        for path in lacking:
            with suppress(RefusedFile):  # it changed just now; the next scan will read it
                mirror.read(path)


def _departed(
    store: WritableStore, inbox: str, mirror: _InboxMirror
) -> tuple[list[WorkId], list[tuple[str, WorkId]], list[tuple[str, WorkId]]]:
    """Works of this inbox whose bytes are gone from it: replaced, removed, or kept.

    A work is kept if nothing good replaces it: its file cannot be read now, or no longer gives any text.
    """
    present = set(mirror.present.values())
    refused = {one.path for one in mirror.refusals}
    stored = set(store.items().values())
    replaced, gone, kept = [], [], []
    for name, work in sorted(store.items().items()):
        item = _Item.parse(name)
        if item is None or item.inbox != inbox or item.sha16 in present:
            continue
        newer = mirror.present.get(item.name)
        if newer is not None and work_of(newer) in stored:
            replaced.append(work)
        elif newer is not None or _within(item.name, refused):
            kept.append((item.name, work))
        else:
            gone.append((item.name, work))
    return replaced, gone, kept


def _within(name: str, refused: Set[str]) -> bool:
    """Whether a file is refused, or lies in a folder that could not be listed."""
    return not refused.isdisjoint([name, *map(str, PurePosixPath(name).parents)])


def _refusals(report: Report, mirror: _InboxMirror, held: set[WorkId]) -> tuple[Refusal, ...]:
    """Every file of the inbox that is not in the library, and why."""
    refused = {mirror.name_of(one.path): one.reason for one in (*mirror.refusals, *report.refusals)}
    seen = {item.path for item in mirror.items}
    for item in pack.works(seen):
        known = _Item.parse(item.name)
        if known is not None and work_of(known.sha16) not in held:
            refused.setdefault(mirror.name_of(known.path), _EARLIER)
    return tuple(Refusal(path, reason) for path, reason in sorted(refused.items()))


def _look(folder: Path) -> frozenset[tuple[str, int, int]]:
    """A folder's names, sizes and times, without reading a file."""
    found = set()
    for path in folder.rglob("*"):
        try:
            facts = path.stat()
        except OSError:  # the file disappeared meanwhile
            continue
        if not path.is_dir():
            found.add((path.relative_to(folder).as_posix(), facts.st_size, facts.st_mtime_ns))
    return frozenset(found)
