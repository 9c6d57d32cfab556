"""Citations as Canadian lawyers write them, and the address of the section at Justice Laws.

English uses brackets, "s. 150(1)(d)(ii)"; French names the smallest unit, "sous-al. 150(1)d)(ii)".
"""

from __future__ import annotations

from collections.abc import Sequence

from pykala.law.identifiers import ProvisionId, Step
from pykala.law.provisions import Work
from pykala.packs.canada.naming import french_number

SITE = "https://laws-lois.justice.gc.ca"
#: Steps that are written in brackets after their section, outermost first, and what French calls the last.
BRACKETS = ("subsec", "para", "subpara", "cl", "subcl", "subsubcl")
_FRENCH_UNITS = {
    "sec": "art.",
    "subsec": "par.",
    "para": "al.",
    "subpara": "sous-al.",
    "cl": "div.",
    "subcl": "subdiv.",
    "subsubcl": "sous-subdiv.",
}
_PLACES = {
    "en": {
        "part": "Part", "div": "Division", "subdiv": "Subdivision", "chp": "Chapter", "title": "Title",
        "subpart": "Subpart", "rule": "Rule", "art": "Article", "sched": "Schedule", "form": "Form",
        "annex": "Annex", "appendix": "Appendix", "item": "item", "fn": "footnote", "table": "table",
        "row": "row", "formula": "formula", "term": "element", "preamble": "preamble",
        "enacts": "enacting clause", "order": "order", "hist": "historical note", "note": "note",
        "sig": "signature block", "treaty": "treaty", "pub": "publication", "toc": "table of provisions",
        "related": "related provisions", "notinforce": "amendments not in force", "quoted": "quoted text",
        "head": "heading", "rel": "provision", "prov": "paragraph", "document": "document", "group": "group",
    },
    "fr": {
        "part": "partie", "div": "section", "subdiv": "sous-section", "chp": "chapitre", "title": "titre",
        "subpart": "sous-partie", "rule": "règle", "art": "article", "sched": "annexe", "form": "formule",
        "annex": "annexe", "appendix": "appendice", "item": "point", "fn": "note en bas de page",
        "table": "tableau", "row": "ligne", "formula": "formule", "term": "élément",
        "preamble": "préambule", "enacts": "formule d’édiction", "order": "décret",
        "hist": "note historique", "note": "note", "sig": "bloc de signature", "treaty": "traité",
        "pub": "publication", "toc": "table des dispositions", "related": "dispositions connexes",
        "notinforce": "modifications non en vigueur", "quoted": "texte cité", "head": "intertitre",
        "rel": "disposition", "prov": "paragraphe", "document": "document", "group": "groupe",
    },
}  # fmt: skip
#: Places that a work has only once, or that are named without a number.
_UNNUMBERED = frozenset({"preamble", "enacts", "order", "hist", "toc", "related", "notinforce", "pub"})
#: Text that resumes after a list is cited as the provision it belongs to.
_SILENT = frozenset({"flush", "other", "oath", "image", "reserved"})


def cite(provision: ProvisionId, work: Work, language: str) -> str:
    """The human citation of a provision, in English or French."""
    language = "fr" if language == "fr" else "en"
    parts = [work.name(language)]
    steps = [Step(step.kind, step.number.partition(".dup")[0]) for step in provision.path]
    while steps:
        first = steps.pop(0)
        if first.kind == "sec" or first.kind in BRACKETS:
            unit = [first]
            while steps and steps[0].kind in BRACKETS:
                unit.append(steps.pop(0))
            parts.append(_french_unit(unit) if language == "fr" else _english_unit(unit))
        elif first.kind not in _SILENT:
            parts.append(_place(first, language))
    return ", ".join(parts)


def _place(step: Step, language: str) -> str:
    if step.kind == "def":
        term = step.number.replace("-", " ")
        return f"définition de « {term} »" if language == "fr" else f"definition “{term}”"
    name = _PLACES[language].get(step.kind, step.kind)
    return name if step.kind in _UNNUMBERED and step.number == "1" else f"{name} {step.number}"


def _english_unit(steps: Sequence[Step]) -> str:
    brackets = "".join(f"({step.number})" for step in steps if step.kind != "sec")
    if steps[0].kind != "sec":
        return f"paragraph {brackets}"
    number = steps[0].number
    if "-" in number and number[0].isdecimal():
        return f"ss. {number.replace('-', ' to ')}{brackets}"
    return f"s. {number}{brackets}"


def _french_unit(steps: Sequence[Step]) -> str:
    number = steps[0].number.replace("-", " à ") if steps[0].kind == "sec" else ""
    brackets = "".join(
        f"{step.number})" if step.kind == "para" else f"({step.number})"
        for step in steps
        if step.kind != "sec"
    )
    return f"{_FRENCH_UNITS[steps[-1].kind]} {number}{brackets}"


def url(provision: ProvisionId, language: str) -> str:
    """The section's own page; schedules and the rest lie in the full text."""
    _, kind, number = provision.work.value.split(":", 2)
    french = language == "fr"
    if french:
        folder = f"{SITE}/fra/{'lois' if kind == 'act' else 'reglements'}/{french_number(number)}"
    else:
        folder = f"{SITE}/eng/{'acts' if kind == 'act' else 'regulations'}/{number}"
    if not provision.path:
        return f"{folder}/index.html"
    first = provision.path[0]
    if first.kind == "sec" and ".dup" not in first.number:
        return f"{folder}/{'article' if french else 'section'}-{first.number}.html"
    return f"{folder}/{'TexteComplet' if french else 'FullText'}.html"
