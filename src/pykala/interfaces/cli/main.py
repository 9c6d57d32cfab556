"""`pykala`: each verb is a method of the Library.

Exit codes: 0 done, whatever the outcome of a question; 2 the request was not understood (an unknown
provision, date, flag or pack, or a provision not in force on the date); 3 the library could not be used
(none there, locked, damaged, incompatible, disk full); 130 interrupted.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console

from pykala.answer.record import answer_json
from pykala.fetch.mirror import open_mirror
from pykala.fetch.refusals import MirrorFault
from pykala.ingest import WorkerLost
from pykala.interfaces.cli import output, render
from pykala.law.identifiers import InvalidIdentifier
from pykala.law.provisions import ProvisionKind, WorkKind
from pykala.library import Library
from pykala.packs.pack import UnknownPack, installed, pack_for
from pykala.sample import sample_library
from pykala.settings import Settings
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import NotInForce, StoreError, UnknownProvision

NOT_UNDERSTOOD, LIBRARY_UNUSABLE, INTERRUPTED = 2, 3, 130

# Typer brings its own copy of Click or Click itself, as the version goes: this is its UsageError.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="pykala",
    help="Answers questions about law from the law itself, with citations that can be checked.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit codes: 0 done; 2 request not understood; 3 library could not be used; 130 interrupted.",
)

LibraryOption = Annotated[
    Path | None, typer.Option("--library", help="Folder of the library; default: your own, else the sample.")
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="Date whose law counts, YYYY-MM-DD; default: today.")
]
Language = Annotated[
    str | None, typer.Option("--language", help="fi, sv, en or fr; default: as the question.")
]
Jurisdiction = Annotated[
    str | None, typer.Option("--jurisdiction", help="Only this pack's law, such as fi or ca.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]


@app.command("ask")
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
    as_json: AsJson = False,
) -> None:
    """Answer a question with the provisions that govern it on a date."""
    if (question is None) == (batch is None) or (question is not None and not question.strip()):
        raise typer.BadParameter("give a question, or --batch FILE.jsonl")
    with _opened(library) as opened:
        if batch is not None:
            for line in _batch_answers(opened, batch.read_text("utf-8").splitlines()):
                sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
            return
        assert question is not None
        answer = opened.ask(
            question, as_of=_day(as_of), language=_language(language), jurisdiction=jurisdiction
        )
        _write(as_json, lambda: answer_json(answer), lambda console: render.answer(console, answer))


@app.command("search")
def search_command(
    query: Annotated[str, typer.Argument(help="Words to look for.")],
    as_of: AsOf = None,
    language: Language = None,
    jurisdiction: Jurisdiction = None,
    kind: Annotated[
        list[str] | None, typer.Option("--kind", help="Only this kind, such as act or definition.")
    ] = None,
    work: Annotated[list[str] | None, typer.Option("--work", help="Only this work.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="How many results.")] = 10,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Find provisions in force on a date."""
    with _opened(library) as opened:
        found = opened.search(
            query,
            as_of=_day(as_of),
            languages=[language] if _language(language) and language else [],
            jurisdictions=[jurisdiction] if jurisdiction else [],
            kinds=_kinds(kind),
            works=work or [],
            limit=limit,
        )
        _write(
            as_json,
            lambda: [output.found_json(one) for one in found],
            lambda console: render.results(console, found),
        )


