"""`pykala`: each verb is a method of the Library.

Exit codes: 0 done, whatever the outcome of a question; 1 a replayed answer changed; 2 the request was not
understood (an unknown provision, date, flag or pack, or a provision not in force on the date); 3 the library
could not be used (none there, locked, damaged, incompatible, disk full); 130 interrupted.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from time import perf_counter, sleep
from typing import Annotated

import typer

from pykala.configured import open_configured
from pykala.fetch.joined import open_mirrors
from pykala.fetch.mirror import Mirror
from pykala.ingest import Progress
from pykala.interfaces.cli import output, render
from pykala.interfaces.cli.arguments import day_of, kinds_of, language_of
from pykala.interfaces.cli.asking import register as register_ask
from pykala.interfaces.cli.caching import register as register_cache
from pykala.interfaces.cli.calibrating import register as register_calibrate
from pykala.interfaces.cli.citing import register as register_cite
from pykala.interfaces.cli.evaluating import register as register_evaluate
from pykala.interfaces.cli.evidence import register as register_evidence
from pykala.interfaces.cli.fetching import register as register_fetch
from pykala.interfaces.cli.progress import progress_bar
from pykala.interfaces.cli.serving import register as register_serve
from pykala.interfaces.cli.session import (
    INTERRUPTED,
    NOT_UNDERSTOOD,
    AsJson,
    AsOf,
    Jurisdiction,
    Language,
    LibraryOption,
    clear_errors,
    one_line,
    reading,
    write,
)
from pykala.interfaces.cli.terminal import readable
from pykala.interfaces.cli.time import register as register_time
from pykala.library import live_source
from pykala.models.bundled.lazy import bundled_embedder
from pykala.packs.pack import installed, pack_for
from pykala.settings import Settings
from pykala.stores.embedded.store import EmbeddedStore

INBOX_SECONDS = 2.0

# Typer brings its own copy of Click or Click itself, as the version goes: this is its UsageError.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="pykala",
    help="Answers questions about law from the law itself, with citations that can be checked.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit codes: 0 done; 1 a replayed answer changed; 2 request not understood; 3 library could not be"
    " used; 130 interrupted.",
)


register_ask(app)


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
    if not query.strip():
        raise typer.BadParameter("give words to look for")
    with reading(library) as opened:
        found = opened.search(
            readable(query),
            as_of=day_of(as_of),
            languages=[known for known in (language_of(language),) if known],
            jurisdictions=[jurisdiction] if jurisdiction else [],
            kinds=kinds_of(kind),
            works=work or [],
            limit=limit,
        )
        write(
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
    with reading(library) as opened:
        shown = opened.show(readable(provision), as_of=day_of(as_of), language=language_of(language))
        write(as_json, lambda: output.shown_json(shown), lambda console: render.shown(console, shown))


@app.command("related")
def related_command(
    provision: Annotated[str, typer.Argument(help="An identifier or a citation.")],
    hops: Annotated[int, typer.Option("--hops", min=1, max=2, help="How far to walk.")] = 1,
    as_of: AsOf = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show what a provision refers to and what refers to it."""
    with reading(library) as opened:
        found = opened.related(readable(provision), as_of=day_of(as_of), hops=hops)
        write(as_json, lambda: output.related_json(found), lambda console: render.related(console, found))


@app.command("ingest")
def ingest_command(
    pack: Annotated[str, typer.Argument(help="The jurisdiction's pack, such as ca or fi.")],
    source: Annotated[
        list[Path] | None,
        typer.Option("--from", help="A folder, .tar.zst, .tar.gz or .zip; give it once for each source."),
    ] = None,
    library: LibraryOption = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Cores to use.")] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove works that are no longer in the source.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read a source into the library: a folder, an archive, or (without --from) the publisher's own site.

    What is unchanged is skipped, what is broken is refused by name. Several sources that speak of the same
    works are given together: --from A --from B.
    """
    settings = Settings.read()
    folder = library or settings.library
    started = perf_counter()
    with clear_errors():
        pack_for(pack)  # a mistyped pack or source must not leave an empty library behind
        with (
            progress_bar(as_json) as progress,
            _source(pack, source, settings, progress) as mirror,
            open_configured(folder, Settings.read(), writable=True, create=True) as opened,
        ):
            report = opened.ingest(
                pack, mirror, workers=workers or settings.workers, prune=prune, progress=progress
            )
    seconds = perf_counter() - started
    write(
        as_json,
        lambda: output.report_json(report, folder, seconds),
        lambda console: render.report(console, report, seconds),
    )


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
    with clear_errors(), open_configured(own, Settings.read(), writable=True, create=True) as opened:
        for report in opened.inbox(
            folder, prune=prune, wait=_every(INBOX_SECONDS) if watch else lambda: False
        ):
            write(as_json, partial(output.inbox_json, report), partial(render.inbox, report=report))


@app.command("tree")
def tree_command(
    work: Annotated[str, typer.Argument(help="A work or a part of one: an identifier, name or citation.")],
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
                readable(work), readable(question), as_of=day_of(as_of), language=language_of(language)
            )
            write(
                as_json,
                lambda: [output.destination_json(one) for one in found],
                lambda console: render.destinations(console, found),
            )
            return
        tree = opened.tree(readable(work), as_of=day_of(as_of), language=language_of(language))
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
    """Write the indexes anew from the records, with this version's text analysis and embedder."""
    with clear_errors():
        embedder = None if without_vectors else bundled_embedder()
        EmbeddedStore.reindex(library or Settings.read().library, embedder=embedder)


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
register_serve(app)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that knows no ä still gets the answer
            stream.reconfigure(errors="replace")
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
        sys.stderr.write(f"pykala: {one_line(message.rstrip('.'))}; see '{path} --help'\n")
        return NOT_UNDERSTOOD
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("pykala: interrupted; what was published before is safe, the same command goes on\n")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output, such as head, has seen enough
        sys.stderr.close()
        return 0


def _source(
    pack: str, paths: Sequence[Path] | None, settings: Settings, progress: Progress
) -> AbstractContextManager[Mirror]:
    if paths:
        return open_mirrors(paths, spool_folder=settings.cache / "spool")
    return live_source(pack, settings.cache / "snapshots", key=settings.keys.get(pack, ""), progress=progress)


def _every(seconds: float) -> Callable[[], bool]:
    def wait() -> bool:
        sleep(seconds)
        return True

    return wait
