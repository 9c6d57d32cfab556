"""The reference of HTTP, from the OpenAPI document that the server gives out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from docsite.markdown import cell, table
from pykala.interfaces.http.app import application
from pykala.interfaces.serving.library_pool import Opener
from pykala.interfaces.serving.location import LibraryLocation

Json = dict[str, Any]


def document() -> Json:
    """The OpenAPI document; no library is opened for it."""
    nowhere = LibraryLocation(Path("no-library"), None)
    return application(nowhere, cast(Opener, None)).openapi()


def page() -> str:
    """The page of all operations with their parameters and bodies."""
    told = document()
    groups: dict[str, list[str]] = {}
    for path, operations in told["paths"].items():
        for method, operation in operations.items():
            group = operation.get("tags", ["more"])[0]
            groups.setdefault(group, []).append(_operation(told, method, path, operation))
    parts = [
        "# HTTP operations",
        "Generated from the OpenAPI document, which a running server gives out at `/api/v1/openapi.json`."
        " How to use it: [HTTP](../http.md).",
    ]
    for group, operations_told in groups.items():
        parts += [f"## {group.capitalize()}", *operations_told]
    return "\n\n".join(parts) + "\n"


def _operation(told: Json, method: str, path: str, operation: Json) -> str:
    parts = [f"### {method.upper()} {path}", cell(operation.get("summary", "")) + "."]
    if operation.get("description"):
        parts.append(cell(operation["description"]))
    rows = [
        (f"`{one['name']}`", _type(told, one["schema"]), _meaning(one, bool(one.get("required"))))
        for one in operation.get("parameters", [])
    ]
    if rows:
        parts.append(table(("parameter", "type", "meaning"), rows))
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        body = fields_of(told, _resolved(told, content["schema"]))
        if body:
            parts += [f"Body, `{kind}`:", table(("field", "type", "meaning"), body)]
    answers = [code for code in operation["responses"] if code.startswith("2")]
    refusals = [code for code in operation["responses"] if not code.startswith("2")]
    refused = f"; refusals: {', '.join(sorted(refusals))}" if refusals else ""
    parts.append(f"Answers with {' or '.join(sorted(answers))}{refused}.")
    return "\n\n".join(parts)


def fields_of(told: Json, schema: Json) -> list[tuple[str, str, str]]:
    """The fields of an object: name, type and meaning of each."""
    required = set(schema.get("required", ()))
    return [
        (f"`{name}`", _type(told, one), _meaning(_resolved(told, one) | one, name in required))
        for name, one in schema.get("properties", {}).items()
    ]


def _resolved(told: Json, schema: Json) -> Json:
    if "$ref" not in schema:
        return schema
    return cast(Json, told["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])


def _meaning(one: Json, required: bool) -> str:
    # Not a column of its own: on a telephone a table has room for three.
    about = cell(one.get("description") or one.get("schema", {}).get("description") or "")
    return f"**Required.** {about}".rstrip() if required else about


def _type(told: Json, schema: Json) -> str:
    """A type in words: `date`, `list of en, fi, fr, sv`."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        resolved = _resolved(told, schema)
        return _type(told, resolved) if "enum" in resolved else name
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        kinds = [_type(told, one) for one in choices if one.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        values = [str(one) for one in schema["enum"]]
        return (
            ", ".join(values)
            if len(values) <= _FEW
            else f"one of {len(values)}: {', '.join(values[:_FEW])}, …"
        )
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_type(told, schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type") or "anything")


_FEW = 8
