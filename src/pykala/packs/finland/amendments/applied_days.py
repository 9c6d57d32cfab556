"""From which day on words are applied, where that is another day than that of their entry into force.

"Lain 6 ja 20 §:ää sovelletaan kuitenkin 12 päivänä lokakuuta 2023 tai sen jälkeen tehdyn sopimuksen
perusteella tapahtuneeseen luovutukseen": the act is in force since 1 January 2024, and its rates apply since
October 2023.
"""

from __future__ import annotations

import re
from datetime import date

from pykala.packs.finland.commencement import written_day

_DATE = {
    "fi": r"\d{1,2}\.? päivä(?:nä|stä) \w+kuu(?:ta|n) \d{4}",
    "sv": r"den \d{1,2} [a-z]+ \d{4}",
}
#: "… 12 päivänä lokakuuta 2023 tai sen jälkeen tehdyn sopimuksen …": what happened on the day or after it.
_ON_OR_AFTER = {
    "fi": re.compile(rf"\bsovelletaan\b.*?(?P<day>{_DATE['fi']})(?: (?:tai|ja) sen jälkeen)"),
    "sv": re.compile(rf"\btillämpas\b.*?(?P<day>{_DATE['sv']})(?: (?:eller|och) (?:därefter|senare))"),
}
#: "… sovelletaan kuitenkin vasta 28 päivästä kesäkuuta 2025.": the act is in force before that.
_FROM = {
    "fi": re.compile(
        rf"\bsovelletaan (?:kuitenkin )?(?:vasta )?(?P<day>{_DATE['fi']})"
        r"(?: (?:alkaen|lukien|lähtien))?\s*\.?$"
    ),
    "sv": re.compile(rf"\btillämpas (?:dock )?(?:först )?från och med (?P<day>{_DATE['sv']})\s*\.?$"),
}
#: Words that apply in addition, on a condition or only to some do not date the whole.
_ONLY_SOME = {
    "fi": re.compile(
        r"\bsovelletaan (?:kuitenkin )?myös\b|\bjos\b|\bosalta\b|\bsiltä osin\b|\bensimmäisen kerran\b"
        r"|\bviimeistään\b"
    ),
    "sv": re.compile(
        r"\btillämpas (?:dock )?(?:också|även|om)\b|\bi fråga om\b|\bförsta gången\b|\bsenast\b"
    ),
}
_WHOLE = {
    "fi": re.compile(r"(?:Tätä (?:lakia|asetusta)|Lakia|Asetusta|Sitä) sovelletaan\b"),
    "sv": re.compile(r"(?:Denna (?:lag|förordning)|Lagen|Förordningen|Den) tillämpas\b"),
}


def applied_from(sentence: str, language: str) -> date | None:
    """The one day from which on a sentence says that words are applied; None where it says no such thing."""
    found = _FROM[language].search(sentence) or _ON_OR_AFTER[language].search(sentence)
    if found is None or _ONLY_SOME[language].search(sentence):
        return None
    return written_day(found["day"]) if len(re.findall(_DATE[language], sentence)) == 1 else None


def is_of_the_whole(sentence: str, language: str) -> bool:
    """Whether a sentence speaks of the application of the whole act."""
    return _WHOLE[language].match(sentence) is not None
