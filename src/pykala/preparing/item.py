"""Prepare one item: read its files, relate what they cite, cut them into passages.

An item is the files of one work. A bad file is refused by name and never stops the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from pykala.fetch.confined import Bounds, ConfinedProcesses, TookTooMuch
from pykala.fetch.mirror import Mirror, SourceFile
from pykala.fetch.refusals import Refusal
from pykala.graph.relate import relate
from pykala.law.bundles import Bundle
from pykala.law.provisions import Document, Manifestation, Work
from pykala.law.references import Reference
from pykala.packs.pack import Pack, Reading, Snapshot, SourceItem, pack_for
from pykala.passages.cut import cut
from pykala.text.encoding import REPAIRED, repaired

#: Raised when relating or cutting changes what is stored: items are then prepared again.
PREPARATION = "5"
_FOR_A_FILE = Bounds(seconds=60, patience=300.0)  # that reading one untrusted file may take


@dataclass(frozen=True, slots=True)
class Prepared:
    """The result for one item: a bundle to store, or the reasons for refusing it."""

    item: SourceItem
    fingerprint: str
    bundle: Bundle | None
    refusals: tuple[Refusal, ...]
    mended: tuple[str, ...] = ()
    beside_subject: bool = False  # its title holds none of the words that were asked for
    lost: bool = False  # every process that read it ended


def prepare_item(
    pack: Pack,
    source: Mirror,
    item: SourceItem,
    fingerprint: str,
    titled: Sequence[str] = (),
    confined: ConfinedProcesses | None = None,
) -> Prepared:
    """Read one item and build everything to store. A bad file never stops the rest."""
    try:
        files = [source.read(path) for path in item.paths]
    except Exception as error:
        return _refused(item, fingerprint, error)
    return prepare_files(pack, item, files, fingerprint, titled, confined)


def prepare_files(
    pack: Pack,
    item: SourceItem,
    files: Sequence[SourceFile],
    fingerprint: str,
    titled: Sequence[str] = (),
    confined: ConfinedProcesses | None = None,
) -> Prepared:
    """Build everything to store from the files of an item."""
    try:
        snapshots = [
            Snapshot(file.path, repaired(file.data), file.sha256, retrieved_at=file.retrieved_at)
            for file in files
        ]
        mended = _mended(files, snapshots)
        if confined is not None:
            job = pack.facts.code, item, snapshots, fingerprint, mended
            return confined.bounded(_FOR_A_FILE, prepare_confined, *job)
        return _prepared(pack, item, snapshots, fingerprint, mended, titled)
    except Exception as error:  # whatever a hostile or broken file brings about: refused, by name
        return _refused(item, fingerprint, error)


def _refused(item: SourceItem, fingerprint: str, error: Exception) -> Prepared:
    named = f"could not be read: {type(error).__name__}: {error}"
    reason = str(error) if isinstance(error, TookTooMuch) else named
    return Prepared(item, fingerprint, None, tuple(Refusal(path, reason) for path in item.paths))


def prepare_confined(
    code: str,
    item: SourceItem,
    snapshots: Sequence[Snapshot],
    fingerprint: str,
    mended: tuple[str, ...],
) -> Prepared:
    """Prepare an item of an installed pack, in any process."""
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
    """The files whose double encoding was repaired."""
    pairs = zip(files, snapshots, strict=True)
    return tuple(file.path for file, snapshot in pairs if file.data is not snapshot.data)


def _noted(reading: Reading, mended: Set[str]) -> Reading:
    """A reading whose documents list their repaired files."""
    if not mended:
        return reading
    documents = (
        replace(one, manifestations=tuple(_with_note(file, mended) for file in one.manifestations))
        for one in reading.documents
    )
    return replace(reading, documents=tuple(documents))


def _with_note(file: Manifestation, mended: Set[str]) -> Manifestation:
    noted = file.sha256 not in mended or REPAIRED in file.notes
    return file if noted else replace(file, notes=(*file.notes, REPAIRED))


def _is_titled(reading: Reading, words: Sequence[str]) -> bool:
    work = reading.work
    titles = (*work.titles, *work.short_titles) if work is not None else ()
    return any(word.casefold() in title.casefold() for _, title in titles for word in words)


def _bundle(pack: Pack, item: SourceItem, fingerprint: str, reading: Reading) -> Bundle:
    assert reading.work is not None
    facts, refused = pack.facts, {refusal.path for refusal in reading.refusals}
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
        paths=tuple(path for path in item.paths if path not in refused),
    )


def _known_to(work: Work, documents: Iterable[Document]) -> Work:
    """For a work without a date of its own, the law is known to the day of its fetch."""
    if work.current_to or work.issued:
        return work
    files = (file for document in documents for file in document.manifestations)
    fetched = (file.retrieved_at for file in files if file.retrieved_at)
    return replace(work, current_to=max(fetched, default=None))
