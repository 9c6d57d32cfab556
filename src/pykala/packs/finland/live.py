"""Finlex online: the open-data API's lists of acts, page by page, then each act as Akoma Ntoso.

Peculiarities of the API: it requires a User-Agent; a page has at most ten entries, and there is no total, so
a short page is the last; for an act that it lacks it answers 200 with an empty list; `fin@` of a consolidated
act is its original text, `fin@latest` the text in force; HEAD is refused, so only GET is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

from pykala.fetch.http import FetchFailed, PoliteClient
from pykala.fetch.live import ListedFile, LiveMirror, Progress, fetch_listed
from pykala.fetch.order import EVERYTHING, FetchOrder
from pykala.fetch.refusals import MirrorDamaged, SourceUnreachable
from pykala.fetch.snapshots import Snapshots
from pykala.fetch.xml import RefusedFile, parse_xml

API = "https://opendata.finlex.fi/finlex/avoindata/v1"
NAME = "Finlex open data"
PAGE = 10  # entries; the API answers 400 to more
LANGUAGES = ("fin", "swe")
#: Bytes of a file on average: 4,106 acts as Akoma Ntoso hold 78.5 MB.
MEAN_SIZE = 19_100
#: With ten entries per page, no list is longer than all acts that Finland ever enacted, in two languages.
_MOST_PAGES = 20_000
_URI = re.compile(
    r"/akn/fi/act/(?P<type>statute-consolidated|statute)/(?P<year>\d{4})/(?P<number>\d[\d-]*)/(?P<language>fin|swe)@"
)
_ENTRY = "akn_uri"
#: What is asked for of each list: the consolidated text in force, and the act as it was first enacted.
_STATES = {"statute-consolidated": "latest", "statute": ""}


def live_mirror(
    client: PoliteClient,
    snapshots: Snapshots,
    *,
    api: str = API,
    types: tuple[str, ...] = ("statute-consolidated",),
    order: FetchOrder = EVERYTHING,
    progress: Progress = lambda done, total: None,
) -> LiveMirror:
    """Bring snapshots up to date and return them under the API's own paths.

    Raises SourceUnreachable where a list cannot be fetched whole, MirrorDamaged where it is no list: an
    outage never reads as "there is no law".
    """
    api = order.address.rstrip("/") or api
    narrowed: list[Mapping[str, object]] = [{"titleContains": word} for word in order.words] or [{}]
    files: dict[str, ListedFile] = {}
    for kind in types:
        for language in LANGUAGES:
            for filters in narrowed:
                for file in _listed(client, api, kind, language, filters):
                    files[file.path] = file
    if not files:
        raise MirrorDamaged(NAME, "its lists name no act that can be read; try again later")
    return fetch_listed(
        NAME,
        files.values(),
        client,
        snapshots,
        check=damage_of,
        order=order,
        mean_size=MEAN_SIZE,
        progress=progress,
    )


def _listed(
    client: PoliteClient, api: str, kind: str, language: str, narrowed: Mapping[str, object]
) -> Iterator[ListedFile]:
    """Every act of a list, in one language."""
    before: frozenset[str] = frozenset()
    for page in range(1, _MOST_PAGES + 1):
        uris = uris_of_page(client, api, kind, language, page, narrowed)
        if uris and frozenset(uris) == before:
            raise MirrorDamaged(NAME, f"its list of {kind} repeats a page; try again later")
        before = frozenset(uris)
        for uri in uris:
            found = _URI.search(uri)
            if found and (found["type"], found["language"]) == (kind, language):
                yield listed_file(api, kind, found["year"], found["number"], language)
        if len(uris) < PAGE:
            return
    raise MirrorDamaged(NAME, f"its list of {kind} does not end; try again later")


def uris_of_page(
    client: PoliteClient,
    api: str,
    kind: str,
    language: str,
    page: int,
    narrowed: Mapping[str, object] | None = None,
) -> list[str]:
    """One page of a list, narrowed by the API's own filters: the addresses of acts."""
    asked = {"format": "json", "page": page, "limit": PAGE, "langAndVersion": f"{language}@{_STATES[kind]}"}
    asked |= narrowed or {}
    address = f"{api}/akn/fi/act/{kind}/list?{urlencode(asked, safe='@')}"
    try:
        answer = client.get(address)
    except FetchFailed as fault:
        raise SourceUnreachable(
            NAME, f"page {page} of its list of {kind} cannot be had ({fault}); nothing was changed"
        ) from fault
    try:
        entries = json.loads(answer.data)
    except (ValueError, RecursionError) as fault:
        raise MirrorDamaged(NAME, f"page {page} of its list of {kind} is no JSON; try again later") from fault
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise MirrorDamaged(NAME, f"page {page} of its list of {kind} is no list of acts; try again later")
    return [str(entry.get(_ENTRY, "")) for entry in entries]


def listed_file(api: str, kind: str, year: str, number: str, language: str) -> ListedFile:
    """The file of an act in a language, under the path of the archive."""
    place = f"akn/fi/act/{kind}/{year}/{number}/{language}@{_STATES[kind]}"
    # Each language is independent: a missing translation does not hold back the others.
    return ListedFile(f"{place}/main.xml", f"{api}/{place}", f"{year}/{number}/{language}")


def damage_of(path: str, data: bytes) -> str:
    """What is wrong with a body: half a file, a page that says "try later", a list instead of an act."""
    try:
        root = parse_xml(data, path)
    except RefusedFile as fault:
        return f"what came is damaged: {fault.reason}"
    name = str(root.tag).rpartition("}")[2]
    if name == "AknXmlList":
        return "the source has no such act or version; it answered with an empty list"
    return "" if name == "akomaNtoso" else f"what came is a {name!r}, not an act"
