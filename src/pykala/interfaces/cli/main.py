"""`pykala`: each verb is a method of the Library.

Exit codes: 0 done, whatever the outcome of a question; 1 a replayed answer changed; 2 the request was not
understood (an unknown provision, date, flag, pack or setting, or a provision not in force on the date); 3 the
library could not be used (none there, locked, damaged, incompatible, disk full); 4 something was held back so
that good law stays; 5 a publisher could not be reached; 130 interrupted.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from pykala.answer.caveats import of_library
from pykala.interfaces.cli import output, render
from pykala.interfaces.cli.arguments import as_one, day_of, kinds_of, language_of
from pykala.interfaces.cli.asking import register as register_ask
from pykala.interfaces.cli.auditing import register as register_audit
from pykala.interfaces.cli.backing import register as register_backup
from pykala.interfaces.cli.caching import register as register_cache
from pykala.interfaces.cli.calibrating import register as register_calibrate
from pykala.interfaces.cli.citing import register as register_cite
from pykala.interfaces.cli.configuring import register as register_config
from pykala.interfaces.cli.evaluating import register as register_evaluate
from pykala.interfaces.cli.evidence import register as register_evidence
from pykala.interfaces.cli.fetching import register as register_fetch
from pykala.interfaces.cli.getting import register as register_get
from pykala.interfaces.cli.mapped_files import end_clearly_on_bus_errors
from pykala.interfaces.cli.serving import register as register_serve
from pykala.interfaces.cli.session import (
    HELD_BACK,
    INTERRUPTED,
    NOT_UNDERSTOOD,
    AsJson,
    AsOf,
    Interrupted,
    Jurisdiction,
    Language,
    LibraryOption,
    clear_errors,
    one_line,
    reading,
    warn,
    write,
)
from pykala.interfaces.cli.terminal import readable
from pykala.interfaces.cli.time import register as register_time
from pykala.interfaces.cli.verbs import VerbGroup
from pykala.interfaces.cli.verifying import register as register_verify
from pykala.interfaces.cli.works import register as register_works
from pykala.library.configured import embedder as configured_embedder
from pykala.library.configured import open_configured
from pykala.library.inbox import require_inbox
from pykala.packs.pack import installed
from pykala.settings import Settings
from pykala.settings_table import SettingsUnreadable
from pykala.stores.embedded.store import EmbeddedStore

INBOX_SECONDS = 2.0

# Typer brings its own copy of Click or Click itself, as the version goes: this is its UsageError.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="pykala",
    cls=VerbGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit codes: 0 done; 1 a replayed answer changed; 2 request not understood; 3 library could not be"
    " used; 4 something was held back so that good law stays; 5 a publisher could not be reached;"
    " 130 interrupted.",
)


def _say_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"pykala {version('pykala')}\n")
        raise typer.Exit


@app.callback()
def program(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Answers questions about law from the law itself, with citations that can be checked."""


register_get(app)
register_ask(app)


