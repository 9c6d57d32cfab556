"""Defined terms and how far they reach: "when used in this chapter", "for purposes of this clause"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.packs.nyc.tree import CONTAINERS, DEFINITION, LEVELS, Draft

_QUOTED = r"[\"“]([^\"”]{2,90}?)[.,]?[\"”]"
_MEANS = (
    r"(?:when used in th\w+ \w+,? |as used in th\w+ \w+,? )?(?:(?:shall|does|do) )?(?:not )?"
    r"(?:also )?(?:mean|means|include|includes|refers? to|ha(?:s|ve) the (?:same )?meaning|be defined as)\b"
)
#: "“State”, “this state” or “the state” … shall mean"; the quotes of one definition stand side by side.
_DEFINES = re.compile(rf"{_QUOTED}((?:,? (?:or|and) (?:the )?{_QUOTED}|, {_QUOTED})*),? {_MEANS}")
_ALSO = re.compile(_QUOTED)
_SCOPE = re.compile(
    r"\b(?:(?:used|provided|meaning)? ?in|throughout|for (?:the )?purposes? of) this "
    r"(title|chapter|subchapter|part|section|subdivision|paragraph|subparagraph|clause)\b",
    re.IGNORECASE,
)
UNITS = {
    "chapter": "chp",
    "subchapter": "subchp",
    "part": "part",
    "section": "sec",
    "subdivision": "subd",
    "paragraph": "para",
    "subparagraph": "subpara",
    "clause": "cl",
    "subclause": "subcl",
    "item": "item",
    "subitem": "subitem",
}
_LAW = frozenset(
    {ProvisionKind.SECTION, ProvisionKind.SUBSECTION, ProvisionKind.ITEM, ProvisionKind.DEFINITION,
     ProvisionKind.FLUSH}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TermFinder:
    """Where a text stands: the provisions above it with their texts, from the work down."""

    work: ProvisionId
    above: tuple[tuple[str, ProvisionId, str], ...] = ()  # (step, identifier, text)

    def below(self, draft: Draft, own: ProvisionId) -> TermFinder:
        """The finder for what stands below a draft, and for itself."""
        return TermFinder(self.work, (*self.above, (draft.step, own, draft.text)))

    def defined(self, draft: Draft, own: ProvisionId) -> Iterator[tuple[str, ProvisionId]]:
        """The terms that a draft's own text defines, each once, with its scope."""
        if draft.kind not in _LAW:
            return
        seen: set[str] = set()
        for term in _terms(draft):
            if term.casefold() not in seen:
                seen.add(term.casefold())
                yield term, self._scope()

    def _scope(self) -> ProvisionId:
        """What the definition's own words name, or those that introduce it; else its section."""
        for step, _, text in reversed(self.above):
            found = _SCOPE.search(text)
            if found is not None:
                return self._place(found[1].casefold())
            if step == "sec":
                break
        return self._place("section")

    def _place(self, word: str) -> ProvisionId:
        if word == "title":
            return self.work
        wanted = UNITS[word]
        return next((place for step, place, _ in reversed(self.above) if step == wanted), self._section())

    def _section(self) -> ProvisionId:
        return next((place for step, place, _ in self.above if step == "sec"), self.work)


def _terms(draft: Draft) -> Iterator[str]:
    if draft.kind is ProvisionKind.DEFINITION or draft.step in LEVELS or draft.step in CONTAINERS:
        opening = DEFINITION.match(draft.text)
        named = opening is not None and (
            opening["leading"] or draft.text[: opening.end()].endswith(('."', ".”"))
        )
        if opening is not None and (draft.kind is ProvisionKind.DEFINITION or named):
            yield (opening["quoted"] or opening["leading"]).strip()
    for match in _DEFINES.finditer(draft.text):
        yield match[1].strip()
        for other in _ALSO.findall(match[2] or ""):
            yield other.strip()
