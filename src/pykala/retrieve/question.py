"""Understand a question: its language, its jurisdictions, the provisions it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache

from pykala.law.choices import OneOrMany, as_many
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import WorkKind
from pykala.packs.pack import Pack, languages_of
from pykala.retrieve.abbreviations import abbreviations_in
from pykala.retrieve.cites import (
    Cites,
    NotHeld,
    citations_in,
    cited_provisions,
    fetch_command,
    is_held,
    title_of,
    written,
)
from pykala.retrieve.elsewhere import law_elsewhere, place_elsewhere, places_abroad
from pykala.retrieve.governed import Governed, governed_by
from pykala.retrieve.kinds import DEADLINE, NOTHING_WANTED, Wanted, wanted, without_conditions
from pykala.retrieve.place import (
    Ground,
    Place,
    collections_of,
    means_the_whole,
    part_with_own_law,
    read_place,
    words_found,
)
from pykala.retrieve.question_forms import asks_for_advice
from pykala.retrieve.rulings_asked import CourtAsked, court_asked
from pykala.retrieve.wording import Figures, figures_wanted, without_asking, without_exclusions
from pykala.stores.store import Store
from pykala.text.dates import NamedDate, date_asked
from pykala.text.language import Detected, detect

__all__ = ["Question", "cited_provisions", "understand"]

_TELLING = re.compile(r"[^\W\d_]{4,}")  # words long enough to tell what a question is about
_ENOUGH = 3
_CITATION_WORDS = 3  # the name of an act, and the words for its parts
_NAME_WORDS = 3  # "KHO 2024 123"
_GUESSED_WORDS = 4  # the most words whose language is compared with the words of the law
_TERM_WORDS = 2  # of a term with hardly a word beside its abbreviation: "UBT rate"
_SAID = frozenset({Ground.GIVEN, Ground.NAMED, Ground.SIGNS})  # the question is about a held place


@dataclass(frozen=True, slots=True)
class Question:
    """A question with all that was read in it: language, date, place, citations, the kind of answer."""

    text: str
    search_text: str  # without question words ("how many"), places ("in Finland") and dates
    meaning_text: str  # as asked, without its date and exclusions: models read whole sentences
    language: str
    as_of: date
    filter: Filter
    cited: tuple[ProvisionId, ...]
    figures: Figures
    elsewhere: str = ""  # a country or city whose law no installed pack holds
    advice: bool = False  # whether it asks what is better or worth it, which no law says
    abroad: bool = False  # whether it names a country other than the place whose law counts
    part: str = ""  # a province or region of the place, whose own law no installed pack holds
    of_whole: bool = False  # whether law of the whole place is meant all the same: "a bank in Alberta"
    named_date: NamedDate | None = None  # the date that it names, where the caller fixed none
    dated: bool = False  # whether a day was asked for, rather than today
    wanted: Wanted = NOTHING_WANTED  # the kind of answer that its words ask for
    not_held: NotHeld | None = None  # what it cites or names and the library does not hold
    governed: Governed | None = None  # the act that governs what it is about, where the library lacks it
    place: Place = field(default_factory=Place)  # whose law it asks for, and how that was recognised
    abbreviations: tuple[str, ...] = ()  # its words in capitals that no pack explains
    apart: ProvisionId | None = None  # a section that may not answer it: the question asks for something else
    court: CourtAsked | None = None  # the court that it asks for rulings of, which alone answer it
    other_words: tuple[str, ...] = ()  # a model's rewordings: used to search, never to grade

    @property
    def is_citation(self) -> bool:
        """Whether only the cited place can answer it.

        This is true where the question is only a citation, and where the library does not hold the act that
        it names: a section of another act is no answer. If an act is only named in passing ("may somebody
        convicted under the Criminal Code own a firearm?"), other acts may answer.
        """
        lacking = self.not_held
        if lacking is not None and (lacking.path or lacking.case):
            return True
        names = {word for cited in self.cited for word in str(cited).replace(":", "/").split("/")}
        names |= {*_TELLING.findall(lacking.name)} if lacking is not None else set()
        # Search for the words that an abbreviation stands for: the abbreviation itself says less.
        left = min(
            sum(word not in names for word in _TELLING.findall(text))
            for text in (self.text, self.search_text)
        )
        cites = lacking is not None or any(cited.path for cited in self.cited)
        alone = bool(self.cited) and not left and len(self.text.split()) <= _NAME_WORDS
        return (cites and left <= _CITATION_WORDS) or alone


def understand(
    text: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    as_of: date,
    language: str | None = None,
    jurisdiction: OneOrMany = None,
    dated: bool = True,
    home: str = "",
) -> Question:
    """Parse a question. The caller's choices (date, language, jurisdiction) are never overridden.

    `home` is the reader's own place, which counts where the question gives no sign of any.
    Where the caller did not fix the date (`dated` is false), `as_of` is today, and a date in the question
    says whose law counts.
    """
    text = text.encode("utf-8", "replace").decode("utf-8")  # replace lone surrogates
    found = date_asked(text, today=as_of)
    named_date = None if dated else found
    day = named_date.day if named_date and named_date.day else as_of
    named = _named_jurisdictions(text, packs)
    given = as_many(jurisdiction)
    chosen = given or tuple(dict.fromkeys(code for code, _ in named))
    cites = citations_in(text, store, packs, language=language, jurisdictions=chosen)
    if chosen:
        place = Place(chosen, (), Ground.GIVEN if given else Ground.NAMED)
    else:
        place = _place(text, language, packs, cites, home)
    jurisdictions = place.jurisdictions
    spoken = language or _language(text, packs, jurisdictions, cites, store)
    elsewhere = _elsewhere(text, spoken, packs, cites, place, store)
    if elsewhere and place.ground is Ground.HOME:
        place = Place()  # the question is about another country, so the reader's home does not count
    undated = _without(text, found, spoken)
    kinds = wanted(undated, spoken)
    court = None if cites.provisions else court_asked(undated, packs)
    subject = court.subject if court else undated
    search_text, meaning_text = _searched(subject, spoken, packs, jurisdictions, named)
    return Question(
        text=text,
        search_text=search_text,
        meaning_text=meaning_text,
        language=spoken,
        as_of=day,
        filter=Filter(
            as_of=day,
            jurisdictions=_looked_into(place, packs),
            kinds=frozenset({WorkKind.CASE.value}) if court else frozenset(),
        ),
        cited=cites.provisions,
        figures=_figures(undated, spoken, kinds),
        wanted=kinds,
        elsewhere=elsewhere,
        advice=asks_for_advice(text, spoken),
        abroad=_is_abroad(text, spoken, packs, jurisdictions),
        part=part_with_own_law(text, jurisdictions, packs),
        of_whole=means_the_whole(text, jurisdictions, packs),
        named_date=named_date,
        dated=dated or bool(named_date and named_date.day),
        not_held=_lacking(cites, store, packs, spoken, place),
        governed=None if cites.provisions else governed_by(text, jurisdictions, spoken, store, packs),
        place=place,
        abbreviations=abbreviations_in(text, packs),
        court=court,
    )


def _searched(
    undated: str,
    language: str,
    packs: Mapping[str, Pack],
    jurisdictions: Sequence[str],
    named: Sequence[tuple[str, str]],
) -> tuple[str, str]:
    """The words that the index is searched for, and the sentence that models read."""
    meaning_text = search_text = without_exclusions(undated)
    for code, word in named:
        if code in jurisdictions:
            how = 0 if word.isupper() else re.IGNORECASE
            search_text = re.sub(rf"\b{re.escape(word)}\b", " ", search_text, flags=how)
    search_text = _written_out(without_asking(search_text, language), language, packs, jurisdictions)
    if len(meaning_text.split()) <= _TERM_WORDS:  # it has no other words to tell what it means
        meaning_text = _written_out(meaning_text, language, packs, jurisdictions)
    return search_text, meaning_text


def _figures(undated: str, language: str, kinds: Wanted) -> Figures:
    """The figures that a question wants: "when may somebody …" wants none."""
    wants = figures_wanted(without_conditions(undated, language), language)
    return replace(wants, deadline=DEADLINE in kinds.units)


def _elsewhere(
    text: str, language: str, packs: Mapping[str, Pack], cites: Cites, place: Place, store: Store
) -> str:
    """The country or city whose law a question asks for and no pack holds; empty where there is none."""
    named = "" if place.ground in _SAID else place_elsewhere(text, language)
    return named or _law_elsewhere(text, language, packs, cites.provisions, store)


def _law_elsewhere(
    text: str, language: str, packs: Mapping[str, Pack], cited: Sequence[ProvisionId], store: Store
) -> str:
    """The country whose law a question names, wherever the reader is; none where a held place is named.

    A held act may have such a name itself: the Indian Oil and Gas Act is Canada's.
    """
    if places_asked(text, packs):
        return ""
    found = law_elsewhere(text, language)
    if not found:
        return ""
    held = (store.work(one.work) for one in cited if is_held(one.work, store))
    titles = (title for work in held for _, title in (*work.titles, *work.short_titles))
    return "" if any(found.casefold() in title.casefold() for title in titles) else found


def _is_abroad(text: str, language: str, packs: Mapping[str, Pack], jurisdictions: Iterable[str]) -> bool:
    """Whether a named country is neither a sign nor a hint of the searched places."""
    facts = [packs[code].facts for code in jurisdictions if code in packs]
    own = {word for one in facts for word in (*one.signs, *one.hints)}
    return any(place not in own for place in places_abroad(text, language))


def _lacking(
    cites: Cites, store: Store, packs: Mapping[str, Pack], language: str, place: Place
) -> NotHeld | None:
    """A citation that resolves to nothing, where no other resolves; a cited section before a bare name."""
    if any(is_held(one.work, store) for one in cites.provisions):
        return None
    placed = (one for one in cites.not_held if one.path or one.case)
    lacking = next(placed, None) or next(iter(cites.not_held), None)
    if lacking is not None and lacking.work is None and not lacking.case:
        return _of_its_place(lacking, packs, place)
    if lacking is None or lacking.work is None or lacking.work.jurisdiction not in packs:
        return lacking
    called = title_of(lacking.work, language, packs[lacking.work.jurisdiction])
    mentions = store.mentions_of([lacking.work])[lacking.work]
    return replace(lacking, name=called or lacking.name, mentions=mentions.count)


def _of_its_place(lacking: NotHeld, packs: Mapping[str, Pack], place: Place) -> NotHeld:
    """An act known by name only: fetched from the place that the question means, where it means one.

    Any pack may read an abbreviation that no pack knows, so the pack that read it does not tell the place.
    """
    name = written(lacking)
    unknown = bool(abbreviations_in(name, packs))
    meant = [packs[code] for code in place.jurisdictions or place.leaning if code in packs]
    there = fetch_command(meant[0], name) if len(meant) == 1 else ""
    return replace(lacking, fetch=there or ("" if unknown else lacking.fetch), unknown=unknown)


def _place(text: str, language: str | None, packs: Mapping[str, Pack], cites: Cites, home: str) -> Place:
    """The place of a question that names none."""
    spoken = language or _detected(text, packs, default="").language
    cited = {provision.work.jurisdiction for provision in cites.provisions}
    return read_place(text, spoken, packs, cited=cited, home=home)


def _looked_into(place: Place, packs: Mapping[str, Pack]) -> frozenset[str]:
    """The jurisdictions to search; for a place that was only inferred, uploads too."""
    guessed = place.ground in (Ground.SIGNS, Ground.HOME)
    return frozenset((*place.jurisdictions, *(collections_of(packs) if guessed else ())))


def _without(text: str, named: NamedDate | None, language: str) -> str:
    """A question without its date, which is not part of the law's words.

    "For the 2025 tax return" is removed as a date, except where little else is left: "What is the deadline
    for the 2025 tax return?" is about the tax return.
    """
    if named is None:
        return text
    rest = f"{text[: named.start]} {text[named.end :]}"
    if len(_TELLING.findall(without_asking(rest, language))) < _ENOUGH:
        rest = f"{text[: named.start]} {named.matter} {text[named.end :]}"
    return rest if re.search(r"\w", rest) else text


def _language(
    text: str, packs: Mapping[str, Pack], jurisdictions: Sequence[str], cites: Cites, store: Store
) -> str:
    """The question's language; for a bare citation, one that the citation can be read in."""
    if cites.languages and len(_TELLING.findall(text)) <= _CITATION_WORDS:
        # Too few words to tell: "AI Act Article 5" looks French.
        return next(iter(_languages_of_names(text, packs)), cites.languages[0])
    homes = [*jurisdictions, *(provision.work.jurisdiction for provision in cites.provisions)]
    known = [packs[code].facts for code in homes if code in packs]
    default = known[0].default_language if known else "en"
    found = _detected(text, packs, default, [spoken for facts in known for spoken in facts.languages])
    if found.guessed and default and found.language != default and len(text.split()) <= _GUESSED_WORDS:
        law = frozenset(jurisdictions)
        if _share_known(text, default, law, store) > _share_known(text, found.language, law, store):
            return default  # "joint controllers" looks French, and only English law has both words
    return found.language


def _share_known(text: str, language: str, places: frozenset[str], store: Store) -> float:
    """The share of a text's words that the law in a language has."""
    weights = store.weigh(text, language, places)
    return sum(map(bool, weights.values())) / max(1, len(weights))


def _detected(text: str, packs: Mapping[str, Pack], default: str, likely: Sequence[str] = ()) -> Detected:
    """The language of a text, also by the names of acts in it; `likely` are those of the place's law."""
    named = _languages_of_names(text, packs)
    return detect(text, default=default, among=languages_of(packs), named=named, likely=likely)


def _languages_of_names(text: str, packs: Mapping[str, Pack]) -> list[str]:
    """The language of each name in a text that only one language uses: "LIPR", "AIPD" are French.

    Abbreviations that are spelled out in English are left aside: people write "AI" in any language.
    """
    return [
        language
        for pack in packs.values()
        for language, names in (*pack.facts.spoken.items(), *pack.facts.synonyms.items())
        if names is not pack.facts.synonyms.get("en")
        for _ in words_found((*names,), text)
    ]


def _written_out(text: str, language: str, packs: Mapping[str, Pack], jurisdictions: Sequence[str]) -> str:
    """Expand abbreviations into the law's own words: VAT is value added tax."""
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
    """The jurisdiction that a question indicates without naming it: "Kela", "the RCMP", "in Brooklyn".

    Signs of several jurisdictions cancel each other out.
    """
    found = [code for code, pack in packs.items() if words_found(pack.facts.signs, text)]
    return tuple(found) if len(found) == 1 else ()


def places_asked(text: str, packs: Mapping[str, Pack]) -> tuple[str, ...]:
    """The jurisdictions that a text names, else the one that it indicates."""
    named = tuple(dict.fromkeys(code for code, _ in _named_jurisdictions(text, packs)))
    return named or _signed_jurisdictions(text, packs)


def place_words(text: str, packs: Mapping[str, Pack]) -> tuple[str, ...]:
    """The words of a text that name or indicate a jurisdiction."""
    named = (name for _, name in _named_jurisdictions(text, packs))
    signs = (sign for pack in packs.values() for sign in sorted(words_found(pack.facts.signs, text)))
    return tuple(dict.fromkeys((*named, *signs)))


def _stands_in(name: str, text: str) -> bool:
    return _as_a_word(name).search(text) is not None


@lru_cache(maxsize=4_096)
def _as_a_word(name: str) -> re.Pattern[str]:
    # "CE" is the Union; "ce" is a common French word.
    return re.compile(rf"\b{re.escape(name)}\b", 0 if name.isupper() else re.IGNORECASE)
