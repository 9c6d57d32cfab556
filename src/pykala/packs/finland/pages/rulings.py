"""Rulings of the Supreme Administrative Court (KHO) and of the Central Tax Board (KVL), as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from pykala.fetch.xml import RefusedFile
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Manifestation, ProvisionKind, Work, WorkKind
from pykala.law.references import EdgeKind, normalise_alias
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.addresses import board_ruling_id, precedent_id
from pykala.packs.finland.pages.appeals import appeals
from pykala.packs.finland.pages.blocks import Block, read_page
from pykala.packs.finland.pages.citing import citation_of
from pykala.packs.finland.pages.page_tree import PageDetails, PageTree, split_details
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem

_PATHS = {
    "kho": re.compile(r"(?:^|/)KHO_[^/]+\.html$"),
    "kvl": re.compile(r"(?:^|/)KVL[ _]+\d+_\d+ - vero\.fi\.html$"),
}
_KHO_TITLE = re.compile(r"KHO[:\s]\s*(\d{4})[:-]([\w-]+)")
_KVL_TITLE = re.compile(
    r"KVL[:\s]*(?:(?P<year>\d{4})[/:](?P<number>\d{1,3})|(?P<first>\d{1,3})[/:](?P<second>\d{4}))\b"
)
#: Headings of a judgment that older pages print as plain paragraphs.
_PLAIN_HEADING = re.compile(
    r"^(?:Asian (?:tausta|aikaisempi käsittely)|(?:Korkeimman h|H)allinto-oikeuden ratkaisu"
    r"|(?:Oikeudelliset )?[Pp]erustelut"
    r"|Päätös, (?:jota|josta)\b.*|Selostus asian\b.*|Käsittely .*oikeudessa|Kort referat på svenska"
    r"|Vaatimukset korkeimmassa .*|Oikeudellinen arvio(?:inti)?(?: ja .*)?|Asian käsittely .*)$"
)
_LONGEST_HEADING = 120


class RulingFiles:
    """The paths of rulings in a mirror."""

    @staticmethod
    def items(paths: Iterable[str]) -> Iterator[SourceItem]:
        """One item a page, in order of path."""
        for path in sorted(paths):
            for court, pattern in _PATHS.items():
                if pattern.search(path):
                    yield SourceItem(f"{court}:{path}", (path,))


def read_ruling(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read one ruling: its headnote, the law that it applies, and its reasons under their headings."""
    snapshot = snapshots[0]
    court = item.name.partition(":")[0]
    try:
        page = read_page(snapshot)
        work = _identify(court, page.title, snapshot.path)
    except RefusedFile as refused:
        return Reading(None, refusals=(Refusal(snapshot.path, refused.reason),))
    details, labelled, others = split_details(page.blocks)
    if details.validity == ALWAYS:
        details = replace(details, validity=_of_its_year(work))
    headnote, body = _split_headnote(others)
    tree = PageTree(
        ProvisionId(work),
        page.language,
        details.validity,
        snapshot.retrieved_at,
        EdgeKind.APPLIES,
        section_kind=ProvisionKind.REASONS,
    )
    groups = []
    if headnote:
        groups.append(tree.group("headnote", ProvisionKind.HEADNOTE, headnote))
    if labelled:
        groups.append(tree.group("details", ProvisionKind.EDITORIAL_NOTE, labelled))
    title = citation_of(work)
    document = Document(
        work,
        page.language,
        title,
        tree.build(title, title, groups, body),
        (
            Manifestation(
                snapshot.path, snapshot.sha256, "html", snapshot.url, snapshot.retrieved_at, page.notes
            ),
        ),
        references=tuple(tree.references),
    )
    if court == "kvl":
        document = replace(document, references=(*document.references, *appeals(document)))
    return Reading(_work(work, court, title, page.language, details, snapshot.url, facts), (document,))


def _identify(court: str, title: str, path: str) -> WorkId:
    if court == "kho" and (found := _KHO_TITLE.search(title)):
        return precedent_id(found[1], found[2])
    if court == "kvl" and (found := _KVL_TITLE.search(title)):
        return board_ruling_id(found["year"] or found["second"], found["number"] or found["first"])
    raise RefusedFile(path, f"its heading {title!r} is not the number of a ruling")


def _split_headnote(blocks: Sequence[Block]) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """The summary that comes first, and the judgment from its first real heading on.

    Finlex prints each paragraph of the summary, and the line of cited law, as a heading.
    """
    mended = [_mended(block) for block in blocks]
    first = next((at for at, block in enumerate(mended) if block.kind == "heading"), len(mended))
    return tuple(mended[:first]), tuple(mended[first:])


def _mended(block: Block) -> Block:
    """Separate headings from prose: a heading is short, is no sentence, and cites no section."""
    text = block.text
    prose = len(text) > _LONGEST_HEADING or text.rstrip().endswith((".", "?", "!", ";")) or "§" in text
    prose = prose or text.startswith(("Ks. ", "Vrt. ", "Katso "))
    if block.kind == "heading":
        return Block("paragraph", text, links=block.links) if prose else block
    if block.kind == "paragraph" and not prose and _PLAIN_HEADING.match(text):
        return Block("heading", text, 2, links=block.links)
    return block


def _of_its_year(work: WorkId) -> Validity:
    """A ruling without a day did not exist before the year in its number: it cannot answer for then."""
    found = re.match(r"fi:(?:kho|kvl):((?:19|20)\d\d)\b", work.value)
    return Validity(date(int(found[1]), 1, 1)) if found else ALWAYS


def _work(
    work: WorkId, court: str, title: str, language: str, details: PageDetails, address: str, facts: PackFacts
) -> Work:
    number = work.value.rpartition(":")[2]
    year, _, rest = number.partition("/")
    aliases = [title, title.replace(" ", ":", 1)]
    if court == "kho" and rest:
        aliases += [f"KHO:{year}:{rest}", f"HFD {year}:{rest}", f"ECLI:FI:KHO:{year}:{rest}"]
    if court == "kvl":
        aliases += [f"KVL {int(rest)}/{year}", f"KVL:{year}/{int(rest)}", f"CSN:{int(rest):03}/{year}"]
    if court == "kho" and details.issued and details.record:
        day = details.issued
        aliases.append(f"KHO {day.day}.{day.month}.{day.year}/{details.record}")
    aliases += [details.ecli, details.diary_number, address]
    return Work(
        work,
        WorkKind.CASE,
        facts.authority[court],
        titles=((language, title),),
        aliases=tuple(dict.fromkeys(normalise_alias(alias) for alias in aliases if alias)),
        issued=details.issued,
        validity=details.validity,
    )
