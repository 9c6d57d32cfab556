"""Citations in a question: sections of the code, known by their hyphen, "§ 11-503(a)(1)", and other laws.

A bare "11-503" may be anything. It is a citation only beside a section sign, a word such as "section" or the
name of the code, or where it is the whole question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pykala.law.citations import FoundCitation
from pykala.law.identifiers import Step
from pykala.packs.nyc.other_laws import find_other_laws
from pykala.packs.nyc.tree import LEVELS
from pykala.packs.ranges import RANGE

LOCAL = "local law "
_CITY = r"(?:N\.?Y\.?C\.?|New\sYork\sCity|(?:the\s)?city)(?:[’']s)?"
_KIND = r"(?:Administrative|Admin\.?|Adm\.?|Ad\.)"
_CODE = (
    rf"(?:(?:{_CITY}\s)?{_KIND}\sCode(?:\sof\sthe\sCity\sof\sNew\sYork)?"
    rf"|{_CITY}\s(?:Tax\s)?Code|NYCAC|(?-i:AC))"
)
_SIGN = r"(?:§{1,2}\s?|(?<![\w-])(?:sections?|secs?\.?|s\.)\s)"
_NUMBER = r"\d{1,2}-\d{3,4}(?:\.\d{1,3})?(?:-[a-z]\b)?(?!\d|\.\d)(?!-(?!\d{1,2}-\d{3}))"
_MARKS = r"(?:\s?\([0-9A-Za-z]{1,5}(?:-\w{1,2})?\)){0,7}"
_BEHIND = rf"(?:,?\s(?:of|in|under)\s(?:the\s)?{_CODE}|\s{_CITY})(?!\w)"
_TITLE = r"(?:Title|tit\.)\s"
#: What says that a number is one of the code: its name, or a sign, before it.
_SECTION = re.compile(
    rf"(?:(?<![\w-])(?:{_CODE}|{_CITY})[,:]?\s(?:Title\s\d{{1,2}},?\s)?(?:{_SIGN})?|(?<![\w-])(?:Title\s\d{{1,2}},?\s)?{_SIGN})"
    rf"(?P<number>{_NUMBER})(?P<marks>{_MARKS})",
    re.IGNORECASE,
)
#: Or its name behind it: "11-503(a) of the Administrative Code".
_NAMED_BEHIND = re.compile(rf"(?<![\w.-])(?P<number>{_NUMBER})(?P<marks>{_MARKS}){_BEHIND}", re.IGNORECASE)
#: Or the number is the whole question.
_ALONE = re.compile(rf"\s*(?P<number>(?=11-){_NUMBER})(?P<marks>{_MARKS})\s*\Z")
_MORE = re.compile(
    rf"\s?(?:(?P<to>[-–]|through|to)|,\s?(?:and|or)?|;|and|or|&)\s?(?:{_SIGN})?(?P<number>{_NUMBER})(?P<marks>{_MARKS})",
    re.IGNORECASE,
)
_CODE_BEHIND = re.compile(
    rf"(?:,?\s(?:of|in)\s(?:the\s)?(?:{_CODE}|code|title\s\d{{1,2}})){{1,2}}(?!\w)", re.IGNORECASE
)
_MARK = re.compile(r"\(([0-9A-Za-z]{1,5}(?:-\w{1,2})?)\)")
_UNITS = {"subdivision": "subd", "subd": "subd", "paragraph": "para", "para": "para", "par": "para",
          "subparagraph": "subpara", "subpara": "subpara", "clause": "cl", "cl": "cl"}  # fmt: skip
_UNIT = r"(?P<unit>subdivision|subd|paragraph|para|subparagraph|subpara|clause|par|cl)s?\.?\s"
_UNIT_MARK = r"\(?(?P<mark>[0-9]{1,2}|[A-Za-z]{1,4}?)\)?"
_BEFORE = re.compile(
    rf"(?<![\w-]){_UNIT}{_UNIT_MARK}(?:(?:,\s?|\s(?:and|or)\s)\(?(?P<second>[0-9]{{1,2}}|[A-Za-z]{{1,2}})\)?)?\sof\s(?:the\s)?",
    re.IGNORECASE,
)
_INSIDE = re.compile(rf",?\s{_UNIT}{_UNIT_MARK}(?![\w(])", re.IGNORECASE)
_DEEPEST = 4
_CONTAINER = re.compile(
    rf"(?<![\w-])(?:(?:Chapter|ch\.)\s(?P<chapter>\d{{1,2}})\sof\s{_TITLE}(?P<of_title>\d{{1,2}})(?![\w-])"
    rf"|(?:{_CODE},?\s)?{_TITLE}(?P<title>\d{{1,2}})(?![\w-])(?:,?\s(?:chapter|ch\.)\s(?P<inside>\d{{1,2}})(?![\w-]))?)"
    rf"(?P<behind>(?:,?\sof\s(?:the\s)?{_CODE})?)(?![\w-])",
    re.IGNORECASE,
)
_LOCAL_LAW = re.compile(
    r"(?<!\w)(?:Local\sLaw|LL)\s?(?:No\.?\s?|number\s|#)?(?P<number>\d{1,3})"
    r"(?:\s(?:of|for)\s(?:the\syear\s)?|/|\s\()(?P<year>(?:19|20)\d\d)(?!\d)\)?",
    re.IGNORECASE,
)
_MOST_MEMBERS = 30


def find_in_question(text: str) -> list[FoundCitation]:
    """Find the sections of the code that a question names, its titles, local laws, and other laws."""
    found = [*_sections(text), *_local_laws(text), *find_other_laws(text), *_containers(text)]
    found.sort(key=lambda citation: (citation.start, -citation.end))
    kept: list[FoundCitation] = []
    for citation in found:
        if not kept or citation.start >= kept[-1].end:
            kept.append(citation)
    return kept


# Sections


def _sections(text: str) -> Iterator[FoundCitation]:
    position, following = 0, _Following(text)
    while (match := following.after(position)) is not None:
        position = match.end()
        start, above = _above(text, match.start())
        members = [(start, match.end(), match["number"].lower(), _MARK.findall(match["marks"]))]
        while len(members) < _MOST_MEMBERS and (more := _MORE.match(text, position)) is not None:
            position = more.end()
            if more["to"] and RANGE not in members[-1][2]:
                first = members[-1]
                members[-1] = (first[0], position, f"{first[2]}{RANGE}{more['number'].lower()}", [])
            else:
                number = more["number"].lower()
                members.append((more.start("number"), position, number, _MARK.findall(more["marks"])))
        behind = _CODE_BEHIND.match(text, position)
        inside, position = _inside(text, behind.end() if behind else position)
        for place, (begin, end, number, marks) in enumerate(members):
            last = place == len(members) - 1
            yield from _cited(
                text, begin, position if last else end, number, marks, inside if last else [], above
            )


class _Following:
    """The next section of a text, by what stands before its number or by what stands behind.

    A match is kept until it is passed: searching anew behind each section would read the rest of the text as
    often as it has sections.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ahead: dict[re.Pattern[str], re.Match[str] | None] = {
            pattern: pattern.search(text) for pattern in (_SECTION, _NAMED_BEHIND)
        }

    def after(self, position: int) -> re.Match[str] | None:
        """The first section that begins at a position or behind it."""
        if position == 0 and (alone := _ALONE.match(self._text)) is not None:
            return alone
        for pattern, match in self._ahead.items():
            if match is not None and match.start() < position:
                self._ahead[pattern] = pattern.search(self._text, position)
        found = [match for match in self._ahead.values() if match is not None]
        return min(found, key=lambda match: match.start(), default=None)


