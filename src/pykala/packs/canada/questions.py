"""Citations in a question: only those that name a work, as a bare "section 7" could be of any."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pykala.law.citations import FoundCitation
from pykala.law.identifiers import Step
from pykala.packs.canada.levels import steps_by_form, steps_by_unit
from pykala.packs.canada.phrases import Phrases

_UNITS = {
    "s": "sec", "ss": "sec", "sec": "sec", "section": "sec", "sections": "sec", "§": "sec",
    "subsection": "subsec", "subsections": "subsec", "paragraph": "para", "paragraphs": "para",
    "subparagraph": "subpara", "clause": "cl",
    "art": "sec", "article": "sec", "articles": "sec", "par": "subsec", "paragraphe": "subsec",
    "al": "para", "alinéa": "para", "sous-al": "subpara", "sous-alinéa": "subpara",
}  # fmt: skip
_REFERENCE = re.compile(
    r"(?<![\w-])(?P<unit>sections?|subsections?|paragraphs?|subparagraph|clause|ss?\.|sec\.|§|articles?|art\."
    r"|paragraphe|par\.|sous-alinéa|sous-al\.|alinéa|al\.)\s*"
    r"(?P<number>(?:[A-Z]{1,2}\.)?\d+(?:\.\d+)*)(?P<groups>(?:\(?[0-9A-Za-z]{1,6}(?:\.\d+)*\))*)",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\(?([0-9A-Za-z]{1,6}(?:\.\d+)*)\)")
#: What may stand between a reference and its work, either way round.
_BEFORE_NAME = re.compile(
    r"[\s,]*(?:of|in|under|to|de|du|dans|selon)?\s*(?:the|la|le|l[’'])?\s*", re.IGNORECASE
)
_BEFORE_REFERENCE = re.compile(r"[\s,:(]*", re.IGNORECASE)
#: A name without capitals: back from its last word to the first that no title starts with.
_LOWER_CASE = re.compile(r"(?:[\w’'\-]+\s+){1,9}?(?:act|code|regulations)\b", re.IGNORECASE)
_NO_TITLE_STARTS = frozenset(
    {
        "a", "about", "according", "an", "and", "are", "as", "at", "by", "can", "canada's", "did", "do",
        "does", "for", "from", "how", "in", "is", "may", "must", "my", "of", "on", "or", "our", "per", "s",
        "said", "say", "says", "section", "sections", "should", "ss", "subsection", "that", "the", "these",
        "this", "those", "to", "under", "was", "what", "when", "where", "which", "who", "why", "will", "with",
        "would",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Name:
    start: int
    end: int
    text: str


def find_in_question(text: str, phrases: Phrases, abbreviations: Mapping[str, str]) -> list[FoundCitation]:
    """Find the works a question names, each with the section named beside it."""
    names = sorted(_names(text, phrases, abbreviations), key=lambda name: (name.start, -name.end))
    references = list(_REFERENCE.finditer(text))
    found: list[FoundCitation] = []
    position = 0
    for name in names:
        if name.start < position:
            continue
        start, end = name.start, name.end
        steps: tuple[Step, ...] = ()
        for match in references:
            beside = _BEFORE_NAME.fullmatch(text, match.end(), name.start) or _BEFORE_REFERENCE.fullmatch(
                text, name.end, match.start()
            )
            if beside is not None and match.start() >= position:
                start, end = min(start, match.start()), max(end, match.end())
                steps = _steps(match)
                break
        found.append(FoundCitation(start, end, text[start:end], name.text, steps))
        position = end
    return found


def _names(text: str, phrases: Phrases, abbreviations: Mapping[str, str]) -> Iterator[_Name]:
    for abbreviation in abbreviations:
        for match in re.finditer(rf"(?<!\w){re.escape(abbreviation)}(?!\w)", text):
            yield _Name(match.start(), match.end(), match[0])
    capitalised = False
    for match in phrases.title.finditer(text):
        name = _trimmed(match.start(), match[0])
        if name is not None:
            capitalised = True
            yield name
    if not capitalised:
        for match in _LOWER_CASE.finditer(text):
            name = _trimmed(match.start(), match[0])
            if name is not None:
                yield name


def _trimmed(start: int, phrase: str) -> _Name | None:
    """Leave out words before the title: "does the employment insurance act"."""
    words = list(re.finditer(r"[^\s]+", phrase))
    begin = 0
    for index, word in enumerate(words[:-1]):
        if word[0].casefold().strip(",") in _NO_TITLE_STARTS and not _inside_title(words, index, begin):
            begin = index + 1
    if begin >= len(words) - 1:
        return None
    offset = words[begin].start()
    return _Name(start + offset, start + len(phrase), phrase[offset:])


def _inside_title(words: list[re.Match[str]], index: int, begin: int) -> bool:
    """Whether a small word lies inside a title written with capitals: "Department of Justice Act"."""
    return index > begin and words[begin][0][:1].isupper() and words[index][0][:1].islower()


def _steps(match: re.Match[str]) -> tuple[Step, ...]:
    unit = _UNITS[match["unit"].casefold().rstrip(".")]
    marks = _GROUP.findall(match["groups"])
    below = steps_by_form(marks) if unit == "sec" or not marks else steps_by_unit(unit, marks)
    return (Step("sec", match["number"]), *below)
