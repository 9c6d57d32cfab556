"""An audit of what a library holds: random provisions, checked in every respect.

    report = audit(store, as_of=date(2026, 11, 16), draw=200)

Some works of each jurisdiction are drawn at random, and one provision in force on the date from each work.
For the work, all version chains, dates and repetitions are checked. For the provision, its references, its
counterparts in other languages and, where the source is given, its words against the source's own bytes are
checked. The integrity of the database file is not checked here.
"""

from __future__ import annotations

import html
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from pykala.fetch.mirror import Mirror
from pykala.fetch.refusals import MirrorFault, RefusedFile
from pykala.law.identifiers import WorkId
from pykala.law.provisions import APPARATUS, Document, Event, Provision, ProvisionKind, Version, Work
from pykala.law.references import Direction, Unresolved, UnresolvedReference
from pykala.law.validity import NOT_YET
from pykala.stores.store import NotInForce, Store, UnknownProvision
from pykala.text.encoding import UndecodableText, decode
from pykala.text.phrases import tell
from pykala.versions.chains import check_chain

#: The checks, in the order of the report.
CHECKS = (
    "chains", "dates", "ended", "duplicates", "characters", "references", "pairings", "not in the source",
    "lost words",
)  # fmt: skip
EXAMPLES = 5  # examples kept for each check
_OLDEST = 1200  # a year; no law still in use is older: the Magna Carta is of 1215
_AHEAD = 60  # years; a later date is a mistake
_LONG = 80  # characters; shorter texts are alike by chance
_LOST = 0.02  # share of a source's words that may be lost: page furniture and file metadata
_BROKEN = re.compile("[\u00ad\ufffd\x00-\x08\x0b\x0c\x0e-\x1f]|Ã[¤¶¥©]|â€")
#: Parts of a page that are not its words: markup, page headers and footnote marks.
_TAG = re.compile(r"<p class=\"(?:oj-)?hd-[^<>]*>[^<>]*</p>|<[^<>]*>", re.IGNORECASE)
_WITH_CONTENT = (
    (re.compile(r"<(?:script|style|head)\b", re.IGNORECASE), re.compile(r"</(?:script|style|head)>", re.I)),
    (re.compile(r"<a\b[^<>]*\bid=\"ntc", re.IGNORECASE), re.compile(r"</a>", re.IGNORECASE)),
)
_WORD = re.compile(r"[^\W\d_]{4,}")
_FIGURE = re.compile(r"\d+")
_BETWEEN = re.compile(r"[\W_]+")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


@dataclass(frozen=True, slots=True)
class Fault:
    """An error, or something that a person should check: where and what."""

    check: str
    where: str
    what: str


@dataclass(slots=True)
class AuditReport:
    """How often each check ran and failed, with examples."""

    as_of: date
    seed: int
    drawn: Counter[str] = field(default_factory=Counter)  # jurisdiction → provisions drawn
    looked: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[Fault]] = field(default_factory=dict)

    def look(self, check: str, faults: Iterable[Fault], among: int = 1) -> None:
        """Count one check and its faults."""
        self.looked[check] += among
        for fault in faults:
            self.faults[check] += 1
            known = self.examples.setdefault(check, [])
            if len(known) < EXAMPLES:
                known.append(fault)


