"""What an act is called: Finnish and Swedish decline the names of laws, and long titles turn around.

"tuloverolain" and "tuloverolaissa" are *tuloverolaki*; "Laki ennakkoperinnästä" is cited as
"ennakkoperinnästä annetun lain"; *Inkomstskattelag* is cited as "inkomstskattelagen".
"""

from __future__ import annotations

import re

from pykala.law.references import normalise_alias

# The case endings of the words that end a law's name, longest first.
_FINNISH = (
    (
        re.compile(r"(?:laki|lain|lakia|laissa|laista|lakiin|lailla|lailta|laille|lakina|laiksi|lakeja)$"),
        "laki",
    ),
    (re.compile(r"asetu(?:s|ksen|sta|ksessa|ksesta|kseen|ksella|kselta|ksena)$"), "asetus"),
    (re.compile(r"kaar(?:i|en|ta|essa|esta|een|ella)$"), "kaari"),
    (re.compile(r"päätö(?:s|ksen|stä|ksessä|ksestä|kseen|ksellä)$"), "päätös"),
    (re.compile(r"sopimu(?:s|ksen|sta|ksessa|ksesta|kseen|ksella)$"), "sopimus"),
)
_GIVEN = re.compile(r"\bannet(?:tu|un|tua|ussa|usta|tuun|ulla|ulta|ulle)\b")
_SWEDISH = (
    (re.compile(r"lagens?$"), "lag"),
    (re.compile(r"förordningens?$"), "förordning"),
    (re.compile(r"balkens?$"), "balk"),
    (re.compile(r"beslutets?$"), "beslut"),
)
_SWEDISH_FIRST = re.compile(r"^(lag|förordning)(?:ens?)\b")
_NUMBER_IN_TITLE = re.compile(r"\s*\(\s*\d+/\d+\s*\)")
_ABOUT = re.compile(r"^(laki|asetus|päätös)\s+(.+)$")
_ARTICLE = re.compile(r"^the\s+")


def base_name(name: str, language: str) -> str:
    """The form under which an act is known: nominative, indefinite, folded; "" for no name."""
    folded = normalise_alias(_NUMBER_IN_TITLE.sub("", name))
    if language == "fi":
        return _finnish(folded)
    if language == "sv":
        return _swedish(folded)
    return _ARTICLE.sub("", folded)


def _finnish(folded: str) -> str:
    folded = _GIVEN.sub("annettu", folded)
    for ending, nominative in _FINNISH:
        if ending.search(folded):
            return ending.sub(nominative, folded)
    return folded


def _swedish(folded: str) -> str:
    if _SWEDISH_FIRST.match(folded):
        return _SWEDISH_FIRST.sub(r"\1", folded)
    for ending, indefinite in _SWEDISH:
        if ending.search(folded):
            return ending.sub(indefinite, folded)
    return folded


def names_of_title(title: str, language: str) -> list[str]:
    """The names that a title answers to: itself, and turned around as it is cited."""
    if not title:
        return []
    name = base_name(title, language)
    names = [name]
    if language == "fi" and (about := _ABOUT.match(name)):
        names.append(f"{about[2]} annettu {about[1]}")
    return names
