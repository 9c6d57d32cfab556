"""Read a document once from beginning to end, so that each provision knows what was named before it.

The citations found are cached: the graph pass asks for those of every provision right after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, partial

from pykala.law.identifiers import ProvisionId, Step
from pykala.law.provisions import Document, Provision, ProvisionKind
from pykala.packs.finland.citations.citation_finder import Cited, Finder, Standing
from pykala.packs.finland.citations.citation_patterns import between, members, normalised
from pykala.packs.finland.citations.known_laws import known_in, year_of
from pykala.packs.finland.citations.laws_named import Named, Sort, laws
from pykala.packs.finland.citations.trails import STATUTES, Trail
from pykala.packs.last_read import LastRead

_AMENDING = re.compile(
    r"(?:muuttamisesta|muuttamiseksi|kumoamisesta|lisäämisestä|ändring av|ändring i|upphävande av|ändrad)",
    re.IGNORECASE,
)
_CHAPTER_IN_TITLE = re.compile(
    r"([0-9]{1,2}(?: ?[a-z](?![\w]))?) luvun|([0-9]{1,2}(?: ?[a-z](?![\w]))?) kap\."
)
#: A table of abbreviations: "ArvL | Laki varojen arvostamisesta verotuksessa 22.12.2005/1142".
_TABLE_LINE = re.compile(r"^(?P<short>[\w-]{2,30}) ?\| ?(?P<title>[^|\n]{5,200})$", re.MULTILINE)


_NUMBERED = re.compile(r"\( ?[0-9]{1,4} ?/ ?[0-9]{2,4}|\([A-ZÅÄÖ][\w-]{1,12}\)|[0-9]/[0-9]{4}")


class DocumentTrails:
    """The trails and citations of one document."""

    def __init__(self, document: Document) -> None:
        self._before: dict[ProvisionId, Trail] = {}
        # By text, whose hash is kept; thousands of provisions may have the same one ("Kumottu.").
        self._read: dict[str, dict[ProvisionId, list[Cited]]] = {}
        self._laws: dict[str, list[Named]] = {}
        self._document = document
        self._language = document.language
        self._known = partial(known_in, year=_tax_year(document) or year_of(document.work.value))
        self.amended, self.chapters = _amended(document)
        self._omitting = frozenset(_sections_with_omissions(document.root))
        self._read_through(document)
        self._laws.clear()

    @cached_property
    def paths(self) -> frozenset[tuple[Step, ...]]:
        """Every place that the document has."""
        return frozenset(provision.id.path for provision in self._document.root.walk())

    def read(self, provision: ProvisionId, text: str) -> list[Cited] | None:
        """The citations of a provision's newest text; None for another text."""
        alike = self._read.get(text)
        return alike.get(provision) if alike else None

    def before(self, provision: ProvisionId) -> Trail:
        """The antecedents where a provision begins."""
        trail = self._before.get(provision)
        return trail.copy() if trail is not None else Trail()

    def counts_momentti(self, path: tuple[Step, ...]) -> bool:
        """Whether the momentti of a path have their own numbers: not where dashes replace others."""
        return path[:1] not in self._omitting

    def _read_through(self, document: Document) -> None:
        statute = document.work.value.startswith(STATUTES)
        trail = Trail(named=self._names(document))
        section: tuple[Step, ...] = ()
        governing: dict[tuple[Step, ...], str] = {}
        for provision in document.root.walk():
            path = provision.id.path
            head = path[:1]
            if statute and head != section:
                trail = Trail(named=trail.named)
            elif not statute and path[:-1] != section:
                trail.section = None
            section = head if statute else path[:-1]
            if not provision.versions:
                continue
            newest = provision.versions[-1]
            if newest.heading and not statute:
                self._finder(newest.heading, provision.id, trail).find()
            self._before[provision.id] = trail.copy()
            if newest.text:
                self._learn(newest.text, trail)
                trail.governing = governing.get(path[:-1], "") if statute else ""
                finder = self._finder(newest.text, provision.id, trail)
                cited = finder.find()
                if statute and (work := finder.opens_list()):
                    governing[path] = work
                self._read.setdefault(newest.text, {}).setdefault(provision.id, cited)

    def _finder(self, text: str, provision: ProvisionId, trail: Trail) -> Finder:
        return Finder(
            normalised(text), self._language, Standing.of(provision), trail, self._known, self._laws.get(text)
        )

    def _names(self, document: Document) -> dict[str, str]:
        """The document's names of its laws: a page may give a number only at the second mention."""
        names: dict[str, str] = {}
        for provision in document.root.walk():
            text = provision.versions[-1].text if provision.versions else ""
            if _NUMBERED.search(text) is None:
                continue
            self._laws[text] = list(laws(normalised(text), self._language, self._known))
            for law in self._laws[text]:
                if law.number and law.name and self._known(law.name) in {"", law.number}:
                    names.setdefault(law.name.casefold(), law.number)
                    for shorter in _shorter(law.name.casefold()):
                        names.setdefault(shorter, law.number)
                if law.called and (law.number or law.name):
                    names.setdefault(law.called.casefold(), law.number or self._known(law.name) or law.name)
        return names

    def _learn(self, text: str, trail: Trail) -> None:
        """Learn the abbreviations that a page lists."""
        if "|" not in text:
            return
        for line in _TABLE_LINE.finditer(text):
            for law in laws(normalised(line["title"]), self._language, lambda short: ""):
                if law.number and law.sort is not Sort.SAME:
                    trail.named.setdefault(line["short"].casefold(), law.number)


