"""How French acts write references: from the article inwards, with Latin for inserted numbers ("28 bis")."""

from __future__ import annotations

import re
from typing import Final

from pykala.packs.eu.citation_patterns import (
    COMMUNITY,
    ECONOMIC,
    GROUPS,
    MARK,
    NO_QUANTITY,
    NUMBERED,
    OF_THE_TIME,
    ROMAN,
    Phrases,
    numbered,
)
from pykala.packs.eu.naming_acts import CHARTER, EURATOM, LATIN, TEU, TFEU

_ORDINALS = (
    "premier", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième",
    "neuvième", "dixième", "onzième", "douzième", "treizième", "quatorzième", "quinzième", "seizième",
    "dix-septième", "dix-huitième", "dix-neuvième", "vingtième",
)  # fmt: skip
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|première|seconde?|dernière?)"
_DU = r"(?:de l'|de la |des |du |de )"
_AU = r"(?:à l'|à la |aux |au |dans l')"
_INSERTED = rf"(?:[ -]{LATIN}\b){{0,2}}"
_INNER = rf"(?P<groups>(?: ?\(?(?:\d{{1,3}}|[a-z]{{1,5}})(?: {LATIN})?\))*)"
_WORDS = r"(?:directive|règlement|décision(?:-cadre)?|recommandation)"
_OTHERS = r"(?:traité|charte|accord|convention|protocole)"
_PLACES = r"(?P<place>article|paragraphe|alinéa|point|annexe|chapitre|section|titre|partie)\b"
_PART = rf"(?P<number>(?:{ROMAN}|\d{{1,2}}\b){_INSERTED})(?P<groups>)"
_NAMES = re.IGNORECASE

