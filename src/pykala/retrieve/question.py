"""Understanding a question: its language, the jurisdictions it names, the provisions it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pykala.law.citations import CitationContext
from pykala.law.filters import Filter
from pykala.law.identifiers import InvalidIdentifier, ProvisionId
from pykala.packs.pack import Pack
from pykala.retrieve.wording import Figures, figures_wanted, without_asking
from pykala.stores.store import Store
from pykala.text.language import detect


@dataclass(frozen=True, slots=True)
class Question:
    """A question, understood."""

    text: str
    search_text: str  # without the words that only ask ("how many") or say where ("in Finland")
    language: str
    as_of: date
    filter: Filter
    cited: tuple[ProvisionId, ...]
    figures: Figures


def understand(
    text: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: str | None = None,
) -> Question:
    """Read a question. What the caller fixes (date, language, jurisdiction) is never guessed over."""
    named = () if jurisdiction else _named_jurisdictions(text, packs)
    jurisdictions = (jurisdiction,) if jurisdiction else tuple(code for code, _ in named)
    understood = language or detect(text, default=_default_language(jurisdictions, packs)).language
    search_text = text
    for _, word in named:
        search_text = re.sub(rf"\b{re.escape(word)}\b", " ", search_text, flags=re.IGNORECASE)
    return Question(
        text=text,
        search_text=without_asking(search_text, understood),
        language=understood,
        as_of=as_of,
        filter=Filter(as_of=as_of, jurisdictions=frozenset(jurisdictions)),
        cited=cited_provisions(text, store, packs, language=understood, jurisdictions=jurisdictions),
        figures=figures_wanted(text),
    )


def _named_jurisdictions(text: str, packs: Mapping[str, Pack]) -> tuple[tuple[str, str], ...]:
    found = []
    for code, pack in packs.items():
        for names in pack.facts.names.values():
            for name in names:
                if re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE):
                    found.append((code, name))
    return tuple(dict.fromkeys(found))


def _default_language(jurisdictions: Sequence[str], packs: Mapping[str, Pack]) -> str:
    if len(jurisdictions) == 1 and jurisdictions[0] in packs:
        return packs[jurisdictions[0]].facts.default_language
    return "en"


def cited_provisions(
    text: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    language: str | None = None,
    jurisdictions: Sequence[str] = (),
) -> tuple[ProvisionId, ...]:
    """What a text cites: an identifier, the name of a work, or citations as lawyers write them."""
    try:
        return (ProvisionId.parse(text.strip()),)
    except InvalidIdentifier:
        pass
    named = store.resolve(text)
    if len(named) == 1:
        return (ProvisionId(named[0]),)
    found: list[ProvisionId] = []
    for code, pack in packs.items():
        if not jurisdictions or code in jurisdictions:
            context = CitationContext(language=language or pack.facts.default_language)
            found.extend(_resolved(text, pack, context, store))
    return tuple(dict.fromkeys(found))


def _resolved(text: str, pack: Pack, context: CitationContext, store: Store) -> Iterator[ProvisionId]:
    for citation in pack.find_citations(text, context):
        for resolved in pack.resolve(citation, context):
            if resolved.target:
                yield resolved.target
            elif resolved.alias:
                for work in store.resolve(resolved.alias):
                    if work.jurisdiction == pack.facts.code:
                        yield ProvisionId(work, resolved.path)
