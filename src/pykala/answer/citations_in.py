"""Find citations in any text: their positions, their targets, and whether the library holds them."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from pykala.answer.cite import citation
from pykala.law.choices import OneOrMany, as_many
from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.forms import Part, Result, shortened
from pykala.law.identifiers import ProvisionId
from pykala.law.references import Unresolved
from pykala.packs.pack import Pack, installed, languages_of
from pykala.retrieve.cites import fetch_command, is_held, title_of
from pykala.retrieve.courts import cases_in
from pykala.stores.store import Store, UnknownProvision
from pykala.text.language import detect

#: Why a court decision has no target.
COURT_NOT_HELD: Final = "a decision of a court whose case law no pack holds"


@dataclass(frozen=True, slots=True, repr=False)
class CitedTarget(Part):
    """A provision that a citation means."""

    provision: ProvisionId
    citation: str
    url: str
    held: bool


@dataclass(frozen=True, slots=True, repr=False)
class CitationInText(Result):
    """A citation as written, and its targets; `reason` says why there are none."""

    start: int
    end: int
    text: str
    jurisdiction: str
    targets: tuple[CitedTarget, ...]
    reason: str = ""
    fetch: str = ""  # the command that looks for the act at its publisher, where none of it is held

    def __repr__(self) -> str:
        targets = ", ".join(one.citation for one in self.targets)
        return f"<CitationInText {shortened(self.text)!r}: {shortened(targets or self.reason)}>"

    @property
    def held(self) -> int:
        """How many of its targets the library holds."""
        return sum(target.held for target in self.targets)


#: The citations that the grammars of some packs find: (pack, language read in, citations).
FoundByPack = Sequence[tuple[str, str, Sequence[FoundCitation]]]


def found_in(text: str, codes: Sequence[str], language: str | None) -> FoundByPack:
    """Citations that the installed packs find in a text; needs no library, so any process can run it."""
    return _found_by(text, {code: installed()[code] for code in codes}, language)


def _found_by(text: str, packs: Mapping[str, Pack], language: str | None) -> FoundByPack:
    found = []
    for code, pack in packs.items():
        spoken = (
            language or detect(text, default=pack.facts.default_language, among=languages_of(packs)).language
        )
        found.append((code, spoken, tuple(pack.find_citations(text, CitationContext(language=spoken)))))
    return found


def citations_in(
    text: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: OneOrMany = None,
    find: Callable[[str, Sequence[str], str | None], FoundByPack] | None = None,
) -> tuple[CitationInText, ...]:
    """Every citation of a text in order; of two readings of the same words, the one that is held.

    `find` finds the citations in another process, where `found_in` would do it in this one.
    """
    wanted = as_many(jurisdiction)
    asked = {code: pack for code, pack in packs.items() if not wanted or code in wanted}
    by_pack = find(text, tuple(asked), language) if find else _found_by(text, asked, language)
    found = [
        _read(one, packs[code], CitationContext(language=spoken), store, packs, as_of)
        for code, spoken, citations in by_pack
        for one in citations
    ]
    # No pack holds these decisions, so the choice of jurisdictions does not exclude them.
    cases = [
        CitationInText(one.start, one.end, one.text, "", (), COURT_NOT_HELD)
        for one in cases_in(text, packs.values())
    ]
    found = [*cases, *found]  # of two citations without targets, prefer the one with a reason
    # Prefer, for each place in the text, a reading with targets, then the longest, then one that is held.
    # "TVL 999 §" cites a section that does not exist; the reading "TVL" alone, which is held, would mislead.
    found.sort(
        key=lambda one: (
            not one.targets,
            one.reason != COURT_NOT_HELD,
            one.start - one.end,
            -one.held,
            one.start,
        )
    )
    chosen: list[CitationInText] = []  # in the order of the text, without overlaps
    for one in found:
        place = bisect(chosen, one.start, key=lambda other: other.start)
        after_one = place == 0 or chosen[place - 1].end <= one.start
        if after_one and (place == len(chosen) or one.end <= chosen[place].start):
            chosen.insert(place, one)
    return tuple(chosen)


def _read(
    one: FoundCitation,
    pack: Pack,
    context: CitationContext,
    store: Store,
    packs: Mapping[str, Pack],
    as_of: date,
) -> CitationInText:
    targets: dict[ProvisionId, None] = {}
    reason = ""
    for resolved in pack.resolve(one, context):
        if resolved.target is not None:
            targets[resolved.target] = None
        elif resolved.alias:
            works = [work for work in store.resolve(resolved.alias) if work.jurisdiction == pack.facts.code]
            targets |= dict.fromkeys(ProvisionId(work, resolved.path) for work in works)
            reason = reason or (Unresolved.NOT_LOADED.value if not works else "")
        elif resolved.reason is not None:
            reason = reason or resolved.reason.value
    shown = tuple(_targets(targets, pack, context.language, store, packs, as_of))
    absent = not any(is_held(target.work, store) for target in targets)
    return CitationInText(
        one.start,
        one.end,
        one.text,
        pack.facts.code,
        shown,
        "" if shown else reason or Unresolved.NOT_UNDERSTOOD.value,
        _fetch(one, targets, pack, context.language, packs) if absent else "",
    )


def _fetch(
    one: FoundCitation,
    targets: Mapping[ProvisionId, None],
    pack: Pack,
    language: str,
    packs: Mapping[str, Pack],
) -> str:
    """The command that fetches the cited act, by its title, else its number or name."""
    for target in targets:
        owner = packs.get(target.work.jurisdiction, pack)
        called = title_of(target.work, language, owner)
        number = target.work.value.partition(":")[2] if owner.facts.searched_by_number else ""
        return fetch_command(owner, called or number)
    return fetch_command(pack, one.work_name)


def _targets(
    targets: Mapping[ProvisionId, None],
    pack: Pack,
    language: str,
    store: Store,
    packs: Mapping[str, Pack],
    as_of: date,
) -> Iterator[CitedTarget]:
    for target in targets:
        owner = packs.get(target.work.jurisdiction, pack)  # Finnish guidance cites EU law too
        try:
            stored = store.provision(target)
        except UnknownProvision:
            yield CitedTarget(target, _absent(target, owner, language, store, packs), "", held=False)
            continue
        spoken = language if language in stored.languages else stored.language
        url = owner.url(target, stored.work, spoken, as_of)
        yield CitedTarget(target, citation(target, stored.work, spoken, packs), url, held=True)


def _absent(target: ProvisionId, owner: Pack, language: str, store: Store, packs: Mapping[str, Pack]) -> str:
    """The citation of a provision that an act which is held does not have; else its identifier."""
    if not is_held(target.work, store):
        return str(target)
    work = store.work(target.work)
    spoken = language if language in dict(work.titles) else owner.facts.default_language
    return citation(target, work, spoken, packs)
