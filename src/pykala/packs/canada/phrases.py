"""How each language writes references: tables of words, and patterns built from them."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: Sections 12, 12.1, 16A, C.01.001; in French an alinea may follow at once: 4a).
_NUMBER = r"(?:[A-Z]{1,2}\.)?\d+(?:\.\d+)*[A-Z]?(?![\d%$]|\w{2})"
_ENGLISH_GROUP = r"\([0-9A-Za-z]{1,6}(?:\.\d+)*\)"
_FRENCH_GROUP = (
    r"(?:\([0-9A-Za-z]{1,6}(?:\.\d+)*\)|(?<!\w)[a-z]{1,5}(?:\.\d+)*\)|(?<=[\d)])[a-z]{1,5}(?:\.\d+)*\))"
)
_PLACE_NUMBER = r"(?:[IVXLC]+(?:\.\d+)*|\d+(?:\.\d+)*|[A-Z])(?![\w’'])"


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language's patterns."""

    units: dict[str, str]  # the word, in the singular → step
    hints: tuple[str, ...]  # a text without any of these contains no reference
    unit: re.Pattern[str]  # unit word and first reference
    more: re.Pattern[str]  # separator and next reference
    more_places: re.Pattern[str]
    range_words: frozenset[str]
    own: re.Pattern[str]  # "of this Act"
    earlier: re.Pattern[str]  # "of that Act"
    defined: re.Pattern[str]  # "of the Act"
    named_law: re.Pattern[str]  # "of the former Act": a term that the text defines for some act
    other: re.Pattern[str]  # "of the Convention", "of a by-law": another text, unnamed
    definition: re.Pattern[str]  # "paragraph (b) of the definition claim": its term, and where it stands
    bare_definition: re.Pattern[str]  # the same, where only the term follows
    holder: re.Pattern[str]  # "paragraph (a) of section 5"
    following: re.Pattern[str]  # "the following provisions of the": the list below belongs to that work
    linking: re.Pattern[str]  # what may join two references to the same work
    place: re.Pattern[str]  # "of Part II", "of Schedule I"
    leading: re.Pattern[str]  # what stands between a reference and the name of a work
    title: re.Pattern[str]
    groups: re.Pattern[str]