def _cited(
    text: str,
    start: int,
    end: int,
    number: str,
    marks: Sequence[str],
    inside: Sequence[Step],
    above: Sequence[Sequence[Step]],
) -> Iterator[FoundCitation]:
    below = [Step(level, mark) for level, mark in zip(LEVELS, marks, strict=False)]
    for steps in above or [()]:
        path = (Step("sec", number), *(steps or (*below, *inside)))
        yield FoundCitation(start, end, text[start:end], "", path)
        start = end  # a second subdivision of the same section takes no words of its own


def _above(text: str, start: int) -> tuple[int, list[tuple[Step, ...]]]:
    """What stands before a section and lies in it: "paragraph 1 of subdivision a of section 11-503"."""
    steps: list[Step] = []
    second: Step | None = None
    far = max(0, start - 160)
    chain = list(_BEFORE.finditer(text, far, start))
    for match in reversed(chain[-_DEEPEST:]):
        if match.end() != start:
            break
        kind = _UNITS[match["unit"].casefold()]
        second = Step(kind, match["second"]) if match["second"] else None
        steps.append(Step(kind, match["mark"]))
        start = match.start()
    if not steps:
        return start, []
    paths = [tuple(steps)]
    return start, [*paths, (*steps[:-1], second)] if second else paths


def _inside(text: str, position: int) -> tuple[list[Step], int]:
    """What stands behind a section and lies in it: "section 11-503, subdivision a"."""
    steps: list[Step] = []
    while len(steps) < _DEEPEST and (match := _INSIDE.match(text, position)) is not None:
        steps.append(Step(_UNITS[match["unit"].casefold()], match["mark"]))
        position = match.end()
    return steps, position


# Titles and local laws


def _containers(text: str) -> Iterator[FoundCitation]:
    for match in _CONTAINER.finditer(text):
        title, chapter = match["title"] or match["of_title"], match["chapter"] or match["inside"]
        named = bool(match["behind"]) or not match[0].casefold().startswith(
            ("title", "tit.", "chapter", "ch.")
        )
        if named or chapter:  # a bare "Title 11" may be of any code
            steps = (Step("title", title), *((Step("chp", chapter),) if chapter else ()))
            yield FoundCitation(match.start(), match.end(), match[0], "", steps)


def _local_laws(text: str) -> Iterator[FoundCitation]:
    for match in _LOCAL_LAW.finditer(text):
        name = f"{LOCAL}{match['year']}/{int(match['number'])}"
        yield FoundCitation(match.start(), match.end(), match[0], name)
