"""Laws with a well-known name or abbreviation (`pack.toml`), and their Swedish names.

One name may have meant several acts over time: an old ruling's "osakeyhtiölaki" is the act of 1978.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from pykala.law.references import normalise_alias
from pykala.packs.pack import read_facts

NOW = 9999  # a text that speaks of today's law

#: Titles, and abbreviations of headnotes from the eighties and nineties, which nobody uses today.
TITLES = {
    "TuloveroL": "fi:act:1992/1535",
    "ElinkVL": "fi:act:1968/360",
    "laki elinkeinotulon verottamisesta": "fi:act:1968/360",
    "laki verotusmenettelystä": "fi:act:1995/1558",
    "laki oma-aloitteisten verojen verotusmenettelystä": "fi:act:2016/768",
    "EPA": "fi:act:1996/1124",
    "MaatVL": "fi:act:1967/543",
    "laki ulkomailta tulevan palkansaajan lähdeverosta": "fi:act:1995/1551",
    "laki kansainvälisen kaksinkertaisen verotuksen poistamisesta": "fi:act:1995/1552",
    "laki varojen arvostamisesta verotuksessa": "fi:act:2005/1142",
    "laki verohallinnosta": "fi:act:2010/503",
    "LähdeVL": "fi:act:1978/627",
    "laki rajoitetusti verovelvollisen tulon verottamisesta": "fi:act:1978/627",
    "laki ulkomaisten väliyhteisöjen osakkaiden verotuksesta": "fi:act:1994/1217",
    "KonsAvL": "fi:act:1986/825",
    "laki konserniavustuksesta verotuksessa": "fi:act:1986/825",
    "laki verotustietojen julkisuudesta ja salassapidosta": "fi:act:1999/1346",
    "laki yhtiöveron hyvityksestä": "fi:act:1988/1232",
    "laki eräistä vakuutusmaksuista suoritettavasta verosta": "fi:act:1966/664",
    "VerotusL": "fi:act:1958/482",
    "LeimaveroL": "fi:act:1943/662",
    "AutoVL": "fi:act:1994/1482",
    "OK": "fi:act:1734/4",
    "laki oikeudenkäynnistä hallintoasioissa": "fi:act:2019/808",
    "laki viranomaisten toiminnan julkisuudesta": "fi:act:1999/621",
    "AsiakJulkL": "fi:act:1951/83",
    "KunL": "fi:act:1976/953",
    "RakennusL": "fi:act:1958/370",
    "VeroL": "fi:act:1958/482",
    "HM": "fi:act:1919/94",
}

#: Swedish names of acts that Finnish texts abbreviate; a store without the Swedish text still links them.
SWEDISH = {
    "inkomstskattelag": "fi:act:1992/1535",
    "mervärdesskattelag": "fi:act:1993/1501",
    "lag om beskattningsförfarande": "fi:act:1995/1558",
    "lag om beskattningsförfarandet beträffande skatter som betalas på eget initiativ": "fi:act:2016/768",
    "lag om beskattning av inkomst av näringsverksamhet": "fi:act:1968/360",
    "näringsskattelag": "fi:act:1968/360",
    "lag om förskottsuppbörd": "fi:act:1996/1118",
    "lag om skatt på arv och gåva": "fi:act:1940/378",
    "lag om överlåtelseskatt": "fi:act:1996/931",
    "fastighetsskattelag": "fi:act:1992/654",
    "inkomstskattelag för gårdsbruk": "fi:act:1967/543",
    "lag om värdering av tillgångar vid beskattningen": "fi:act:2005/1142",
    "bokföringslag": "fi:act:1997/1336",
    "lag om skatteuppbörd": "fi:act:2018/11",
    "lag om skatteförvaltningen": "fi:act:2010/503",
    "lag om källskatt för löntagare från utlandet": "fi:act:1995/1551",
    "lag om undanröjande av internationell dubbelbeskattning": "fi:act:1995/1552",
    "lag om beskattning av begränsat skattskyldig för inkomst": "fi:act:1978/627",
    "strafflag": "fi:act:1889/39",
    "grundlag": "fi:act:1999/731",
    "finlands grundlag": "fi:act:1999/731",
    "förvaltningslag": "fi:act:2003/434",
    "förvaltningsprocesslag": "fi:act:1996/586",
    "lag om rättegång i förvaltningsärenden": "fi:act:2019/808",
    "lag om offentlighet i myndigheternas verksamhet": "fi:act:1999/621",
    "tvångsmedelslag": "fi:act:2011/806",
    "förundersökningslag": "fi:act:2011/805",
    "språklag": "fi:act:2003/423",
    "skadeståndslag": "fi:act:1974/412",
}

#: Names that passed from act to act: (last year of the earlier act, that act), and the present act.
SUCCESSIVE = {
    "tvl": ((1988, "1974/1043"), (1992, "1988/1240"), (NOW, "1992/1535")),
    "tuloverolaki": ((1992, "1988/1240"), (NOW, "1992/1535")),
    "osakeyhtiölaki": ((2006, "1978/734"), (NOW, "2006/624")),
    "oyl": ((2006, "1978/734"), (NOW, "2006/624")),
    "aktiebolagslag": ((2006, "1978/734"), (NOW, "2006/624")),
    "liikevaihtoverolaki": ((1991, "1963/532"), (NOW, "1991/559")),
    "kuntalaki": ((2014, "1995/365"), (NOW, "2015/410")),
    "kommunallag": ((2014, "1995/365"), (NOW, "2015/410")),
    "ulkomaalaislaki": ((2003, "1991/378"), (NOW, "2004/301")),
    "utlänningslag": ((2003, "1991/378"), (NOW, "2004/301")),
    "vesilaki": ((2011, "1961/264"), (NOW, "2011/587")),
    "ympäristönsuojelulaki": ((2013, "2000/86"), (NOW, "2014/527")),
    "miljöskyddslag": ((2013, "2000/86"), (NOW, "2014/527")),
    "jätelaki": ((2011, "1993/1072"), (NOW, "2011/646")),
    "luonnonsuojelulaki": ((1996, "1923/71"), (2022, "1996/1096"), (NOW, "2023/9")),
    "lastensuojelulaki": ((2007, "1983/683"), (NOW, "2007/417")),
    "sosiaalihuoltolaki": ((2014, "1982/710"), (NOW, "2014/1301")),
    "kirjanpitolaki": ((1997, "1973/655"), (NOW, "1997/1336")),
    "valmisteverotuslaki": ((1994, "1974/558"), (2009, "1994/1469"), (NOW, "2010/182")),
    "ennakkoperintälaki": ((1996, "1959/418"), (NOW, "1996/1118")),
    "epl": ((1996, "1959/418"), (NOW, "1996/1118")),
}

_GIVEN = re.compile(r"(?P<about>.+) annettu (?P<word>laki|asetus|päätös)")


@cache
def _known() -> dict[str, str]:
    listed = read_facts("pykala.packs.finland").abbreviations
    return {
        normalise_alias(name): work for name, work in (*listed.items(), *TITLES.items(), *SWEDISH.items())
    }


def known_law(name: str, year: int = NOW) -> str:
    """The act that a name or an abbreviation means in a text of a year; empty where it is unknown."""
    folded = normalise_alias(name)
    for last, act in SUCCESSIVE.get(folded, ()):
        if year <= last:
            return f"fi:act:{act}"
    known = _known()
    if folded in known:
        return known[folded]
    # "verotusmenettelystä annettu laki" is listed by its title, "laki verotusmenettelystä".
    turned = _GIVEN.fullmatch(folded)
    return known.get(f"{turned['word']} {turned['about']}", "") if turned else ""


@lru_cache(maxsize=16_384)
def known_in(name: str, year: int = NOW) -> str:
    """As `known_law`, for a name that may have taken in words before it: "katsottiin … annettu laki"."""
    words = name.split(" ")
    for first in range(min(len(words) - 1, 12) if name.endswith((" annettu laki", " annettu asetus")) else 1):
        if work := known_law(" ".join(words[first:]), year):
            return work
    return known_law(name, year)


_YEAR = re.compile(r"fi:(?:kho|kvl):(\d{4})")


def year_of(work: str) -> int:
    """The year of a ruling, by which an inherited name is understood; other texts speak of today's law."""
    found = _YEAR.match(work)
    return int(found[1]) if found else NOW
