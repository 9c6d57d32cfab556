"""Options of the read path, shared by settings, evaluation and ablations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fusion(StrEnum):
    """How the text ranking and the vector ranking are combined."""

    WEIGHTED = "weighted"  # scores as shares of the best, in a weighted sum
    RANKS = "rrf"  # reciprocal ranks, k = 60


class Unit(StrEnum):
    """What a search returns: whole sections (parents) or the matching passages (children)."""

    SECTION = "section"
    PASSAGE = "passage"


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Every option of the read path; the defaults are the measured best."""

    text: bool = True  # search by words
    vectors: bool = True  # search by meaning, where the library has an embedder
    asked: bool = True  # search by the questions known for sections
    fusion: Fusion = Fusion.WEIGHTED
    meaning_share: float = 0.7  # the share of meaning in a weighted score, within one language
    glossary: bool = True  # the question's terms in the law's language
    reranker: bool = True  # where one is set
    graph: bool = True  # exceptions, references and definitions around the primary provision
    hops: int | None = None  # None: as the question's strategy says
    dated: bool = True  # only what is in force on the date
    unit: Unit = Unit.SECTION
    #: Candidates that are read closely. In the question's own language, twice as many find no more
    #: (docs/evaluation.md). In other languages less is known about candidates before they are read, so more
    #: are read.
    read: int = 24
    read_translated: int = 40
    grading: bool = True  # False: the best candidate answers, however poor
    cache: bool = True


DEFAULT_OPTIONS = AskOptions()
