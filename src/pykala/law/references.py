"""References found in the law, and the edges that the resolved ones become."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pykala.law.forms import Result, shortened
from pykala.law.identifiers import ProvisionId, Step
from pykala.law.validity import ALWAYS, Validity


class EdgeKind(StrEnum):
    """How one provision bears on another."""

    PARENT_OF = "parent_of"
    CITES = "cites"
    INTERPRETS = "interprets"
    APPLIES = "applies"
    EXCEPTS = "excepts"
    DEFINES = "defines"
    DEFINED_IN = "defined_in"
    AMENDS = "amends"
    INSERTS = "inserts"
    REPEALS = "repeals"
    SUPERSEDES = "supersedes"
    APPEALS = "appeals"
    TRANSPOSES = "transposes"
    TRANSLATION_OF = "translation_of"


class Method(StrEnum):
    """Which deterministic pass found a reference."""

    STRUCTURE = "structure"
    ANCHOR = "anchor"
    CITATION = "citation"
    DEFINITION = "definition"
    EXCEPTION = "exception"
    AMENDMENT = "amendment"


class Unresolved(StrEnum):
    """Why a reference leads nowhere yet."""

    OUTSIDE_CORPUS = "outside the corpus"
    NOT_LOADED = "not yet loaded"
    NO_SUCH_PROVISION = "no such provision in the loaded text"
    AMBIGUOUS = "several works answer to the name"
    NOT_UNDERSTOOD = "not understood"


class Direction(StrEnum):
    """Which way to follow edges from a provision."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Reference:
    """A place in the text that points elsewhere, as written and as far as it is understood.

    It points at `target` where the identifier is known; or at a work known only by a name (`alias`,
    a normalised title such as "bank act") and a `path` within it; or nowhere, for a `reason`.
    The span counts characters of the source provision's own text in the given language.
    """

    source: ProvisionId
    kind: EdgeKind
    text: str
    language: str
    method: Method
    start: int = 0
    end: int = 0
    target: ProvisionId | None = None
    alias: str = ""
    path: tuple[Step, ...] = ()
    reason: Unresolved | None = None
    validity: Validity = ALWAYS
    #: "Subject to section 5" in section 3 makes section 5 the exception: the edge runs from the target.
    reverse: bool = False

    def __post_init__(self) -> None:
        if self.target is None and not self.alias and self.reason is None:
            raise ValueError(
                f"the reference {self.text!r} needs a target, a name, or a reason why it has none"
            )


@dataclass(frozen=True, slots=True, repr=False)
class Edge(Result):
    """A resolved reference: both ends are provisions of the library."""

    kind: EdgeKind
    source: ProvisionId
    target: ProvisionId
    method: Method
    text: str = ""
    language: str = ""
    start: int = 0
    end: int = 0
    validity: Validity = ALWAYS

    def __repr__(self) -> str:
        return f"<Edge {self.source} {self.kind.value} {self.target}: {shortened(self.text)!r}>"


@dataclass(frozen=True, slots=True)
class EdgesWanted:
    """The edges that touch some provisions or anything below them, of some kinds (None: all), on a date.

    A section with more edges of a kind and direction than `caps` allows is a hub: those are left out.
    """

    provisions: tuple[ProvisionId, ...]
    kinds: tuple[EdgeKind, ...] | None = None
    direction: Direction = Direction.BOTH
    as_of: date | None = None
    caps: tuple[tuple[tuple[EdgeKind, Direction], int], ...] = ()

    @classmethod
    def of(
        cls,
        provisions: Iterable[ProvisionId],
        kinds: Iterable[EdgeKind] | None = None,
        direction: Direction = Direction.BOTH,
        as_of: date | None = None,
        caps: Mapping[tuple[EdgeKind, Direction], int] | None = None,
    ) -> EdgesWanted:
        """A request from any collections."""
        chosen = None if kinds is None else tuple(kinds)
        return cls(tuple(provisions), chosen, direction, as_of, tuple((caps or {}).items()))


@dataclass(frozen=True, slots=True)
class UnresolvedReference:
    """A reference that leads out of the library, with the reason, shown with answers that lean on it."""

    source: ProvisionId
    kind: EdgeKind
    text: str
    reason: Unresolved
    target: str = ""  # identifier or name that it would lead to
    language: str = ""  # of the text that it stands in


_ALIKE = str.maketrans({"’": "'", "\N{NO-BREAK SPACE}": " ", "–": "-", "—": "-", "‑": "-", "œ": "oe"})


def normalise_alias(text: str) -> str:
    """Fold a name so that its spellings meet: case, spacing and typographic marks do not count."""
    folded = text.casefold().translate(_ALIKE)
    return " ".join(folded.split()).strip(" .,;:")
