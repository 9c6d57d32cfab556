"""Questions about the law of a country that no installed pack speaks for.

"What is the tax rate in Germany?" has every word that a Finnish tax act has, and no answer in it. A country
is recognised where it stands as the place of the question ("in Germany", "Saksassa", "en Allemagne"), not
where it is only spoken of ("income received from Germany").
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


def _pattern(before: str, names: str) -> re.Pattern[str]:
    places = "|".join(re.escape(name.replace("_", " ")) for name in names.split())
    return re.compile(rf"(?<!\w){before}(?P<place>{places})(?!\w)")


_patterns = {language: _pattern(*places) for language, places in _PLACES.items()}


def place_elsewhere(text: str, language: str) -> str:
    """The place outside every installed jurisdiction that a question is about, or nothing."""
    pattern = _patterns.get(language)
    found = pattern.search(text.replace("’", "'")) if pattern else None
    return found["place"] if found else ""
