"""What people see in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pykala.inbox import InboxReport
from pykala.ingest import Report
from pykala.law.answers import Answer, Caveat, CaveatKind, CitedProvision, Outcome
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Version
from pykala.law.validity import Validity
from pykala.library import Found, Related, Shown
from pykala.packs.pack import PackFacts
from pykala.retrieve.navigate import Destination
from pykala.retrieve.tree import TreeNode
from pykala.stores.store import Stats
from pykala.text.phrases import LANGUAGES, retold, say

_STYLES = {
    Outcome.ANSWERED: "bold green",
    Outcome.GUIDANCE: "bold yellow",
    Outcome.SILENT: "bold yellow",
    Outcome.OUTSIDE_CORPUS: "bold yellow",
    Outcome.UNAVAILABLE: "bold red",
}
_ABOUT_ACTS = "metadata"  # the strategy of answers about acts themselves
_SUPPORT_SHOWN = 320
_REFUSALS_SHOWN = 10
_UNRESOLVED_SHOWN = 40  # a whole act may hold thousands


def answer(console: Console, found: Answer) -> None:
    """An answer in its language: the quote in its provision, what bears on it, what to beware of."""
    spoken = found.language
    unknown = found.outcome is Outcome.SILENT and found.strategy == _ABOUT_ACTS
    # Not known to the library: the law has nothing to say about itself.
    word = say(spoken, "outcome.not_known" if unknown else f"outcome.{found.outcome.value}")
    law = say(spoken, "shown.law_on", day=found.as_of)
    console.print(Text.assemble((word, _STYLES[found.outcome]), f"  ·  {law}"))
    if reason := _why_that_day(found):
        console.print(Text(reason, style="dim"))
    console.print()
    if found.primary is None or found.writer or found.strategy == _ABOUT_ACTS:
        console.print(Text(found.text))
    if found.primary is not None:
        if found.writer or found.strategy == _ABOUT_ACTS:
            console.print()
        citation = next((one for claim in found.claims for one in claim.citations), None)
        quoted = (citation.start, citation.end) if citation else None
        _provision(console, found.primary, quoted, spoken=spoken)
    if found.support:
        console.print()
        console.print(Text(_beside(found), style="bold"))
        for number, support in enumerate(found.support, start=2 if found.primary else 1):
            # Where nothing answers, all are there for the one reason that the heading gives.
            told = found.primary is not None or found.strategy == _ABOUT_ACTS
            relation = retold(spoken, "relation", support.relation) if told else ""
            _support(console, number, support.cited, relation)
    if found.fetched:
        console.print()
        console.print(say(spoken, "shown.fetched", works=", ".join(found.fetched)))
    _conflicts(console, found)
    # A source that lost a conflict is named above; the caveat is for programs.
    told_apart = (one for one in found.caveats if one.kind is not CaveatKind.OUTRANKED)
    caveats(console, told_apart, spoken=spoken)
    spent = sum(stage.milliseconds for stage in found.trace)
    console.print()
    console.print(Text(f"{spent:.0f} ms  ·  {found.cost.amount:.2f} {found.cost.currency}", style="dim"))


def second_opinion(console: Console, told: Mapping[str, Any], *, spoken: str = LANGUAGES[0]) -> None:
    """What the web says, in a frame of its own, so that nobody takes it for the law's answer above."""
    console.print()
    if told["problem"]:
        problem = say(spoken, "shown.no_second_opinion", problem=str(told["problem"]))
        console.print(Text(problem, style="yellow"))
        return
    rows: list[RenderableType] = [Text(told["text"])]
    if told["links"]:
        rows.append(Text())
    for number, link in enumerate(told["links"], start=1):
        rows.append(Text.assemble((f"[{number}] ", "dim"), link["title"], (f"  {link['url']}", "dim")))
    cost = told["cost"]
    footing = f"{told['provider']}  ·  {told['retrieved_at']}  ·  {cost['amount']:.4f} {cost['currency']}"
    notice = retold(spoken, "shown", str(told["notice"]))
    title = Text(f" {say(spoken, 'shown.second_opinion', notice=notice)} ", style="bold yellow")
    framed = Panel(Group(*rows), title=title, subtitle=Text(footing), border_style="yellow", padding=(0, 1))
    console.print(framed)


def _beside(found: Answer) -> str:
    if found.primary is not None:
        return say(found.language, "shown.beside")
    if found.strategy == _ABOUT_ACTS:
        return say(found.language, "shown.which")
    if found.outcome is Outcome.GUIDANCE:
        return say(found.language, "shown.potentially_related")
    return say(found.language, "shown.nearest")


