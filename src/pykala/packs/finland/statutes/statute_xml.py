"""Original and amending statutes as the Statute Book's own XML, 2018 onwards, in Finnish and Swedish.

A mirror holds them as `asd/fi/2019/asd20190010.xml` (act 10/2019). The files of both languages are one act.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from lxml import etree

from pykala.fetch.xml import RefusedFile, parse_xml
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Manifestation, Work, WorkKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.act_numbers import act_number, printed_number
from pykala.packs.finland.commencement import Commencement, read_commencement, written_day
from pykala.packs.finland.spacing import tidy
from pykala.packs.finland.statutes.act_facts import ActFacts, work_of
from pykala.packs.finland.statutes.act_text import ActText
from pykala.packs.finland.statutes.inline import local_name
from pykala.packs.finland.statutes.language_pairs import pair_languages
from pykala.packs.finland.statutes.statute_xml_tables import PICTURES, running_text
from pykala.packs.finland.statutes.statute_xml_tree import (
    as_akoma_ntoso,
    attribute,
    entry_into_force,
    other_provisions,
)
from pykala.packs.finland.statutes.tree import read_tree, restarts
from pykala.packs.pack import PackFacts, Reading, Refusal, Snapshot

FORMAT = "statute-xml"
LANGUAGES = ("fi", "sv")
_PATH = re.compile(r"(?:^|/)(?:fi|sv)/(?P<year>\d{4})/asd(?P=year)(?P<number>\d{4})\.xml$")
#: No real statute is nested so deeply (the deepest has 13 levels), and the reader is recursive.
_DEEPEST = 60
#: Some decrees enter into force some days before they are signed; none years before.
_RETROACTIVE = timedelta(days=92)
_ACT = re.compile(r"(?:laki|lag|kaari|balk)\b", re.IGNORECASE)
_DECREE = re.compile(r"asetus\b|förordning\b", re.IGNORECASE)


class StatuteXmlFiles:
    """The paths of such statutes in a mirror."""

    @staticmethod
    def act_of(path: str) -> str | None:
        """The act that a file is by its path, `2019/10` of `asd/fi/2019/asd20190010.xml`; None for others."""
        found = _PATH.search(path)
        return f"{found['year']}/{int(found['number'])}" if found else None


@dataclass(frozen=True, slots=True)
class _Expression:
    """One file: its language, what it says of itself, and its act in the form of Akoma Ntoso."""

    snapshot: Snapshot
    language: str
    title: str
    kind: WorkKind
    issued: date | None
    pictures: tuple[str, ...]
    act: etree._Element


@dataclass(frozen=True, slots=True)
class _Agreement:
    """When the act is in force, combined from its languages."""

    validity: Validity
    findings: tuple[Message, ...]


def read_statute_xml(snapshots: Sequence[Snapshot], facts: PackFacts) -> Reading:
    """Read all languages of one act; files of another act than the first are refused."""
    expected = next(filter(None, (StatuteXmlFiles.act_of(snapshot.path) for snapshot in snapshots)), "")
    found: dict[str, _Expression] = {}
    refusals: list[Refusal] = []
    for snapshot in sorted(snapshots, key=lambda one: one.path):
        try:
            expression = _open(snapshot, expected)
            if expression.language in found:
                first = found[expression.language].snapshot.path
                raise RefusedFile(snapshot.path, f"it is the same act in the same language as {first}")
            found[expression.language] = expression
        except RefusedFile as refused:
            refusals.append(Refusal(snapshot.path, refused.reason))
    expressions = [found[language] for language in LANGUAGES if language in found]
    if not expressions:
        return Reading(None, refusals=tuple(refusals))
    work = WorkId(f"fi:act:{expected}")
    commencements = [_commencement(one) for one in expressions]
    agreed = _agreed(expressions, commencements)
    chapters = any(restarts(one.act, "section", "chapter") for one in expressions)
    parts = any(restarts(one.act, "chapter", "part") for one in expressions)
    documents = tuple(
        _document(one, work, agreed, own.application, chapters, parts)
        for one, own in zip(expressions, commencements, strict=True)
    )
    return Reading(
        _work(work, expressions, agreed.validity, facts),
        documents,
        tuple(pair_languages(documents)),
        tuple(refusals),
    )


def _open(snapshot: Snapshot, expected: str) -> _Expression:
    root = parse_xml(snapshot.data, snapshot.path, max_depth=_DEEPEST)
    if not isinstance(root.tag, str) or local_name(root) != "VahvistettavaLaki":
        raise RefusedFile(snapshot.path, "its root is not VahvistettavaLaki")
    statute = root.find("{*}SaadosOsa/*")
    if statute is None or not isinstance(statute.tag, str):
        raise RefusedFile(snapshot.path, "it holds no statute (SaadosOsa)")
    number = _words(root, "{*}IdentifiointiOsa/{*}EduskuntaTunniste/{*}AsiakirjaNroTeksti")
    year = _words(root, "{*}IdentifiointiOsa/{*}EduskuntaTunniste/{*}ValtiopaivavuosiTeksti")
    if f"{year}/{number}" != expected:
        raise RefusedFile(
            snapshot.path, f"it says that it is {number}/{year}, which is not the act {expected}"
        )
    language = attribute(root, "kieliKoodi")
    if language not in LANGUAGES:
        raise RefusedFile(snapshot.path, f"its language {language!r} is neither fi nor sv")
    title = tidy(" ".join(running_text(words) for words in statute.iterfind("{*}SaadosNimeke/*")))
    sort = attribute(statute, "saadostyyppiNimi") or title
    return _Expression(
        snapshot,
        language,
        title,
        _kind(sort),
        _issued(_words(root, "{*}AllekirjoitusOsa/{*}PaivaysKooste"), int(expected[:4])),
        tuple(_pictures(root)),
        as_akoma_ntoso(root),
    )


def _words(root: etree._Element, path: str) -> str:
    found = root.find(path)
    return tidy(running_text(found)) if found is not None else ""


def _issued(signed: str, year: int) -> date | None:
    """The day of issue; a day after the year in the act's number is a mistake in the signature."""
    day = written_day(signed)
    return day if day is not None and day.year <= year else None


