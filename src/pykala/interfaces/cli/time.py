"""The verbs of time: a provision's history, what differs between two dates, what changed in a period."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

import typer

from pykala.interfaces.cli import time_render
from pykala.interfaces.cli.arguments import as_one, day_of, language_of
from pykala.interfaces.cli.session import (
    AsJson,
    Jurisdiction,
    LibraryOption,
    TextLanguage,
    reading,
    write_law,
)
from pykala.interfaces.records.law import changes_record, history_page
from pykala.law.provisions import WorkKind
from pykala.views.time_record import comparison_record


def register(app: typer.Typer) -> None:
    """Add the verbs to the command line."""
    app.command("history")(history_command)
    app.command("diff")(diff_command)
    app.command("changes")(changes_command)


def history_command(
    provision: Annotated[
        list[str],
        typer.Argument(metavar="PROVISION", help="An identifier, or a citation such as TVL 124 §."),
    ],
    language: TextLanguage = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show when a provision, or anything below it, changed, and by which act."""
    with reading(library) as opened:
        found = opened.history(as_one(provision), language=language_of(language))
        write_law(
            opened,
            as_json,
            lambda: history_page(found, opened, language_of(language)),
            lambda console: time_render.history(console, found),
            (found.provision.work.jurisdiction,),
        )


def diff_command(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="PROVISION DATE1 DATE2",
            help="A provision or a whole work, by identifier or citation; the earlier date and the later one,"
            " YYYY-MM-DD.",
        ),
    ],
    language: TextLanguage = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """Show what differs in a provision, or in a whole work, between two dates, word by word."""
    *provision, first, second = _with_dates(words)
    days = _day(first), _day(second)
    if days[1] < days[0]:
        raise typer.BadParameter(f"write the earlier date first: diff … {second} {first}")
    with reading(library) as opened:
        found = opened.diff(as_one(provision), *days, language=language_of(language))
        write_law(
            opened,
            as_json,
            lambda: comparison_record(found),
            lambda console: time_render.comparison(console, found, language_of(language) or ""),
            (found.provision.work.jurisdiction,),
        )


def changes_command(
    since: Annotated[
        str | None, typer.Option("--since", help="The first day, YYYY-MM-DD; default: a year ago.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", help="The last day, YYYY-MM-DD; default: all that is known.")
    ] = None,
    jurisdiction: Jurisdiction = None,
    kind: Annotated[
        str | None, typer.Option("--kind", help="Only works of this kind, such as act or guidance.")
    ] = None,
    library: LibraryOption = None,
    as_json: AsJson = False,
) -> None:
    """List the works whose words changed in a period, and the acts that changed them."""
    a_year_ago = date.today() - timedelta(days=365)  # noqa: DTZ011 - the user's day
    first, last = _day(since) if since else a_year_ago, day_of(until)
    if last is not None and last < first:
        raise typer.BadParameter(f"--until {until} lies before --since {first}")
    if kind is not None and kind not in {one.value for one in WorkKind}:
        raise typer.BadParameter(
            f"{kind!r} is not a kind of works; there are: {', '.join(sorted(one.value for one in WorkKind))}"
        )
    with reading(library) as opened:
        found = opened.changes(first, last, jurisdiction=jurisdiction, kind=kind)
        write_law(
            opened,
            as_json,
            lambda: changes_record(found, opened, first, last),
            lambda console: time_render.changes(console, found, first, last),
            dict.fromkeys(one.work.jurisdiction for one in found),
        )


def _with_dates(words: list[str]) -> list[str]:
    """The words of a provision and, behind them, two dates."""
    if len(words) < 3:
        raise typer.BadParameter(
            f"write a provision and two dates, DATE1 and DATE2: pykala diff {as_one(words[:1])}"
            " 2020-01-01 2026-01-01"
        )
    return words


def _day(text: str) -> date:
    day = day_of(text)
    assert day is not None  # day_of() returns None only for an option that was left out
    return day
