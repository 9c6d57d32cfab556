"""How a Swedish enacting clause is worded: the patterns of its tokens, and of words about earlier amendments.

Swedish has no case that separates a target from a place that leads to it; the order does, "5 § 2 mom.". A
heading stands before its place ("rubriken för 5 §"), and a section may stand before its act ("7 § i lagen
…").
"""

from __future__ import annotations

import re

_ACT_NUMBER = r"\(? ?\d{1,4} ?/ ?\d{2,4}(?: ?\))?"
_LAW = r"lagarna|lagar|lagen|lag|förordningarna|förordningar|förordningen|förordning|besluten|beslutet|beslut"
_NEXT_ACT = rf"(?:i )?(?:nämnda |sistnämnda )?(?:(?:{_LAW}) )?{_ACT_NUMBER}"
_ACT_NUMBERS = rf"{_ACT_NUMBER}(?:(?: ?, ?|,? (?:och|samt) ){_NEXT_ACT})*"

#: "lag 561/2004", "lagarna 1/2010 och 2/2011", "sistnämnda lag", "nämnda lag 740/1993".
IN_ACT = re.compile(
    rf"\b(?:{_LAW}) (?:av den [^()/]{{1,40}})?{_ACT_NUMBERS}"
    rf"|\b(?:sistnämnda|nämnda) (?:{_LAW})\b(?: {_ACT_NUMBERS})?"
)
#: "sådan den lyder (delvis ändrad) i lag …" tells of one thing; "av dem 3 § 2 mom. i lag …" of several.
RECALL = re.compile(
    r",? ?\b(?:av dem\b|av dessa\b|sådan\w*\b)"
    r"(?P<one> (?:den|det|de|denna|detta|dessa)? ?(?:paragraf\w*|moment\w*|punkt\w*|kapitlet|bilagan)?"
    r" ?lyder(?: delvis)?(?: ändra\w+)? (?=i ))?"
)
STOP = re.compile(
    r"\b(?:ny|nya|nytt)\b|\bsom följer\b|\benligt följande\b|\bfogas\b|\bändras\b|\bupphävs\b|\bav dem\b"
    r"|\bvarvid\b|\btemporärt\b|\bi stället för\b"
)
CONJUNCTION = re.compile(r"(?:,| och| samt| i| delvis| ändra\w+| sådan\w* (?:den|det|de) lyder)* ?")
#: "i stället för den 54 § som upphävts genom lag 10/2001".
INSTEAD = re.compile(
    r"i stället för (?:(?!\bnya?\b|\bnytt\b)[^/]){1,160}?\bupphäv\w+(?: delvis)? (?:genom|i) (?:nämnda )?"
    rf"(?:{_LAW})(?: {_ACT_NUMBERS})?"
)

TOKEN = re.compile(
    r"(?P<verb>\b(?:ändras|upphävs|upphäves|fogas)\b)"
    r"|(?P<end>\bsom följer\b|\benligt följande\b)"
    r"|(?P<act>\( ?\d{1,4} ?/ ?\d{2,4} ?\))"
    r"|(?P<thereby>\bvarvid\b)"
    r"|(?P<moved>\b(?:som|vilka|vilken) samtidigt (?:flyttas|överförs) till [^,]{1,40}?kap\.)"
    r"|(?P<wording>\b(?:den )?(?P<tongue>finsk|svensk)(?:a|språkiga) (?:språkdräkt|ordalydels)en(?: i| av)?)"
    r"|(?P<cross>\b(?:före [^,]{1,20}? )?(?:en ny |nya )?mellanrubrik\w*\b(?: (?:före|framför))?)"
    r"|(?P<title>\b(?:lagens|förordningens|författningens) rubrik\b|\brubriken för (?:lagen|förordningen)\b)"
    r"|(?P<heading>\b(?:en ny )?rubrik(?:en|erna)?\b(?: för| i| till)?)"
    r"|(?P<intro>\b(?:det )?inledande stycket\b(?: i)?)"
    r"|(?P<new>\b(?:ett |en )?(?:ny|nya|nytt)\b)"
    r"|(?P<temporary>\btemporärt\b)"
    r"|(?P<sec>§§?|\bparagraf(?:en|erna)?\b)"
    r"|(?P<subpara>-?\bunderpunkt(?:en|erna|er)?\b)"
    r"|(?P<para>-?\bpunkt(?:en|erna|er)?\b)"
    r"|(?P<subsec>\bmom(?:\.|ent(?:et|en)?\b|\b))"
    r"|(?P<chp>\bkap(?:\.|itel\b|itlet\b|\b))"
    r"|(?P<part>\b(?:del|delen|avd\.|avdelningen)\b)"
    r"|(?P<annex>\bbilag(?:a|an|or|orna)\b)"
    r"|(?P<table>\b\w*tabell(?:en)?\b)"
    r"|(?P<entry>\b(?:ikraftträdande|övergångs)bestämmelse(?:n|rna)?\b)"
    r"|(?P<here>\b(?:till |i )?(?:lagen|förordningen|balken|beslutet|arbetsordningen)\b)"
    r"|(?P<back>\b(?:den|det|dem|dess)\b)"
    r"|(?P<separator>,|;|\b(?:och|samt|såväl|dels)\b)"
    r"|(?P<number>\d{1,4}(?:\.\d{1,2})*(?:(?: ?[a-zåäö])(?![\wåäö]))?-?(?=\W|$)"
    r"|\b[IVX]+(?: [A-Z])?\b|\b[a-hj-zåäö](?![\wåäö]))"
    r"|(?P<dash>[-–−])"
    r"|(?P<passed>\b(?:i|till|nuvarande|ändrad\w*|av|blir|därav|följande|nämnda|sistnämnda)\b|[.:](?!\w))"
    r"|(?P<word>[^\s,;()–−]+|[()])"
)
