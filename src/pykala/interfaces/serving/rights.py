"""Rights of a caller: read, upload, delete, fetch, read metrics.

The guards say which rights a request's key has; a route that cannot be told by its path asks here. Where a
server has no keys at all, whoever reaches it has every right.
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
    FETCH = "fetch"  # what goes out to other services for the caller, such as a second opinion
    METRICS = "read metrics"


EVERY_RIGHT = frozenset(Right)
#: The variable that gives a right to keys.
SETTINGS = {
    Right.READ: "PYKALA_API_KEYS",
    Right.UPLOAD: "PYKALA_UPLOAD_KEYS",
    Right.DELETE: "PYKALA_DELETE_KEYS",
    Right.FETCH: "PYKALA_FETCH_KEYS",
    Right.METRICS: "PYKALA_METRICS_KEYS",
}
#: The rights of the request that is being answered; on standard input everything is the user's own.
held: ContextVar[frozenset[Right]] = ContextVar("rights", default=EVERY_RIGHT)


def require(right: Right) -> None:
    """Refuse a caller who lacks a right."""
    if right not in held.get():
        raise Problem(
            "not-allowed",
            f"this key may not {right.value}; who runs the server gives that right in {SETTINGS[right]}",
        )


def right_for(method: str, path: str) -> Right:
    """The right that a method and path need."""
    if method == "DELETE":
        return Right.DELETE
    if path == "/metrics":
        return Right.METRICS
    return Right.UPLOAD if method == "POST" and path == "/api/v1/uploads" else Right.READ
