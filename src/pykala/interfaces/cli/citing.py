"""`pykala cite`: find the citations in a text, their targets, and whether the library holds these."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pykala.answer.citations_in import CitationInText
from pykala.interfaces.cli.arguments import day_of, language_of
from pykala.interfaces.cli.render_answer import print_address
from pykala.interfaces.cli.session import AsJson, AsOf, Jurisdiction, LibraryOption, reading, write
from pykala.interfaces.cli.terminal import piped, readable, require_length
from pykala.interfaces.records.from_library import told_of
from pykala.interfaces.records.law import CitationsFromLibrary
from pykala.text.phrases import LANGUAGES, say

MOST_CHARACTERS = 1_000_000
_LONGEST_NAME = 255  # characters of a file name on most systems; a longer text is not one


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("cite")(cite_command)


def cite_command(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT|FILE...", help="A text, a file that holds one, or - for what is piped in."
        ),
    ],
    as_of: AsOf = None,
    language: Annotated[
        str | None, typer.Option("--language", help="fi, sv, en or fr; default: that of the text.")
    ] = None,
    jurisdiction: Jurisdiction = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Find the citations in a text: where they stand, what they mean, whether the library holds it."""
    read = _read(" ".join(words))  # as with a question, the words need no quotation marks
    with reading(library) as opened:
        found = opened.citations(
            read, as_of=day_of(as_of), language=language_of(language), jurisdiction=jurisdiction
        )
        write(
            as_json,
            lambda: CitationsFromLibrary.of(None, citations=found, **told_of(opened, language_of(language))),
            lambda console: _show(console, read, found),
        )


def _read(text: str) -> str:
    """The text, or the contents of the file it names."""
    if text == "-":
        return piped(MOST_CHARACTERS)
    if len(text) <= _LONGEST_NAME and "\0" not in text and Path(text).is_file():
        with Path(text).open("rb") as file:
            data = file.read(4 * MOST_CHARACTERS + 1)
    else:
        data = readable(text).encode()
    read = data.decode("utf-8", "replace")
    require_length(read, MOST_CHARACTERS)
    return read


def _show(console: Console, text: str, found: tuple[CitationInText, ...]) -> None:
    if not found:
        console.print("No citations found.")
        return
    starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == "\n")]
    line = 0
    for one in found:
        while line + 1 < len(starts) and starts[line + 1] <= one.start:
            line += 1
        place = f"{line + 1}:{one.start - starts[line] + 1}"
        console.print(Text.assemble((place, "dim"), " ", (" ".join(one.text.split()), "bold")))
        for target in one.targets:
            absent = "" if target.held else "  (not in this library)"
            # Of an act that is not held there is no citation, only its identifier.
            identifier = str(target.provision)
            also = f"  {identifier}" if identifier != target.citation else ""
            target_line = Text.assemble(target.citation, (also, "dim"), absent)
            console.print(Padding(target_line, (0, 0, 0, 4)))
            print_address(console, target.url, 4)
        if not one.targets:
            console.print(Text(f"    {one.reason}", style="dim"))
        if one.fetch:
            console.print(Text(f"    {say(LANGUAGES[0], 'answer.fetch', command=one.fetch)}"), soft_wrap=True)
    held = sum(bool(one.held) for one in found)
    counted = f"{len(found):,} {'citation' if len(found) == 1 else 'citations'}"
    console.print(Text(f"{counted}, {held:,} held", style="dim"))
