"""How acts of the Union write references: the parts of a grammar that one engine reads in every language.

The languages say the same in two orders: "point (a) of Article 5(1)" or "Article 5(1), point (a)", and
"article 5, paragraphe 1, point a)". Their own tables are `english_patterns` and `french_patterns`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

PART: Final = "part"  # "Article 13, Part B": the Sixth Directive has lettered parts in its articles
ALINEA: Final = "alinea"  # "the first paragraph": numbered or not, as the article has it
#: Kinds of steps from the outside in; a reference names them in this order.
LEVELS: Final[Mapping[str, int]] = {
    "anx": 0, "rct": 0, "prt": 1, "tis": 2, "cpt": 3, "sct": 4, "sbs": 5, "art": 6, PART: 6, "para": 7,
    ALINEA: 7, "subpara": 8, "point": 9, "indent": 10, "sent": 11,
}  # fmt: skip
#: Places that are named from the work down, wherever the reference stands.
ROOTED: Final = frozenset({"anx", "rct", "tis", "cpt", "sct", "sbs", "prt", "art"})
#: Treaties whose edition depends on when the act that names them was made.
COMMUNITY, OF_THE_TIME, ECONOMIC = "community", "of the time", "11957E"


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language's words and forms."""

    #: Word of a place → its kind, folded.
    units: Mapping[str, str]
    #: Word after an ordinal → kind.
    ordinal_units: Mapping[str, str]
    ordinals: Mapping[str, str]
    #: Either "Articles" (group `unit`) or "first and second subparagraphs" (`ordinals`, `level`).
    start: re.Pattern[str]
    #: kind → one number of it, with what follows in brackets (group `groups`).
    numbers: Mapping[str, re.Pattern[str]]
    #: Between two members of a list (group `to`: a range).
    separator: re.Pattern[str]
    #: Between a place and a smaller one inside it: "Article 5(1), point (a)".
    inside: re.Pattern[str]
    #: Between siblings inside one place: "article 3, paragraphe 1, point a), et paragraphe 2".
    beside: re.Pattern[str]
    #: Between a place and the larger one that holds it: "point (a) of Article 5".
    outside: re.Pattern[str]
    the_annex: re.Pattern[str]  # "of the Annex", where there is one
    this_place: re.Pattern[str]  # "of this Article" (group `place`)
    that_place: re.Pattern[str]  # "of that Article"
    leading: re.Pattern[str]  # between a place and the name of its act
    own: re.Pattern[str]  # "of this Directive"
    earlier: re.Pattern[str]  # "of that Directive", "thereof" (group `word`: the kind of act)
    possessive: re.Pattern[str]  # before a place: "in its Article 83"
    foreign: re.Pattern[str]  # "of the Agreement": not an act of the Union
    linking: re.Pattern[str]  # all that may stand between places that share one act
    that_act: re.Pattern[str]  # "that Directive", standing alone
    act: re.Pattern[str]
    more_acts: re.Pattern[str]  # after "Directives 2009/65/EC": " and 2011/61/EU"
    treaties: tuple[tuple[re.Pattern[str], str], ...]
    amended: re.Pattern[str]  # after an act: what follows speaks of that act
    amends: re.Pattern[str]  # after a place: new words for it
    inserts: re.Pattern[str]  # before a place: "the following Article 5a is inserted"
    repeals: re.Pattern[str]


#: Signs that are written in several ways, one for one, so that places in the text stay where they are.
_ALIKE: Final = str.maketrans(
    dict.fromkeys("\u00a0\u202f\u2009\u2007\t", " ") | {"’": "'", "‑": "-", "‐": "-", "º": "°", "\u2212": "-"}
)


def plain(text: str) -> str:
    """The text with one kind of space, apostrophe and hyphen, as the patterns are written."""
    return text.translate(_ALIKE)


def numbered(words: Sequence[str], **more: str) -> dict[str, str]:
    """Ordinals by their words: "second" is 2."""
    return {word: str(number) for number, word in enumerate(words, 1)} | more


#: A footnote's mark: "Directive 2006/112/EC (3)".
MARK: Final = r"(?: ?\( ?\*{0,2} ?\d{0,3} ?\))?"
ROMAN: Final = r"(?:[IVXLC]+(?!\w)|[IVXLC]+[A-Za-z](?!\w))"
#: After a number: it counts no months, euros or parts of a hundred.
NO_QUANTITY: Final = (
    r"(?!\d|[.,]\d|/\d| ?%| ?‰| \d{3}\b"
    r"| (?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"
    r"|EUR|ECU|euros?|ans?|years?|mois|months?|days?|jours?|weeks?|semaines?|hours?|heures?|tonnes?|kg|km)\b)"
)
GROUPS: Final = r"(?P<groups>(?: ?\((?:\d{1,3}[a-z]{0,2}|[a-z]{1,4}|[A-Z])\))*)"
_BODIES = r"(?:EEC|EC|EU|ECSC|Euratom|JHA|CFSP|CEE|CE|UE|CECA|JAI|PESC|PESD)"
#: The numbers of an act: "(EU) No 282/2011", "2006/112/EC".
NUMBERED: Final = (
    r"(?:\((?P<body>[A-Z][A-Za-z]{1,7}(?:, ?[A-Z][A-Za-z]{1,7}){0,2})\) ?)?"
    r"(?P<no>(?:No|no|NO|Nos|nos|n°|N°|n o)\.? ?)?"
    r"(?P<first>\d{1,4})(?:/(?P<second>\d{1,4})(?!\d))?"
    rf"(?P<suffix>/{_BODIES}(?:, {_BODIES}){{0,2}}\b)?"
)
#: Whatever the language: numbers, addresses, the Court's cases and the Official Journal.
SHARED: Final = re.compile(
    r"(?P<celex>\b(?:CELEX ?:? ?)?(?:0|3)\d{4}[A-Z]\d{4}(?:R\(\d{2}\))?(?:-\d{8})?\b)"
    r"|(?P<eli>https?://data\.europa\.eu/eli/[\w/.\-]{1,80})"
    r"|(?P<ecli>\bECLI:[A-Z]{2}:[A-Z]{1,7}:\d{4}:[A-Z0-9.]{1,25})"
    r"|(?P<case>(?:\b(?:[Jj]oined )?[Cc]ases? |\b[Aa]ffaires? (?:jointes )?)?"
    r"\b[CTF][-–]\d{1,4}/\d{2}(?: P)?\b|\b(?:[Cc]ase|[Aa]ffaire) \d{1,3}/\d{2}\b)"
    r"|(?P<journal_act>\b(?:OJ|JO) [LC](?:, |/)\d{4}/\d{1,5}(?:, (?:du )?\d{1,2}\.\d{1,2}\.\d{4})?)"
    r"|(?P<journal>\b(?:OJ|JO)(?: (?:No|no|n°))? ?(?:[LC]|Spec\. Ed\.)? ?\d{0,4}[A-Z]?(?: ?/ ?\d{1,4})?"
    r"(?:,? (?:of |du |de )?\d{1,2}(?:er)?[./ ] ?\d{1,2}[./ ] ?\d{2,4})(?:,? ?pp?\. ?\d{1,4})?)"
)