_TAX_YEAR = re.compile(r"[Vv]erovuosi[_ ](?P<year>19[0-9]{2})")


def _tax_year(document: Document) -> int:
    """The tax year that an old ruling was given for: "Verovuosi_1990" applies the act of that year."""
    for provision in document.root.walk():
        if provision.versions and (found := _TAX_YEAR.search(provision.versions[-1].text)):
            return int(found["year"])
    return 0


def _shorter(name: str) -> Iterator[str]:
    """What a long name may be shortened to: "sidotusta säästämisestä annettu laki" loses its first words."""
    words = name.split(" ")
    if words[-2:-1] == ["annettu"]:
        yield from (" ".join(words[first:]) for first in range(1, len(words) - 2))


def _amended(document: Document) -> tuple[str, dict[str, str]]:
    """The act that a document amends, and the chapter of each section that it names there.

    The new words in an amending act are text of the amended act: "31 §" in them is that act's section.
    """
    if not document.work.value.startswith(STATUTES) or not _AMENDING.search(document.title):
        return "", {}
    clause = next(
        (one for one in document.root.walk() if one.kind is ProvisionKind.ENACTING_CLAUSE and one.versions),
        None,
    )
    if clause is None:
        return "", {}
    found = Finder(
        normalised(clause.versions[-1].text), document.language, Standing.of(clause.id), Trail(), known_in
    )
    cited = found.find()
    work = next((one.work for one in cited if one.work.startswith("fi:act:")), "")
    chapters: dict[str, str] = {}
    for one in cited:
        steps = {step.kind: step.number for step in one.steps}
        if one.work == work and "chp" in steps and "sec" in steps:
            for first, last in members(steps["sec"]):
                for section in between(first, last):
                    chapters.setdefault(section, steps["chp"])
    named = {
        number.replace(" ", "")
        for pair in _CHAPTER_IN_TITLE.findall(document.title)
        for number in pair
        if number
    }
    if len(named) == 1:
        chapters[""] = named.pop()  # "Laki rikoslain 6 luvun muuttamisesta": whatever the section
    return work, chapters


def _sections_with_omissions(root: Provision) -> Iterator[tuple[Step, ...]]:
    for provision in root.walk():
        if provision.kind is ProvisionKind.OMISSION:
            yield provision.id.path[:1]


trails_of = LastRead(DocumentTrails).of
