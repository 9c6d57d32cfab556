"""How people name dates in English, Finnish, Swedish and French: one table of patterns by what they mean.

Groups say more: `day`, `month`, `year` and `count` are figures or names; `before`, `after`, `beginning`,
`end` and `tax`, where they match, change what is meant; `matter` holds words that are about something else
too ("the 2025 tax return" is a date and a return).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

MONTHS: Final = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu"
        " joulukuu",
        "januari februari mars april maj juni juli augusti september oktober november december",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    )
    for number, name in enumerate(names.split(), start=1)
}
COUNTS: Final = {
    word: number
    for words in (
        "one two three four five six seven eight nine ten",
        "yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen",
        "ett två tre fyra fem sex sju åtta nio tio",
        "un deux trois quatre cinq six sept huit neuf dix",
    )
    for number, word in enumerate(words.split(), start=1)
}


class Meaning(StrEnum):
    """What a phrase means."""

    DAY = "day"
    MONTH = "month"
    TAX_YEAR = "tax year"
    LAST_OF_YEARS = "last of several years"
    YEAR = "year"
    NEXT_YEAR = "next year"
    THIS_YEAR = "this year"
    LAST_YEAR = "last year"
    YEAR_BEFORE_LAST = "the year before last"
    YEARS_AGO = "years ago"
    BEFORE_CHANGE = "before the change"


_UNITS = (
    r"euro\w*|eur|€|dollars?|\$|kronor|hours?|tuntia|timmar|heures|days?|päivää|dagar|jours|kg|km|m2|m²"
    r"|persons?|people|per\s?cent|prosent\w*|procent|%"
)
# A number that goes on (2019/5, 2019:30), or that counts something (2000 euros), is no year.
YEAR: Final = rf"(?P<year>(?:18|19|20)\d\d)(?![\d/:]|[.,]\d|-\d|\s?(?:{_UNITS})(?!\w))"
_SEVERAL = r"(?:18|19|20)\d\d\s*(?:[-–]|and|to|ja|och|et|à|till)\s*(?P<year>(?:18|19|20)\d\d)(?![\d/:])"
_MONTH = "(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?(?:ta|n|ssa|sta|lta)?"
_DAY = r"(?P<day>\d{1,2})"
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(COUNTS)})"

#: What may stand before a day, as part of its name.
_MOVED = (
    r"(?:(?P<before>before|prior\s+to|ennen|före|innan|avant)\s+(?:den\s+|le\s+|the\s+)?"
    r"|(?P<after>after|efter|après)\s+(?:den\s+|le\s+|the\s+)?"
    r"|(?:in\s+force\s+)?(?:on|from|as\s+(?:of|at|from)|effective|starting|since)\s+(?:the\s+)?"
    r"|(?:från\s+och\s+med|fr\.?o\.?m\.?|från|per)\s+(?:den\s+)?|den\s+"
    r"|(?:en\s+vigueur\s+)?(?:à\s+(?:partir|compter)\s+du|depuis\s+le|au|le|du)\s+)?"
)
#: A day by itself, in four orders.
DAYS: Final = (
    rf"{_DAY}(?:st|nd|rd|th|er|\.|:e)?(?:\s+of)?\s+(?:päivä\w*\s+)?{_MONTH},?\s+{YEAR}",
    rf"{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{YEAR}",
    rf"(?<![\d.]){_DAY}\.\s?(?P<month>\d{{1,2}})\.\s?{YEAR}(?:\s+(?:(?P<later>jälkeen)|alkaen|lukien|lähtien))?",
    r"(?<![\d-])(?P<year>(?:18|19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?![\d-])",
)
_TAX_YEAR = r"(?:tax(?:ation|able)?|fiscal|income)\s+years?"
_TAXES = (
    r"(?:income\s+)?tax\s+(?:returns?|filings?|season|rules?|rates?|law)|taxes|taxation|income\s+tax|returns?"
    r"|assessment"
)
_VUONNA = r"(?:vuonna|vuoden|vuodelta|vuodelle|vuotena|vuoteen|vuodeksi|v\.)"
_VEROTUS = r"(?:\w*verotu\w+|veroilmoituk\w+|veroprosent\w+|veroasteiko\w+)"

PHRASES: Final[dict[Meaning, tuple[str, ...]]] = {
    Meaning.DAY: tuple(_MOVED + day for day in DAYS),
    Meaning.MONTH: (
        rf"(?:(?P<before>before|prior\s+to|ennen|före|avant)\s+|(?P<after>after|efter|après)\s+"
        rf"|(?P<beginning>from|från|à\s+partir\s+de)\s+|in\s+|i\s+|en\s+)?{_MONTH},?\s+{YEAR}",
    ),
    Meaning.TAX_YEAR: (
        rf"(?:for\s+|in\s+|during\s+)?(?:the\s+)?{_TAX_YEAR}\s+(?:of\s+)?{YEAR}",
        rf"(?:for\s+|in\s+|during\s+)?(?:the\s+|my\s+)?{YEAR}\s+{_TAX_YEAR}",
        rf"(?:for\s+|in\s+|on\s+)?(?:the\s+|my\s+)?{YEAR}\s+(?P<matter>{_TAXES})",
        rf"(?P<matter>{_TAXES}|filing|file)\s+(?:for|of)\s+(?:the\s+)?(?:year\s+)?{YEAR}",
        rf"verovuo\w+\s+{YEAR}",
        rf"{_VUONNA}\s+{YEAR}\s+(?P<matter>(?:\w+\s+)?{_VEROTUS})",
        rf"{YEAR}\s+(?P<matter>verotukse\w+|veroilmoituk\w+)",
        rf"(?:för\s+|under\s+)?(?:skatte|beskattnings|inkomst)år(?:et|ets|s)?\s+{YEAR}",
        rf"(?P<matter>\w*(?:beskattning|deklaration)(?:en)?)\s+(?:för|av)\s+(?:år\s+)?{YEAR}",
        rf"{YEAR}\s+års\s+(?P<matter>\w*(?:beskattning|deklaration)\w*)",
        rf"(?:pour\s+|durant\s+|de\s+|en\s+)?(?:l')?(?:année|an)\s+(?:d'imposition|fiscale)\s+(?:de\s+)?{YEAR}",
        rf"(?P<matter>déclaration(?:\s+(?:de|des)\s+revenus?)?)\s+(?:de|pour)\s+(?:l'année\s+)?{YEAR}",
        rf"(?P<matter>impôts?|imposition)\s+(?:de|pour)\s+(?:l'année\s+)?{YEAR}",
    ),
    Meaning.LAST_OF_YEARS: (
        rf"(?:in|between|from|during|vuosina|vuosien|åren|mellan(?:\s+åren)?|från|entre|en|de)\s+{_SEVERAL}",
    ),
    Meaning.YEAR: (
        rf"(?:(?P<before>before|prior\s+to)|(?P<after>after))\s+(?:the\s+)?(?:year\s+)?{YEAR}",
        rf"(?:at|from|since|by|until)\s+the\s+(?:(?P<beginning>beginning|start)|(?P<end>end))\s+of\s+{YEAR}",
        rf"(?P<beginning>from|starting|beginning|as\s+of|as\s+from)\s+{YEAR}(?:\s+on(?:wards?)?)?",
        rf"(?:back\s+)?(?:in|during|for|throughout)\s+(?:the\s+)?(?:calendar\s+)?(?:year\s+)?{YEAR}",
        rf"(?:the\s+)?(?:calendar\s+)?year\s+{YEAR}",
        rf"(?:under\s+)?(?:the\s+)?{YEAR}\s+"
        r"(?P<matter>rules?|rates?|laws?|version|wording|legislation|thresholds?|amounts?|limits?)",
        rf"(?P<before>ennen)\s+(?:vuotta\s+)?{YEAR}",
        rf"vuoden\s+{YEAR}\s+(?:(?P<beginning>alussa|alusta)|(?P<end>lopussa|loppuun)|(?P<after>jälkeen))",
        rf"vuodesta\s+{YEAR}\s+(?P<beginning>alkaen|lähtien|eteenpäin)",
        rf"{_VUONNA}\s+{YEAR}",
        rf"(?:(?P<before>före|innan)|(?P<after>efter))\s+(?:år\s+)?{YEAR}",
        rf"(?:i|från|vid)\s+(?:(?P<beginning>början|ingången)|(?P<end>slutet|utgången))\s+av\s+(?:år\s+)?{YEAR}",
        rf"(?P<beginning>från(?:\s+och\s+med)?|fr\.?o\.?m\.?)\s+(?:år\s+)?{YEAR}",
        rf"(?:under\s+|för\s+)?(?:kalender)?år(?:et)?\s+{YEAR}",
        rf"(?:under|för)\s+{YEAR}",
        rf"{YEAR}\s+års\s+(?P<matter>\w+)",
        rf"(?:(?P<before>avant)|(?P<after>après))\s+(?:l'année\s+|l'an\s+)?{YEAR}",
        rf"(?:au|dès\s+le|à\s+la)\s+(?:(?P<beginning>début)|(?P<end>fin))\s+de\s+(?:l'année\s+)?{YEAR}",
        rf"(?P<beginning>à\s+(?:partir|compter)\s+de)\s+(?:l'année\s+)?{YEAR}",
        rf"(?:en|pour|durant|pendant)\s+(?:l'année\s+)?{YEAR}",
        rf"(?:de\s+)?l'an(?:née)?\s+{YEAR}",
    ),
    Meaning.NEXT_YEAR: (
        r"(?:(?P<beginning>(?:from\s+|at\s+)?the\s+(?:beginning|start)\s+of\s+)|(?P<end>(?:at\s+)?the\s+end\s+of\s+)"
        r"|for\s+|in\s+)?next\s+(?P<tax>tax(?:ation)?\s+)?year(?:'s\s+(?P<matter>tax\w*))?",
        r"ensi\s+(?P<tax>vero)?vuo(?:nna|den|delta|delle)(?:\s+(?:(?P<beginning>alusta|alussa)|(?P<matter>verotu\w+)))?",
        r"(?P<beginning>(?:i|från)\s+början\s+av\s+)?nästa\s+(?P<tax>skatte|beskattnings)?år",
        r"(?:pour\s+)?l'an(?:née)?\s+prochaine?",
        r"(?P<tax>prochaine\s+année\s+d'imposition)",
    ),
    Meaning.THIS_YEAR: (
        r"(?:this|(?:the\s+)?current)\s+(?P<tax>tax(?:ation)?\s+)?year(?:'s\s+(?P<matter>tax\w*))?",
        r"(?:tänä|kuluvana)\s+(?P<tax>vero)?vuonna|(?:tämän|kuluvan)\s+vuoden",
        r"i\s+år|innevarande\s+(?P<tax>skatte)?år",
        r"cette\s+année|l'année\s+(?:en\s+cours|courante)",
    ),
    Meaning.LAST_YEAR: (
        r"(?:(?P<end>(?:at\s+)?the\s+end\s+of\s+)|for\s+|in\s+)?(?:last|(?:the\s+)?previous)"
        r"\s+(?P<tax>tax(?:ation)?\s+)?year(?:'s\s+(?P<matter>tax\w*))?",
        r"(?:viime|edellise\w+)\s+(?P<tax>vero)?vuo(?:nna|den|delta|delle|tena)"
        r"(?:\s+(?P<matter>verotu\w+|veroilmoituk\w+))?",
        r"förra\s+(?P<tax>skatte)?året|i\s+fjol|föregående\s+år",
        r"l'an(?:née)?\s+(?:derni(?:er|ère)|passée?|précédente?)",
    ),
    Meaning.YEAR_BEFORE_LAST: (r"toissa\s?vuonna", r"i\s+förfjol", r"the\s+year\s+before\s+last"),
    Meaning.YEARS_AGO: (
        rf"{_COUNT}\s+years?\s+ago",
        rf"{_COUNT}\s+vuotta\s+sitten|vuosi\s+sitten",
        rf"för\s+{_COUNT}\s+år\s+sedan",
        rf"il\s+y\s+a\s+{_COUNT}\s+ans?",
    ),
    Meaning.BEFORE_CHANGE: (
        r"(?:before|prior\s+to)\s+(?:the\s+|that\s+|this\s+)?(?:latest\s+|last\s+|recent\s+)?(?:tax\s+|vat\s+)?"
        r"(?:reform|amendments?|revision|change(?:s)?(?:\s+(?:in|of|to)\s+(?:the\s+)?law)?|law\s+change)",
        r"ennen\s+(?:viimeisintä\s+|uusinta\s+|tätä\s+)?(?:laki|lain|vero)?(?:uudistu\w+|muutos\w*|muutok\w+)",
        r"(?:före|innan)\s+(?:den\s+senaste\s+)?(?:lag|skatte)?(?:reformen|ändringen|revideringen)",
        r"avant\s+(?:la\s+(?:dernière\s+)?(?:réforme|modification|révision)|le\s+changement)(?:\s+de\s+la\s+loi)?",
        r"(?:in\s+)?(?:the\s+|its\s+)?(?:previous|former|earlier)\s+wording",
        r"(?:aiem\w+|aikaisem\w+|vanha\w*)\s+sanamuo\w+",
        r"(?:i\s+)?(?:tidigare|äldre)\s+lydelse\w*",
        r"(?:l')?ancienne\s+(?:version|rédaction)",
    ),
}

#: Where a number that looks like a year, or a date, belongs to the name of a statute or a case.
CITATIONS: Final = (
    r"[a-z]{2,8}:[^\s\d]{0,40}\d[^\s]{0,200}",  # fi:act:1992/1535, KHO:2019:30, ECLI:FI:KHO:2025:46
    r"(?:kho|kko|kvl|hfd|hd)(?::n)?[\s:]+(?:\d{1,2}\.\d{1,2}\.)?\d{4}"
    r"(?:[:/]\w+|\s+taltio\w*\s+\d+|\s+[a-z]{1,2}\s+\d+)?",
    r"\d{1,2}\.\d{1,2}\.\d{4}\s?/\s?\d+",  # 30.12.1992/1535
    r"\d{1,5}(?:-\d+)?/\d{2,4}(?:/[\w.]+)*",  # 1535/1992, 282/2011, 2006/112/EC
    r"\d{4}/\d{1,5}(?:/\w+)?",  # 2016/679
    r"\d{4}:\d+",
    r"(?:sor|si|dors|tr)[/-]\d{2,4}-\d+",
    r"(?:r\.?s\.?c|s\.?c|l\.?r\.?c|l\.?c)\.?,?\s?\(?\d{4}\)?(?:\s?\([^)]{1,15}\))?(?:,\s?ch?\.\s?[\w.-]+)?",
    r"\d{4},\s?ch?\.\s?[\w-]+",  # 2012, c. 19
    r"local\s+law\s+\d+\s+of\s+\d{4}|chapter\s+\d+\s+of\s+the\s+laws\s+of\s+\d{4}|l\.\s?\d{4},?\s+ch\.\s?\d+",
    r"\d{5}[a-z]{1,2}\d{4}",  # 32006L0112
    r"[a-z]{1,4}/\d+/[\d.]+/\d{4}",  # VH/5629/00.01.00/2022
)

#: Words before, or behind, a year that make it a fact of the case: the law that counts is not that of then.
FACT_BEFORE: Final = (
    r"\b(?:born|built|founded|constructed|acquired|bought|purchased|inherited|incorporated|registered)\b"
    r"[^?.,;]{0,20}",
    r"\b(?:né|née|nés|construite?s?|acquise?s?|achetée?s?|héritée?s?)\b[^?.,;]{0,15}",
    r"\b(?:född|byggd|byggt|byggdes|köpt|köpte|köptes|ärvt|ärvde|förvärvad|förvärvat)\b[^?.,;]{0,15}",
)
FACT_BEHIND: Final = (r"(?:syntyn\w+|rakennet\w+|valmistun\w+|hanki\w+|ostet\w+|perustet\w+|rekisteröi\w+)",)

#: A note of application that names the tax year from which it counts.
FIRST_APPLIED: Final = (
    r"ensimmäisen\s+kerran\b[^.]{0,80}?\b(?:vero)?vuo\w+\s+(?P<year>(?:19|20)\d\d)\b",
    r"första\s+gången\b[^.]{0,80}?\b(?:för|\w*år\w*)\s+(?P<year>(?:19|20)\d\d)\b",
    r"(?:first\s+appli\w+|(?:for\s+the\s+)?first\s+time)\b[^.]{0,80}?\b(?:years?|for|in|of|from)"
    r"\s+(?P<year>(?:19|20)\d\d)\b",
    r"première\s+fois\b[^.]{0,80}?\b(?:d'imposition|année|pour|de)\s+(?P<year>(?:19|20)\d\d)\b",
)
