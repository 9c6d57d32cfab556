"""The kind and every name of an act: titles, CELEX, ELI, "Directive 2006/112/EC"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Work, WorkKind
from pykala.law.references import normalise_alias
from pykala.law.validity import Validity
from pykala.packs.pack import PackFacts

from .source_files import StateFacts

_CELEX = re.compile(r"(?P<sector>\d)(?P<year>\d{4})(?P<kind>[A-Z]{1,2})(?P<number>\d{4})")
_TREATY = re.compile(r"1(?P<year>\d{4})(?P<treaty>[A-Z]{1,2})(?P<rest>.*)")
_KINDS = {"L": WorkKind.DIRECTIVE, "R": WorkKind.REGULATION, "D": WorkKind.DECISION, "F": WorkKind.DECISION}
#: The name by which an act is cited, within its title.
_CITED = {
    "en": re.compile(
        r"(?:Commission |Council )?(?:Delegated |Implementing |Framework )?(?:Directive|Regulation|Decision)"
        r"(?: \((?:EU|EC|EEC|ECSC|Euratom|CFSP)[^)]{0,20}\))?(?: No)? \d{1,4}(?:/\d{1,4})?"
        r"(?:/(?:EEC|EC|EU|JHA|Euratom|ECSC))?"
    ),
    "fr": re.compile(
        r"(?:directive|règlement|décision)(?: d[’']exécution| déléguée?|-cadre)?"
        r"(?: \((?:UE|CE|CEE|CECA|Euratom)[^)]{0,20}\))?(?: n[o°º])? ?\d{1,4}(?:/\d{1,4})?"
        r"(?:/(?:CEE|CE|UE|JAI|Euratom|CECA))?",
        re.IGNORECASE,
    ),
}
_BRACKETED = re.compile(r"\((\d{2,4}/\d{1,4}/[A-Z]{2,5})\)")
_OFFICES = re.compile(r"^(?:Commission|Council) ")
_WORDS = {
    "en": {"L": "Directive", "R": "Regulation", "D": "Decision"},
    "fr": {"L": "directive", "R": "règlement", "D": "décision"},
}
_ELI = {"L": "dir", "R": "reg", "D": "dec"}
#: Treaties by their letter in a CELEX number: what they are called, and what ELI calls them.
TREATIES: Mapping[str, tuple[str, str, str]] = {
    "E": ("TFEU", "TFUE", "tfeu"),
    "M": ("TEU", "TUE", "teu"),
    "P": ("Charter of Fundamental Rights", "Charte des droits fondamentaux", "char"),
    "A": ("Euratom Treaty", "traité Euratom", "euratom"),
    "JN": ("2012 Act of Accession", "acte d’adhésion de 2012", ""),
}
_LISBON = 2009  # until then the same letter stood for the Treaty establishing the European Community
_COMMUNITY = ("EC Treaty", "traité CE", "tec")


@dataclass(frozen=True, slots=True)
class TreatyEnd:
    """The day on which a consolidated edition of a treaty gave way to another treaty, and its name."""

    day: date
    successor: str


#: Editions of the Treaty establishing the European Community, which CELLAR lists as in force. The Treaty of
#: Nice (1 February 2003) changed that of Amsterdam; that of Lisbon made it the TFEU (1 December 2009).
_TREATY_ENDS: Mapping[tuple[str, str], TreatyEnd] = {
    ("1957", "E"): TreatyEnd(date(1999, 5, 1), "EC Treaty (Amsterdam)"),
    ("1992", "E"): TreatyEnd(date(1999, 5, 1), "EC Treaty (Amsterdam)"),
    ("1997", "E"): TreatyEnd(date(2003, 2, 1), "EC Treaty (Nice)"),
    ("2002", "E"): TreatyEnd(date(2009, 12, 1), "TFEU"),
    ("2006", "E"): TreatyEnd(date(2009, 12, 1), "TFEU"),
}


#: The days on which the wording of an edition became law: of Amsterdam, of Nice, of Lisbon. Its pages are
#: dated by the day on which the treaty was signed or the edition was printed.
_TREATY_BEGINNINGS: Mapping[str, date] = {
    "1997": date(1999, 5, 1),
    "2002": date(2003, 2, 1),
    "2006": date(2003, 2, 1),
    "2008": date(2009, 12, 1),
    "2010": date(2009, 12, 1),
    "2012": date(2009, 12, 1),
    "2016": date(2009, 12, 1),
}


def treaty_began(work: WorkId) -> date | None:
    """Since when the treaty that a work is, or is an article of, reads as it does; None for other works."""
    match = _TREATY.match(work.value.removeprefix("eu:"))
    return _TREATY_BEGINNINGS.get(match["year"]) if match is not None and match["treaty"] in "EM" else None


def treaty_ended(work: WorkId) -> TreatyEnd | None:
    """When the treaty that a work is, or is an article of, ended as such; None for treaties that stand."""
    match = _TREATY.match(work.value.removeprefix("eu:"))
    return _TREATY_ENDS.get((match["year"], match["treaty"])) if match is not None else None


@dataclass(frozen=True, slots=True)
class Naming:
    """The names of a work by language."""

    work: WorkId
    kind: WorkKind
    titles: Mapping[str, str] = field(default_factory=dict)
    short_titles: Mapping[str, str] = field(default_factory=dict)
    eli: str = ""


def describe(work: WorkId, kind: str, title: str, states: Sequence[StateFacts]) -> Naming:
    """Work out the names of an act from its number and what its publisher says of it."""
    celex = work.value.removeprefix("eu:")
    titles: dict[str, str] = {}
    # The act's own title rather than that of a corrigendum; the newest state's wording of it.
    for state in sorted((one for one in states if "corrigendum" not in one.roles), key=_by_day):
        for language, words in state.titles.items():
            titles[language] = _readable(words)
    if title and "en" not in titles and not title.startswith(("Corrigendum", "Rectificatif")):
        titles.setdefault("en", _readable(title))
    short = {
        language: name
        for language in ("en", "fr")
        if (name := _short(celex, _all_titles(states, language), language))
    }
    return Naming(work, kind_of(celex), titles, short, _eli(celex, kind))


def _all_titles(states: Sequence[StateFacts], language: str) -> list[str]:
    told = sorted((one for one in states if "corrigendum" not in one.roles), key=_by_day, reverse=True)
    return [words for one in told if (words := one.titles.get(language))]


def _by_day(state: StateFacts) -> date:
    return state.day or date.min


def _readable(title: str) -> str:
    """A treaty article's title has its places parted by "#"."""
    return " – ".join(" ".join(part.split()) for part in title.split("#") if part.strip())


