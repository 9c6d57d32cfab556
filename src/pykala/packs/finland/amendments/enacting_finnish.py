"""How a Finnish enacting clause is worded: the patterns of its tokens, and of words about earlier amendments.

In Finnish the case of a word shows whether a place is the target or leads to one: "5 §" is changed, "5 §:n 2
momentti" changes a momentti of 5 §, "5 §:ään uusi 3 momentti" adds one.
"""

from __future__ import annotations

import re

_ACT_NUMBER = r"\(? ?\d{1,4} ?/ ?\d{2,4}(?: ?\))?"
_ACT_NUMBERS = rf"{_ACT_NUMBER}(?:(?: ?, ?|,? (?:ja|sekä|ja osaksi) )(?:laissa |asetuksessa )?{_ACT_NUMBER})*"
_IN_LAW = (
    r"laissa|laeissa|lailla|laeilla|asetuksessa|asetuksissa|asetuksella|päätöksessä|päätöksissä|päätöksellä"
)
_BY_LAW = r"lailla|laeilla|asetuksella|asetuksilla|päätöksellä"

#: "laissa 561/2004", "laeissa 1/2010 ja 2/2011", "annetussa laissa (1254/93)", "viimeksi mainitussa laissa".
IN_ACT = re.compile(
    rf"(?:{_IN_LAW}) {_ACT_NUMBERS}"
    rf"|(?:mainit|sanot)ui?ssa (?:laissa|laeissa|asetuksessa|asetuksissa|päätöksessä)(?: {_ACT_NUMBERS})?"
)
#: "sellaisena kuin se on (osaksi) laissa …" tells of one thing; "sellaisina kuin niistä ovat …" of several.
RECALL = re.compile(
    r",? ?\bsellais\w+(?: kui?n)?\b"
    r"(?P<one> (?:se|ne) (?:on|ovat)(?: (?:osaksi|viimeksi|muutettu\w*))*"
    r" (?=lai|lae|ase|pää|maini|sano|\d+ päivänä))?"
)
#: A clause that recalls earlier amendments never runs past these.
STOP = re.compile(
    r"\buusi\b|\buudet\b|\bseuraavasti\b|\bsellais\w+ kui?n\b|\bjolloin\b|\blisätään\b|\bkumotaan\b"
    r"|\bmuutetaan\b|tilalle|\bväliaikaisesti\b|\bsiitä (?:lailla|asetuksella)"
)
#: Between two acts that gave one thing its wording.
CONJUNCTION = re.compile(r"(?:,| ja| sekä| osaksi| viimeksi| väliaikaisesti)* ?")
#: "siitä lailla 10/2001 kumotun 54 §:n tilalle": the repealed place that the new one replaces.
INSTEAD = re.compile(
    r"(?:,? ?\b(?:siitä|niistä|siihen|näistä) )?(?:osaksi )?(?:viimeksi )?(?:mainitulla |sanotulla )?"
    rf"(?:(?:{_BY_LAW}) (?:{_ACT_NUMBERS} )?)?(?:ja mainitulla lailla {_ACT_NUMBERS} )?"
    r"\bkumo(?:tun|tuiden|ttujen|ttuun)\b(?:(?!\buusi\b|seuraavasti)[^/]){1,200}? tilalle"
)