def _why_that_day(found: Answer) -> str:
    """What in the question says whose law counts; the last stage that moved the date knows best."""
    reasons = (dict(stage.facts).get("as_of_reason") for stage in reversed(found.trace))
    return next((retold(found.language, "day", str(reason)) for reason in reasons if reason), "")


def _provision(
    console: Console,
    cited: CitedProvision,
    highlight: tuple[int, int] | None = None,
    *,
    spoken: str = LANGUAGES[0],
) -> None:
    title = Text.assemble((cited.citation, "bold cyan"), f"  {cited.heading}" if cited.heading else "")
    console.print(title)
    body = Text(cited.text)
    if highlight and highlight[1] > highlight[0]:
        body.stylize("bold", *highlight)
    console.print(Padding(body, (0, 0, 0, 2)))
    facts = [_in_force(cited.validity, spoken), cited.source, cited.url]
    console.print(Padding(Text("  ·  ".join(fact for fact in facts if fact), style="dim"), (0, 0, 0, 2)))


def _support(console: Console, number: int, cited: CitedProvision, relation: str) -> None:
    """A numbered provision; what is too long for a line goes on below its own beginning."""
    title = Text.assemble(
        (cited.citation, "cyan"),
        f"  {cited.heading}".rstrip(),
        (f"  — {relation}" if relation else "", "italic dim"),
    )
    rows = Table.grid()
    rows.add_column(width=4)
    rows.add_column(overflow="fold")
    rows.add_row(Text(f" {number}. ", style="dim"), title)
    rows.add_row("", Text(shortened(cited.text, _SUPPORT_SHOWN)))
    console.print(rows)


def _conflicts(console: Console, found: Answer) -> None:
    if found.conflicts:
        console.print()
        console.print(Text(say(found.language, "shown.disagree"), style="bold red"))
        for conflict in found.conflicts:
            console.print(Padding(Text(conflict.message), (0, 0, 0, 2)))


def caveats(console: Console, found: Iterable[Caveat], *, spoken: str = LANGUAGES[0]) -> None:
    """What to beware of, a line each."""
    rows: list[RenderableType] = [
        Text.assemble((_label(caveat, spoken), "yellow"), caveat.message) for caveat in found
    ]
    if rows:
        console.print()
        console.print(Padding(Group(*rows), (0, 0, 0, 0)))


def _label(caveat: Caveat, spoken: str) -> str:
    return say(spoken, "shown.label", kind=say(spoken, f"caveat_kind.{caveat.kind.value}"))


def results(console: Console, found: Iterable[Found]) -> None:
    """Search results, one a section."""
    empty = True
    for number, one in enumerate(found, start=1):
        empty = False
        match = one.match
        console.print(
            Text.assemble(
                (f"{number:>2}. ", "dim"),
                (one.citation, "bold cyan"),
                (f"  {match.score:.2f}  {match.language}", "dim"),
            )
        )
        console.print(Padding(Text(match.header, style="dim"), (0, 0, 0, 4)))
        console.print(Padding(Text(shortened(match.text, _SUPPORT_SHOWN)), (0, 0, 0, 4)))
        console.print(Padding(Text(f"{match.provision}  {one.url}", style="dim"), (0, 0, 0, 4)))
    if empty:
        console.print("Nothing in force on that date matches. Try fewer words, another language or --as-of.")


def shown(console: Console, found: Shown) -> None:
    """A provision, its dates and what lies below it."""
    _provision(console, found.cited)
    facts = [found.event.value]
    if found.by:
        facts.append(f"by {found.by}")
    if found.version.application:
        facts.append(found.version.application)
    facts.append(f"held in {', '.join(found.languages)}")
    if found.standing.cited:
        facts.append(f"cited by {found.standing.cited:,} provisions in {found.standing.works:,} works")
    console.print(Padding(Text("  ·  ".join(facts), style="dim"), (0, 0, 0, 2)))
    if found.children:
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for child in found.children:
            table.add_row(Text(str(child.id), style="cyan"), child.label, child.heading)
        console.print()
        console.print(table)
    caveats(console, found.caveats)


def related(console: Console, found: Related) -> None:
    """A provision's neighbourhood."""
    console.print(Text(str(found.provision), style="bold cyan"))
    if not found.visited:
        console.print("  nothing in the library refers to it, and it refers to nothing in the library")
    for visit in found.visited:
        edge = visit.via
        arrow = "→" if edge.target == visit.provision else "←"
        console.print(
            Text.assemble(
                "  " * visit.hops,
                (f"{arrow} {edge.kind.value:<10} ", "dim"),
                (str(visit.provision), "cyan"),
                f"  “{edge.text}”",
            )
        )
    for reference in found.unresolved[:_UNRESOLVED_SHOWN]:
        console.print(
            Text.assemble(
                ("  ? ", "yellow"), reference.text, (f"  {reference.reason.value} {reference.target}", "dim")
            )
        )
    if len(found.unresolved) > _UNRESOLVED_SHOWN:
        console.print(f"  and {len(found.unresolved) - _UNRESOLVED_SHOWN:,} more; --json lists them all")