@app.command("search")
def search_command(
    query: Annotated[list[str], typer.Argument(metavar="WORDS", help="Words to look for.")],
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
    if not as_one(query).strip():
        raise typer.BadParameter("give words to look for")
    with reading(library) as opened:
        found = opened.search(
            as_one(query),
            as_of=day_of(as_of),
            languages=[known for known in (language_of(language),) if known],
            jurisdictions=[jurisdiction] if jurisdiction else [],
            kinds=kinds_of(kind),
            works=work or [],
            limit=limit,
        )
        if opened.degraded:
            warn(opened.degraded)
        write(
            as_json,
            lambda: [one.to_dict() for one in found],
            lambda console: render.results(console, found, of_library(opened.store.facts())),
        )


@app.command("show")
def show_command(
    provision: Annotated[
        list[str],
        typer.Argument(metavar="PROVISION", help="An identifier, or a citation: TVL 124 § 2 mom."),
    ],
    as_of: AsOf = None,
    language: Language = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show a provision as it stands on a date."""
    with reading(library) as opened:
        shown = opened.show(as_one(provision), as_of=day_of(as_of), language=language_of(language))
        write(as_json, shown.to_dict, lambda console: render.shown(console, shown))


@app.command("related")
def related_command(
    provision: Annotated[list[str], typer.Argument(metavar="PROVISION", help="An identifier or a citation.")],
    hops: Annotated[int, typer.Option("--hops", min=1, max=2, help="How far to walk.")] = 1,
    as_of: AsOf = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show what a provision refers to and what refers to it."""
    with reading(library) as opened:
        found = opened.related(as_one(provision), as_of=day_of(as_of), hops=hops)
        write(as_json, found.to_dict, lambda console: render.related(console, found))


@app.command("inbox")
def inbox_command(
    folder: Annotated[Path, typer.Argument(help="Folder with PDF, DOCX, HTML, MD or TXT files.")],
    library: LibraryOption = None,
    watch: Annotated[bool, typer.Option("--watch", help="Keep watching the folder.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Remove uploads that are no longer there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read your own documents into the library; they never outrank an official source."""
    own = library or Settings.read().library
    held = False
    wait = _every(INBOX_SECONDS) if watch else lambda: False
    with clear_errors():
        require_inbox(folder)  # a mistyped folder must not leave an empty library behind
        with open_configured(own, Settings.read(), writable=True, create=True) as opened:
            for report in opened.inbox(folder, prune=prune, wait=wait):
                write(as_json, partial(output.inbox_json, report), partial(render.inbox, report=report))
                held = bool(report.held)  # as the last look left it
    if held:
        raise typer.Exit(HELD_BACK)


@app.command("tree")
def tree_command(
    work: Annotated[
        list[str],
        typer.Argument(metavar="WORK", help="A work or a part: an identifier, name or citation."),
    ],
    question: Annotated[
        str | None, typer.Option("--for", help="Only the sections that the contents point at for a question.")
    ] = None,
    as_of: AsOf = None,
    language: Language = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show an act as a slim tree: numbers, titles, a sentence of each section."""
    with reading(library) as opened:
        if question is not None:
            found = opened.navigate(
                as_one(work), readable(question), as_of=day_of(as_of), language=language_of(language)
            )
            write(
                as_json,
                lambda: [output.destination_json(one) for one in found],
                lambda console: render.destinations(console, found),
            )
            return
        tree = opened.tree(as_one(work), as_of=day_of(as_of), language=language_of(language))
        write(as_json, tree.as_dict, lambda console: render.tree(console, tree))


@app.command("delete")
def delete_command(
    work: Annotated[str, typer.Argument(help="The work to remove, such as ca:act:E-5.6.")],
    library: LibraryOption = None,
) -> None:
    """Remove a work from the library."""
    with (
        clear_errors(),
        open_configured(library or Settings.read().library, Settings.read(), writable=True) as opened,
    ):
        opened.delete(readable(work))


@app.command("reindex")
def reindex_command(
    library: LibraryOption = None,
    without_vectors: Annotated[
        bool, typer.Option("--without-vectors", help="Search by words alone: no embedder, a smaller library.")
    ] = False,
) -> None:
    """Write the indexes anew from the records, with this version's text analysis and the embedder set."""
    settings = Settings.read()
    with clear_errors():
        embedder = None if without_vectors else configured_embedder(settings)
        EmbeddedStore.reindex(library or settings.library, embedder=embedder)


@app.command("stats")
def stats_command(library: LibraryOption = None, as_json: AsJson = False) -> None:
    """Say how much the library holds."""
    with reading(library) as opened:
        held = opened.stats()
        folder = str(getattr(opened.store, "folder", ""))
        write(
            as_json,
            lambda: output.stats_json(held, folder),
            lambda console: render.stats(console, held, folder),
        )


@app.command("packs")
def packs_command(as_json: AsJson = False) -> None:
    """List the installed jurisdictions."""
    facts = [pack.facts for pack in installed().values()]
    write(
        as_json,
        lambda: [output.pack_json(one) for one in facts],
        lambda console: render.packs(console, facts),
    )


register_time(app)
register_fetch(app)
register_evaluate(app)
register_evidence(app)
register_cite(app)
register_cache(app)
register_calibrate(app)
register_verify(app)
register_audit(app)
register_serve(app)
register_config(app)
register_works(app)
register_backup(app)


def main() -> None:
    """Run the command line."""
    end_clearly_on_bus_errors()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that knows no ä still gets the answer
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; a mistake gets one line that says what to do."""
    try:
        # Not standalone: a mistyped flag would otherwise print the whole usage.
        code = app(list(arguments) or ["--help"], prog_name="pykala", standalone_mode=False)
        if code == INTERRUPTED:
            return _interrupted(_SAFE)
        return code if isinstance(code, int) else 0
    except UsageError as error:
        context, message = getattr(error, "ctx", None), getattr(error, "format_message", error.__str__)()
        path = context.command_path if context else "pykala"
        sys.stderr.write(f"pykala: {one_line(message.rstrip('.'))}; see '{path} --help'\n")
        return NOT_UNDERSTOOD
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted(_SAFE)
    except SettingsUnreadable as error:
        sys.stderr.write(f"pykala: {one_line(str(error))}\n")
        return NOT_UNDERSTOOD
    except Interrupted as interrupted:
        return _interrupted(str(interrupted))
    except BrokenPipeError:  # the reader of our output, such as head, has seen enough
        sys.stderr.close()
        return 0


_SAFE = "what was stored before is safe, and the same command goes on"


def _interrupted(kept: str) -> int:
    sys.stderr.write(f"pykala: interrupted; {kept}\n")
    return INTERRUPTED


def _every(seconds: float) -> Callable[[], bool]:
    def wait() -> bool:
        sleep(seconds)
        return True

    return wait
