"""Places as a text names them: lists, ranges, smaller places inside larger ones, in either order."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pykala.law.identifiers import InvalidIdentifier, Step
from pykala.packs.eu.citation_patterns import LEVELS, PART, Phrases
from pykala.packs.eu.naming_acts import LATIN, latin_letters
from pykala.packs.ranges import RANGE

_GROUP = re.compile(rf"\(?(\d{{1,3}}[a-z]{{0,2}}|[a-z]{{1,5}}|[A-Z])((?: {LATIN})?)\)")
_GROUP_RUN = re.compile(rf"(?: ?\(?(?:\d{{1,3}}[a-z]{{0,2}}|[a-z]{{1,5}}(?: {LATIN})?|[A-Z])\))+(?!\))")
_BOUND = re.compile(r",? (?:of|to|de|du|thereof)\b")
_SUFFIXED = re.compile(rf"(?P<number>[0-9A-Za-z.]+?)(?:[ -](?P<latin>{LATIN}(?: {LATIN})?))?")
_ROMAN = re.compile(r"[ivx]+")
_SPELT = {"premier": "1", "1er": "1", "One": "1", "Two": "2", "Three": "3", "Four": "4", "Five": "5"}
_SPELT |= {"Six": "6", "Seven": "7", "Eight": "8"}
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_IN_POINTS = frozenset({"point", "subpara"})
_DEEPEST = 6  # levels of nested places; a longer chain is no reference
_LONGEST = 40  # the most members of a list


@dataclass(frozen=True, slots=True)
class Member:
    """One place of a list, with the steps that lead to it."""

    start: int
    end: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A reference to places, before the act is known. `this` and `that` have the kind they refer to."""

    members: tuple[Member, ...]
    end: int
    this: str = ""
    that: str = ""


def level(step: Step) -> int:
    """How deep a step is."""
    return LEVELS[step.kind]


