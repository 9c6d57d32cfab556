"""`pykala audit-log`: who asked, uploaded, deleted and exported."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from pykala.interfaces.cli.session import AsJson, LibraryOption, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import NOT_UNDERSTOOD, fail
from pykala.settings import Settings
from pykala.stores.cluster.configuration import records_address

if TYPE_CHECKING:
    from pykala.stores.postgres.audit_log import Entry


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("audit-log")(audit_log_command)


def audit_log_command(
    matter: Annotated[str, typer.Option("--matter", help="Only of this matter.")] = "",
    caller: Annotated[str, typer.Option("--caller", help="Only of this key or user.")] = "",
    action: Annotated[
        str,
        typer.Option("--action", help="Only this: asked, uploaded, deleted, exported, read, key added, …"),
    ] = "",
    days: Annotated[int | None, typer.Option("--days", min=1, help="Only of the last days.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100_000, help="How many lines.")] = 100,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show who asked, uploaded, deleted and exported, and who changed keys and matters; the newest first."""
    since = datetime.now(UTC) - timedelta(days=days) if days else None
    with clear_errors():
        address = records_address(library or Settings.read().library)
        if address is None:
            fail("the log is kept in a library in PostgreSQL (--library postgresql://…)", NOT_UNDERSTOOD)
        from pykala.stores.postgres.audit_log import AuditLog

        with closing(AuditLog(str(address))) as entries:
            found = entries.read(matter=matter, caller=caller, action=action, since=since, limit=limit)
    write(as_json, lambda: [_told(one) for one in found], lambda console: _draw(console, found))


def _told(one: Entry) -> dict[str, object]:
    return {**asdict(one), "at": one.at.isoformat()}


def _draw(console: Console, found: tuple[Entry, ...]) -> None:
    table = Table("at", "caller", "action", "what", "matter", "status", "question", box=None)
    for one in found:
        at = one.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        status = str(one.status or "")
        table.add_row(at, one.caller, one.action, one.subject, one.matter, status, one.question)
    console.print(table)
