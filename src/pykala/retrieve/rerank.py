"""Rerank the best candidates with a model, and score duties.

The reranker's score is one feature of a candidate among others (features.py). It is weighted where the
reranker was calibrated, and counts by rank where it was not (by_ranks.py). A reranker that fails changes
nothing, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pykala.law.answers import Caveat, CaveatKind
from pykala.models.bundled import OWN_RERANKER
from pykala.models.failures import ModelError
from pykala.models.reranker import Reranker
from pykala.retrieve.search import Candidate
from pykala.text.language import detect
from pykala.text.languages.known import NOTHING, alternatives, derived, item_letters, language_of
from pykala.text.phrases import LANGUAGES, say

if TYPE_CHECKING:  # a search without a reranker does not need NumPy here
    from numpy import float32
    from numpy.typing import NDArray

_SUREST = 12.0  # logits beyond this say nothing more

_MOST_WORDS, _MOST_LISTS, _PER_LIST, _GENERIC = 6, 6, 2, -4.0
_PHRASE, _WORD = 3, 2


@dataclass(frozen=True, slots=True)
class Reranked:
    """Candidates with the reranker's scores; a caveat instead where it failed."""

    candidates: tuple[Candidate, ...]
    caveat: Caveat | None = None
    logits: tuple[float, ...] = ()  # one per candidate, higher is better


def read_closely(candidates: Sequence[Candidate], reranker: Reranker, query: str) -> Reranked:
    """Score candidates with a reranker; the order is unchanged."""
    if not candidates:
        return Reranked(())
    texts = [f"{one.match.header}\n{one.match.text}" for one in candidates]
    try:
        logits = _logits(reranker.score(query, texts), len(texts), own=reranker.name == OWN_RERANKER)
    except Exception as error:  # any reranker may raise anything; the search goes on
        spoken = detect(query, default=LANGUAGES[0]).language
        message = say(spoken, "caveat.order_of_search", reranker=reranker.name, reason=reason(error))
        return Reranked(tuple(candidates), Caveat(CaveatKind.DEGRADED, None, message))
    return Reranked(tuple(candidates), logits=logits)


def reason(error: Exception) -> str:
    """Why a model failed: in our own words, or only the kind of a foreign error."""
    return str(error) if isinstance(error, ModelError) else type(error).__name__


def _logits(scores: NDArray[float32], count: int, *, own: bool) -> tuple[float, ...]:
    """Scores on one scale: probabilities become logits, others stay."""
    import numpy as np

    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (count,) or not np.isfinite(values).all():
        raise ValueError("a reranker gives one finite number a text")
    if not own and values.min() >= 0 and values.max() <= 1:
        bounded = np.clip(values, 1e-6, 1 - 1e-6)
        values = np.log(bounded / (1 - bounded))
    return tuple(float(value) for value in np.clip(values, -_SUREST, _SUREST))


@derived
def _asks_for_duty() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives('duties.asked')})\b", re.IGNORECASE)


@derived
def _generic_headings() -> re.Pattern[str]:
    """Headings of general sections, such as scope and purpose."""
    return re.compile(rf"\b(?:{alternatives('headings.generic')})\b", re.IGNORECASE)


@derived
def _item() -> re.Pattern[str]:
    """How an item of a list begins."""
    return re.compile(rf"(?m)^[^\S\n]*(?:\(?(?:[{item_letters()}]|[ivx]{{1,5}}|\d{{1,3}})\)|[-•–—]\s)")


@derived
def _duties(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Words of duty: phrases of two words or more weigh 3, single words 2."""
    known = language_of(language)
    if known is None or not known.pieces("duties.words"):
        known = language_of("en")
    phrases, words = (known.pieces("duties.phrases"), known.pieces("duties.words")) if known else ((), ())
    return _any_of(phrases), _any_of(words)


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    """A pattern for each of some words wherever it stands, also inside another of these words."""
    return re.compile(rf"\b(?=(?:{'|'.join(map(re.escape, words))})\b)" if words else NOTHING)


def asks_for_duty(text: str) -> bool:
    """Whether a question asks what somebody must do, in any known language."""
    return bool(_asks_for_duty().search(text))


def obligation(heading: str, text: str, language: str) -> float:
    """How much a section states duties: its words of duty, its lists, and whether it is a general section."""
    phrases, words = _duties(language)
    plain = re.sub(r"\s+", " ", text.casefold().replace("’", "'"))
    duties = _PHRASE * len(phrases.findall(plain)) + _WORD * len(words.findall(plain))
    lists = _PER_LIST * len(_item().findall(text))
    generic = _GENERIC if _generic_headings().search(heading) and not duties else 0.0
    return min(duties, _MOST_WORDS) + min(lists, _MOST_LISTS) + generic
