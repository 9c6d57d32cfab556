"""One title of the code from its files: the plain text, or the answers of Open Legislation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from pykala.fetch.refusals import RefusedFile
from pykala.law.provisions import Document, Manifestation, Work, WorkKind
from pykala.packs.left_out import with_gaps
from pykala.packs.nyc.blocks import Block, BlockKind
from pykala.packs.nyc.documents import LANGUAGE, Assembly
from pykala.packs.nyc.doubts import with_doubts
from pykala.packs.nyc.judgments import with_judgments
from pykala.packs.nyc.naming import TITLE, WORK, is_senate
from pykala.packs.nyc.plain_text import read_blocks
from pykala.packs.nyc.senate import read_senate
from pykala.packs.nyc.tax_years import with_tax_years
from pykala.packs.nyc.tree import build
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem
from pykala.text.encoding import UndecodableText, decode

PLAIN, SENATE = "nyc-plain-text", "open-legislation-json"
NAME = "New York City Administrative Code, Title 11: Taxation and Finance"
SHORT = "NYC Administrative Code, Title 11"
ALIASES = (
    "title 11 of the administrative code",
    "administrative code of the city of new york, title 11",
    "nyc administrative code",
    "new york city administrative code",
)


def read_item(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read the title. The plain text has the notes and comes first; a second whole copy is refused."""
    refusals: list[Refusal] = []
    blocks: list[Block] = []
    manifestations: list[Manifestation] = []
    observed: date | None = None
    seen: set[str] = set()
    for snapshot in sorted(snapshots, key=lambda snapshot: (is_senate(snapshot.path), snapshot.path)):
        try:
            found, form, active = _blocks(snapshot)
            numbers = {block.number for block in found if block.kind is BlockKind.SECTION}
            if numbers <= seen:
                raise RefusedFile(
                    snapshot.path, "its sections are read from another file of this source already"
                )
            blocks += _new_only(found, seen)
            seen |= numbers
            observed = active or snapshot.retrieved_at or observed
            manifestations.append(
                Manifestation(snapshot.path, snapshot.sha256, form, snapshot.url, snapshot.retrieved_at)
            )
        except RefusedFile as refused:
            refusals.append(Refusal(snapshot.path, refused.reason))
    if not blocks:
        return Reading(None, refusals=tuple(refusals))
    assembly = Assembly(WORK, observed)
    root = with_judgments(with_tax_years(with_doubts(assembly.build(build(blocks, NAME)))))
    document = Document(
        WORK,
        LANGUAGE,
        NAME,
        with_gaps(root),
        tuple(manifestations),
        short_title=SHORT,
        references=tuple(assembly.references),
        terms=tuple(assembly.terms),
    )
    # Open Legislation's active date is its own statement; the plain text has dated notes.
    work = replace(_work(facts), current_to=observed or assembly.newest)
    return Reading(work, (document,), (), tuple(refusals))


def _blocks(snapshot: Snapshot) -> tuple[list[Block], str, date | None]:
    if is_senate(snapshot.path):
        file = read_senate(snapshot.data, snapshot.path, TITLE)
        return list(file.blocks), SENATE, file.active
    try:
        text = decode(snapshot.data).text
    except UndecodableText as fault:
        raise RefusedFile(snapshot.path, str(fault)) from None
    found = list(read_blocks(text))
    sections = [block for block in found if block.kind is BlockKind.SECTION]
    if not sections:
        raise RefusedFile(snapshot.path, "it holds no section: no line starts like '§ 11-503 Title.'")
    other = next((block for block in sections if not block.number.startswith(f"{TITLE}-")), None)
    if other is not None:
        raise RefusedFile(snapshot.path, f"§ {other.number} is not of title {TITLE}")
    return found, PLAIN, None


def _new_only(blocks: Sequence[Block], seen: set[str]) -> list[Block]:
    """The blocks without the sections that another file gave; their chapters are repeated."""
    kept: list[Block] = []
    skipping = False
    for block in blocks:
        if block.kind in (BlockKind.SECTION, BlockKind.CONTAINER):
            skipping = block.kind is BlockKind.SECTION and block.number in seen
        if not skipping:
            kept.append(block)
    return kept


def _work(facts: PackFacts) -> Work:
    abbreviations = [name for name, target in facts.abbreviations.items() if target == WORK.value]
    return Work(
        WORK,
        WorkKind.CODE,
        facts.authority[WorkKind.CODE.value],
        titles=((LANGUAGE, NAME),),
        short_titles=((LANGUAGE, SHORT),),
        abbreviations=tuple(abbreviations),
        aliases=ALIASES,
    )
