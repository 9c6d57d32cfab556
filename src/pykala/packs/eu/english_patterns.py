"""How English acts write references."""

from __future__ import annotations

import re
from typing import Final

from pykala.packs.eu.citation_patterns import (
    ALINEA,
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
from pykala.packs.eu.naming_acts import CHARTER, EURATOM, TEU, TFEU

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth", "twentieth",
)  # fmt: skip
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|last|final)"
_ACTS = r"(?:Framework Decision|Directive|Regulation|Decision|Recommendation|Guideline)"
_OTHERS = r"(?:Treaty|Charter|Agreement|Convention|Protocol)"
_PLACES = r"(?P<place>Article|[Pp]aragraph|[Ss]ubparagraph|[Pp]oint|Annex|Chapter|Section|Title|Part)\b"
_OF = r"(?:of|to|in|under)"
_LEADING = rf"(?:{_OF}|from|(?:laid down|set out|contained|provided for|referred to) in)"
_PART = rf"(?P<number>{ROMAN}|\d{{1,2}}[a-zA-Z]?\b)(?P<groups>)"
_SPELT = r"(?:One|Two|Three|Four|Five|Six|Seven|Eight)\b"  # "Part Three" of the Treaty
_NAMES = re.IGNORECASE

ENGLISH: Final = Phrases(
    units={
        "article": "art", "articles": "art", "art.": "art", "arts.": "art", "paragraph": "para",
        "paragraphs": "para", "subparagraph": "point", "subparagraphs": "point", "point": "point",
        "points": "point", "item": "point", "items": "point", "annex": "anx", "annexes": "anx",
        "recital": "rct", "recitals": "rct", "chapter": "cpt", "chapters": "cpt", "title": "tis",
        "titles": "tis", "section": "sct", "sections": "sct", "part": "prt", "parts": "prt",
        "subsection": "sbs", "subsections": "sbs",
    },
    ordinal_units={
        "subparagraph": "subpara", "paragraph": ALINEA, "indent": "indent", "sentence": "sent",
    },
    ordinals=numbered(_ORDINALS, last="last", final="last"),
    start=re.compile(
        rf"\b(?:(?P<ordinals>{_ORDINAL}(?:(?:, and |, | and | or | to )(?:the )?{_ORDINAL}){{0,8}}) "
        r"(?P<level>sub-?paragraphs?|paragraphs?|indents?|sentences?)\b"
        r"|(?P<unit>[Aa]rts?\.|(?:Articles?|articles?|ARTICLES?|[Pp]aragraphs?|[Ss]ubparagraphs?|[Pp]oints?|items?"
        r"|Annex(?:es)?|ANNEX(?:ES)?|[Rr]ecitals?|Chapters?|Titles?|Sections?|Parts?|Subsections?)\b) ?"
        r"(?=[\d(A-Z]|[a-z][ ,.;)]))"
    ),
    numbers={
        "art": re.compile(rf"(?P<number>\d{{1,4}}(?:[a-z]{{1,3}}(?![a-z]))?){NO_QUANTITY}{GROUPS}"),
        "para": re.compile(rf"\(?(?P<number>\d{{1,3}}[a-z]{{0,2}}\b|[A-H]\b){NO_QUANTITY}\)?{GROUPS}"),
        "point": re.compile(
            r"(?:\((?P<number>\d{1,3}[a-z]{0,2}|[a-z]{1,5}|[A-Z])\)"
            rf"|(?P<bare>\d{{1,3}}(?:\.\d{{1,3}}){{0,5}}[a-z]?\b{NO_QUANTITY}|[A-Z](?:\.\d{{1,3}}){{0,4}}\b"
            rf"|[a-z]\b|[ivx]{{2,5}}\b)){GROUPS}"
        ),
        "anx": re.compile(rf"(?P<number>{ROMAN}|\d{{1,2}}[a-z]?\b|[A-Z]\b)(?P<groups>)"),
        "rct": re.compile(rf"\(?(?P<number>\d{{1,3}}[a-z]?)\)?{NO_QUANTITY}(?P<groups>)"),
        "cpt": re.compile(_PART),
        "tis": re.compile(_PART),
        "sct": re.compile(
            rf"(?P<number>{ROMAN}|\d{{1,2}}(?:\.\d{{1,2}})*[a-zA-Z]?\b|[A-Z](?:\.\d{{1,2}})?\b){GROUPS}"
        ),
        "sbs": re.compile(rf"(?P<number>{ROMAN}|\d{{1,2}}[a-zA-Z]?\b){GROUPS}"),
        "prt": re.compile(rf"(?P<number>{_SPELT}|{ROMAN}|\d{{1,2}}[a-zA-Z]?\b|[A-Z]\b)(?P<groups>)"),
    },
    separator=re.compile(
        r"(?:(?P<to> to |[-–])|, (?:and |or )?| ?,|(?: and| or| and/or|,? as well as) )(?:of )?(?:the )?"
    ),
    inside=re.compile(r"(?:, ?| )(?:in )?(?:the )?"),
    beside=re.compile(r",?(?: and| or) (?:the )?|, (?:the )?"),
    outside=re.compile(rf",? {_OF}(?: the)? "),
    the_annex=re.compile(rf",? {_OF} the Annex\b(?! (?:[IVXLC]+|\d+|[A-Z])\b)"),
    this_place=re.compile(rf",? {_OF} (?:this|the present) {_PLACES}"),
    that_place=re.compile(rf",? {_OF} (?:that|the said|the same) {_PLACES}"),
    leading=re.compile(rf"{MARK},?(?: ?\([^()]{{1,60}}\))? {_LEADING}(?: the)? "),
    own=re.compile(rf",? ?{_OF} (?:this|the present) (?:{_ACTS}|{_OTHERS})\b"),
    earlier=re.compile(
        rf",? ?(?:{_OF} (?:that|the said|the same|the aforementioned|the above-mentioned|the latter|those) "
        rf"(?:(?:Implementing|Delegated) )?(?P<word>{_ACTS}|{_OTHERS})s?\b|(?P<thereof>thereof)\b)"
    ),
    possessive=re.compile(r"\b(?:its|their) $"),
    foreign=re.compile(
        rf",? {_OF} (?:the |that |its )?(?:[\w'-]+ ){{0,6}}?(?:Agreement|Convention|Protocol"
        r"|Acts? of Accession|Statute|Rules of Procedure"
        r"|Model|Staff Regulations|Financial Regulation|Covenant|Commentary"
        r"|Combined Nomenclature|Guidelines)\b"
    ),
    linking=re.compile(
        r"(?:,|;| of,?| to,?)?(?: and| or| as well as| and/or)?,? ?"
        r"(?:(?:in|to|of|under|with|the|by|both) ?){0,3}"
    ),
    that_act=re.compile(
        rf"\b(?:that|the said|the aforementioned) (?:(?:Implementing|Delegated) )?(?P<word>{_ACTS})\b"
        r"(?! (?:\(|No|\d))",
        _NAMES,
    ),
    act=re.compile(
        r"(?:\b(?:(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth|Eleventh|Twelfth"
        r"|Thirteenth|Eighteenth|Twentieth) )?"
        r"(?:(?:Council|Commission|European Parliament and(?: of the)? Council|Delegated"
        r"|Implementing) ){0,4})?"
        rf"\b(?P<kind>{_ACTS}|Common Position|Joint Action)(?P<plural>s)?"
        rf"(?: of the European Parliament and of the Council)? {NUMBERED}",
        _NAMES,
    ),
    more_acts=re.compile(rf"{MARK}(?:, (?:and |or )?| and | or |, ?)(?:of )?{NUMBERED}"),
    treaties=(
        (
            re.compile(
                r"\bTreaty on the Functioning of the European Union(?: \(?‘?TFEU'?\))?|\bTFEU\b", _NAMES
            ),
            TFEU,
        ),
        (re.compile(r"\bTreaty on European Union(?: \(?‘?TEU'?\))?|\bTEU\b", _NAMES), TEU),
        (
            re.compile(r"\bTreaty establishing the European Economic Community\b|\bEEC Treaty\b", _NAMES),
            ECONOMIC,
        ),
        (
            re.compile(r"\bTreaty establishing the European Community\b|\bEC Treaty\b|\bTEC\b", _NAMES),
            COMMUNITY,
        ),
        (
            re.compile(
                r"\bTreaty establishing the European Atomic Energy Community\b|\bEuratom Treaty\b", _NAMES
            ),
            EURATOM,
        ),
        (
            re.compile(
                r"\bCharter of Fundamental Rights(?: of the European Union)?"
                r"(?: \(?[‘'\"]?(?:the )?[‘'\"]?Charter['\"]?\))?|(?<=of the )Charter\b"
            ),
            CHARTER,
        ),
        (
            re.compile(
                r"(?<=of the )(?:EU |EC )?Treat(?:y|ies)\b(?! (?:on|establishing|of|between|concerning))"
            ),
            OF_THE_TIME,
        ),
    ),
    amended=re.compile(
        rf"{MARK}[^.;:]{{0,300}}?\b(?:is|are|shall be) (?:hereby )?(?:further )?"
        r"(?:(?:amended|modified|corrected)\b|(?:replaced|added|inserted)\b[^.;:]{0,60}(?::|$))"
    ),
    amends=re.compile(
        r"[^.;:()]{0,40}?\b(?:is|are|shall be) (?:hereby )?"
        r"(?:amended|replaced|modified|corrected|renumbered|added|inserted)\b"
    ),
    inserts=re.compile(r"\bfollowing (?:new )?$", _NAMES),
    repeals=re.compile(rf"{MARK}[^.;:()]{{0,60}}?\b(?:is|are|shall be) (?:hereby )?(?:repealed|deleted)\b"),
)  # fmt: skip
