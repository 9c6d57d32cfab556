"""`pykala keys`: API keys in a library's database."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from pykala.interfaces.cli.session import AsJson, LibraryOption, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import NOT_UNDERSTOOD, fail
from pykala.interfaces.serving.rights import Right
from pykala.settings import Settings
from pykala.stores.cluster.configuration import records_address

if TYPE_CHECKING:
    from pykala.stores.postgres.keys import KeyRecord, KeyRing

RIGHTS = tuple(right.value for right in Right)


class Action(StrEnum):
    """What is done with keys."""

    ADD = "add"
    LIST = "list"
    ROTATE = "rotate"
    REVOKE = "revoke"


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("keys")(keys_command)


def keys_command(
    action: Annotated[Action, typer.Argument(metavar="add|list|rotate|revoke", help="What to do.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose key it is, as logs show it.")] = "",
    right: Annotated[
        list[str] | None, typer.Option("--right", help=f"{', '.join(RIGHTS)}; default: read.")
    ] = None,
    days: Annotated[int, typer.Option("--days", min=0, help="Days until a new key ends; 0: never.")] = 365,
    hours: Annotated[
        int, typer.Option("--hours", min=0, help="How long a key still works that was rotated.")
    ] = 24,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Make, list, rotate or revoke keys of the HTTP API, kept in a library in PostgreSQL.

    A key is shown once, when it is made. A revoked one is refused by every server within seconds.
    """
    if action is not Action.LIST and not name.strip():
        fail(f"say whose key it is: pykala keys {action} NAME", NOT_UNDERSTOOD)
    wanted = tuple(right or ("read",))
    if unknown := [one for one in wanted if one not in RIGHTS]:
        fail(f"there is no right {unknown[0]!r}; there are: {', '.join(RIGHTS)}", NOT_UNDERSTOOD)
    with _ring(library) as ring:
        caller = getpass.getuser()
        if action is Action.LIST:
            listed = ring.listed()
            write(as_json, lambda: [_told(one) for one in listed], lambda console: _draw(console, listed))
            return
        if action is Action.REVOKE:
            ended = ring.revoke(name, caller=caller)
            write(as_json, lambda: {"revoked": ended}, lambda console: console.print(f"{ended} revoked"))
            return
        if action is Action.ROTATE:
            key = ring.rotate(name, grace=timedelta(hours=hours), caller=caller)
        else:
            expires_at = datetime.now(UTC) + timedelta(days=days) if days else None
            key = ring.add(name, wanted, expires_at=expires_at, caller=caller)
    write(as_json, lambda: {"name": name, "key": key}, lambda console: console.print(key, soft_wrap=True))


@contextmanager
def _ring(library: Path | None) -> Iterator[KeyRing]:
    with clear_errors():
        address = records_address(library or Settings.read().library)
        if address is None:
            fail(
                "keys are kept in a library in PostgreSQL (--library postgresql://…); the server of a folder"
                " has those of PYKALA_API_KEYS",
                NOT_UNDERSTOOD,
            )
        from pykala.stores.postgres.keys import KeyRing

        ring = KeyRing(str(address))
        try:
            yield ring
        finally:
            ring.close()


def _told(one: KeyRecord) -> dict[str, object]:
    return {
        "name": one.name,
        "rights": sorted(one.rights),
        "created_at": one.created_at.isoformat(),
        "expires_at": one.expires_at.isoformat() if one.expires_at else None,
        "revoked_at": one.revoked_at.isoformat() if one.revoked_at else None,
        "last_used_at": one.last_used_at.isoformat() if one.last_used_at else None,
    }


def _draw(console: Console, listed: tuple[KeyRecord, ...]) -> None:
    table = Table("name", "rights", "made", "ends", "last used", box=None)
    for one in listed:
        ends = "revoked" if one.revoked_at else _day(one.expires_at, "never")
        rights = ", ".join(sorted(one.rights))
        table.add_row(one.name, rights, _day(one.created_at), ends, _day(one.last_used_at))
    console.print(table)


def _day(moment: datetime | None, otherwise: str = "") -> str:
    return moment.date().isoformat() if moment else otherwise
