"""The tree of one file: Justice Laws elements to drafts of provisions, by a table of tags."""

from __future__ import annotations

import re
from collections.abc import Callable

from lxml import etree

from pykala.law.provisions import Event, ProvisionKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.canada.drafts import Draft
from pykala.packs.canada.headings import read_heading, read_heading_between
from pykala.packs.canada.inline import Words, plain_words, words_of
from pykala.packs.canada.labels import label_number, labelled_place, slug
from pykala.packs.canada.schedules import (
    read_bilingual_group,
    read_form,
    read_group,
    read_recent_amendments,
    read_related,
    read_schedule,
    read_schedule_heading,
    read_signature_block,
    read_treaty,
)
from pykala.packs.canada.standing import Standing
from pykala.packs.canada.tables import read_table
from pykala.packs.left_out import DESCRIBED

Kind = ProvisionKind
Handler = Callable[["TreeReader", etree._Element, Draft, Standing], None]

#: Elements that are one provision with a label: (kind, step).
_LABELLED = {
    "Section": (Kind.SECTION, "sec"),
    "Subsection": (Kind.SUBSECTION, "subsec"),
    "Paragraph": (Kind.ITEM, "para"),
    "Subparagraph": (Kind.ITEM, "subpara"),
    "Clause": (Kind.ITEM, "cl"),
    "Subclause": (Kind.ITEM, "subcl"),
    "Subsubclause": (Kind.ITEM, "subsubcl"),
    "FormulaParagraph": (Kind.ITEM, "para"),
    "Footnote": (Kind.FOOTNOTE, "fn"),
    "Item": (Kind.ITEM, "item"),
}
#: Elements that are one provision without a label.
_UNLABELLED = {
    "FormulaGroup": (Kind.FORMULA, "formula"),
    "Preamble": (Kind.PREAMBLE, "preamble"),
    "Enacts": (Kind.ENACTING_CLAUSE, "enacts"),
    "Order": (Kind.ENACTING_CLAUSE, "order"),
    "TableOfProvisions": (Kind.TABLE_OF_PROVISIONS, "toc"),
    "Recommendation": (Kind.PUBLICATION_ITEM, "pub"),
    "Notice": (Kind.PUBLICATION_ITEM, "pub"),
    "ReaderNote": (Kind.PUBLICATION_ITEM, "pub"),
}
#: Words quoted from another text (an amendment, a rule to be read differently): never provisions of this
#: work's own body, whatever they contain.
_QUOTING = frozenset({"AmendedText", "AmendedContent", "ReadAsText", "QuotedText"})
_TRANSPARENT = (
    "Introduction", "Body", "List", "SectionPiece",
    "Group1-Part", "Group2-Division", "Group3-Subdivision", "Group4-Subsubdivision", "BillPiece",
    "RegulationPiece",
)  # fmt: skip


