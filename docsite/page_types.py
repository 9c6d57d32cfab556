"""The types of the page, from the records that OpenAPI is made of.

`python -m docsite.page_types` writes them into the page's `contract.js`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import TypeAdapter

from pykala.interfaces.records import law, library
from pykala.interfaces.records.answers import AnswerPage
from pykala.interfaces.web import STATIC
from pykala.records.answers import Cited
from pykala.records.law import Comparison, Document
from pykala.records.record import Record

FILE: Final = STATIC / "modules" / "contract.js"
#: The records that the page reads; those that they hold come with them.
_READ: Final[Sequence[type[Record]]] = (
    AnswerPage,
    Document,
    law.Provision,
    library.Jurisdictions,
    library.JobLine,
    Cited,
    Comparison,
)
#: Names that the page's modules know otherwise: a browser has a Document of its own.
_NAMES: Final[Mapping[str, str]] = {
    "AnswerPage": "Answer",
    "Document": "Document_",
    "Provision": "Shown",
    "Quote": "Citation",
    "Supporting": "Support",
}
_HEAD: Final = """\
// @ts-check
// The shapes that the server answers with: types only. `python -m docsite.page_types` writes this file from
// the records that the OpenAPI document is made of; a test holds the two together.

// What the page sends.
/** @typedef {{ question: string, as_of: string | null, jurisdiction: string | null,
 *   language: string | null }} Before */
/** @typedef {Before & { home?: string, second_opinion?: boolean, online?: boolean,
 *   after?: Before | null }} Request */
"""
_SHORT: Final = 200  # characters of a type that is written on one line
_PLAIN: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def contract() -> str:
    """The whole file."""
    schemas: dict[str, dict[str, Any]] = {}
    for record in _READ:
        found = TypeAdapter(record).json_schema(mode="serialization", ref_template="{model}")
        schemas |= found.pop("$defs", {})
        if "$ref" not in found:  # one that holds itself is among its own definitions
            schemas[record.__name__] = found
    called = {name: _NAMES.get(name, name) for name in schemas}
    parts = [_HEAD, "// What the server answers."]
    for schema in sorted(schemas, key=lambda schema: called[schema]):
        parts += _typedef(called[schema], schemas[schema], called)
    return "\n".join(parts) + "\n\nexport {};\n"


def _typedef(name: str, schema: Mapping[str, Any], called: Mapping[str, str]) -> Iterator[str]:
    if "properties" not in schema:
        yield f"/** @typedef {{{_type(schema, called)}}} {name} */"
        return
    required = set(schema.get("required", ()))
    typed = {key: _type(value, called) for key, value in schema["properties"].items()}
    short = ", ".join(f"{key}{'' if key in required else '?'}: {kind}" for key, kind in typed.items())
    if len(short) <= _SHORT:
        more = " & Record<string, unknown>" if schema.get("additionalProperties") is True else ""
        yield f"/** @typedef {{{{ {short} }}{more}}} {name} */"
        return
    yield f"\n/**\n * @typedef {{object}} {name}"
    for key, kind in typed.items():
        yield f" * @property {{{kind}}} {key if key in required else f'[{key}]'}"
    yield " */"


def _type(schema: Mapping[str, Any], called: Mapping[str, str]) -> str:
    """A schema as TypeScript writes it."""
    if "$ref" in schema:
        return called[schema["$ref"]]
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{one}"' for one in schema["enum"])
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(_type(one, called) for one in schema[several]))
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(one, called) for one in schema['prefixItems'])}]"
        item = _type(schema.get("items", {}), called)
        return f"({item})[]" if "|" in item else f"{item}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values, called) if isinstance(values, dict) else 'unknown'}>"
    return _PLAIN.get(str(schema.get("type")), "unknown")


if __name__ == "__main__":
    FILE.write_text(contract(), encoding="utf-8")
