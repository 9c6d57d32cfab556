"""Schedules, forms and treaties, and what follows the law: related provisions, pending amendments."""

from __future__ import annotations

from lxml import etree

from pykala.law.provisions import ProvisionKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.canada.drafts import Draft
from pykala.packs.canada.elements import ElementReader
from pykala.packs.canada.headings import read_heading
from pykala.packs.canada.inline import plain_words, words_of
from pykala.packs.canada.labels import label_number, labelled_place
from pykala.packs.canada.standing import Standing

Kind = ProvisionKind
_TREATY_WORDS = (
    "convention", "agreement", "treaty", "protocol", "accord", "traité", "protocole", "entente", "charter",
    "charte", "covenant", "pact",
)  # fmt: skip


def read_schedule(reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing) -> None:
    """A schedule, or one of the two schedules with provisions not in force or of other acts."""
    identity = element.get("id")
    if identity in ("RelatedProvs", "NifProvs"):
        _read_apart(reader, element, draft, standing, pending=identity == "NifProvs")
        return
    standing = standing.of(element)
    schedule = standing.begin(draft, Kind.SCHEDULE, "sched")
    reader.schedules += 1
    reader.read_children(element, schedule, standing)
    reader.schedules -= 1
    _name_schedule(schedule)


def _name_schedule(schedule: Draft) -> None:
    place = labelled_place(schedule.label) if schedule.label else None
    if place is not None and place[2] is Kind.SCHEDULE:
        schedule.step, schedule.number, _ = place
    elif schedule.label:
        schedule.number = label_number(schedule.label)


def read_form(reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing) -> None:
    """A form of a schedule."""
    standing = standing.of(element)
    form = standing.begin(draft, Kind.SCHEDULE, "form")
    reader.read_children(element, form, standing)
    _name_schedule(form)


def read_schedule_heading(
    reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing
) -> None:
    """Label, title and the sections to which a schedule belongs."""
    reader.read_parts(element, draft, standing.of(element))


def read_treaty(reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing) -> None:
    """A convention or other instrument set out in a schedule."""
    standing = standing.of(element)
    treaty = standing.begin(draft, Kind.TREATY, "treaty")
    reader.read_children(element, treaty, standing)
    if element.tag == "DocumentInternal":
        opening = f"{draft.heading} {_opening(treaty)}".casefold()
        if not any(word in opening for word in _TREATY_WORDS):
            treaty.kind, treaty.step = Kind.ITEM, "document"


def read_group(reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing) -> None:
    """`Group` of a treaty: its heading comes first and contains the rest of the group."""
    standing = standing.of(element)
    place = draft
    for child in element:
        tag = child.tag
        if tag == "GroupHeading" or (tag == "Heading" and place is draft):
            heading, _ = read_heading(reader, child, standing)
            draft.children.append(heading)
            place = heading
        elif isinstance(tag, str):
            reader.read_element(child, place, standing)


def _read_apart(
    reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing, *, pending: bool = False
) -> None:
    """Related provisions and amendments not in force: sections of other acts, in their own subtree."""
    group = draft.add(Kind.HEADING, "notinforce" if pending else "related")
    validity = Validity.pending() if pending else ALWAYS
    reader.read_parts(element, group, Standing(standing.issued, validity))


def read_related(reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing) -> None:
    """One provision of another act that bears on this one."""
    if draft.step not in ("related", "notinforce"):
        draft = draft.add(Kind.HEADING, "related")
    related = standing.begin(draft, Kind.RELATED_PROVISION, "rel")
    for child in element:
        if child.tag == "Heading" and not related.heading:
            heading, _ = read_heading(reader, child, standing)
            related.label, related.heading = heading.label, heading.heading.lstrip("—– ")
            related.text = heading.text
            related.children.extend(heading.children)
        elif isinstance(child.tag, str):
            reader.read_element(child, related, standing)


def read_recent_amendments(
    reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing
) -> None:
    """The acts that last amended the work, with their days."""
    entries = []
    for amendment in element:
        parts = [plain_words(part) for part in amendment if isinstance(part.tag, str)]
        entries.append(" ".join(part for part in parts if part))
    text = "; ".join(entry for entry in entries if entry)
    if text:
        draft.add(Kind.HISTORICAL_NOTE, "hist").text = text


def _opening(draft: Draft) -> str:
    words = [draft.heading]
    for child in draft.children[:4]:
        words.extend((child.heading, child.text[:200]))
    return " ".join(words)


def read_signature_block(
    reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing
) -> None:
    """Who signed: name and title on one line."""
    lines = [line for line in (plain_words(child) for child in element) if line]
    if lines:
        child = standing.of(element).begin(draft, Kind.SIGNATURE_BLOCK, "sig")
        child.text = ", ".join(lines)


def read_bilingual_group(
    reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing
) -> None:
    """Names in both official languages, under each other."""
    standing = standing.of(element)
    group = standing.begin(draft, Kind.ITEM, "group")
    for child in element:
        words = words_of(child) if isinstance(child.tag, str) else None
        if words is None or not words.text:
            continue
        if child.tag == "TitleText":
            group.heading = f"{group.heading} {words.text}".strip()
        else:
            # One entry per name; the two official names are shown one below the other.
            reader.settle(words, standing.begin(group, Kind.ITEM, "item"), standing)
