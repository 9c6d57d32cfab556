"""Tax treaties, one folder per country: articles, their paragraphs, and the multilateral convention's boxes.

The pages are in Finnish. Where the multilateral convention of 2016 changes a treaty, Finlex prints its words
in boxes within the treaty; they are provisions beside the treaty, not articles of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from pykala.fetch.xml import RefusedFile
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, Manifestation, Work, WorkKind
from pykala.law.references import normalise_alias
from pykala.law.validity import ALWAYS
from pykala.packs.finland.addresses import slug
from pykala.packs.finland.pages.blocks import Block, Page, read_page
from pykala.packs.finland.pages.page_facts import long_date
from pykala.packs.finland.pages.statute_page_tree import mend
from pykala.packs.finland.spacing import tidy
from pykala.packs.finland.treaties.tree import TreatyTree
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem

_PATH = re.compile(r"(?:^|/)Tuloverosopimukset/(?P<partner>[^/]+)/(?P<name>[^/]+?)(?P<copy>_\d+)?\.html$")
_NUMBER = re.compile(r"SopS\.?\s*(?P<first>\d{1,3})(?:\s?[–-]\s?(?P<last>\d{1,3}))?/(?P<year>\d{4})\b")
_ADDRESS = re.compile(r"/sopsteksti/(?P<year>\d{4})/(?P=year)(?P<first>\d{4})\b")
_NOT_THE_TREATY = re.compile(r"^(?:Laki|Asetus|Valtio|Tasavallan presidentin|Ulkoasiain|Ulkoministeriön)")
_SIGNED = re.compile(
    r"(\d{1,2}) päivänä ([a-zäö]+kuu)ta (\d{4}) (?:tehdyn|tehty|allekirjoitetun|allekirjoitettu) sopimu"
)

_NORDIC = ("Ruotsi", "Norja", "Tanska", "Islanti", "Färsaaret")
#: Genitives that no rule of the last letter gives.
_GENITIVES = {
    "Alankomaat": "Alankomaiden",
    "Arabiemiirikunnat": "Arabiemiirikuntien",
    "Egypti": "Egyptin",
    "Etelä-Afrikka": "Etelä-Afrikan",
    "Filippiinit": "Filippiinien",
    "Färsaaret": "Färsaarten",
    "Irlanti": "Irlannin",
    "Islanti": "Islannin",
    "Iso-Britannia": "Ison-Britannian",
    "Itävalta": "Itävallan",
    "Kreikka": "Kreikan",
    "Kypros": "Kyproksen",
    "Marokko": "Marokon",
    "Turkki": "Turkin",
    "Tšekki": "Tšekin",
    "Uusi-Seelanti": "Uuden-Seelannin",
    "Yhdysvallat": "Yhdysvaltojen",
}


class TreatyFiles:
    """The paths of tax treaties in a mirror."""

    @staticmethod
    def items(paths: Iterable[str]) -> Iterator[SourceItem]:
        """One item per treaty: the copies of one page ("… .html", "…_1.html") belong together."""
        treaties: dict[tuple[str, str], list[str]] = {}
        for path in paths:
            if found := _PATH.search(path):
                treaties.setdefault((found["partner"], found["name"]), []).append(path)
        for partner, name in sorted(treaties):
            paths_of = sorted(treaties[partner, name], key=lambda path: (len(path), path))
            first = min(key for key in treaties if key[0] == partner)
            suffix = "" if (partner, name) == first else f"/{slug(name)}"
            yield SourceItem(f"treaty:{partner}{suffix}", tuple(paths_of))


def read_treaty(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read one treaty from the first of its copies that can be read."""
    refusals: list[Refusal] = []
    for at, snapshot in enumerate(snapshots):
        try:
            page = read_page(snapshot)
        except RefusedFile as refused:
            refusals.append(Refusal(snapshot.path, refused.reason))
            continue
        document, work = _document(item, snapshot, snapshots[at + 1 :], page, facts)
        return Reading(work, (document,), refusals=tuple(refusals))
    return Reading(None, refusals=tuple(refusals))


