"""Print results for people in the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pykala.answer.caveats import shared, without
from pykala.answer.in_words import (
    ABOUT_ACTS,
    dates_in_words,
    grade_in_words,
    law_in_words,
    outcome_in_words,
    standing_in_words,
)
from pykala.answer.places import places_shown
from pykala.ingest import Report
from pykala.law.answers import Answer, Caveat, CaveatKind, CitedProvision, Outcome, Support
from pykala.library.inbox import InboxReport
from pykala.library.results import Found, Related, Shown
from pykala.packs.pack import PackFacts, installed
from pykala.records.answers import SecondOpinion
from pykala.retrieve.navigate import Destination
from pykala.retrieve.place import name_of
from pykala.retrieve.tree import TreeNode
from pykala.stores.store import Stats
from pykala.text.phrases import LANGUAGES, named, say
from pykala.views.chronicle import History

_STYLES = {
    Outcome.ANSWERED: "bold green",
    Outcome.LIKELY: "bold green",
    Outcome.GUIDANCE: "bold yellow",
    Outcome.SILENT: "bold yellow",
    Outcome.OUTSIDE_CORPUS: "bold yellow",
    Outcome.UNAVAILABLE: "bold red",
}
_UPLOAD_STYLE = "bold yellow"
_SHOWN_ABOVE = frozenset({CaveatKind.OUTRANKED, CaveatKind.SAMPLE, CaveatKind.GENERAL_GUIDANCE})
_UPLOADS = "up"  # the reader's own documents come from no publisher
_SUPPORT_SHOWN = 320
_REFUSALS_SHOWN = 10
_UNRESOLVED_SHOWN = 40  # a whole act may hold thousands


def answer(console: Console, found: Answer) -> None:
    """Print an answer in its language: the quote, related provisions, caveats."""
    places = (found.primary.provision.work.jurisdiction,) if found.primary else ()
    sample_notice(console, found.caveats, places, spoken=found.language)
    if found.parts:
        parts = say(found.language, "shown.parts", count=len(found.parts))
        console.print(Text.assemble(_outcome(found), f"  ·  {parts}"))
        _how_understood(console, found)
        once = shared(found.parts)
        for number, part in enumerate(found.parts, start=1):
            console.print()
            console.print(Text(f"{number}. {part.question}", style="bold"))
            _answer(console, without(part, once))
        beyond = any(part.is_beyond for part in found.parts)
        caveats(console, _not_shown_above(once, beyond=beyond), spoken=found.language)
    else:
        _answer(console, found)
    spent = sum(stage.milliseconds for stage in found.trace)
    console.print()
    console.print(Text(f"{spent:.0f} ms  ·  {money(found.cost.amount)} {found.cost.currency}", style="dim"))


def _outcome(found: Answer) -> tuple[str, str]:
    """The outcome in words, and its style."""
    return outcome_in_words(found), _UPLOAD_STYLE if found.from_upload else _STYLES[found.outcome]


def _how_understood(console: Console, found: Answer) -> None:
    if found.standalone:
        told = say(found.language, "shown.understood_as", question=found.standalone)
        console.print(Text(told, style="italic dim"))


def _answer(console: Console, found: Answer) -> None:
    spoken = found.language
    law = law_in_words(found, spoken, "shown")
    sure = f"  ·  {grade_in_words(found.confidence, spoken)}" if _is_graded(found) else ""
    console.print(Text.assemble(_outcome(found), sure, f"  ·  {law}"))
    _how_understood(console, found)
    if reason := _why_that_day(found):
        console.print(Text(reason, style="dim"))
    console.print()
    if found.primary is None or found.writer or found.strategy == ABOUT_ACTS:
        console.print(Text(found.text))
    if found.primary is not None:
        if found.writer or found.strategy == ABOUT_ACTS:
            console.print()
        citation = next((one for claim in found.claims for one in claim.citations), None)
        quoted = (citation.start, citation.end) if citation else None
        _provision(console, found.primary, quoted, spoken=spoken)
    _general(console, found)
    if found.support:
        console.print()
        console.print(Text(_beside(found), style="bold"))
        apart = places_shown(found)
        for number, support in enumerate(found.support, start=2 if found.primary else 1):
            # Where nothing answers, all are there for the one reason that the heading gives.
            told = found.primary is not None or found.strategy == ABOUT_ACTS
            relation = named(spoken, "relation", support.relation) if told else ""
            if apart:
                relation = name_of(support.cited.provision.work.jurisdiction, spoken, installed())
            _support(console, number, support, relation, spoken)
    if found.fetched:
        console.print()
        console.print(say(spoken, "shown.fetched", works=", ".join(found.fetched)))
    _conflicts(console, found)
    # A source that lost a conflict, the sample and how far the law is known are told above; these caveats
    # are for programs.
    caveats(console, _not_shown_above(found.caveats, beyond=found.is_beyond), spoken=spoken)


def _not_shown_above(found: Iterable[Caveat], *, beyond: bool) -> list[Caveat]:
    """Caveats that nothing above them already states."""
    shown_above = _SHOWN_ABOVE | ({CaveatKind.BEYOND_CURRENT_TO} if beyond else set())
    return [one for one in found if one.kind not in shown_above]


def sample_notice(
    console: Console, found: Iterable[Caveat], places: Iterable[str] = (), *, spoken: str = LANGUAGES[0]
) -> None:
    """Warn that the sample is paraphrases, and say how to get the law itself."""
    if any(one.kind is CaveatKind.SAMPLE for one in found):
        known = [place for place in places if place in installed() and place != _UPLOADS]
        command = f"pykala get {' '.join(known) or 'fi'}"
        console.print(Text(say(spoken, "shown.sample", command=command), style="bold yellow"))
        console.print()


def second_opinion(console: Console, told: SecondOpinion, *, spoken: str = LANGUAGES[0]) -> None:
    """Print what the web says in its own frame, apart from the law's answer."""
    console.print()
    if told.problem:
        console.print(Text(say(spoken, "shown.no_second_opinion", problem=told.problem), style="yellow"))
        return
    rows: list[RenderableType] = [Text(told.text)]
    if told.links:
        rows.append(Text())
    for number, link in enumerate(told.links, start=1):
        rows.append(Text.assemble((f"[{number}] ", "dim"), link.title, (f"  {link.url}", "dim")))
    cost, asked = told.cost, told.retrieved_at.isoformat(timespec="seconds")
    footing = f"{told.provider}  ·  {asked}  ·  {money(cost.amount)} {cost.currency}"
    notice = say(spoken, "shown.not_law")
    title = Text(f" {say(spoken, 'shown.second_opinion', notice=notice)} ", style="bold yellow")
    framed = Panel(Group(*rows), title=title, subtitle=Text(footing), border_style="yellow", padding=(0, 1))
    console.print(framed)


