"""Finnish statutes from Finlex's Akoma Ntoso: originals, consolidated acts and translations.

A mirror holds them as Finlex's bulk files name them (`2015_673_fin.xml`) or as its open-data API does
(`akn/fi/act/statute-consolidated/1992/1535/fin@latest/main.xml`). All files of one act are one item.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from lxml import etree

from pykala.fetch.xml import RefusedFile, parse_xml
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Manifestation, Work, WorkKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.commencement import Commencement, read_commencement
from pykala.packs.finland.spacing import tidy
from pykala.packs.finland.statutes.act_facts import ActFacts, work_of
from pykala.packs.finland.statutes.act_text import ActText
from pykala.packs.finland.statutes.inline import inline_text
from pykala.packs.finland.statutes.language_pairs import pair_languages
from pykala.packs.finland.statutes.tree import read_tree, restarts
from pykala.packs.finland.statutes.wordings import amending_act
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot, SourceItem

LANGUAGES = {"fin": "fi", "swe": "sv", "eng": "en"}
_PATHS = (
    re.compile(r"(?:^|/)(?P<year>\d{4})_(?P<number>\d[\d-]*)_(?P<language>fin|swe|eng)\.xml$"),
    re.compile(
        r"(?:^|/)akn/fi/act/(?P<type>statute|statute-consolidated|statute-translated)"
        r"/(?P<year>\d{4})/(?P<number>\d[\d-]*)/(?P<language>fin|swe|eng)@(?P<state>[\w-]*)/main\.xml$"
    ),
)
_URI = re.compile(r"/akn/fi/act/(?P<type>[a-z-]+)/(?P<year>\d{4})/(?P<number>[\d-]+)")
#: Which text of one language wins: the consolidated act, a translation of it, the act as first enacted.
_PREFERENCE = {"statute": 0, "statute-translated": 1, "statute-consolidated": 2}
_AMENDING_ACT_LINE = re.compile(r"^\d{1,2}\.\d{1,2}\.\d{4}/\d+:?$")
#: No real act is nested so deeply (the deepest has 13 levels), and the reader is recursive.
_DEEPEST = 80


class StatuteFiles:
    """The paths of statutes in a mirror."""

    @staticmethod
    def act_of(path: str) -> str | None:
        """The act that a path names, "1992/1535"; None for any other file."""
        found = next((match for pattern in _PATHS if (match := pattern.search(path))), None)
        return f"{found['year']}/{found['number']}" if found else None


@dataclass(frozen=True, slots=True)
class _Expression:
    """One file: its language, its form, and the XML of the act."""

    snapshot: Snapshot
    language: str
    form: str
    work: WorkId
    act: etree._Element

    @property
    def rank(self) -> tuple[int, str, str]:
        """The best text of a language has the highest: consolidated, and most lately so."""
        consolidated = self.act.xpath(
            "string(.//*[local-name()='FRBRExpression']/*[local-name()='FRBRdate']"
            "[@name='dateConsolidated']/@date)"
        )
        return _PREFERENCE[self.form], str(consolidated), self.snapshot.path


def read_statute(item: SourceItem, snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read all languages of one act."""
    expected = WorkId(f"fi:{item.name}")
    expressions: list[_Expression] = []
    refusals: list[Refusal] = []
    for snapshot in snapshots:
        try:
            expressions.append(_open(snapshot, expected))
        except RefusedFile as refused:
            refusals.append(Refusal(snapshot.path, refused.reason))
    if not expressions:
        return Reading(None, refusals=tuple(refusals))
    by_language: dict[str, list[_Expression]] = {}
    for expression in sorted(expressions, key=lambda one: one.rank, reverse=True):
        by_language.setdefault(expression.language, []).append(expression)
    ordered = [by_language[language] for language in facts.languages if language in by_language]
    commencements = [_commencement(found[0]) for found in ordered]
    in_force = next((one for one in commencements if one.validity is not None), commencements[0])
    chapters = any(restarts(found[0].act, "section", "chapter") for found in ordered)
    parts = any(restarts(found[0].act, "chapter", "part") for found in ordered)
    documents = tuple(
        _document(found, in_force, own.application, chapters, parts)
        for found, own in zip(ordered, commencements, strict=True)
    )
    work = _work(expected, [found[0] for found in ordered], documents, in_force.validity or ALWAYS, facts)
    return Reading(work, documents, tuple(pair_languages(documents)), tuple(refusals))


def _open(snapshot: Snapshot, expected: WorkId) -> _Expression:
    root = parse_xml(snapshot.data, snapshot.path, max_depth=_DEEPEST)
    if not isinstance(root.tag, str) or etree.QName(root).localname != "akomaNtoso":
        raise RefusedFile(snapshot.path, _not_an_act(root))
    act = root.find("{*}act")
    if act is None or act.find("{*}body") is None:
        raise RefusedFile(snapshot.path, "it holds no act with a body")
    uri = _attribute(act, "FRBRWork", "FRBRuri", "value")
    found = _URI.match(uri)
    if found is None:
        raise RefusedFile(snapshot.path, f"its FRBRuri {uri!r} does not name a Finnish act")
    if str(expected) != f"fi:act:{found['year']}/{found['number']}":
        raise RefusedFile(snapshot.path, f"it says that it is {uri}, which its path does not")
    language = LANGUAGES.get(_attribute(act, "FRBRExpression", "FRBRlanguage", "language"))
    if language is None:
        raise RefusedFile(snapshot.path, "it is in none of the languages fin, swe and eng")
    if found["type"] not in _PREFERENCE:
        raise RefusedFile(snapshot.path, f"it is a {found['type']}, which is no form of an act")
    return _Expression(snapshot, language, found["type"], expected, act)


