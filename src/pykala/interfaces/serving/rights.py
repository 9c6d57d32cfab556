"""Rights of a caller, and the one table of what each right opens: routes, tools of MCP, verbs of the shell.

The guards determine the rights of a request's key and look its route up in the table. What one request asks
for besides (`online`, a second opinion, a tool) calls `require`. If a server has no keys, every caller has
every right. Keys of metrics alone guard /metrics and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pykala.interfaces.serving.problems import Problem


class Right(StrEnum):
    """One right that a key or a token can grant; none includes another."""

    READ = "read"
    UPLOAD = "upload"
    DELETE = "delete"
    FETCH = "fetch"  # requests to other services for an answer: a second opinion, publishers
    INGEST = "ingest"  # new law in the library, from its publishers
    ADMINISTER = "administer"  # the state of the server, not the law
    METRICS = "read metrics"


@dataclass(frozen=True, slots=True)
class Opened:
    """The routes and tools that a right opens."""

    routes: tuple[str, ...] = ()  # method and path
    options: tuple[str, ...] = ()  # fields of requests that need it besides the right for their route
    tools: tuple[str, ...] = ()  # of MCP, which needs the right to read, too
    verbs: tuple[str, ...] = ()  # of the shell, that do the same with the library itself


EVERY_RIGHT = frozenset(Right)
METRICS_PATH = "/metrics"
#: The table. A test holds it against the routes, the tools and the verbs that there are.
OPENED: Final[Mapping[Right, Opened]] = {
    Right.READ: Opened(
        routes=(
            *("POST /api/v1/ask", "POST /api/v1/context", "GET /api/v1/search", "GET /api/v1/find"),
            *("GET /api/v1/provision", "GET /api/v1/document", "GET /api/v1/tree", "GET /api/v1/related"),
            *("GET /api/v1/history", "GET /api/v1/diff", "GET /api/v1/changes", "GET /api/v1/changes.atom"),
            *("POST /api/v1/cite", "GET /api/v1/keywords", "POST /api/v1/export", "GET /api/v1/uploads"),
            *("GET /api/v1/library", "GET /api/v1/library/works", "GET /api/v1/library/unresolved"),
            *("GET /api/v1/matter/answers", "GET /api/v1/caches", "GET /api/v1/rights"),
            *(
                "GET /api/v1/examples",
                "GET /api/v1/jurisdictions",
                "GET /v1/models",
                "GET /v1/models/{model}",
            ),
            *("POST /v1/chat/completions", "POST /v1/responses", "POST /v1/embeddings", "POST /mcp"),
        ),
        tools=(
            *("search_law", "read_provision", "history", "related", "ask_law", "diff", "cite", "changes"),
            *("works", "tree", "retrieve_legislation_context"),
        ),
        verbs=(
            *("ask", "chat", "search", "context", "works", "show", "tree", "history", "diff", "changes"),
            *("related", "cite", "stats", "packs"),
        ),
    ),
    Right.UPLOAD: Opened(routes=("POST /api/v1/uploads",), verbs=("inbox",)),
    Right.DELETE: Opened(
        routes=("DELETE /api/v1/uploads", "DELETE /api/v1/library/works"), verbs=("delete",)
    ),
    Right.FETCH: Opened(options=("online", "second_opinion")),
    Right.INGEST: Opened(
        routes=("GET /api/v1/library/acts", "POST /api/v1/library/acts", "GET /api/v1/job"),
        tools=("fetch", "job"),
        verbs=("fetch",),
    ),
    Right.ADMINISTER: Opened(routes=("GET /api/v1/jobs", "DELETE /api/v1/caches"), verbs=("jobs", "cache")),
    Right.METRICS: Opened(routes=(f"GET {METRICS_PATH}",)),
}
#: Verbs that no server does for its callers: they need the library's files, or the password of its database.
OF_THE_OPERATOR: Final = frozenset(
    {
        *(
            "get",
            "ingest",
            "replay",
            "export",
            "serve",
            "mcp",
            "keys",
            "config",
            "matters",
            "audit-log",
        ),
        *("erase", "retention", "reindex", "copy", "backup", "restore", "verify", "audit"),
        *("evaluate", "calibrate", "bench"),
    }
)
_OF_ROUTE: Final = {route: right for right, opened in OPENED.items() for route in opened.routes}
_OF_TOOL: Final = {tool: right for right, opened in OPENED.items() for tool in opened.tools}
#: The setting that lists the keys with a right.
SETTINGS = {
    Right.READ: "PYKALA_API_KEYS",
    Right.UPLOAD: "PYKALA_UPLOAD_KEYS",
    Right.DELETE: "PYKALA_DELETE_KEYS",
    Right.FETCH: "PYKALA_FETCH_KEYS",
    Right.INGEST: "PYKALA_INGEST_KEYS",
    Right.ADMINISTER: "PYKALA_ADMINISTER_KEYS",
    Right.METRICS: "PYKALA_METRICS_KEYS",
}
#: The rights of the current request; on standard input, the user has all rights.
held: ContextVar[frozenset[Right]] = ContextVar("rights", default=EVERY_RIGHT)


def require(right: Right) -> None:
    """Refuse a caller who lacks a right."""
    if right not in held.get():
        raise Problem(
            "not-allowed",
            f"this key may not {right.value}; who runs the server gives that right in {SETTINGS[right]},"
            f" or with 'pykala keys add NAME --right {_as_word(right)}'",
        )


def without_keys(*, metrics_guarded: bool) -> frozenset[Right]:
    """The rights of a caller whose request needs no key."""
    return EVERY_RIGHT - {Right.METRICS} if metrics_guarded else EVERY_RIGHT


def right_for(method: str, path: str) -> Right:
    """The right that a method and path need; a path that is no route needs the right to read."""
    if path == METRICS_PATH:
        return Right.METRICS
    return _OF_ROUTE.get(f"{method} {path}", Right.READ)


def right_for_tool(name: str) -> Right:
    """The right that a tool of MCP needs."""
    return _OF_TOOL[name]


def _as_word(right: Right) -> str:
    return f"'{right.value}'" if " " in right.value else right.value
