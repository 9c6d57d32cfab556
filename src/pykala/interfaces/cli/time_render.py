"""Print histories, comparisons and changes in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pykala.interfaces.cli import render, render_answer
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event
from pykala.law.validity import NOT_YET
from pykala.versions.chains import Moment
from pykala.versions.differences import Alteration, Difference, Mark, Piece
from pykala.views.chronicle import ActChanges, Comparison, History

_SIDE_BY_SIDE = 100  # terminal width from which two wordings are shown side by side
_PLACES_SHOWN = 4
_STYLES = {Mark.SAME: "", Mark.REMOVED: "red strike", Mark.ADDED: "bold green"}
#: Without colour, removed and added words are marked as wdiff does.
_BRACKETS = {Mark.SAME: ("", ""), Mark.REMOVED: ("[-", "-]"), Mark.ADDED: ("{+", "+}")}


def history(console: Console, found: History) -> None:
    """Print the days on which a provision changed, then its own versions."""
    console.print(Text(found.citation, style="bold cyan"))
    if not found.moments:
        console.print("  The source tells of no change.")
    for moment in found.moments:
        render_answer.print_hanging(console, _moment(moment, found), 2, 14)
    if found.history_unavailable:
        console.print(Text("  The source does not hold every earlier wording.", style="yellow"))
    if any(version.text for version in found.versions):
        console.print()
        render.versions(console, found)


def _moment(moment: Moment, found: History) -> Text:
    events = ", ".join(_event(event) for event in moment.events)
    by = ", ".join(found.acts.get(act, str(act)) for act in moment.acts)
    places = list(dict.fromkeys(_place(change.provision, found.provision) for change in moment.changes))
    shown = ", ".join(places[:_PLACES_SHOWN])
    if len(places) > _PLACES_SHOWN:
        shown += f" and {len(places) - _PLACES_SHOWN:,} more"
    line = Text.assemble(f"{_day(moment.day):<12}", (events, "bold"))
    if by:
        line.append(f"  by {by}")
    return line.append(f"  {shown}", "dim")


def _place(provision: ProvisionId, within: ProvisionId) -> str:
    below = provision.path[len(within.path) :] if within.contains(provision) else provision.path
    return "/".join(map(str, below)) or str(within.last or within.work)


def comparison(console: Console, found: Comparison, spoken: str = "") -> None:
    """Print the differences between two dates, word by word; unchanged parts are only counted."""
    console.print(Text(found.citation, style="bold cyan"))
    known = [one for one in found.changed if one.alteration is not Alteration.UNKNOWN]
    between = f"between {found.first.isoformat()} and {found.second.isoformat()}"
    console.print(f"  {_counts(found)} {between}" if found.changed else f"  Nothing changed {between}.")
    beside = console.is_terminal and console.width >= _SIDE_BY_SIDE
    for one in known:
        console.print()
        console.print(_heading(one, found.acts))
        if beside and one.alteration is not Alteration.ADDED:
            console.print(_beside(one.pieces, found))
        else:
            console.print(Padding(_inline(one.pieces, colour=console.is_terminal), (0, 0, 0, 2)))
    told = (one for one in found.caveats if one.kind not in render_answer.SHOWN_ABOVE)
    render_answer.caveats(console, told, spoken=spoken)


def _counts(found: Comparison) -> str:
    counts = {
        alteration: sum(one.alteration is alteration for one in found.differences)
        for alteration in Alteration
    }
    return ", ".join(f"{count:,} {alteration.value}" for alteration, count in counts.items() if count)


def _heading(one: Difference, acts: Mapping[WorkId, str]) -> Text:
    line = Text.assemble((str(one.provision), "cyan"), f"  {one.alteration.value}")
    if one.formerly:
        line.append(f" from {one.formerly}")
    if one.source_act:
        line.append(f"  by {acts.get(one.source_act, str(one.source_act))}")
    if one.since:
        line.append(f"  since {one.since.isoformat()}", "dim")
    return line


def _beside(pieces: Iterable[Piece], found: Comparison) -> Padding:
    left, right = Text(), Text()
    for piece in pieces:
        if piece.mark is not Mark.ADDED:
            left.append(piece.text, _STYLES[piece.mark])
        if piece.mark is not Mark.REMOVED:
            right.append(piece.text, _STYLES[piece.mark])
    table = Table(box=None, expand=True, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(found.first.isoformat(), ratio=1)
    table.add_column(found.second.isoformat(), ratio=1)
    table.add_row(left, right)
    return Padding(table, (0, 0, 0, 2))


def _inline(pieces: Iterable[Piece], *, colour: bool) -> Text:
    line = Text()
    for piece in pieces:
        words = piece.text.rstrip()
        before, after = ("", "") if colour else _BRACKETS[piece.mark]
        line.append(f"{before}{words}{after}{piece.text[len(words) :]}", _STYLES[piece.mark])
        if piece.mark is not Mark.SAME and words == piece.text:
            line.append(" ")  # a space between a removed last word and its replacement
    return line


def changes(console: Console, found: Sequence[ActChanges], since: date, until: date | None) -> None:
    """Print the works that changed in a period, with what happened and by which acts."""
    period = f"from {since.isoformat()}" + (f" to {until.isoformat()}" if until else " on")
    if not found:
        console.print(f"Nothing in this library changed {period}. 'pykala stats' shows what it holds.")
        return
    console.print(f"{len(found):,} {'works' if len(found) > 1 else 'work'} changed {period}")
    for one in found:
        events = ", ".join(f"{count:,} {_event(event)}" for event, count in one.events)
        line = Text.assemble((one.citation, "bold cyan"), f"  {events}", (f"  {one.work}", "dim"))
        render_answer.print_hanging(console, line, 0, 4)
        for act, count in one.causes:
            if act is not None:
                caused = Text(f"{count:,} by {one.acts.get(act, str(act))}")
                render_answer.print_hanging(console, caused, 4, 8)


def _event(event: Event | None) -> str:
    return event.value if event else "ended"


def _day(day: date | None) -> str:
    if day == NOT_YET:
        return "not fixed"
    return day.isoformat() if day else "unknown"
