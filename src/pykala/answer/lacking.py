"""Say by name what the library does not hold, and how to fetch it."""

from __future__ import annotations

from pykala.retrieve.cites import NotHeld, written
from pykala.text.phrases import say

#: Words that an act's English name ends with where it takes an article: "the Excise Tax Act".
_TITLED = (
    "Act", "Code", "Law", "Plan", "Charter", "Rules", "Regulations", "Regulation", "Directive", "Treaty",
    "Order", "Constitution", "Tariff", "act", "code", "law", "charter", "regulation", "directive",
)  # fmt: skip


def not_held(lacking: NotHeld, language: str) -> str:
    """The text that an act or decision is not in this library, with the command that fetches it."""
    if lacking.case:
        return say(language, "answer.case_not_held", name=lacking.name)
    titled = lacking.name.split(" ")[-1] in _TITLED
    said = say(language, "answer.act_not_held" if titled else "answer.named_not_held", name=written(lacking))
    return f"{said} {say(language, 'answer.fetch', command=lacking.fetch)}" if lacking.fetch else said
