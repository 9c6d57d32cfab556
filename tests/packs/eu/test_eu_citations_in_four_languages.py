"""The same place of Union law, as each of the four languages cites it."""

from __future__ import annotations

import pytest

from pykala.law.citations import CitationContext
from pykala.packs.eu import pack
from pykala.packs.eu.asked_citations import find_in_question
from pykala.packs.eu.resolution import resolve

NAMES = {**pack.facts.asked, **pack.facts.abbreviations}

CASES = {
    "eu:32016R0679/art_6/para_1/point_f": {
        "en": "Article 6(1)(f) of Regulation (EU) 2016/679",
        "fi": "asetuksen (EU) 2016/679 6 artiklan 1 kohdan f alakohta",
        "sv": "artikel 6.1 f i förordning (EU) 2016/679",
        "fr": "article 6, paragraphe 1, point f), du règlement (UE) 2016/679",
    },
    "eu:32006L0112/art_98/para_2": {
        "en": "Article 98(2) of Directive 2006/112/EC",
        "fi": "direktiivin 2006/112/EY 98 artiklan 2 kohta",
        "sv": "artikel 98.2 i direktiv 2006/112/EG",
        "fr": "article 98, paragraphe 2, de la directive 2006/112/CE",
    },
    "eu:32006L0112/art_135/para_1/point_g": {
        "en": "Article 135(1)(g) of the VAT Directive",
        "fi": "arvonlisäverodirektiivin 135 artiklan 1 kohdan g alakohta",
        "sv": "artikel 135.1 g i mervärdesskattedirektivet",
        "fr": "article 135, paragraphe 1, point g), de la directive TVA",
    },
    "eu:32024R1689/art_5": {
        "en": "Article 5 of the AI Act",
        "fi": "tekoälyasetuksen 5 artikla",
        "sv": "artikel 5 i AI-förordningen",
        "fr": "article 5 du règlement sur l’IA",
    },
    "eu:32016R0679/art_17": {
        "en": "Article 17 GDPR",
        "fi": "yleisen tietosuoja-asetuksen 17 artikla",
        "sv": "artikel 17 i dataskyddsförordningen",
        "fr": "article 17 du RGPD",
    },
    "eu:32006L0112/anx_III": {
        "en": "Annex III to Directive 2006/112/EC",
        "fi": "direktiivin 2006/112/EY liite III",
        "sv": "bilaga III till direktiv 2006/112/EG",
        "fr": "annexe III de la directive 2006/112/CE",
    },
    "eu:32016R0679/rct_47": {
        "en": "recital 47 of Regulation (EU) 2016/679",
        "fi": "asetuksen (EU) 2016/679 johdanto-osan 47 kappale",
        "sv": "skäl 47 i förordning (EU) 2016/679",
        "fr": "considérant 47 du règlement (UE) 2016/679",
    },
    "eu:32011R0282/art_58/para_5": {
        "en": "Article 58(5) of Implementing Regulation (EU) No 282/2011",
        "fi": "täytäntöönpanoasetuksen (EU) N:o 282/2011 58 artiklan 5 kohta",
        "sv": "artikel 58.5 i genomförandeförordning (EU) nr 282/2011",
        "fr": "article 58, paragraphe 5, du règlement d’exécution (UE) no 282/2011",
    },
    "eu:31995L0046": {
        "en": "Directive 95/46/EC",
        "fi": "direktiivi 95/46/EY",
        "sv": "direktiv 95/46/EG",
        "fr": "directive 95/46/CE",
    },
    "eu:32015L0849/art_2/para_1/point_3": {
        "en": "Article 2(1)(3) of Directive (EU) 2015/849",
        "fi": "direktiivin (EU) 2015/849 2 artiklan 1 kohdan 3 alakohta",
        "sv": "artikel 2.1.3 i direktiv (EU) 2015/849",
        "fr": "article 2, paragraphe 1, point 3), de la directive (UE) 2015/849",
    },
    "eu:32022L2523/art_26/para_1": {
        "en": "Article 26(1) of Council Directive (EU) 2022/2523",
        "fi": "neuvoston direktiivin (EU) 2022/2523 26 artiklan 1 kohta",
        "sv": "artikel 26.1 i rådets direktiv (EU) 2022/2523",
        "fr": "article 26, paragraphe 1, de la directive (UE) 2022/2523 du Conseil",
    },
}


@pytest.mark.parametrize(
    ("language", "words", "place"),
    [(language, words, place) for place, told in CASES.items() for language, words in told.items()],
)
def test_a_place_is_found_in_every_language(language: str, words: str, place: str) -> None:
    context = CitationContext(language, None)
    for text in (words, f"({words})", f"{words}?"):
        found = [
            str(one.target)
            for citation in find_in_question(text, NAMES)
            for one in resolve(citation, context, NAMES)
        ]
        assert found == [place]