def _not_an_act(root: etree._Element) -> str:
    if isinstance(root.tag, str) and etree.QName(root).localname == "AknXmlList":
        # The API answers 200 with an empty list for an act that it does not have.
        return "the source answered with a list instead of an act; it may not have this version"
    return "its root is not akomaNtoso"


def _attribute(act: etree._Element, level: str, name: str, attribute: str) -> str:
    element = act.find(f"{{*}}meta/{{*}}identification/{{*}}{level}/{{*}}{name}")
    return element.get(attribute, "") if element is not None else ""


def _date_attribute(act: etree._Element, name: str) -> date | None:
    for element in act.findall("{*}meta/{*}identification/{*}FRBRWork/{*}FRBRdate"):
        if element.get("name") == name:
            return _iso_date(element.get("date", ""))
    return None


def _iso_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _commencement(expression: _Expression) -> Commencement:
    """Since when the act is in force: from the metadata of a consolidated act, else from its prose."""
    found = expression.act.find(".//{*}inForce/{*}dateEntryIntoForce")
    start = _iso_date(found.get("date", "")) if found is not None else None
    if start is not None:
        return Commencement(Validity(start), "")
    if expression.form == "statute":
        return _told(expression)
    # The prose of a consolidated act holds the entry into force of its amendments as well.
    return Commencement(None, "")


def _told(expression: _Expression) -> Commencement:
    """An act's own last words about its entry into force.

    A section of an amending act may quote the entry into force of the act that it amends, which is older.
    """
    marked = expression.act.findall(".//{*}body//{*}hcontainer[@name='entryIntoForce']")
    places = [*reversed(marked), *reversed(expression.act.findall("{*}body//{*}section"))]
    body = expression.act.find("{*}body")
    for place in (*places, *([body] if body is not None else [])):
        words = tidy(" ".join(map(str, place.itertext())))
        told = read_commencement(words, expression.language)
        if told.validity is not None:
            return told
    return Commencement(None, "")


def _document(
    found: Sequence[_Expression], in_force: Commencement, application: str, chapters: bool, parts: bool
) -> Document:
    best, *others = found
    act = best.act
    text = ActText(
        best.work,
        in_force.validity or ALWAYS,
        authentic=best.form == "statute",
        indented=(act.getparent().text or "").startswith("\n    ") if act.getparent() is not None else False,  # type: ignore[union-attr]
        chapters_in_ids=chapters,
        parts_in_ids=parts,
        application=application,
        observed_at=best.snapshot.retrieved_at,
        findings=_findings(best),
        commencements=_amendments_in_force(act, best.language),
    )
    title, number = _title(act, text.indented)
    return Document(
        best.work,
        best.language,
        title,
        read_tree(act, title, number, text),
        (
            _manifestation(best, ""),
            *(_manifestation(one, f"superseded by {best.snapshot.path}") for one in others),
        ),
        short_title=_common_name(act),
        translation=best.form == "statute-translated",
    )


def _findings(expression: _Expression) -> tuple[Message, ...]:
    found = expression.act.find(".//{*}isInForce")
    if found is not None and found.get("value") == "false":
        return (Message("finding.ended_undated"),)
    return ()


def _amendments_in_force(act: etree._Element, language: str) -> dict[WorkId, date]:
    """Since when each amending act is in force, from the list at the end of a consolidated act.

    There a line "17.4.2026/269:" is followed by that act's own entry-into-force text.
    """
    days: dict[WorkId, date] = {}
    amending: WorkId | None = None
    for line in act.iterfind("{*}body//{*}hcontainer[@name='entryIntoForce']//{*}p"):
        words = tidy("".join(map(str, line.itertext())))
        if _AMENDING_ACT_LINE.match(words):
            amending = amending_act(words)
        elif amending is not None and (validity := read_commencement(words, language).validity):
            if validity.start is not None and not validity.is_pending:
                days[amending] = validity.start
            amending = None
    return days


def _title(act: etree._Element, indented: bool) -> tuple[str, str]:
    title, number = act.find("{*}preface//{*}docTitle"), act.find("{*}preface//{*}docNumber")
    return (
        inline_text(title, indented) if title is not None else "",
        inline_text(number, indented) if number is not None else "",
    )


def _common_name(act: etree._Element) -> str:
    found = act.find("{*}meta/{*}proprietary/{*}commonName")
    return tidy(found.text or "") if found is not None else ""


def _manifestation(expression: _Expression, note: str) -> Manifestation:
    snapshot = expression.snapshot
    return Manifestation(
        snapshot.path,
        snapshot.sha256,
        f"akoma-ntoso/{expression.form}",
        snapshot.url,
        snapshot.retrieved_at,
        (note,) if note else (),
    )


def _work(
    work: WorkId,
    expressions: Sequence[_Expression],
    documents: Sequence[Document],
    validity: Validity,
    facts: PackFacts,
) -> Work:
    act = expressions[0].act
    told = ActFacts(
        work,
        _kind(act),
        titles=tuple((document.language, document.title) for document in documents),
        short_titles=tuple((one.language, one.short_title) for one in documents if one.short_title),
        issued=_date_attribute(act, "dateIssued"),
        validity=validity,
        aliases=tuple(uri.get("value", "") for uri in act.findall(".//{*}FRBRWork/{*}FRBRalias")),
    )
    return work_of(told, facts)


def _kind(act: etree._Element) -> WorkKind:
    found = act.find("{*}meta/{*}proprietary/{*}typeStatute")
    concept = (found.get("refersTo", "") if found is not None else "").lstrip("#")
    if "decree" in concept:
        return WorkKind.DECREE
    return WorkKind.DECISION if "decision" in concept else WorkKind.ACT
