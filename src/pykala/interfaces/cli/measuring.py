"""`pykala bench`: the speed of a library on this machine."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated

import typer
from rich.console import Console

from pykala.evaluate.speed import Speed, measure, questions_held
from pykala.interfaces.cli.progress import progress_bar
from pykala.interfaces.cli.session import AsJson, LibraryOption, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import NOT_UNDERSTOOD, fail
from pykala.library.chosen import chosen_library
from pykala.library.configured import open_configured
from pykala.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("bench")(bench_command)


def bench_command(
    library: LibraryOption = None,
    questions: Annotated[int, typer.Option("--questions", min=1, max=100_000, help="How many to ask.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Measure how fast the library opens and answers here, with the questions that the packs bring along."""
    settings = Settings.read()
    with clear_errors():
        folder = chosen_library(library, settings)
        with open_configured(folder, settings) as held:
            asked = questions_held(held)
        if not asked:
            fail("the library holds no law that an installed pack has questions for", NOT_UNDERSTOOD)
        with progress_bar(as_json, "asking") as progress:
            found = measure(partial(open_configured, folder, settings), asked, questions, progress)
    write(as_json, lambda: asdict(found), lambda console: _draw(console, found))


def _draw(console: Console, found: Speed) -> None:
    memory = f", {found.memory / 2**20:,.0f} MiB of memory" if found.memory else ""
    console.print(f"opened in {found.opening:,.0f} ms; the first answer took {found.first:,.0f} ms")
    console.print(
        f"{found.questions:,} answers: median {found.median:,.0f} ms, 95 in 100 within {found.p95:,.0f} ms,"
        f" worst {found.worst:,.0f} ms"
    )
    console.print(f"{found.processor:,.0f} ms of processor an answer{memory}")