def _general(console: Console, found: Answer) -> None:
    """Print a model's general guidance in its own frame; the text begins with the notice."""
    if found.general is not None:
        title = Text(f" {say(found.language, 'general.heading')} ", style="bold yellow")
        subtitle = Text(found.general.model)
        framed = Panel(
            Text(found.general.text), title=title, subtitle=subtitle, border_style="yellow", padding=(0, 1)
        )
        console.print()
        console.print(framed)


def _is_graded(found: Answer) -> bool:
    """Whether the answer rests on a provision found by search or citation."""
    return found.outcome.quotes and found.confidence > 0 and found.strategy != ABOUT_ACTS


def _beside(found: Answer) -> str:
    if found.primary is not None:
        return say(found.language, "shown.beside")
    if found.strategy == ABOUT_ACTS:
        return say(found.language, "shown.which")
    if found.outcome is Outcome.GUIDANCE:
        return say(found.language, "shown.possibly_related")
    return say(found.language, "shown.nearest")


def _why_that_day(found: Answer) -> str:
    """Why the question means that date; the last stage that changed the date decides."""
    reasons = (dict(stage.facts).get("as_of_reason") for stage in reversed(found.trace))
    return next((str(reason) for reason in reasons if reason), "")


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
    console.print(Padding(_whence(cited, spoken), (0, 0, 0, 2)))


def _whence(cited: CitedProvision, spoken: str) -> Text:
    """A provision's dates, publisher and address."""
    facts = [standing_in_words(cited, spoken), cited.source, cited.url]
    return Text("  ·  ".join(fact for fact in facts if fact), style="dim")


def _support(console: Console, number: int, support: Support, relation: str, spoken: str) -> None:
    """A numbered provision; long lines are indented."""
    cited = support.cited
    likely = grade_in_words(support.score, spoken) if support.score > 0 else ""
    why = ", ".join(part for part in (relation, likely) if part)
    title = Text.assemble(
        (cited.citation, "cyan"),
        f"  {cited.heading}".rstrip(),
        (f"  — {why}" if why else "", "italic dim"),
    )
    rows = Table.grid()
    rows.add_column(width=4)
    rows.add_column(overflow="fold")
    rows.add_row(Text(f" {number}. ", style="dim"), title)
    rows.add_row("", Text(shortened(cited.text, _SUPPORT_SHOWN)))
    rows.add_row("", _whence(cited, spoken))
    console.print(rows)


def _conflicts(console: Console, found: Answer) -> None:
    if found.conflicts:
        console.print()
        console.print(Text(say(found.language, "shown.disagree"), style="bold red"))
        for conflict in found.conflicts:
            console.print(Padding(Text(conflict.message), (0, 0, 0, 2)))


def caveats(console: Console, found: Iterable[Caveat], *, spoken: str = LANGUAGES[0]) -> None:
    """Print the caveats, one per line."""
    rows: list[RenderableType] = [
        Text.assemble((_label(caveat, spoken), "yellow"), caveat.message) for caveat in found
    ]
    if rows:
        console.print()
        console.print(Padding(Group(*rows), (0, 0, 0, 0)))


def _label(caveat: Caveat, spoken: str) -> str:
    return say(spoken, "shown.label", kind=say(spoken, f"caveat_kind.{caveat.kind.value}"))


