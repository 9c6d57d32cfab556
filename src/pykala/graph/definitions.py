"""References of definitions: from a term to its scope, to its words elsewhere, and to its uses.

A definition `defines` a term for its scope ("in this Part"). If a definition only refers to another place
("has the same meaning as in section 2 of …"), its term is `defined_in` that place. If a section uses a term
within its scope, the term is `defined_in` the definition. A term used all over an act, such as "Minister",
says nothing about a single section and gives no such edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import DefinedTerm, Document, Provision, ProvisionKind
from pykala.law.references import EdgeKind, Method, Reference
from pykala.law.validity import ALWAYS
from pykala.text.languages.known import derived, language_of

#: A longer definition (in characters) has words of its own, besides those that refer elsewhere.
_LONGEST_POINTER = 260
#: The most sections of a work that use a term; a term used in more belongs to the whole work.
MOST_USES = 40
_SHORTEST_TERM = 4
_LAW = frozenset(
    {
        ProvisionKind.SECTION,
        ProvisionKind.SUBSECTION,
        ProvisionKind.ARTICLE,
        ProvisionKind.ITEM,
        ProvisionKind.FLUSH,
        ProvisionKind.DEFINITION,
    }
)


@derived
def _points(code: str) -> re.Pattern[str] | None:
    language = language_of(code)
    words = language.text("law.points_elsewhere") if language else ""
    return re.compile(words, re.IGNORECASE) if words else None


@derived
def _adds(code: str) -> re.Pattern[str] | None:
    """A pattern for words with which a definition adds to an existing meaning: "and includes"."""
    language = language_of(code)
    words = language.text("law.adds") if language else ""
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE) if words else None


def points_elsewhere(text: str, language: str) -> bool:
    """Whether a definition has no words of its own: "means money laundering as defined in Article 1".

    "Any means of transport, and includes railway equipment as defined in …" has words of its own.
    """
    pattern = _points(language)
    pointer = pattern.search(text) if pattern and len(text) <= _LONGEST_POINTER else None
    further = _adds(language)
    return pointer is not None and not (further and further.search(text, 0, pointer.start()))


def definition_references(document: Document, cited: Iterable[Reference]) -> Iterator[Reference]:
    """The references that a document's definitions give rise to; `cited` are those its words cite."""
    places = {provision.id: provision for provision in document.root.walk()}
    defining = {term.provision for term in document.terms}
    for term in document.terms:
        if term.scope != term.provision and term.provision in places:
            yield _reference(places[term.provision], EdgeKind.DEFINES, term, term.scope)
    for reference in cited:
        if (
            reference.kind is EdgeKind.CITES
            and (reference.target or reference.alias)
            and reference.source in defining
            and reference.source in places
            and points_elsewhere(_text(places[reference.source]), document.language)
        ):
            yield replace(reference, kind=EdgeKind.DEFINED_IN, method=Method.DEFINITION)
    yield from _uses(document, defining)


def _uses(document: Document, defining: set[ProvisionId]) -> Iterator[Reference]:
    """The first use of each term in each section of its scope, for terms that few sections use."""
    terms = _Terms(document.terms)
    found: dict[DefinedTerm, dict[ProvisionId, Reference]] = {}
    for section, provision in _in_sections(document.root):
        if provision.id in defining:
            continue
        for term, start, end in terms.used(_text(provision), provision.id):
            home = term.provision
            if section.contains(home):
                continue
            used = found.setdefault(term, {})
            if section not in used:
                used[section] = _reference(provision, EdgeKind.DEFINED_IN, term, home, (start, end))
                if len(used) > MOST_USES:
                    terms.leave_out(term)
    for used in found.values():
        if len(used) <= MOST_USES:
            yield from used.values()


_word = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")


class _Terms:
    """The defined terms of a document by their words and scope.

    An act may define thousands that begin alike, and one word anew in each of a thousand sections.
    """

    def __init__(self, terms: Iterable[DefinedTerm]) -> None:
        self._held: dict[tuple[str, ...], dict[ProvisionId, dict[DefinedTerm, int]]] = {}
        self._lengths: dict[str, set[int]] = {}  # first word → in how many words terms are
        for number, term in enumerate(terms):
            words = _words(term.term)
            if words and len(term.term) >= _SHORTEST_TERM:
                self._held.setdefault(words, {}).setdefault(term.scope, {}).setdefault(term, number)
                self._lengths.setdefault(words[0], set()).add(len(words))

    def used(self, text: str, place: ProvisionId) -> Iterator[tuple[DefinedTerm, int, int]]:
        """The terms that a text uses within their scope, each with where it stands."""
        found = list(_word.finditer(text))
        words = [match[0].casefold() for match in found]
        scopes = [ProvisionId(place.work, place.path[:depth]) for depth in range(len(place.path) + 1)]
        for at, first in enumerate(words):
            for length in self._lengths.get(first, ()):
                held = self._held.get(tuple(words[at : at + length]))
                if held and at + length <= len(words):  # near the end, fewer words are left: another term's
                    numbered = (pair for scope in scopes for pair in held.get(scope, {}).items())
                    for term, _ in sorted(numbered, key=itemgetter(1)):
                        yield term, found[at].start(), found[at + length - 1].end()

    def leave_out(self, term: DefinedTerm) -> None:
        """Look for a term no more."""
        self._held[_words(term.term)][term.scope].pop(term, None)


def _words(term: str) -> tuple[str, ...]:
    return tuple(match[0].casefold() for match in _word.finditer(term))


def _in_sections(root: Provision) -> Iterator[tuple[ProvisionId, Provision]]:
    """The provisions of the law, each with the section it lies in."""
    stack: list[tuple[ProvisionId | None, Provision]] = [(None, root)]
    while stack:
        section, provision = stack.pop()
        if provision.kind is ProvisionKind.AMENDMENT:
            continue
        if section is None and provision.kind in (ProvisionKind.SECTION, ProvisionKind.ARTICLE):
            section = provision.id
        if section is not None and provision.kind in _LAW:
            yield section, provision
        stack.extend((section, child) for child in reversed(provision.children))


def _reference(
    source: Provision, kind: EdgeKind, term: DefinedTerm, target: ProvisionId, span: tuple[int, int] = (0, 0)
) -> Reference:
    """A reference that is valid as long as the wording that contains it."""
    validity = source.versions[-1].validity if source.versions else ALWAYS
    return Reference(
        source.id, kind, term.term, term.language, Method.DEFINITION, *span, target=target, validity=validity
    )


def _text(provision: Provision) -> str:
    return provision.versions[-1].text if provision.versions else ""