_HERE = (
    r"lakiin|lain|asetukseen|asetuksen|kaareen|kaaren|päätökseen|päätöksen|työjärjestykseen|työjärjestyksen"
    r"|ohjesääntöön|sääntöön|työjärjestystä"
)
_PASSED = (
    r"nykyi\w+|muutet\w+|samalla|kuitenkin|kokonaan|osittain|annet\w+|maini\w+|sanottu\w*|sanotun|oleva\w*"
    r"|mukaisesti|eduskunnan"
)
_BEFORE = r"edellä olev\w+ |edessä olev\w+ |edelle |edellä |eteen "
TOKEN = re.compile(
    r"(?P<verb>\b(?:muute ?taan|kumotaan|lisätään|muuttanut|kumonnut|lisännyt)\b)"
    r"|(?P<end>\bseuraavasti\b)"
    r"|(?P<act>\( ?\d{1,4} ?/ ?\d{2,4} ?\))"
    r"|(?P<thereby>\bjolloin\b)"
    r"|(?P<moved>\b(?:joka|jotka|joista)(?: [^,]{1,60})? (?:samalla )?siirretään [^,]{1,40}?(?:lukuun|osaan))"
    r"|(?P<wording>\b(?P<tongue>suomen|ruotsin)kieli(?:nen|set|sen) sanamuo(?:to|dot|don))"
    rf"|(?P<cross>\b(?:{_BEFORE})?(?:väliaikaisesti )?(?:\buusi |\buudet )?väliotsi(?:kko|kot|kon|kkoa)\b)"
    r"|(?P<heading>\botsi(?:kko|kot|kon|koiden)\b)"
    r"|(?P<intro>\bjohdantokappale(?:en|et)?\b|\bjohdanto\b|\bjohdantolause\b)"
    r"|(?P<title>\bnimi?ke\b|\bnimikkeen\b)"
    r"|(?P<new>\b(?:uusi|uudet|uuden)\b)"
    r"|(?P<temporary>\bväliaikaisesti\b)"
    r"|(?P<sec>§(?:: ?(?P<seccase>[a-zäö]{1,4})\b)?|\bpykäl(?P<secword>ään|än|ät|ien|ä)\b)"
    r"|(?P<subpara>\balakoh(?P<subparacase>ta|dat|dan|tien|taan|tiin|daksi|diksi)\b)"
    r"|(?P<para>\bkoh(?P<paracase>taa|ta|tia|dat|dan|tien|taan|tiin|daksi|diksi)\b)"
    r"|(?P<subsec>\bmoment(?P<subseccase>tia|teja|ti|it|in|tien|tiin|teihin|iksi|eiksi)\b|\bmom\.)"
    r"|(?P<chp>\blu(?P<chpcase>ku|vut|vun|kuun|vuksi|kuihin|kujen)\b)"
    r"|(?P<part>\bosa(?P<partcase>an|n|t|)\b)"
    r"|(?P<annex>\bliit(?P<annexcase>että|teitä|teenä|teessä|e|teet|teen|teeseen|teiden)\b(?::[a-zäö]+)?)"
    r"|(?P<table>\b\w*taulukko(?:a)?\b)"
    r"|(?P<entry>\b(?:voimaantulo|siirtymä|voimaantulo- ja siirtymä)säännö(?P<entrycase>s|kset|ksen|kseen)\b)"
    rf"|(?P<here>\b(?:tähän |mainittuun |mainitun |sanotun |sanottuun )?(?:{_HERE})\b(?! muuttamisesta))"
    r"|(?P<back>\b(?:sen|niiden|siihen|niihin)\b)"
    r"|(?P<separator>,|;|\b(?:ja|sekä|että|niin|myös)\b)"
    r"|(?P<dash>[-–−])"
    r"|(?P<number>\d{1,4}(?:\.\d{1,2})*(?:(?: ?[a-zåäö])(?![\wåäö]))?(?::n|:ään|:een)?"
    r"|\b[IVX]+(?: [A-Z])?\b|\b[a-zåäöA-Z](?![\wåäö]))"
    rf"|(?P<passed>\b(?:{_PASSED})\b|[.:](?!\w))"
    r"|(?P<word>[^\s,;()–−]+|[()])"
)
#: Endings with which a unit leads to a place below it, or is a new number.
LEADING = {
    "n", "ään", "iin", "än", "dan", "tien", "taan", "tiin", "in", "teihin", "vun", "kuun", "kuihin", "kujen",
    "an", "ien", "teen", "teeseen", "teiden", "ksen", "kseen", "ssä", "stä",
}  # fmt: skip
BECOMING = {"ksi", "daksi", "diksi", "iksi", "eiksi", "vuksi"}
