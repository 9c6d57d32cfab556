"""Serialise results for a cache by their declared types; reading never runs code.

A cache file may have been damaged or written by someone else; bytes that do not fit the type are a
ValueError, which the cache takes for a miss.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pykala.caches.cache import Form
from pykala.law.identifiers import ProvisionId, WorkId

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Record = TypeVar("Record")
_PLAIN = (str, int, float, bool, NoneType)


def _write_scored(scored: Sequence[tuple[int, float]]) -> bytes:
    return b"".join(struct.pack("<qd", number, score) for number, score in scored)


def _read_scored(data: bytes) -> Sequence[tuple[int, float]]:
    try:
        return list(struct.iter_unpack("<qd", data))
    except struct.error as error:
        raise ValueError(str(error)) from None


#: Numbers of passages with their scores.
SCORED: Form[Sequence[tuple[int, float]]] = Form(_write_scored, _read_scored)


Scored = tuple[tuple[int, float], ...]
#: One search: what it found by words, by meaning and by what is asked, and how near the rest lies.
ScoredHits = tuple[Scored, Scored, Scored, Scored]
_PARTS = 4


def _write_hits(hits: Sequence[ScoredHits]) -> bytes:
    parts = [_write_scored(part) for one in hits for part in one]
    return b"".join(struct.pack("<q", len(part)) + part for part in parts)


def _read_hits(data: bytes) -> Sequence[ScoredHits]:
    parts: list[Scored] = []
    at = 0
    while at < len(data):
        try:
            (length,) = struct.unpack_from("<q", data, at)
        except struct.error as error:
            raise ValueError(str(error)) from None
        at += 8
        if not 0 <= length <= len(data) - at:
            raise ValueError("a part that does not end")
        parts.append(tuple(_read_scored(data[at : at + length])))
        at += length
    if len(parts) % _PARTS:
        raise ValueError("half of a search")
    return [(parts[n], parts[n + 1], parts[n + 2], parts[n + 3]) for n in range(0, len(parts), _PARTS)]


#: Searches that were made together.
HITS: Form[Sequence[ScoredHits]] = Form(_write_hits, _read_hits)


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


def _write_texts(texts: Sequence[str]) -> bytes:
    return json.dumps(list(texts)).encode()


def _read_texts(data: bytes) -> Sequence[str]:
    found = json.loads(data)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError("no list of texts")
    return found


#: Texts, such as the variants that a model made of a question.
TEXTS: Form[Sequence[str]] = Form(_write_texts, _read_texts)


def record_form(record: type[Record]) -> Form[Record]:
    """The form of a frozen dataclass with plain fields, dates, enums, identifiers, tuples and the like."""

    def write(value: Record) -> bytes:
        return json.dumps(value, default=_plain, separators=(",", ":")).encode()

    def read(data: bytes) -> Record:
        try:
            built: Record = _built(record, json.loads(data))
        except (TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
            raise ValueError(f"bytes that are no {record.__name__}: {error}") from None
        return built

    return Form(write, read)


def _plain(value: object) -> object:
    if isinstance(value, WorkId | ProvisionId):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, one.name) for one in fields(value)]
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"a {type(value).__name__} cannot be kept in a cache")


@cache
def _types(record: type) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(record)
    return tuple((one.name, hints[one.name]) for one in fields(record))


def _built(wanted: Any, data: Any) -> Any:
    origin = get_origin(wanted)
    if origin is tuple:
        return _built_tuple(get_args(wanted), data)
    if origin in (Union, UnionType):
        return _built_optional(get_args(wanted), data)
    if wanted in _PLAIN:
        return _checked(wanted, data)
    if isinstance(wanted, type):
        maker = _maker(wanted)
        if maker is not None:
            return maker(_checked(str, data))
        if is_dataclass(wanted):
            types = _types(wanted)
            parts = _list_of(data, len(types))
            return wanted(**{name: _built(kind, one) for (name, kind), one in zip(types, parts, strict=True)})
    raise TypeError(f"no form for {wanted}")


def _maker(wanted: type) -> Callable[[str], Any] | None:
    if wanted is ProvisionId:
        return ProvisionId.parse
    if wanted is date:
        return date.fromisoformat
    return wanted if wanted is WorkId or issubclass(wanted, Enum) else None


def _built_tuple(kinds: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_built(kinds[0], one) for one in _list_of(data))
    return tuple(_built(kind, one) for kind, one in zip(kinds, _list_of(data, len(kinds)), strict=True))


def _built_optional(kinds: tuple[Any, ...], data: Any) -> Any:
    others = [kind for kind in kinds if kind is not NoneType]
    if len(others) != 1 or len(others) == len(kinds):
        raise TypeError(f"no form for one of {kinds}")
    return None if data is None else _built(others[0], data)


def _checked(kind: type, data: Any) -> Any:
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is not kind:
        raise ValueError(f"a {type(data).__name__} where a {kind.__name__} was kept")
    return data


def _list_of(data: Any, length: int | None = None) -> list[Any]:
    if not isinstance(data, list) or (length is not None and len(data) != length):
        raise ValueError("another number of parts than was kept")
    return data