def results(console: Console, found: Iterable[Found], held: Iterable[Caveat] = ()) -> None:
    """Print search results, one per section; `held` applies to the whole library."""
    sample_notice(console, held)
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
        upload = match.work.is_upload
        dated = say(LANGUAGES[0], "shown.upload") if upload else dates_in_words(match.validity)
        whence = f"{match.provision}  {dated}  {one.url}"
        console.print(Padding(Text(whence, style="dim"), (0, 0, 0, 4)))
    if empty:
        console.print("Nothing in force on that date matches. Try fewer words, another language or --as-of.")


def shown(console: Console, found: Shown) -> None:
    """Print a provision, its dates and its children."""
    sample_notice(console, found.caveats, (found.cited.provision.work.jurisdiction,))
    _provision(console, found.cited)
    facts = [] if found.cited.is_upload else [found.event.value]  # nobody enacted an upload
    if found.by:
        facts.append(f"by {found.by}")
    if found.version.application:
        facts.append(found.version.application)
    facts.append(f"held in {', '.join(found.languages)}")
    if known := found.cited.current_to:
        facts.append(say(LANGUAGES[0], "shown.current_to", day=known))
    else:
        facts.append("to which day it is known is not told")
    if found.standing.cited:
        facts.append(f"cited by {found.standing.cited:,} provisions in {found.standing.works:,} works")
    console.print(Padding(Text("  ·  ".join(facts), style="dim"), (0, 0, 0, 2)))
    if found.children:
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for child in found.children:
            table.add_row(Text(str(child.id), style="cyan"), child.label, child.heading)
        console.print()
        console.print(table)
    caveats(console, (one for one in found.caveats if one.kind not in _SHOWN_ABOVE))


def related(console: Console, found: Related) -> None:
    """Print a provision's neighbourhood."""
    console.print(Text(str(found.provision), style="bold cyan"))
    if not found.visited:
        console.print("  nothing in the library refers to it, and it refers to nothing in the library")
    for visit in found.visited:
        edge = visit.via
        arrow = "→" if edge.target == visit.provision else "←"
        line = Text.assemble(
            (f"{arrow} {edge.kind.value:<10} ", "dim"), (str(visit.provision), "cyan"), f"  “{edge.text}”"
        )
        console.print(Padding(line, (0, 0, 0, 2 * visit.hops)))
    for reference in found.unresolved[:_UNRESOLVED_SHOWN]:
        console.print(
            Text.assemble(
                ("  ? ", "yellow"), reference.text, (f"  {reference.reason.value} {reference.target}", "dim")
            )
        )
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
        told = " to ".join(dict.fromkeys((days["oldest"], days["newest"])))
        table.add_row(f"known to, {name}", told)
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
        console.print(line, overflow="ellipsis", no_wrap=True)


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
        f"{len(report.added)} files read, {report.unchanged} unchanged, {len(report.replaced)} replaced,"
        f" {len(report.refusals)} refused"
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
        console.print(f"  {len(report.gone)} uploads are no longer in the folder; --prune removes them")


def packs(console: Console, found: Iterable[PackFacts]) -> None:
    """Print the installed jurisdictions."""
    for facts in found:
        console.print(f"{facts.code:<5} {facts.publisher}  ({', '.join(facts.languages)})")


def report(console: Console, done: Report, seconds: float, *, pack: str = "") -> None:
    """Print the result of an ingest; with the pack's code where there are several."""
    languages = ", ".join(f"{count:,} {language}" for language, count in sorted(done.documents.items()))
    console.print(
        f"{f'{pack}: ' if pack else ''}{done.read:,} items read ({languages or 'no documents'}),"
        f" {done.unchanged:,} unchanged,"
        f" {len(done.refusals):,} files refused, {done.passages:,} passages, {done.references:,} references"
        f" in {seconds:,.1f} s"
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
        console.print(f"  {done.left_out:,} items are of another subject and were left out")
    if done.gone and not done.removed and not done.not_pruned:
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


def _held_back(console: Console, done: Report) -> None:
    """Print what was held back so that good law stays."""
    for held in done.held[:_REFUSALS_SHOWN]:
        console.print(Text.assemble(("  left as it was ", "yellow"), held.work, f": {held.reason}"))
    if len(done.held) > _REFUSALS_SHOWN:
        console.print(f"  and {len(done.held) - _REFUSALS_SHOWN:,} more; --json lists them all")
    if done.not_pruned:
        console.print(Text.assemble(("  nothing removed ", "yellow"), done.not_pruned))


def money(amount: float) -> str:
    """An amount with up to three significant digits: 0.00, 0.25, 0.0112, 0.00042."""
    if amount <= 0 or amount >= 1:
        return f"{amount:,.2f}"
    whole, _, digits = f"{amount:.{2 - math.floor(math.log10(amount))}f}".partition(".")
    return f"{whole}.{digits.rstrip('0').ljust(2, '0')}"


def _largest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: -pair[1])


def shortened(text: str, most: int) -> str:
    """Cut a text at a word for display; never used for citations."""
    flat = " ".join(text.split())
    if len(flat) <= most:
        return flat
    return flat[:most].rsplit(" ", 1)[0] + " …"