def kind_of(celex: str) -> WorkKind:
    """The kind of act that a CELEX number stands for."""
    if celex.startswith("1"):
        return WorkKind.TREATY
    match = _CELEX.match(celex)
    return _KINDS.get(match["kind"][:1], WorkKind.GUIDANCE) if match else WorkKind.GUIDANCE


def treaty_names(celex: str) -> tuple[str, str, str] | None:
    """The English, French and ELI name of the treaty that a work is or is an article of."""
    match = _TREATY.match(celex)
    if match is None:
        return None
    if match["treaty"] == "E" and int(match["year"]) <= _LISBON:
        return _COMMUNITY
    return TREATIES.get(match["treaty"])


def _short(celex: str, titles: Sequence[str], language: str) -> str:
    names = treaty_names(celex)
    if names is not None:
        return names[0 if language == "en" else 1]
    number = _CELEX.match(celex)
    word = _WORDS[language].get(number["kind"]) if number else None
    if number is None or word is None:
        return ""
    for title in titles:
        match = _CITED[language].search(title)
        if match is not None and str(int(number["number"])) in re.findall(r"\d+", match[0]):
            name = _OFFICES.sub("", match[0])
            return name[0].lower() + name[1:] if language == "fr" else name
    for title in titles:
        if (bracketed := _BRACKETED.search(title)) is not None:
            return f"{word} {bracketed[1]}"
    year, count = int(number["year"]), int(number["number"])
    if number["kind"] == "R" and year < 2015:
        return f"{word} No {count}/{year}" if language == "en" else f"{word} nº {count}/{year}"
    return f"{word} {year if year > 1999 else year % 100}/{count}"


