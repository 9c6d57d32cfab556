"""Citations in a question: only those that name a work, because a bare "section 7" could be of any."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pykala.law.citations import FoundCitation
from pykala.law.identifiers import Step
from pykala.packs.asked import (
    AskedMember,
    AskedName,
    AskedPlace,
    Gaps,
    KnownNames,
    Spans,
    join,
)
from pykala.packs.canada.levels import steps_by_form, steps_by_unit
from pykala.packs.ranges import RANGE

_UNITS = {
    "": "sec",
    "s": "sec", "ss": "sec", "sec": "sec", "secs": "sec", "section": "sec", "sections": "sec", "§": "sec",
    "§§": "sec",
    "subsection": "subsec", "subsections": "subsec", "subs": "subsec", "subsec": "subsec", "subss": "subsec",
    "paragraph": "para", "paragraphs": "para", "para": "para", "paras": "para",
    "subparagraph": "subpara", "subparagraphs": "subpara", "subpara": "subpara", "clause": "cl", "cl": "cl",
    "art": "sec", "arts": "sec", "article": "sec", "articles": "sec", "par": "subsec", "paragraphe": "subsec",
    "paragraphes": "subsec", "al": "para", "alinéa": "para", "alinéas": "para", "sous-al": "subpara",
    "sous-alinéa": "subpara",
}  # fmt: skip
_NUMBER = r"(?:[A-Z]{1,2}\.)?\d{1,4}(?:\.\d{1,4}){0,3}(?!\d)"
_GROUPS = r"(?:\s?\(?(?<![A-Za-z])[0-9A-Za-z]{1,6}(?:\.\d{1,3}){0,2}\)){0,8}"
_REFERENCE = re.compile(
    r"(?<![\w-])(?P<unit>subparagraphs?|subparas?|subsections?|subsecs?|subs{1,2}|sections?|secs?|ss?"
    r"|paragraphes?|paragraphs?|paras?|clause|cl|§{1,2}|articles?|arts?|par|sous-alinéas?|sous-al"
    rf"|alinéas?|al)(?P<dot>\.?)\s{{0,2}}(?P<number>{_NUMBER})(?P<groups>{_GROUPS})",
    re.IGNORECASE,
)
_OF_PART = r"(?:\d{1,3}(?:\.\d{1,3})?|(?-i:[IVXL]{1,6}(?:\.\d{1,3})?))"
_CONTAINER = re.compile(
    r"(?<!\w)(?:(?:Schedule|Sched\.|annexe)\s{1,2}(?P<schedule>\d{1,3}|[IVX]{1,5})"
    rf"|(?:Division\s{{1,2}}(?P<division>{_OF_PART})\s(?:of|in)\s|section\s{{1,2}}(?P<section>{_OF_PART})\sde\sla\s)?"
    rf"(?:Part|partie)\s{{1,2}}(?P<part>{_OF_PART}))(?!\w)",
    re.IGNORECASE,
)
#: The number of a part or schedule, behind which a title may begin: "Part III of the Canada Labour Code".
_CONTAINERS = frozenset({"part", "division", "schedule", "subdivision"})
_NUMBER_OF_PART = re.compile(r"(?:[IVXL]{1,6}|\d{1,3})(?:\.\d{1,3})?")
#: "PIPEDA Principle 4.3": the principles are the clauses of the act's first schedule.
_PRINCIPLE = re.compile(
    r"(?<!\w)princip(?:les?|es?)\s{1,2}\d{1,2}(?:\.\d{1,2}){1,2}(?!\w|\.\d)", re.IGNORECASE
)
_MORE = re.compile(
    rf"(?P<to>\s?(?:[-–]|to|à|through)\s?)(?P<last>{_NUMBER})(?![\w.]*\s?(?:per cent|percent|%))"
    r"|(?:\s?,\s{0,2}(?:(?:and|or|et|ou|&)\s)?|\s(?:and|or|et|ou|&)\s)"
    rf"(?P<number>{_NUMBER})(?P<groups>{_GROUPS})(?!\w)"
)
#: A number right behind a name: "PIPEDA 10.1", "ETA 165(1)", and not "Act 2019", "CPP 65 years".
_BARE = re.compile(
    rf"[\s,]{{1,2}}(?P<number>{_NUMBER})(?P<groups>{_GROUPS})(?![\w/])(?!\s?(?:%|\$|per\b|percent|years|hours|days|weeks|months|dollars|euros|ans|heures|jours|semaines|mois))"
)
#: A part of a section that stands behind the act's name: "section 230 CLC subsection (1.1)", "… (1.1)".
_INSIDE = re.compile(
    r"(?:,?\s(?P<unit>subsections?|subsecs?\.?|subs{1,2}\.?|paragraphes?|paragraphs?|paras?\.?|par\.|alinéas?|al\.)\s"
    r"(?P<marks>\(?[0-9A-Za-z]{1,4}(?:\.\d{1,3}){0,2}\)?(?:\(?[0-9A-Za-z]{1,4}(?:\.\d{1,3})?\)){0,5})"
    r"|\s?(?P<groups>(?:\([0-9A-Za-z]{1,3}(?:\.\d{1,3})?\)){1,6}))(?![\w(])",
    re.IGNORECASE,
)
#: How those who work with the act cite it and its regulations: "A34", "R186(v)".
_BY_LETTER = re.compile(
    rf"(?<![\w.-])(?P<letter>[AR])(?P<number>\d{{2,3}}(?:\.\d{{1,2}})?)(?P<groups>{_GROUPS})(?!\w)"
)
_LETTERS = {"A": "ca:act:I-2.5", "R": "ca:reg:SOR-2002-227"}
#: A number with brackets before a name: "245(2) of the ITA".
_BRACKETED = re.compile(
    r"(?<![\w.(-])(?P<number>\d{1,4}(?:\.\d{1,3})?)(?P<groups>(?:\([0-9A-Za-z]{1,6}(?:\.\d{1,3})?\)){1,8})(?=\s)"
)
_YEAR = re.compile(r"(?:18|19|20)\d\d")
_MARK = re.compile(r"\(?([0-9A-Za-z]{1,6}(?:\.\d{1,3}){0,2})\)")
_MOST_MEMBERS = 30
_GAPS = Gaps(
    before_name=re.compile(
        r"[\s,]{0,3}(?:(?:of|in|under|to|from|de|du|dans|selon|by)\b)?\s{0,2}(?:(?:the|la|le)\b|l[’'])?\s{0,2}"
        r"(?:(?:federal|Canadian|Canada[’']s)\s)?",
        re.IGNORECASE,
    ),
    behind_name=re.compile(
        r"[\s,:;(–-]{0,3}(?:(?:at|under|in|à)\s)?(?:l[’']|the\s|le\s|la\s)?", re.IGNORECASE
    ),
    listed=re.compile(r"\s?(?:[,;]\s?)?(?:(?:and|or|et|ou|&)\s)?", re.IGNORECASE),
)

#: "RSC 1985, c B-3", "L.R.C. (1985), ch. B-3": the chapter is the act's own identifier.
_REVISED = re.compile(
    r"(?<![\w.])(?:R\.?\s?S\.?\s?C\.?|L\.?\s?R\.?\s?C\.?),?\s?\(?1985\)?,?\s?ch?\.?\s?"
    r"(?P<chapter>[A-Z]-\d{1,2}(?:\.\d{1,3})?)(?P<fifth>\s?\(5(?:th|e)\s[Ss]upp?l?\.?\))?(?!\w)"
)
#: "SC 1996, c 23": an act of one year, which the library knows by this name.
_ANNUAL = re.compile(
    r"(?<![\w.])(?:S\.?\s?C\.?|L\.?\s?C\.?),?\s?(?P<year>(?:19|20)\d\d),?\s?ch?\.?\s?(?P<chapter>\d{1,3})(?!\w)"
)
_INSTRUMENT = re.compile(
    r"(?<![\w/])(?:(?P<series>SOR|SI|DORS|TR)/(?P<number>\d{2,4}-\d{1,4})"
    r"|C\.?R\.?C\.?,?\s{1,2}(?:ch?\.?\s{0,2})?(?P<chapter>\d{1,4}))(?!\w)"
)
_CHARTER = re.compile(r"(?<!\w)(?:the\s|la\s)(?P<name>Charter|Charte)(?!\w)(?!\s(?:of|des)\s)")
_CHARTER_SECTIONS = 34
_SMALL = (
    r"(?:of|the|and|for|to|in|on|or|a|an|with|from|by|at|respecting|against|between|under|into|outside)\b"
)
_WORD = r"[A-Z][\w’'–-]{0,40}\.?"
_ENGLISH_TITLE = re.compile(
    rf"(?<![\w’'-]){_WORD}(?:[ ,]{{1,2}}(?:{_SMALL}|{_WORD}|\([^()\n]{{1,60}}\)"
    rf"|\d{{1,4}}\b)){{0,16}}?[ ,]{{1,2}}"
    r"(?:Act|Code|Regulations?|Rules|Order|Tariff|Plan)\b(?:,\s\d{4}(?:,\sNo\.\s\d{1,3})?|\s\(\d{4}\))?"
)
_FRENCH_TITLE = re.compile(
    r"(?<!\w)(?:loi|code|règlement|règles|décret|tarif|charte|régime)\b(?:\s{1,2}"
    r"(?!(?:est|sont|ne|se|qui|que|où|dit|prévoit|exige|permet|dispose|pour|lorsque|si|a|ont|art|par|al)\b)"
    r"[\w’'-]{1,40}){1,14}",
    re.IGNORECASE,
)
#: A name without capitals is read backwards from its last word, to the first word that starts no title.
_LAST_WORD = re.compile(r"(?<=\s)(?:act|code|regulations)\b", re.IGNORECASE)
_FAR_BACK, _MOST_WORDS = 120, 9
_NO_NAME = re.compile(r"[()\[\].;:§?!]")  # signs that are never inside a name
_NO_TITLE_STARTS = frozenset(
    {
        "a", "about", "according", "after", "against", "also", "am", "an", "and", "any", "are", "as", "at",
        "because", "before", "but", "by", "can", "canada's", "cf", "check", "cite", "compare", "could", "did",
        "do", "does", "ex", "explain", "find", "for", "from", "had", "has", "have", "how", "i", "if", "in",
        "into", "is", "it", "its", "like", "may", "must", "my", "no", "not", "of", "on", "or", "our", "per",
        "part", "read", "s", "said", "say", "says", "sec", "section", "sections", "see", "shall", "should",
        "show",
        "since", "ss", "subsection", "tell", "that", "the", "their", "then", "these", "this", "those", "to",
        "under", "unlike", "using", "via", "was", "we", "were", "what", "when", "where", "whether", "which",
        "who", "whose", "why", "will", "with", "within", "without", "would", "your",
    }
)  # fmt: skip
_JOINING = frozenset({"a", "and", "for", "from", "in", "of", "on", "or", "the", "to", "with"})
#: Codes of other countries, which other packs handle.
_NOT_OURS = re.compile(
    r"internal revenue code|uniform commercial code|(?:city|administrative|admin\.?|adm\.?|nyc|tax) code"
    r"|artificial intelligence act|digital (?:services|markets) act|(?:eu )?(?:ai|data) act",
    re.IGNORECASE,
)


def find_in_question(
    text: str, language: str, abbreviations: Mapping[str, str], known: Mapping[str, str]
) -> list[FoundCitation]:
    """Find the works a question names, each with the sections named beside it.

    `known` are names that people use for works, besides the abbreviations that law texts use too.
    """
    names = _names(text, language, _known((*abbreviations.items(), *known.items())))
    if by_letter := _by_letter(text, names):
        return by_letter
    places = [*_references(text), *_containers(text)]
    places += _bare_numbers(text, names, places)
    return [
        citation
        for citation in join(text, names, places, _GAPS, _below)
        if citation.work_name not in ("Charter", "Charte") or _of_charter(citation.steps)
    ]


def _of_charter(steps: Sequence[Step]) -> bool:
    """Whether "the Charter" is that of rights: it has 34 sections, and cities have charters too."""
    number = steps[0].number.partition(".")[0] if steps else ""
    return number.isdecimal() and int(number) <= _CHARTER_SECTIONS


# Names


@lru_cache(maxsize=4)
def _known(names: tuple[tuple[str, str], ...]) -> KnownNames:
    return KnownNames(dict(names))


def _names(text: str, language: str, known: KnownNames) -> list[AskedName]:
    sure = [*known.find(text)]
    numbered = [*_numbered(text)]
    titles = [*_titles(text, language)]
    longer = Spans(titles)
    sure = [name for name in sure if not any(_goes_on(name, title) for title in longer.at(name))]
    taken = Spans((*sure, *numbered))
    titles = [title for title in titles if not taken.at(title)]
    lower = [] if titles or sure else [one for one in _lower_case(text) if not taken.at(one)]
    return _with_chapters(
        text, sorted((*sure, *numbered, *titles, *lower), key=lambda name: (name.start, -name.end))
    )


def _goes_on(name: AskedName, title: AskedName) -> bool:
    """Whether a title contains a known name and continues: "Excise Tax Act Regulations"."""
    return (
        title.start <= name.start
        and name.end < title.end
        and title.work[:1].isupper()
        and "Act" in title.work
    )


def _numbered(text: str) -> Iterator[AskedName]:
    for match in _REVISED.finditer(text):
        chapter = "I-3.3" if match["fifth"] and match["chapter"] == "I-3" else match["chapter"]
        yield AskedName(match.start(), match.end(), f"ca:act:{chapter}")
    for match in _ANNUAL.finditer(text):
        yield AskedName(match.start(), match.end(), f"s.c. {match['year']}, c. {match['chapter']}")
    for match in _INSTRUMENT.finditer(text):
        number = match["number"]
        name = f"{match['series']}/{number}" if number else f"C.R.C., c. {match['chapter']}"
        yield AskedName(match.start(), match.end(), name)


def _with_chapters(text: str, names: Sequence[AskedName]) -> list[AskedName]:
    """A title and the chapter behind it are one name: "Criminal Code, RSC 1985, c C-46"."""
    joined: list[AskedName] = []
    for name in names:
        last = joined[-1] if joined else None
        chapter = name.work.startswith(("ca:act:", "s.c. "))
        if last is not None and chapter and text[last.end : name.start].strip() in {"", ",", "("}:
            joined[-1] = AskedName(last.start, name.end, last.work if ":" in last.work else name.work)
        else:
            joined.append(name)
    return joined


def _titles(text: str, language: str) -> Iterator[AskedName]:
    for match in (_FRENCH_TITLE if language == "fr" else _ENGLISH_TITLE).finditer(text):
        name = (
            AskedName(match.start(), match.end(), match[0])
            if language == "fr"
            else _trimmed(match.start(), match[0])
        )
        if name is not None and not _NOT_OURS.search(name.work):
            yield name
    for match in _CHARTER.finditer(text):
        yield AskedName(match.start("name"), match.end(), match["name"])


def _lower_case(text: str) -> Iterator[AskedName]:
    for match in _LAST_WORD.finditer(text):
        far = max(0, match.start() - _FAR_BACK)
        far = max([far, *(mark.end() for mark in _NO_NAME.finditer(text, far, match.start()))])
        words = list(re.finditer(r"[\w’'-]+", text[far : match.start()]))[-_MOST_WORDS:]
        begin = _back(words)
        if begin < len(words):
            start = far + words[begin].start()
            name = text[start : match.end()]
            if not _NOT_OURS.search(name):
                yield AskedName(start, match.end(), name.casefold())


def _trimmed(start: int, phrase: str) -> AskedName | None:
    """Leave out words before the title: "does the employment insurance act"."""
    words = list(re.finditer(r"[^\s]+", phrase))
    begin = 0
    for index, word in enumerate(words[:-1]):
        if (
            (word[0].casefold().strip(",.:;") in _NO_TITLE_STARTS and not _inside_title(words, index, begin))
            or word[0][-1:] in ":;"
            or any(letter in word[0] for letter in "§")
            or _numbers_a_part(words, index)
        ):
            begin = index + 1
    if begin >= len(words) - 1:
        return None
    offset = words[begin].start()
    return AskedName(start + offset, start + len(phrase), phrase[offset:])


def _numbers_a_part(words: Sequence[re.Match[str]], index: int) -> bool:
    """Whether a word is the number in "Part III of …"."""
    before = words[index - 1][0].casefold() if index else ""
    return before in _CONTAINERS and _NUMBER_OF_PART.fullmatch(words[index][0].rstrip(",")) is not None


def _back(words: Sequence[re.Match[str]]) -> int:
    """Where a name without capitals may begin: after the last word that is in no title.

    "And" and "of" may belong to the title: only the library knows where it begins.
    """
    begin = 0
    for index, word in enumerate(words):
        folded = word[0].casefold()
        if folded[:1].isdecimal() or (folded in _NO_TITLE_STARTS and folded not in _JOINING):
            begin = index + 1
    while begin < len(words) and words[begin][0].casefold() in _NO_TITLE_STARTS:
        begin += 1
    return begin


def _inside_title(words: Sequence[re.Match[str]], index: int, begin: int) -> bool:
    """Whether a small word lies inside a title written with capitals: "Department of Justice Act"."""
    return index > begin and words[begin][0][:1].isupper() and words[index][0][:1].islower()


# Places


def _references(text: str) -> Iterator[AskedPlace]:
    end = 0
    for match in _REFERENCE.finditer(text):
        if match.start() >= end:
            place = _listed(text, match)
            end = place.end
            yield place


def _listed(text: str, first: re.Match[str]) -> AskedPlace:
    """A reference and those that a list adds to it."""
    unit = _UNITS[first["unit"].casefold()]
    members = [AskedMember(first.start(), first.end(), _steps(unit, first["number"], first["groups"]))]
    return AskedPlace(tuple(_more(text, unit, members)))


def _more(text: str, unit: str, members: list[AskedMember]) -> list[AskedMember]:
    while len(members) < _MOST_MEMBERS and (more := _MORE.match(text, members[-1].end)) is not None:
        last = members[-1]
        if more["to"]:
            if len(last.steps) != 1 or RANGE in last.steps[0].number or _YEAR.fullmatch(more["last"]):
                break
            number = f"{last.steps[0].number}{RANGE}{more['last']}"
            members[-1] = AskedMember(last.start, more.end(), (Step("sec", number),))
        elif _YEAR.fullmatch(more["number"]):
            break
        else:
            steps = _steps(unit, more["number"], more["groups"])
            members.append(AskedMember(more.start("number"), more.end(), steps))
    return members


def _containers(text: str) -> Iterator[AskedPlace]:
    for match in _CONTAINER.finditer(text):
        steps = [Step("sched", match["schedule"]) if match["schedule"] else Step("part", match["part"])]
        if division := match["division"] or match["section"]:
            steps.append(Step("div", division))
        yield AskedPlace((AskedMember(match.start(), match.end(), tuple(steps)),))
    for match in _PRINCIPLE.finditer(text):
        yield AskedPlace((AskedMember(match.start(), match.end(), (Step("sched", "1"),)),))


def _bare_numbers(
    text: str, names: Sequence[AskedName], places: Sequence[AskedPlace]
) -> Iterator[AskedPlace]:
    """Numbers whose unit follows from their position: "ETA 165(1)", "245(2) of the ITA"."""
    for name in names:
        match = _BARE.match(text, name.end)
        if match is None or _YEAR.fullmatch(match["number"]):
            continue
        if name.work.islower() and not match["groups"]:
            continue  # "the securities act 12 years ago"
        first = AskedMember(
            match.start("number"), match.end(), _steps("sec", match["number"], match["groups"])
        )
        yield AskedPlace(tuple(_more(text, "sec", [first])), bare=True)
    for match in _BRACKETED.finditer(text):
        steps = _steps("sec", match["number"], match["groups"])
        yield AskedPlace((AskedMember(match.start(), match.end(), steps),))


def _by_letter(text: str, names: Sequence[AskedName]) -> list[FoundCitation]:
    """Sections cited by a letter, where the text is nothing else or names the act: "A34", "IRPA A34"."""
    found = [*_BY_LETTER.finditer(text)]
    named = [name for name in names if name.work in _LETTERS.values()]
    rest = _BY_LETTER.sub("", text)
    for name in named:
        rest = rest.replace(text[name.start : name.end], "")
    alone = not re.search(r"\w", re.sub(r"\b(?:and|or|et|ou)\b", "", rest))
    if not found or len(named) < len(names) or not (alone or named):
        return []
    return [
        FoundCitation(
            match.start(), match.end(), match[0], _LETTERS[match["letter"]],
            _steps("sec", match["number"], match["groups"]),
        )
        for match in found
    ]  # fmt: skip


def _below(text: str, position: int) -> tuple[tuple[Step, ...], int]:
    """The part of a section that stands behind the name of the act."""
    match = _INSIDE.match(text, position)
    if match is None:
        return (), position
    marks = re.findall(r"[0-9A-Za-z.]+", match["marks"] or match["groups"])
    if not match["unit"]:
        return steps_by_form(marks), match.end()
    unit = _UNITS[match["unit"].rstrip(".").casefold()]
    return (steps_by_unit(unit, marks) if len(marks) == 1 else steps_by_form(marks)), match.end()


def _steps(unit: str, number: str, groups: str) -> tuple[Step, ...]:
    marks = _MARK.findall(groups or "")
    below = steps_by_form(marks) if unit == "sec" or not marks else steps_by_unit(unit, marks)
    return (Step("sec", number), *below)
