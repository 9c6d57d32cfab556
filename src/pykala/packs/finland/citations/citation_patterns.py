"""The places that a citation names, level by level: `17 luvun 40 §:n 2 momentin 3 kohdan a alakohta`.

One small pattern reads one level ("2 ja 3 momentin"); levels that follow one another downwards make a place.
Texts are `normalised` first, so that every space and every dash is a plain one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pykala.law.identifiers import Step
from pykala.packs.finland.spacing import ALPHABET

#: Character for character, so that a span in the one text is the same span in the other.
_ALIKE = str.maketrans(
    {
        "\n": " ",
        "\r": " ",
        "\t": " ",
        "\N{NO-BREAK SPACE}": " ",
        "\N{THIN SPACE}": " ",
        "\N{NARROW NO-BREAK SPACE}": " ",
        "\N{EN SPACE}": " ",
        "\N{ZERO WIDTH JOINER}": " ",
        "_": " ",  # rulings of the nineties print MVL_9_§_2_mom
        "\N{EM DASH}": "\N{EN DASH}",
        "\N{HORIZONTAL BAR}": "\N{EN DASH}",
        "\N{MINUS SIGN}": "\N{EN DASH}",
        "\N{NON-BREAKING HYPHEN}": "-",
        "\N{HYPHEN}": "-",
    }
)

_ODD = re.compile("[" + re.escape("".join(map(chr, _ALIKE))) + "]")

#: From the outside in; a place goes down this list.
LEVELS = ("part", "chp", "sec", "art", "subsec", "para", "subpara")
_DEPTH = {kind: depth for depth, kind in enumerate(LEVELS)} | {"art": 2}
#: Between the members of a list, and between the ends of a range, as a step's number holds them.
AND, TO = "+", ".."

# "33 a", but not the "5 a" of "5 asiakasta": a letter counts only where no word goes on.
_NUMBER = r"[0-9]{1,3}(?![0-9])(?: ?[a-zåäö](?![\w]))?"
_JOIN = (
    r"(?: ?, ?(?:(?:ja|sekä|tai|och|samt|eller) )?| (?:ja/tai|ja|sekä|taikka|tai|eikä|och|samt|eller"
    r"|respektive|and|or|to) | ?[-\N{EN DASH}] ?)"
)
_NUMBERS = rf"{_NUMBER}(?:{_JOIN}{_NUMBER}){{0,40}}"
_LETTERS = rf"[a-zåäö](?![\w])(?:{_JOIN}[a-zåäö](?![\w])){{0,20}}"
#: The number must not be the end of a date, a diary number or a word. The digit comes first in the pattern,
#: because it is found fast.
_FREE = r"(?<![\w/.:§\N{EN DASH}-][0-9])(?<![0-9],[0-9])"
_POINT = (
    r"koh(?:ta(?:an|a|na)?|da(?:ssa|sta|lla|lta|lle|ksi|n|t)|tien|tia|tiin|di(?:ssa|sta|lla"
    r"|n))(?![\w])|kohd?\.(?= )"
)
_CASE = r"(?: ?:[a-zäö]{1,6}(?![\w]))?"

_FINNISH_UNITS = (
    r"(?P<sec>§" + _CASE + r"|pykälä(?:n|ssä|stä|ä|än)?(?![\w]))"
    r"|(?P<subsec>mom(?:ent[a-zäö]+|\.)?(?![\w])" + _CASE + r")"
    rf"|(?P<para>{_POINT}|k(?:\.(?= |$)|(?=:n))|kpl(?![\w])|kappale(?:en|essa|esta|tta)?(?![\w]))"
    rf"|(?P<subpara>ala(?:{_POINT}|k\.))"
    r"|(?P<chp>lu(?:vun|vussa|vusta|vulla|vuissa|ku|kua|kuun|kujen)(?![\w]))"
    r"|(?P<part>osa(?:n|ssa|sta|an)(?![\w]))"
    r"|(?P<art>artikl[a-zäö]+|art\.)"
)
_SWEDISH_UNITS = (
    r"(?P<sec>§(?: ?:[a-z]{1,3}(?![\w]))?|paragraf(?:en|erna)?(?![\w]))"
    r"|(?P<subsec>mom(?:\.|ent(?:et|en|ets)?)?(?![\w]))"
    r"|(?P<para>punkt(?:en|erna)?(?![\w])|p\.)"
    r"|(?P<chp>kap(?:\.|itlet|itlen)?(?![\w]))"
    r"|(?P<part>avd(?:\.|elningen)(?![\w]))"
)
#: "48.6 §", "6.1,3 §": Vero and rulings put the momentti and the kohta behind dots.
_DOTTED = (
    rf"(?P<dotted>[0-9]{_FREE}[0-9]{{0,2}}(?: ?[a-zåäö](?![\w]))?[.:][0-9]{{1,2}}(?:[.,][0-9]{{1,2}})?)"
    rf" ?(?P<dottedsec>§{_CASE})"
)
#: The first digit of the first number must not be the tail of something else.
_HEADED = rf"(?P<numbers>{_NUMBERS.replace('[0-9]{1,3}', f'[0-9]{_FREE}[0-9]{{0,2}}', 1)})"
_FIRST = {
    "fi": re.compile(rf"{_DOTTED}|{_HEADED}[ -]?(?:{_FINNISH_UNITS})"),
    "sv": re.compile(rf"{_HEADED}[ -]?(?:{_SWEDISH_UNITS})"),
}
#: "d kohdassa", "a–c alakohdassa" without a number before them.
_LETTERED_FIRST = {
    "fi": re.compile(
        rf"[a-zåäö](?<![\w.-][a-zåäö])(?![\w])(?:{_JOIN}[a-zåäö](?![\w])){{0,20}}[ -](?:(?P<para>{_POINT})"
        rf"|(?P<subpara>ala(?:{_POINT})))"
    ),
    "sv": re.compile(
        rf"[a-zåäö](?<![\w.-][a-zåäö])(?![\w])(?:{_JOIN}[a-zåäö](?![\w])){{0,20}}[ -](?:(?P<para>punkt(?:en"
        r"|erna)(?![\w]))|(?P<subpara>underpunkt(?:en|erna)(?![\w])))"
    ),
}
#: Levels below the first: they may be letters, and Swedish may put them behind the word.
_NEXT = {
    "fi": re.compile(rf"(?P<numbers>{_NUMBERS}|{_LETTERS})[ -]?(?:{_FINNISH_UNITS})"),
    "sv": re.compile(
        rf"(?P<numbers>{_NUMBERS}|{_LETTERS})[ -]?(?:{_SWEDISH_UNITS}|(?P<subpara>underpunkt(?:en"
        r"|erna)?(?![\w])))"
        rf"|(?:underpunkt(?:en|erna)?|led(?:et|en)?) (?P<after>{_LETTERS})"
    ),
}
#: The wording of a section, "4 § (318/2004) 1 momentti", is a part of the place.
_WORDING = re.compile(r" ?\((?:[LA]:? ?)?(?:[0-9]{1,2}\.[0-9]{1,2}\.)?[0-9]{1,4}/[0-9]{2,4}\)(?=[ ,.;)]|$)")
_ENGLISH_NUMBERS = _NUMBERS.replace("[0-9]{1,3}", "[0-9]{1,4}")
_ENGLISH = re.compile(
    rf"\b(?:[Cc]hapters? (?P<chp>{_NUMBERS}),? )?[Ss]ections?"
    rf" (?P<sec>{_NUMBERS})(?:\((?P<dotted>[0-9]{{1,2}})\))?"
    rf"(?:,? subsections? (?P<subsec>{_NUMBERS}))?(?:,? (?:paragraph|item|point)s? (?P<para>{_NUMBERS}))?"
    rf"(?:,? (?:subparagraph|sub-paragraph|subitem)s? (?P<subpara>{_LETTERS}))?"
    rf"|\b[Ss]ubsections? (?P<subsec2>{_NUMBERS})(?:,? (?:paragraph|item|point)s? (?P<para2>{_NUMBERS}))?"
    rf"|\b[Pp]aragraphs? (?P<para3>{_NUMBERS})\b(?! of Article)"
    rf"|\b[Cc]hapters? (?P<chp2>{_NUMBERS})\b"
)
_MEMBER = re.compile(rf"(?P<join>{_JOIN})?(?P<number>{_NUMBER}|[a-zåäö](?![\w]))")
_DOTS = re.compile(r"[.,:]")
_GAP = re.compile(r" ?")
#: "18 § 1 mom. 2 k ja 3 k sekä 18 a §": a kohta of one letter, which would pass for that of a section.
_SHORT_KOHTA = re.compile(r" (?P<numbers>[0-9]{1,2}(?: k (?:ja|tai) [0-9]{1,2})?) k(?=[,.;) ]|$)(?! ?§)")
_MOST_MEMBERS = 60


@dataclass(frozen=True, slots=True)
class Place:
    """A place as written: where it stands, and its levels from the outside in."""

    start: int
    end: int
    steps: tuple[Step, ...]

    @property
    def first(self) -> str:
        """The kind of its outermost level."""
        return self.steps[0].kind

    def has(self, kind: str) -> bool:
        """Whether one of its levels is of a kind."""
        return any(step.kind == kind for step in self.steps)


def normalised(text: str) -> str:
    """The text with every sort of space and dash made plain; no character moves."""
    return text.translate(_ALIKE) if _ODD.search(text) else text


def places(plain: str, language: str) -> Iterator[Place]:
    """Every place that a text names, from left to right."""
    if language == "en":
        yield from _english(plain)
    first, following = _FIRST.get(language, _FIRST["fi"]), _NEXT.get(language, _NEXT["fi"])
    lettered = _LETTERED_FIRST.get(language, _LETTERED_FIRST["fi"])
    for letters in lettered.finditer(plain):
        kind = "subpara" if letters["subpara"] else "para"
        yield Place(
            letters.start(),
            letters.end(),
            (Step(kind, listed(plain[letters.start() : letters.start(kind) - 1])),),
        )
    position = 0
    while (found := first.search(plain, position)) is not None:
        place = _down(found, following, plain)
        position = place.end
        if place.first != "part" or place.has("chp"):
            yield from _apart(place, plain) if language == "sv" else (place,)


def _down(found: re.Match[str], following: re.Pattern[str], plain: str) -> Place:
    """The place that starts with a level, with the levels below it that follow at once."""
    start, steps, end = found.start(), list(_steps(found)), found.end()
    while True:
        wording = _WORDING.match(plain, end) if steps[-1].kind in {"sec", "subsec"} else None
        resume = wording.end() if wording else end
        gap = _GAP.match(plain, resume)
        below = following.match(plain, gap.end() if gap and gap.end() > end else resume)
        if steps[-1].kind == "subsec" and (short := _SHORT_KOHTA.match(plain, resume)):
            steps.append(Step("para", listed(short["numbers"].replace(" k ", " "))))
            return Place(start, short.end(), tuple(steps))
        more = list(_steps(below)) if below and below.start() > end else []
        if (
            not more
            or _DEPTH[more[0].kind] <= _DEPTH[steps[-1].kind]
            or (below and _is_article_end(below, steps))
        ):
            return Place(start, resume, tuple(steps))
        assert below is not None
        steps += more
        end = below.end()


def _is_article_end(below: re.Match[str], steps: list[Step]) -> bool:
    """Whether a momentti follows an article: articles have none, so the citation ends before it."""
    return steps[0].kind == "art" and below.lastgroup == "subsec"


def _steps(found: re.Match[str]) -> Iterator[Step]:
    groups = found.groupdict()
    if dotted := groups.get("dotted"):
        numbers = _DOTS.split(dotted.replace(" ", ""))
        for kind, number in zip(("sec", "subsec", "para"), numbers, strict=False):
            yield Step(kind, number)
        return
    if after := groups.get("after"):
        yield Step("subpara", listed(after))
        return
    kind = next(kind for kind in LEVELS if groups.get(kind))
    yield Step(kind, listed(groups["numbers"]))


def _english(plain: str) -> Iterator[Place]:
    for found in _ENGLISH.finditer(plain):
        groups = found.groupdict()
        levels = {
            "chp": groups["chp"] or groups["chp2"],
            "sec": groups["sec"],
            "subsec": groups["subsec"] or groups["subsec2"] or groups["dotted"],
            "para": groups["para"] or groups["para2"] or groups["para3"],
            "subpara": groups["subpara"],
        }
        steps = tuple(Step(kind, listed(numbers)) for kind, numbers in levels.items() if numbers)
        yield Place(found.start(), found.end(), steps)


_ONE_NUMBER = re.compile(_NUMBER)
_LAST_SECTION = re.compile(r"[0-9]{1,3}(?: ?[a-zåäö])? ?§")


def _apart(place: Place, plain: str) -> Iterator[Place]:
    """Split Swedish "61 och 64 § 2 mom." into 61 § and 64 § 2 mom.: the rest belongs to the last section."""
    at = next((number for number, step in enumerate(place.steps) if step.kind == "sec"), None)
    if at is None or at + 1 == len(place.steps) or AND not in place.steps[at].number:
        yield place
        return
    first, _, last = place.steps[at].number.rpartition(AND)
    above, below = place.steps[:at], place.steps[at + 1 :]
    found = _LAST_SECTION.search(plain, place.start, place.end)
    assert found is not None
    ends = [one.end() for one in _ONE_NUMBER.finditer(plain, place.start, found.start())]
    yield Place(place.start, ends[-1], (*above, Step("sec", first)))
    yield Place(found.start(), place.end, (*above, Step("sec", last), *below))


def listed(numbers: str) -> str:
    """A list as one step's number: "26–28 ja 30 a" is `26..28+30a`; a step holds no space."""
    parts: list[str] = []
    for found in _MEMBER.finditer(numbers):
        if parts:
            join = (found["join"] or "").strip()
            parts.append(TO if join in {"-", "\N{EN DASH}", "to"} else AND)
        parts.append(found["number"].replace(" ", "").lower())
    return "".join(parts[: 2 * _MOST_MEMBERS - 1])


def members(number: str) -> list[tuple[str, str]]:
    """The members of a list, each as (first, last); the same twice where it is no range."""
    found: list[tuple[str, str]] = []
    for part in number.split(AND):
        first, _, last = part.partition(TO)
        found.append((first, last.rpartition(TO)[2] or first))
    return found


_LETTERED = re.compile(r"([0-9]*)([a-zåäö]?)")


def between(first: str, last: str, widest: int = 200) -> list[str]:
    """What a range holds, counted: 26–28, 18 a–18 c, a–d; its two ends where that cannot be counted."""
    if first == last:
        return [first]
    ends = _LETTERED.fullmatch(first), _LETTERED.fullmatch(last)
    if ends[0] is None or ends[1] is None:
        return [first, last]
    (number, letter), (other, end) = ends[0].groups(), ends[1].groups()
    if not letter and not end and number and other and int(number) < int(other) <= int(number) + widest:
        return [str(each) for each in range(int(number), int(other) + 1)]
    if number == other and letter and end and ALPHABET.find(letter) < ALPHABET.find(end):
        return [f"{number}{one}" for one in ALPHABET[ALPHABET.find(letter) : ALPHABET.find(end) + 1]]
    return [first, last]