def _unit_pattern(words: str, places: str, group: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w-])(?:(?P<unit>{words})\s+(?=[\d(A-Za-z])(?P<number>{_NUMBER})?(?P<groups>(?:{group})*)"
        rf"|(?P<place>{places})\s+(?P<placed>{_PLACE_NUMBER})(?P<below>(?:{group})*))"
    )


def _more_pattern(separators: str, group: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<sep>{separators})(?P<number>{_NUMBER})?(?P<groups>(?:{group})*)")


_ENGLISH_SEPARATORS = r"\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|to|through)\s+|\s*[–—-]\s*"
_FRENCH_SEPARATORS = r"\s*,\s*(?:(?:et|ou)\s+)?|\s+(?:et|ou|à|au)\s+|\s*[–—-]\s*"
_ENGLISH_INSTRUMENTS = (
    r"Acts?|Regulations?|Code|Order|Rules|Tariff|Agreement|Convention|Treaty|Plan|Proclamation"
)
_FRENCH_INSTRUMENTS = (
    r"[Ll]ois?|[Rr]èglements?|[Cc]ode|[Dd]écret|[Rr]ègles|[Tt]arif|[Aa]ccord|[Cc]onvention|[Tt]raité|[Aa]rrêté"
    r"|[Rr]égime|[Oo]rdonnance|[Pp]roclamation"
)
_ENGLISH_TITLE_WORD = (
    r"(?:of|the|and|for|to|in|on|or|a|an|with|from|by|at|respecting|against|between|under|into|outside)\b"
    r"|[A-Z][\w’'\-–]*\.?|\([^()]{1,60}\)|\d{1,4}\b"
)

ENGLISH = Phrases(
    units={
        "section": "sec",
        "subsection": "subsec",
        "sub-section": "subsec",
        "paragraph": "para",
        "subparagraph": "subpara",
        "clause": "cl",
        "subclause": "subcl",
        "part": "part",
        "division": "div",
        "subdivision": "subdiv",
        "schedule": "sched",
        "annex": "annex",
        "article": "art",
    },
    hints=(
        "ection",
        "aragraph",
        "lause",
        "Part",
        "Schedule",
        "Division",
        "Article",
        "Annex",
        "SOR/",
        "SI/",
        "C.R.C.",
    ),
    unit=_unit_pattern(
        r"(?:[Ss]ub-?)?[Ss]ections?|(?:[Ss]ub)?[Pp]aragraphs?|(?:[Ss]ub)?[Cc]lauses?",
        r"Parts?|Divisions?|Subdivisions?|Schedules?|Annex|Articles?",
        _ENGLISH_GROUP,
    ),
    more=_more_pattern(_ENGLISH_SEPARATORS, _ENGLISH_GROUP),
    more_places=re.compile(rf"(?P<sep>{_ENGLISH_SEPARATORS})(?P<placed>{_PLACE_NUMBER})"),
    range_words=frozenset({"to", "through", "–", "—", "-"}),
    own=re.compile(rf"\s+(?:of|to|in|under)\s+(?:this|these)\s+(?:{_ENGLISH_INSTRUMENTS})\b"),
    earlier=re.compile(
        rf"\s+(?:of|to|in|under)\s+(?:that|those|the\s+said|the\s+same)\s+(?P<word>{_ENGLISH_INSTRUMENTS})\b"
        r"|\s+(?P<thereof>thereof)\b"
    ),
    defined=re.compile(
        r"\s+(?:of|to|in|under)\s+the\s+(?P<name>Act|Regulations|Code|Rules|Order|Agreement|Convention|Treaty|Plan)\b"
        r"(?!\s+[A-Z])"
    ),
    named_law=re.compile(
        r"\s+(?:of|to|in|under)\s+the\s+(?P<name>(?:other|new|former|old|amended|previous)\s+Act)\b"
    ),
    other=re.compile(
        r"\s+(?:of|to|in|under)\s+(?:the|an?|any|each|such|its|their|every)\s+(?:[\w’'-]+\s+){0,4}?"
        r"(?:Acts?|[Rr]egulations?|[Cc]ode|[Rr]ules|[Bb]y-?laws?|[Cc]onvention|[Aa]greement|[Tt]reaty|[Cc]harter"
        r"|[Ss]tandards?|[Oo]rdinance|[Pp]rotocol|[Ii]nstructions|[Cc]onstitution|[Ss]tatute)\b"
    ),
    definition=re.compile(
        r"\s+of\s+the\s+definitions?\s+(?:of\s+)?[“\"«]?(?P<term>[^,;.:()“”\"]{1,80}?)[”\"]?,?\s+(?:in|under)\s+"
        r"(?=(?:[Ss]ub)?[Ss]ection\s|paragraph\s)"
    ),
    bare_definition=re.compile(r"\s+of\s+the\s+definitions?\s+(?:of\s+)?[“\"«]?"),
    holder=re.compile(
        rf"\s+of\s+(?P<unit>[Ss]ection|[Ss]ubsection|[Pp]aragraph|[Ss]ubparagraph)\s+(?P<number>{_NUMBER})?"
        rf"(?P<groups>(?:{_ENGLISH_GROUP})*)"
    ),
    following=re.compile(r"\bfollowing\s+(?:provisions|sections|subsections|paragraphs)\s+of\s+(?:the\s+)?"),
    linking=re.compile(r"[\s,]*(?:(?:and|or|and/or|either|to|in|under|of|by)\b[\s,]*){0,3}"),
    place=re.compile(
        rf"\s+(?:of|to|in)\s+(?:(?P<this>this)\s+\w+|(?:the\s+)?(?P<place>Part|Division|Subdivision|Schedule|Article)\s+"
        rf"(?P<placed>{_PLACE_NUMBER}))"
    ),
    leading=re.compile(r"\s+(?:of|to|in|under)\s+(?:the\s+|any\s+|an?\s+)?"),
    title=re.compile(
        rf"[A-Z][\w’'\-–]*\.?(?:[ ,]+(?:{_ENGLISH_TITLE_WORD})){{0,16}}?[ ,]+"
        r"(?:Act|Code|Regulations?|Rules|Order|Tariff|Charter|Plan)\b"
        r"(?:,\s\d{4}(?:,\sNo\.\s\d+)?|\s\(\d{4}\))?"
    ),
    groups=re.compile(_ENGLISH_GROUP),
)

FRENCH = Phrases(
    units={
        "article": "sec",
        "paragraphe": "subsec",
        "alinéa": "para",
        "sous-alinéa": "subpara",
        "division": "cl",
        "subdivision": "subcl",
        "sous-division": "subcl",
        "partie": "part",
        "section": "div",
        "sous-section": "subdiv",
        "annexe": "sched",
    },
    hints=("rticle", "aragraphe", "linéa", "division", "artie", "nnexe", "ection", "DORS/", "TR/", "C.R.C."),
    unit=_unit_pattern(
        r"[Aa]rticles?|[Pp]aragraphes?|(?:[Ss]ous-)?[Aa]linéas?|[Dd]ivisions?|(?:sub|sous-)divisions?",
        r"[Pp]arties?|(?:[Ss]ous-)?[Ss]ections?|[Aa]nnexes?",
        _FRENCH_GROUP,
    ),
    more=_more_pattern(_FRENCH_SEPARATORS, _FRENCH_GROUP),
    more_places=re.compile(rf"(?P<sep>{_FRENCH_SEPARATORS})(?P<placed>{_PLACE_NUMBER})"),
    range_words=frozenset({"à", "au", "–", "—", "-"}),
    own=re.compile(rf"\s+(?:de\s+la|du|des|de\s+l[’'])\s*présente?s?\s+(?:{_FRENCH_INSTRUMENTS})\b"),
    earlier=re.compile(
        r"\s+(?:(?:de|à)\s+(?:cette|ce|cet|ces|ladite)\s+|(?:de\s+la|du)\s+(?:même\s+|dite\s+|dit\s+)|dudit\s+)"
        rf"(?P<word>{_FRENCH_INSTRUMENTS})\b(?P<thereof>(?!))?"
    ),
    defined=re.compile(
        r"\s+(?:de\s+la|de\s+l[’']|du|des|à\s+la)\s*(?P<name>Loi|Règlement|Code|Règles|Accord|Convention|Traité|Régime)\b"
        r"(?!\s+(?:sur|de|des|du|d[’']|concernant|relati|régissant|canadien|instituant|portant|visant|[A-Z(]))"
    ),
    named_law=re.compile(
        r"\s+(?:de\s+la|de\s+l[’'])\s*"
        r"(?P<name>(?:autre|nouvelle|ancienne)\s+loi|loi\s+(?:nouvelle|antérieure|ancienne|modifiée))\b"
    ),
    other=re.compile(
        r"\s+(?:de\s+la|de\s+l[’']|du|des|d[’']une?|de)\s*(?!présente?\b)(?:[\w’-]+\s+){0,2}?"
        r"(?:[Ll]ois?|[Rr]èglements?|[Cc]ode|[Rr]ègles|[Cc]onvention|[Aa]ccord|[Tt]raité|[Cc]harte|[Nn]ormes?"
        r"|[Oo]rdonnance|[Pp]rotocole|[Ee]ntente|[Ii]nstructions|[Cc]onstitution|[Dd]écret|[Aa]rrêté|statuts?)\b"
    ),
    definition=re.compile(
        r"\s+de\s+la\s+définition\s+d(?:e\s+|[’'])(?:«\s*)?(?P<term>[^,;.:()«»]{1,80}?)(?:\s*»)?,?\s+"
        r"(?:à\s+l[’']|au\s+|à\s+la\s+)(?=article|paragraphe|alinéa)"
    ),
    bare_definition=re.compile(r"\s+de\s+la\s+définition\s+d(?:e\s+|[’'])(?:«\s*)?"),
    holder=re.compile(
        rf"\s+(?:de\s+l[’']|du\s+|de\s+)(?P<unit>[Aa]rticle|[Pp]aragraphe|[Aa]linéa)\s+(?P<number>{_NUMBER})?"
        rf"(?P<groups>(?:{_FRENCH_GROUP})*)"
    ),
    following=re.compile(
        r"\b(?:dispositions|articles|paragraphes)\s+(?:suivante?s|ci-après)\s+(?:de\s+la\s+|du\s+|des\s+|de\s+l[’'])"
    ),
    linking=re.compile(
        r"[\s,]*(?:(?:et|ou|à|au|aux|de|du|des|par|soit|la|le|les)\b[\s,]*|(?:de\s+|à\s+)?l[’']){0,4}"
    ),
    place=re.compile(
        rf"\s+de\s+(?:(?P<this>la\s+présente|présente)\s+\w+|(?:la\s+|l[’'])?(?P<place>partie|section|sous-section|annexe)"
        rf"\s+(?P<placed>{_PLACE_NUMBER}))"
    ),
    leading=re.compile(r"\s+(?:de\s+la\s+|du\s+|des\s+|de\s+l[’']|à\s+la\s+|de\s+)"),
    title=re.compile(
        r"(?:Loi|Code|Règlement|Règles|Décret|Tarif|Charte|Régime)\b"
        r"(?:\s+(?!(?:est|sont|ne|se|qui|que|où|dit|prévoit|exige|permet|dispose|pour|lorsque|si|a|ont)\b)"
        r"[\w’'\-]+){1,14}"
    ),
    groups=re.compile(r"\(?([0-9A-Za-z]{1,6}(?:\.\d+)*)\)"),
)
PHRASES = {"en": ENGLISH, "fr": FRENCH}
