"""Rights of a caller: read, upload, delete, fetch, read metrics.

The guards determine the rights of a request's key. A route whose path does not show which right it needs
calls `require`. If a server has no keys, every caller has every right. Keys of metrics alone guard /metrics
and nothing else.
"""

from __future__ import annotations

from contextvars import ContextVar
from enum import StrEnum

from pykala.interfaces.serving.problems import Problem


class Right(StrEnum):
    """One right that a key can grant."""

    READ = "read"
    UPLOAD = "upload"
    DELETE = "delete"
    FETCH = "fetch"  # requests to other services for the caller, such as a second opinion
    METRICS = "read metrics"


EVERY_RIGHT = frozenset(Right)
METRICS_PATH = "/metrics"
#: The setting that lists the keys with a right.
SETTINGS = {
    Right.READ: "PYKALA_API_KEYS",
    Right.UPLOAD: "PYKALA_UPLOAD_KEYS",
    Right.DELETE: "PYKALA_DELETE_KEYS",
    Right.FETCH: "PYKALA_FETCH_KEYS",
    Right.METRICS: "PYKALA_METRICS_KEYS",
}
#: The rights of the current request; on standard input, the user has all rights.
held: ContextVar[frozenset[Right]] = ContextVar("rights", default=EVERY_RIGHT)


def require(right: Right) -> None:
    """Refuse a caller who lacks a right."""
    if right not in held.get():
        raise Problem(
            "not-allowed",
            f"this key may not {right.value}; who runs the server gives that right in {SETTINGS[right]}",
        )


def without_keys(*, metrics_guarded: bool) -> frozenset[Right]:
    """The rights of a caller whose request needs no key."""
    return EVERY_RIGHT - {Right.METRICS} if metrics_guarded else EVERY_RIGHT


def right_for(method: str, path: str) -> Right:
    """The right that a method and path need."""
    if method == "DELETE":
        return Right.DELETE
    if path == METRICS_PATH:
        return Right.METRICS
    return Right.UPLOAD if method == "POST" and path == "/api/v1/uploads" else Right.READ
