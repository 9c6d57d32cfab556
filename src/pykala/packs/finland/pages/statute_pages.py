"""Statutes from Finlex's pages, which carry no number: whole amending acts, and consolidated acts in part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

from lxml import etree

from pykala.fetch.xml import RefusedFile
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, Manifestation, Provision, ProvisionKind, Work, WorkKind
from pykala.law.references import normalise_alias
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.act_numbers import printed_number
from pykala.packs.finland.addresses import slug
from pykala.packs.finland.citations.law_names import names_of_title
from pykala.packs.finland.commencement import Commencement, read_commencement
from pykala.packs.finland.pages.blocks import Page, read_page
from pykala.packs.finland.pages.page_facts import PageFacts, amended_name, folder_of, is_decree, long_date
from pykala.packs.finland.pages.page_matching import Match
from pykala.packs.finland.pages.statute_page_tree import LIST_OF_AMENDMENTS, as_akoma_ntoso, mend
from pykala.packs.finland.spacing import tidy
from pykala.packs.finland.statutes.act_facts import ActFacts, kind_of_title, work_of
from pykala.packs.finland.statutes.act_text import ActText
from pykala.packs.finland.statutes.tree import read_tree, restarts
from pykala.packs.finland.statutes.wordings import amending_act
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot

FORMAT = "html/statute"
NUMBER_UNKNOWN = "its number is unknown: no numbered act fits the page and no other"
_SIGNED = re.compile(
    r"(?:Helsingissä|Naantalissa|Kultarannassa) (\d{1,2}) päivänä ([a-zäö]+kuu)ta (\d{4})\.?$"
)
_AMENDS = re.compile(r"\b(?:muutetaan|kumotaan|lisätään)\b")


def unnumbered_works(pages: Iterable[PageFacts]) -> dict[str, WorkId]:
    """A work for each page without a number, by path: `fi:statute:` and the slug of the file's name.

    Pages of the same words share one; other pages whose names fold alike are told apart by a number.
    """
    works: dict[str, WorkId] = {}
    by_words: dict[bytes, WorkId] = {}
    taken: set[WorkId] = set()
    copies: dict[str, int] = {}
    for page in sorted(pages, key=lambda one: (len(folder_of(one.path)), one.path)):
        same = by_words.get(page.digest) if page.digest else None
        works[page.path] = same or _free(page.path, taken, copies)
        taken.add(works[page.path])
        if page.digest:
            by_words[page.digest] = works[page.path]
    return works


def _free(path: str, taken: set[WorkId], copies: dict[str, int]) -> WorkId:
    """A work of its own for a page; of pages of one name it is remembered how far they were counted."""
    name = slug(path.rpartition("/")[2].removesuffix(".html")) or "untitled"
    work = WorkId(f"fi:statute:{name}")
    while work in taken:
        copies[name] = copies.get(name, 1) + 1
        work = WorkId(f"fi:statute:{name}-no-{copies[name]}")
    return work


def note_of(match: Match | None) -> str:
    """How a page came to its number, for the record of where a text was read from."""
    if match is None:
        return NUMBER_UNKNOWN
    return f"number {match.work} found with confidence {match.confidence:.2f} by: {', '.join(match.signs)}"


def read_statute_page(snapshot: Snapshot, facts: PackFacts, work: WorkId, note: str = "") -> Reading:
    """Read a page as the act that it was matched to, or as a work of its own (`unnumbered_works`)."""
    try:
        page = read_page(snapshot)
    except RefusedFile as refused:
        return Reading(None, refusals=(Refusal(snapshot.path, refused.reason),))
    consolidated = is_consolidated(page)
    amending = bool(amended_name(page.title)) or any(
        _AMENDS.search(block.text) for block in page.blocks[:3] if block.kind == "paragraph"
    )
    act = as_akoma_ntoso(page.blocks, amending=amending, consolidated=consolidated)
    commencement = _commencement(act, consolidated)
    document = _document(snapshot, page, work, act, commencement, consolidated, note)
    return Reading(_work(document, page, commencement, snapshot.path, facts), (document,))


def is_consolidated(page: Page) -> bool:
    """Whether a page holds the act with its amendments, rather than the act as it was given."""
    return any(block.text == LIST_OF_AMENDMENTS for block in page.blocks if block.kind == "heading") or any(
        "#entryIntoForce_" in link.address for block in page.blocks for link in block.links
    )


def _commencement(act: etree._Element, consolidated: bool) -> Commencement:
    """Since when the act is in force: the last words that tell it, for the first may be quoted ones."""
    found = Commencement()
    for element in act.iterfind("body//*"):
        if element.tag not in {"section", "hcontainer", "p"}:
            continue
        heading = element.find("heading")
        if heading is not None and consolidated and amending_act(heading.text or ""):
            break  # what follows are the amending acts' own
        told = read_commencement(tidy(" ".join(map(str, element.itertext()))), "fi")
        found = told if told.validity is not None else found
    return found


def _amendments_in_force(act: etree._Element) -> Mapping[WorkId, date]:
    """Since when each listed amending act is in force: "27.5.1994/375:" and its own words."""
    days: dict[WorkId, date] = {}
    for entry in act.iterfind("body/hcontainer[@name='entryIntoForce']"):
        heading = entry.find("heading")
        amending = amending_act(heading.text or "") if heading is not None else None
        words = tidy(" ".join(map(str, entry.itertext())))
        validity = read_commencement(words, "fi").validity
        if amending and validity and validity.start and not validity.is_pending:
            days[amending] = validity.start
    return days


def _document(
    snapshot: Snapshot,
    page: Page,
    work: WorkId,
    act: etree._Element,
    commencement: Commencement,
    consolidated: bool,
    note: str,
) -> Document:
    text = ActText(
        work,
        commencement.validity or ALWAYS,
        authentic=not consolidated,
        indented=False,
        chapters_in_ids=restarts(act, "section", "chapter"),
        parts_in_ids=restarts(act, "chapter", "part"),
        application=commencement.application,
        observed_at=snapshot.retrieved_at,
        commencements=_amendments_in_force(act) if consolidated else {},
    )
    root = read_tree(act, mend(page.title), printed_number(work), text)
    form = f"{FORMAT}-consolidated" if consolidated else FORMAT
    notes = (*page.notes, *((note,) if note else ()))
    return Document(
        work,
        page.language,
        mend(page.title),
        _with_amending_acts(root, text.commencements),
        (Manifestation(snapshot.path, snapshot.sha256, form, snapshot.url, snapshot.retrieved_at, notes),),
    )


def _with_amending_acts(root: Provision, days: Mapping[WorkId, date]) -> Provision:
    """The entries of the list of amendments as words of the acts that it names, since these are in force."""
    children = []
    for child in root.children:
        amending = amending_act(child.heading) if child.kind is ProvisionKind.ENTRY_INTO_FORCE else None
        if amending is not None and days:
            validity = Validity(days.get(amending))
            versions = (replace(one, validity=validity, source_act=amending) for one in child.versions)
            child = replace(child, versions=tuple(versions))
        children.append(child)
    return replace(root, children=tuple(children))


def _issued(page: Page) -> date | None:
    """The day of issue, where the page has its signatures, or its title says "Annettu Helsingissä …"."""
    for text in (page.title, *(block.text for block in page.blocks if block.kind == "paragraph")):
        if found := _SIGNED.search(text):
            return long_date(found)
    return None


def _work(document: Document, page: Page, commencement: Commencement, path: str, facts: PackFacts) -> Work:
    kind = WorkKind.DECREE if is_decree(path) else kind_of_title(document.title)
    known = ActFacts(
        document.work,
        kind,
        titles=((document.language, document.title),),
        issued=_issued(page),
        validity=commencement.validity or ALWAYS,
    )
    if document.work.value.startswith("fi:act:"):
        return work_of(known, facts)
    made = work_of(replace(known, work=WorkId("fi:act:0000/0")), facts)
    names = [name for name in names_of_title(document.title, document.language) if name]
    return replace(made, id=document.work, aliases=tuple(map(normalise_alias, names)), abbreviations=())