def versions(console: Console, chain: Iterable[Version], acts: Mapping[WorkId, str]) -> None:
    """A chain of versions, oldest first; `acts` are those that made them, as they are cited."""
    for version in chain:
        made = version.source_act
        source = f"  by {acts.get(made, str(made))}" if made else ""
        console.print(Text(f"{_in_force(version.validity)}  {version.event.value}{source}", style="bold"))
        console.print(Padding(Text(version.text or version.heading), (0, 0, 1, 2)))


def stats(console: Console, held: Stats, folder: str) -> None:
    """How much a library holds."""
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
    table.add_row("on disk", f"{held.bytes / 1e6:,.1f} MB")
    console.print(table)


def tree(console: Console, root: TreeNode) -> None:
    """A slim tree, a line a node."""
    for depth, node in root.walk():
        line = Text("  " * depth)
        line.append(
            " ".join(part for part in (node.number, node.title) if part), "bold" if node.children else ""
        )
        if node.summary:
            line.append(f"  {node.summary}", "dim")
        console.print(line, overflow="ellipsis", no_wrap=True)


def destinations(console: Console, found: Iterable[Destination]) -> None:
    """The sections that an act's contents point at, a line each."""
    empty = True
    for one in found:
        empty = False
        place = Text.assemble((str(one.section), "cyan"), f"  {one.title}")
        place.append(f"  {' › '.join(one.under)}", "dim")
        console.print(place)
    if empty:
        console.print("Nothing in the contents points at the question; try 'pykala search --work'.")


def inbox(console: Console, report: InboxReport) -> None:
    """What a scan of an inbox did."""
    console.print(
        f"{len(report.added)} files read, {report.unchanged} unchanged, {len(report.replaced)} replaced,"
        f" {len(report.refusals)} refused"
    )
    for name, other in report.copies:
        console.print(Text(f"  {name} is a copy of {other}", style="dim"))
    for refusal in report.refusals:
        console.print(Text.assemble(("  refused ", "yellow"), refusal.path, f": {refusal.reason}"))
    if report.gone and not report.removed:
        console.print(f"  {len(report.gone)} uploads are no longer in the folder; --prune removes them")


def packs(console: Console, found: Iterable[PackFacts]) -> None:
    """The installed jurisdictions."""
    for facts in found:
        console.print(f"{facts.code:<5} {facts.publisher}  ({', '.join(facts.languages)})")


def report(console: Console, done: Report, seconds: float) -> None:
    """What an ingest did."""
    languages = ", ".join(f"{count:,} {language}" for language, count in sorted(done.documents.items()))
    console.print(
        f"{done.read:,} items read ({languages or 'no documents'}), {done.unchanged:,} unchanged,"
        f" {len(done.refusals):,} files refused, {done.passages:,} passages, {done.references:,} references"
        f" in {seconds:,.1f} s"
    )
    for refusal in done.refusals[:_REFUSALS_SHOWN]:
        console.print(Text.assemble(("  refused ", "yellow"), refusal.path, f": {refusal.reason}"))
    if len(done.refusals) > _REFUSALS_SHOWN:
        console.print(f"  and {len(done.refusals) - _REFUSALS_SHOWN:,} more; --json lists them all")
    if done.gone and not done.removed:
        console.print(f"  {len(done.gone):,} works are no longer in the source; --prune removes them")
    if done.kept:
        console.print(
            f"  {len(done.kept):,} works left as they are: the library has them from more files than were"
            " given; give all sources with --from, or --prune to read them from these alone"
        )
    if done.removed:
        console.print(f"  {done.removed:,} works removed")
    for reason, count in _largest(done.unresolved):
        console.print(Text(f"  {count:,} references {reason}", style="dim"))


def _largest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: -pair[1])


def _in_force(validity: Validity, spoken: str = LANGUAGES[0]) -> str:
    if validity.is_pending:
        return say(spoken, "shown.not_yet_in_force")
    if validity.start and validity.end:
        return say(spoken, "shown.from_until", start=validity.start, end=validity.end)
    if validity.start:
        return say(spoken, "shown.from", start=validity.start)
    return say(spoken, "shown.until", end=validity.end) if validity.end else say(spoken, "shown.in_force")


def shortened(text: str, most: int) -> str:
    """A text cut at a word for display; never what is cited."""
    flat = " ".join(text.split())
    if len(flat) <= most:
        return flat
    return flat[:most].rsplit(" ", 1)[0] + " …"
