"""Names of acts: Finnish and Swedish inflect them, and long titles change their word order.

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
    (re.compile(r"järjesty(?:s|ksen|stä|ksessä|ksestä|kseen)$"), "järjestys"),
    (re.compile(r"muo(?:to|don|toa|dossa|dosta)$"), "muoto"),
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
_DAY_IN_TITLE = re.compile(r"(?: av)? den \d{1,2} [a-zåäö]+ \d{4}")
#: "Laki ennakkoperinnästä", "Valtioneuvoston asetus jätteistä": who gave it stands before the word.
_ABOUT = re.compile(r"^((?:[\wåäö-]+(?:- ja [\wåäö-]+)? ){0,3}?(?:laki|asetus|päätös))\s+(.+)$")
_ARTICLE = re.compile(r"^the\s+")


#: Words that end like a law's name but are none: "erityislaki" is any special act, "bolagen" are companies.
_NO_NAMES = {
    "fi": re.compile(
        r"aikaisempilaki|budjettilaki|ehdotuslaki|emolaki|erillisasetus|erillislaki|"
        r"erityislaki|jatkolaki|kattolaki|kehyslaki|kokolaki|kokonaislaki|kumoamislaki|"
        r"lakilaki|luonnonlaki|muutoslaki|neuvostonasetus|perusasetus|poikkeuslaki|"
        r"puitelaki|runkolaki|samallalaki|sateenkaari|sellaki|siirtymälaki|säädöslaki|"
        r"tällaki|täytäntöönpanoasetus|valokaari|valtuusasetus|valtuuslaki|veroasetus|"
        r"verolaki|voimaanpanolaki|voimaansaattamislaki|voimaantulolaki|yhtälaki|yleislaki|"
        r"ympäristölaki"
    ),
    "sv": re.compile(
        r"aktiebolagen|anlagen|anslagen|avslagen|bolagen|bolagens|djurslagen|dotterbolagen|"
        r"fastighetsbolagen|fondbolagen|förslagen|förslagens|försäkringsbolagen|"
        r"genomförandeförordningen|grundförordningen|inslagen|moderbolagen|omslagen|"
        r"pensionsbolagen|rambolagen|skatteslagen|speciallagen|tillslagen|träslagen|"
        r"underlagen|utslagen"
    ),
}
#: "veronalaista", "samanlaista", "tällaista" decline adjectives; "vesilaista" and "osakeyhtiölaista" laws.
_ADJECTIVE = re.compile(r"(?<!yhtiö)(?<!säätiö)[anälö]laista$")
#: "lagförslagen", but not "kreditinstitutslagen".
_BOLAG = re.compile(r"(?:bolagens?|(?<![a-zåäö]{5})(?:för|an|ut|in|av|till)slagens?)$")


_ORDERS = frozenset({"valtiopäiväjärjestys", "kirkkojärjestys", "hallitusmuoto"})


def is_law_name(word: str, language: str = "fi") -> bool:
    """Whether a word names one law: "tuloverolaissa" does, "erityislain" and "veronalaista" do not."""
    folded = word.casefold()
    if language == "sv":
        return (
            len(folded) > 7
            and not _NO_NAMES["sv"].fullmatch(folded.rstrip("s"))
            and not _BOLAG.search(folded)
        )
    base = _finnish(folded)
    if base in _ORDERS:
        return True
    stem = base.removesuffix("laki").removesuffix("asetus").removesuffix("kaari")
    if len(stem) < 4 or stem == base or _NO_NAMES["fi"].fullmatch(base):
        return False
    return _ADJECTIVE.search(folded) is None


def base_name(name: str, language: str) -> str:
    """The form under which an act is known: nominative, indefinite, folded; "" for no name."""
    folded = normalise_alias(_DAY_IN_TITLE.sub("", _NUMBER_IN_TITLE.sub("", name)))
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


_SPELLED = re.compile(r"([A-ZÅÄÖ][a-zåäö]{3,24})(L|A)")


def spelled_out(name: str) -> str:
    """A name as it is known: "RakennusL" is *rakennuslaki*, "TerveydenhoitoA" *terveydenhoitoasetus*."""
    if found := _SPELLED.fullmatch(name):
        return found[1].casefold() + ("laki" if found[2] == "L" else "asetus")
    return normalise_alias(name)


def names_of_title(title: str, language: str) -> list[str]:
    """The names that a title answers to: itself, and turned around as it is cited."""
    if not title:
        return []
    name = base_name(title, language)
    names = [name]
    if language == "fi" and (about := _ABOUT.match(name)):
        names.append(f"{about[2]} annettu {about[1]}")
    return names
