"""Gather the caveats of an answer: of its provisions, its quote, its conflicts, and the library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain

from pykala.answer import caveats
from pykala.answer.open_references import of_references
from pykala.law.answers import Caveat, CaveatKind, CitedProvision, Claim, Conflict, Support
from pykala.law.references import UnresolvedReference
from pykala.packs.pack import Pack
from pykala.retrieve.question import Question
from pykala.stores.store import Store, StoredProvision, Wording
from pykala.text.phrases import say


def read_for_caveats(
    primary: StoredProvision,
    shown: CitedProvision,
    beside: Sequence[tuple[Support, StoredProvision]],
    languages: Iterable[str],
    store: Store,
    as_of: date,
) -> None:
    """Read in few calls what the caveats need; they then read from the cache."""
    wordings = [Wording(shown.provision, as_of, language) for language in languages]
    stored = [primary, *(one for _, one in beside)]
    caveats.read_at_once(stored, as_of, store, wordings=wordings, unresolved=[shown.provision])


def of_provisions(
    primary: StoredProvision,
    shown: CitedProvision,
    beside: Sequence[tuple[Support, StoredProvision]],
    store: Store,
    packs: Mapping[str, Pack],
    question: Question,
) -> Iterator[Caveat]:
    """Caveats of the primary provision and of those beside it; one that holds for several is listed once."""
    spoken = question.language
    own = caveats.of_provision(primary, spoken, question.as_of, store, packs, spoken=spoken)
    return told_together(own, of_those_beside(beside, store, packs, question), spoken, shown.citation)


def of_answer(
    claim: Claim,
    shown: CitedProvision,
    conflicts: Iterable[Conflict],
    unresolved: Sequence[UnresolvedReference],
    store: Store,
    question: Question,
) -> Iterator[Caveat]:
    """Caveats about the quote, its conflicts, references that resolve to nothing, and the library."""
    spoken = question.language
    yield from caveats.of_words(claim.text, shown.provision, question.as_of, spoken=spoken)
    for conflict in conflicts:
        yield Caveat(CaveatKind.OUTRANKED, conflict.loser, conflict.message)
    yield from of_references(unresolved, spoken=spoken)
    governing = question.governed.act if question.governed is not None else None
    yield from caveats.of_not_held(question.not_held or governing, spoken=spoken)
    yield from caveats.of_library(store.facts(), spoken=spoken)


def of_those_beside(
    beside: Iterable[tuple[Support, StoredProvision]],
    store: Store,
    packs: Mapping[str, Pack],
    question: Question,
) -> Iterator[tuple[str, Caveat]]:
    """Caveats of the provisions beside the primary one, with their citations."""
    for support, stored in beside:
        spoken = question.language
        of_time = caveats.of_time(stored, question.as_of, store, packs, spoken=spoken)
        for caveat in chain(caveats.of_upload(stored, spoken=spoken), of_time):
            yield support.cited.citation, caveat


def told_together(
    own: Iterable[Caveat], beside: Iterable[tuple[str, Caveat]], spoken: str, cited: str = ""
) -> Iterator[Caveat]:
    """Merge the caveats of all provisions; one that holds for several is listed once."""
    groups: dict[tuple[CaveatKind, str], list[str]] = {}
    first: dict[tuple[CaveatKind, str], Caveat] = {}
    shared = {(caveat.kind, caveat.message): caveat for caveat in own}
    for citation, caveat in beside:
        said = caveat.kind, caveat.message
        first.setdefault(said, caveat)
        if citation not in groups.setdefault(said, []):
            groups[said].append(citation)
    for said, caveat in shared.items():
        others = "; ".join(one for one in groups.pop(said, ()) if one != cited)
        more = f" {say(spoken, 'caveat.also', citations=others)}" if others else ""
        end = "." if more and caveat.message[-1:].isalnum() else ""  # a pack's message may lack its full stop
        yield replace(caveat, message=f"{caveat.message}{end}{more}")
    for said, citations in groups.items():
        yield replace(first[said], message=f"{'; '.join(citations)}: {first[said].message}")
