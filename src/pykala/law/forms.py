"""The forms that every result has: a dictionary, JSON, HTML for notebooks.

What the forms hold is registered by the rooms that know it (`as_record.register`), so that the vocabulary of
the law needs none of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from dataclasses import fields
from enum import Enum
from functools import singledispatch
from html import escape
from itertools import accumulate


@singledispatch
def as_record(value: object) -> dict[str, object]:
    """A result under the names that the documentation promises."""
    raise TypeError(f"{type(value).__name__} has no record")


@singledispatch
def as_html(value: object) -> str:
    """A result as HTML, for notebooks; one that has no form of its own, by its repr."""
    return f"<pre>{escape(repr(value))}</pre>"


class Result:
    """A result of a library's method."""

    __slots__ = ()

    def to_dict(self) -> dict[str, object]:
        """The result as plain data, under names that stay."""
        return as_record(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """The result as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def _repr_html_(self) -> str:
        return as_html(self)


class Part:
    """What results hold: its repr is one short line, whatever hangs below it."""

    __slots__ = ()

    def __repr__(self) -> str:
        told = [
            f"{one.name}={_brief(value)}"
            for one in fields(self)  # type: ignore[arg-type]  # parts are dataclasses
            if (value := getattr(self, one.name)) not in (None, "", (), False)
        ]
        kept = list(accumulate(told, lambda line, one: f"{line}, {one}"))
        fitting = [line for line in kept if len(line) <= _LONGEST]
        line = fitting[-1] if fitting else kept[0] if kept else ""
        return f"<{type(self).__name__} {line}{' …' if kept and line != kept[-1] else ''}>"


_LONGEST = 160  # characters of a part's fields in its repr


def _brief(value: object) -> str:
    """A value of a field in a repr: trees and lists are counted, not told."""
    if isinstance(value, str) and not isinstance(value, Enum):
        return repr(shortened(value))
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, tuple | list | Mapping | Set):
        return f"({len(value)})"
    return str(value)


def shortened(text: str, most: int = 60) -> str:
    """A text on one line for a repr, cut at a word."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most].rsplit(' ', 1)[0]} …"
