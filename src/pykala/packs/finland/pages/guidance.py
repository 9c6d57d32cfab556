"""What the Tax Administration (Vero) publishes, as HTML: guidance, positions, and its binding decisions.

The numbered headings of guidance are the sections that people cite. A decision (*Verohallinnon päätös*) is
given under an act's authority and has sections like one (3 §, 2 momentti), so it is read like one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from pykala.fetch.refusals import MirrorFault
from pykala.fetch.xml import RefusedFile
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Manifestation, Provision, ProvisionKind, Work, WorkKind
from pykala.law.references import EdgeKind, Method, Reference, normalise_alias
from pykala.law.validity import Validity
from pykala.packs.finland.addresses import slug
from pykala.packs.finland.commencement import interval, read_commencement, short_date
from pykala.packs.finland.pages.blocks import Block, Page, read_page
from pykala.packs.finland.pages.guidance_age import age_of
from pykala.packs.finland.pages.page_facts import long_date
from pykala.packs.finland.pages.page_tree import PageDetails, PageTree, split_details
from pykala.packs.finland.pages.statute_page_tree import as_akoma_ntoso
from pykala.packs.finland.pages.superseded import (
    ENDED_ON,
    SIGNS,
    PageSigns,
    replaced_titles,
    signs_of,
    superseded,
)
from pykala.packs.finland.periods import ended_by_title
from pykala.packs.finland.statutes.act_text import ActText
from pykala.packs.finland.statutes.tree import read_tree, restarts
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem

if TYPE_CHECKING:
    from pykala.fetch.mirror import Mirror

#: A long name is cut off before " - vero.fi".
_PATH = re.compile(
    r"(?:^|/)(?P<folder>Ohjeet|Kannanotot|Päätökset)/[^/]+/[^/]+?(?: - vero\.fi)?(?:_(?P<copy>\d+))?\.html$"
)
_COPY = re.compile(r"_\d+\.html$")
_SITE = re.compile(r"\s{0,9}-\s{0,9}vero\.fi\s{0,9}$")
_OLD = re.compile(r"^Tämä on vanha versio\b", re.IGNORECASE)
_SECTION = re.compile(r"^\d{1,3}(?:\s?[a-zåäö])?\s?§")
_SECTION_ALONE = re.compile(r"^\d{1,3}(?:\s?[a-zåäö])?\s?§$")
_CHAPTER_ALONE = re.compile(r"^(?:\d{1,2}|[IVX]{1,5})\.?\s?luku$", re.IGNORECASE)
_SIGNED = re.compile(r"^Helsingissä(?:,)? (\d{1,2}) päivänä ([a-zäö]+kuu)ta (\d{4})", re.MULTILINE)
_SIGNED_SHORT = re.compile(r"^Helsingissä(?:,)? (\d{1,2}\.\d{1,2}\.\d{4})", re.MULTILINE)
_TAKES_EFFECT = re.compile(
    r"\b(?:Tämä p|P)äätös tulee voimaan (?P<day>\d{1,2}\.\d{1,2}\.\d{4}|[^.]{0,60}\d{4})"
)
_OLD_VERSION = Message("finding.old_version")


class GuidanceFiles:
    """The paths of guidance in a mirror."""

    @staticmethod
    def items(paths: Iterable[str]) -> Iterator[SourceItem]:
        """One item a page, in order of path; pages under one title say that there are others."""
        pages = [path for path in sorted(paths) if _PATH.search(path)]
        editions = Counter(_COPY.sub(".html", path) for path in pages)
        for path in pages:
            count = editions[_COPY.sub(".html", path)]
            told = _as_note(Message.of("finding.editions", pages=count))
            notes = ((path, told),) if count > 1 else ()
            yield SourceItem(f"vero:{path}", (path,), notes)

    @staticmethod
    def survey(source: Mirror) -> Iterator[SourceItem]:
        """The same items; a page whose place another takes says so in its notes."""
        items = list(GuidanceFiles.items(source.paths()))
        replaced = _superseded(source, items)
        for item in items:
            path = item.paths[0]
            later = replaced.get(path)
            if later is not None:
                day = ((path, f"{ENDED_ON}{later.since}"),) if later.since else ()
                told = _as_note(Message.of("finding.superseded_page", title=later.title))
                item = replace(item, notes=((path, told), *day))
            yield item


def _as_note(finding: Message) -> str:
    """A finding of the survey as a note for the reader."""
    return json.dumps(finding.plain(), ensure_ascii=False)


def _from_notes(item: SourceItem) -> Iterator[Message]:
    notes = (note for _, note in item.notes if not note.startswith(ENDED_ON))
    return (Message.from_plain(json.loads(note)) for note in notes)


def _superseded(source: Mirror, items: Sequence[SourceItem]) -> dict[str, PageSigns]:
    """Look into the pages that may replace others, and into those that share a title."""
    slugs: dict[str, str] = {}
    signs: dict[str, PageSigns] = {}
    for item in items:
        path = item.paths[0]
        slugs[path] = slug(_SITE.sub("", _COPY.sub("", path.rpartition("/")[2]).removesuffix(".html")))
        try:
            data = source.read(path).data
            if not item.notes and not any(sign in data for sign in SIGNS):
                continue
            page = read_page(Snapshot(path, data, ""))
        except (RefusedFile, MirrorFault):
            continue
        title = _SITE.sub("", page.title)
        slugs[path] = slug(title)
        details = _dated(split_details(page.blocks)[0], page.blocks)
        signs[path] = signs_of(
            title, details.issued or details.validity.start, [one.text for one in page.blocks]
        )
    return superseded(signs, slugs)


def read_guidance(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read one page: guidance and positions by their headings, decisions by their sections."""
    snapshot = snapshots[0]
    try:
        page = read_page(snapshot)
        title = _SITE.sub("", page.title)
        work = _identify(title, snapshot.path)
    except RefusedFile as refused:
        return Reading(None, refusals=(Refusal(snapshot.path, refused.reason),))
    details, labelled, blocks = split_details(page.blocks)
    details = _dated(details, page.blocks)
    doubts: list[Message] = []
    if details.validity.start is None:
        start = details.issued
        if start is None:
            start, doubt = age_of(title, (block.text for block in page.blocks))
            doubts.append(doubt)
        details = replace(details, validity=interval(start, details.validity.end))
    doubts += _from_notes(item)
    details = replace(details, validity=_until(details.validity, item))
    decision = is_decision(snapshot.path)
    references: list[Reference] = []
    if decision and any(block.kind == "heading" and _SECTION.match(block.text) for block in blocks):
        root = _sections(work, title, details, page, snapshot)
    else:
        root, references = _headings(work, title, details, labelled, blocks, page, snapshot)
    titles = replaced_titles(title, (block.text for block in page.blocks))
    others = (one for one in titles if slug(one) != slug(title))
    for name in dict.fromkeys((details.replaces, *others)):
        references += _replaced(work, name, page)
    if any(_OLD.match(block.text) for block in page.blocks[:3]):
        doubts.append(_OLD_VERSION)
    root = root.with_versions(lambda version: version.doubted(*doubts)) if doubts else root
    document = Document(
        work,
        page.language,
        title,
        root,
        (
            Manifestation(
                snapshot.path, snapshot.sha256, "html", snapshot.url, snapshot.retrieved_at, page.notes
            ),
        ),
        references=tuple(references),
    )
    document = ended_by_title(document, years_after=1)
    return Reading(_work(work, title, details, decision, page, snapshot, facts), (document,))


