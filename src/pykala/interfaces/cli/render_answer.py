"""Print answers, provisions and caveats for people in the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pykala.answer.caveats import shared, without
from pykala.answer.in_words import (
    ABOUT_ACTS,
    grade_in_words,
    law_in_words,
    list_opening,
    outcome_in_words,
    standing_in_words,
)
from pykala.answer.places import places_shown
from pykala.law.answers import Answer, Caveat, CaveatKind, CitedProvision, Outcome, Support
from pykala.packs.pack import installed
from pykala.records.answers import SecondOpinion
from pykala.retrieve.place import name_of
from pykala.text.phrases import LANGUAGES, named, say

_STYLES = {
    Outcome.ANSWERED: "bold green",
    Outcome.LIKELY: "bold green",
    Outcome.GUIDANCE: "bold yellow",
    Outcome.SILENT: "bold yellow",
    Outcome.OUTSIDE_CORPUS: "bold yellow",
    Outcome.UNAVAILABLE: "bold red",
}
_UPLOAD_STYLE = "bold yellow"
SHOWN_ABOVE = frozenset({CaveatKind.OUTRANKED, CaveatKind.SAMPLE, CaveatKind.GENERAL_GUIDANCE})
_UPLOADS = "up"  # uploads have no publisher
MOST_SHOWN = 320  # characters of a provision in a list
_MOST_LINES = 40  # lines of the provision that answers; a section of a code may have eight hundred


def answer(console: Console, found: Answer) -> None:
    """Print an answer in its language: the quote, related provisions, caveats."""
    sample_notice(console, found.caveats, _places(found), spoken=found.language)
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
        message = say(found.language, "shown.understood_as", question=found.standalone)
        console.print(Text(message, style="italic dim"))


def _answer(console: Console, found: Answer) -> None:
    spoken = found.language
    law = law_in_words(found, spoken, "shown")
    sure = f"  ·  {grade_in_words(found.grade, spoken)}" if _is_graded(found) else ""
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
        print_provision(console, found.primary, quoted, spoken=spoken, shortened_for=found.as_of)
    _general(console, found)
    if found.support:
        console.print()
        console.print(Text(_beside(found), style="bold"))
        apart = places_shown(found)
        for number, support in enumerate(found.support, start=2 if found.primary else 1):
            # Where nothing answers, all provisions are listed for the same reason, which the heading gives.
            has_relations = found.primary is not None or found.strategy == ABOUT_ACTS
            relation = named(spoken, "relation", support.relation) if has_relations else ""
            if apart:
                relation = name_of(support.cited.provision.work.jurisdiction, spoken, installed())
            _support(console, number, support, relation, spoken)
    if found.fetched:
        console.print()
        console.print(say(spoken, "shown.fetched", works=", ".join(found.fetched)))
    _conflicts(console, found)
    # These caveats are for programs: the text above already names a source that lost a conflict, the sample,
    # and the day to which the law is known.
    caveats(console, _not_shown_above(found.caveats, beyond=found.is_beyond), spoken=spoken)


def _not_shown_above(found: Iterable[Caveat], *, beyond: bool) -> list[Caveat]:
    """Caveats that nothing above them already states."""
    shown_above = SHOWN_ABOVE | ({CaveatKind.BEYOND_CURRENT_TO} if beyond else set())
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


def _places(found: Answer) -> tuple[str, ...]:
    """Whose law an answer is, or the law that may bear on a question that has none."""
    shown = (found.primary,) if found.primary else tuple(one.cited for one in found.support)
    return tuple(dict.fromkeys(one.provision.work.jurisdiction for one in shown))


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
    """Whether the answer rests on a provision found by search or citation, and not on an upload."""
    return found.outcome.quotes and found.grade > 0 and found.strategy != ABOUT_ACTS


def _beside(found: Answer) -> str:
    if found.primary is not None:
        return say(found.language, "shown.beside")
    if found.strategy == ABOUT_ACTS:
        return say(found.language, "shown.which")
    if found.outcome is Outcome.GUIDANCE:
        if places_shown(found):
            return say(found.language, "shown.possibly_related_places")
        return say(found.language, "shown.possibly_related")
    return say(found.language, "shown.nearest")


def _why_that_day(found: Answer) -> str:
    """Why the question means that date; the last stage that changed the date decides."""
    reasons = (dict(stage.facts).get("as_of_reason") for stage in reversed(found.trace))
    return next((str(reason) for reason in reasons if reason), "")


def print_provision(
    console: Console,
    cited: CitedProvision,
    highlight: tuple[int, int] | None = None,
    *,
    spoken: str = LANGUAGES[0],
    shortened_for: date | None = None,
) -> None:
    """Print a provision: citation, text with its highlighted words, dates and address.

    With a date, a long text begins at the highlighted words and names the command that shows all of it.
    """
    title = Text.assemble((cited.citation, "bold cyan"), _heading(cited))
    console.print(title)
    body = Text(cited.text)
    if highlight and highlight[1] > highlight[0]:
        body.stylize("bold", *highlight)
    if shortened_for is not None:
        command = f"pykala show {cited.provision} --as-of {shortened_for}"
        body = _beginning(console, body, highlight[0] if highlight else 0, command, spoken)
    console.print(Padding(body, (0, 0, 0, 2)))
    _whence(console, cited, spoken, indent=2)


def _heading(cited: CitedProvision) -> str:
    """The heading behind a citation; a court's decision has its citation for one."""
    return f"  {cited.heading}" if cited.heading not in ("", cited.citation) else ""


