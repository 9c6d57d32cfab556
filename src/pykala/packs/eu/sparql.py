"""Questions to CELLAR, the Publications Office's store of facts about acts, in SPARQL.

CELEX numbers there are typed literals, so they are compared as strings; one act may carry several works,
expressions and dates, so answers are grouped by CELEX number; what is marked `do_not_index` is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from pykala.fetch.http import FetchFailed, FetchRefused, PoliteClient
from pykala.fetch.refusals import MirrorDamaged, SourceUnreachable

from .cellar import Elsewhere

ENDPOINT: Final = "https://publications.europa.eu/webapi/rdf/sparql"
NAME: Final = "CELLAR"
RESULTS: Final = "application/sparql-results+json"
#: Language of the pack → the name that the Publications Office gives it.
LANGUAGES: Final[Mapping[str, str]] = {"en": "ENG", "fr": "FRA"}
ACT_TYPES: Final = (
    "REG", "REG_IMPL", "REG_DEL", "DIR", "DIR_IMPL", "DIR_DEL", "DEC", "DEC_IMPL", "DEC_DEL", "DEC_FRAMW",
)  # fmt: skip
#: Acts that bind everybody in the Union; implementing acts and decisions bind those they name.
_OF_GENERAL_APPLICATION: Final = ("REG", "REG_DEL", "DIR", "DIR_DEL")
MOST_ACTS: Final = 200
_LONGEST_WORD = 80
_LATER = "; try again later"
_MOST_WORDS = 12
_PREFIXES = (
    "PREFIX cdm: <http://publications.europa.eu/ontology/cdm#>\n"
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
)
_TYPE = "http://publications.europa.eu/resource/authority/resource-type/"
_LANGUAGE = "http://publications.europa.eu/resource/authority/language/"
_ACT = re.compile(r"3\d{4}[A-Z]{1,2}\d{4}(?:\(\d{2}\))?")
_STATE = re.compile(r"0(?P<act>\d{4}[A-Z]{1,2}\d{4}(?:\(\d{2}\))?)-(?P<day>\d{8})")
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"'})
_LISTED: Final = (
    '  FILTER NOT EXISTS { ?work cdm:do_not_index ?hidden . FILTER(STR(?hidden) IN ("true", "1")) }\n'
)


#: Words that occur in half of all titles, or that only ask.
_SAY_LITTLE = frozenset(
    {"a", "an", "and", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
    | {"act", "acts", "law", "laws", "rule", "rules", "regulation", "regulations", "directive", "decision"}
    | {"commission", "council", "parliament", "eu", "european", "union"}
)


class NothingToSearch(ValueError):
    """Words that leave nothing to look for."""


@dataclass(frozen=True, slots=True)
class FoundAct:
    """An act that a search found: its CELEX number, title, date and page."""

    celex: str
    title: str
    date: date | None
    url: str

    @property
    def number(self) -> str:
        """The publisher's number, as every pack calls it."""
        return self.celex


@dataclass(frozen=True, slots=True)
class ActFacts:
    """What CELLAR says of an act: titles by language, when it was made, and its consolidated states."""

    celex: str
    kind: str = ""
    issued: date | None = None
    in_force: str = ""
    titles: tuple[tuple[str, str], ...] = ()
    states: tuple[tuple[date, str], ...] = ()  # (from when, CELEX number of the state), oldest first


