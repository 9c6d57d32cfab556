"""`pykala ask`: one question, or a file of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from pykala.answer.record import answer_json, answer_record
from pykala.answer.replay import RecordUnreadable, library_fingerprint, read_record
from pykala.interfaces.advising import second_opinion_on
from pykala.interfaces.cli import render_answer
from pykala.interfaces.cli.arguments import as_one, day_of, has_words, language_of
from pykala.interfaces.cli.batch import batch_answers, lines_of
from pykala.interfaces.cli.exporting import form_of, write_document
from pykala.interfaces.cli.greeting import greet, is_greeting
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
from pykala.interfaces.cli.terminal import console as terminal
from pykala.interfaces.cli.terminal import json_text, piped, readable
from pykala.interfaces.exits import NOT_UNDERSTOOD, fail
from pykala.law.answers import Answer
from pykala.records.answers import Answer as AnswerRecord
from pykala.records.record import Json
from pykala.retrieve.conversation import Turn
from pykala.settings import Settings

if TYPE_CHECKING:
    from pykala.library import Library
    from pykala.online import Online


_MOST_PIPED = 100_000  # characters of a question

Question = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="QUESTION", help="A question about law, in any of the languages; - for what is piped in."
    ),
]
After = Annotated[
    str | None,
    typer.Option(
        "--after",
        metavar="QUESTION|FILE",
        help="What the question goes on from: the one before it, or its answer as 'ask --json' wrote it.",
    ),
]
Batch = Annotated[
    Path | None,
    typer.Option("--batch", help="JSON lines with id, question, as_of, jurisdiction, home, language, after."),
]
AskOnline = Annotated[
    bool,
    typer.Option("--online", help="Where the library has no good answer, ask the publishers and try again."),
]
Deadline = Annotated[
    float, typer.Option("--deadline", min=1, max=600, help="Seconds that --online may take.")
]
NoDraft = Annotated[bool, typer.Option("--no-draft", help="The law's own words, though PYKALA_MODEL is set.")]
WithSecondOpinion = Annotated[
    bool,
    typer.Option(
        "--second-opinion",
        help="Beside the answer, what the web says, by PYKALA_SECOND_OPINION: not law, not checked.",
    ),
]
NoGrading = Annotated[
    bool, typer.Option("--no-grading", help="Answer with the best candidate, however poor its grade.")
]
Export = Annotated[
    Path | None,
    typer.Option("--export", metavar="FILE", help="Also write the answer as a document: .docx, .pdf or .md."),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Look nothing up that was kept.")]


def register(app: typer.Typer) -> None:
    """Add the verbs to the program."""
    app.command("ask")(ask_command)
    app.command("chat")(chat_command)


def ask_command(
    words: Question = None,
    as_of: AsOf = None,
    language: Language = None,
    jurisdiction: Jurisdiction = None,
    home: Home = None,
    library: LibraryOption = None,
    after: After = None,
    batch: Batch = None,
    online: AskOnline = False,
    deadline: Deadline = 20.0,
    no_draft: NoDraft = False,
    second_opinion: WithSecondOpinion = False,
    no_grading: NoGrading = False,
    export: Export = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Answer a question with the provisions that govern it on a date."""
    if (not words) == (batch is None):
        raise typer.BadParameter("give a question, or --batch FILE.jsonl")
    question = _question(words) if words else None
    if question is not None and is_greeting(question) and not as_json:
        greet(terminal())
        return
    if export is not None:
        form_of(export, batch)  # an unknown format must fail before any question is asked
    before = _turn_before(after) if after is not None else None
    with reading(library) as found:
        options = replace(found.options, cache=not no_cache, grading=not no_grading)
        opened = found.with_parts(options=options)
        draft, publishers = not no_draft, _online(deadline) if online else None
        if batch is not None:
            defaults = {"as_of": as_of, "language": language, "jurisdiction": jurisdiction, "home": home}
            day_of(as_of), language_of(language)  # report a mistake in the options once, not for every line
            answers = batch_answers(
                opened,
                lines_of(batch),
                defaults,
                draft=draft,
                online=publishers,
                second_opinion=second_opinion,
            )
            _write_answers(batch, answers)
            return
        assert question is not None
        answer = opened.ask(
            readable(question),
            as_of=day_of(as_of),
            language=language_of(language),
            jurisdiction=jurisdiction,
            draft=draft,
            online=publishers,
            after=before,
            home=home,
        )
        _write_answer(answer, opened, jurisdiction, as_json=as_json, second_opinion=second_opinion)
        if export is not None:
            write_document(export, answer_json(answer, jurisdiction=jurisdiction))