def audit(
    store: Store,
    *,
    as_of: date,
    draw: int = 200,
    seed: int = 0,
    source: Mirror | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> AuditReport:
    """Draw provisions of every jurisdiction and check them; `source` has the files they were read from."""
    report = AuditReport(as_of, seed)
    works = list(_drawn_works(store, draw, seed))
    files = _files_of_works(store, source) if source is not None else {}
    for done, work in enumerate(works):
        chance = random.Random(f"{seed} {work.id}")  # noqa: S311 – a draw, not a secret
        for language in sorted(store.words(work.id)):
            document = store.document(work.id, language)
            _check_document(report, work, document, as_of)
            if source is not None:
                _check_source(report, document, source, files.get(work.id, ()), chance, as_of)
        _check_drawn(report, store, work, chance, as_of)
        progress(done + 1, len(works))
    return report


def _drawn_works(store: Store, draw: int, seed: int) -> Iterator[Work]:
    by_place: dict[str, list[WorkId]] = {}
    for work in store.works():
        by_place.setdefault(work.id.jurisdiction, []).append(work.id)
    for place in sorted(by_place):
        known = sorted(by_place[place])
        chance = random.Random(f"{seed} {place}")  # noqa: S311
        yield from (store.work(work) for work in chance.sample(known, min(draw, len(known))))


def _files_of_works(store: Store, source: Mirror) -> Mapping[WorkId, tuple[str, ...]]:
    """The source's files, by work."""
    sources, known = store.sources(), set(source.paths())
    return {
        work: tuple(path for path in sources.get(item, ()) if path in known)
        for item, work in store.items().items()
    }


# Of a whole document -----------------------------------------------------------------------------


def _check_document(report: AuditReport, work: Work, document: Document, as_of: date) -> None:
    nodes = list(document.root.walk())
    report.look("chains", (fault for node in nodes for fault in _chain_faults(node)), len(nodes))
    report.look("dates", (fault for node in nodes for fault in _date_faults(node, as_of)), len(nodes))
    report.look("ended", _standing_though_ended(work, document, as_of))
    report.look("duplicates", (fault for node in nodes for fault in _repetitions(node, as_of)), len(nodes))
    report.look("characters", (fault for node in nodes for fault in _broken(node)), len(nodes))


def _chain_faults(node: Provision) -> Iterator[Fault]:
    for found in check_chain(node):
        if found.is_fault:
            days = f"{found.days.start or '…'} to {found.days.end or '…'}"
            yield Fault("chains", str(node.id), f"{found.kind.value}, {days}")


def _date_faults(node: Provision, as_of: date) -> Iterator[Fault]:
    for version in node.versions:
        for day in (version.validity.start, version.validity.end):
            if day is not None and day != NOT_YET and not _OLDEST <= day.year <= as_of.year + _AHEAD:
                yield Fault("dates", str(node.id), f"{day} cannot be a day of this law")


def _standing_though_ended(work: Work, document: Document, as_of: date) -> Iterator[Fault]:
    """Provisions still in force although their work has ended."""
    end = work.validity.end
    if end is None or end > as_of:
        return
    standing = [
        node
        for node in document.root.walk()
        if node.kind not in APPARATUS and any(_stands(version, as_of) for version in node.versions)
    ]
    if standing:
        yield Fault("ended", str(standing[0].id), f"it stands on {as_of}, and its work ended on {end}")


def _stands(version: Version, as_of: date) -> bool:
    return bool(version.text) and version.event is not Event.REPEALED and version.validity.covers(as_of)


def _repetitions(node: Provision, as_of: date) -> Iterator[Fault]:
    """Siblings with the same words, unless they are marked as doubtful."""
    seen: dict[str, Provision] = {}
    for child in node.children:
        version = next((one for one in reversed(child.versions) if _stands(one, as_of)), None)
        if version is None or version.findings or len(version.text) < _LONG or child.kind in APPARATUS:
            continue
        if child.kind is ProvisionKind.FOOTNOTE or child.id.path[-1].kind == "row":  # these repeat
            continue
        first = seen.setdefault(version.text, child)
        if first is not child and first.kind is child.kind and not child.children:
            yield Fault("duplicates", str(child.id), f"the same words as {first.id}")


def _broken(node: Provision) -> Iterator[Fault]:
    for version in node.versions:
        if found := _BROKEN.search(f"{version.heading} {version.text}"):
            around = f"{version.heading} {version.text}"[max(0, found.start() - 20) : found.end() + 20]
            yield Fault("characters", str(node.id), f"{found[0]!a} in {around!r}")
            return


# Of a provision that was drawn -------------------------------------------------------------------


def _standing_provisions(document: Document, as_of: date) -> list[Provision]:
    return [
        node
        for node in document.root.walk()
        if node.id.path
        and node.kind not in APPARATUS
        and any(_stands(version, as_of) for version in node.versions)
    ]


def _check_drawn(report: AuditReport, store: Store, work: Work, chance: random.Random, as_of: date) -> None:
    language = next(iter(sorted(store.words(work.id))), "")
    known = _standing_provisions(store.document(work.id, language), as_of) if language else []
    if not known:
        return
    drawn = chance.choice(known)
    report.drawn[work.id.jurisdiction] += 1
    edges, unresolved = store.edges([drawn.id], direction=Direction.OUT), store.unresolved([drawn.id])
    report.look("references", _leading_nowhere(drawn, unresolved), len(edges) + len(unresolved))
    pairings = store.pairings(drawn.id)
    report.look("pairings", _unpaired(store, drawn, language, as_of), len(pairings))


def _leading_nowhere(drawn: Provision, unresolved: Sequence[UnresolvedReference]) -> Iterator[Fault]:
    """References to a provision that its work, which is held, does not have."""
    for one in unresolved:
        if one.reason is Unresolved.NO_SUCH_PROVISION:
            yield Fault("references", str(drawn.id), f"{one.text!r} leads to no place that is held")


def _unpaired(store: Store, drawn: Provision, language: str, as_of: date) -> Iterator[Fault]:
    """Counterparts in another language that are missing or have other figures: a rate is the same in each."""
    for pairing in store.pairings(drawn.id):
        here = pairing.first == drawn.id and pairing.first_language == language
        other, spoken = (
            (pairing.second, pairing.second_language) if here else (pairing.first, pairing.first_language)
        )
        try:
            theirs = store.provision(other, as_of=as_of, language=spoken).provision
        except UnknownProvision:
            yield Fault("pairings", str(drawn.id), f"its counterpart {other} ({spoken}) is not held")
            continue
        except NotInForce:
            yield Fault("pairings", str(drawn.id), f"its counterpart in {spoken} does not stand on {as_of}")
            continue
        mine = next(one for one in reversed(drawn.versions) if _stands(one, as_of))
        figures = [Counter(_FIGURE.findall(one.text)) for one in (mine, theirs.versions[-1])]
        if theirs.id == drawn.id and figures[0] != figures[1]:
            yield Fault("pairings", str(drawn.id), f"its figures differ from those in {spoken}")


# Against the source ------------------------------------------------------------------------------


def _check_source(
    report: AuditReport,
    document: Document,
    source: Mirror,
    paths: Sequence[str],
    chance: random.Random,
    as_of: date,
) -> None:
    own = {form.path for form in document.manifestations}
    texts = {path: _source_text(source, path) for path in paths}
    texts = {path: text for path, text in texts.items() if text}
    if not texts:
        return
    squeezed = "".join(map(_squeezed, texts.values()))
    standing = _standing_provisions(document, as_of)
    if standing:
        drawn = chance.choice(standing)
        report.look("not in the source", _not_in_source(drawn, squeezed, as_of))
    main = [path for path in document.manifestations[:1] if path.path in texts]
    if main and len(own) == 1:
        report.look("lost words", _lost_words(document, texts[main[0].path]))


def _source_text(source: Mirror, path: str) -> str:
    try:
        text = decode(source.read(path).data).text
    except (RefusedFile, MirrorFault, UndecodableText):
        return ""
    text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    return without_markup(text)


def without_markup(text: str) -> str:
    """The words of a source's page."""
    for opening, closing in _WITH_CONTENT:
        text = " ".join(_outside(text, opening, closing))
    return html.unescape(_TAG.sub(" ", text))


def _outside(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[str]:
    """The text outside of openings and their closings; each is searched once, in linear time."""
    at = 0
    while (begun := opening.search(text, at)) and (ended := closing.search(text, begun.end())):
        yield text[at : begun.start()]
        at = ended.end()
    yield text[at:]


def _not_in_source(drawn: Provision, squeezed: str, as_of: date) -> Iterator[Fault]:
    version = next(one for one in reversed(drawn.versions) if _stands(one, as_of))
    if drawn.kind is ProvisionKind.TABLE:
        pieces: Sequence[str] = version.text.split()
    else:
        pieces = re.split(r"[\n.;:]", version.text)
    for piece in pieces:
        if len(piece) > 3 and _squeezed(piece) not in squeezed:
            yield Fault("not in the source", str(drawn.id), " ".join(piece.split())[:120])
            return


def _lost_words(document: Document, text: str) -> Iterator[Fault]:
    """Words of a document's only file that are in none of its provisions."""
    held = {
        word
        for node in document.root.walk()
        for version in node.versions
        for word in _words(f"{node.label} {version.heading} {version.text} {_said(version)}")
    }
    held.update(_words(f"{document.title} {document.short_title}"))
    theirs = Counter(_words(text))
    lost = {word: count for word, count in theirs.items() if word not in held}
    total = sum(theirs.values())
    if total and sum(lost.values()) / total > _LOST:
        most = ", ".join(sorted(lost, key=lambda word: (-lost[word], word))[:6])
        share = f"{sum(lost.values()) / total:.1%}"
        yield Fault("lost words", str(document.work), f"{share} of the words of its file: {most}")


def _said(version: Version) -> str:
    """What readers found in a text: words of the source may stand there alone."""
    return " ".join(tell("en", finding) for finding in version.findings)


def _words(text: str) -> Iterator[str]:
    return (found[0] for found in _WORD.finditer(unicodedata.normalize("NFKC", text).casefold()))


def _squeezed(text: str) -> str:
    """Keep letters and digits only: a source and its text differ in spacing and typography."""
    return _BETWEEN.sub("", unicodedata.normalize("NFKC", text).casefold())
