"""The base class of records: each field has a JSON name and the path of its value in the domain.

`of` makes a record from a domain object, `as_json` writes its JSON. Pydantic reads the same classes for
OpenAPI and MCP where it is installed; nothing here imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from datetime import date, datetime
from enum import Enum
from operator import attrgetter
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from pykala.law.validity import NOT_YET

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Example:
    """An example that the schema shows."""

    value: object

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> Json:
        return {**handler(core), "examples": [self.value]}


@dataclass(frozen=True, slots=True)
class Rounded:
    """Rounds a number to some decimals."""

    decimals: int


class Fixed:
    """Turns a day that is not fixed yet into null."""


Day = Annotated[date, Example("2026-01-01")]
FixedDay = Annotated[Day, Fixed()]
Identifier = Annotated[str, Example("fi:act:1992/1535/sec_124/subsec_2")]
Rounded2 = Annotated[float, Rounded(2)]
Rounded4 = Annotated[float, Rounded(4)]


def json_field(
    about: str = "",
    *,
    path: str = "",
    name: str = "",
    default: Any = MISSING,
    default_factory: Any = MISSING,
    optional: bool = False,
    spread: bool = False,
) -> Any:
    """Describe a field: its meaning, the path of its value in the domain, and its JSON name if different.

    An `optional` field is left out of the JSON where it is None; the facts of a `spread` one stand beside the
    other fields.
    """
    about_it: dict[str, object] = {"path": path, "optional": optional, "spread": spread}
    if about:
        about_it["description"] = about
    if name:
        about_it["alias"] = name
    if default is not MISSING:
        return field(default=default, metadata=about_it)
    if default_factory is not MISSING:
        return field(default_factory=default_factory, metadata=about_it)
    return field(metadata=about_it)


class _Part(NamedTuple):
    """How one field is read and written."""

    field: Field[Any]
    name: str  # in JSON
    path: str
    convert: Callable[[Any], Any]
    spread: bool
    optional: bool


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(json_field,))
class Record:
    """A result with stable field names; subclasses are frozen dataclasses with keyword arguments."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = {"extra": "forbid"}
    _within: ClassVar[str] = ""

    def __init_subclass__(cls, within: str = "") -> None:
        """`within` names the part of the value that has the fields which the value itself lacks."""
        cls._within = within or cls._within
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def of(cls, value: object, **given: object) -> Self:
        """Build a record from a domain object, or from a smaller record.

        `given` are the fields that the value does not hold.
        """
        unknown = given.keys() - {part.field.name for part in _parts(cls)}
        if unknown:
            raise TypeError(f"{cls.__name__} has no {', '.join(sorted(unknown))}")
        copied = isinstance(value, Record)  # a record has the names of its fields already
        inner = attrgetter(cls._within)(value) if cls._within and not copied else value
        found: dict[str, Any] = {}
        for part in _parts(cls):
            name = part.field.name
            path = name if copied or not part.path else part.path
            holder = value if hasattr(value, path.split(".", 1)[0]) else inner
            if name in given:
                found[name] = part.convert(given[name])
            elif hasattr(holder, path.split(".", 1)[0]) or not _has_default(part.field):
                found[name] = part.convert(attrgetter(path)(holder))
        return cls(**found)

    def as_json(self) -> Json:
        """The record as JSON."""
        written: Json = {}
        for part in _parts(type(self)):
            value = getattr(self, part.field.name)
            if part.spread:
                written |= as_json(value)
            elif value is not None or not part.optional:
                written[part.name] = as_json(value)
        return written

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> Any:
        """Describe the JSON: every field is required but the optional ones."""
        schema = handler(core)
        described = handler.resolve_ref_schema(schema)
        for part in _parts(cls):
            if part.spread:
                del described["properties"][part.name]
                described["additionalProperties"] = True
        described["required"] = [
            part.name for part in _parts(cls) if part.name in described["properties"] and not part.optional
        ]
        return schema


_PLAIN = frozenset([str, int, float, bool, type(None)])  # most values are of these
_KNOWN: dict[type[Record], tuple[_Part, ...]] = {}


def as_json(value: Any) -> Any:
    """Convert a record, or a value that contains records, to JSON."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Record):
        return value.as_json()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): as_json(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(one) for one in value]
    return value


def _has_default(one: Field[Any]) -> bool:
    return one.default is not MISSING or one.default_factory is not MISSING


def _parts(cls: type[Record]) -> tuple[_Part, ...]:
    if cls not in _KNOWN:  # not sooner: a field may name a class that is defined below its own
        _KNOWN[cls] = _parts_of(cls)
    return _KNOWN[cls]


def _parts_of(cls: type[Record]) -> tuple[_Part, ...]:
    hints = get_type_hints(cls, include_extras=True)
    return tuple(
        _Part(
            one,
            str(one.metadata.get("alias", one.name)),
            str(one.metadata.get("path", "")),
            _converter(hints[one.name]),
            spread=bool(one.metadata.get("spread")),
            optional=bool(one.metadata.get("optional")),
        )
        for one in fields(cls)  # type: ignore[arg-type]  # subclasses are dataclasses
    )


def _converter(hint: Any) -> Callable[[Any], Any]:
    """The function that converts a domain value to a field's type."""
    origin, given = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(_converter(given[0]), given[1:])
    if origin in (Union, UnionType):
        return _union(given)
    if origin in (list, tuple):
        return _sequence(origin, given)
    if origin is dict:
        inner = _converter(given[1])
        return lambda value: {str(key): inner(one) for key, one in dict(value).items()}
    if isinstance(hint, type) and issubclass(hint, Record):
        return lambda value: value if isinstance(value, Record) else hint.of(value)
    return _text if hint is str else lambda value: value


def _text(value: object) -> str:
    assert value is not None
    return str(value)


def _annotated(convert: Callable[[Any], Any], marks: tuple[object, ...]) -> Callable[[Any], Any]:
    decimals = next((mark.decimals for mark in marks if isinstance(mark, Rounded)), None)
    if decimals is not None:
        return lambda value: round(value, decimals)
    if any(isinstance(mark, Fixed) for mark in marks):
        return lambda value: None if value == NOT_YET else value
    return convert


def _union(given: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Null where the type allows it, also for an empty text."""
    convert = _converter(next(one for one in given if one is not type(None)))
    return lambda value: None if value is None or value == "" else convert(value)


def _sequence(kind: Any, given: tuple[Any, ...]) -> Callable[[Any], Any]:
    if kind is tuple and given[-1] is not Ellipsis:
        converters = [_converter(one) for one in given]
        return lambda value: tuple(convert(one) for convert, one in zip(converters, value, strict=True))
    inner = _converter(given[0])
    return lambda value: kind(inner(one) for one in value)
