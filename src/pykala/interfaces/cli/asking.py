"""`pykala ask`: one question, or a file of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from pykala.answer.record import Json
from pykala.answer.replay import answer_record, library_fingerprint
from pykala.interfaces.advising import second_opinion_on
from pykala.interfaces.cli import render
from pykala.interfaces.cli.arguments import day_of, language_of
from pykala.interfaces.cli.batch import batch_answers, lines_of
from pykala.interfaces.cli.session import (
    AsJson,
    AsOf,
    Jurisdiction,
    Language,
    LibraryOption,
    reading,
    write,
)
from pykala.interfaces.cli.terminal import json_text, readable
from pykala.settings import Settings

if TYPE_CHECKING:
    from pykala.online import Online


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("ask")(ask_command)


def ask_command(
    question: Annotated[
        str | None, typer.Argument(help="A question about law, in any of the languages.")
    ] = None,
    as_of: AsOf = None,
    language: Language = None,
    jurisdiction: Jurisdiction = None,
    library: LibraryOption = None,
    batch: Annotated[
        Path | None,
        typer.Option("--batch", help="JSON lines with id, question, as_of, jurisdiction, language."),
    ] = None,
    online: Annotated[
        bool,
        typer.Option(
            "--online", help="Where the library has no good answer, ask the publishers and try again."
        ),
    ] = False,
    deadline: Annotated[
        float, typer.Option("--deadline", min=1, max=600, help="Seconds that --online may take.")
    ] = 20.0,
    no_draft: Annotated[
        bool, typer.Option("--no-draft", help="The law's own words, though PYKALA_MODEL is set.")
    ] = False,
    second_opinion: Annotated[
        bool,
        typer.Option(
            "--second-opinion",
            help="Beside the answer, what the web says, by PYKALA_SECOND_OPINION: not law, not checked.",
        ),
    ] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Look nothing up that was kept.")] = False,
    as_json: AsJson = False,
) -> None:
    """Answer a question with the provisions that govern it on a date."""
    if (question is None) == (batch is None) or (question is not None and not question.strip()):
        raise typer.BadParameter("give a question, or --batch FILE.jsonl")
    with reading(library) as opened:
        if no_cache:
            opened.options = replace(opened.options, cache=False)
        publishers = _online(deadline) if online else None
        if batch is not None:
            defaults = {"as_of": as_of, "language": language, "jurisdiction": jurisdiction}
            day_of(as_of), language_of(language)  # a mistake there is not one of every line
            for line in batch_answers(
                opened,
                lines_of(batch),
                defaults,
                draft=not no_draft,
                online=publishers,
                second_opinion=second_opinion,
            ):
                sys.stdout.write(json_text(line) + "\n")
            return
        assert question is not None
        answer = opened.ask(
            readable(question),
            as_of=day_of(as_of),
            language=language_of(language),
            jurisdiction=jurisdiction,
            draft=not no_draft,
            online=publishers,
        )

        def record() -> Json:
            kept = answer_record(answer, jurisdiction=jurisdiction, library=library_fingerprint(opened.store))
            beside = {"second_opinion": second_opinion_on(answer, opened)} if second_opinion else {}
            return {**kept, **beside}

        def draw(console: Console) -> None:
            render.answer(console, answer)
            if second_opinion:  # the law is read while the web is asked
                told = second_opinion_on(answer, opened)
                render.second_opinion(console, told, spoken=answer.language)

        write(as_json, record, draw)


def _online(deadline: float) -> Online:
    from pykala.online import Online  # what the network needs is loaded only by who goes there

    return Online(Settings.read().cache / "fetched", deadline=deadline)
