"""Acts split into momentit, one per line: `momentti/kuntalaki_410-2015.jsonl`.

Each line names its part, chapter, section and momentti, and the state of the act by its last amending act:
`fin@20230780` is 780/2023, not a date. The place in Finlex's XML that it was cut from (`subsec_2v20210419`)
shows the act that wrote the momentti; the start of validity is given only for the whole act.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Event, Manifestation, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.finland.act_numbers import act_number
from pykala.packs.finland.consolidated.nodes import act_id
from pykala.packs.finland.consolidated.words import named_acts, tombstone_unit
from pykala.packs.finland.spacing import number_of, tidy
from pykala.packs.finland.statutes.act_facts import ActFacts, kind_of_title
from pykala.packs.finland.statutes.act_text import ActText
from pykala.packs.finland.statutes.wordings import takes_effect
from pykala.packs.pack import PackFacts, Snapshot

FORMAT = "momentti-jsonl"
MAX_BYTES = 64 * 1024 * 1024
MAX_LINES = 5_000  # the longest act, the Companies Act, has 919
_PATH = re.compile(r"(?:^|/)momentti/[\w-]*?[_-](?P<number>\d{1,5})-(?P<year>\d{4})\.jsonl$")
_LAW = re.compile(r"(?P<number>\d{1,5}[A-Z]?)/(?P<year>\d{4})")
_STATE = re.compile(r"fin@(?P<year>\d{4})(?P<number>\d{4})")
_WRITTEN_BY = re.compile(r"v(?P<year>\d{4})(?P<number>\d{4})'?\]?$")
_SECTION = re.compile(r"\d{1,4}[a-zåäö]{0,2}")
_NAMES = ("law", "law_id", "finlex_version", "node_id", "section_id", "moment", "text")
_HEADS = ("part", "part_title", "chapter", "chapter_title", "section_title", "effective_from")
#: Spaces that stand where the markup of a term ended: "hankintadirektiivi ;", "( valiokuntamalli )".
_BEFORE_MARK = re.compile(r"(?<=\S) (?=[;,.)](?:\s|[;,.)]|$))")
_AFTER_BRACKET = re.compile(r"(?<=\() (?=\S)")
_ITEM = re.compile(r"(?<![\w(])(?P<number>\d{1,3})(?P<letter>\s[a-zåäö])?\)\s")
_LISTED_AFTER = re.compile(r"(?:[:;,.]|\b(?:ja|tai|sekä|taikka))\s*$")
_NEW_SECTION = re.compile(r"sec_[0-9a-zåäö]{1,8}?v(?P<year>\d{4})(?P<number>\d{4})(?:__|'|$)")


@dataclass(frozen=True, slots=True)
class _Row:
    part: str
    part_title: str
    chapter: str
    chapter_title: str
    section: str
    section_title: str
    moment: str
    text: str
    node: str
    law: str
    law_id: str
    state: str
    effective_from: date | None
    written_by: WorkId | None
    section_by: WorkId | None  # the act that wrote the section as a whole


class MomenttiFiles:
    """The paths of momentti files in a mirror."""

    @staticmethod
    def act_of(path: str) -> str | None:
        """The act that a path names, "2015/410"; None for any other file."""
        found = _PATH.search(path)
        return act_number(act_id(found["year"], found["number"])) if found else None


def read_momentti(snapshot: Snapshot, facts: PackFacts) -> tuple[Document, ActFacts]:
    """Read one act; every `node_id` is among the document's `places`.

    Raises RefusedFile for a file that does not hold the momentit of one act in one state.
    """
    rows = _rows(snapshot)
    first = rows[0]
    for key in ("law", "law_id", "state"):
        if len({getattr(row, key) for row in rows}) > 1:
            raise RefusedFile(snapshot.path, f"its lines name more than one {key}")
    law = _LAW.fullmatch(first.law_id)
    if law is None:
        raise RefusedFile(snapshot.path, f"its law_id {first.law_id!r} is not a number such as 410/2015")
    work = act_id(law["year"], law["number"])
    named = MomenttiFiles.act_of(snapshot.path)
    if named is not None and work != WorkId(f"fi:act:{named}"):
        raise RefusedFile(snapshot.path, f"it says that it is {work}, which its path does not")
    validity = Validity(first.effective_from)
    text = ActText(
        work,
        validity,
        authentic=False,
        indented=False,
        chapters_in_ids=_restarts(rows),
        parts_in_ids=_chapters_restart(rows),
        observed_at=snapshot.retrieved_at,
    )
    tree = _Tree(text)
    root = Provision(
        ProvisionId(work),
        ProvisionKind.WORK,
        first.law_id,
        (text.version("", tidy(first.law)),),
        tuple(tree.parts(rows)),
    )
    document = Document(
        work,
        "fi",
        tidy(first.law),
        root,
        (
            Manifestation(
                snapshot.path,
                snapshot.sha256,
                FORMAT,
                snapshot.url,
                snapshot.retrieved_at,
                (f"the state of the act that Finlex calls {first.state}",),
            ),
        ),
        places=tuple(tree.places),
    )
    return document, _facts(work, rows, validity)


def _facts(work: WorkId, rows: Sequence[_Row], validity: Validity) -> ActFacts:
    state = _STATE.fullmatch(rows[0].state)
    last = act_id(state["year"], state["number"]) if state else None
    wrote = {row.written_by for row in rows if row.written_by is not None}
    named = {
        note.act: note.issued for row in rows if tombstone_unit(row.text) for note in named_acts(row.text)
    }
    return ActFacts(
        work,
        kind_of_title(rows[0].law),
        titles=(("fi", tidy(rows[0].law)),),
        validity=validity,
        last_amendment=last,
        amended_by={act: named.get(act) for act in sorted({*wrote, *named, *({last} if last else ())})},
    )


def _rows(snapshot: Snapshot) -> list[_Row]:
    path = snapshot.path
    if len(snapshot.data) > MAX_BYTES:
        raise RefusedFile(path, f"it is larger than {MAX_BYTES} bytes")
    try:
        lines = snapshot.data.decode("utf-8-sig").split("\n")
        read = [(place, json.loads(line)) for place, line in enumerate(lines, 1) if line.strip()]
    except (ValueError, RecursionError) as fault:
        raise RefusedFile(path, f"a line cannot be read as JSON ({type(fault).__name__}: {fault})") from None
    rows = [_row(value, f"{path}, line {place}") for place, value in read]
    if not 0 < len(rows) <= MAX_LINES:
        raise RefusedFile(path, f"it holds {len(rows)} lines instead of 1 to {MAX_LINES}")
    if len({row.node for row in rows}) < len(rows):
        raise RefusedFile(path, "two of its lines have the same node_id")
    return rows


def _row(value: object, where: str) -> _Row:
    if not isinstance(value, dict):
        raise RefusedFile(where, "it is not an object")
    known: dict[str, str] = {}
    for key in (*_NAMES, *_HEADS):
        found = value.get(key, "")
        if not isinstance(found, str) or (key in _NAMES and not found.strip()):
            raise RefusedFile(where, f"its {key} is missing, or is not text")
        known[key] = found
    if not _SECTION.fullmatch(known["section_id"]) or not _SECTION.fullmatch(known["moment"]):
        raise RefusedFile(where, f"{known['section_id']!r} and {known['moment']!r} are not § and momentti")
    source = value.get("source", {})
    xpath = source.get("xpath", "") if isinstance(source, dict) else ""
    xpath = xpath if isinstance(xpath, str) else ""
    written, whole = _WRITTEN_BY.search(xpath), _NEW_SECTION.search(xpath)
    return _Row(
        known["part"],
        known["part_title"],
        known["chapter"],
        known["chapter_title"],
        known["section_id"],
        known["section_title"],
        known["moment"],
        known["text"],
        known["node_id"],
        known["law"],
        known["law_id"],
        known["finlex_version"],
        _iso(known["effective_from"]),
        act_id(written["year"], written["number"]) if written else None,
        act_id(whole["year"], whole["number"]) if whole else None,
    )


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _restarts(rows: Iterable[_Row]) -> bool:
    """Whether most chapters have a 1 § of their own; `17l:174:1` alone is no evidence."""
    ones: dict[tuple[str, str], bool] = {}
    for row in rows:
        if row.chapter:
            key = (row.part, row.chapter)
            ones[key] = ones.get(key, False) or row.section == "1"
    return len(ones) > 1 and sum(ones.values()) * 2 > len(ones)


def _chapters_restart(rows: Iterable[_Row]) -> bool:
    homes: dict[str, set[str]] = {}
    for row in rows:
        homes.setdefault(number_of(row.chapter), set()).add(row.part)
    return any(len(found) > 1 for number, found in homes.items() if number)


class _Tree:
    """Builds parts, chapters, sections and momentit from lines in their order."""

    def __init__(self, text: ActText) -> None:
        self.text = text
        self.places: list[tuple[str, ProvisionId]] = []

    def parts(self, rows: Sequence[_Row]) -> Iterable[Provision]:
        work = ProvisionId(self.text.work)
        for group in _runs(rows, lambda row: (row.part, row.part_title)):
            head = group[0]
            number = number_of(head.part)
            if not number:
                yield from self._chapters(work, group)
                continue
            identifier = self.text.taken.claim(work, "part", number)
            version = self.text.version("", tidy(head.part_title))
            below = tuple(self._chapters(identifier, group))
            yield Provision(identifier, ProvisionKind.PART, tidy(head.part), (version,), below)

    def _chapters(self, parent: ProvisionId, rows: Sequence[_Row]) -> Iterable[Provision]:
        for group in _runs(rows, lambda row: (row.chapter, row.chapter_title)):
            head = group[0]
            number = number_of(head.chapter)
            if not number:
                yield from self._sections(parent, group)
                continue
            home = parent if self.text.parts_in_ids else ProvisionId(self.text.work)
            identifier = self.text.taken.claim(home, "chp", number)
            version = self.text.version("", tidy(head.chapter_title))
            below = tuple(self._sections(identifier, group))
            yield Provision(identifier, ProvisionKind.CHAPTER, tidy(head.chapter), (version,), below)

    def _sections(self, parent: ProvisionId, rows: Sequence[_Row]) -> Iterable[Provision]:
        home = parent if self.text.chapters_in_ids else ProvisionId(self.text.work)
        for group in _runs(rows, lambda row: (row.section, row.section_title)):
            head = group[0]
            identifier = self.text.taken.claim(home, "sec", head.section)
            label = re.sub(r"(?<=\d)(?=[a-zåäö])", " ", head.section) + " §"
            heading = tidy(head.section_title)
            if len(group) == 1 and tombstone_unit(head.text) == "§":
                # A section that is gone has no momentti; its node_id names the section.
                self.places.append((head.node, identifier))
                yield Provision(identifier, ProvisionKind.SECTION, label, (self._version(head, heading),))
                continue
            kind = (
                ProvisionKind.ENTRY_INTO_FORCE
                if heading.casefold().startswith("voimaantulo")
                else ProvisionKind.SECTION
            )
            below = tuple(self._momentti(identifier, row) for row in group)
            version = self._amended(self.text.version("", heading), head.section_by)
            yield Provision(identifier, kind, label, (version,), below)

    def _momentti(self, section: ProvisionId, row: _Row) -> Provision:
        identifier = self.text.taken.claim(section, "subsec", row.moment)
        self.places.append((row.node, identifier))
        version = self._version(row)
        own, items = split_items(version.text)
        below = tuple(
            Provision(
                self.text.taken.claim(identifier, "para", number),
                ProvisionKind.ITEM,
                re.sub(r"(?<=\d)(?=[a-zåäö])", " ", f"{number})"),
                (replace(version, text=words),),
            )
            for number, words in items
        )
        return Provision(identifier, ProvisionKind.SUBSECTION, "", (replace(version, text=own),), below)

    def _version(self, row: _Row, heading: str = "") -> Version:
        """The version of one line; an amended momentti has its act, but not since when it is in force."""
        words = mended(row.text)
        if not tombstone_unit(words):
            return self._amended(self.text.version(words, heading), row.written_by)
        gone = next((note.act for note in named_acts(words)), row.written_by)
        ended = replace(self.text.version(words, heading), event=Event.REPEALED, source_act=gone)
        return replace(ended, validity=Validity(takes_effect(words)), history_unavailable=True)

    def _amended(self, version: Version, source: WorkId | None) -> Version:
        if source is None or source == self.text.work:
            return version
        return replace(
            version, validity=Validity(), event=Event.AMENDED, source_act=source, history_unavailable=True
        )


def mended(text: str) -> str:
    """A text without the spaces that its markup left before marks and within brackets."""
    return _AFTER_BRACKET.sub("", _BEFORE_MARK.sub("", tidy(text)))


def split_items(text: str) -> tuple[str, list[tuple[str, str]]]:
    """A momentti's own words and its kohdat, which stand in one line: "…ovat: 1) …; 2) …".

    The numbers must run from 1 upwards, and there must be two: else the text is one.
    """
    found: list[re.Match[str]] = []
    for match in _ITEM.finditer(text):
        last = int(found[-1]["number"]) if found else 0
        expected = last if match["letter"] and found else last + 1
        before = text[max(match.start() - 12, 0) : match.start()]
        if int(match["number"]) == expected and _LISTED_AFTER.search(before):
            found.append(match)
    if len(found) < 2:
        return text, []
    ends = [*(match.start() for match in found[1:]), len(text)]
    items = [
        (f"{match['number']}{(match['letter'] or '').strip()}", text[match.end() : end].strip())
        for match, end in zip(found, ends, strict=True)
    ]
    return text[: found[0].start()].rstrip(), items


def _runs(rows: Iterable[_Row], key: Callable[[_Row], object]) -> list[list[_Row]]:
    """Neighbouring lines that share a key."""
    return [list(group) for _, group in groupby(rows, key)]
