"""Numbers at the start of a block: "§ 5", "Article 3", "1.1", "(a)", "2 luku", and what they open.

A label counts only where the words around it allow: "Section 5 of the Act applies" begins a sentence, "1.5
million euros" an amount, "30.6.2024" a date.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pykala.text.roman import roman_value

#: Words that open a place, by the step that they give; a place of lower rank closes those of higher.
_WORDS = {
    "sched": "schedule|annex|appendix|exhibit|liite|bilaga|annexe|appendice",
    "part": "part|title|osa|osasto|del|avdelning|partie|titre",
    "chp": "chapter|luku|kapitel|chapitre",
    "sec": "section|sec\\.|clause|avsnitt|paragraf|kohta",
    "art": "article|art\\.|artikla|artikel",
}
_RANKS = {"sched": 5, "part": 10, "chp": 20, "sec": 40, "art": 40}
#: What Finnish and Swedish write behind the number: "2 luku", "1 kap.", "3 artikla".
_BEHIND = {"luku": "chp", "kap.": "chp", "osa": "part", "artikla": "art", "avd.": "part"}
_SHORT_NUMBER = r"\d{1,4}(?:[.\-]\d{1,4}){0,3}(?-i:[ ]?[a-z])?(?!\w)"
_ROMAN_NUMBER = r"(?-i:[IVXLCDM]{1,8}|[A-Z](?![.]))(?!\w)"
_WORDED = re.compile(
    r"(?P<label>(?P<word>{})\s+(?P<number>{}|{}))".format(
        "|".join(_WORDS.values()), _SHORT_NUMBER, _ROMAN_NUMBER
    ),
    re.IGNORECASE,
)
_NUMBER_FIRST = re.compile(
    r"(?P<label>(?P<number>\d{1,4}(?-i: ?[a-z])?|(?-i:[IVXLC]{1,6}))"
    r" (?P<word>luku|kap\.|osa|artikla|avd\.))(?!\w)",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"(?P<label>§ ?(?P<before>\d[\w.\-]{0,11}?)(?=[.:]?(?:\s|$))|(?P<behind>\d{1,4}(?: ?[a-z])?) ?§(?!\w|:))"
)
_DECIMAL = re.compile(r"(?P<label>(?P<number>\d{1,3}(?:\.\d{1,3}){0,5}[a-z]?)(?P<dot>\.?))(?=\s|$)")
_BRACKETED = re.compile(
    r"(?P<label>(?P<open>\(?)(?P<number>\d{1,3}[a-z]?|[A-Za-z]|[ivxl]{2,6}|[IVXL]{2,6})\))(?=\s|$)"
)
_BULLET = re.compile(r"(?P<label>[-–—•·▪●○◦‣*])\s+")
_AFTER_LABEL = re.compile(r"\s*(?:[.:)](?=\s|$)|[–—-](?=\s))?\s*")
_WORD_OF = {word.replace("\\", ""): step for step, words in _WORDS.items() for word in words.split("|")}


@dataclass(frozen=True, slots=True)
class Label:
    """A number as printed, what it opens, and the words after it.

    `shape` shows which labels belong to one list: "(a)" and "(b)" do, "(a)" and "(1)" do not.
    """

    printed: str
    shape: str
    number: str
    rest: str
    step: str
    rank: int
    order: int = 0  # its place in its list, where that is known
    #: "(i)" is the ninth letter or the first Roman numeral; only its neighbours decide.
    other: Label | None = field(default=None)


ITEM_RANK = 100


def read_label(text: str) -> Label | None:
    """The label that a block begins with, or None."""
    text = text.lstrip()
    for read in (_worded, _signed, _number_first, _decimal, _bracketed, _bullet):
        found = read(text)
        if found is not None:
            return found
    return None


def _worded(text: str) -> Label | None:
    found = _WORDED.match(text)
    if found is None:
        return None
    step = _WORD_OF[found["word"].casefold()]
    return _place(found, step, found["number"], text)


def _signed(text: str) -> Label | None:
    found = _SIGN.match(text)
    return _place(found, "sec", found["before"] or found["behind"], text) if found else None


def _number_first(text: str) -> Label | None:
    found = _NUMBER_FIRST.match(text)
    return _place(found, _BEHIND[found["word"].casefold()], found["number"], text) if found else None


def _place(found: re.Match[str], step: str, number: str, text: str) -> Label | None:
    gap = _AFTER_LABEL.match(text, found.end())
    assert gap is not None
    rest = text[gap.end() :]
    # "Section 5 applies", "§ 5 of the Act", "Article 3, which …" are sentences about a place.
    if rest and not gap[0].strip() and not _opens(rest):
        return None
    printed = text[: gap.end()].rstrip()
    number = number.replace(" ", "").casefold()
    return Label(printed, step, number, rest, step, _RANKS[step], _ordinal(number))


def _decimal(text: str) -> Label | None:
    found = _DECIMAL.match(text)
    if found is None:
        return None
    rest = text[found.end() :].lstrip()
    depth = found["number"].count(".") + 1
    if (depth == 1 and not found["dot"]) or (not found["dot"] and not (rest and _opens(rest))):
        return None
    step = "sec" if depth == 1 else "subsec"
    order = _ordinal(found["number"].rpartition(".")[2])
    return Label(found["label"], f"dec{depth}", found["number"].casefold(), rest, step, 50 + depth, order)


def _bracketed(text: str) -> Label | None:
    found = _BRACKETED.match(text)
    if found is None:
        return None
    number, rest = found["number"], text[found.end() :].lstrip()

    def item(alphabet: str, order: int, other: Label | None = None) -> Label:
        shape = f"{found['open']}{alphabet})"
        return Label(found["label"], shape, number, rest, "pnt", ITEM_RANK, order, other)

    if number[0].isdigit():
        return item("1", _ordinal(number))
    roman, letter = ("i", "a") if number.islower() else ("I", "A")
    value = roman_value(number.casefold())
    if len(number) > 1:
        return item(roman, value) if value else None
    as_letter = item(letter, ord(number.casefold()) - ord("a") + 1)
    return item(letter, as_letter.order, item(roman, value)) if value else as_letter


def _bullet(text: str) -> Label | None:
    found = _BULLET.match(text)
    if found is None:
        return None
    return Label(found["label"], "bullet", "", text[found.end() :], "pnt", ITEM_RANK)


def _opens(words: str) -> bool:
    """Whether words can begin a heading or a clause: not in the middle of a sentence."""
    first = words.lstrip("\"'“”‘’«([*_ ")[:1]
    return first.isupper() or first.isdigit()


def _ordinal(number: str) -> int:
    digits = re.match(r"\d+", number)
    return int(digits[0]) if digits else roman_value(number)


_TITLE_END = re.compile(r"[.;,!?]\s*$")
_MOST_TITLE = 110


def is_title(words: str) -> bool:
    """Whether the words behind a label are a heading rather than a clause: short, and no sentence."""
    return (
        0 < len(words) <= _MOST_TITLE
        and "\n" not in words
        and _opens(words)
        and not _TITLE_END.search(words)
        and not words.endswith(":")
        and len(words.split()) <= 14
    )
