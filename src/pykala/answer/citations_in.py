"""Citations in any text: where they stand, what they mean, and whether the library holds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from pykala.answer.cite import citation
from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.identifiers import ProvisionId
from pykala.law.references import Unresolved
from pykala.packs.pack import Pack
from pykala.stores.store import Store, UnknownProvision
from pykala.text.language import detect


@dataclass(frozen=True, slots=True)
class CitedTarget:
    """A provision that a citation means."""

    provision: ProvisionId
    citation: str
    url: str
    held: bool


@dataclass(frozen=True, slots=True)
class CitationInText:
    """A citation as written, and where it leads; `reason` says why it leads nowhere."""

    start: int
    end: int
    text: str
    jurisdiction: str
    targets: tuple[CitedTarget, ...]
    reason: str = ""

    @property
    def held(self) -> int:
        """How many of its targets the library has."""
        return sum(target.held for target in self.targets)


def citations_in(
    text: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: str | None = None,
) -> tuple[CitationInText, ...]:
    """Every citation of a text in order; of two readings of the same words, the one that is held."""
    found: list[CitationInText] = []
    for code, pack in packs.items():
        if jurisdiction in (None, code):
            spoken = language or detect(text, default=pack.facts.default_language).language
            context = CitationContext(language=spoken)
            found += (
                _read(one, pack, context, store, packs, as_of) for one in pack.find_citations(text, context)
            )
    # The best reading of each place: what leads somewhere, then the longest, then what the library holds.
    # "TVL 999 §" names a section that is not there; that its first word alone is held says nothing of it.
    found.sort(key=lambda one: (not one.targets, one.start - one.end, -one.held, one.start))
    chosen: list[CitationInText] = []
    for one in found:
        if all(one.end <= other.start or other.end <= one.start for other in chosen):
            chosen.append(one)
    return tuple(sorted(chosen, key=lambda one: one.start))


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
    return CitationInText(
        one.start,
        one.end,
        one.text,
        pack.facts.code,
        shown,
        "" if shown else reason or Unresolved.NOT_UNDERSTOOD.value,
    )


def _targets(
    targets: Mapping[ProvisionId, None],
    pack: Pack,
    language: str,
    store: Store,
    packs: Mapping[str, Pack],
    as_of: date,
) -> Iterator[CitedTarget]:
    for target in targets:
        try:
            stored = store.provision(target)
        except UnknownProvision:
            yield CitedTarget(target, str(target), "", held=False)
            continue
        spoken = language if language in stored.languages else stored.language
        owner = packs.get(target.work.jurisdiction, pack)  # Finnish guidance cites EU law too
        url = owner.url(target, stored.work, spoken, as_of)
        yield CitedTarget(target, citation(target, stored.work, spoken, packs), url, held=True)
