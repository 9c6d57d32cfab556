"""Serialise results for a cache by their declared types; reading never runs code.

A cache file may have been damaged or written by someone else; bytes that do not fit the type are a
ValueError, which the cache takes for a miss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import msgspec

from pykala.caches.cache import Form

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Made = TypeVar("Made")
Scored = tuple[tuple[int, float], ...]
#: One search: its hits by words, by meaning and by known questions, and the nearness of the others.
ScoredHits = tuple[Scored, Scored, Scored, Scored]


def form_of(kind: type[Made]) -> Form[Made]:
    """The form of a type: plain values, dates, enums, frozen dataclasses, and lists and tuples of these."""
    decoder = msgspec.msgpack.Decoder(kind)

    def read(data: bytes) -> Made:
        try:
            return decoder.decode(data)
        except (msgspec.MsgspecError, RecursionError, OverflowError) as error:
            raise ValueError(f"bytes that are no {kind}: {error}") from None

    return Form(msgspec.msgpack.encode, read)


#: Numbers of passages with their scores.
SCORED: Form[Sequence[tuple[int, float]]] = form_of(list[tuple[int, float]])
#: Searches that were made together.
HITS: Form[Sequence[ScoredHits]] = form_of(list[ScoredHits])
#: Texts, such as the variants that a model made of a question.
TEXTS: Form[Sequence[str]] = form_of(list[str])


def _write_floats(vector: NDArray[float32]) -> bytes:
    return vector.astype("<f4").tobytes()


def _read_floats(data: bytes) -> NDArray[float32]:
    import numpy as np  # only those who have vectors need it

    vector = np.frombuffer(data, dtype="<f4").astype(np.float32)
    if not np.isfinite(vector).all():
        raise ValueError("numbers that are none")
    return vector


#: One vector, or a list of scores.
FLOATS: Form[NDArray[float32]] = Form(_write_floats, _read_floats)
