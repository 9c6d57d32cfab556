"""An act as a slim tree: number, title and first sentence of every section.

A summary contains no invented words: it is the beginning of the provision's first sentence with content, cut
at the end of a clause where it is long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from pykala.law.forms import Part
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision, ProvisionKind
from pykala.packs.sections import CONTAINERS
from pykala.text.languages.known import words as words_of_languages
from pykala.text.sentences import sentences

LONGEST_SUMMARY = 25  # words
_SHORTEST_CLAUSE = 10  # words; "Subject to subsection (2)," alone says nothing
_CUT = "…"
_NODES = CONTAINERS | {
    ProvisionKind.SECTION,
    ProvisionKind.ARTICLE,
    ProvisionKind.SCHEDULE,
    ProvisionKind.ANNEX,
    ProvisionKind.TREATY,
    ProvisionKind.PREAMBLE,
    ProvisionKind.ENTRY_INTO_FORCE,
    ProvisionKind.HEADNOTE,
    ProvisionKind.REASONS,
}
#: Notes about the law, which are not part of the law itself.
_NOTES = frozenset(
    {
        ProvisionKind.HISTORICAL_NOTE,
        ProvisionKind.EDITORIAL_NOTE,
        ProvisionKind.FOOTNOTE,
        ProvisionKind.PUBLICATION_ITEM,
        ProvisionKind.SIGNATURE_BLOCK,
        ProvisionKind.RELATED_PROVISION,
        ProvisionKind.TABLE_OF_PROVISIONS,
    }
)
_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_FEWEST = 3  # words of letters; "Where:" only introduces the text below it
#: "(Section 5)" under the title of a schedule says where it belongs, not what it is about.
_BRACKETED = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")
_END = re.compile(r"[.!?…:;)\]»”\"]$")
#: A clause ends behind a mark, or before a word that begins another one.
_MARK = re.compile(r"[,;:–—]$")


@dataclass(frozen=True, slots=True, repr=False)
class TreeNode(Part):
    """One node of a slim tree. `number` is the label as printed; title and summary may be empty."""

    id: ProvisionId
    number: str
    title: str
    summary: str
    children: tuple[TreeNode, ...] = ()

    def walk(self) -> Iterator[tuple[int, TreeNode]]:
        """This node and all below it in document order, with their depth."""
        stack = [(0, self)]
        while stack:
            depth, node = stack.pop()
            yield depth, node
            stack.extend((depth + 1, child) for child in reversed(node.children))


def slim_tree(source: Document | Provision, *, as_of: date | None = None) -> TreeNode:
    """The tree of a document, or of a part of one as a store gives it.

    With a date, only what was in force on it; without one, the newest wording of everything.
    """
    root = source.root if isinstance(source, Document) else source
    standing = root if as_of is None else root.at(as_of)
    children = _children(standing) if standing is not None else ()
    if isinstance(source, Document):
        long_title = source.title if source.short_title and source.title != source.short_title else ""
        return TreeNode(root.id, root.label, source.name, shortened(long_title), children)
    return TreeNode(root.id, root.label, root.heading, _summary(standing or root), children)


def _children(provision: Provision) -> tuple[TreeNode, ...]:
    return tuple(node for child in provision.children for node in _nodes(child))


def _nodes(provision: Provision) -> Iterator[TreeNode]:
    """The node of a provision; the nodes below it where it has none itself."""
    if provision.kind in _NOTES:
        return
    children = _children(provision)
    if provision.kind not in _NODES:
        yield from children
        return
    summary = _summary(provision)
    if children or summary or provision.heading or provision.kind not in CONTAINERS:
        yield TreeNode(provision.id, provision.label, provision.heading, summary, children)


def _summary(provision: Provision) -> str:
    """The first sentence with content, from the section's own words or its parts."""
    parts = (provision,) if provision.kind in CONTAINERS else _own_parts(provision)
    fallback = ""
    for part in parts:
        text = part.versions[-1].text if part.versions else ""
        for start, end in sentences(text):
            sentence = text[start:end]
            if _is_informative(sentence):
                return shortened(sentence)
            if not fallback and _LETTERS.search(sentence):
                fallback = shortened(sentence)
    return fallback


def _is_informative(sentence: str) -> bool:
    return len(_LETTERS.findall(sentence)) >= _FEWEST and not (
        len(sentence.split()) < _FEWEST or _BRACKETED.fullmatch(sentence)
    )


def _own_parts(provision: Provision) -> Iterator[Provision]:
    """A provision and its parts in document order, without notes and without nodes of their own."""
    stack = [provision]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(
            child
            for child in reversed(part.children)
            if child.kind not in _NOTES and child.kind not in _NODES
        )


def shortened(sentence: str, words: int = LONGEST_SUMMARY) -> str:
    """Cut a sentence after the last clause within so many words, and add "…"."""
    spans = [match.span() for match in _WORD.finditer(sentence)]
    if len(spans) <= words:
        whole = " ".join(sentence.split())
        # "This Part applies to information that" continues in the items below.
        return whole if not whole or _END.search(whole) else f"{whole}{_CUT}"
    last, beginning = words, words_of_languages("questions.clause_words")
    for count in range(words, min(_SHORTEST_CLAUSE, words) - 1, -1):
        word = sentence[slice(*spans[count - 1])]
        following = sentence[slice(*spans[count])]
        if _MARK.search(word) or following.casefold() in beginning:
            last = count
            break
    kept = " ".join(sentence[: spans[last - 1][1]].split())
    return f"{kept.rstrip(' ,;:–—')}{_CUT}"
