"""Print search results, provisions and reports for people in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pykala.answer.in_words import dates_in_words
from pykala.answer.support import relation
from pykala.ingest import Report
from pykala.interfaces.cli.render_answer import (
    MOST_SHOWN,
    SHOWN_ABOVE,
    caveats,
    print_address,
    print_hanging,
    print_numbered,
    print_provision,
    sample_notice,
    shortened,
)
from pykala.library.inbox import InboxReport
from pykala.library.results import Found, Related, Shown
from pykala.packs.pack import PackFacts
from pykala.retrieve.navigate import Destination
from pykala.retrieve.tree import TreeNode
from pykala.stores.store import Stats
from pykala.text.phrases import LANGUAGES, say
from pykala.views.chronicle import History

_REFUSALS_SHOWN = 10
_UNRESOLVED_SHOWN = 40  # a whole act may have thousands


def results(console: Console, found: Iterable[Found]) -> None:
    """Print search results, one per section."""
    empty = True
    for number, one in enumerate(found, start=1):
        empty = False
        match = one.match
        print_numbered(
            console, number, Text.assemble((one.citation, "bold cyan"), (f"  {match.language}", "dim"))
        )
        console.print(Padding(Text(match.header, style="dim"), (0, 0, 0, 4)))
        console.print(Padding(Text(shortened(match.text, MOST_SHOWN)), (0, 0, 0, 4)))
        upload = match.work.is_upload
        dated = say(LANGUAGES[0], "shown.upload") if upload else dates_in_words(match.validity)
        console.print(Padding(Text(f"{match.provision}  {dated}", style="dim"), (0, 0, 0, 4)))
        print_address(console, one.url, 4)
    if empty:
        console.print("Nothing in force on that date matches. Try fewer words, another language or --as-of.")


def shown(console: Console, found: Shown) -> None:
    """Print a provision, its dates and its children."""
    sample_notice(console, found.caveats, (found.cited.provision.work.jurisdiction,))
    print_provision(console, found.cited)
    facts = [] if found.cited.is_upload else [found.event.value]  # an upload was not enacted
    if found.by:
        facts.append(f"by {found.by}")
    if found.version.application:
        facts.append(found.version.application)
    facts.append(f"held in {', '.join(found.languages)}")
    if known := found.cited.current_to:
        facts.append(say(LANGUAGES[0], "shown.current_to", day=known))
    else:
        facts.append("its source does not say how far it is known")
    if found.standing.cited:
        citing = number_of(found.standing.cited, "provision"), number_of(found.standing.works, "work")
        facts.append("cited by {} in {}".format(*citing))
    console.print(Padding(Text("  ·  ".join(facts), style="dim"), (0, 0, 0, 2)))
    if found.children:
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for child in found.children:
            table.add_row(Text(str(child.id), style="cyan"), child.label, child.heading)
        console.print()
        console.print(table)
    caveats(console, (one for one in found.caveats if one.kind not in SHOWN_ABOVE))


def number_of(count: int, noun: str) -> str:
    """A count with its noun: "1 file", "2 files"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def related(console: Console, found: Related) -> None:
    """Print a provision's neighbourhood."""
    console.print(Text(str(found.provision), style="bold cyan"))
    if not found.visited:
        console.print("  nothing in the library refers to it, and it refers to nothing in the library")
    for visit in found.visited:
        edge = visit.via
        arrow = "→" if edge.target == visit.provision else "←"
        line = Text.assemble(
            (f"{arrow} {relation(visit).value}  ", "dim"), (str(visit.provision), "cyan"), f"  “{edge.text}”"
        )
        print_hanging(console, line, 2 * visit.hops, 2 * visit.hops + 4)
    for reference in found.unresolved[:_UNRESOLVED_SHOWN]:
        line = Text.assemble(
            ("? ", "yellow"), reference.text, (f"  {reference.reason.value} {reference.target}", "dim")
        )
        print_hanging(console, line, 2, 6)
    if len(found.unresolved) > _UNRESOLVED_SHOWN:
        console.print(f"  and {len(found.unresolved) - _UNRESOLVED_SHOWN:,} more; --json lists them all")


def versions(console: Console, found: History) -> None:
    """Print the versions of a provision, oldest first, each with its act."""
    acts, upload = found.acts, found.provision.work.is_upload
    for number, version in enumerate(found.versions):
        if number:
            console.print()
        made = version.source_act
        source = f"  by {acts.get(made, str(made))}" if made else ""
        console.print(
            Text(
                say(LANGUAGES[0], "shown.upload")
                if upload
                else f"{dates_in_words(version.validity)}  {version.event.value}{source}",
                style="bold",
            )
        )
        console.print(Padding(Text(version.text or version.heading), (0, 0, 0, 2)))


def stats(console: Console, held: Stats, folder: str) -> None:
    """Print the size of a library."""
    console.print(Text(folder, style="dim"))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for name, count in held.works.items():
        table.add_row(f"works, {name}", f"{count:,}")
    for name, count in held.documents.items():
        table.add_row(f"documents in {name}", f"{count:,}")
    for name in ("provisions", "versions", "passages", "children", "pairings", "terms", "vectors"):
        table.add_row(name, f"{getattr(held, name):,}")
    for name, count in held.edges.items():
        table.add_row(f"edges, {name}", f"{count:,}")
    for name, count in held.unresolved.items():
        table.add_row(f"references {name}", f"{count:,}")
    for name, days in held.current_to.items():
        period = " to ".join(dict.fromkeys((days["oldest"], days["newest"])))
        table.add_row(f"known to, {name}", period)
    table.add_row("on disk", f"{held.bytes / 1e6:,.1f} MB")
    console.print(table)


