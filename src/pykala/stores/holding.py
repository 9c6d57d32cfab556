"""Keep good law in place when a source breaks.

An error page, a file of NULs or half a download at a known path must not replace a text that was read before.
The new file is held back, the last good version stays, and the report of the ingest says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pykala.fetch.refusals import Refusal
from pykala.law.bundles import Bundle
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document
from pykala.packs.pack import SourceItem
from pykala.stores.store import Store

#: A text that keeps less than this share of its words is held back until someone accepts it. A short text
#: often shrinks by an amendment; of a long one, a fifth is a chapter or the end of a cut file.
KEPT_SHARE, KEPT_OF_LONG = 0.5, 0.8
LONG = 1_000  # words
_MEND = "mend the file, or remove the work with 'delete'"


@dataclass(frozen=True, slots=True)
class Held:
    """A work that stays as it was, and why its replacement was not stored."""

    work: str
    reason: str


@dataclass(frozen=True, slots=True)
class Keeper:
    """Compares an ingest with what the library held before it, and decides what may not be replaced."""

    store: Store
    items: Mapping[str, WorkId]  # item → the work that it gave, before this ingest
    works: frozenset[WorkId]
    sources: Mapping[str, tuple[str, ...]]  # item → the files that its work was read from
    accept: bool

    @classmethod
    def of(cls, store: Store, *, accept: bool) -> Keeper:
        """A keeper for the present contents of a store."""
        items = store.items()
        return cls(store, items, frozenset(items.values()), store.sources(), accept)

    def holds_back(self, item: str, bundle: Bundle | None, refusals: Collection[Refusal]) -> Held | None:
        """Why the new text of an item is not stored; None where it may be."""
        if self.accept and not refusals:  # a broken file is never accepted as the end of an act
            return None
        earlier = self.items.get(item)
        if bundle is None:
            return _held(earlier, "no text can be read from its files", refusals) if earlier else None
        work = bundle.work.id
        if earlier is not None and earlier != work:
            return _held(earlier, f"its files now give {work} in its place", refusals)
        if work not in self.works:
            return None
        broken = min((one for one in refusals if one.path in self.sources.get(item, ())), default=None)
        if broken is not None:  # the text without that state, language or amendment is an older one
            return Held(str(work), f"a file that it was read from is broken ({broken}); {_MEND}")
        loss = _loss(self.store.words(work), bundle.documents)
        return _held(work, loss, refusals) if loss else None

    def waits(self, item: SourceItem, bundle: Bundle | None, present: Container[str]) -> bool:
        """Whether the end of the ingest decides, when every broken file is known.

        A broken amending or repealing act takes its file away from the acts that it changed: they would be
        again what they were before it.
        """
        if bundle is None or bundle.work.id not in self.works:
            return False
        if any(path in present for path in self._left(item)):
            return True
        return self._ended(bundle.work.id) and bundle.work.validity.end is None

    def holds_back_at_last(
        self, item: SourceItem, bundle: Bundle, broken: Mapping[str, str], held: Sequence[Held]
    ) -> Held | None:
        """Why a text that waited is not stored: what made it another one is broken."""
        work = str(bundle.work.id)
        for path in self._left(item):
            if path in broken:
                return Held(work, f"a file that changes it is broken ({path}: {broken[path]}); {_MEND}")
        if held and bundle.work.validity.end is None and self._ended(bundle.work.id):
            why = f"it would be in force again, and the act that ended it may be broken ({held[0].work} is)"
            return Held(work, f"{why}; {_MEND}")
        return None

    def _left(self, item: SourceItem) -> list[str]:
        """Files that the stored work was read from and that no longer belong to the item."""
        return sorted({*self.sources.get(item.name, ())}.difference(item.paths))

    def _ended(self, work: WorkId) -> bool:
        return self.store.work(work).validity.end is not None


def _held(work: WorkId, loss: str, refusals: Collection[Refusal]) -> Held:
    if refusals:
        return Held(str(work), f"{loss} ({min(refusals)}); {_MEND}")
    return Held(str(work), f"{loss}; --accept takes what came")


def why_not_prune(refusals: Iterable[Refusal], read: Collection[str], items: Collection[object]) -> str:
    """Why a source is no ground to remove anything; "" where it is complete.

    An item is not gone because the source was cut off, or because it is in an unlisted folder or a refused
    file. A name that occurs twice is refused once but still read.
    """
    if not items:
        return "the source holds nothing that this pack reads"
    for refusal in refusals:
        if refusal.path not in read:
            return f"the source is not whole ({refusal.path}: {refusal.reason})"
    return ""


def _loss(before: Mapping[str, int], documents: Iterable[Document]) -> str:
    """What a work would lose, by language: a broken language is a loss even if the other is complete."""
    now = _words(documents)
    lost = [
        f"its text ({language}) would shrink from {words:,} to {now[language]:,} words"
        for language, words in sorted(before.items())
        if now[language] < words * (KEPT_OF_LONG if words >= LONG else KEPT_SHARE)
    ]
    return ", ".join(lost)


def _words(documents: Iterable[Document]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for document in documents:
        for provision in document.root.walk():
            counted[document.language] += sum(len(version.text.split()) for version in provision.versions)
    return counted