def _beginning(console: Console, body: Text, start: int, command: str, spoken: str) -> Text:
    """A text of few lines as it is; the first lines of a longer one, and how to read the rest."""
    lines = body.wrap(console, console.width - 2)
    if len(lines) <= _MOST_LINES:
        return body
    opening = list_opening(body.plain, start)
    body = body[start:] if start else body
    lines = body.wrap(console, console.width - 2)
    shown = Text("\n").join(lines[:_MOST_LINES])
    if start:
        shown = Text(f"{opening}\n… " if opening else "… ") + shown
    if (left := len(lines) - _MOST_LINES) > 0:
        shown.append(f"\n{say(spoken, 'shown.more_lines', count=left, command=command)}", style="dim")
    return shown


def _whence(console: Console, cited: CitedProvision, spoken: str, *, indent: int) -> None:
    """Print a provision's dates and publisher, and its address."""
    facts = [standing_in_words(cited, spoken), cited.source]
    dated = Text("  ·  ".join(fact for fact in facts if fact), style="dim")
    console.print(Padding(dated, (0, 0, 0, indent)))
    print_address(console, cited.url, indent)


def print_address(console: Console, address: str, indent: int) -> None:
    """Print an address on a line of its own, unbroken: terminals open only a whole address."""
    if address:
        console.print(Text(" " * indent + address, style="dim"), soft_wrap=True)


def print_hanging(console: Console, line: Text, first: int, others: int) -> None:
    """Print a text whose first line has another indent than the lines it goes on in."""
    fits = line.cell_len <= console.width - first
    width = max(console.width - max(first, others), 20)
    for number, part in enumerate([line] if fits else line.wrap(console, width)):
        part.rstrip()
        console.print(Padding(part, (0, 0, 0, others if number else first)))


def print_numbered(console: Console, number: int, title: Text) -> None:
    """Print a numbered title; its further lines are indented below the first."""
    row = Table.grid()
    row.add_column(width=4)
    row.add_column(overflow="fold")
    row.add_row(Text(f"{number:>2}. ", style="dim"), title)
    console.print(row)


def _support(console: Console, number: int, support: Support, relation: str, spoken: str) -> None:
    """Print a numbered provision."""
    cited = support.cited
    likely = grade_in_words(support.grade, spoken) if support.grade > 0 else ""
    why = ", ".join(part for part in (relation, likely) if part)
    title = Text.assemble(
        (cited.citation, "cyan"),
        _heading(cited),
        (f"  — {why}" if why else "", "italic dim"),
    )
    print_numbered(console, number, title)
    console.print(Padding(Text(shortened(cited.text, MOST_SHOWN)), (0, 0, 0, 4)))
    _whence(console, cited, spoken, indent=4)


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


def money(amount: float) -> str:
    """An amount with up to three significant digits: 0.00, 0.25, 0.0112, 0.00042."""
    if amount <= 0 or amount >= 1:
        return f"{amount:,.2f}"
    whole, _, digits = f"{amount:.{2 - math.floor(math.log10(amount))}f}".partition(".")
    return f"{whole}.{digits.rstrip('0').ljust(2, '0')}"


def shortened(text: str, most: int) -> str:
    """Cut a text at a word for display; never used for citations."""
    flat = " ".join(text.split())
    if len(flat) <= most:
        return flat
    return flat[:most].rsplit(" ", 1)[0] + " …"
