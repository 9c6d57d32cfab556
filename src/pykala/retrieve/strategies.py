"""Six ways of reading on from what was found, each a row of data; the question's own words choose one.

A strategy says how many candidates the walk starts from, which edges it follows and in which order, and how
far. Nothing else in the read path depends on it: a wrong choice costs some support, never the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from pykala.graph.walk import FOLLOW, Follow, WalkOptions
from pykala.law.references import Direction, EdgeKind
from pykala.retrieve.wording import term_asked

_IN, _OUT = Direction.IN, Direction.OUT


@dataclass(frozen=True, slots=True)
class Strategy:
    """How the walk goes: from how many seeds, along what, and how far."""

    name: str
    seeds: int = 1
    walk: WalkOptions = field(default_factory=WalkOptions)


DEFAULT: Final = Strategy("default")
CASE_LAW: Final = Strategy(
    "case_law",
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
    "recency",
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
    "definition",
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
    "cross_source",
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
MULTI_HOP: Final = Strategy("multi_hop", 2, replace(WalkOptions(), hops=2))

#: In this order: a question about a ruling on an exception is about the ruling.
_SIGNALS: Final = (
    (
        CASE_LAW,
        r"case law|rulings?|judg(?:e?ments?)|precedents?|courts? (?:held|decided|ruled)|KHO|KVL|KKO|HFD|CSKN"
        r"|oikeuskäytän\w*|oikeustapau\w*|ennakkopäätö\w*|ennakkoratkai\w*|korkein hallinto-oikeus"
        r"|rättspraxis|rättsfall\w*|avgörande\w*|förhandsavgörande\w*|jurisprudence|arrêts?"
        r"|décisions? du tribunal",
    ),
    (
        RECENCY,
        r"(?:latest|recent|new(?:est)?) (?:changes?|rules?|amendments?|law)|what changed|has changed|amended"
        r"|viimeisin\w*|uusin\w*|mitä muuttui|mikä muuttui|on muuttunut|lakimuuto\w*|ändrats|vad ändrades"
        r"|senaste|nyaste|récemment|qu'est-ce qui a changé|a changé|modifications? récentes?",
    ),
    (
        CROSS_SOURCE,
        r"guidance|instructions? of|according to the (?:tax )?(?:administration|authorit\w+)|directive|treaty"
        r"|vero(?:hallin\w*)? ohje\w*|ohjee?\w* mukaan|verosopimu\w*|direktiivi\w*|anvisning\w*"
        r"|skatteavtal\w*|direktiv\w*|lignes directrices|convention fiscale",
    ),
    (
        MULTI_HOP,
        r"exceptions?|except|unless|refers? to|in relation to|together with|conditions? .{1,60} and"
        r"|poikkeu\w*|poiketen|jollei|viittaa\w*|suhde|undantag\w*|hänvisar|förhållande till"
        r"|sauf|renvoie|dérogation\w*",
    ),
)
_signals = tuple(
    (strategy, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)) for strategy, words in _SIGNALS
)


def strategy_for(text: str, language: str, *, figure: bool = False) -> Strategy:
    """The way of reading on that a question's words ask for; one for a figure asks for no definition."""
    for strategy, signal in _signals:
        if signal.search(text):
            return strategy
    return DEFINITION if term_asked(text, language) and not figure else DEFAULT
