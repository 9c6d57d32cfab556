"""Citations as the institutions write them, and the official address of a provision.

"Directive 2006/112/EC, Article 98(2), point (a)"; in French
"directive 2006/112/CE, article 98, paragraphe 2, point a)".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from pykala.law.identifiers import ProvisionId, Step
from pykala.law.provisions import Work

SITE = "https://eur-lex.europa.eu/legal-content"
#: A corrigendum without a name of its own: "eu:32016R0679R(02)".
_CORRIGENDUM = re.compile(r"eu:(?P<act>3\d{4}[A-Z]{1,2}\d{4})R\((?P<number>\d\d)\)")
_STATE = re.compile(r"0\d{4}[a-z]{1,2}\d{4}-(?P<day>\d{8})")
_ORDINALS = {
    "en": ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    "fr": (
        "premier", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième",
        "neuvième", "dixième",
    ),
}  # fmt: skip
_PLACES = {
    "en": {
        "art": "Article", "anx": "Annex", "rct": "recital", "prt": "Part", "tis": "Title", "cpt": "Chapter",
        "sct": "Section", "sbs": "Subsection", "ptc": "Protocol No", "point": "point", "part": "part",
        "table": "table", "fn": "footnote", "cit": "citation", "head": "heading", "toc": "contents",
        "corrigendum": "corrigendum", "fnp": "final part", "enacts": "enacting formula", "pbl": "preamble",
        "line": "preamble, line", "whereas": "preamble", "quote": "quoted text", "para": "paragraph",
    },
    "fr": {
        "art": "article", "anx": "annexe", "rct": "considérant", "prt": "partie", "tis": "titre",
        "cpt": "chapitre", "sct": "section", "sbs": "sous-section", "ptc": "protocole nº", "point": "point",
        "part": "partie", "table": "tableau", "fn": "note", "cit": "visa", "head": "intitulé",
        "toc": "sommaire", "corrigendum": "rectificatif", "fnp": "partie finale",
        "enacts": "formule d’adoption", "pbl": "préambule", "line": "préambule, ligne",
        "whereas": "préambule", "quote": "texte cité", "para": "paragraphe",
    },
}  # fmt: skip
_ALONE = frozenset({"toc", "fnp", "enacts", "pbl", "whereas"})
_LATIN = ("bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "nonies", "decies")
_LETTERED = re.compile(r"(?P<number>\d+)(?P<letter>[a-i])")


def cite(provision: ProvisionId, work: Work, language: str) -> str:
    """The human citation of a provision."""
    language = "fr" if language == "fr" else "en"
    name = work.name(language)
    if match := _CORRIGENDUM.fullmatch(name):
        number, to = int(match["number"]), "to" if language == "en" else "à"
        name = f"{_PLACES[language]['corrigendum']} {number} {to} {match['act']}"
    steps = [Step(step.kind, step.number.partition(".dup")[0]) for step in provision.path]
    return ", ".join((name, *(_english(steps) if language == "en" else _french(steps))))


def _english(steps: Sequence[Step]) -> list[str]:
    parts: list[str] = []
    for place, step in enumerate(steps):
        if step.kind == "para" and place and steps[place - 1].kind == "art":
            parts[-1] += f"({step.number})"
        elif step.kind == "point":
            follows = place and steps[place - 1].kind == "point"
            if follows:
                parts[-1] += f"({step.number})"
            else:
                parts.append(f"point ({step.number})")
        else:
            parts.append(_part(step, steps, place, "en", step.number))
    return parts


def _french(steps: Sequence[Step]) -> list[str]:
    parts: list[str] = []
    for place, step in enumerate(steps):
        number = _latin(step.number)
        if step.kind == "point":
            follows = place and steps[place - 1].kind == "point"
            if follows:
                parts[-1] += f" {number})"
            else:
                parts.append(f"point {number})")
        elif step.kind == "para":
            parts.append(f"paragraphe {number}")
        else:
            parts.append(
                _part(step, steps, place, "fr", number if step.kind in ("art", "anx") else step.number)
            )
    return parts


def _part(step: Step, steps: Sequence[Step], place: int, language: str, number: str) -> str:
    if step.kind in ("subpara", "indent"):
        return _ordinal(step, steps, place, language)
    name = _PLACES[language].get(step.kind, step.kind)
    return name if step.kind in _ALONE else f"{name} {number}"


def _ordinal(step: Step, steps: Sequence[Step], place: int, language: str) -> str:
    """The "second subparagraph", or "second paragraph" of an article without numbers."""
    ordinals = _ORDINALS[language]
    try:
        count = int(step.number)
        ordinal = ordinals[count - 1] if 0 < count <= len(ordinals) else f"{count}th"
    except ValueError:
        ordinal = step.number
    if language == "fr" and ordinal == f"{step.number}th":
        ordinal = f"{step.number}e"
    unnumbered = place > 0 and steps[place - 1].kind == "art"
    if step.kind == "indent":
        return f"{ordinal} indent" if language == "en" else f"{ordinal} tiret"
    if language == "en":
        return f"{ordinal} {'paragraph' if unnumbered else 'subparagraph'}"
    return f"{ordinal} alinéa"


def _latin(number: str) -> str:
    """French writes 59a as "59 bis"."""
    match = _LETTERED.fullmatch(number)
    return f"{match['number']} {_LATIN[ord(match['letter']) - ord('a')]}" if match else number


def url(provision: ProvisionId, work: Work, language: str, as_of: date | None = None) -> str:
    """The act at EUR-Lex, in its consolidated state of a day where there is one, at the article's anchor."""
    celex = provision.work.value.removeprefix("eu:")
    state = _state(work, as_of)
    number = state.upper() if state else celex.replace("/", "%2F")
    address = f"{SITE}/{'FR' if language == 'fr' else 'EN'}/TXT/?uri=CELEX:{number}"
    first = provision.path[0] if provision.path else None
    if first is not None and first.kind in ("art", "anx", "rct") and ".dup" not in first.number:
        return f"{address}#{first}"
    return address


def _state(work: Work, as_of: date | None) -> str:
    """The CELEX number of the newest consolidated state that begins no later than a day; "" for none."""
    found = [
        (match["day"], alias) for alias in work.aliases if (match := _STATE.fullmatch(alias)) is not None
    ]
    if as_of is not None:
        found = [(day, alias) for day, alias in found if day <= as_of.strftime("%Y%m%d")]
    return max(found)[1] if found else ""
