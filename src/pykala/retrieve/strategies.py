"""Six ways to walk from the candidates to related provisions, as data; the question's words choose one.

A strategy says how many candidates the walk starts from, which edges it follows and in which order, and how
far. Nothing else in the read path depends on it: a wrong choice costs some support, never the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from pykala.graph.walk import FOLLOW, Follow, WalkOptions
from pykala.law.answers import StrategyName
from pykala.law.references import Direction, EdgeKind
from pykala.retrieve.wording import term_asked
from pykala.text.languages.known import alternatives, derived

_IN, _OUT = Direction.IN, Direction.OUT


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to walk: the number of seeds, the edges to follow, and how far."""

    name: StrategyName
    seeds: int = 1
    walk: WalkOptions = field(default_factory=WalkOptions)


DEFAULT: Final = Strategy(StrategyName.DEFAULT)
CASE_LAW: Final = Strategy(
    StrategyName.CASE_LAW,
    2,
    WalkOptions(
        follow=(
            Follow(EdgeKind.APPLIES, _IN, cap=6, hub=200),
            Follow(EdgeKind.INTERPRETS, _IN, cap=4, hub=100),
            Follow(EdgeKind.APPLIES, _OUT),
            Follow(EdgeKind.APPEALS, _IN),
            Follow(EdgeKind.APPEALS, _OUT),
            *FOLLOW,
        )
    ),
)
RECENCY: Final = Strategy(
    StrategyName.RECENCY,
    1,
    WalkOptions(
        follow=(
            Follow(EdgeKind.AMENDS, _IN, cap=6),
            Follow(EdgeKind.INSERTS, _IN),
            Follow(EdgeKind.REPEALS, _IN),
            Follow(EdgeKind.SUPERSEDES, _IN),
            *FOLLOW,
        )
    ),
)
DEFINITION: Final = Strategy(
    StrategyName.DEFINITION,
    1,
    WalkOptions(
        follow=(
            Follow(EdgeKind.DEFINED_IN, _OUT),
            Follow(EdgeKind.DEFINES, _OUT),
            *FOLLOW,
        )
    ),
)
CROSS_SOURCE: Final = Strategy(
    StrategyName.CROSS_SOURCE,
    2,
    WalkOptions(
        follow=(
            Follow(EdgeKind.INTERPRETS, _IN, hub=100),
            Follow(EdgeKind.APPLIES, _IN, hub=100),
            Follow(EdgeKind.TRANSPOSES, _OUT),
            Follow(EdgeKind.TRANSPOSES, _IN),
            *FOLLOW,
        )
    ),
)
MULTI_HOP: Final = Strategy(StrategyName.MULTI_HOP, 2, replace(WalkOptions(), hops=2))

#: The order matters: a question about a ruling on an exception is about the ruling.
_SIGNALLED: Final = (CASE_LAW, RECENCY, CROSS_SOURCE, MULTI_HOP)


@derived
def _signals() -> tuple[tuple[Strategy, re.Pattern[str]], ...]:
    return tuple(
        (
            strategy,
            re.compile(rf"(?<!\w)(?:{alternatives(f'strategies.{strategy.name}')})(?!\w)", re.IGNORECASE),
        )
        for strategy in _SIGNALLED
    )


def strategy_for(text: str, language: str, *, figure: bool = False) -> Strategy:
    """The strategy that a question's words ask for; a question for a figure is not a definition."""
    for strategy, signal in _signals():
        if signal.search(text):
            return strategy
    return DEFINITION if term_asked(text, language) and not figure else DEFAULT