def _until(validity: Validity, item: SourceItem) -> Validity:
    """The days of a page, to the day from which another takes its place."""
    told = next((note.removeprefix(ENDED_ON) for _, note in item.notes if note.startswith(ENDED_ON)), "")
    end = date.fromisoformat(told) if told else None
    if end is None or validity.end is not None or (validity.start is not None and end <= validity.start):
        return validity
    return interval(validity.start, end)


def is_decision(path: str) -> bool:
    """Whether a page stands among the Tax Administration's decisions, which bind like a rule of law."""
    found = _PATH.search(path)
    return found is not None and found["folder"] == "Päätökset"


def _work(
    work: WorkId,
    title: str,
    details: PageDetails,
    decision: bool,
    page: Page,
    snapshot: Snapshot,
    facts: PackFacts,
) -> Work:
    names = (title, details.diary_number, snapshot.url)
    rank = facts.authority["vero"]
    return Work(
        work,
        WorkKind.DECISION if decision else WorkKind.GUIDANCE,
        facts.authority.get("vero_decision", rank) if decision else rank,
        titles=((page.language, title),),
        aliases=tuple(dict.fromkeys(normalise_alias(alias) for alias in names if alias)),
        issued=details.issued,
        validity=details.validity,
    )


def _dated(details: PageDetails, blocks: Sequence[Block]) -> PageDetails:
    """Fill in what no label tells: a decision's day in its signature, and its entry into force."""
    issued, start = details.issued, details.validity.start
    for block in blocks:
        if issued is None and (found := _SIGNED.search(block.text)):
            issued = long_date(found)
        if issued is None and (found := _SIGNED_SHORT.search(block.text)):
            issued = short_date(found[1])
        if start is None and (found := _TAKES_EFFECT.search(block.text)):
            start = _day(found["day"])
    return replace(details, issued=issued, validity=interval(start, details.validity.end))


