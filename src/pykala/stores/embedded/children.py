"""What indexes hold of each work: its children with their words, and the sections with known questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pykala.models.embedder import AskedEmbedder
from pykala.stores.connection import Connection
from pykala.stores.embedded.facets import Facets
from pykala.text.analysis import analyse

if TYPE_CHECKING:  # a library without vectors opens without NumPy
    from numpy import float32
    from numpy.typing import NDArray

_EACH_CHILD = """
SELECT children.id, documents.language, header,
  substr(passages.text, children.start + 1, children.end - children.start),
  works.id, works.jurisdiction, language_names.id, works.kind, children.kind,
  passages.valid_from, passages.valid_to
FROM works JOIN documents ON documents.work = works.id
JOIN passages ON passages.document = documents.id JOIN children ON children.passage = passages.id
JOIN names AS language_names ON language_names.value = documents.language
"""
_CHILDREN = f"{_EACH_CHILD} WHERE works.id = ? ORDER BY children.id"
#: The first child of each section, in each of its languages and versions, with the section's name.
_BEGINNINGS = """
SELECT children.id, works.key || '/' || nodes.path,
  works.id, works.jurisdiction, language_names.id, works.kind, children.kind,
  passages.valid_from, passages.valid_to
FROM works JOIN documents ON documents.work = works.id
JOIN passages ON passages.document = documents.id AND passages.ordinal = 0
JOIN children ON children.passage = passages.id AND children.start = 0
JOIN nodes ON nodes.id = passages.node
JOIN names AS language_names ON language_names.value = documents.language
WHERE works.id = ? ORDER BY children.id
"""


class Child(NamedTuple):
    """A passage as an index reads it."""

    number: int
    language: str
    header: str
    text: str
    facets: Facets


@dataclass(frozen=True, slots=True)
class KnownQuestions:
    """The first children of a work's sections with known questions, and the vectors of those questions."""

    numbers: list[int]
    facets: list[Facets]
    vectors: NDArray[float32]


def children_of_work(connection: Connection, work: int) -> Iterator[Child]:
    """Every child of a work, by its number."""
    for number, language, header, text, *columns in connection.execute(_CHILDREN, (work,)):
        yield Child(number, language, header, text, Facets(*columns))


def children_numbered(connection: Connection, numbers: Sequence[int]) -> list[Child]:
    """The children of some numbers that there are."""
    marks = ", ".join("?" * len(numbers))
    rows = connection.execute(f"{_EACH_CHILD} WHERE children.id IN ({marks})", tuple(numbers)).fetchall()
    return [
        Child(number, language, header, text, Facets(*columns))
        for number, language, header, text, *columns in rows
    ]


def analysed(children: Iterable[Child]) -> Iterator[tuple[Child, list[str]]]:
    """Each child with its terms: those of its passage's header, then its own."""
    known, terms = ("", ""), list[str]()
    for child in children:
        if (child.language, child.header) != known:  # the children of a passage share its header
            known, terms = (child.language, child.header), analyse(child.header, child.language)
        yield child, [*terms, *analyse(child.text, child.language)]


def known_questions(
    connection: Connection, embedder: AskedEmbedder, work: int, key: str
) -> KnownQuestions | None:
    """The sections of a work for which the embedder knows questions, in each language and version."""
    if not embedder.knows_questions_of(key):
        return None
    beginnings = connection.execute(_BEGINNINGS, (work,)).fetchall()
    vectors = embedder.asked_of([section for _, section, *_ in beginnings])
    known = [at for at, vector in enumerate(vectors) if vector.any()]
    facets = [Facets(*beginnings[at][2:]) for at in known]
    return KnownQuestions([beginnings[at][0] for at in known], facets, vectors[known])
