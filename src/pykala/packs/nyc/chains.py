"""One reference as it is written: "paragraphs (d) and (e) of subdivision three of section 11-604".

A chain is read from its innermost unit outwards. Any of its units may have a list of numbers; it may end
with "of this section", "of such subdivision", or the name of a law.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pykala.packs.nyc.phrases import (
    CODE_NAME,
    HERE,
    JOIN,
    LAW,
    OF,
    ORDER,
    SUCH,
    THAT_LAW,
    THIS,
    THROUGH,
    UNIT,
    UNITS,
    Number,
    number_at,
)

_LIST_GOES_ON = re.compile(r"\s+(?:of|and|or|through|to)\b|\s*[,;.)]")


@dataclass(frozen=True, slots=True)
class Member:
    """One number of a unit, with where it stands; `last` is the far end of a range."""

    start: int
    end: int
    number: Number
    last: Number | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """One unit of a chain with its numbers."""

    kind: str
    members: tuple[Member, ...]


@dataclass(slots=True)
class Chain:
    """A whole reference, innermost unit first, and what it ends with."""

    start: int
    end: int
    links: list[Link] = field(default_factory=list)
    this: str = ""  # "of this subdivision"
    such: str = ""  # "of such section"
    law: str = ""  # "of the tax law"
    that_law: bool = False  # "of such law"
    code: bool = False  # "of this code"

    @property
    def ended(self) -> bool:
        """Whether it says itself to what its outermost unit belongs."""
        return (
            bool(self.this or self.such or self.law or self.that_law or self.code) or self.outermost == "sec"
        )

    @property
    def outermost(self) -> str:
        """The kind of its last unit."""
        return self.links[-1].kind


def chain_at(text: str, match: re.Match[str]) -> Chain | None:
    """The chain that starts with a unit's name or a section sign; None where no number follows."""
    kind = UNITS[match["unit"].casefold()] if match["unit"] else "sec"
    many = not match["unit"] or bool(match["many"])
    link, end = _link(text, match.end(), kind, many)
    if link is None:
        return None
    chain = Chain(match.start(), end, [link])
    while _extended(text, chain):
        pass
    if not chain.ended and (here := HERE.match(text, chain.end)) is not None:
        chain.end = here.end()
    return chain


def _link(text: str, position: int, kind: str, many: bool) -> tuple[Link | None, int]:
    start = _after_space(text, position)
    first = number_at(text, start, kind) if start > position or kind == "sec" else None
    if first is None:
        return None, position
    members = [Member(start, first.end, first)]
    while True:
        member = _ranged(text, members[-1], kind)
        if member is not None:
            members[-1] = member
        following = _listed(text, members, kind, many)
        if following is None:
            return Link(kind, tuple(members)), members[-1].end
        members.append(following)


def _ranged(text: str, member: Member, kind: str) -> Member | None:
    through = THROUGH.match(text, member.end)
    if through is None or member.last is not None:
        return None
    last = number_at(text, through.end(), kind)
    if last is None or _style(text, member.start) != _style(text, through.end()):
        return None
    if "through" not in through[0] and _style(text, through.end()) == "letter":
        return None  # "paragraph a to a taxpayer"
    return Member(member.start, last.end, member.number, last)


def _listed(text: str, members: list[Member], kind: str, many: bool) -> Member | None:
    join = JOIN.match(text, members[-1].end)
    if join is None:
        return None
    position = join.end()
    number = number_at(text, position, kind)
    style = _style(text, position)
    if number is None or style != _style(text, members[0].start):
        return None
    goes_on = _LIST_GOES_ON.match(text, number.end) is not None or number.end == len(text)
    if style == "code" or (style == "bracket" and "or" in join[0] and _next(members[-1].number, number)):
        return Member(position, number.end, number)
    # "paragraph one or two of" goes on; "subdivision a, a taxpayer", "section five and two copies" do not.
    if not goes_on or (not many and "or" not in join[0] and not _and_of(text, number.end)):
        return None
    return Member(position, number.end, number)


def _next(before: Number, number: Number) -> bool:
    """Whether one letter comes right after another: "by such paragraph (j) or (k) for the year"."""
    one, other = before.value, number.value
    return len(one) == len(other) == 1 and one.isalpha() and ord(other) - ord(one) == 1


def _and_of(text: str, end: int) -> bool:
    return OF.match(text, end) is not None or JOIN.match(text, end) is not None


def _style(text: str, position: int) -> str:
    piece = text[position : position + 6]
    if piece.startswith("("):
        return "bracket"
    if re.match(r"\d+-\d\d", piece):
        return "code"
    if piece[:1].isdecimal():
        return "figure"
    word = re.match(r"[A-Za-z]+", text[position : position + 12])
    return "letter" if word is not None and len(word[0]) <= 2 else "word"


def _extended(text: str, chain: Chain) -> bool:
    """Add one more "of …"; False where the chain has ended."""
    of = OF.match(text, chain.end)
    if of is None or chain.this or chain.law or chain.that_law or chain.code:
        return False
    position = of.end()
    return (
        _names_this(text, position, chain)
        or _names_such(text, position, chain)
        or _names_code(text, position, chain)
        or _names_unit(text, position, chain)
        or _names_law(text, position, chain)
    )


def _names_this(text: str, position: int, chain: Chain) -> bool:
    this = THIS.match(text, position)
    if this is None or not _outside(UNITS[this["unit"].casefold()], chain):
        return False
    chain.this, chain.end = UNITS[this["unit"].casefold()], this.end()
    return True


def _names_such(text: str, position: int, chain: Chain) -> bool:
    such = SUCH.match(text, position)
    if such is None:
        return False
    kind = UNITS[such["unit"].casefold()]
    if not _outside(kind, chain):
        return False
    # "of such title twenty-two" gives its number; "of such section" does not.
    link, end = _link(text, such.end(), kind, many=False)
    if link is not None and _style(text, link.members[0].start) != "letter":
        chain.links.append(link)
        chain.end = end
        return True
    chain.such, chain.end = kind, such.end()
    return False


def _names_unit(text: str, position: int, chain: Chain) -> bool:
    start = position + (len(article[0]) if (article := re.match(r"the\s+", text[position:])) else 0)
    unit = UNIT.match(text, start)
    if unit is None or not _outside(UNITS[unit["unit"].casefold()], chain):
        return False
    link, end = _link(text, unit.end(), UNITS[unit["unit"].casefold()], bool(unit["many"]))
    if link is None:
        return False
    chain.links.append(link)
    chain.end = end
    return True


def _names_code(text: str, position: int, chain: Chain) -> bool:
    named = CODE_NAME.match(text, position)
    if named is None or named[0].casefold().startswith("such"):
        return False
    chain.code, chain.end = True, named.end()
    return True


def _names_law(text: str, position: int, chain: Chain) -> bool:
    that = THAT_LAW.match(text, position)
    if that is not None:
        chain.that_law, chain.end = True, that.end()
        return True
    law = LAW.match(text, position)
    if law is None:
        return False
    chain.law, chain.end = " ".join(law["name"].split()), law.end()
    return True


def _outside(kind: str, chain: Chain) -> bool:
    return ORDER.index(kind) < ORDER.index(chain.outermost)


def _after_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position
