"""Configurations: the options of the read path from TOML, one alone or a table of ablations.

    name = "no graph"           [[row]]
    graph = false               name = "as it is"
    hops = 0
                                [[row]]
                                name = "no graph"
                                graph = false

The keys are the fields of `AskOptions`, and are read from it: an option that is added there can be ablated
here without a change. A key that it does not have is an error that names the nearest.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints

from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions

_ROWS = "row"


class ConfigurationError(ValueError):
    """A configuration that cannot be read; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A name and the options that it stands for."""

    name: str
    options: AskOptions

    @property
    def folder(self) -> str:
        """The name in a form that a folder can have."""
        return re.sub(r"[^\w.]+", "-", self.name.casefold()).strip("-.") or "row"


def read_configuration(path: Path, given: AskOptions = DEFAULT_OPTIONS) -> Configuration:
    """One configuration: a name (default: the file's) and the options that it changes."""
    found = _toml(path)
    if _ROWS in found:
        raise ConfigurationError(f"{path} is a table of ablations; give it as --ablations")
    return _configuration({"name": path.stem, **found}, given, path.name)


def read_ablations(path: Path, given: AskOptions = DEFAULT_OPTIONS) -> tuple[Configuration, ...]:
    """The rows of a table of ablations, each with its options; the first row is the baseline."""
    found = _toml(path)
    rows = found.get(_ROWS)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise ConfigurationError(f'{path} holds no rows; write each as [[row]] with a name = "…"')
    if other := sorted(found.keys() - {_ROWS}):
        raise ConfigurationError(f"{path}: {other[0]!r} stands outside the rows; write it below a [[row]]")
    made = tuple(
        _configuration(row, given, f"{path.name}, row {number}") for number, row in enumerate(rows, start=1)
    )
    seen: dict[str, str] = {}
    for one in made:
        if one.folder in seen:
            raise ConfigurationError(
                f"{path.name}: {one.name!r} and {seen[one.folder]!r} are one name; every row needs its own"
            )
        seen[one.folder] = one.name
    return made


def describe(options: AskOptions, than: AskOptions = DEFAULT_OPTIONS) -> str:
    """The options that differ from others, in TOML: `graph = false, hops = 0`."""
    return ", ".join(
        f"{field.name} = {_written(getattr(options, field.name))}"
        for field in fields(options)
        if getattr(options, field.name) != getattr(than, field.name)
    )


def _configuration(found: Mapping[str, Any], given: AskOptions, where: str) -> Configuration:
    name = found.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ConfigurationError(f'{where} has no name; write name = "…"')
    hints = get_type_hints(AskOptions)
    changes: dict[str, Any] = {}
    for key, value in found.items():
        if key == "name":
            continue
        if key not in hints:
            raise ConfigurationError(f"{where}: {_unknown(key, list(hints))}")
        changes[key] = _value(key, value, hints[key], where)
    try:
        return Configuration(name.strip(), replace(given, **changes))
    except ValueError as error:  # an error of the options themselves
        raise ConfigurationError(f"{where}: {error}") from None


def _unknown(key: str, known: list[str]) -> str:
    near = get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
    return f"{key!r} is not an option; {hint}"


def _value(key: str, value: object, hint: Any, where: str) -> object:
    """Convert a value to the option's type."""
    kinds = [one for one in get_args(hint) if one is not NoneType] if isinstance(hint, UnionType) else [hint]
    for kind in kinds:
        if issubclass(kind, Enum):
            if value in [member.value for member in kind]:
                return kind(value)
        elif kind is float and isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        # True is an int in Python, but nobody writes it for one hop.
        elif isinstance(value, kind) and isinstance(value, bool) == (kind is bool):
            return value
    expected = " or ".join(_expected(kind) for kind in kinds)
    raise ConfigurationError(f"{where}: {key} = {_written(value)} is not {expected}")


def _expected(kind: type) -> str:
    if issubclass(kind, Enum):
        return " or ".join(f'"{member.value}"' for member in kind)
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}.get(
        kind, kind.__name__
    )


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "as the strategy says"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, or not TOML
        raise ConfigurationError(f"{path} is not TOML: {error}") from None
