"""Reranking: a closer reading of the few best candidates, and duties before generalities.

With a cross-encoder the order is 0.6 of its score, 0.3 of the cosine and 0.1 of metadata (authority, recency,
shared words); what stays under 0.1 is dropped. A reranker that fails changes nothing, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import log
from typing import TYPE_CHECKING, Final

from pykala.law.answers import Caveat, CaveatKind
from pykala.models.failures import ModelError
from pykala.models.reranker import Reranker
from pykala.retrieve.search import Candidate
from pykala.text.analysis import analyse
from pykala.text.language import detect
from pykala.text.phrases import LANGUAGES, say

if TYPE_CHECKING:  # a search without a reranker needs no NumPy of ours
    from numpy import float32
    from numpy.typing import NDArray

CROSS, COSINE, METADATA = 0.6, 0.3, 0.1
LEAST = 0.1
OWN_RERANKER = "pykala-interactions"
_SURE = 5.0  # logits run to about this
_AUTHORITY, _RECENCY, _OVERLAP = 0.5, 0.25, 0.25  # what metadata are made of
_HIGHEST = 100  # the rank of a statute
_DEPTH = 40  # candidates that are read again

_MOST_WORDS, _MOST_LISTS, _PER_LIST, _GENERIC = 6, 6, 2, -4.0
_PHRASE, _WORD = 3, 2
#: Words that lay a duty on somebody: phrases of two words or more weigh 3, single words 2.
_DUTIES: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "en": (
        (
            "required to",
            "shall provide",
            "shall be required",
            "is required",
            "shall have available",
            "shall ensure",
            "shall submit",
            "shall notify",
            "is obliged to",
            "may not",
            "shall not",
        ),
        ("shall", "must", "mandatory", "obliged"),
    ),
    "fi": (
        (
            "on velvollinen",
            "on oltava",
            "on annettava",
            "on tehtävä",
            "on ilmoitettava",
            "on maksettava",
            "ei saa",
            "ovat velvollisia",
            "on toimitettava",
            "on pidettävä",
        ),
        ("tulee", "täytyy", "pitää", "velvollinen", "velvollisuus"),
    ),
    "sv": (
        (
            "är skyldig",
            "är skyldiga",
            "ska lämna",
            "ska anmäla",
            "ska betala",
            "får inte",
            "ska se till",
            "skall lämna",
            "skall anmäla",
        ),
        ("ska", "skall", "måste", "skyldig", "bör"),
    ),
    "fr": (
        (
            "est tenu",
            "sont tenus",
            "est tenue",
            "ne peut",
            "ne peuvent",
            "il incombe",
            "est obligatoire",
            "a l'obligation",
            "doit fournir",
            "doit aviser",
        ),
        ("doit", "doivent", "obligatoire", "tenu"),
    ),
}
#: Headings of sections that say what an act is about rather than what is to be done.
_GENERIC_HEADINGS: Final = re.compile(
    r"\b(?:scope|definitions?|interpretation|general provisions|subject[- ]matter|objectives?|purposes?|aims?"
    r"|applicability|application|short title|soveltamisala\w*|määritelm\w*|yleiset säännökset|tarkoitus"
    r"|tillämpningsområde\w*|definition\w*|allmänna bestämmelser|syfte|champ d['’]application|définitions?"
    r"|dispositions générales|objet|objectifs?|titre abrégé)\b",
    re.IGNORECASE,
)
_ASKS_FOR_DUTY: Final = re.compile(
    r"\b(?:required?|requirements?|mandatory|must|obligat\w+|obliged|have to|has to|need to|needs to"
    r"|pitääkö|täytyykö|onko pakko|pakollis\w+|velvolli\w+|on tehtävä|tarvitseeko"
    r"|måste|skyldig\w*|obligatorisk\w*|behöver"
    r"|dois-je|doit-on|doit|doivent|obligatoire\w*|faut-il|tenue?s? de)\b",
    re.IGNORECASE,
)
_ITEM: Final = re.compile(r"(?m)^\s*(?:\(?(?:[a-zåäö]|[ivx]{1,5}|\d{1,3})\)|[-•–—]\s)")


@dataclass(frozen=True, slots=True)
class Reranked:
    """Candidates in their new order, and a caveat where the reranker failed and the order is the old one."""

    candidates: tuple[Candidate, ...]
    caveat: Caveat | None = None
    logits: tuple[float, ...] = ()  # what the reranker made of each, on one scale whoever made it


def reranked(candidates: Sequence[Candidate], reranker: Reranker, query: str) -> Reranked:
    """Read the best candidates again, together with the question; those further down stay behind them."""
    first, rest = candidates[:_DEPTH], candidates[_DEPTH:]
    if not first:
        return Reranked(())
    try:
        texts = [f"{one.match.header}\n{one.match.text}" for one in first]
        cross = _between_0_and_1(reranker.score(query, texts), len(first))
    except Exception as error:  # whatever a reranker of any maker raises, the search goes on
        reason = str(error) if isinstance(error, ModelError) else type(error).__name__
        spoken = detect(query, default=LANGUAGES[0]).language
        message = say(spoken, "caveat.order_of_search", reranker=reranker.name, reason=reason)
        return Reranked(tuple(candidates), Caveat(CaveatKind.DEGRADED, None, message))
    cosine, metadata = _cosines(first), metadata_of(first, query)
    blended = [
        replace(one, score=CROSS * cross[place] + COSINE * cosine[place] + METADATA * metadata[place])
        for place, one in enumerate(first)
    ]
    kept = sorted(
        (pair for pair in zip(blended, cross, strict=True) if pair[0].score >= LEAST),
        key=lambda pair: -pair[0].score,
    )
    # Scores further down are on another scale, and their order stands; none may pass what was read again.
    floor = min((one.score for one, _ in kept), default=LEAST)
    behind = [replace(one, score=min(one.score, floor)) for one in rest]
    logits = (*(_logit(value) for _, value in kept), *(-_SURE for _ in behind))
    return Reranked((*(one for one, _ in kept), *behind), logits=logits)


def read_closely(candidates: Sequence[Candidate], reranker: Reranker, query: str) -> Reranked:
    """What a reranker makes of candidates; the one that ships with the package needs no blending.

    Its logits are weighed together with everything else that is known of a candidate (calibration.py).
    """
    if not candidates or reranker.name != OWN_RERANKER:
        return reranked(candidates, reranker, query)
    texts = [f"{one.match.header}\n{one.match.text}" for one in candidates]
    return Reranked(tuple(candidates), logits=tuple(map(float, reranker.score(query, texts))))


def _logit(share: float) -> float:
    bounded = min(max(share, 1e-6), 1 - 1e-6)
    return max(-_SURE, min(_SURE, log(bounded / (1 - bounded))))


def metadata_of(candidates: Sequence[Candidate], query: str) -> list[float]:
    """Authority, recency among the candidates, and shared words, as one number between 0 and 1 each."""
    starts = [one.match.validity.start for one in candidates]
    known = [start for start in starts if start is not None]
    words = {
        language: set(analyse(query, language)) for language in {one.match.language for one in candidates}
    }
    found = []
    for one, start in zip(candidates, starts, strict=True):
        asked = words[one.match.language]
        held = set(analyse(f"{one.match.header}\n{one.match.text}", one.match.language)) if asked else set()
        overlap = len(asked & held) / len(asked) if asked else 0.0
        authority = min(max(one.match.authority, 0) / _HIGHEST, 1.0)
        found.append(_AUTHORITY * authority + _RECENCY * _recency(start, known) + _OVERLAP * overlap)
    return found


def asks_for_duty(text: str) -> bool:
    """Whether a question asks what somebody must do, in any of the four languages."""
    return bool(_ASKS_FOR_DUTY.search(text))


def obligation(heading: str, text: str, language: str) -> float:
    """How far a section lays down duties: its words of duty, its lists, and whether it is a general one."""
    phrases, words = _DUTIES.get(language, _DUTIES["en"])
    plain = re.sub(r"\s+", " ", text.casefold().replace("’", "'"))
    duties = _PHRASE * _count(plain, phrases) + _WORD * _count(plain, words)
    lists = _PER_LIST * len(_ITEM.findall(text))
    generic = _GENERIC if _GENERIC_HEADINGS.search(heading) and not duties else 0.0
    return min(duties, _MOST_WORDS) + min(lists, _MOST_LISTS) + generic


def _count(text: str, words: Sequence[str]) -> int:
    return sum(len(re.findall(rf"\b{re.escape(word)}\b", text)) for word in words)


def _recency(start: date | None, known: Sequence[date]) -> float:
    """Where a provision's first day lies between the oldest and the newest of the candidates."""
    if start is None or not known:
        return 0.0
    first, last = min(known), max(known)
    return (start - first).days / (last - first).days if last > first else 1.0


def _cosines(candidates: Sequence[Candidate]) -> list[float]:
    """The cosines, or where none was looked up, the search's own scores as shares of the best."""
    if any(one.meaning for one in candidates):
        return [min(max(one.meaning, 0.0), 1.0) for one in candidates]
    best = max(one.score for one in candidates)
    return [one.score / best if best > 0 else 0.0 for one in candidates]


def _between_0_and_1(scores: NDArray[float32], count: int) -> list[float]:
    """A reranker's scores as probabilities: raw ones go through the logistic function, all of them."""
    import numpy as np

    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (count,) or not np.isfinite(values).all():
        raise ValueError("a reranker gives one finite number a text")
    if values.min(initial=0.0) < 0 or values.max(initial=0.0) > 1:
        values = 1.0 / (1.0 + np.exp(-np.clip(values, -60, 60)))
    return [float(value) for value in values]
