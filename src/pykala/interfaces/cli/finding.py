"""`pykala search`, `show`, `related` and `tree`: provisions as they stand on a date."""

from __future__ import annotations

from typing import Annotated

import typer

from pykala.interfaces.cli import output, render
from pykala.interfaces.cli.arguments import as_one, day_of, has_words, kinds_of, language_of
from pykala.interfaces.cli.session import (
    AsJson,
    AsOf,
    Jurisdiction,
    LibraryOption,
    TextLanguage,
    reading,
    write,
    write_law,
)
from pykala.interfaces.cli.terminal import readable
from pykala.interfaces.exits import warn
from pykala.interfaces.records.from_library import told_of
from pykala.interfaces.records.law import TreeFromLibrary, neighbourhood
from pykala.library.result_forms import shown_record
from pykala.records.law import Found


def register(app: typer.Typer) -> None:
    """Add the verbs to the program."""
    app.command("search")(search_command)
    app.command("show")(show_command)
    app.command("related")(related_command)
    app.command("tree")(tree_command)


def search_command(
    query: Annotated[list[str], typer.Argument(metavar="WORDS", help="Words to look for.")],
    as_of: AsOf = None,
    language: Annotated[
        str | None, typer.Option("--language", help="Only texts in fi, sv, en or fr; default: all.")
    ] = None,
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
    if not has_words(as_one(query)):
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
            warn=warn,
        )
        write_law(
            opened,
            as_json,
            lambda: [Found.of(one) for one in found],
            lambda console: render.results(console, found),
        )


def show_command(
    provision: Annotated[
        list[str],
        typer.Argument(metavar="PROVISION", help="An identifier, or a citation: TVL 124 § 2 mom."),
    ],
    as_of: AsOf = None,
    language: Annotated[
        str | None,
        typer.Option("--language", help="fi, sv, en or fr; default: as cited, else the law's own."),
    ] = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show a provision as it stands on a date."""
    with reading(library) as opened:
        shown = opened.show(as_one(provision), as_of=day_of(as_of), language=language_of(language))
        write(as_json, lambda: shown_record(shown), lambda console: render.shown(console, shown))


def related_command(
    provision: Annotated[list[str], typer.Argument(metavar="PROVISION", help="An identifier or a citation.")],
    hops: Annotated[int, typer.Option("--hops", min=1, max=2, help="How far to walk.")] = 1,
    as_of: AsOf = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show what a provision refers to and what refers to it."""
    with reading(library) as opened:
        day = day_of(as_of) or opened.made_of.today()
        found = opened.related(as_one(provision), as_of=day, hops=hops)
        write_law(
            opened,
            as_json,
            lambda: neighbourhood(found, opened, day),
            lambda console: render.related(console, found),
            (found.provision.work.jurisdiction,),
        )


def tree_command(
    work: Annotated[
        list[str],
        typer.Argument(metavar="WORK", help="A work or a part: an identifier, name or citation."),
    ],
    question: Annotated[
        str | None, typer.Option("--for", help="Only the sections that the contents point at for a question.")
    ] = None,
    as_of: AsOf = None,
    language: TextLanguage = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show an act as a slim tree: numbers, titles, a sentence of each section."""
    with reading(library) as opened:
        if question is not None:
            found = opened.navigate(
                as_one(work), readable(question), as_of=day_of(as_of), language=language_of(language)
            )
            write_law(
                opened,
                as_json,
                lambda: [output.destination_json(one) for one in found],
                lambda console: render.destinations(console, found),
                dict.fromkeys(one.section.work.jurisdiction for one in found),
            )
            return
        tree = opened.tree(as_one(work), as_of=day_of(as_of), language=language_of(language))
        write_law(
            opened,
            as_json,
            lambda: TreeFromLibrary.of(tree, **told_of(opened, language_of(language))),
            lambda console: render.tree(console, tree),
            (tree.id.work.jurisdiction,),
        )
