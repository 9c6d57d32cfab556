"""The law over time for readers: histories, differences between dates, changes in a period."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from pykala.answer.acts import act_citation
from pykala.answer.cite import citation
from pykala.law.answers import Caveat, CaveatKind
from pykala.law.forms import Result
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, Version
from pykala.packs.pack import Pack
from pykala.stores.store import Store
from pykala.text.phrases import say
from pykala.versions.chains import Change, Moment, timeline
from pykala.versions.differences import Alteration, Difference, compare_days


@dataclass(frozen=True, slots=True, repr=False)
class History(Result):
    """The versions of a provision, and the days on which anything in or below it changed."""

    provision: ProvisionId
    citation: str
    versions: tuple[Version, ...]
    moments: tuple[Moment, ...]
    acts: Mapping[WorkId, str]  # the acts that made them, as they are cited
    history_unavailable: bool  # whether the source lacks an earlier wording of any part of it

    def __repr__(self) -> str:
        return f"<History of {self.citation}: {len(self.versions)} versions>"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Result):
    """A provision, or a whole act, on two dates."""

    provision: ProvisionId
    citation: str
    first: date
    second: date
    differences: tuple[Difference, ...]  # in document order, unchanged ones included
    acts: Mapping[WorkId, str]
    caveats: tuple[Caveat, ...]
    citations: Mapping[ProvisionId, str]  # of the changed provisions: a subsection has no label of its own

    def __repr__(self) -> str:
        return f"<Comparison of {self.citation}, {self.first} – {self.second}: {len(self.changed)} changed>"

    @property
    def changed(self) -> tuple[Difference, ...]:
        """The differences."""
        return tuple(one for one in self.differences if one.alteration is not Alteration.UNCHANGED)


@dataclass(frozen=True, slots=True, repr=False)
class ActChanges(Result):
    """All changes of one act in a period."""

    work: WorkId
    citation: str
    changes: tuple[Change, ...]
    acts: Mapping[WorkId, str]  # the acts that caused them, as they are cited

    def __repr__(self) -> str:
        return f"<ActChanges of {self.citation}: {len(self.changes)}>"

    @property
    def causes(self) -> tuple[tuple[WorkId | None, int], ...]:
        """The acts behind the changes with their number of changes, most first; None for an unknown act."""
        return tuple(Counter(change.source_act for change in self.changes).most_common())

    @property
    def events(self) -> tuple[tuple[Event | None, int], ...]:
        """The events with their counts; None where a text ended without a successor."""
        return tuple(Counter(change.event for change in self.changes).most_common())


def history(provision: ProvisionId, store: Store, packs: Mapping[str, Pack], language: str | None) -> History:
    """The versions of a provision's own words and the merged timeline of all below it."""
    chain = store.chain(provision, language=language)
    moments = timeline(chain)
    acts = (act for moment in moments for act in moment.acts)
    return History(
        provision=provision,
        citation=_citation(provision, store, packs, language),
        versions=chain.versions,
        moments=moments,
        acts=_named(acts, store, packs, language or ""),
        history_unavailable=any(
            version.history_unavailable for node in chain.walk() for version in node.versions[:1]
        ),
    )


def compare(
    provision: ProvisionId,
    first: date,
    second: date,
    store: Store,
    packs: Mapping[str, Pack],
    language: str | None,
) -> Comparison:
    """The differences of a provision, or a whole act, between two dates."""
    chain = _chain_on(provision, (first, second), store, language)
    differences = compare_days(chain, first, second)
    if not differences:
        store.provision(provision, as_of=second, language=language)  # raises if there is nothing to compare
    changed = [one for one in differences if one.alteration is not Alteration.UNCHANGED]
    work = store.work(provision.work)
    spoken = language or _own_language(work.id, packs)
    return Comparison(
        provision=provision,
        citation=citation(provision, work, spoken, packs),
        first=first,
        second=second,
        differences=differences,
        acts=_named((one.source_act for one in changed), store, packs, language or ""),
        caveats=tuple(_caveats(provision, first, differences, language or "")),
        citations={one.provision: citation(one.provision, work, spoken, packs) for one in changed},
    )


def _chain_on(provision: ProvisionId, days: Sequence[date], store: Store, language: str | None) -> Provision:
    """The versions in a language; the authentic ones where the translation lacks a date.

    Translations keep fewer wordings than the law. A wording missing from a translation is not a later
    insertion.
    """
    chain = store.chain(provision, language=language)
    if language is not None and not all(_stands(chain, day) for day in days):
        authentic = store.chain(provision)
        if all(_stands(authentic, day) for day in days):
            return authentic
    return chain


def _stands(node: Provision, day: date) -> bool:
    return any(version.validity.covers(day) for version in node.versions)


def _caveats(
    provision: ProvisionId, first: date, differences: Sequence[Difference], language: str
) -> Iterator[Caveat]:
    unknown = sum(one.alteration is Alteration.UNKNOWN for one in differences)
    if unknown:
        message = say(language, "caveat.unknown_wordings", count=unknown, day=first)
        yield Caveat(CaveatKind.HISTORY_UNAVAILABLE, provision, message)


def changes(
    since: date,
    until: date | None,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    jurisdictions: Sequence[str] = (),
    kinds: Sequence[str] = (),
) -> tuple[ActChanges, ...]:
    """The acts that changed in a period, both days included, and the acts that changed them."""
    found = store.changes(since, until, jurisdictions=jurisdictions, kinds=kinds)
    acts = _named((change.source_act for change in found), store, packs, "")
    return tuple(
        ActChanges(work, act_citation(work, store, packs, _own_language(work, packs)), tuple(group), acts)
        for work, group in groupby(found, key=lambda change: change.provision.work)
    )


def _citation(provision: ProvisionId, store: Store, packs: Mapping[str, Pack], language: str | None) -> str:
    work = store.work(provision.work)
    return citation(provision, work, language or _own_language(work.id, packs), packs)


def _own_language(work: WorkId, packs: Mapping[str, Pack]) -> str:
    pack = packs.get(work.jurisdiction)
    return pack.facts.default_language if pack else ""


def _named(
    acts: Iterable[WorkId | None],
    store: Store,
    packs: Mapping[str, Pack],
    language: str,
) -> dict[WorkId, str]:
    return {
        act: act_citation(act, store, packs, language or _own_language(act, packs))
        for act in dict.fromkeys(acts)
        if act is not None
    }
