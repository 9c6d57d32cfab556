"""Parts of route descriptions: the possible errors, and event streams."""

from __future__ import annotations

from typing import Any

from pykala.interfaces.records.library import Problem
from pykala.interfaces.serving.problems import KINDS, MEDIA_TYPE

#: Errors that any guarded route may answer with.
_ALWAYS = (
    "key-required",
    "not-allowed",
    "wrong-origin",
    "wrong-host",
    "too-slow",
    "too-large",
    "invalid-request",
    "too-costly",
    "too-many-requests",
    "internal",
    "library-unusable",
    "timed-out",
)


def events_of(*names: str) -> dict[str, Any]:
    """A stream of server-sent events, each a name (none in OpenAI's shape) and JSON."""
    event: dict[str, Any] = {
        "type": "object",
        "required": ["data"],
        "properties": {"data": {"type": "string", "contentMediaType": "application/json"}},
    }
    if names:
        event["required"] = ["event", "data"]
        event["properties"]["event"] = {"type": "string", "enum": list(names)}
    return {"text/event-stream": {"schema": event}}


def problems(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The error responses of a route: its own, and those common to all."""
    responses: dict[int | str, dict[str, Any]] = {}
    for code in (*codes, *_ALWAYS):
        status, title = KINDS[code]
        example = {
            "type": f"urn:pykala:problem:{code}",
            "title": title,
            "status": status,
            "detail": "What went wrong, why, and what to do next.",
            "code": code,
        }
        responses.setdefault(
            status,
            {
                "description": title,
                "content": {
                    MEDIA_TYPE: {
                        "schema": {"$ref": f"#/components/schemas/{Problem.__name__}"},
                        "example": example,
                    }
                },
            },
        )
    return responses
