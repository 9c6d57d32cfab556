"""Values that a store takes and returns: bulk requests and results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from pykala.law.filters import Filter
from pykala.law.forms import Part, shortened
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision, ProvisionKind, Version, Work
from pykala.law.references import Edge, UnresolvedReference
from pykala.law.standing import UNKNOWN, Standing
from pykala.law.validity import Validity

if TYPE_CHECKING:  # vectors need NumPy; a library without them opens faster
    from numpy import float32
    from numpy.typing import NDArray


class Words(NamedTuple):
    """The words of a passage."""

    header: str  # the work and the headings above it, and its own
    text: str  # its own words
    parent_text: str  # those of its section, or of a part of a long one


class PassageWords:
    """The words of a passage, read when they are first asked for: most passages that are found never are."""

    __slots__ = ("_read", "_some", "_words")

    def __init__(self, read: Callable[[], Words], *, some: bool) -> None:
        """Take how they are read, and whether there are `some`."""
        self._read, self._some = read, some
        self._words: Words | None = None

    @classmethod
    def of(cls, header: str, text: str, parent_text: str) -> PassageWords:
        """Words that are known."""
        words = Words(header, text, parent_text)
        return cls(lambda: words, some=bool(text))

    def __call__(self) -> Words:
        """The words."""
        if self._words is None:
            self._words = self._read()
        return self._words

    def __bool__(self) -> bool:
        return self._some

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PassageWords) and self() == other()

    def __hash__(self) -> int:
        return hash(self())

    def __str__(self) -> str:
        return repr(shortened(self().text))

    def __reduce__(self) -> tuple[Callable[..., PassageWords], tuple[str, ...]]:
        return PassageWords.of, tuple(self())  # copies and pickles hold the words, not the store


@dataclass(frozen=True, slots=True, repr=False)
class Match(Part):
    """A matching passage: its place, its words, and its score."""

    passage: int
    score: float
    provision: ProvisionId  # the innermost provision that holds the child
    section: ProvisionId  # the provision that its parent passage is anchored to
    kind: ProvisionKind
    work: WorkId
    language: str
    words: PassageWords
    start: int  # where the child stands in the section's composed text
    validity: Validity
    authority: int
    standing: Standing = UNKNOWN
    languages: tuple[str, ...] = ()  # every language the work is held in

    @property
    def header(self) -> str:
        """The work and the headings above it, and its own."""
        return self.words().header

    @property
    def text(self) -> str:
        """Its own words."""
        return self.words().text

    @property
    def parent_text(self) -> str:
        """The words of its section, or of a part of a long one."""
        return self.words().parent_text

    def saying(self, text: str, parent_text: str | None = None) -> Match:
        """The match with another text of its own, such as that of a note beside it."""
        parent_text = self.parent_text if parent_text is None else parent_text
        return replace(self, words=PassageWords.of(self.header, text, parent_text))


@dataclass(frozen=True, slots=True)
class Ancestor:
    """One level above a provision."""

    id: ProvisionId
    label: str
    heading: str


@dataclass(frozen=True, slots=True, repr=False)
class StoredProvision(Part):
    """A provision on a date (one version per node), with its surroundings."""

    provision: Provision
    work: Work
    language: str
    languages: tuple[str, ...]  # every language the work is held in
    translation: bool
    format: str
    ancestors: tuple[Ancestor, ...]
    #: Provisions below it that had a wording on the date which the source does not hold.
    missing: tuple[ProvisionId, ...] = ()
    #: Provisions below it that had ended by the date, as their own words say.
    past: tuple[ProvisionId, ...] = ()
    #: Provisions below it, or beside it in its section where it alone answers, that were in force on the date
    #: and apply only from a later one; each with its first words to apply, and nothing below it.
    later: tuple[Provision, ...] = ()

    @property
    def version(self) -> Version:
        """The version in force."""
        return self.provision.versions[-1]

    def within(self, inner: ProvisionId) -> StoredProvision:
        """A provision below it, without asking the store again; itself where there is none."""
        above: list[Ancestor] = []
        here = self.provision
        while here.id != inner:
            below = next((child for child in here.children if child.id.contains(inner)), None)
            if below is None:
                return self
            above.append(Ancestor(here.id, here.label, here.versions[-1].heading if here.versions else ""))
            here = below
        missing, past = (
            tuple(one for one in some if inner.contains(one)) for some in (self.missing, self.past)
        )
        later = tuple(one for one in self.later if inner.contains(one.id))
        ancestors = (*self.ancestors, *above)
        return replace(self, provision=here, ancestors=ancestors, missing=missing, past=past, later=later)


@dataclass(frozen=True, slots=True, repr=False)
class Stats(Part):
    """The size of a library."""

    works: Mapping[str, int]  # by "jurisdiction/kind"
    documents: Mapping[str, int]  # by language
    provisions: int
    versions: int
    passages: int
    children: int
    edges: Mapping[str, int]
    unresolved: Mapping[str, int]  # by reason
    pairings: int
    terms: int
    vectors: int
    bytes: int
    facts: Mapping[str, str]  # schema, embedder, analysis, edition
    #: Jurisdiction → how many "provisions" and "versions" of its law are held.
    by_jurisdiction: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: "jurisdiction/kind" → the "oldest" and the "newest" day to which works of it are known.
    current_to: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wording:
    """A request for a provision: on a date (None for the newest), in a language if held."""

    provision: ProvisionId
    as_of: date | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """The works and provisions of a name."""

    works: tuple[WorkId, ...] = ()
    provisions: tuple[ProvisionId, ...] = ()


@dataclass(frozen=True, slots=True)
class Mentions:
    """How many references lead to a work, held or not, and what they call it most often, by language."""

    count: int = 0
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class References:
    """The edges of each request, and unresolved references."""

    edges: tuple[tuple[Edge, ...], ...] = ()
    unresolved: tuple[UnresolvedReference, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """The state of a library: its name, facts and languages."""

    generation: str
    facts: Mapping[str, str]
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """One search of both indexes: by words or analysed terms, by meaning, and by known questions.

    An empty or None value skips that kind of search. `asked` is the number of sections to search by known
    questions; with a limit of 0 the vector is held against these alone.
    """

    filter: Filter
    limit: int
    words: str = ""
    terms: Mapping[str, float] | None = None  # terms of the filter's only language, in place of words
    vector: NDArray[float32] | None = None
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Hits:
    """The hits of one search by each method; `nearness` has cosines of hits not found by vector search."""

    by_words: tuple[Match, ...] = ()
    by_meaning: tuple[Match, ...] = ()
    by_asked: tuple[Match, ...] = ()
    nearness: Mapping[int, float] = field(default_factory=dict)
