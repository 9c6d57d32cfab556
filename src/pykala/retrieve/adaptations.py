"""Recognise words that adapt a rule of another act: "section 239 is modified as follows: …".

A regulation may repeat a rule of its act, changed for some cases: "With respect to employers that …,
subsection 239(1.21) of the Act is modified as follows: …". Its words are those of the rule, so it is found
for the same questions; but it answers only those that state its case.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from pykala.stores.store import Match
from pykala.text.analysis import analyse
from pykala.text.languages.known import alternatives, derived

_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_QUOTED = "quoted"  # the step of a place that holds the words of another text
_STATED = 0.5  # the least share of the words of a case that a question with that case has


@derived
def _adapts() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives('law.adapts')})", re.IGNORECASE)


def words_that_adapt(match: Match) -> str:
    """The line that says for whom, and which rule, a passage adapts; empty where it adapts none."""
    text = match.text
    if any(step.kind == _QUOTED for step in match.provision.path):
        before, _, _ = match.parent_text.partition(text)
        text = f"{before}{text}"
    said = [*_adapts().finditer(text)]
    if not said:
        return ""
    end = said[-1].start() if text is not match.text else said[0].start()
    return text[text.rfind("\n", 0, end) + 1 : end]


def states_its_case(terms: Collection[str], line: str, language: str) -> bool:
    """Whether a question, by its terms, states the case for which a line adapts a rule."""
    case = {term for term in analyse(line, language) if term.isalpha()}
    return bool(case) and len(case.intersection(terms)) >= _STATED * len(case)


def is_adapted(rule: Match, adaptation: Match, line: str) -> bool:
    """Whether a rule is the one that a line adapts: a section of another work of the place, by its number."""
    if rule.work == adaptation.work or rule.work.jurisdiction != adaptation.work.jurisdiction:
        return False
    numbers = {step.number for step in rule.section.path}
    return not numbers.isdisjoint(_NUMBER.findall(line))
