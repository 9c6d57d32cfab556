"""`pykala matters`, `erase` and `retention`: documents that only members read, and what is kept of people."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from pykala.interfaces.cli.session import AsJson, LibraryOption, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import NOT_UNDERSTOOD, fail
from pykala.library.configured import open_configured
from pykala.settings import Settings
from pykala.stores.cluster.configuration import records_address

if TYPE_CHECKING:
    from pykala.stores.matters import Matter, Matters

MatterOption = Annotated[str, typer.Option("--matter", help="A matter: organisation/matter.")]
UserOption = Annotated[
    str, typer.Option("--user", help="A person: the name of their key, or user:SUBJECT who signs in.")
]


class Action(StrEnum):
    """What is done with matters."""

    ADD = "add"
    LIST = "list"
    JOIN = "join"
    LEAVE = "leave"
    CLOSE = "close"


def register(app: typer.Typer) -> None:
    """Add the verbs to the program."""
    app.command("matters")(matters_command)
    app.command("erase")(erase_command)
    app.command("retention")(retention_command)


def matters_command(
    action: Annotated[Action, typer.Argument(metavar="add|list|join|leave|close", help="What to do.")],
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="organisation/matter; to join or leave, also organisation."),
    ] = "",
    key: Annotated[str, typer.Option("--key", help="Who joins or leaves: the name of a key.")] = "",
    role: Annotated[
        list[str] | None,
        typer.Option("--role", help="A role of the database that serves it; may be repeated."),
    ] = None,
    days: Annotated[
        int | None, typer.Option("--days", min=0, help="How long a closed matter is kept; else until erased.")
    ] = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Make, list and close matters, whose documents only members read, and manage their members.

    A request names its matter in the header X-Pykala-Matter; commands, in the address: ?matter=NAME.
    """
    if action is not Action.LIST and not name:
        fail(f"say which one: pykala matters {action} organisation/matter", NOT_UNDERSTOOD)
    if action in (Action.JOIN, Action.LEAVE) and not key:
        fail(f"say who: pykala matters {action} {name} --key NAME", NOT_UNDERSTOOD)
    caller = getpass.getuser()
    with _matters(library) as (matters, address):
        if action is Action.ADD:
            with open_configured(address, Settings.read()) as law:
                embedder = law.made_of.sound_embedder
            matters.add(name, embedder=embedder, roles=role or (), caller=caller)
        elif action is Action.JOIN:
            matters.join(name, key, caller=caller)
        elif action is Action.LEAVE:
            matters.leave(name, key, caller=caller)
        elif action is Action.CLOSE:
            matters.end(name, kept_days=days, caller=caller)
        listed = matters.listed()
    write(as_json, lambda: [_told(one) for one in listed], lambda console: _draw(console, listed))


def erase_command(
    matter: MatterOption = "",
    user: UserOption = "",
    keep_matters: Annotated[
        bool, typer.Option("--keep-matters", help="Of a person: keep matters that nobody else belongs to.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    library: LibraryOption = None,
) -> None:
    """Remove a matter, or all that belongs to a person, for good.

    Of a matter: its documents, index, answers, members and what was asked in it. Of a person: keys, answers,
    memberships, what they asked, and matters that nobody else belongs to; a pseudonym stands in the log.
    """
    if bool(matter) is bool(user):
        fail("say what: pykala erase --matter organisation/matter, or --user NAME", NOT_UNDERSTOOD)
    if user:
        _erase_person(user, keep_matters=keep_matters, yes=yes, library=library)
        return
    with _matters(library) as (matters, _):
        if not yes and not typer.confirm(f"Erase {matter}? This cannot be undone"):
            raise typer.Exit(1)
        matters.erase(matter, caller=getpass.getuser())
    write(False, lambda: None, lambda console: console.print(f"{matter} is erased.", markup=False))


def _erase_person(name: str, *, keep_matters: bool, yes: bool, library: Path | None) -> None:
    """Ask with the matters that go, then erase."""
    from pykala.stores.persons import Persons

    with _matters(library) as (_, address), closing(Persons(str(address))) as persons:
        own = () if keep_matters else persons.belongings(name).own_matters
        also = f" and {', '.join(own)}, to which nobody else belongs" if own else ""
        if not yes and not typer.confirm(f"Erase {name}{also}? This cannot be undone"):
            raise typer.Exit(1)
        gone = persons.erase(name, keep_matters=keep_matters, caller=getpass.getuser())
    told = f"{name} is erased: {gone.keys} keys, {gone.answers} answers, {len(own)} matters."
    write(False, lambda: None, lambda console: console.print(told, markup=False))


def retention_command(
    audit_days: Annotated[
        int | None, typer.Option("--audit-days", min=1, help="Also shorten the audit log to so many days.")
    ] = None,
    user_days: Annotated[
        int | None,
        typer.Option("--user-days", min=0, help="Also erase people whose last key ended so many days ago."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be erased.")] = False,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Erase every matter that was closed longer ago than it is kept; for a schedule, such as cron."""
    from pykala.stores.persons import Persons
    from pykala.stores.postgres.audit_log import AuditLog

    caller, forgotten = getpass.getuser(), 0
    people: tuple[str, ...] = ()
    with _matters(library) as (matters, address):
        due = matters.retained()
        if user_days is not None:
            with closing(Persons(str(address))) as persons:
                people = persons.ended(longer_than=timedelta(days=user_days))
                for person in () if dry_run else people:
                    persons.erase(person, keep_matters=True, caller=caller)
        if not dry_run:
            for name in due:
                matters.erase(name, caller=caller)
            if audit_days is not None:
                with closing(AuditLog(str(records_address(address)))) as entries:
                    forgotten = entries.forget(older_than=timedelta(days=audit_days), caller=caller)
    result = {
        "erased": [] if dry_run else list(due),
        "due": list(due),
        "people_due": list(people),
        "log_lines_removed": forgotten,
    }
    write(
        as_json,
        lambda: result,
        lambda console: console.print(
            f"{len(due)} {'to erase' if dry_run else 'erased'}; {forgotten} lines of the log removed"
            + (f"; people: {len(people)}" if user_days is not None else "")
        ),
    )


@contextmanager
def _matters(library: Path | None) -> Iterator[tuple[Matters, Path]]:
    place = library or Settings.read().library
    with clear_errors():
        if records_address(place) is None:
            fail("matters are kept in a library in PostgreSQL (--library postgresql://…)", NOT_UNDERSTOOD)
        from pykala.stores.matters import Matters

        with closing(Matters(str(place))) as matters:
            yield matters, place


def _told(one: Matter) -> dict[str, object]:
    return {
        "name": one.name,
        "created_at": one.created_at.isoformat(),
        "closed_at": one.closed_at.isoformat() if one.closed_at else None,
        "kept_days": one.kept_days,
        "members": list(one.members),
    }


def _draw(console: Console, listed: tuple[Matter, ...]) -> None:
    if not listed:
        console.print("There are no matters.")
        return
    table = Table("matter", "made", "closed", "kept", "members", box=None)
    for one in listed:
        closed = one.closed_at.date().isoformat() if one.closed_at else ""
        kept = f"{one.kept_days} days" if one.kept_days is not None else ""
        table.add_row(one.name, one.created_at.date().isoformat(), closed, kept, ", ".join(one.members))
    console.print(table)
