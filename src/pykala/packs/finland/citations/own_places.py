"""Where a text speaks of its own place ("tässä pykälässä") or of its own headings ("ks. luku 3.4")."""

from __future__ import annotations

import re

from pykala.law.identifiers import Step

_OWN_PLACE = re.compile(
    r"\b[Tt]ä(?:ssä|män|stä|hän|tä) (?P<fi>pykälä|momenti|momentt|luvu|luku|koh[dt]a)[a-zäö]*"
    r"|\b[Dd](?:enna|etta|et här) (?P<sv>paragraf|mom|kap|punkt)[a-zåäö.]*"
)
_OWN_LEVELS = {
    "pykälä": "sec",
    "momenti": "subsec",
    "momentt": "subsec",
    "luvu": "chp",
    "luku": "chp",
    "kohda": "para",
    "kohta": "para",
    "paragraf": "sec",
    "mom": "subsec",
    "kap": "chp",
    "punkt": "para",
}


#: "ks. luku 3.4", "ohjeen luvussa 5": a page of guidance cites its own headings.
_OWN_CHAPTER = re.compile(
    r"(?<![\w])(?:luku|luvun|luvussa|luvusta|lukuun|kappaleessa|kappaleen|kohdassa)"
    r" (?P<number>[0-9]{1,2}(?:\.[0-9]{1,2}){0,4})(?![\w%]|[.,/][0-9])"
)
_OTHER_PAGE = re.compile(r"(?:[Oo]hje(?:en|essa|esta) [”\"A-ZÅÄÖ]|[Dd]irektiiv|[Ll]omak)[^.]{0,160}$")


def own_chapters(plain: str) -> list[tuple[int, int, Step]]:
    """Headings of the page itself that a page of guidance cites, as steps."""
    return [
        (found.start(), found.end(), Step("sec", found["number"]))
        for found in _OWN_CHAPTER.finditer(plain)
        if _OTHER_PAGE.search(plain, max(0, found.start() - 180), found.start()) is None
    ]


def own_places(plain: str) -> list[tuple[int, int, str]]:
    """Where a text names its own place ("tässä pykälässä", "tämän luvun"), by the kind of level."""
    return [
        (found.start(), found.end(), _OWN_LEVELS[found["fi"] or found["sv"]])
        for found in _OWN_PLACE.finditer(plain)
    ]
