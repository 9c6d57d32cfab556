"""Lists of kohdat and alakohdat that a source prints on one level, arranged as the law numbers them.

"2) taikka:", "a) yksi;", "b) kaksi." are side by side in many files although the letters are alakohdat of the
second kohta; in some, the kohdat of a list are marked up as momentit, which they are not.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pykala.law.provisions import Provision, ProvisionKind
from pykala.packs.finland.spacing import number_of
from pykala.packs.finland.statutes.act_text import ActText

_LETTER = re.compile(r"[a-zåäö]{1,2}\s?\)", re.IGNORECASE)
_NUMBERED = re.compile(r"(\d{1,3}(?:\s?[a-zåäö])?\s?\))\s*(?=\S)", re.IGNORECASE)


def is_point_of(last: Provision, label: str) -> bool:
    """Whether an item labelled "a)" goes on the numbered item before it."""
    return last.kind is ProvisionKind.ITEM and last.label[:1].isdecimal() and bool(_LETTER.fullmatch(label))


def with_stray_item(last: Provision, words: str, text: ActText) -> Provision | None:
    """The momentti before, with words that follow it as its item; None where they do not begin "2) …"."""
    found = _NUMBERED.match(words)
    if found is None or last.kind is not ProvisionKind.SUBSECTION:
        return None
    identifier = text.taken.claim(last.id, "para", number_of(found[1]))
    item = Provision(identifier, ProvisionKind.ITEM, found[1], (text.version(words[found.end() :]),))
    return replace(last, children=(*last.children, item))