FRENCH: Final = Phrases(
    units={
        "article": "art", "articles": "art", "art.": "art", "paragraphe": "para", "paragraphes": "para",
        "point": "point", "points": "point", "sous": "point", "lettre": "point", "lettres": "point",
        "annexe": "anx", "annexes": "anx", "considérant": "rct", "considérants": "rct", "chapitre": "cpt",
        "chapitres": "cpt", "titre": "tis", "titres": "tis", "section": "sct", "sections": "sct",
        "partie": "prt", "parties": "prt", "sous-section": "sbs", "sous-sections": "sbs",
    },
    ordinal_units={
        "alinéa": "subpara", "tiret": "indent", "phrase": "sent", "paragraphe": "subpara", "partie": "prt",
    },
    ordinals=numbered(
        _ORDINALS, première="1", second="2", seconde="2", dernier="last", dernière="last"
    ),
    start=re.compile(
        rf"\b(?:(?P<ordinals>{_ORDINAL}(?:(?:, | et | ou | à )(?:au |à la |aux )?{_ORDINAL}){{0,8}}) "
        r"(?P<level>alinéas?|tirets?|phrases?|paragraphes?|partie(?: (?:bis|ter|quater))?)\b"
        r"|(?P<unit>[Aa]rticles?|ARTICLES?|[Aa]rt\.|[Pp]aragraphes?|[Pp]oints?|sous(?= [a-z]{1,3}\))"
        r"|lettres?(?= [a-z]{1,3}\))|[Aa]nnexes?|ANNEXES?|[Cc]onsidérants?|[Cc]hapitres?|[Tt]itres?"
        r"|[Ss]ous-sections?|[Ss]ections?|[Pp]arties?) (?=premier|[\d(A-Z]|[a-z]{1,5}(?: [a-z]+)?\)))"
    ),
    numbers={
        "art": re.compile(
            rf"(?P<number>premier|1er|\d{{1,4}}(?:[a-z]{{1,2}}(?![a-z]))?{_INSERTED}){NO_QUANTITY}{GROUPS}"
        ),
        "para": re.compile(rf"(?P<number>\d{{1,3}}{_INSERTED}){NO_QUANTITY}(?P<groups>)"),
        "point": re.compile(
            rf"(?:\(?(?P<number>\d{{1,3}}{_INSERTED}|[a-z]{{1,5}}{_INSERTED}|[A-Z])\)"
            rf"|(?P<bare>\d{{1,3}}(?:\.\d{{1,3}}){{0,5}}{_INSERTED}{NO_QUANTITY}|[A-Z](?:\.\d{{1,3}}){{0,4}}\b"
            rf"|[a-z]\b(?!'))){_INNER}"
        ),
        "anx": re.compile(rf"(?P<number>(?:{ROMAN}|\d{{1,2}}\b|[A-Z]\b(?!')){_INSERTED})(?P<groups>)"),
        "rct": re.compile(rf"\(?(?P<number>\d{{1,3}})\)?{NO_QUANTITY}(?P<groups>)"),
        "cpt": re.compile(_PART),
        "tis": re.compile(rf"(?P<number>(?:{ROMAN}|\d{{1,2}}\b|[A-H]\b){_INSERTED})(?P<groups>)"),
        "sct": re.compile(
            rf"(?P<number>(?:{ROMAN}|\d{{1,2}}(?:\.\d{{1,2}})*\b|[A-Z](?:\.\d{{1,2}})?\b){_INSERTED})(?P<groups>)"
        ),
        "sbs": re.compile(_PART),
        "prt": re.compile(rf"(?P<number>{ROMAN}|\d{{1,2}}\b|[A-Z]\b)(?P<groups>)"),
    },
    separator=re.compile(
        r"(?:(?P<to> à |[-–])|, (?:et |ou )?| ?,|(?: et| ou| et/ou|,? ainsi que) )"
        r"(?:de l'|des |aux |à l'|au |de )?"
    ),
    inside=re.compile(r",? (?:à l'|au |aux |à la |du |de l')?"),
    beside=re.compile(r",?(?: et| ou| ainsi que) (?:le |la |au |aux |du )?|, (?:le |la )?"),
    outside=re.compile(rf",? {_DU}"),
    the_annex=re.compile(r",? (?:de|à|dans) l'annexe\b(?! (?:[IVXLC]+|\d+|[A-Z])\b)"),
    this_place=re.compile(rf",? (?:du|de la|au|à la) présente? {_PLACES}"),
    that_place=re.compile(
        rf",? (?:dudit |de ladite |du même |de la même |de cet |de cette |de ce |audit |à ladite ){_PLACES}"
    ),
    leading=re.compile(
        rf"{MARK},?(?: ?\([^()]{{1,60}}\))? (?:{_DU}|{_AU}|prévue?s? (?:par la |par le |à la |au )"
        r"|figurant (?:à la |au |dans la |dans le ))"
    ),
    own=re.compile(rf",? ?(?:de la|du|à la|au) présente? (?:{_WORDS}|{_OTHERS})\b"),
    earlier=re.compile(
        r",? ?(?:(?:de ladite|dudit|de cette|de ce|de la même|du même|à ladite|audit|à cette|desdite?s"
        rf"|de cet) (?P<word>{_WORDS}|{_OTHERS})s?\b(?! (?:\(|n[o°]|\d))"
        r"|(?P<thereof>de celle-ci|de celui-ci)\b)"
    ),
    possessive=re.compile(r"\b(?:son|ses|leurs?) $"),
    foreign=re.compile(
        r",? (?:de l'|du |de la |des |à l')(?:[\w'-]+ ){0,3}?(?:accord|convention|protocole"
        r"|actes? d'adhésion|statuts?|règlement intérieur|règlement financier|modèle de convention|pacte"
        r"|nomenclature combinée|lignes directrices)\b"
    ),
    linking=re.compile(
        r"(?:,|;)?(?: et| ou| ainsi qu[e']| et/ou)?,? ?"
        r"(?:(?:à l'|à la|aux|au|de l'|de la|des|du|de|d'|l'|les|la|le|à|par) ?){0,3}"
    ),
    that_act=re.compile(
        rf"\b(?:ladite|ledit|cette|ce|desdites|desdits|la même|le même|dudit|audit) (?P<word>{_WORDS})\b"
        r"(?! (?:\(|n[o°]|\d|d'exécution|délégué))",
        _NAMES,
    ),
    act=re.compile(
        r"(?:\b(?:première|deuxième|troisième|quatrième|cinquième|sixième|septième|huitième|neuvième|dixième"
        r"|onzième|douzième|treizième|dix-huitième) )?"
        r"\b(?P<kind>décision-cadre|directive|règlement|décision|recommandation|orientation|position commune"
        r"|action commune)(?P<plural>s)?"
        r"(?: (?:d'exécution|déléguée?s?|du Conseil|de la Commission"
        r"|du Parlement européen et du Conseil)){0,3}"
        rf" {NUMBERED}",
        _NAMES,
    ),
    more_acts=re.compile(rf"{MARK}(?:, (?:et |ou )?| et | ou |, ?)(?:de )?{NUMBERED}"),
    treaties=(
        (
            re.compile(
                r"\btraité sur le fonctionnement de l'Union européenne(?: \(?«? ?TFUE ?»?\))?|\bTFUE\b",
                _NAMES,
            ),
            TFEU,
        ),
        (re.compile(r"\btraité sur l'Union européenne(?: \(?«? ?TUE ?»?\))?|\bTUE\b", _NAMES), TEU),
        (
            re.compile(r"\btraité instituant la Communauté économique européenne\b|\btraité CEE\b", _NAMES),
            ECONOMIC,
        ),
        (
            re.compile(
                r"\btraité instituant la Communauté européenne\b(?! de l)|\btraité CE\b|\bTCE\b", _NAMES
            ),
            COMMUNITY,
        ),
        (
            re.compile(
                r"\btraité instituant la Communauté européenne de l'énergie atomique\b|\btraité Euratom\b",
                _NAMES,
            ),
            EURATOM,
        ),
        (
            re.compile(
                r"\b[Cc]harte des droits fondamentaux(?: de l'Union européenne)?"
                r"(?: \(?«? ?(?:la )?«? ?charte ?»?\))?|(?<=de la )[Cc]harte\b"
            ),
            CHARTER,
        ),
        (
            re.compile(r"(?<=du )traité\b(?! (?:sur|instituant|de|d'|du|entre|relatif))"),
            OF_THE_TIME,
        ),
    ),
    amended=re.compile(
        rf"{MARK}[^.;:]{{0,300}}?\b(?:est|sont) (?:ainsi )?"
        r"(?:(?:modifiée?s?|rectifiée?s?|complétée?s?)\b"
        r"|(?:remplacée?s?|ajoutée?s?|insérée?s?)\b[^.;:]{0,60}(?::|$))"
    ),
    amends=re.compile(
        r"[^.;:()]{0,40}?\b(?:est|sont) (?:ainsi )?"
        r"(?:modifiée?s?|remplacée?s?|rectifiée?s?|complétée?s?|ajoutée?s?|insérée?s?|renumérotée?s?)\b"
    ),
    inserts=re.compile(r"(?!)"),  # French says "l'article 5 bis suivant est inséré", which `amends` sees
    repeals=re.compile(rf"{MARK}[^.;:()]{{0,60}}?\b(?:est|sont) (?:abrogée?s?|supprimée?s?)\b"),
)  # fmt: skip
