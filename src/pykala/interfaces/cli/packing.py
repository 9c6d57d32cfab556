"""`pykala packs`: the installed jurisdictions, and a new one from the template."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pykala.interfaces.cli import render
from pykala.interfaces.cli.session import AsJson, write
from pykala.interfaces.exits import NOT_UNDERSTOOD, fail
from pykala.interfaces.records.library import Pack, ranks_of
from pykala.packs.new_pack import write_pack
from pykala.packs.pack import installed


class Action(StrEnum):
    """What to do with packs."""

    LIST = "list"
    NEW = "new"


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("packs")(packs_command)


def packs_command(
    action: Annotated[
        Action, typer.Argument(metavar="list|new", help="List them, or write a new one.")
    ] = Action.LIST,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The place of a new pack: sweden, new-zealand.")
    ] = "",
    code: Annotated[
        str, typer.Option("--code", help="What its identifiers begin with; else two letters of its name.")
    ] = "",
    language: Annotated[str, typer.Option("--language", help="The language of its law.")] = "en",
    folder: Annotated[
        Path | None, typer.Option("--out", help="Where to write it; else pykala-NAME in this folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the installed jurisdictions, or write the package of a new one that passes its tests."""
    if action is Action.NEW:
        _write_new(name, folder or Path(f"pykala-{name}"), code, language, as_json)
        return
    facts = [pack.facts for pack in installed().values()]
    write(
        as_json,
        lambda: [Pack.of(one, authority=ranks_of(one)) for one in facts],
        lambda console: render.packs(console, facts),
    )


def _write_new(name: str, folder: Path, code: str, language: str, as_json: bool) -> None:
    if not name:
        fail("say which place the pack is for: pykala packs new sweden", NOT_UNDERSTOOD)
    written: list[Path] = []
    try:
        written = write_pack(name, folder, code=code, language=language)
    except (ValueError, FileExistsError) as error:
        fail(str(error), NOT_UNDERSTOOD)
    next_command = f"cd {folder} && pip install --editable . pytest && pytest"
    write(
        as_json,
        lambda: {"folder": str(folder), "files": [str(one) for one in written], "next": next_command},
        lambda console: console.print(
            f"{folder} has {len(written)} files. Next:\n  {next_command}\nThen replace what README.md lists.",
            highlight=False,
            markup=False,
        ),
    )
