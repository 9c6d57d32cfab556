"""Understanding a question: its language, the jurisdictions it names, the provisions it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.filters import Filter
from pykala.law.identifiers import InvalidIdentifier, ProvisionId
from pykala.packs.pack import Pack
from pykala.retrieve.elsewhere import place_elsewhere
from pykala.retrieve.wording import Figures, figures_wanted, without_asking, without_exclusions
from pykala.stores.store import NotInForce, Store, UnknownProvision
from pykala.text.dates import NamedDate, date_asked
from pykala.text.language import detect

_TELLING = re.compile(r"[^\W\d_]{4,}")  # words long enough to tell what a question is about
_ENOUGH = 3
_CITATION_WORDS = 3  # the name of an act, and the words for its parts


@dataclass(frozen=True, slots=True)
class Question:
    """A question, understood."""

    text: str
    search_text: str  # without the words that only ask ("how many"), say where ("in Finland") or when
    language: str
    as_of: date
    filter: Filter
    cited: tuple[ProvisionId, ...]
    figures: Figures
    elsewhere: str = ""  # a country or city whose law no installed pack holds
    named_date: NamedDate | None = None  # the date that it names, where the caller fixed none
    dated: bool = False  # whether a day was asked for, rather than today
    not_held: str = ""  # a place in an act that it cites by name and the library does not hold

    @property
    def is_citation(self) -> bool:
        """Whether it is answered by the place that it cites, or not at all.

        So it is where it does nothing but cite, and where the act that it names is not held: what another
        act says in a section of its own is no answer.
        """
        if self.not_held:
            return True
        names = {word for cited in self.cited for word in str(cited).replace(":", "/").split("/")}
        left = [word for word in _TELLING.findall(self.search_text) if word not in names]
        return any(cited.path for cited in self.cited) and len(left) <= _CITATION_WORDS


def understand(
    text: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: str | None = None,
    dated: bool = True,
) -> Question:
    """Read a question. What the caller fixes (date, language, jurisdiction) is never guessed over.

    Where the caller did not fix the date (`dated` is false), `as_of` is today, and a date in the question
    says whose law counts.
    """
    text = text.encode("utf-8", "replace").decode("utf-8")  # half a character is nobody's word
    found = date_asked(text, today=as_of)
    named_date = None if dated else found
    day = named_date.day if named_date and named_date.day else as_of
    named = () if jurisdiction else _named_jurisdictions(text, packs)
    jurisdictions = (jurisdiction,) if jurisdiction else tuple(dict.fromkeys(code for code, _ in named))
    jurisdictions = jurisdictions or _signed_jurisdictions(text, packs)
    cites = citations_in(text, store, packs, language=language, jurisdictions=jurisdictions)
    cited = cites.provisions
    spoken = language or _language(text, packs, jurisdictions, cites)
    undated = _without(text, found, spoken)
    search_text = without_exclusions(undated)
    for _, word in named:
        how = 0 if word.isupper() else re.IGNORECASE
        search_text = re.sub(rf"\b{re.escape(word)}\b", " ", search_text, flags=how)
    return Question(
        text=text,
        search_text=_written_out(without_asking(search_text, spoken), spoken, packs, jurisdictions),
        language=spoken,
        as_of=day,
        filter=Filter(as_of=day, jurisdictions=frozenset(jurisdictions)),
        cited=cited,
        figures=figures_wanted(undated),
        elsewhere="" if jurisdictions else place_elsewhere(text, spoken),
        named_date=named_date,
        dated=dated or bool(named_date and named_date.day),
        not_held="" if cited else cites.not_held,
    )


def _without(text: str, named: NamedDate | None, language: str) -> str:
    """A question without its date, which is no matter of the law's words.

    "For the 2025 tax return" says when, and is what the question is about only where it says little else:
    "What is the deadline for the 2025 tax return?"
    """
    if named is None:
        return text
    rest = f"{text[: named.start]} {text[named.end :]}"
    if len(_TELLING.findall(without_asking(rest, language))) < _ENOUGH:
        rest = f"{text[: named.start]} {named.matter} {text[named.end :]}"
    return rest if re.search(r"\w", rest) else text


def _language(text: str, packs: Mapping[str, Pack], jurisdictions: Sequence[str], cites: Cites) -> str:
    """The question's language; a bare citation speaks one that it can be read in."""
    if cites.languages and len(_TELLING.findall(text)) <= _CITATION_WORDS:
        return cites.languages[0]  # too few words to tell: "AI Act Article 5" looks French
    homes = [*jurisdictions, *(provision.work.jurisdiction for provision in cites.provisions)]
    default = packs[homes[0]].facts.default_language if homes and homes[0] in packs else "en"
    return detect(text, default=default).language


