"""What was measured, as Markdown: costs with ratios to Pykälä, and how well each set was answered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.peers.measure import DEPTH
from bench.peers.records import NOT_SHOWN, Question


@dataclass(frozen=True, slots=True)
class Row:
    """One engine over one set of documents, in one way of asking."""

    title: str
    measured: Mapping[str, Any]
    verb: str

    @property
    def answers(self) -> Mapping[str, list[dict[str, str]]]:
        found: Mapping[str, list[dict[str, str]]] = self.measured[self.verb]["found"]
        return found

    @property
    def rate(self) -> float:
        """Documents a second of processor: others on the machine do not slow that down."""
        return float(self.measured["documents"] / self.measured["processor"])

    @property
    def latency(self) -> tuple[float, float]:
        half, high = np.percentile(self.measured[self.verb]["milliseconds"], [50, 95])
        return float(half), float(high)

    @property
    def effort(self) -> float:
        """Milliseconds of processor that half of the questions stay below."""
        return float(np.median(self.measured[self.verb]["processor"]))


@dataclass(frozen=True, slots=True)
class Score:
    """Of the questions of one set: how many, found among ten, reciprocal rank, and wordings in force."""

    questions: int
    recall: float
    reciprocal: float
    in_force: float | None  # of the sections found, how many are shown in the wording of the day
    first_in_force: float | None  # of all questions, how many have the right section first, in that wording


def score(questions: Sequence[Question], answers: Mapping[str, list[dict[str, str]]]) -> Score:
    """Score one engine on one set."""
    ranks, shown, first = [], [], []
    for one in questions:
        hits = answers[one.id]
        rank = next((at for at, hit in enumerate(hits[:DEPTH], 1) if is_right(hit["section"], one)), 0)
        ranks.append(rank)
        if one.as_of:
            good = bool(rank) and _covers(hits[rank - 1], one.as_of)
            shown += [good] if rank and hits[rank - 1]["start"] != NOT_SHOWN else []
            first.append(good and rank == 1)
    return Score(
        len(ranks),
        float(np.mean([rank > 0 for rank in ranks])),
        float(np.mean([1 / rank if rank else 0.0 for rank in ranks])),
        float(np.mean(shown)) if shown else None,
        float(np.mean(first)) if first else None,
    )


def is_right(found: str, question: Question) -> bool:
    """Whether a provision is a right section, or lies within one: answers point closer."""
    return any(found == gold or found.startswith(f"{gold}/") for gold in question.gold)


def _covers(hit: Mapping[str, str], day: str) -> bool:
    return hit["start"] <= day and (not hit["end"] or day < hit["end"])


def tables(rows: Sequence[Row], questions: Sequence[Question]) -> str:
    """Costs first, then how well each set was answered; ratios are to the first row."""
    return f"{_costs(rows)}\n\n{_scores(rows, questions)}"


def _costs(rows: Sequence[Row]) -> str:
    own = rows[0]
    lines = [
        "| engine | documents | documents/s of processor | index MB | peak memory MB "
        "| question p50 ms of processor | p50 ms | p95 ms | load |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        half, high = row.latency
        size, peak = row.measured["bytes"] / 1e6, row.measured["peak"]
        lines.append(
            _line(
                row.title,
                f"{row.measured['documents']:,}",
                # With vectors from another machine, nothing is known of what indexing costs on this one.
                "–" if row.measured.get("vectors lent") else f"{row.rate:,.0f}{_ratio(row.rate, own.rate)}",
                f"{size:,.1f}{_ratio(size, own.measured['bytes'] / 1e6)}",
                f"{peak:,.0f}{_ratio(peak, own.measured['peak'])}",
                f"{row.effort:,.2f}{_ratio(row.effort, own.effort)}",
                # By the clock without ratios: the engines ran one after another, and the load changes.
                f"{half:,.2f}",
                f"{high:,.2f}",
                f"{row.measured['load']:.1f}",
            )
        )
    return "\n".join(lines)


def _scores(rows: Sequence[Row], questions: Sequence[Question]) -> str:
    sets: defaultdict[str, list[Question]] = defaultdict(list)
    for one in questions:
        sets[one.set].append(one)
    heads = [f"{name} ({len(asked)}): R@10 / MRR" for name, asked in sets.items()]
    dated = [name for name, asked in sets.items() if name.endswith(" dated")]
    heads += [f"{name}: wording in force, of those found / right and first" for name in dated]
    lines = [_line("engine", *heads), "|---" * (1 + len(heads)) + "|"]
    for row in rows:
        scored = {name: score(asked, row.answers) for name, asked in sets.items()}
        cells = [f"{one.recall:.3f} / {one.reciprocal:.3f}" for one in scored.values()]
        cells += [_force(scored[name]) for name in dated]
        lines.append(_line(row.title, *cells))
    return "\n".join(lines)


def _force(found: Score) -> str:
    share = "–" if found.in_force is None else f"{found.in_force:.3f}"
    return f"{share} / {found.first_in_force or 0.0:.3f}"


def _ratio(value: float, own: float) -> str:
    ratio = value / own if own else 0.0
    return "" if value == own else f" ({ratio:,.0f}×)" if ratio >= 10 else f" ({ratio:.2g}×)"


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"
