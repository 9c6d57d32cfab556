"""Numbers out of printed labels: "(a)", "a)", "2 to 23", "PART II", "ANNEXE I".

English and French print the same place differently; both give the same step.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pykala.law.identifiers import Step
from pykala.law.provisions import ProvisionKind

_PLAIN = re.compile(r"[^\w]*([\w.\-]*\w)[^\w]*")
_RANGE = re.compile(r"\s*(?:\bto\b|\bthrough\b|\bà\b|\bau\b|–|—)\s*", re.IGNORECASE)
_AND = re.compile(r"\s*(?:,|&|\band\b|\bet\b|\bor\b|\bou\b)\s*", re.IGNORECASE)
_JOINT, _RUN = re.compile(r"-*\+-*"), re.compile(r"-{2,}")
_OTHER = re.compile(r"[^\w.+\-]+")
_FIRST = re.compile(r"premi[eè]re?|1er|1re|1ère", re.IGNORECASE)
#: A label of two languages, as bilingual schedules have it: "SCHEDULE I / ANNEXE I".
_BILINGUAL = re.compile(r"\s*/\s*")
_LONGEST = 60


@lru_cache(maxsize=65_536)
def label_number(label: str) -> str:
    """The number of a label, as a step has it: "(a)" → "a", "2 to 23" → "2-23"; empty where it has none."""
    match = _PLAIN.fullmatch(label)
    if match is not None:
        number = match[1].strip(".-_")
    else:
        joined = _AND.sub("+", _RANGE.sub("-", label.strip()))
        # "(4) and (5)" is 4+5: its brackets separate nothing.
        number = _RUN.sub("-", _JOINT.sub("+", _OTHER.sub("-", joined))).strip("-+._")
    if _FIRST.fullmatch(number):
        return "1"
    return number[:_LONGEST]


@lru_cache(maxsize=65_536)
def slug(term: str) -> str:
    """A term as part of an identifier: "common-law partner" → "common-law-partner"."""
    plain = unicodedata.normalize("NFKD", term.casefold())
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    return re.sub(r"[\W_]+", "-", plain).strip("-")[:_LONGEST].strip("-")


_HEADING_WORDS = {
    "part": ("part", ProvisionKind.PART),
    "parts": ("part", ProvisionKind.PART),
    "partie": ("part", ProvisionKind.PART),
    "parties": ("part", ProvisionKind.PART),
    "title": ("title", ProvisionKind.PART),
    "titre": ("title", ProvisionKind.PART),
    "subpart": ("subpart", ProvisionKind.DIVISION),
    "sous-partie": ("subpart", ProvisionKind.DIVISION),
    "division": ("div", ProvisionKind.DIVISION),
    "section": ("div", ProvisionKind.DIVISION),  # what French calls a Division
    "subdivision": ("subdiv", ProvisionKind.DIVISION),
    "sous-section": ("subdiv", ProvisionKind.DIVISION),
    "chapter": ("chp", ProvisionKind.CHAPTER),
    "chapitre": ("chp", ProvisionKind.CHAPTER),
    "article": ("art", ProvisionKind.ARTICLE),
    "rule": ("rule", ProvisionKind.DIVISION),
    "règle": ("rule", ProvisionKind.DIVISION),
    "form": ("form", ProvisionKind.SCHEDULE),
    "formule": ("form", ProvisionKind.SCHEDULE),
    "formulaire": ("form", ProvisionKind.SCHEDULE),
    "schedule": ("sched", ProvisionKind.SCHEDULE),
    "schedules": ("sched", ProvisionKind.SCHEDULE),
    "annexe": ("sched", ProvisionKind.SCHEDULE),
    "annexes": ("sched", ProvisionKind.SCHEDULE),
    "annex": ("annex", ProvisionKind.SCHEDULE),
    "appendix": ("appendix", ProvisionKind.SCHEDULE),
    "appendice": ("appendix", ProvisionKind.SCHEDULE),
}


@lru_cache(maxsize=16_384)
def labelled_place(label: str) -> tuple[str, str, ProvisionKind] | None:
    """Step, number and kind of a heading's label ("PART II"), or None for one of another form."""
    word, _, rest = _BILINGUAL.split(label.strip(" «»“”\"'"), maxsplit=1)[0].partition(" ")
    found = _HEADING_WORDS.get(word.casefold())
    if found is None:
        return None
    return found[0], label_number(rest), found[1]


@lru_cache(maxsize=65_536)
def step(kind: str, number: str) -> Step:
    """A step; the same few (`para_a`, `subsec_1`) occur a million times, so their objects are shared."""
    return Step(kind, number)
