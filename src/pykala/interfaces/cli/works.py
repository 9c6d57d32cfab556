"""`pykala works`: list the library's works."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pykala.interfaces.cli.arguments import as_one, language_of
from pykala.interfaces.cli.render_answer import shortened
from pykala.interfaces.cli.session import AsJson, Jurisdiction, LibraryOption, reading, write_law
from pykala.interfaces.exits import warn
from pykala.interfaces.records.from_library import told_of
from pykala.interfaces.records.library import Works, work_line
from pykala.law.provisions import Work
from pykala.settings import system_language
from pykala.text.phrases import LANGUAGES
from pykala.views.works_by_name import respelled

_MOST_OF_TITLE = 150  # characters; a title of an EU act may fill a screen


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("works")(works_command)


def works_command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="Words of titles, numbers or abbreviations.")
    ] = None,
    language: Annotated[
        str | None,
        typer.Option("--language", help="Of the titles: fi, sv, en or fr; default: your system's."),
    ] = None,
    jurisdiction: Jurisdiction = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many works.")] = 50,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """List the works that the library holds, all or those with some words in their title."""
    spoken = language_of(language) or system_language() or LANGUAGES[0]
    with reading(library) as opened:
        found = opened.works(as_one(words or []), jurisdiction=jurisdiction)
        if words and not found:
            meant = respelled(as_one(words), opened.store.works())
            found = opened.works(meant, jurisdiction=jurisdiction) if meant else ()
            if found:
                warn(f"read {as_one(words)!r} as {meant!r}")
        shown = found[:limit]
        write_law(
            opened,
            as_json,
            lambda: Works(
                total=len(found),
                works=[work_line(work, opened, spoken) for work in shown],
                **told_of(opened, spoken),
            ),
            lambda console: _draw(console, shown, len(found), spoken, as_one(words or [])),
            dict.fromkeys(work.id.jurisdiction for work in shown),
        )


def _draw(console: Console, works: Sequence[Work], total: int, spoken: str, words: str) -> None:
    # Do not print a table: identifiers and titles may be longer than the 80 columns of a terminal.
    for work in works:
        console.print(Text(work.name(spoken), style="bold"))
        if (title := work.title(spoken)) != work.name(spoken):
            console.print(Padding(Text(shortened(title, _MOST_OF_TITLE)), (0, 0, 0, 4)))
        line = Text.assemble((str(work.id), "cyan"), (f"  {work.kind.value}", "dim"))
        console.print(Padding(line, (0, 0, 0, 4)))
    if total > len(works):
        console.print(f"and {total - len(works):,} more; give words, or --limit")
    if not works:
        console.print("No work of this library fits; 'pykala get' and 'pykala fetch' bring more.")
        if words:
            console.print(f"To look for the words inside the works: pykala search {words}")