def tree(console: Console, root: TreeNode) -> None:
    """Print a tree, one line per node."""
    for depth, node in root.walk():
        line = Text("  " * depth)
        line.append(
            " ".join(part for part in (node.number, node.title) if part), "bold" if node.children else ""
        )
        if node.summary:
            line.append(f"  {node.summary}", "dim")
        console.print(_in_one_line(line, console.width))


def _in_one_line(line: Text, width: int) -> Text:
    """The words of a line that fit; where some do not, a sign of omission in their place."""
    if line.cell_len <= width:
        return line
    kept = line.copy()
    kept.truncate(width - 1)
    kept.right_crop(len(kept.plain) - max(kept.plain.rstrip().rfind(" "), 0))
    return kept.append("…") if kept else line


def destinations(console: Console, found: Iterable[Destination]) -> None:
    """Print the sections that a table of contents points to, one per line."""
    empty = True
    for one in found:
        empty = False
        place = Text.assemble((str(one.section), "cyan"), f"  {one.title}")
        place.append(f"  {' › '.join(one.under)}", "dim")
        console.print(place)
    if empty:
        console.print("Nothing in the contents points at the question; try 'pykala search --work'.")


def inbox(console: Console, report: InboxReport) -> None:
    """Print the result of an inbox scan."""
    console.print(
        f"{number_of(len(report.added), 'file')} read, {report.unchanged} unchanged,"
        f" {len(report.replaced)} replaced, {len(report.refusals)} refused"
    )
    for name in report.mended:
        console.print(Text.assemble(("  text encoded twice was repaired: ", "yellow"), name))
    for name, other in report.copies:
        console.print(Text(f"  {name} is a copy of {other}", style="dim"))
    for refusal in report.refusals:
        console.print(Text.assemble(("  refused ", "yellow"), refusal.path, f": {refusal.reason}"))
    for name, work in report.held:
        console.print(
            Text.assemble(("  left as it was ", "yellow"), f"{work}: {name} cannot be read any more")
        )
    if report.gone and not report.removed:
        console.print(f"  uploads no longer in the folder: {len(report.gone):,}; --prune removes them")


def packs(console: Console, found: Iterable[PackFacts]) -> None:
    """Print the installed jurisdictions."""
    for facts in found:
        console.print(f"{facts.code:<5} {facts.publisher}  ({', '.join(facts.languages)})")


def report(console: Console, done: Report, seconds: float, *, pack: str = "") -> None:
    """Print the result of an ingest; with the pack's code where there are several."""
    languages = ", ".join(f"{count:,} {language}" for language, count in sorted(done.documents.items()))
    read = number_of(done.read, "item")
    counted = ((len(done.refusals), "file"), (done.passages, "passage"), (done.references, "reference"))
    refused, passages, references = (number_of(*one) for one in counted)
    console.print(
        f"{f'{pack}: ' if pack else ''}{read} read ({languages or 'no documents'}),"
        f" {done.unchanged:,} unchanged, {refused} refused, {passages}, {references} in {seconds:,.1f} s"
    )
    for refusal in done.refusals[:_REFUSALS_SHOWN]:
        console.print(Text.assemble(("  refused ", "yellow"), refusal.path, f": {refusal.reason}"))
    if len(done.refusals) > _REFUSALS_SHOWN:
        console.print(f"  and {len(done.refusals) - _REFUSALS_SHOWN:,} more; --json lists them all")
    if done.mended:
        named = ", ".join(done.mended[:_REFUSALS_SHOWN])
        console.print(
            Text.assemble(("  text encoded twice was repaired ", "yellow"), f"{len(done.mended):,}: {named}")
        )
    _held_back(console, done)
    if done.left_out:
        console.print(f"  items of another subject, which were left out: {done.left_out:,}")
    if done.gone and not done.removed and not done.not_pruned:
        console.print(f"  works no longer in the source: {len(done.gone):,}; --prune removes them")
    if done.kept:
        console.print(
            "  works left as they are, which the library has from more files than were given:"
            f" {len(done.kept):,}; give all sources with --from, or --prune to read them from these alone"
        )
    if done.removed:
        console.print(f"  {number_of(done.removed, 'work')} removed")
    for reason, count in _largest(done.unresolved):
        console.print(Text(f"  {count:,} references {reason}", style="dim"))


def _held_back(console: Console, done: Report) -> None:
    """Print what was held back so that good law stays."""
    for held in done.held[:_REFUSALS_SHOWN]:
        console.print(Text.assemble(("  left as it was ", "yellow"), held.work, f": {held.reason}"))
    if len(done.held) > _REFUSALS_SHOWN:
        console.print(f"  and {len(done.held) - _REFUSALS_SHOWN:,} more; --json lists them all")
    if done.not_pruned:
        console.print(Text.assemble(("  nothing removed ", "yellow"), done.not_pruned))


def _largest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: -pair[1])