class PlaceReader:
    """Reads the places of one text."""

    def __init__(self, text: str, phrases: Phrases) -> None:
        self.text = text
        self.phrases = phrases

    def read(self, match: re.Match[str], depth: int = 0, limit: int = 99) -> Place | None:
        """Read the reference that begins where `phrases.start` matched.

        `limit` is the level of the place that the reference must contain: in "in Title I of Part Three,
        Chapter 2 is deleted", the chapter does not contain the title.
        """
        members = self._listed(match)
        if not members or depth > _DEEPEST:
            return None
        members = self._with_inside(members, limit)
        return self._with_outside(members, depth)

    # A list of one kind

    def _listed(self, match: re.Match[str]) -> list[Member]:
        if match["ordinals"]:
            return self._ordinals(match)
        kind = self.phrases.units[match["unit"].casefold()]
        first = self.phrases.numbers[kind].match(self.text, match.end())
        if first is None:
            return []
        steps = self._steps(kind, first)
        if not steps:
            return []
        members = [Member(match.start(), first.end(), steps)]
        plural = match["unit"].casefold().rstrip(".").endswith("s") and match["unit"] != "sous"
        while len(members) < _LONGEST:
            more = self._next(kind, members[-1], plural)
            if more is None:
                break
            members = [*members[:-1], *more]
        return members

    def _ordinals(self, match: re.Match[str]) -> list[Member]:
        word, _, inserted = match["level"].casefold().partition(" ")  # "septième partie bis"
        word = word.replace("-", "")
        kind = self.phrases.ordinal_units.get(word) or self.phrases.ordinal_units[word.removesuffix("s")]
        members: list[Member] = []
        start = match.start("ordinals")
        for each in _WORD.finditer(self.text, start, match.end("ordinals")):
            number = self.phrases.ordinals.get(each[0].casefold())
            if number is not None:
                step = Step(kind, number + latin_letters(inserted))
                members.append(Member(each.start(), each.end(), (step,)))
        if not members:
            return []
        members[0] = replace(members[0], start=match.start())
        members[-1] = replace(members[-1], end=match.end())
        return members

    def _next(self, kind: str, last: Member, plural: bool) -> list[Member] | None:
        """The last member and the one after it, or both as one range; None where the list ends."""
        separator = self.phrases.separator.match(self.text, last.end)
        if separator is None:
            return None
        position = separator.end()
        steps: tuple[Step, ...] = ()
        match = _GROUP_RUN.match(self.text, position) if len(last.steps) > 1 else None
        if match is not None:
            steps = _resumed(last.steps, _tokens(match[0]))
        if not steps:
            match = self.phrases.numbers[kind].match(self.text, position)
            # "Articles 5 and 6", "Article 5 and 6 of"; but not "Article 5 and 10 tonnes".
            listed = plural or (kind == "point" and match is not None and match["number"])
            if match is not None and (
                listed or (kind in ("art", "anx") and _BOUND.match(self.text, match.end()))
            ):
                steps = self._steps(kind, match)
        if match is None or not steps:
            return None
        if (
            kind == "point"
            and not plural
            and separator[0] == ", "
            and _lettered_in_numbered(last.steps, steps)
        ):
            return [Member(last.start, match.end(), (*last.steps, *steps))]
        if separator["to"] and _same_place(last.steps, steps):
            ends = f"{last.steps[-1].number.partition(RANGE)[0]}{RANGE}{steps[-1].number}"
            return [Member(last.start, match.end(), (*steps[:-1], Step(steps[-1].kind, ends)))]
        if separator["to"] and not separator["to"].strip().isalpha() and separator["to"].strip() != "à":
            return None
        return [last, Member(match.start(), match.end(), steps)]

    def _steps(self, kind: str, match: re.Match[str]) -> tuple[Step, ...]:
        groups = match.groupdict()
        number = _number(groups.get("number") or groups.get("bare") or "")
        if kind == "para" and number.isalpha():
            kind = "point"  # annexes on the exchange of information call their points paragraphs
        try:
            steps = [Step(kind, number)]
            for token in _tokens(groups.get("groups") or ""):
                steps.append(Step(_inner_kind(steps[-1], token), token))
        except InvalidIdentifier:
            return ()
        return tuple(steps)

    # Smaller places: "Article 5(1), second subparagraph, points (a) and (b)"

    def _with_inside(self, members: list[Member], limit: int) -> list[Member]:
        root = level(members[0].steps[0])
        nested = False
        for _ in range(_DEEPEST):
            inner = self._inner(self.phrases.inside, members[-1], root)
            beside = None
            if inner is None and nested:
                beside = inner = self._inner(self.phrases.beside, members[-1], root, beside=True)
            if inner is None or level(inner[0].steps[0]) >= limit:
                break
            last = members[-1]
            above = last.steps
            if beside is not None:
                above = tuple(step for step in above if level(step) < level(inner[0].steps[0]))
            else:
                members = members[:-1]
                inner[0] = replace(inner[0], start=last.start)
            members = [*members, *(replace(each, steps=(*above, *each.steps)) for each in inner)]
            nested = True
        return members

    def _inner(
        self, separator: re.Pattern[str], last: Member, root: int, *, beside: bool = False
    ) -> list[Member] | None:
        between = separator.match(self.text, last.end)
        match = self.phrases.start.match(self.text, between.end()) if between is not None else None
        if match is None:
            return None
        inner = self._listed(match)
        if not inner:
            return None
        depth, above = level(inner[0].steps[0]), level(last.steps[-1])
        deeper = depth > above or (last.steps[-1].kind == "point" and inner[0].steps[0].kind in _IN_POINTS)
        if last.steps[-1].kind == "art" and inner[0].steps[0].kind in ("tis", "prt"):
            # "article 13, titre B, point b)" of the Sixth Directive
            inner = [replace(each, steps=(Step(PART, each.steps[0].number),)) for each in inner]
            deeper = True
        fits = root < depth <= above if beside else deeper
        if not fits or self._held_elsewhere(inner[-1].end, depth, root_step=last.steps[0]):
            return None
        return inner

    def _held_elsewhere(self, end: int, depth: int, root_step: Step) -> bool:
        """Whether the place read belongs to a place named later: "Article 5, point (a) of Article 6"."""
        this = self.phrases.this_place.match(self.text, end)
        if this is not None:
            kind = self.phrases.units.get(this["place"].casefold(), "subpara")
            return LEVELS[kind] >= level(root_step)
        between = self.phrases.outside.match(self.text, end)
        match = self.phrases.start.match(self.text, between.end()) if between is not None else None
        holders = self._listed(match) if match is not None else []
        if not holders or level(holders[0].steps[0]) >= depth:
            return False
        # "Section 1, point 4, of Annex I" is one place; no article stands in an annex.
        return level(holders[0].steps[0]) >= level(root_step) or root_step.kind == "art"

    # Larger places: "point (a) of the first subparagraph of Article 5(1)"

    def _with_outside(self, members: list[Member], depth: int) -> Place:
        end = members[-1].end
        for pattern, name in ((self.phrases.this_place, "this"), (self.phrases.that_place, "that")):
            match = pattern.match(self.text, end)
            if match is not None:
                members[-1] = replace(members[-1], end=match.end())
                kind = self.phrases.units.get(match["place"].casefold(), "subpara")
                return Place(tuple(members), match.end(), **{name: kind})
        match = self.phrases.the_annex.match(self.text, end)
        if (
            match is not None
            and level(members[0].steps[0]) > LEVELS["anx"]
            and members[0].steps[0].kind != "art"
        ):
            annex = Step("anx", "1")  # so an only annex is numbered
            members = [replace(each, steps=(annex, *each.steps)) for each in members]
            members[-1] = replace(members[-1], end=match.end())
            return Place(tuple(members), match.end())
        between = self.phrases.outside.match(self.text, end)
        match = self.phrases.start.match(self.text, between.end()) if between is not None else None
        outer = self.read(match, depth + 1, _limit(members[0].steps[0])) if match is not None else None
        if outer is None or not _holds(outer.members[0].steps, members[0].steps):
            return Place(tuple(members), end)
        first, *others = outer.members
        joined = [replace(each, steps=(*first.steps, *each.steps)) for each in members]
        joined[-1] = replace(joined[-1], end=first.end)
        joined += [replace(each, steps=(*each.steps, *members[-1].steps)) for each in others]
        return Place(tuple(joined), outer.end, outer.this, outer.that)