def _kind(sort: str) -> WorkKind:
    """What the source calls it: "Laki", "Asetus", "Päätös"; what it does not class, by its title."""
    if _DECREE.search(sort):
        return WorkKind.DECREE
    return WorkKind.ACT if _ACT.search(sort) else WorkKind.DECISION


def _pictures(root: etree._Element) -> list[str]:
    """Names of a file's pictures; the pictures themselves are not in the file."""
    names = []
    for picture in root.iter(*(f"{{*}}{name}" for name in sorted(PICTURES))):
        placed = picture.find("{*}KuvaAsemointi")
        named = attribute(placed, "kuvaTiedostoTeksti") if placed is not None else picture.get("id", "")
        names.append(named or tidy("".join(map(str, picture.itertext()))) or "unnamed")
    return names


def _commencement(expression: _Expression) -> Commencement:
    """Since when the act is in force, as the last provision says that tells it.

    Those that the source marks as being on entry into force come before the others: a section of an
    amending act may hold the entry into force of the act that it amends, which is older than the amendment.
    """
    marked = [*entry_into_force(expression.act)]
    application = read_commencement(" ".join(map(_prose, marked)), expression.language).application
    told = Commencement(None, application)
    for provision in _tellers(expression.act, marked):
        found = read_commencement(_prose(provision), expression.language)
        if found.validity is None:
            continue
        if _is_credible(found.validity, expression.issued):
            return replace(found, application=application or found.application)
        told = replace(found, application=application) if told.validity is None else told
    return told


def _tellers(act: etree._Element, marked: Sequence[etree._Element]) -> Iterator[etree._Element]:
    yield from reversed(marked)
    for provision in reversed(marked):
        yield from reversed(provision.findall("subsection"))
    if not any(provision.tag == "hcontainer" for provision in marked):
        yield from reversed([*other_provisions(act)])


def _is_credible(validity: Validity, issued: date | None) -> bool:
    """Whether an act can enter into force then: not long before it was issued."""
    return issued is None or validity.start is None or validity.start >= issued - _RETROACTIVE


def _agreed(expressions: Sequence[_Expression], commencements: Sequence[Commencement]) -> _Agreement:
    """The interval of the act, and the finding where the languages differ.

    Act 1330/2021 of 30 December 2021 enters into force "1 päivänä tammikuuta 2021" and "den 1 januari 2022":
    the first is a mistake. If the only day is impossible, the interval is unknown.
    """
    told = [one.validity for one in commencements if one.validity is not None]
    issued = next((one.issued for one in expressions if one.issued), None)
    credible = [one for one in told if _is_credible(one, issued)]
    days = sorted({one.start for one in told if one.start is not None and not one.is_pending})
    if told and not credible and issued is not None:
        finding = Message.of("finding.early_commencement", day=days[0], issued=issued)
        return _Agreement(ALWAYS, (finding,))
    differ = Message.of("finding.commencements_differ", days=", ".join(map(str, days)))
    findings = (differ,) if len(days) > 1 else ()
    return _Agreement(credible[0] if credible else ALWAYS, findings)


def _prose(element: etree._Element | None) -> str:
    return tidy(" ".join(map(str, element.itertext()))) if element is not None else ""


def _document(
    expression: _Expression,
    work: WorkId,
    agreed: _Agreement,
    application: str,
    chapters: bool,
    parts: bool,
) -> Document:
    snapshot = expression.snapshot
    text = ActText(
        work,
        agreed.validity,
        authentic=True,
        indented=False,
        chapters_in_ids=chapters,
        parts_in_ids=parts,
        application=application,
        observed_at=snapshot.retrieved_at,
        findings=agreed.findings,
    )
    return Document(
        work,
        expression.language,
        expression.title,
        read_tree(expression.act, expression.title, printed_number(work), text),
        (
            Manifestation(
                snapshot.path,
                snapshot.sha256,
                FORMAT,
                snapshot.url,
                snapshot.retrieved_at,
                tuple(f"the picture {name} is not read" for name in expression.pictures),
            ),
        ),
    )


def _work(work: WorkId, expressions: Sequence[_Expression], validity: Validity, facts: PackFacts) -> Work:
    told = ActFacts(
        work,
        expressions[0].kind,
        titles=tuple((one.language, one.title) for one in expressions),
        issued=next((one.issued for one in expressions if one.issued), None),
        validity=validity,
        aliases=(f"http://data.finlex.fi/eli/sd/{act_number(work)}/alkup",),
    )
    return work_of(told, facts)
