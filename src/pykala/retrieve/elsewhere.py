"""Questions about the law of a country that no installed pack speaks for.

"What is the tax rate in Germany?" has every word that a Finnish tax act has, and no answer in it. A country
is recognised where it stands as the place of the question ("in Germany", "Saksassa", "en Allemagne"), not
where it is only spoken of ("income received from Germany"), nor where it is where somebody or something in
the question is: how a pensioner living in Sweden is taxed, our own law says.
"""

from __future__ import annotations

import re

_PLACES = {
    "en": (
        r"(?:in|of)\s+(?:the\s+)?",
        "Argentina Australia Austria Belgium Brazil Britain Bulgaria Chile China Croatia Cyprus Denmark"
        " England Estonia France Germany Greece Hungary Iceland India Indonesia Ireland Israel Italy Japan"
        " Korea Latvia Lithuania Luxembourg Malta Mexico Netherlands Norway Poland Portugal Romania Russia"
        " Scotland Singapore Slovakia Slovenia Spain Sweden Switzerland Thailand Turkey UK Ukraine USA"
        " United_Kingdom United_States California Texas Florida Quebec Ontario London Paris Berlin",
    ),
    "fi": (
        r"",
        "Alankomaissa Belgiassa Britanniassa Englannissa Espanjassa Intiassa Irlannissa Islannissa Italiassa"
        " Itävallassa Japanissa Kiinassa Kreikassa Latviassa Liettuassa Luxemburgissa Norjassa Portugalissa"
        " Puolassa Ranskassa Ruotsissa Saksassa Sveitsissä Tanskassa Tšekissä Turkissa Ukrainassa Unkarissa"
        " Venäjällä Virossa Yhdysvalloissa USA:ssa",
    ),
    "sv": (
        r"i\s+",
        "Belgien Danmark England Estland Frankrike Grekland Indien Irland Island Italien Japan Kina Lettland"
        " Litauen Nederländerna Norge Polen Portugal Ryssland Schweiz Spanien Storbritannien Sverige Tyskland"
        " Turkiet Ukraina Ungern USA Österrike",
    ),
    "fr": (
        r"(?:en|au|aux|de la|de l')\s*",
        "Allemagne Angleterre Autriche Belgique Brésil Chine Danemark Espagne Estonie France Grèce Inde"
        " Irlande Islande Italie Japon Mexique Norvège Pays-Bas Pologne Portugal Royaume-Uni Russie"
        " Suède Suisse Turquie Ukraine États-Unis",
    ),
}

# What stands right before or behind a place where somebody lives or works. "Working" and "living" as a matter
# of their own ("the rules on working in Germany") ask for the law of that place.
_BEFORE = {
    "en": re.compile(
        r"(?:(?<!\bon )(?<!\babout )(?<!\bof )\b(?:liv|resid|work|study|stay)ing"
        r"|\b(?:who|that|which|I|we|they|he|she)\s+(?:(?:also|still|now)\s+)?(?:live|reside|work|am|are|is)s?"
        r"|\b(?:lives|resides|works)|\bresidents?|\bdomiciled|\bemployed|\bbased|\bregistered|\bestablished"
        r"|\bincorporated|\blocated|\bsituated|\bborn|\b(?:citizen|national)s?)"
        r"(?:\s+\w+ly)?(?:\s+for\s+tax\s+purposes)?\s+$",
        re.IGNORECASE,
    ),
    "fi": re.compile(
        r"\b(?:asu(?:n|u|mme|vat)|työskentel(?:en|ee|emme|evät)|oleskel(?:en|ee|evat))\s+(?:\w+sti\s+)?$",
        re.IGNORECASE,
    ),
    "sv": re.compile(
        r"\b(?:bosatta?|bor|boende|arbetar|arbetande|anställda?|registrera(?:d|t|de)|etablera(?:d|t|de)"
        r"|hemmahörande|verksam(?:ma|t)?|beläg(?:en|et|na)|född?a?|vistas)\s+$",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:résid(?:ante?s?|ente?s?|e)|domicili(?:ée?s?)|habit(?:ante?s?|e|ent)|travaill(?:ante?s?|e|ent)"
        r"|viv(?:ante?s?|ent)|vit|établie?s?|employée?s?|immatriculée?s?|enregistrée?s?|située?s?|née?s?)"
        r"(?:\s+\w+ment)?\s+$",
        re.IGNORECASE,
    ),
}
_BEHIND = {
    "fi": re.compile(
        r"\s+(?:\w+sti\s+|työssä\s+|töissä\s+)?(?:asu(?:va|vi|u|n\b|mme|e)|työskentelev|työskentele[en]\b"
        r"|oleskelev|oleva|olevi|toimiva|toimivi|rekisteröi(?:ty|dy)|sijaitsev|synty(?:ny|ne))",
        re.IGNORECASE,
    ),
}


def _pattern(before: str, names: str) -> re.Pattern[str]:
    places = "|".join(re.escape(name.replace("_", " ")) for name in names.split())
    return re.compile(rf"(?<!\w){before}(?P<place>{places})(?!\w)")


_patterns = {language: _pattern(*places) for language, places in _PLACES.items()}


def place_elsewhere(text: str, language: str) -> str:
    """The place outside every installed jurisdiction that a question is about, or nothing."""
    pattern = _patterns.get(language)
    text = text.replace("’", "'")
    places = pattern.finditer(text) if pattern else ()
    return next((found["place"] for found in places if not _somebody_is_there(found, language)), "")


def _somebody_is_there(found: re.Match[str], language: str) -> bool:
    """Whether a place is only where somebody lives or works: "a person living in Germany"."""
    before, behind = _BEFORE.get(language), _BEHIND.get(language)
    return bool(
        (before and before.search(found.string[: found.start()]))
        or (behind and behind.match(found.string, found.end()))
    )
