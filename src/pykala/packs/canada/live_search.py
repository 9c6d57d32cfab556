"""Acts and regulations at Justice Laws by words of their titles, as its index lists them in two languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pykala.fetch.addresses import AllowedHosts
from pykala.fetch.http import Clock, Manners, PoliteClient
from pykala.fetch.laying_out import FoundAct, LaidOut, lay_out
from pykala.fetch.live import ListedFile
from pykala.packs.canada.live import INDEX, damage_of, entries_of, index_data, listed_entry

HOST = "laws-lois.justice.gc.ca"
_MOST_WORDS = 12
#: Words that occur in half of all titles.
_SAY_LITTLE = frozenset(
    {"act", "acts", "an", "and", "canada", "for", "in", "law", "of", "regulation", "regulations", "the"}
    | {"au", "aux", "concernant", "de", "des", "du", "et", "la", "le", "les", "loi", "règlement", "sur"}
)


@dataclass(frozen=True, slots=True)
class _Entry:
    file: ListedFile
    title: str
    day: date | None
    page: str

    @property
    def number(self) -> str:
        return self.file.work.rpartition(":")[2]


class JusticeLawsClient(PoliteClient):
    """A client that fetches the index once, however often it is used."""

    _index: bytes = b""

    def index(self, address: str) -> bytes:
        """The index as it stood when it was first asked for."""
        if not self._index:
            self._index = index_data(self, address)
        return self._index


def open_client(
    manners: Manners, *, clock: Clock | None = None, hosts: AllowedHosts | None = None
) -> JusticeLawsClient:
    """A client for Justice Laws alone."""
    return JusticeLawsClient(hosts or AllowedHosts(frozenset({HOST})), manners, clock=clock)


def find_acts(
    client: JusticeLawsClient, words: str, *, year: int | None = None, limit: int = 20, index: str = INDEX
) -> list[FoundAct]:
    """Acts and regulations whose title contains the words: most matches first, short titles before long.

    A year counts only where a title contains it: the index does not say when something was enacted.
    """
    wanted = list(dict.fromkeys(words.casefold().split()))[:_MOST_WORDS]
    telling = [word for word in wanted if word not in _SAY_LITTLE] or wanted
    found: dict[str, tuple[int, int, _Entry]] = {}
    for entry in _entries(client, index):
        title = f"{entry.title} {entry.number}".casefold()
        hits = sum(word in title for word in telling) + (year is not None and str(year) in title)
        worth = (hits, -len(entry.title))
        if hits and (entry.number not in found or found[entry.number][:2] < worth):
            found[entry.number] = (*worth, entry)
    best = max((hits for hits, _, _ in found.values()), default=0)
    # If some title contains several of the words, titles with only one are about something else.
    kept = [one for one in found.values() if one[0] * 2 > best]
    ranked = sorted(kept, key=lambda one: (-one[0], -one[1], one[2].number))
    return [FoundAct(one.number, one.title, one.day, one.page) for _, _, one in ranked[:limit]]


def fetch_acts(
    client: JusticeLawsClient,
    numbers: Sequence[str],
    folder: Path,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    index: str = INDEX,
) -> LaidOut:
    """Fetch acts and regulations by number into a folder, in both languages."""
    wanted = frozenset(numbers)
    files = [entry.file for entry in _entries(client, index) if entry.number in wanted]
    came = lay_out(files, client, folder, check=damage_of, progress=progress)
    return LaidOut(tuple(work.rpartition(":")[2] for work in came.acts), came.pages, came.refusals)


def _entries(client: JusticeLawsClient, index: str) -> list[_Entry]:
    found = []
    for entry in entries_of(client.index(index), index):
        file = listed_entry(entry, index)
        if file is not None:
            title = " ".join((entry.findtext("Title") or "").split())
            day = _day((entry.findtext("CurrentToDate") or "").strip())
            found.append(_Entry(file, title, day, (entry.findtext("LinkToHTMLToC") or file.url).strip()))
    return found


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