@app.command("show")
def show_command(
    provision: Annotated[str, typer.Argument(help="An identifier, or a citation such as 'TVL 124 § 2 mom'.")],
    as_of: AsOf = None,
    language: Language = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show a provision as it stands on a date."""
    with _opened(library) as opened:
        shown = opened.show(provision, as_of=_day(as_of), language=_language(language))
        _write(as_json, lambda: output.shown_json(shown), lambda console: render.shown(console, shown))


@app.command("related")
def related_command(
    provision: Annotated[str, typer.Argument(help="An identifier or a citation.")],
    hops: Annotated[int, typer.Option("--hops", min=1, max=2, help="How far to walk.")] = 1,
    as_of: AsOf = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show what a provision refers to and what refers to it."""
    with _opened(library) as opened:
        found = opened.related(provision, as_of=_day(as_of), hops=hops)
        _write(as_json, lambda: output.related_json(found), lambda console: render.related(console, found))


@app.command("ingest")
def ingest_command(
    pack: Annotated[str, typer.Argument(help="The jurisdiction's pack, such as ca or fi.")],
    source: Annotated[
        Path | None, typer.Option("--from", help="A folder, .tar.zst, .tar.gz or .zip.")
    ] = None,
    library: LibraryOption = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Cores to use.")] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove works that are no longer in the source.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read a source into the library; what is unchanged is skipped, what is broken is refused by name."""
    settings = Settings.read()
    folder = library or settings.library
    if source is None:
        raise typer.BadParameter(f"say where the files of {pack!r} are, with --from FOLDER_OR_ARCHIVE")
    started = perf_counter()
    with _clear_errors():
        pack_for(pack)  # a mistyped pack or source must not leave an empty library behind
        with (
            open_mirror(source, spool_folder=settings.cache / "spool") as mirror,
            Library.open(folder, writable=True, create=True) as opened,
            _progress(as_json) as progress,
        ):
            report = opened.ingest(
                pack, mirror, workers=workers or settings.workers, prune=prune, progress=progress
            )
    seconds = perf_counter() - started
    _write(
        as_json,
        lambda: output.report_json(report, folder, seconds),
        lambda console: render.report(console, report, seconds),
    )


@app.command("delete")
def delete_command(
    work: Annotated[str, typer.Argument(help="The work to remove, such as ca:act:E-5.6.")],
    library: LibraryOption = None,
) -> None:
    """Remove a work from the library."""
    with _clear_errors(), Library.open(library or Settings.read().library, writable=True) as opened:
        opened.delete(work)


@app.command("reindex")
def reindex_command(library: LibraryOption = None) -> None:
    """Write the indexes anew from the records."""
    with _clear_errors():
        EmbeddedStore.reindex(library or Settings.read().library)


@app.command("stats")
def stats_command(library: LibraryOption = None, as_json: AsJson = False) -> None:
    """Say how much the library holds."""
    with _opened(library) as opened:
        held = opened.stats()
        folder = str(getattr(opened.store, "folder", ""))
        _write(
            as_json,
            lambda: output.stats_json(held, folder),
            lambda console: render.stats(console, held, folder),
        )


@app.command("packs")
def packs_command(as_json: AsJson = False) -> None:
    """List the installed jurisdictions."""
    facts = [pack.facts for pack in installed().values()]
    _write(
        as_json,
        lambda: [output.pack_json(one) for one in facts],
        lambda console: render.packs(console, facts),
    )


def main() -> None:
    """Run the command line."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; a mistake gets one line that says what to do."""
    try:
        # Not standalone: a mistyped flag would otherwise print the whole usage.
        code = app(list(arguments) or ["--help"], prog_name="pykala", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except UsageError as error:
        context, message = getattr(error, "ctx", None), getattr(error, "format_message", error.__str__)()
        path = context.command_path if context else "pykala"
        sys.stderr.write(f"pykala: {message.rstrip('.')}; see '{path} --help'\n")
        return NOT_UNDERSTOOD
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("pykala: interrupted; what was published before is safe, the same command goes on\n")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output, such as head, has seen enough
        sys.stderr.close()
        return 0


@contextmanager
def _opened(folder: Path | None) -> Iterator[Library]:
    """The library asked for, else one's own, else the sample."""
    settings = Settings.read()
    with _clear_errors():
        if folder is None and (settings.library / "library.db").exists():
            folder = settings.library
        if folder is None:
            folder = sample_library(settings.cache, installed())
        with Library.open(folder) as library:
            yield library


@contextmanager
def _clear_errors() -> Iterator[None]:
    """One line that says what to do, and an exit code that programs can tell apart."""
    try:
        yield
    except (UnknownProvision, NotInForce, UnknownPack, InvalidIdentifier, MirrorFault) as error:
        _fail(str(error.args[0]) if error.args else str(error), NOT_UNDERSTOOD)
    except (StoreError, WorkerLost) as error:
        _fail(str(error), LIBRARY_UNUSABLE)


def _fail(message: str, code: int) -> None:
    sys.stderr.write(f"pykala: {message}\n")
    raise typer.Exit(code)


def _language(text: str | None) -> str | None:
    known = sorted({language for pack in installed().values() for language in pack.facts.languages})
    if text is not None and text not in known:
        raise typer.BadParameter(
            f"{text!r} is not a language that is held here; there are: {', '.join(known)}"
        )
    return text


def _kinds(names: Sequence[str] | None) -> Sequence[str]:
    known = {kind.value for kinds in (WorkKind, ProvisionKind) for kind in kinds}
    for name in names or ():
        if name not in known:
            raise typer.BadParameter(f"{name!r} is not a kind; there are: {', '.join(sorted(known))}")
    return names or ()


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not a date; write it as YYYY-MM-DD, such as 2019-12-31"
        ) from None


def _batch_answers(library: Library, lines: Iterable[str]) -> Iterator[dict[str, object]]:
    """One answer a line; a line that cannot be read gives an error in its place and the rest goes on."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        identifier = str(number)
        try:
            asked = json.loads(line)
            identifier = str(asked.get("id", number))
            answer = library.ask(
                asked["question"],
                as_of=date.fromisoformat(asked["as_of"]) if asked.get("as_of") else None,
                language=asked.get("language"),
                jurisdiction=asked.get("jurisdiction"),
                identifier=identifier,
            )
        except (ValueError, KeyError, TypeError, AttributeError, UnknownPack) as error:
            yield {"id": identifier, "error": f"line {number}: {error}"}
        else:
            yield answer_json(answer)


def _write(as_json: bool, data: Callable[[], object], draw: Callable[[Console], None]) -> None:
    if as_json:
        sys.stdout.write(json.dumps(data(), ensure_ascii=False, indent=2) + "\n")
    else:
        draw(Console(highlight=False, soft_wrap=False))


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar with rate and time left, on the error stream so that output stays clean."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda done, total: None
        return
    columns = (
        TextColumn("reading"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    started = perf_counter()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", rate="")

        def advance(done: int, total: int) -> None:
            rate = done / max(perf_counter() - started, 1e-6)
            bar.update(task, completed=done, total=total, rate=f"{rate:,.0f}/s")

        yield advance