class TreeReader:
    """Reads one file. `language` is that of the file, because headings differ by language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._quoting = 0
        self.schedules = 0

    def read_children(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """Read what lies below an element into a draft; a heading contains what follows it."""
        if element.text and not element.text.isspace():
            self._own_words(element.text, draft, standing)
        places = [(0, draft)]
        for child in element:
            self.read_child(child, places, standing)

    def read_child(self, child: etree._Element, places: list[tuple[int, Draft]], standing: Standing) -> None:
        """Read one child of an element; `places` are the headings above it, by level."""
        tag = child.tag
        here = places[-1][1]
        if tag in ("Heading", "GroupHeading"):
            heading, level = read_heading(self, child, standing)
            while places[-1][0] >= level:
                places.pop()
            places[-1][1].children.append(heading)
            places.append((level, heading))
        elif isinstance(tag, str):
            _HANDLERS.get(tag, TreeReader._unknown)(self, child, here, standing)
        if child.tail and not child.tail.isspace():
            self._own_words(child.tail, here, standing)

    def read_element(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """Read one element into a draft, by the table of tags."""
        _HANDLERS.get(str(element.tag), TreeReader._unknown)(self, element, draft, standing)

    def read_publication_note(self, element: etree._Element, draft: Draft) -> None:
        """A note to the reader in the head of the file."""
        words = words_of(element)
        if words.text:
            draft.add(Kind.PUBLICATION_ITEM, "pub").text = words.text

    def read_parts(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """Like `read_children`, for elements whose headings only separate their parts."""
        if element.text and not element.text.isspace():
            self._own_words(element.text, draft, standing)
        for child in element:
            tag = child.tag
            if isinstance(tag, str):
                _HANDLERS.get(tag, TreeReader._unknown)(self, child, draft, standing)
            if child.tail and not child.tail.isspace():
                self._own_words(child.tail, draft, standing)

    def _own_words(self, chunk: str, draft: Draft, standing: Standing) -> None:
        words = Words()
        words.add(chunk)
        self._set_text(words, draft, standing)

    def _unknown(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """Keep the words of an unknown element, so that no word of the law is lost."""
        standing = standing.of(element)
        words = words_of(element)
        if words.text:
            self.settle(words, draft.add(Kind.ITEM, "other"), standing)

    # Provisions

    def _labelled(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        kind, step = _LABELLED[element.tag]
        standing = standing.of(element)
        if kind is Kind.SECTION:
            standing = standing.with_history(element, in_body=not self.schedules and not self._quoting)
            if self._quoting:
                kind = Kind.ITEM
        child = standing.begin(draft, kind, step)
        self.read_parts(element, child, standing)
        child.number = label_number(child.label)
        if step == "subsec" and "-" in child.number:
            # "3.05(2)" repeats the section's number.
            child.number = child.number.removeprefix(f"{label_number(draft.label)}-")

    def _unlabelled(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        kind, step = _UNLABELLED[element.tag]
        standing = standing.of(element)
        child = standing.begin(draft, kind, step)
        self.read_parts(element, child, standing)

    def _generic(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """`Provision`: a paragraph of a schedule, a preamble or a treaty, with or without a label."""
        standing = standing.of(element)
        text = element[0] if len(element) == 1 else None
        if (
            text is not None
            and text.tag == "Text"
            and draft.step in ("preamble", "enacts", "order")
            and not draft.text
            and not draft.children
        ):
            self._text(text, draft, standing)
            return
        child = standing.begin(draft, Kind.ITEM, "item")
        self.read_parts(element, child, standing)
        child.number = label_number(child.label)
        if not child.number:
            child.kind, child.step = Kind.FLUSH, "prov"
            if not (child.text or child.children or child.label or child.heading):
                draft.children.pop()  # a blank line of a form
            return
        place = labelled_place(child.label) if " " in child.label else None
        if place is not None and place[2] is Kind.ARTICLE:
            child.step, child.number, child.kind = place

    def _definition(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        standing = standing.of(element)
        child = standing.begin(draft, Kind.DEFINITION, "def")
        self.read_parts(element, child, standing)
        for below in child.children:
            _gather_terms(below, child.terms, self.language)
        child.number = slug(_term(child, "en") or _term(child, "fr"))

    def _formula_definition(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        standing = standing.of(element)
        child = standing.begin(draft, Kind.ITEM, "term")
        self.read_parts(element, child, standing)
        child.number = label_number(child.label)

    def _quoted(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        standing = standing.of(element)
        child = standing.begin(draft, Kind.FLUSH, "quoted")
        self._quoting += 1
        self.read_parts(element, child, standing)
        self._quoting -= 1

    def _transparent(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        self.read_children(element, draft, standing.of(element))

    # Their parts

    def _label(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        label = element.text.strip() if element.text and not len(element) else plain_words(element)
        draft.label = f"{draft.label} {' '.join(label.split())}" if draft.label else " ".join(label.split())

    def _text(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        self._set_text(words_of(element), draft, standing.of(element))

    def _continued(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        standing = standing.of(element)
        child = standing.begin(draft, Kind.FLUSH, "flush")
        self.read_parts(element, child, standing)

    def _set_text(self, words: Words, draft: Draft, standing: Standing) -> None:
        """The first words are the provision's own; words after its items become a flush provision."""
        opening = not draft.text and all(child.kind is Kind.HISTORICAL_NOTE for child in draft.children)
        if not opening:
            draft = standing.begin(draft, Kind.FLUSH, "flush")
        self.settle(words, draft, standing)

    def settle(self, words: Words, draft: Draft, standing: Standing) -> None:
        """Give a draft its own words and what they contain: links, terms, a tombstone, historical notes."""
        draft.text = words.text
        draft.anchors.extend(words.anchors)
        draft.terms.extend(words.terms)
        if words.described:
            draft.findings = (*draft.findings, DESCRIBED)
        if not draft.container:
            draft.validity = standing.validity if standing.validity.is_pending else draft.validity
            if draft.validity is ALWAYS:
                draft.validity = standing.validity
            elif _begins_later(standing.validity, draft.validity):
                # Only the words were replaced, not the paragraph that contains them.
                draft.validity, draft.event, draft.history_unavailable = (
                    standing.validity,
                    Event.AMENDED if draft.event is Event.ENACTED else draft.event,
                    True,
                )
        if words.repealed and _only_tombstone(words):
            draft.event, draft.history_unavailable = Event.REPEALED, True
        for note in words.historical:
            self.historical_note(note, draft, standing)

    def _marginal_note(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        words = words_of(element)
        draft.heading = (
            f"{draft.heading} — {words.text}"
            if draft.heading and words.text
            else (draft.heading or words.text)
        )
        draft.terms.extend(words.terms)
        for note in words.historical:
            self.historical_note(note, draft, standing)

    def historical_note(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """The acts that made and amended a provision, as a provision of their own."""
        entries = [words_of(item).text for item in element if isinstance(item.tag, str)]
        direct = plain_words(element) if element.text and not element.text.isspace() else ""
        text = direct or "; ".join(entry for entry in entries if entry)
        if text:
            draft.add(Kind.HISTORICAL_NOTE, "hist").text = text

    def _note(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        words = words_of(element)
        if words.text:
            self.settle(words, draft.add(Kind.EDITORIAL_NOTE, "note"), standing.of(element))

    def _flush_words(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """An oath, an image's description, a formula's connector: words on a line of their own."""
        words = words_of(element)
        if words.text:
            self.settle(words, draft.add(Kind.FLUSH, _STEPS_OF_WORDS[element.tag]), standing.of(element))

    def _formula(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        words = words_of(element)
        if draft.kind is Kind.FORMULA and not draft.children:
            draft.text = f"{draft.text} {words.text}".strip()
            if words.described:
                draft.findings = (DESCRIBED,)
        elif words.text:
            self.settle(words, draft.add(Kind.FLUSH, "flush"), standing.of(element))

    def _tombstone(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        words = Words()
        words.add_element(element)
        words.repealed = words.length
        self._set_text(words, draft, standing.of(element))
        draft.event, draft.history_unavailable = Event.REPEALED, True

    def _table(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        standing = standing.of(element)
        table = standing.begin(draft, Kind.TABLE, "table")
        for child in element:
            if child.tag == "table":
                for note in read_table(child, table, standing):
                    self.historical_note(note, table, standing)
            elif child.tag == "Caption":
                self._set_text(words_of(child), table, standing)
            elif isinstance(child.tag, str):
                _HANDLERS.get(child.tag, TreeReader._unknown)(self, child, table, standing)

    def _title(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        words = words_of(element)
        draft.heading = f"{draft.heading} {words.text}".strip()
        if words.repealed:
            draft.event, draft.history_unavailable = Event.REPEALED, True
        for note in words.historical:
            self.historical_note(note, draft, standing)

    def _nothing(self, element: etree._Element, draft: Draft, standing: Standing) -> None:
        """Ignore page breaks, and elements that `identification` reads."""


_STEPS_OF_WORDS = {"Oath": "oath", "ImageGroup": "image", "Reserved": "reserved", "Image": "image"}


def _term(draft: Draft, language: str) -> str:
    return next((term for spoken, term in draft.terms if spoken == language), "")


def _gather_terms(draft: Draft, terms: list[tuple[str, str]], language: str) -> None:
    """The term in the other language ends the definition, often in its last paragraph."""
    terms.extend(pair for pair in draft.terms if pair[0] != language)
    for child in draft.children:
        _gather_terms(child, terms, language)


def _only_tombstone(words: Words) -> bool:
    terms = sum(len(term) + 1 for _, term in words.terms)
    if words.length - words.repealed - terms <= 3:  # brackets and a space
        return True
    return _RANGE.match(words.text) is not None and words.text.endswith("]")


#: "(n) to (q) [Repealed, …]": the label is that of the first item, and the words begin with the others.
_RANGE = re.compile(r"(?:to|and|à|et) \(?[\w.]{1,8}\) \[(?:Repealed|Abrog)[^\]]{0,120}\]$")


def _begins_later(one: Validity, other: Validity) -> bool:
    return (
        one.start is not None and other.start is not None and not one.is_pending and one.start > other.start
    )


_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_LABELLED, TreeReader._labelled),
    **dict.fromkeys(_UNLABELLED, TreeReader._unlabelled),
    **dict.fromkeys(_QUOTING, TreeReader._quoted),
    **dict.fromkeys(_TRANSPARENT, TreeReader._transparent),
    **dict.fromkeys(("Oath", "ImageGroup", "Reserved"), TreeReader._flush_words),
    **dict.fromkeys(("Formula", "FormulaConnector", "AlternateText"), TreeReader._formula),
    **dict.fromkeys(("ConventionAgreementTreaty", "DocumentInternal"), read_treaty),
    "TitleText": TreeReader._title,
    "OriginatingRef": TreeReader._text,
    **dict.fromkeys(("PageBreak", "Separator", "Identification"), TreeReader._nothing),
    "Group": read_group,
    "Provision": TreeReader._generic,
    "Definition": TreeReader._definition,
    "FormulaDefinition": TreeReader._formula_definition,
    "FormulaTerm": TreeReader._label,
    "Label": TreeReader._label,
    "Text": TreeReader._text,
    "MarginalNote": TreeReader._marginal_note,
    "HistoricalNote": TreeReader.historical_note,
    "Note": TreeReader._note,
    "Repealed": TreeReader._tombstone,
    "SignatureBlock": read_signature_block,
    "BilingualGroup": read_bilingual_group,
    "TableGroup": TreeReader._table,
    "Heading": read_heading_between,
    "GroupHeading": read_heading_between,
    "Schedule": read_schedule,
    "FormGroup": read_form,
    "ScheduleFormHeading": read_schedule_heading,
    "RelatedOrNotInForce": read_related,
    "RecentAmendments": read_recent_amendments,
    "ContinuedSectionSubsection": TreeReader._continued,
    "ContinuedParagraph": TreeReader._continued,
    "ContinuedSubparagraph": TreeReader._continued,
    "ContinuedClause": TreeReader._continued,
    "ContinuedSubclause": TreeReader._continued,
    "ContinuedDefinition": TreeReader._continued,
    "ContinuedFormulaParagraph": TreeReader._continued,
}
