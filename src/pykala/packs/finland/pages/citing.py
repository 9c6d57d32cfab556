"""How people cite Finnish law: "TVL 124 § 2 mom.", "33 a § 2 mom. inkomstskattelagen", "section 124"."""

from __future__ import annotations

import re

from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import Work

_LETTER = re.compile(r"^(\d+)([a-zåäö])$")
_WORDS = {
    "fi": {
        "part": "{0} osa",
        "chp": "{0} luku",
        "sec": "{0} §",
        "subsec": "{0} mom.",
        "para": "{0} kohta",
        "subpara": "{0} alakohta",
        "enacting": "johtolause",
        "entry": "voimaantulosäännös",
        "annex": "liite {0}",
        "signature": "allekirjoitukset",
    },
    "sv": {
        "part": "avd. {0}",
        "chp": "{0} kap.",
        "sec": "{0} §",
        "subsec": "{0} mom.",
        "para": "{0} punkten",
        "subpara": "underpunkt {0}",
        "enacting": "ingressen",
        "entry": "ikraftträdandebestämmelsen",
        "annex": "bilaga {0}",
        "signature": "underskrifter",
    },
    "en": {
        "part": "part {0}",
        "chp": "chapter {0}",
        "sec": "section {0}",
        "subsec": "subsection {0}",
        "para": "paragraph {0}",
        "subpara": "subparagraph {0}",
        "enacting": "enacting clause",
        "entry": "entry into force",
        "annex": "annex {0}",
        "signature": "signatures",
    },
}
_GUIDANCE_SECTION = {"fi": "luku {0}", "sv": "kapitel {0}", "en": "chapter {0}"}


def citation_of(work: WorkId) -> str:
    """How lawyers cite a ruling: "KHO 2025:46", "KVL:004/2024"."""
    _, court, number = work.value.split(":", 2)
    year, slash, rest = number.partition("/")
    if court == "kvl":
        return f"KVL:{int(rest):03}/{year}"
    return f"KHO {year}:{rest}" if slash else f"KHO {number}"


def cite(provision: ProvisionId, work: Work, language: str) -> str:
    """The human citation of a provision; other languages than Finnish and Swedish cite as English does."""
    language = language if language in _WORDS else "en"
    kind = work.id.value.split(":")[1]
    if kind in {"kho", "kvl"}:
        return citation_of(work.id)
    if kind == "vero":
        number = provision.step("sec")
        place = _GUIDANCE_SECTION[language].format(number) if number else ""
        return ", ".join(part for part in (work.name(language), place) if part)
    words = [
        _WORDS[language][step.kind].format(_printed(step, language))
        for step in provision.path
        if step.kind in _WORDS[language]
    ]
    if language == "fi":
        return " ".join([_finnish_name(work), *words])
    if language == "sv":
        return " ".join([*words, _swedish_name(work)])
    return ", ".join([_numbered(work, "en"), *words])


def _printed(step: Step, language: str) -> str:
    """Identifiers and English write 33a; the law prints 33 a."""
    return step.number if language == "en" else _LETTER.sub(r"\1 \2", step.number)


def _number(work: Work) -> str:
    """The number of an act, "1535/1992"; "" of one whose page tells none."""
    year, slash, number = work.id.value.rpartition(":")[2].partition("/")
    return f"{number}/{year}" if slash else ""


def _numbered(work: Work, language: str) -> str:
    name = work.name(language)
    return _with_number(name, work) if _number(work) not in name else name


def _with_number(name: str, work: Work) -> str:
    number = _number(work)
    return f"{name} ({number})" if number else name


def _finnish_name(work: Work) -> str:
    capitals = [name for name in work.abbreviations if name[:1].isupper()]
    return next(iter([*capitals, *work.abbreviations]), _numbered(work, "fi"))


def _swedish_name(work: Work) -> str:
    """The definite form: *Inkomstskattelag* is cited as inkomstskattelagen, *Lag om …* as lagen om …."""
    title = dict(work.titles).get("sv", "")
    if not title:
        return _numbered(work, "sv")
    first, space, rest = title.partition(" ")
    for ending, definite in (("lag", "lagen"), ("förordning", "förordningen"), ("balk", "balken")):
        if first.lower().endswith(ending):
            first = first.lower().removesuffix(ending) + definite
            break
    return _with_number(f"{first}{space}{rest}", work)
