"""Write into the library's audit log who asked, uploaded, deleted and exported through this server.

Requests of a matter are always logged, the others where PYKALA_AUDIT says so. A thread of its own writes the
line after the request. The question is logged only if the operator wants that.
"""

from __future__ import annotations

import json
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from starlette.types import Scope

from pykala.interfaces.measures import RequestEnded
from pykala.interfaces.serving.request import RequestSeen
from pykala.stores.cluster.configuration import records_address
from pykala.stores.store import StoreError

_log = logging.getLogger(__name__)
_WAITING: Final = 1_000  # the most requests that wait to be logged
_ASKED: Final = frozenset(
    {
        *("/api/v1/ask", "/api/v1/context", "/api/v1/search", "/api/v1/find", "/api/v1/cite"),
        *("/v1/chat/completions", "/v1/responses", "/mcp"),
    }
)
_UPLOADED: Final = frozenset({"/api/v1/uploads", "/api/v1/library/acts"})
_EXPORTED: Final = "/api/v1/export"
_NOT_OF_THE_LIBRARY: Final = (
    "/api/v1/health",
    "/api/v1/ready",
    "/api/v1/openapi.json",
    "/metrics",
    "/static",
)


def action_of(method: str, route: str) -> str:
    """The action of a request in one word; "" where it does not touch the library."""
    if route in _NOT_OF_THE_LIBRARY or not route.startswith(("/api/", "/v1/", "/mcp")):
        return ""
    if method == "DELETE":
        return "deleted"
    if route in _ASKED:
        return "asked"
    if route == _EXPORTED:
        return "exported"
    return "uploaded" if method == "POST" and route in _UPLOADED else "read"


class AuditWriter:
    """Writes the audit lines of one server process."""

    def __init__(self, address: str, audit: str) -> None:
        from pykala.stores.postgres.answer_records import AnswerRecords
        from pykala.stores.postgres.audit_log import AuditLog

        self._all, self._questions = bool(audit), audit == "questions"
        self._entries = AuditLog(address)
        self.answers = AnswerRecords(address)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pykala-audit")
        self._room = threading.BoundedSemaphore(_WAITING)

    def note(self, scope: Scope, ended: RequestEnded, seen: RequestSeen) -> None:
        """Log a finished request."""
        action = action_of(ended.method, ended.route)
        if not action or not (seen.matter or (self._all and action != "read")):
            return
        if not self._room.acquire(blocking=False):  # the database is slower than the requests come in
            _log.error("request %s is not written down: %s others wait to be", seen.id, f"{_WAITING:,}")
            return
        named = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("work", [""])
        self._thread.submit(self._written, action, named[0] or ended.route, ended.status, seen)

    def _written(self, action: str, subject: str, status: int, seen: RequestSeen) -> None:
        try:
            self._write(action, subject, status, seen)
        except Exception:  # a missing line must be reported, whatever the reason
            _log.exception("request %s is not written down", seen.id)
        finally:
            self._room.release()

    def _write(self, action: str, subject: str, status: int, seen: RequestSeen) -> None:
        question = seen.question if self._questions else ""
        try:
            self._entries.note(
                seen.caller,
                action,
                subject,
                matter=seen.matter,
                request=seen.id,
                status=status,
                question=question,
            )
            if seen.matter and isinstance(seen.answer, dict):
                record = json.dumps(seen.answer, ensure_ascii=False)
                self.answers.keep(seen.matter, str(seen.answer.get("id") or seen.id), seen.caller, record)
        except StoreError as error:
            _log.error("request %s is not written down: %s", seen.id, error)

    def close(self) -> None:
        """Write the remaining lines and close the connection."""
        self._thread.shutdown()
        self._entries.close()


def audit_writer_for(library: Path, audit: str) -> AuditWriter | None:
    """The audit writer of a library in a database; None for a folder."""
    address = records_address(library)
    return AuditWriter(address, audit) if address is not None else None