def _write_answers(batch: Path, answers: Iterable[Json]) -> None:
    """Write the answer to each line of a file; fail where no line is a question."""
    understood = read = 0
    for line in answers:
        sys.stdout.write(json_text(line) + "\n")
        read += 1
        understood += "error" not in line
    if not read:
        fail(f"{batch} has no line with a question; give an object a line", NOT_UNDERSTOOD)
    if not understood:
        fail(f"none of the {read:,} lines of {batch} is a question; each line says why", NOT_UNDERSTOOD)


def _write_answer(
    answer: Answer, opened: Library, jurisdiction: str | None, *, as_json: bool, second_opinion: bool
) -> None:
    """Write one answer, as JSON or for readers; the second opinion comes after the law."""

    def record() -> AnswerRecord:
        kept = answer_record(answer, jurisdiction=jurisdiction, library=library_fingerprint(opened.store))
        opinion = second_opinion_on(answer, opened) if second_opinion else None
        return replace(kept, second_opinion=opinion)

    def draw(console: Console) -> None:
        render_answer.answer(console, answer)
        if second_opinion:  # the law is read while the web is asked
            from_web = second_opinion_on(answer, opened)
            render_answer.second_opinion(console, from_web, spoken=answer.language)

    write(as_json, record, draw)


def _question(words: list[str]) -> str:
    """The words of a question, or what is piped in."""
    question = as_one(words)
    if question == "-":
        question = " ".join(piped(_MOST_PIPED).split())
    if not has_words(question):
        raise typer.BadParameter(f"give a question, or --batch FILE.jsonl; {question!r} asks nothing")
    return question


def chat_command(
    as_of: AsOf = None,
    language: Language = None,
    jurisdiction: Jurisdiction = None,
    library: LibraryOption = None,
    no_draft: NoDraft = False,
) -> None:
    """Answer questions one after the other, each a line; one may go on from the one before it.

    A line that says "new" begins anew, and an empty one ends.
    """
    console = terminal()
    with reading(library) as opened:
        day, spoken, before = day_of(as_of), language_of(language), None
        for line in _lines():
            if is_greeting(line):
                greet(console, in_chat=True)
                continue
            if line.casefold() == _ANEW:
                before = None
                continue
            before = opened.ask(
                readable(line),
                as_of=day,
                language=spoken,
                jurisdiction=jurisdiction,
                draft=not no_draft,
                after=before,
            )
            render_answer.answer(console, before)
            console.print()


_ANEW = "new"


def _lines() -> Iterator[str]:
    """Lines that are typed or piped in, until an empty one or the end."""
    while True:
        if sys.stdin.isatty():
            sys.stdout.write("§ ")
            sys.stdout.flush()
        line = sys.stdin.readline().strip()
        if not line:
            return
        yield line


def _turn_before(after: str) -> Turn | str:
    """The previous turn: a record where the text names a file, else the text itself."""
    try:
        is_file = Path(after).is_file()
    except (OSError, ValueError):  # too long for a file name, or with a lone surrogate
        is_file = False
    if not is_file:
        return readable(after)
    try:
        return read_record(Path(after).read_text(encoding="utf-8-sig")).turn
    except (OSError, UnicodeDecodeError, RecordUnreadable) as error:
        raise typer.BadParameter(f"{after} is no answer that 'ask --json' wrote: {error}") from None


def _online(deadline: float) -> Online:
    from pykala.online import Online  # network code, loaded only by those who go online

    return Online(Settings.read().cache / "fetched", deadline=deadline)