def literal(text: str) -> str:
    """A SPARQL string literal: no text can end it early or inject anything."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return f'"{shown.translate(_ESCAPES)}"'


def search_query(
    words: str,
    *,
    year: int | None = None,
    limit: int = 20,
    language: str = "en",
    types: Iterable[str] = ACT_TYPES,
    any_word: bool = False,
) -> str:
    """Ask for acts whose title in a language holds every word, or any, of a year, the newest first.

    Without `types`, acts of every type count.
    """
    wanted = words.casefold().split()[:_MOST_WORDS]
    if not wanted:
        raise NothingToSearch('give some words of the title: pykala fetch eu "vehicle type approval"')
    if year is not None and not 1950 <= year <= 2100:
        raise NothingToSearch(f"no act of the Union is of the year {year}; give one such as 2019")
    held = [f"CONTAINS(LCASE(STR(?words)), {literal(word[:_LONGEST_WORD])})" for word in wanted]
    filters = [" || ".join(held)] if any_word else held
    filters += ['STRSTARTS(?celex, "3")', '!CONTAINS(?celex, "R(")']
    if year is not None:
        filters.append(f"SUBSTR(?celex, 2, 4) = {literal(str(year))}")
    kinds = " ".join(f"<{_TYPE}{kind}>" for kind in types)
    return (
        f"{_PREFIXES}SELECT ?celex (MIN(STR(?words)) AS ?title) (MIN(STR(?day)) AS ?date) WHERE {{\n"
        + (f"  VALUES ?kind {{ {kinds} }}\n" if kinds else "")
        + "  ?work cdm:work_has_resource-type ?kind ; cdm:resource_legal_id_celex ?number .\n"
        "  BIND(STR(?number) AS ?celex)\n"
        f"  ?expression cdm:expression_belongs_to_work ?work ; cdm:expression_uses_language"
        f" {_language(language)} ; cdm:expression_title ?words .\n"
        "  OPTIONAL { ?work cdm:work_date_document ?day }\n"
        + "".join(f"  FILTER({each})\n" for each in filters)
        + f"{_LISTED}}} GROUP BY ?celex ORDER BY DESC(?date) ?celex LIMIT {max(1, min(limit, MOST_ACTS))}"
    )


def facts_query(celexes: Iterable[str], languages: Iterable[str]) -> str:
    """Ask for dates and titles of acts known by number."""
    numbers = ", ".join(literal(celex) for celex in celexes)
    tongues = " ".join(_language(language) for language in languages)
    return (
        f"{_PREFIXES}SELECT DISTINCT ?celex ?kind ?date ?force ?language ?title WHERE {{\n"
        "  ?work cdm:resource_legal_id_celex ?number . BIND(STR(?number) AS ?celex)\n"
        f"  FILTER(?celex IN ({numbers}))\n{_LISTED}"
        "  OPTIONAL { ?work cdm:work_has_resource-type ?kind }\n"
        "  OPTIONAL { ?work cdm:work_date_document ?date }\n"
        "  OPTIONAL { ?work cdm:resource_legal_in-force ?force }\n"
        f"  OPTIONAL {{ VALUES ?language {{ {tongues} }}\n"
        "    ?expression cdm:expression_belongs_to_work ?work ; cdm:expression_uses_language ?language ;"
        " cdm:expression_title ?title }\n"
        "} ORDER BY ?celex ?language ?title"
    )


def states_query(celexes: Iterable[str]) -> str:
    """Ask for the consolidated states of acts, the newest first: 02019R2144-20220706 of 32019R2144."""
    starts = [f"STRSTARTS(STR(?number), {literal(f'0{celex[1:]}-')})" for celex in celexes]
    return (
        f"{_PREFIXES}SELECT DISTINCT ?celex WHERE {{\n"
        "  ?work cdm:resource_legal_id_celex ?number . BIND(STR(?number) AS ?celex)\n"
        f"  FILTER({' || '.join(starts) or 'false'})\n{_LISTED}}} ORDER BY DESC(?celex)"
    )


def in_force_query(words: Iterable[str], *, limit: int, offset: int) -> str:
    """Ask for the numbers of regulations and directives in force whose English title holds any word."""
    held = [f"CONTAINS(LCASE(STR(?words)), {literal(word.casefold()[:_LONGEST_WORD])})" for word in words]
    titled = (
        "  ?expression cdm:expression_belongs_to_work ?work ; cdm:expression_uses_language"
        f" {_language('en')} ; cdm:expression_title ?words .\n  FILTER({' || '.join(held)})\n"
    )
    kinds = " ".join(f"<{_TYPE}{kind}>" for kind in _OF_GENERAL_APPLICATION)
    return (
        f"{_PREFIXES}SELECT DISTINCT ?celex WHERE {{\n  VALUES ?kind {{ {kinds} }}\n"
        "  ?work cdm:work_has_resource-type ?kind ; cdm:resource_legal_id_celex ?number ;"
        " cdm:resource_legal_in-force ?force .\n"
        '  BIND(STR(?number) AS ?celex)\n  FILTER(STR(?force) IN ("true", "1"))\n'
        '  FILTER(STRSTARTS(?celex, "3") && !CONTAINS(?celex, "R("))\n'
        + (titled if held else "")
        + f"{_LISTED}}} ORDER BY ?celex LIMIT {limit} OFFSET {offset}"
    )


def numbers_in_force(
    client: PoliteClient, words: Iterable[str], *, limit: int, offset: int, endpoint: str = ENDPOINT
) -> tuple[list[str], bool]:
    """One page of the numbers of acts in force, and whether it is the last."""
    rows = _ask(client, in_force_query(words, limit=limit, offset=offset), endpoint)
    numbers = [number for row in rows if _ACT.fullmatch(number := row.get("celex", ""))]
    return numbers, len(rows) < limit


def find_acts(
    client: PoliteClient,
    words: str,
    *,
    year: int | None = None,
    limit: int = 20,
    language: str = "en",
    endpoint: str = ENDPOINT,
) -> list[FoundAct]:
    """Acts whose title contains the words; where none does, the search widens step by step.

    All words; the words for the subject; any of these; any, in acts of every type. An outage raises
    SourceUnreachable or MirrorDamaged.
    """
    telling = " ".join(word for word in words.split() if word.casefold() not in _SAY_LITTLE) or words
    for query in dict.fromkeys(
        (
            search_query(words, year=year, limit=limit, language=language),
            search_query(telling, year=year, limit=limit, language=language),
            search_query(telling, year=year, limit=limit, language=language, any_word=True),
            search_query(telling, year=year, limit=limit, language=language, any_word=True, types=()),
        )
    ):
        if found := _found(_ask(client, query, endpoint), language):
            return found
    return []


def _found(rows: Iterable[Mapping[str, str]], language: str) -> list[FoundAct]:
    found: dict[str, FoundAct] = {}
    for row in rows:
        celex = row.get("celex", "")
        if _ACT.fullmatch(celex) and celex not in found:
            url = f"https://eur-lex.europa.eu/legal-content/{language.upper()}/TXT/?uri=CELEX:{celex}"
            found[celex] = FoundAct(
                celex, " ".join(row.get("title", "").split()), _day(row.get("date", "")), url
            )
    return list(found.values())


def act_facts(
    client: PoliteClient, celexes: Sequence[str], languages: Sequence[str], *, endpoint: str = ENDPOINT
) -> dict[str, ActFacts]:
    """Titles, dates and consolidated states of acts, by CELEX number; an unknown one is not among them."""
    wanted = [celex for celex in dict.fromkeys(celexes) if _ACT.fullmatch(celex)]
    if not wanted:
        return {}
    rows = _ask(client, facts_query(wanted, languages), endpoint)
    states: dict[str, dict[str, date]] = {}
    for row in _ask(client, states_query(wanted), endpoint):
        match = _STATE.fullmatch(row.get("celex", ""))
        day = _day(match["day"]) if match is not None else None
        if match is not None and day is not None:
            states.setdefault(f"3{match['act']}", {})[match[0]] = day
    tongues = {f"{_LANGUAGE}{name}": language for language, name in LANGUAGES.items()}
    facts: dict[str, ActFacts] = {}
    for celex in wanted:
        own = [row for row in rows if row.get("celex") == celex]
        if own:
            facts[celex] = ActFacts(
                celex,
                min((row["kind"].removeprefix(_TYPE) for row in own if "kind" in row), default=""),
                min((day for row in own if (day := _day(row.get("date", ""))) is not None), default=None),
                max((row["force"] for row in own if "force" in row), default=""),
                tuple(sorted(_titles(own, tongues).items())),
                tuple(sorted((day, state) for state, day in states.get(celex, {}).items())),
            )
    return facts


def _titles(rows: Iterable[Mapping[str, str]], tongues: Mapping[str, str]) -> dict[str, str]:
    titles: dict[str, str] = {}
    for row in rows:
        language = tongues.get(row.get("language", ""))
        if language is not None and row.get("title"):
            titles.setdefault(language, " ".join(row["title"].split()))
    return titles


def _language(language: str) -> str:
    if language not in LANGUAGES:
        raise NothingToSearch(f"no act is fetched in {language!r}; there are: {', '.join(LANGUAGES)}")
    return f"<{_LANGUAGE}{LANGUAGES[language]}>"


def _ask(client: PoliteClient, query: str, endpoint: str) -> list[dict[str, str]]:
    address = f"{endpoint}?{urlencode({'query': query, 'format': RESULTS})}"
    try:
        answer = client.get(address, headers={"accept": RESULTS})
    except FetchFailed as fault:
        raise SourceUnreachable(
            NAME, f"the search was not answered ({fault.reason.removesuffix(_LATER)}){_LATER}"
        ) from fault
    except (FetchRefused, Elsewhere) as fault:
        raise SourceUnreachable(NAME, "the search was sent elsewhere; try again later") from fault
    try:
        table: Any = json.loads(answer.data)
        rows = table["results"]["bindings"]
        return [{name: str(cell["value"]) for name, cell in row.items()} for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise MirrorDamaged(
            NAME, "the answer to the search is no table of results; try again later"
        ) from None


def _day(text: str) -> date | None:
    """A date as CELLAR or a CELEX number writes it; None for other texts."""
    digits = text[:10].replace("-", "")
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    except ValueError:
        return None