def _eli(celex: str, kind: str) -> str:
    treaty = _TREATY.match(celex)
    if treaty is not None:
        names = treaty_names(celex)
        if names is None or not names[2]:
            return ""
        place = treaty["rest"].lstrip("0")
        article = f"/art_{place.casefold()}" if place and not place.startswith("/") else ""
        return f"http://data.europa.eu/eli/treaty/{names[2]}_{treaty['year']}{article}/oj"
    match = _CELEX.fullmatch(celex)
    if match is None or match["kind"] not in _ELI:
        return ""
    sort = {"DEL": "_del", "IMPL": "_impl"}.get(kind.rpartition("_")[2], "")
    return f"http://data.europa.eu/eli/{_ELI[match['kind']]}{sort}/{match['year']}/{int(match['number'])}/oj"


def work_of(
    naming: Naming, documents: Sequence[Document], states: Sequence[StateFacts], facts: PackFacts
) -> Work:
    """The work with its rank and every name."""
    known = [name for name, target in facts.abbreviations.items() if target == naming.work.value]
    days = [state.day for state in states if state.day and "corrigendum" not in state.roles]
    return Work(
        naming.work,
        naming.kind,
        facts.authority[naming.kind.value],
        titles=tuple((document.language, document.title) for document in documents),
        short_titles=tuple(_short_titles(naming)),
        abbreviations=tuple(known),
        aliases=tuple(dict.fromkeys(normalise_alias(name) for name in _aliases(naming, states) if name)),
        issued=min(
            (state.issued for state in states if state.issued and not state.consolidated), default=None
        ),
        validity=_validity(documents, _first_day(documents) or min(days, default=None)),
        # EUR-Lex gave these states as the newest on the day on which they were retrieved from it.
        current_to=max((day for state in states for day in state.retrieved.values()), default=None),
    )


def _first_day(documents: Sequence[Document]) -> date | None:
    """The day on which an act came into force or first applied, as its tree is dated."""
    versions = (version for one in documents for version in one.root.versions)
    return next((one.validity.start for one in versions if one.event is not Event.REPEALED), None)


def _is_whole(naming: Naming) -> bool:
    return naming.kind is not WorkKind.TREATY or naming.work.value.endswith("/TXT")


def _short_titles(naming: Naming) -> Iterator[tuple[str, str]]:
    """One article of a treaty, which CELLAR keeps as a work, is not called as the treaty is."""
    celex = naming.work.value.removeprefix("eu:")
    for language, short in naming.short_titles.items():
        if _is_whole(naming):
            yield language, short
        else:
            yield from ((language, name) for name in _article_aliases(short, celex))


def _aliases(naming: Naming, states: Sequence[StateFacts]) -> list[str]:
    celex = naming.work.value.removeprefix("eu:")
    names = [celex, naming.eli, naming.eli.replace("http://data.europa.eu/", "")]
    whole = _is_whole(naming)
    for short in naming.short_titles.values():
        names.extend(_short_aliases(short, celex) if whole else _article_aliases(short, celex))
    names.extend(naming.titles.values())
    for state in states:
        names.extend(title for _, title in state.short_titles)
        if state.consolidated:
            names.append(state.celex)
    return names


def _short_aliases(short: str, celex: str) -> list[str]:
    names = [short]
    if celex.startswith("3") and (number := re.search(r"\d{1,4}/\d{1,4}(?:/[A-Za-z]+)?", short)) is not None:
        names.append(number[0])
    if " No " in short or " nº " in short:
        names.append(short.replace(" No ", " ").replace(" nº ", " "))
    return names


def _article_aliases(short: str, celex: str) -> list[str]:
    place = re.search(r"[EM]0*(\d+[A-Z]?)$", celex)
    return [f"article {place[1].casefold()} {short}"] if place is not None else []


def _validity(documents: Sequence[Document], start: date | None) -> Validity:
    """In force from its first day; to its last where it was repealed or none of its articles stands."""
    for document in documents:
        last = document.root.versions[-1:]
        if last and last[0].event is Event.REPEALED and last[0].validity.start is not None:
            end = last[0].validity.start
            return Validity(start if start is None or start < end else None, end)
    ends: list[date | None] = []
    for document in documents:
        ends.extend(
            provision.versions[-1].validity.end
            for provision in document.root.walk()
            if provision.kind in (ProvisionKind.ARTICLE, ProvisionKind.ANNEX) and _own_words(provision)
        )
    if not ends or None in ends:
        return Validity(start)
    end = max(day for day in ends if day is not None)
    return Validity(start, end if start is None or end >= start else None)


def _own_words(provision: Provision) -> bool:
    return bool(provision.versions)