def _document(
    item: SourceItem, snapshot: Snapshot, copies: Sequence[Snapshot], page: Page, facts: PackFacts
) -> tuple[Document, Work]:
    partner = partner_of(snapshot.path)
    number = _published(page.blocks)
    title = mend(page.title)
    work = _identify(item, partner, title, number)
    label = tidy(number[0]) if number and number[0].startswith("SopS") else ""
    root = TreatyTree(work, snapshot.retrieved_at).build(title, label, page.blocks)
    manifestations = [
        Manifestation(
            snapshot.path, snapshot.sha256, "html/treaty", snapshot.url, snapshot.retrieved_at, page.notes
        )
    ]
    for copy in copies:
        note = f"another copy of {snapshot.path}, which is the text that is read"
        manifestations.append(
            Manifestation(copy.path, copy.sha256, "html/treaty", copy.url, copy.retrieved_at, (note,))
        )
    made = Work(
        work,
        WorkKind.TREATY,
        facts.authority["treaty"],
        titles=((page.language, title),),
        aliases=tuple(dict.fromkeys(normalise_alias(name) for name in _names(partner, title, work, number))),
        issued=_signed(page.blocks),
        validity=ALWAYS,
    )
    return Document(work, page.language, title, root, tuple(manifestations)), made


def partner_of(path: str) -> str:
    """The country that a treaty is with: the folder that its page stands in."""
    found = _PATH.search(path)
    return tidy(found["partner"]) if found else ""


def genitive(country: str) -> str:
    """The genitive of a country's name: "Viro" is "Viron", "Irlanti" is "Irlannin"."""
    if country in _GENITIVES:
        return _GENITIVES[country]
    return f"{country}n" if country[-1:] in "aeiouyäöå" else f"{country}in"


def _published(blocks: Sequence[Block]) -> re.Match[str] | None:
    """Where the treaty was published: "… tehty sopimus … on julkaistu … sopimussarjassa SopS 96/1993".

    A number in brackets within the text ("(SopS 11–12/2021)") is that of a treaty that changed it.
    """
    for block in blocks:
        text = block.text
        if "on julkaistu" not in text or "sopimus" not in text or _NOT_THE_TREATY.match(text):
            continue
        if "yleissopimu" not in text and (found := _NUMBER.search(text) or _ADDRESS.search(text)):
            return found
    return None


def _signed(blocks: Sequence[Block]) -> date | None:
    for block in blocks[:40]:
        if found := _SIGNED.search(block.text):
            return long_date(found)
    return None


def _identify(item: SourceItem, partner: str, title: str, number: re.Match[str] | None) -> WorkId:
    """The treaty by its number in the Treaty Series where it is this partner's own, else by the partner."""
    own = number is not None and _is_of(partner, title)
    if number is not None and own:
        return WorkId(f"fi:treaty:{number['year']}/{int(number['first'])}")
    name = "pohjoismaat" if "Pohjoismaiden" in title else slug(partner)
    rest = item.name.partition("/")[2]
    return WorkId(f"fi:treaty:{name}" + (f"-{rest}" if rest else ""))


def _is_of(partner: str, title: str) -> bool:
    """Whether the title does not name a former state: Serbia's treaty is that with Yugoslavia."""
    return "Jugoslavian" not in title or partner == "Jugoslavia"


def _names(partner: str, title: str, work: WorkId, number: re.Match[str] | None) -> Iterator[str]:
    yield title
    countries = _NORDIC if "Pohjoismaiden" in title else (partner,)
    if "Pohjoismaiden" in title:
        yield from (
            "pohjoismainen verosopimus",
            "pohjoismaiden verosopimus",
            "pohjoismaiden välinen verosopimus",
        )
    for country in countries:
        of = genitive(country)
        yield f"verosopimus {of} kanssa"
        yield f"{of} verosopimus"
        yield f"{of} kanssa tehty verosopimus"
        yield f"Suomen ja {of} verosopimus"
        yield f"Suomen ja {of} välinen verosopimus"
    if number is not None and work.value[-1].isdecimal():
        yield f"SopS {int(number['first'])}/{number['year']}"
