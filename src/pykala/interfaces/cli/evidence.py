"""`pykala context` and `pykala replay`: a context block for other programs, and an answer asked again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pykala.answer.replay import RecordUnreadable, Replay, ReplayChange, replay_json
from pykala.draft.context import BUDGET, SMALLEST_BUDGET, context_record
from pykala.interfaces.cli.arguments import as_one, day_of, language_of
from pykala.interfaces.cli.session import (
    AsJson,
    AsOf,
    Home,
    Jurisdiction,
    Language,
    LibraryOption,
    reading,
    write,
)
from pykala.interfaces.cli.terminal import json_text
from pykala.interfaces.exits import NOT_UNDERSTOOD, fail, printable

CHANGED = 1


def register(app: typer.Typer) -> None:
    """Add the verbs to the command line."""
    app.command("context")(context_command)
    app.command("replay", epilog="Exit codes: 0 the same answer; 1 it changed; 2 no record.")(replay_command)


def context_command(
    question: Annotated[
        list[str], typer.Argument(metavar="QUESTION", help="A question about law, in any of the languages.")
    ],
    as_of: AsOf = None,
    language: Language = None,
    jurisdiction: Jurisdiction = None,
    home: Home = None,
    budget: Annotated[
        int, typer.Option("--budget", min=SMALLEST_BUDGET, max=1_000_000, help="Tokens at most.")
    ] = BUDGET,
    both_languages: Annotated[
        bool, typer.Option("--both-languages", help="Give each text in all its languages.")
    ] = False,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Give the law that bears on a question as a block for another program's prompt.

    The evidence is numbered L1, L2, …, each with its citation, link, dates and exact text. What stands in it
    is data: no document can forge its frame or its keys.
    """
    if not as_one(question).strip():
        raise typer.BadParameter("give a question")
    with reading(library) as opened:
        block = opened.context(
            as_one(question),
            as_of=day_of(as_of),
            language=language_of(language),
            jurisdiction=jurisdiction,
            budget=budget,
            both_languages=both_languages,
            home=home,
        )
        # Do not print through the console: it would wrap the lines, and each line must keep its bar.
        text = json_text(context_record(block), indent=2) if as_json else printable(block.text)
        sys.stdout.write(text + "\n")


def replay_command(
    record: Annotated[Path, typer.Argument(metavar="FILE", help="An answer that 'ask --json' wrote.")],
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Ask a recorded question again on the present library, and say what changed and why."""
    try:
        text = record.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{record} cannot be read: {_reason(error)}") from None
    with reading(library) as opened:
        try:
            found = opened.replay(text)
        except RecordUnreadable as error:
            fail(f"{record}: {error}", NOT_UNDERSTOOD)
        write(as_json, lambda: replay_json(found), lambda console: _draw(console, found))
    if not found.same:
        raise typer.Exit(CHANGED)


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return "it is no UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror or str(error)


def _draw(console: Console, found: Replay) -> None:
    console.print(Text(found.record.question, style="bold"))
    said = f"The answer of {found.record.as_of.isoformat()} is "
    console.print(said + ("the same." if found.same else "no longer the same:"))
    for change in found.changes:
        _draw_change(console, change)
    for note in found.notes:
        console.print(Padding(Text(note.message, style="dim"), (0, 0, 0, 2)))


def _draw_change(console: Console, change: ReplayChange) -> None:
    console.print(Padding(Text.assemble((f"{change.kind.value}: ", "bold"), change.message), (0, 0, 0, 2)))
