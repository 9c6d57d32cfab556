"""Acts at Finlex by words of their titles: its lists can be narrowed to titles that hold a word.

    GET …/akn/fi/act/statute-consolidated/list?titleContains=alkoholi&langAndVersion=fin@latest

A list holds one word or phrase at a time and gives addresses without titles, so that each word is asked for
and the acts that most of them name come first. A number ("410/2015") needs no search.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.http import Clock, Manners, PoliteClient
from pykala.fetch.laying_out import FoundAct, LaidOut, lay_out
from pykala.fetch.live import ListedFile
from pykala.packs.finland.live import API, LANGUAGES, damage_of, listed_file, uris_of_page

HOST = "opendata.finlex.fi"
KIND = "statute-consolidated"
_MOST_WORDS = 5
_ACT = re.compile(r"/statute-consolidated/(?P<year>\d{4})/(?P<number>\d[\d-]*)/")
_NUMBER = re.compile(r"(?<!\d)(?P<number>\d{1,4})/(?P<year>(?:18|19|20)\d{2})(?!\d)")
_OWN_NUMBER = re.compile(r"(?P<year>\d{4})/(?P<number>\d[\d-]*)")
#: Words that occur in half of all titles.
_SAY_LITTLE = frozenset({"laki", "lag", "lagen", "asetus", "förordning", "annettu", "om", "ja", "och"})


def open_client(
    manners: Manners, *, clock: Clock | None = None, hosts: AllowedHosts | None = None
) -> PoliteClient:
    """A client for Finlex's open data alone."""
    return PoliteClient(hosts or AllowedHosts(frozenset({HOST})), manners, clock=clock)


def find_acts(
    client: PoliteClient, words: str, *, year: int | None = None, limit: int = 20, api: str = API
) -> list[FoundAct]:
    """Consolidated acts whose title holds the words, those with most of them first, then the newest.

    Raises MirrorUnavailable or MirrorDamaged where the source does not say what it holds.
    """
    numbered = [f"{match['year']}/{match['number']}" for match in _NUMBER.finditer(words)]
    if numbered:
        return [_found(number) for number in dict.fromkeys(numbered)][:limit]
    wanted = [word for word in dict.fromkeys(words.casefold().split()) if len(word) > 2]
    telling = [word for word in wanted if word not in _SAY_LITTLE] or wanted
    for language in LANGUAGES:
        hits: Counter[str] = Counter()
        for word in telling[:_MOST_WORDS]:
            asked: dict[str, object] = {"titleContains": word[:80]}
            if year is not None:
                asked |= {"startYear": year, "endYear": year}
            hits.update(set(_acts(uris_of_page(client, api, KIND, language, 1, asked))))
        if hits:
            ranked = sorted(hits, key=lambda number: (-hits[number], *(-part for part in _age(number))))
            return [_found(number) for number in ranked[:limit]]
    return []


def fetch_acts(
    client: PoliteClient,
    numbers: Sequence[str],
    folder: Path,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    api: str = API,
) -> LaidOut:
    """Fetch acts by year and number ("2015/410") into a folder, in Finnish and Swedish."""
    files: list[ListedFile] = []
    for number in numbers:
        known = _OWN_NUMBER.fullmatch(number)
        if known is not None:
            files += [
                listed_file(api, KIND, known["year"], known["number"], language) for language in LANGUAGES
            ]
    came = lay_out(files, client, folder, check=damage_of, progress=progress)
    acts = dict.fromkeys(work.rpartition("/")[0] for work in came.acts)  # one language of an act is an act
    return LaidOut(tuple(acts), came.pages, came.refusals)


def _acts(uris: Sequence[str]) -> list[str]:
    found = (_ACT.search(uri) for uri in uris)
    return [f"{match['year']}/{match['number']}" for match in found if match]


def _age(number: str) -> tuple[int, int]:
    year, _, rest = number.partition("/")
    return int(year), int(rest.partition("-")[0])


def _found(number: str) -> FoundAct:
    year, _, rest = number.partition("/")
    return FoundAct(number, f"{rest}/{year}", None, f"https://www.finlex.fi/fi/lainsaadanto/{year}/{rest}")