def _written_out(text: str, language: str, packs: Mapping[str, Pack], jurisdictions: Sequence[str]) -> str:
    """A question with what people abbreviate put into the law's own words: VAT is value added tax."""
    for code, pack in packs.items():
        if not jurisdictions or code in jurisdictions:
            for short, words in pack.facts.synonyms.get(language, {}).items():
                text = re.sub(rf"(?<!\w){re.escape(short)}(?!\w)", words, text)
    return text


def _named_jurisdictions(text: str, packs: Mapping[str, Pack]) -> tuple[tuple[str, str], ...]:
    found = [
        (code, name)
        for code, pack in packs.items()
        for names in pack.facts.names.values()
        for name in names
        if _stands_in(name, text)
    ]
    return tuple(dict.fromkeys(found))


def _signed_jurisdictions(text: str, packs: Mapping[str, Pack]) -> tuple[str, ...]:
    """The jurisdiction that a question gives away without naming it: "Kela", "the RCMP", "in Brooklyn".

    Where signs of several stand in it, they tell nothing.
    """
    found = [code for code, pack in packs.items() if any(_stands_in(sign, text) for sign in pack.facts.signs)]
    return tuple(found) if len(found) == 1 else ()


def _stands_in(name: str, text: str) -> bool:
    # "CE" is the Union, and "ce" a French word of every second question.
    how = 0 if name.isupper() else re.IGNORECASE
    return re.search(rf"\b{re.escape(name)}\b", text, how) is not None


@dataclass(frozen=True, slots=True)
class Cites:
    """What a text cites, and a place in it that is cited by the name of an act that nobody here knows."""

    provisions: tuple[ProvisionId, ...]
    not_held: str = ""
    languages: tuple[str, ...] = ()  # in which it reads as a citation, the law's first one first


def cited_provisions(text: str, store: Store, packs: Mapping[str, Pack]) -> tuple[ProvisionId, ...]:
    """What a text cites: an identifier, the name of a work, or citations as lawyers write them."""
    return citations_in(text, store, packs).provisions


def citations_in(
    text: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    language: str | None = None,
    jurisdictions: Sequence[str] = (),
) -> Cites:
    """What a text cites, with what it cites in vain."""
    try:
        return Cites((ProvisionId.parse(text.strip()),))
    except InvalidIdentifier:
        pass
    named = store.resolve(text)
    if len(named) == 1:
        return Cites((ProvisionId(named[0]),))
    if places := store.places(text):
        return Cites(places)
    found: list[ProvisionId] = []
    in_vain: list[str] = []
    languages: list[str] = []
    for code, pack in packs.items():
        if not jurisdictions or code in jurisdictions:
            # A citation alone hardly tells its language: "41 § kommunallagen" is read as each that it may be.
            for spoken in (language,) if language in pack.facts.languages else pack.facts.languages:
                context = CitationContext(language=spoken or pack.facts.default_language)
                for citation in pack.find_citations(text, context):
                    resolved = tuple(_resolved(citation, pack, context, store))
                    found.extend(resolved)
                    languages += [context.language] if any(one.path for one in resolved) else []
                    if not resolved and _names_an_act(citation, pack, context):
                        in_vain.append(citation.text)
    return Cites(_innermost(dict.fromkeys(found)), next(iter(in_vain), ""), tuple(dict.fromkeys(languages)))


def _names_an_act(citation: FoundCitation, pack: Pack, context: CitationContext) -> bool:
    """Whether a citation says which act, and which place in it: "section 231 of the Criminal Code"."""
    return bool(citation.steps) and any(one.alias for one in pack.resolve(citation, context))


def _innermost(found: Iterable[ProvisionId]) -> tuple[ProvisionId, ...]:
    """What a text cites without the works that it only names to say where: "Directive …, Article 98"."""
    cited = tuple(found)
    return tuple(one for one in cited if not any(one != other and one.contains(other) for other in cited))


def _resolved(
    citation: FoundCitation, pack: Pack, context: CitationContext, store: Store
) -> Iterator[ProvisionId]:
    for resolved in pack.resolve(citation, context):
        if resolved.target:
            yield resolved.target
        elif resolved.alias:
            works = [work for work in store.resolve(resolved.alias) if work.jurisdiction == pack.facts.code]
            yield from _of_name([ProvisionId(work, resolved.path) for work in works], store)


def _of_name(candidates: Sequence[ProvisionId], store: Store) -> Sequence[ProvisionId]:
    """Of several acts of one name, the one that holds the place and still stands, and the newest of those.

    A name passes from act to act: "työsopimuslaki" was 320/1970 and is 55/2001.
    """
    if len(candidates) < 2:
        return candidates
    held = []
    for candidate in candidates:
        try:
            stored = store.provision(candidate)
        except (UnknownProvision, NotInForce):
            continue
        held.append((stored.version.validity.end is None, _age(candidate), candidate))
    return [max(held)[2]] if held else candidates


def _age(provision: ProvisionId) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", provision.work.value)[:2])