def _day(words: str) -> date | None:
    validity = read_commencement(f"Tämä päätös tulee voimaan {words}.", "fi").validity
    return None if validity is None or validity.is_pending else validity.start


def _headings(
    work: WorkId,
    title: str,
    details: PageDetails,
    labelled: Sequence[Block],
    blocks: Sequence[Block],
    page: Page,
    snapshot: Snapshot,
) -> tuple[Provision, list[Reference]]:
    tree = PageTree(
        ProvisionId(work), page.language, details.validity, snapshot.retrieved_at, EdgeKind.INTERPRETS
    )
    first = next((at for at, block in enumerate(blocks) if block.kind == "heading"), len(blocks))
    groups: list[Provision] = []
    if labelled:
        groups.append(tree.group("details", ProvisionKind.EDITORIAL_NOTE, labelled))
    if first:
        groups.append(tree.group("intro", ProvisionKind.SECTION, blocks[:first]))
    root = tree.build(title, "", groups, blocks[first:])
    return root, tree.references


def _sections(work: WorkId, title: str, details: PageDetails, page: Page, snapshot: Snapshot) -> Provision:
    """A decision as the statute that it is in form."""
    blocks = list(_joined_headings(page.blocks))
    act = as_akoma_ntoso(blocks, amending=title.endswith("muuttamisesta"), consolidated=False)
    text = ActText(
        work,
        details.validity,
        authentic=True,
        indented=False,
        chapters_in_ids=restarts(act, "section", "chapter"),
        parts_in_ids=restarts(act, "chapter", "part"),
        observed_at=snapshot.retrieved_at,
    )
    return read_tree(act, title, "", text)


def _joined_headings(blocks: Sequence[Block]) -> Iterator[Block]:
    """Put "1 §" and the heading that follows it, which the pages print as two, into one."""
    held: Block | None = None
    for block in blocks:
        if held is not None and block.kind == "heading" and not _SECTION.match(block.text):
            yield replace(held, text=f"{held.text} {block.text}", links=())
            held = None
            continue
        if held is not None:
            yield held
        alone = _SECTION_ALONE.match(block.text) or _CHAPTER_ALONE.match(block.text)
        held = block if block.kind == "heading" and alone else None
        if held is None:
            yield block
    if held is not None:
        yield held


def _identify(title: str, path: str) -> WorkId:
    name = slug(title)
    if not name:
        raise RefusedFile(path, "its heading holds no title")
    found = _PATH.search(path)
    # A second page under one title is another edition; its file says so: "… - vero.fi_1.html".
    copy = found["copy"] if found else None
    return WorkId(f"fi:vero:{name}" + (f"-{int(copy) + 1}" if copy else ""))


def _replaced(work: WorkId, replaces: str, page: Page) -> Iterator[Reference]:
    """This page ("Korvaa ohjeen …") takes the place of an older one, known by title or diary number."""
    name = normalise_alias(replaces)
    if name:
        yield Reference(
            ProvisionId(work),
            EdgeKind.SUPERSEDES,
            replaces,
            page.language,
            Method.STRUCTURE,
            alias=name,
        )
