"""Whether words of the law hold the kind of answer that is asked for: a period, a rate, who decides.

Each kind has signs of its own in four languages. How much a text holds of a kind is between 0 and 1: a period
in days is what "how long" asks for, "without delay" is an answer too, but a poorer one beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from pykala.retrieve.kinds import DEADLINE, Kind
from pykala.text.date_phrases import MONTHS
from pykala.text.numerals import numerals
from pykala.text.quantities import quantities

TIME: Final = frozenset({"days", "weeks", "months", "years", "hours"})
MONEY: Final = frozenset({"euros", "dollars"})
_RATES: Final = frozenset({"percent"})
_FULL, _HALF = 1.0, 0.5


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)


#: Time that is not counted: "without delay" answers "how soon", and so does "two minutes".
_minutes = re.compile(r"\w+\s(?:minutes?|minuutti\w*|minuut\w+|minuter)(?!\w)", re.IGNORECASE)
_PROMPT = _words(
    r"immediately|without (?:undue )?delay|forthwith|as soon as",
    r"viipymättä|viivytyksettä|heti|välittömästi",
    r"utan dröjsmål|omedelbart|genast",
    r"sans (?:délai|tarder|retard)|immédiatement|aussitôt|dès que",
)
#: A time within which: "twelve months of employment" is none, "within ninety days" is.
_WITHIN = _words(
    r"within|(?:no|not) later than|before the (?:expir|end)\w*|prior to|(?:after|from) the (?:day|date)",
    r"kuluessa|viimeistään|mennessä|ennen|kuluttua|päivästä|alusta",
    r"inom|senast|före|från (?:den|det)|efter",
    r"dans (?:les|un délai|l['’])|au plus tard|avant|suivant|à compter|après",
)
_MONTH: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = _words(
    rf"(?:{_MONTH})\w{{0,4}}\s\d{{1,2}}(?:,? \d{{4}})?|\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s(?:day of\s|de\s"
    rf"|päivä\w*\s)?(?:{_MONTH})\w{{0,4}}",
    rf"\w+(?:-\w+)? day of (?:{_MONTH})|(?:{_MONTH}) \w+-?(?:first|second|third|fourth|fifth|sixth|seventh"
    rf"|eighth|ninth|tenth|th)",
    r"\d{1,2}\.\d{1,2}\.\d{4}|\d{4}-\d\d-\d\d|(?:first|last) day of|due date|at the end of|by the end of",
    r"\w*päivänä|\w*vuoden (?:alusta|lopussa|loppuun)|kuukauden (?:loppuun|lopussa)|eräpäivä\w*|voimaan",
    r"ikraft\w*|i kraft|förfallodag\w*|utgången av|början av|slutet av",
    r"entre en vigueur|à la fin|au plus tard le|premier jour|dernier jour|à compter d",
)
_SHARE = _words(
    r"(?:one|two|three|four|five|seven)[- ](?:half|third|quarter|fourth|fifth|sixth|eighth|tenth)s?"
    r"|one[- ]half|half of",
    r"per centum|puol(?:et|ta)|kolmannes\w*|neljännes\w*|(?:kolmas|neljäs|viides|kuudes|kymmenes)osa\w*",
    r"hälften|en tredjedel|en fjärdedel|moitié|tiers|quart|\d/\d",
)
_OFFICE = _words(
    r"minister\w*|commission(?:er)?s?|court|tribunal|board|council|authorit(?:y|ies)|director|agency"
    r"|department"
    r"|registrar|officer|inspector|judge|division|secretary|mayor|governor|committee|supervisor\w*",
    r"\w*viranomai\w+|\w*tuomioistui\w+|\w*oikeu(?:s|teen|delle|den)|\w*lautakun\w+|\w*hallitu(?:s|ksen"
    r"|kselle)"
    r"|\w*valtuust\w+|\w*ministeri\w+|vero(?:hallin\w+|toimisto\w*)|\w*virasto\w*|\w*kokous|\w*kokoukse\w+"
    r"|valtiovarain\w+"
    r"|\w*keskus|\w*valtuutet\w+|\w*asiamie\w+",
    r"\w*myndighet\w*|\w*domstol\w*|\w*nämnd\w*|\w*styrelse\w*|\w*fullmäktige\w*|\w*minister\w*"
    r"|skatteförvaltning\w*"
    r"|\w*verket|\w*stämma\w*|\w*ombudsman\w*|\w*rätt(?:en)?",
    r"ministre|tribunal|cour|commissions?|commissaire|autorités?|conseil|agence|directeur|greffier|juge"
    r"|section d\S+",
)
_PERSON = _words(
    r"(?:shall|must|may) be (?:paid|made|filed|signed|borne|appointed) by|owner|employer|employee|seller"
    r"|buyer|grantor|tenant",
    r"\w+jan|\w+jalla|\w+ja|työnantaja\w*|omistaja\w*|osakka\w+|kuluttaja\w*|verovelvolli\w+",
    r"arbetsgivare\w*|ägare\w*|köpare\w*|säljare\w*|l['’]employeur|le vendeur|l['’]acheteur|le propriétaire"
    r"|quiconque",
)
_SOMEWHERE = _words(
    r"place|premises|office|address|country|state|municipality|city|province|territory|seat|located"
    r"|established",
    r"\w*kun(?:ta|nassa|nan|taan)|\w*paik(?:ka|assa|alla|kakun\w+)|osoite|\w*valtio\w*|maassa|toimipaik\w+"
    r"|kotikun\w+",
    r"\w*kommun\w*|\w*ort|stat(?:en)?|land(?:et)?|plats\w*|adress\w*|säte",
    r"lieu|pays|adresse|siège|province|bureau|municipalité|endroit|état|établi\w*",
)
_MEANING = _words(
    r"means?|shall mean|has the (?:same )?meaning|includes?|is defined|refers to|deemed to be"
    r"|considered to be",
    r"tarkoitetaan|tarkoittaa|pidetään|katsotaan|luetaan|ovat",
    r"avses|betyder|anses|räknas|är",
    r"désigne|s['’]entend|on entend|signifie|vise|est réputé\w*|est considéré\w*|comprend",
)
_RULE = _words(
    r"may(?: not)?|shall(?: not)?|must(?: not)?|is (?:not )?entitled|no person|prohibited"
    r"|is (?:not )?(?:liable|exempt|required"
    r"|taxable|payable)|does not apply|cannot|void|unless",
    r"(?:ei )?saa|(?:ei )?voi(?:daan)?|on oikeus|ei ole|kielletty|on (?:\w+ttava|\w+ettävä|velvollinen"
    r"|mitätön)|ei sovelleta"
    r"|verovapa\w+|veronalai\w+|eivät",
    r"får(?: inte)?|kan|ska|skall|måste|har rätt|inte|förbjud\w+|behöver inte|är skyldig",
    r"peut|peuvent|doit|doivent|a droit|ont droit|est interdit|il est interdit|ne peut|nul|n['’]est pas"
    r"|ne s['’]applique",
)
_STEPS = _words(
    r"in writing|written|application|apply|file|submit|notice|form|manner|request|by (?:filing|giving"
    r"|sending|delivering)",
    r"kirjallisesti|kirjallinen|hakemu\w+|ilmoit\w+|toimitet\w+|toimittamalla|haetaan|tehdään|on tehtävä"
    r"|menettel\w+|kutsu",
    r"skriftlig\w*|ansökan|ansöks|anmäl\w+|lämnas|begäran|sökas?|kallelse\w*|görs",
    r"par écrit|demande|présente\w*|dépos\w+|avis|formulaire|selon les modalités|manière",
)
_OPENS = re.compile(r"[:—–-]\s*$")
_ITEMS = re.compile(r"(?m)^\s*(?:\(?(?:[a-zåäö]{1,2}|[ivx]{1,5}|\d{1,3})[.)])\s")
_number = re.compile(r"\d")


def holds(kind: Kind, text: str, units: frozenset[str] = frozenset()) -> float:
    """How much a text holds of a kind of answer, 0–1; `units` are those that a question names."""
    return _HOLDS[kind](text, units)


def holds_any(kinds: Iterable[Kind], text: str, units: frozenset[str] = frozenset()) -> float:
    """The most that a text holds of any of several kinds."""
    return max((holds(kind, text, units) for kind in kinds), default=0.0)


def _units(text: str) -> set[str]:
    return {quantity.unit for quantity in quantities(text)}


def _period(text: str, units: frozenset[str]) -> float:
    held = _units(text) & TIME
    if DEADLINE in units and held:
        return _FULL if _WITHIN.search(text) else 0.4
    if held & units or (held and not units & TIME) or _minutes.search(text):
        return _FULL
    return 0.8 if held else _HALF if _PROMPT.search(text) else 0.0


def _date(text: str, units: frozenset[str]) -> float:
    if _DAY.search(text):
        return _FULL
    return 0.7 if _units(text) & TIME else 0.0


def _amount(text: str, units: frozenset[str]) -> float:
    held = _units(text)
    if held & MONEY or (held & units - TIME) or (held & units & TIME and not units & MONEY):
        return _FULL
    if held:
        return 0.8 if held & _RATES else 0.6
    return _HALF if _number.search(text) or next(numerals(text), None) or _SHARE.search(text) else 0.0


def _rate(text: str, units: frozenset[str]) -> float:
    return _FULL if _units(text) & _RATES else 0.8 if _SHARE.search(text) else 0.0


def _list(text: str, units: frozenset[str]) -> float:
    return _FULL if _OPENS.search(text) or len(_ITEMS.findall(text)) > 1 else 0.0


def _authority(text: str, units: frozenset[str]) -> float:
    return _FULL if _OFFICE.search(text) else _HALF if _PERSON.search(text) else 0.0


def _signed(pattern: re.Pattern[str]) -> Callable[[str, frozenset[str]], float]:
    return lambda text, units: _FULL if pattern.search(text) else 0.0


_HOLDS: Final[dict[Kind, Callable[[str, frozenset[str]], float]]] = {
    Kind.PERIOD: _period,
    Kind.DATE: _date,
    Kind.AMOUNT: _amount,
    Kind.RATE: _rate,
    Kind.AUTHORITY: _authority,
    Kind.PLACE: _signed(_SOMEWHERE),
    Kind.DEFINITION: _signed(_MEANING),
    Kind.CONDITION: _signed(_RULE),
    Kind.PROCEDURE: _signed(_STEPS),
    Kind.LIST: _list,
}
