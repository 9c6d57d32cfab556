r"""The words of one node: amendment notes, printed labels, tombstones and tables told apart from the text.

`…enintään 48 kuukauden ajan.\n(10.11.2006/975)` is a sentence and the act that wrote it;
`3 §(4.5.2018/345)\n\n3 § on kumottu L:lla 4.5.2018/345.` a label, that act, and a tombstone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from pykala.law.identifiers import WorkId
from pykala.packs.finland.consolidated.nodes import act_id
from pykala.packs.finland.spacing import tidy, tidy_lines

_DATED_ACT = (
    r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})/(?P<number>\d{1,5}[A-Z]?)"
    # "12.11.2010/1009 v. 2012": decided in 2010, and number 1009 of the statutes of 2012.
    r"(?:\s{1,3}v\.\s{0,3}(?P<volume>\d{4}))?"
)
_NOTE = re.compile(rf"\(+{_DATED_ACT}\)+")
_NAMED_ACT = re.compile(_DATED_ACT)
_LONGEST_NOTE = 60
#: The editors' words before an ended wording: they announce nothing that is in the law.
_EARLIER = re.compile(r"\s{0,9}(?:Aiempi|Aikaisempi) sanamuoto kuuluu:\s{0,9}$")
_SECTION_LABEL = re.compile(r"\s*(?P<label>\d[\d\sa-zåäö,–-]{0,30}§)\s*")
_CHAPTER_LABEL = re.compile(r"\s*(?P<label>\d{1,4}\s?[a-zåäö]?\s+luku)\s*\n", re.IGNORECASE)
_ITEM_LABEL = re.compile(
    r"\s*(?P<label>(?:\d{1,4}\s?[a-zåäö]?|[a-zåäö]{1,2}|[ivx]{1,5})\s?\)|\d{1,3}\.(?=\s))", re.IGNORECASE
)
_TOMBSTONE = re.compile(
    r"\s*[\w\s,.–-]{0,60}?(?P<unit>§|momentti|momentit|mom\.|kohta|kohdat|luku|osa|liite|otsikko|kappale)[\s)]{1,3}"
    r"(?:on|ovat)\s+kumot(?:tu|ut)\b",
    re.IGNORECASE,
)
_LONGEST_TOMBSTONE = 400
_RANGE = re.compile(r"(?P<first>\d{1,4})\s?[–-]\s?(?P<last>\d{1,4})\s?§")
#: Where a source broke a line within a sentence: "perustamiseen,\njohtamiseen".
_BROKEN_SENTENCE = re.compile(r"(?<=[^\s.:;!?)])[ \t\xa0]*\n[ \t\xa0]*(?=[a-zåäö])")
_WORDS_APART = re.compile(r"[\W_]+")
_INDENTED_GAP = re.compile(r"\n[ \t]{8,}\n")


@dataclass(frozen=True, slots=True)
class Note:
    """An amendment note: the act, and the day on which it was given."""

    act: WorkId
    issued: date | None
    printed_year: str  # the year of its day, under which the source files an act of a later volume


def take_notes(text: str) -> tuple[str, tuple[Note, ...]]:
    """The text without the amendment notes at its end, and those notes in their order."""
    text = _EARLIER.sub("", text)
    notes: list[Note] = []
    end = len(text)
    while True:
        while end and text[end - 1].isspace():
            end -= 1
        found = list(_NOTE.finditer(text, max(end - _LONGEST_NOTE, 0), end))
        if not found or found[-1].end() != end:
            return text[:end], tuple(reversed(notes))
        notes.append(_note(found[-1]))
        end = found[-1].start()


def named_acts(text: str) -> tuple[Note, ...]:
    """The acts that a text names by day and number: "kumottu L:lla 9.9.2016/773"."""
    return tuple(_note(found) for found in _NAMED_ACT.finditer(text))


def _note(found: re.Match[str]) -> Note:
    try:
        issued = date(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        issued = None
    return Note(act_id(found["volume"] or found["year"], found["number"]), issued, found["year"])


def take_section_label(content: str) -> tuple[str, str, tuple[Note, ...]]:
    """The printed label of a section or chapter, the rest, and the note between the two."""
    found = _SECTION_LABEL.match(content) or _CHAPTER_LABEL.match(content)
    if found is None:
        return "", content, ()
    # "3 § on kumottu …" is itself the text: a label stands on a line of its own, before its note, or alone.
    rest = content[found.end() :]
    between = _NOTE.match(rest)
    if rest and between is None and "\n" not in content[found.end("label") : found.end()]:
        return "", content, ()
    notes = (_note(between),) if between else ()
    return tidy(found["label"]), rest[between.end() :] if between else rest, notes


def take_item_label(text: str) -> tuple[str, str]:
    """The printed label of a kohta or alakohta, "3 a)", and the words after it."""
    found = _ITEM_LABEL.match(text)
    if found is None:
        return "", text
    return tidy(found["label"]), text[found.end() :]


def tombstone_unit(text: str) -> str:
    """The unit that a tombstone says is gone: "§", "momentti", "luku"; empty for text in force."""
    if len(text) > _LONGEST_TOMBSTONE:
        return ""
    found = _TOMBSTONE.match(text)
    return found["unit"].lower() if found else ""


def repealed_range(label: str) -> range:
    """The sections that one tombstone stands for beside the first: "12–19 §" those from 13 to 19."""
    found = _RANGE.fullmatch(label)
    if found is None:
        return range(0)
    first, last = int(found["first"]), int(found["last"])
    return range(first + 1, last + 1) if first < last <= first + 200 else range(0)


def prose(text: str) -> str:
    """A text with its lines as lines, and those mended that break a sentence."""
    return tidy_lines(_BROKEN_SENTENCE.sub(" ", text))


def folded(text: str) -> str:
    """A text in a form that identifies copies: dashes and spaces do not count."""
    return _WORDS_APART.sub(" ", text.casefold()).strip()


def take_table(text: str) -> tuple[str, str]:
    """The text before a table, and the table with ` | ` between its cells; no table gives an empty one.

    The source keeps tables as lines only. One form parts the cells of a row by a line break and the rows by
    an empty line; another, with the indents of its markup, the cells by two empty lines and the rows by four.
    """
    if _INDENTED_GAP.search(text):
        return _indented_table(text)
    before, gap, rest = text.partition("\n\n")
    rows = [[tidy(cell) for cell in row.split("\n") if tidy(cell)] for row in rest.split("\n\n")]
    rows = [row for row in rows if row]
    wide = sum(len(row) > 1 for row in rows)
    if not gap or len(rows) < 2 or wide * 2 < len(rows):
        return text, ""
    head = [tidy(cell) for cell in before.split("\n") if tidy(cell)]
    if len(head) == len(rows[0]) > 1:
        return "", _drawn([head, *rows])
    return before, _drawn(rows)


def _indented_table(text: str) -> tuple[str, str]:
    rows: list[list[str]] = [[]]
    empty = 0
    for line in (tidy(line) for line in text.split("\n")):
        if not line:
            empty += 1
            continue
        if empty >= 4:
            rows.append([])
        if rows[-1] and not empty:
            rows[-1][-1] += f" {line}"  # a cell of two lines
        else:
            rows[-1].append(line)
        empty = 0
    rows = [row for row in rows if row]
    if len(rows) < 2:
        return text, ""
    # Words before a table end in a colon and hold its first row's place only by accident of layout.
    before = rows.pop(0)[0] if len(rows[0]) == 1 and rows[0][0].endswith(":") else ""
    return before, _drawn(rows)


def _drawn(rows: list[list[str]]) -> str:
    return "\n".join(" | ".join(row) for row in rows)
