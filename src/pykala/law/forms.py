"""The forms that every result has: a dictionary, JSON, HTML for notebooks.

What the forms hold is registered by the rooms that know it (`as_record.register`), so that the vocabulary of
the law needs none of them.
"""

from __future__ import annotations

import json
from functools import singledispatch
from html import escape


@singledispatch
def as_record(value: object) -> dict[str, object]:
    """A result under the names that the documentation promises."""
    raise TypeError(f"{type(value).__name__} has no record")


@singledispatch
def as_html(value: object) -> str:
    """A result as HTML, for notebooks; one that has no form of its own, by its repr."""
    return f"<pre>{escape(repr(value))}</pre>"


class Result:
    """What a library hands out."""

    __slots__ = ()

    def to_dict(self) -> dict[str, object]:
        """The result as plain data, under names that stay."""
        return as_record(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """The result as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def _repr_html_(self) -> str:
        return as_html(self)


def shortened(text: str, most: int = 60) -> str:
    """A text on one line for a repr, cut at a word."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most].rsplit(' ', 1)[0]} …"
