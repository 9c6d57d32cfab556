"""Formulas as text: from Formex, where they have words and signs, into pages that print them as pictures.

A page of EUR-Lex prints "Effective tax rate = …" of Directive (EU) 2022/2523 as a picture without words. The
Formex file of the same state has it as elements, whose signs are attributes: `<OP.CMP TYPE="EQ"/>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from lxml import etree

from pykala.law.identifiers import ProvisionId
from pykala.packs.left_out import PICTURE

from .nodes import Node

#: Marks around a formula in a text of Formex, until it is known which pages lack it.
OPEN, CLOSE = "\ue010", "\ue011"
_DELIMITED = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-", "‑": "-", "−": "-"})
_SIGNS = {
    "OP.CMP": {"EQ": "=", "NE": "≠", "LT": "<", "LE": "≤", "GT": ">", "GE": "≥", "AP": "≈"},
    "OP.MATH": {"PLUS": "+", "MINUS": "−", "MULT": "×", "DIV": "÷", "PLUSMINUS": "±", "CARTPROD": "×"},
}
_BRACKETS = {"BRACKET": ("(", ")"), "SQBRACKET": ("[", "]"), "BRACE": ("{", "}"), "BAR": ("|", "|")}
_HEADS = {"SUM": "∑", "PROD": "∏", "INTEGRAL": "∫"}


def formula_text(element: etree._Element) -> str:
    """A formula of Formex on one line: "RW*_i = (RWAE_i) / (E*_i) × (A_i) / (EQ_i)"."""
    return _SPACES.sub(" ", _rendered(element)).strip()


def _rendered(element: etree._Element) -> str:
    inside = (element.text or "") + "".join(
        (_rendered(child) if isinstance(child.tag, str) else "") + (child.tail or "") for child in element
    )
    tag, kind = str(element.tag), element.get("TYPE", "")
    if tag in _SIGNS:
        return f" {_SIGNS[tag].get(kind, kind)} "
    if tag == "EXPR":
        opening, closing = _BRACKETS.get(kind, ("", ""))
        return f"{opening}{inside.strip()}{closing}" if opening else inside
    if tag in _HEADS:
        return f" {_HEADS[tag]}{inside} "
    if tag in ("IND", "UNDER"):
        return f"_{_grouped(inside)}"
    if tag in ("EXPONENT", "OVER"):
        return inside if inside.strip() in ("*", "'", "′") else f"^{_grouped(inside)}"
    if tag == "DIVIDEND":
        return f"({inside.strip()}) / "
    if tag in ("DIVISOR", "ROOT"):
        return f"{'√' if tag == 'ROOT' else ''}({inside.strip()})"
    if tag == "HT" and inside.strip() == "x":
        return " x "
    if tag == "INCL.ELEMENT":
        return f" {PICTURE} "
    return inside


def _grouped(words: str) -> str:
    words = words.strip()
    return words if words.isalnum() else f"{{{words}}}"


def restore_formulas(trees: Iterable[Node], donors: Iterable[Node]) -> None:
    """Replace pictures in texts by formulas, and remove all marks of formulas.

    A formula is taken from the same place in a Formex file, of this state or of another, if all other words
    of the place, and those before it, are the same.
    """
    trees = list(trees)
    known: dict[tuple[ProvisionId, str, str], str] = {}
    for donor in (*donors, *trees):
        for node, before in _with_words_before(donor, OPEN):
            if node.id is not None:
                known.setdefault((node.id, _bare(node.text), before), _plain(node.text))
    for tree in trees:
        _restore(tree, known)


def _restore(tree: Node, known: Mapping[tuple[ProvisionId, str, str], str]) -> None:
    for node, before in list(_with_words_before(tree, PICTURE)):
        if node.id is not None:
            node.text = known.get((node.id, _bare(node.text), before), node.text)
    for node in tree.walk():
        node.text = _plain(node.text)


def _with_words_before(tree: Node, sign: str) -> Iterator[tuple[Node, str]]:
    """The places whose text has a sign, each with the last words that stand before it."""
    texts: list[str] = []
    for node in tree.walk():
        if sign in node.text:
            yield node, next((words for text in reversed(texts) if (words := _bare(text))), "")
        texts.append(node.text)


def _bare(text: str) -> str:
    """The words of a text without its formulas and pictures, as all formats print them."""
    return _SPACES.sub("", _DELIMITED.sub("", text).replace(PICTURE, "").translate(_QUOTES))


def _plain(text: str) -> str:
    return text.replace(OPEN, "").replace(CLOSE, "") if OPEN in text else text
