"""The reference of Python: the public names, from the package itself."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pykala
import pykala.results

_GROUPS = {
    "Open a library": ("open", "sample", "Library", "Settings"),
    "Ask": ("Answer", "Outcome", "Claim", "Citation", "CitedProvision", "Support", "Conflict", "Caveat",
            "CaveatKind", "Cost", "Stage", "Written", "ContextBlock"),
    "Read": ("Found", "Shown", "Related", "ProvisionHandle", "History", "Comparison", "ActChanges", "Work",
             "WorkKind", "Version", "Validity", "WorkId", "ProvisionId", "Stats", "Report"),
    "Annotate": ("Day", "OneOrMany"),
}  # fmt: skip


def page() -> str:
    """The page of all public names."""
    listed = {name for names in _GROUPS.values() for name in names}
    errors = [name for name in pykala.__all__ if _is_error(name)]
    groups = {**_GROUPS, "Errors": tuple(errors)}
    groups["More"] = tuple(sorted(set(pykala.__all__) - listed - set(errors) - {"__version__"}))
    parts = [
        "# Python names",
        "Generated from the package: `pykala.__all__` and `pykala.results`."
        " How to use them: [Python](../python.md).",
    ]
    for group, names in groups.items():
        if names:
            parts.append(f"## {group}")
            parts += [_entry(name, getattr(pykala, name)) for name in names]
    parts.append("## Types of results")
    parts.append("From `pykala.results`: what the methods above return and results hold, to annotate with.")
    parts += [_entry(name, getattr(pykala.results, name)) for name in pykala.results.__all__]
    return "\n\n".join(parts) + "\n"


def _is_error(name: str) -> bool:
    value = getattr(pykala, name)
    return isinstance(value, type) and issubclass(value, Exception)


def _entry(name: str, value: Any) -> str:
    about = _about(value)
    if not isinstance(value, type):
        if callable(value):
            return f"### {name}\n\n```text\npykala.{name}{_signature(value)}\n```\n\n{about}"
        return f"### {name}\n\n```text\n{_plain(str(value))}\n```"
    parts = [f"### {name}", about]
    if issubclass(value, Enum):
        parts.append(", ".join(f"`{one.name}`" for one in value))
    elif is_dataclass(value):
        shown = [f"- `{one.name}: {_plain(str(one.type))}`" for one in fields(value) if one.name[0] != "_"]
        parts.append("\n".join(shown))
    parts.append("\n".join(_methods(value)))
    return "\n\n".join(part for part in parts if part)


def _about(value: Any) -> str:
    told = inspect.getdoc(value) or ""
    # A dataclass without words of its own is given its signature: that is no description.
    if isinstance(value, type) and told.startswith(f"{value.__name__}("):
        return ""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", told)


def _methods(value: type) -> list[str]:
    rows = []
    for name, member in inspect.getmembers(value):
        if name.startswith("_") or issubclass(value, Enum | Exception):
            continue
        if inspect.isfunction(member) or inspect.ismethod(member):
            rows.append(f"- `{name}{_signature(member)}`: {_first(member)}")
        elif isinstance(member, property):
            rows.append(f"- `{name}`: {_first(member)}")
    return rows


def _first(member: Any) -> str:
    return _about(member).split("\n\n")[0]


def _signature(value: Any) -> str:
    """A signature as people write it: `(question: str, *, as_of: Day | None = None) -> Answer`."""
    signature = inspect.signature(value)
    parts, bare = [], False
    for one in signature.parameters.values():
        if one.name in ("self", "cls"):
            continue
        if one.kind is one.KEYWORD_ONLY and not bare:
            parts.append("*")
        bare = bare or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        typed = "" if one.annotation is one.empty else f": {_type(one.annotation)}"
        default = "" if one.default is one.empty else f" = {_default(one.default)}"
        parts.append(f"{stars}{one.name}{typed}{default}")
    result = (
        "" if signature.return_annotation is signature.empty else f" -> {_type(signature.return_annotation)}"
    )
    return f"({', '.join(parts)}){result}"


def _type(annotation: Any) -> str:
    return _plain(annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))


def _default(value: Any) -> str:
    # A function prints its address, which differs from run to run.
    return getattr(value, "__name__", None) or repr(value)


def _plain(text: str) -> str:
    """Types by their own names, without the modules they are in."""
    return re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", text)