def _inner_kind(outer: Step, token: str) -> str:
    """What a bracket behind a place names: "Article 5(1)", "Article 13(B)", "Article 5(a)"."""
    if outer.kind != "art":
        return "para" if outer.kind == PART and token[0].isdecimal() else "point"
    if token[0].isdecimal():
        return "para"
    return PART if token.isupper() else "point"


def _limit(step: Step) -> int:
    # Points and subparagraphs hold one another.
    return 99 if step.kind in _IN_POINTS else level(step)


def _holds(outer: tuple[Step, ...], inner: tuple[Step, ...]) -> bool:
    """Whether one place can hold another: articles hold points, and points hold points and subparagraphs."""
    in_point = outer[-1].kind == "point" and inner[0].kind in _IN_POINTS
    return level(outer[-1]) < level(inner[0]) or in_point


def _lettered_in_numbered(outer: tuple[Step, ...], inner: tuple[Step, ...]) -> bool:
    """Whether "point 7 bis, m)" names one point inside the other."""
    return len(outer) == len(inner) == 1 and outer[0].number[0].isdecimal() and inner[0].number.isalpha()


def _number(written: str) -> str:
    """A number in English letters: "28 bis" is 28a, "premier" 1."""
    if written in _SPELT:
        return _SPELT[written]
    match = _SUFFIXED.fullmatch(written)
    if match is None:
        return written.strip(". ")
    return match["number"].strip(".") + latin_letters(match["latin"] or "")


def _tokens(groups: str) -> list[str]:
    return [match[1] + latin_letters(match[2]) for match in _GROUP.finditer(groups)]


def _same_place(one: tuple[Step, ...], other: tuple[Step, ...]) -> bool:
    return one[:-1] == other[:-1] and one[-1].kind == other[-1].kind and RANGE not in other[-1].number


def _resumed(steps: tuple[Step, ...], tokens: list[str]) -> tuple[Step, ...]:
    """Continue "Article 6(1)(a)" with "(b)" or "(2)(c)": the innermost step of that kind changes."""
    if not tokens:
        return ()
    nested = _sort(steps, len(steps) - 1) == "roman"
    wanted = "digits" if tokens[0][0].isdecimal() else "letters"
    if nested and _ROMAN.fullmatch(tokens[0]):
        wanted = "roman"
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        if step.kind in ("para", "point") and _sort(steps, place) == wanted:
            kinds = (step.kind, *("point" for _ in tokens[1:]))
            return (*steps[:place], *(Step(kind, token) for kind, token in zip(kinds, tokens, strict=True)))
    return ()


def _sort(steps: tuple[Step, ...], place: int) -> str:
    """Digits, letters or Roman numerals: an "i" inside a point is a numeral, elsewhere a letter."""
    number = steps[place].number
    if number[0].isdecimal():
        return "digits"
    inside = place > 0 and steps[place - 1].kind == "point"
    return "roman" if inside and _ROMAN.fullmatch(number.partition(RANGE)[0]) else "letters"
