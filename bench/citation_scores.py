"""What the measurements of citations share: labels, how they meet what is found, and the figures."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pykala.law.references import Reference

#: What leads to a work that is known by name alone.
NAMED = "name:"


class LabelsOutdated(Exception):
    """A label whose provision is not there any more, or reads otherwise than when it was labelled."""


@dataclass(frozen=True, slots=True)
class Label:
    """One citation as a person read it; no targets: it leads out of the corpus or to nothing."""

    start: int
    end: int
    targets: tuple[str, ...]
    optional: bool


class Spanned(Protocol):
    """A citation that was found: where it stands, and where it leads."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def leads(self) -> Sequence[str]: ...
    @property
    def nowhere(self) -> Sequence[str]:
        """Why it leads nowhere."""


class Drawn(Protocol):
    """A labelled provision: drawn when the rules were written, or after."""

    @property
    def held_out(self) -> bool: ...


Entry = TypeVar("Entry", bound=Drawn)
Citation = TypeVar("Citation", bound=Spanned)


@dataclass(slots=True)
class Found:
    """The references of one span: a range has several."""

    start: int
    end: int
    text: str
    references: list[Reference] = field(default_factory=list)

    @property
    def leads(self) -> list[str]:
        """The targets; a work known by name alone with its name."""
        return sorted(
            str(reference.target)
            if reference.target
            else "/".join((NAMED + reference.alias, *map(str, reference.path)))
            for reference in self.references
            if reference.target or reference.alias
        )

    @property
    def nowhere(self) -> list[str]:
        """Why it leads nowhere."""
        return [str(reference.reason) for reference in self.references if reference.reason]


def by_span(references: Iterable[Reference]) -> list[Found]:
    """References by the words that they stand in, in the order of the text."""
    spans: dict[tuple[int, int], Found] = {}
    for reference in references:
        span = (reference.start, reference.end)
        spans.setdefault(span, Found(*span, reference.text)).references.append(reference)
    return [spans[span] for span in sorted(spans)]


def labels_of(entry: Mapping[str, Any]) -> tuple[Label, ...]:
    """The labels in one line of a file of labels."""
    return tuple(
        Label(one["start"], one["end"], tuple(one.get("targets", ())), one.get("optional", False))
        for one in entry["citations"]
    )


def matched(
    labels: Sequence[Label], found: Sequence[Citation]
) -> Iterator[tuple[Label | None, Citation | None]]:
    """Pair labels with what was found, most overlap first; each at most once."""
    overlaps = sorted(
        (
            (min(label.end, one.end) - max(label.start, one.start), -place, -number)
            for place, label in enumerate(labels)
            for number, one in enumerate(found)
            if label.start < one.end and one.start < label.end
        ),
        reverse=True,
    )
    partners: dict[int, int] = {}
    for _, place, number in overlaps:
        if -place not in partners and -number not in partners.values():
            partners[-place] = -number
    for place, label in enumerate(labels):
        yield label, found[partners[place]] if place in partners else None
    for number, one in enumerate(found):
        if number not in partners.values():
            yield None, one


@dataclass(slots=True)
class Score:
    """Counts of one language, or of one source in it."""

    counts: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def figures(self) -> dict[str, float]:
        """Precision and recall of finding, and of finding and resolving right."""
        count = self.counts
        return {
            "find precision": _share(count["matched"], count["matched"] + count["spurious"]),
            "find recall": _share(count["matched"], count["labels"]),
            "resolve precision": _share(
                count["right"] + count["right, optional"],
                count["matched"] + count["matched, optional"] + count["spurious"],
            ),
            "resolve recall": _share(count["right"], count["labels"]),
        }

    def take(self, where: str, text: str, label: Label | None, found: Spanned | None, right: bool) -> None:
        """Count one pair; what is missed, wrong or spurious is kept to be read."""
        outcome = outcome_of(label, found, right)
        self.counts.update(outcome)
        if found is not None:
            self.reasons.update(found.nowhere)
        if not any("right" in each or "absent" in each for each in outcome):
            self.misses.append(_shown(where, text, label, found))


def outcome_of(label: Label | None, found: Spanned | None, right: bool) -> list[str]:
    """What a pair counts as. An optional citation counts only where something is claimed of it."""
    if label is None:
        return ["spurious"]
    optional = ", optional" if label.optional else ""
    outcome = [f"labels{optional}"]
    if found is None or (optional and not found.leads):
        return [*outcome, f"absent{optional}"] if optional else outcome
    outcome.append(f"matched{optional}")
    return [*outcome, f"right{optional}"] if right else outcome


def arguments_of(description: str | None, source: str) -> argparse.Namespace:
    """What every such command takes: where the texts are, and which labels."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(source, type=Path)
    parser.add_argument("--misses", action="store_true", help="list what is missed, wrong or spurious")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--held-out", action="store_true", help="only what was labelled after the rules")
    part.add_argument("--open", action="store_true", help="only what the rules were written with")
    return parser.parse_args()


def chosen(labelled: list[Entry], arguments: argparse.Namespace) -> list[Entry]:
    """The labels asked for."""
    if not (arguments.held_out or arguments.open):
        return labelled
    return [entry for entry in labelled if entry.held_out is arguments.held_out]


def report(name: str, result: Score, *, misses: bool) -> None:
    """Print one score."""
    count = result.counts
    print(
        f"{name}: {count['provisions']} provisions, {count['labels']} citations"
        f" and {count['labels, optional']} optional"
    )
    print("    " + "  ".join(f"{title} {figure:.3f}" for title, figure in result.figures().items()))
    if result.reasons:
        print("    unresolved: " + "; ".join(f"{why} {n}" for why, n in result.reasons.most_common()))
    if misses:
        print("\n".join(result.misses))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _shown(where: str, text: str, label: Label | None, found: Spanned | None) -> str:
    wanted = f"{text[label.start : label.end]!r} → {list(label.targets) or 'nowhere'}" if label else "nothing"
    got = f"{found.text!r} → {list(found.leads or found.nowhere)}" if found else "nothing"
    return f"{where}\n    wanted {wanted}\n    found  {got}"
