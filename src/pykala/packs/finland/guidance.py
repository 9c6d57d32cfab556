"""Guidance of the Tax Administration (Vero), as HTML: its numbered headings are the sections people cite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pykala.fetch.xml import RefusedFile
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Manifestation, Provision, ProvisionKind, Work, WorkKind
from pykala.law.references import EdgeKind, Method, Reference, normalise_alias
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem

from .addresses import slug
from .page_tree import PageTree, split_details
from .pages import Page, read_page

_PATH = re.compile(r"(?:^|/)(?:Ohjeet|Kannanotot)/[^/]+/[^/]+ - vero\.fi(?:_(?P<copy>\d+))?\.html$")
_SITE = re.compile(r"\s*-\s*vero\.fi\s*$")


class GuidanceFiles:
    """The paths of guidance in a mirror."""

    @staticmethod
    def items(paths: Iterable[str]) -> Iterator[SourceItem]:
        """One item a page, in order of path."""
        for path in sorted(paths):
            if _PATH.search(path):
                yield SourceItem(f"vero:{path}", (path,))


def read_guidance(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read one page of guidance."""
    snapshot = snapshots[0]
    try:
        page = read_page(snapshot)
        title = _SITE.sub("", page.title)
        work = _identify(title, snapshot.path)
    except RefusedFile as refused:
        return Reading(None, refusals=(Refusal(snapshot.path, refused.reason),))
    details, labelled, blocks = split_details(page.blocks)
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
    references = [*tree.references, *_replaced(work, details.replaces, page)]
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
    return Reading(
        Work(
            work,
            WorkKind.GUIDANCE,
            facts.authority["vero"],
            titles=((page.language, title),),
            aliases=tuple(
                dict.fromkeys(
                    normalise_alias(alias) for alias in (title, details.diary_number, snapshot.url) if alias
                )
            ),
            issued=details.issued,
            validity=details.validity,
        ),
        (document,),
    )


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
