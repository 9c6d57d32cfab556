"""What a file says of its work: titles, numbers, the day it was made, and its enabling act."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from lxml import etree

from pykala.law.identifiers import WorkId
from pykala.law.provisions import ProvisionKind
from pykala.packs.canada.drafts import Anchor, Draft
from pykala.packs.canada.former_titles import FORMER_TITLES
from pykala.packs.canada.inline import plain_words, words_of
from pykala.packs.canada.naming import french_number, printed_number

_EARLIEST = date(1763, 10, 7)  # the Royal Proclamation, the oldest instrument that is law in Canada


@dataclass(frozen=True, slots=True)
class Identification:
    """The head of one file."""

    title: str
    short_title: str
    issued: date | None
    chapter: str  # "1996, c. 23", empty where the act has none
    number: str  # "E-5.6", "SOR/2001-227"
    revised: bool  # a chapter of the Revised Statutes of 1985


def read_identification(root: etree._Element) -> Identification:
    """Read the head of a file; missing values are empty."""
    head = root.find("Identification")
    if head is None:
        return Identification("", "", None, "", "", False)
    number = head.find("Chapter/ConsolidatedNumber")
    annual = head.find("Chapter/AnnualStatuteId")
    chapter = ""
    if annual is not None:
        chapter = f"{plain_words(annual.find('YYYY'))}, c. {plain_words(annual.find('AnnualStatuteNumber'))}"
    return Identification(
        plain_words(head.find("LongTitle")),
        plain_words(head.find("ShortTitle")),
        _issued(head),
        chapter,
        plain_words(number) if number is not None else plain_words(head.find("InstrumentNumber")),
        number is not None and number.get("official") == "yes",
    )


def _issued(head: etree._Element) -> date | None:
    for stage in head.iterfind("BillHistory/Stages"):
        if stage.get("stage") == "assented-to":
            return _day(stage.find("Date"))
    return _day(head.find("RegistrationDate/Date"))


def _day(element: etree._Element | None) -> date | None:
    if element is None:
        return None
    parts = [plain_words(element.find(part)) for part in ("YYYY", "MM", "DD")]
    try:
        day = date(*(int(part) for part in parts))
    except ValueError:
        return None
    # The publisher has no date for two acts from before the Revised Statutes, and gives 1 January 1000.
    return day if day >= _EARLIEST else None


def aliases_of(work: WorkId, heads: list[Identification]) -> tuple[str, ...]:
    """Every number of a work, in both languages, and its former titles."""
    number = work.value.rpartition(":")[2]
    names = [number]
    if work.value.startswith("ca:act:"):
        for head in heads:
            if head.revised:
                names += [f"R.S.C. 1985, c. {number}", f"L.R.C. (1985), ch. {number}"]
            elif head.chapter:
                names += [f"S.C. {head.chapter}", f"L.C. {head.chapter.replace(', c.', ', ch.')}"]
    else:
        french = french_number(number)
        names += [french, printed_number(number), printed_number(french)]
        names += [head.number for head in heads if head.number]
    names += FORMER_TITLES.get(work.value, ())
    return tuple(dict.fromkeys(names))


def publication_item(root: etree._Element, draft: Draft) -> None:
    """Add how a regulation was published: its number, dates and enabling acts, each act as a link."""
    head = root.find("Identification")
    if head is None or root.tag != "Regulation":
        return
    item = Draft(ProvisionKind.PUBLICATION_ITEM, "pub")
    parts: list[str] = []
    length = 0
    for text, anchors in _publication_parts(head):
        if not text:
            continue
        length += 2 if parts else 0
        for anchor in anchors:
            start, end = anchor.start + length, anchor.end + length
            item.anchors.append(Anchor(start, end, anchor.text, anchor.reference_type, anchor.link))
        parts.append(text)
        length += len(text)
    item.text = "; ".join(parts)
    if item.text:
        draft.children.append(item)


def _publication_parts(head: etree._Element) -> list[tuple[str, list[Anchor]]]:
    parts: list[tuple[str, list[Anchor]]] = [(plain_words(head.find("InstrumentNumber")), [])]
    registered = _day(head.find("RegistrationDate/Date"))
    parts.append((registered.isoformat() if registered else "", []))
    for authority in head.iterfind("EnablingAuthority"):
        for child in authority:
            words = words_of(child)
            anchors = list(words.anchors)
            if child.tag == "XRefExternal" and words.length:
                anchors = [
                    Anchor(
                        0, words.length, words.text, child.get("reference-type", ""), child.get("link", "")
                    )
                ]
            parts.append((words.text, anchors))
        if authority.text and not authority.text.isspace():
            parts.append((" ".join(authority.text.split()), []))
    for order in head.iterfind("RegulationMakerOrder"):
        names = (plain_words(order.find("RegulationMaker")), plain_words(order.find("OrderNumber")))
        made = _day(order.find("Date"))
        parts.append((" ".join(part for part in (*names, made.isoformat() if made else "") if part), []))
    return parts
