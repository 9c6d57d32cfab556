"""The kind of answer that a question asks for, in four languages: a period, a rate, an authority, yes or no.

A question tells it by how it asks ("how long", "à qui"), by how it begins ("may a landlord …", "saako …"), by
a noun that names what is wanted ("the deadline", "verokanta"), or by an asking word alone ("when", "vem");
signs are tried in this order, for "how long do I have when I am ill" asks for a period, not for a day. People
tell their story first and ask last: the last sentence that asks decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pykala.retrieve.wording import term_asked
from pykala.text.one_line import one_line
from pykala.text.quantities import quantities, units_named


class Kind(StrEnum):
    """What the words that answer must hold."""

    PERIOD = "period"
    DATE = "date"
    AMOUNT = "amount"
    RATE = "rate"
    AUTHORITY = "authority"
    PLACE = "place"
    DEFINITION = "definition"
    CONDITION = "condition"
    PROCEDURE = "procedure"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the words that answer should hold: kinds, the units asked for, and the units of what is stated.

    "I worked there eight months, can they …" states months: the rule that answers counts in them too.
    """

    kinds: tuple[Kind, ...] = ()
    units: frozenset[str] = frozenset()
    stated: frozenset[str] = frozenset()


NOTHING_WANTED: Final = Wanted()
#: Among the units asked for: a time within which something must be done, rather than how long it lasts.
DEADLINE: Final = "deadline"
_DEADLINE = re.compile(
    r"(?<!\w)(?:deadline|time[- ]limit|how (?:soon|fast|quickly)|within (?:what|which|how)|too late|by when"
    r"|how (?:long|much time|many \w+) (?:do|does|did|will|have|has) .{1,60}? (?:to|got)|how much time"
    r"|miss[äa] aja\w+|minkä ajan kuluessa|määräai\w*|mihin mennessä|valitusai\w*|takaraja\w*|myöhäistä"
    r"|paljonko aikaa|kuinka nopeasti|inom (?:vilken|hur)|tidsfrist\w*|besvärstid\w*|för sent|hur snabbt"
    r"|hur lång tid har|hur länge har|délais?|combien de temps .{0,40}?pour|trop tard|dans combien"
    r"|combien de temps d'avance)(?!\w)",
    re.IGNORECASE,
)
_Rules = tuple[tuple[Kind, str], ...]

#: How something is asked for, wherever the words stand. Of one language the first that is found counts.
_ASKED: Final[dict[str, _Rules]] = {
    "en": (
        (
            Kind.RATE,
            r"(?:how many|what) per ?cent(?:age)?|(?:what|which) (?:share|proportion|fraction|part"
            r"|percentage)"
            r"|(?:at|by) (?:what|which) rate",
        ),
        (
            Kind.PERIOD,
            r"how (?:long|soon|fast|quickly|often)|how much (?:time|notice|warning|longer)"
            r"|how many (?:more |paid |full |working |calendar |sick |vacation |consecutive )*"
            r"(?:days?|weeks?|months?|years?|hours?|hrs|minutes?)"
            r"|(?:within|for) (?:what|which) (?:time|period)|(?:what|which) (?:time limit|period|notice)"
            r"|too late (?:to|for)|the latest (?:we|i|you|they|one)",
        ),
        (
            Kind.DATE,
            r"(?:by|on|from|since|until|before|after) (?:what|which) (?:date|day)|what (?:date|day)\b"
            r"|(?:by|since|until|from) when|which day",
        ),
        (
            Kind.AMOUNT,
            r"how (?:much|many|old|high|large|big|small|heavy|fast|far|pure|tall)"
            r"|(?:at|from|under|until|up to) what (?:age|amount|sum|price|value|\w+ ?(?:turnover|sales))"
            r"|what (?:age|amount|sum|fee|price|fine|penalty|compensation|payment|one-time payment)\b"
            r"|what (?:does|do|did|will|would) .{0,40}?\b(?:cost|owe|charge|get paid)|up to what"
            r"|what do i get off"
            r"|the (?:least|most) (?:i|we|you|she|he|they|one)|what can .{0,30} make me pay"
            r"|what's the damage",
        ),
        (Kind.LIST, r"(?:on|for|under) (?:what|which) (?:grounds?|reasons?|conditions?|circumstances)"),
        (
            Kind.AUTHORITY,
            r"(?:to|by|from|against|with|before|of) whom|who (?:do|should|must|can|may) (?:i|we|one|you)"
            r"|(?:what|which) (?:[\w-]+ )?(?:authority|court|agency|tribunal|board|minister|ministry|body"
            r"|office|department|commission)\b",
        ),
        (
            Kind.PLACE,
            r"(?:in|to|at|from) (?:what|which) (?:country|municipality|city|state|place|member state|province"
            r"|town|address)|(?:place|seat) of (?:supply|the)",
        ),
        (
            Kind.PROCEDURE,
            r"in (?:what|which) (?:way|manner)|how to|what must i do to|what do i (?:have|need) to do",
        ),
    ),
    "fi": (
        (
            Kind.RATE,
            r"(?:kuinka monta|montako|kuinka paljon) pro?sent\w*|minkä osuuden|mikä osuus"
            r"|kuinka (?:suuri|iso)\w* (?:osa|osuus|siivu)\w*|kuinka ison (?:osan|siivun)",
        ),
        (
            Kind.PERIOD,
            r"(?:kuinka|miten) (?:kauan|pitkä\w*|nopeasti|pian|usein|monen (?:päivän|viikon|kuukauden"
            r"|vuoden))"
            r"|kauanko|(?:kuinka|miten) monta (?:päivä|viikko|kuukau|vuot|tunti|minuut|lomapäiv)\w*"
            r"|montako (?:\w*päivä|viikko|kuukau|vuot|tunti|minuut)\w*|miss[äa] aja[sn]\w*"
            r"|minkä ajan|(?:paljonko|kuinka paljon) (?:mulla |minulla )?(?:on )?aikaa|myöhäistä",
        ),
        (
            Kind.DATE,
            r"mi(?:hin|nä|stä|llä) (?:päivä\w*|päiväst\w*|alkaen|lähtien)|mihin mennessä|minä päivänä"
            r"|koska pitää|mistä päivästä",
        ),
        (
            Kind.AMOUNT,
            r"kuinka (?:paljon|mon\w+|suur\w+|iso\w*|vanha\w*|korkea\w*|pal)|paljonko|paljoko|montako"
            r"|minkä (?:suurui\w*|hintai\w*|ikäi\w*|verran)|mihin (?:summaan|määrään|rajaan|ikään)\w*"
            r"|mitä .{0,30}?maksaa|minkäikäi\w*|mistä iästä|eniten, mitä|suurin summa",
        ),
        (Kind.LIST, r"mill(?:ä|oin|aisilla|aisin) (?:perust\w*|edellytyks\w*|ehdoilla|ehdoin)|luettele"),
        (
            Kind.AUTHORITY,
            r"(?:mikä|minkä|mille|mistä|mihin) (?:viranomai\w*|tuomioistui\w*|viras\w*|ministeri\w*"
            r"|lautakun\w*)"
            r"|ken(?:elle|eltä|en|eksi|ellä)|ketkä|kuka (?:voi|saa|päättää)",
        ),
        (Kind.PLACE, r"mi(?:ssä|stä|hin) (?:kunna\w*|maa\w*|valtio\w*|paika\w*|osoittee\w*|kaupungi\w*)"),
        (
            Kind.DEFINITION,
            r"mitä .{0,60}?(?:tarkoit|merkits)\w+|miten .{1,60}?määritel\w+|(?:määritelmä|merkitys)\b"
            r"|(?:mi|ke|ku)\w{1,3} (?:katsotaan|pidetään|luetaan|lasketaan)",
        ),
        (
            Kind.PROCEDURE,
            r"mill(?:ä tavalla|ä tavoin|ä keinoin)|mitä (?:minun |mun |meidän )?(?:pitää|täytyy|tulee) tehdä",
        ),
    ),
    "sv": (
        (
            Kind.RATE,
            r"(?:hur många|vilken|hur stor) procent\w*|hur stor (?:del|andel)|vilken (?:del|andel)",
        ),
        (
            Kind.PERIOD,
            r"hur (?:länge|lång\w*|snabbt|snart|fort|ofta|mycket tid)"
            r"|hur många (?:\w*dagar|veckor|månader|år|timmar|minuter|vardagar)"
            r"|(?:inom|under|på) vilken tid|vilken tid|för sent",
        ),
        (
            Kind.DATE,
            r"(?:från|från och med|till|sedan|före|efter) (?:när|vilken dag|vilket datum)|vilken dag"
            r"|vilket datum"
            r"|senast när",
        ),
        (
            Kind.AMOUNT,
            r"hur (?:mycket|många|stor\w*|hög\w*|gam\w+|gammalt|låg\w*)|vilket belopp|vad kostar"
            r"|(?:vid|från|upp till) vilken (?:ålder|summa|omsättning)|vilken (?:ålder|summa|avgift"
            r"|ersättning)"
            r"|vad ska jag få betalt|upp till vilke[nt]",
        ),
        (
            Kind.LIST,
            r"(?:på|av) vilka (?:grunder|skäl|villkor)|under vilka (?:villkor|förutsättningar)|räkna upp",
        ),
        (
            Kind.AUTHORITY,
            r"(?:till|av|för|hos|från|mot) vem|vilken (?:myndighet|domstol|nämnd|minister|instans)"
            r"|vilket (?:organ|ministerium|verk)",
        ),
        (Kind.PLACE, r"(?:i|på|till|från) vil(?:ken|ket) (?:kommun|land|stat|ort|stad|plats|ställe|adress)"),
        (
            Kind.DEFINITION,
            r"vad (?:avses|betyder|menas|innebär)|hur definieras|definition|betydelsen av"
            r"|v(?:em|ad|ilka) (?:räknas|anses|betraktas)",
        ),
        (Kind.PROCEDURE, r"på vilket sätt|vad (?:måste|ska|bör) jag göra|hur går .{2,60} till"),
    ),
    "fr": (
        (
            Kind.RATE,
            r"quel pourcentage|combien de pour ?cent|quelle (?:part|proportion|fraction)|à quel taux",
        ),
        (
            Kind.PERIOD,
            r"(?:pendant |pour |dans |jusqu'à |depuis )?combien (?:de|d') ?(?:temps|jours?|semaines?|mois"
            r"|années?|ans"
            r"|heures?|minutes?)|(?:dans |sous )?quels? (?:est le |sont les )?délais?"
            r"|quelle (?:est la )?(?:durée|période)|trop tard",
        ),
        (
            Kind.DATE,
            r"(?:à|avant|après|depuis|jusqu'à|à partir de|dès) quel(?:le)? (?:date|jour)"
            r"|quel(?:le)? (?:date|jour)"
            r"|depuis quand|à partir de quand|jusqu'à quand|d'ici quand",
        ),
        (
            Kind.LIST,
            r"(?:pour|sur) quels (?:motifs|raisons)|pour quelles raisons|(?:à|dans) quelles conditions"
            r"|énumér\w+",
        ),
        (
            Kind.AMOUNT,
            r"combien|quel (?:âge|montant|chiffre d'affaires|seuil|plafond|prix)|quelle (?:amende|somme"
            r"|indemnité)"
            r"|à (?:partir de )?quel âge|je risque quoi|(?:le|au) maximum qu\w*",
        ),
        (
            Kind.AUTHORITY,
            r"(?:à|par|auprès de|devant|avec|chez|contre|de) qui"
            r"|quel(?:le)? (?:autorité|tribunal|cour|ministre|ministère|organisme|commission|agence|juge)",
        ),
        (
            Kind.PLACE,
            r"(?:dans|à|en) quel(?:le)? (?:pays|province|endroit|lieu|ville|état|municipalité|adresse)"
            r"|quel est le lieu",
        ),
        (
            Kind.DEFINITION,
            r"qu'est-ce qu(?:e|') ?(?!je|tu|il|on|nous|vous|elle|ils)(?:c'est )?|qu'entend-on"
            r"|que (?:signifie|désigne|veut dire)"
            r"|définition|(?:sens|signification) d(?:e|u|')|c'est quoi (?:une?|le|la|l')"
            r"|comment .{0,30}?défini\w*"
            r"|qui est (?:considéré|réputé)|qu'est-ce que veut dire",
        ),
        (
            Kind.PROCEDURE,
            r"de quelle (?:manière|façon)|que (?:faut-il|dois-je|doit-on) faire|quelle est la (?:procédure"
            r"|marche)"
            r"|quelles (?:démarches|étapes)|comment faire",
        ),
    ),
}
#: How a question that is answered by yes or no begins.
_YES_OR_NO: Final = {
    "en": r"(?:do|does|did|is|are|was|were|am|can|could|may|might|must|should|shall|will|would|has|have)"
    r"(?:n't)? (?:i|we|you|he|she|it|they|one|there|the|an?|my|our|his|her|their|your|this|that|these|those"
    r"|its"
    r"|such|any|all|some|both|gig|[a-z]+)\b|(?:is that|is it)|any [\w' ]+\?|(?:[\w' ]+, )?allowed\?|legal\?"
    r"|taxable\?",
    "fi": r"\w*[aeiouyäö]n?(?:ko|kö)(?:han|hän"
    r"|s)?\b(?<!kauanko)(?<!paljonko)(?<!montako)(?<!viikko)(?<!tuomiko)"
    r"|saa[nt]?ko|onko\w*|voi(?:ko|nko|vatko|daanko)|pitä[äv]\w*kö|pitääkö|on pakko",
    "sv": r"(?:får|kan|är|måste|behöver|har|ska|skall|bör|gäller|omfattas|förlorar|räcker|finns|blir|krävs"
    r"|hör|går|kommer"
    r"|betalar|vågar|räknas|tillhör|ingår)\b(?! (?:till vem|när|var|vad)\b)|är det (?:tillåtet|lagligt)",
    "fr": r"(?:est-ce qu)(?:e|')|(?:puis|peut|peuvent|dois|doit|doivent|ai|as|a|ont|est|sont|faut|fait|vais"
    r"|va|vont|pourrait"
    r"|serai|aurai)-(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils|elles|ce)\b"
    r"|permis ou pas|c'est (?:permis|légal|légitime)|a-t-(?:il|on|elle) le droit",
}
#: The same, said after its subject: "l'employeur peut-il …", "…, onko sallittu".
_YES_OR_NO_ANYWHERE: Final = {
    "en": r"(?:do|can|must|may|am|should) (?:i|we)(?! (?:mean|get off))|allowed\s*\?|\ballowed$|is (?:it"
    r"|that|this) (?:even )?(?:legal|allowed|valid|ok)",
    "fi": r"onko (?:se |tuo |tämä )?(?:sallittu|laillis|luvallis)\w*|\w{3,}(?:nko|nkö|aako|ääkö|iko|eeko"
    r"|eekö|uuko)\b"
    r"(?<!kauanko)(?<!paljonko)",
    "sv": r"är det (?:tillåtet|lagligt|okej)",
    "fr": r"(?:\w+)-(?:t-)?(?:il|elle|on|ils|elles|je)\b(?! défini)|permis ou pas",
}
#: Nouns that name what is wanted.
_NAMED: Final[dict[str, _Rules]] = {
    "en": (
        (
            Kind.LIST,
            r"what (?:are|were) the (?:grounds|reasons|conditions|requirements|exceptions|duties|tasks"
            r"|types|kinds)",
        ),
        (
            Kind.PERIOD,
            r"deadline|time[- ]limits?|notice period|limitation period|period of|trial period|waiting period",
        ),
        (Kind.RATE, r"(?:[\w-]+ )?rates?|percent(?:age)?|per cent"),
        (
            Kind.AMOUNT,
            r"amount|threshold|ceiling|limit|cap|maximum|minimum|penalty|penalties|fines?|fees?|price"
            r"|costs?|share capital"
            r"|charge|compensation|allowance",
        ),
        (Kind.PROCEDURE, r"procedure|steps"),
    ),
    "fi": (
        (Kind.PERIOD, r"\w*määräai\w*|\w+aika\b|\w+ajan (?:pituus|enimmäispituus)|enimmäispituus|\w*kesto"),
        (Kind.RATE, r"\w*prosentt?\w*|\w*verokan\w*"),
        (
            Kind.AMOUNT,
            r"\w*raja|\w*määrä|\w*maksu|\w*sakko|\w*pääoma|\w*omavastuu|\w*summa|\w*palkkio|\w*katto|hinta"
            r"|takaraja",
        ),
        (Kind.PROCEDURE, r"menettely\w*|vaiheet"),
        (Kind.LIST, r"mitkä|mitä (?:tietoja|liitteitä|asiakirjoja|seikkoja|tuloja|tavaroita|vaatimuksia)"),
    ),
    "sv": (
        (
            Kind.PERIOD,
            r"\w*tidsfrist\w*|\w*besvärstid\w*|\w*uppsägningstid\w*|\w*prövotid\w*|\w+tiden|\w+fristen",
        ),
        (Kind.RATE, r"\w*procent\w*|\w*skattesats\w*|\w*momssats\w*|\w*ränta\w*|\w*satsen"),
        (
            Kind.AMOUNT,
            r"\w*gränsen?|\w*belopp\w*|\w*avgiften?|\w*böter\w*|\w*kapital|\w*självrisk\w*|\w*taket"
            r"|\w*ersättning(?:en)?"
            r"|\w*tillägget",
        ),
        (Kind.PROCEDURE, r"förfarande\w*"),
        (Kind.LIST, r"vilka(?! kan| får| ska)"),
    ),
    "fr": (
        (Kind.PERIOD, r"délais?|préavis|durée|période"),
        (Kind.RATE, r"taux|pourcentage"),
        (
            Kind.AMOUNT,
            r"montants?|seuils?|plafonds?|amendes?|frais|capital minimal|indemnités?|maximum|minimum|prix"
            r"|pénalités?",
        ),
        (Kind.PROCEDURE, r"procédure|démarches"),
        (Kind.LIST, r"quel(?:le)?s|énumér\w+|liste"),
    ),
}
#: Asking words alone, where a question begins.
_BEGUN: Final[dict[str, _Rules]] = {
    "en": (
        (
            Kind.DEFINITION,
            r"define|meaning of|definition of|how is .{2,60} defined|(?:what|who) (?:counts|qualifies"
            r"|is (?:considered|meant))"
            r"|what does .{2,80} mean|what do .{2,80} mean",
        ),
        (
            Kind.LIST,
            r"list|name all|which (?:\w+ )?(?:[\w]+s)\b|what (?:information|documents|data|particulars"
            r"|items|goods)",
        ),
        (Kind.AUTHORITY, r"who|whose|whom"),
        (Kind.PLACE, r"where"),
        (Kind.DATE, r"when"),
        (Kind.PROCEDURE, r"how"),
    ),
    "fi": (
        (Kind.DEFINITION, r"kuka on(?= (?!vastuu|velvolli|oikeut))|määritelmä"),
        (Kind.AUTHORITY, r"kuka|ketkä|ketä"),
        (Kind.PLACE, r"missä|mistä|mihin|minne"),
        (Kind.DATE, r"milloin|koska"),
        (Kind.PROCEDURE, r"miten|kuinka"),
        (Kind.LIST, r"mitkä|millaisia"),
    ),
    "sv": (
        (Kind.DEFINITION, r"definition|betydelse"),
        (Kind.AUTHORITY, r"vem|vems|vilka kan"),
        (Kind.PLACE, r"var|vart|varifrån"),
        (Kind.DATE, r"när"),
        (Kind.PROCEDURE, r"hur"),
        (Kind.LIST, r"vilka"),
    ),
    "fr": (
        (Kind.AUTHORITY, r"qui"),
        (Kind.PLACE, r"où"),
        (Kind.DATE, r"quand"),
        (Kind.PROCEDURE, r"comment"),
        (Kind.LIST, r"quel(?:le)?s"),
    ),
}
_sentence_end = re.compile(r"(?<=[?!.])\s+")
_MOST_WORDS = 7  # of a term whose meaning is asked for


def _anywhere(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _begun(words: str) -> re.Pattern[str]:
    return re.compile(rf"{_BEGUN_AT}(?:{words})(?!\w)", re.IGNORECASE)


# A look-behind has one width: each place where a question may begin is one of its own.
_BEGUN_AT: Final = (
    r"(?:^[\s\"'«“(]*|(?<=[,;:.!?–—] )|(?<=\band )|(?<=\bbut )|(?<=\boch )|(?<=\bmen )|(?<=\bet )|(?<=\bou )"
    r"|(?<=\bja )|(?<=\bor )|(?<=\bso )|(?<=\bvai ))"
)
#: A question that opens with an asking word is not answered by yes or no, whatever verb comes later.
_OPENS_ASKING: Final = {
    "en": r"how|what|which|who|whom|whose|when|where|why|by|on|in|at|to|from|under|since|within",
    "fi": r"mi(?:kä|nkä\w*|ssä|stä|hin|tä|tkä|llä|lle|lloin|ten|nä|ksi|nne|lloin)|ken\w+|ket\w+|kuka|kuinka"
    r"|monta(?:ko)?|paljonko"
    r"|kauanko|luettele",
    "sv": r"hur|vad|vilk\w+|vem\w*|när|var|vart|varför|på|i|till|av|inom|från",
    "fr": r"quel(?:le)?s?|qui|que|qu|où|quand|comment|combien|pourquoi|à|dans|de|par|pour|depuis|jusqu"
    r"|auprès|pendant",
}
_Tier = tuple[tuple[Kind, re.Pattern[str]], ...]


@dataclass(frozen=True, slots=True)
class _Signs:
    """The rules of one language, ready to be tried."""

    asked: _Tier
    yes_or_no: _Tier
    who_where_when: _Tier  # at the very beginning
    named: _Tier
    begun: _Tier
    opens_asking: re.Pattern[str]


_WHO_WHERE_WHEN: Final = frozenset({Kind.AUTHORITY, Kind.PLACE, Kind.DATE, Kind.DEFINITION})


def _signs(language: str) -> _Signs:
    begun = _BEGUN[language]
    return _Signs(
        asked=tuple((kind, _anywhere(words)) for kind, words in _ASKED[language]),
        yes_or_no=(
            (Kind.CONDITION, _begun(_YES_OR_NO[language])),
            (Kind.CONDITION, _anywhere(_YES_OR_NO_ANYWHERE[language])),
        ),
        who_where_when=tuple((kind, _opening(words)) for kind, words in begun if kind in _WHO_WHERE_WHEN),
        named=tuple((kind, _anywhere(words)) for kind, words in _NAMED[language]),
        begun=tuple((kind, _begun(words)) for kind, words in begun),
        opens_asking=_opening(_OPENS_ASKING[language]),
    )


def _opening(words: str) -> re.Pattern[str]:
    return re.compile(rf"[\s\"'«“(]*(?:{words})(?!\w)", re.IGNORECASE)


_signs_of = {language: _signs(language) for language in _ASKED}


def wanted(text: str, language: str) -> Wanted:
    """What a question wants the words that answer it to hold."""
    stated = frozenset(quantity.unit for quantity in quantities(text))
    units = units_named(text) | ({DEADLINE} if _DEADLINE.search(text) else set())
    return Wanted(kinds_asked(text, language), units, stated)


def kinds_asked(text: str, language: str) -> tuple[Kind, ...]:
    """The kinds of answer that a question asks for, the surest first; none where its words do not tell."""
    signs = _signs_of.get(language)
    if signs is None:
        return ()
    for sentence in _asking_last(text):
        found = tuple(dict.fromkeys(_kinds(sentence, language, signs)))
        if found:
            return found
    return ()


def _asking_last(text: str) -> list[str]:
    """The sentences of a question: those with a question mark first, and later ones before earlier ones."""
    spoken = list(reversed(_sentence_end.split(one_line(text))))
    return sorted(spoken, key=lambda sentence: not sentence.endswith("?"))


def _kinds(sentence: str, language: str, signs: _Signs) -> Iterator[Kind]:
    asking = bool(signs.opens_asking.match(sentence))
    asked = list(_parted(signs.asked, sentence))
    yield from asked
    if asking:
        yield from _first(signs.who_where_when, sentence, opening=True)
    else:
        asked += _first(signs.yes_or_no, sentence)
        yield from asked
    if asked:
        return
    for tier in (signs.named, signs.begun):
        found = _first(tier, sentence)
        if found:
            if not (asking and _first(signs.who_where_when, sentence, opening=True)):
                yield from found
            return
    term = term_asked(sentence, language)
    if term and len(term.split()) <= _MOST_WORDS:
        yield Kind.DEFINITION


def _parted(tier: _Tier, sentence: str) -> Iterator[Kind]:
    """The kinds that a sentence asks for, each by words of its own: "how many days" asks for no amount."""
    taken: list[tuple[int, int]] = []
    for kind, pattern in tier:
        for match in pattern.finditer(sentence):
            if not any(match.start() < end and start < match.end() for start, end in taken):
                taken.append(match.span())
                yield kind
                break


def _first(tier: _Tier, sentence: str, *, opening: bool = False) -> list[Kind]:
    """The kind of the first rule of a tier that fits; where the question opens with it, if so wanted."""
    tried = (
        (kind, pattern.match(sentence) if opening else pattern.search(sentence)) for kind, pattern in tier
    )
    return [kind for kind, match in tried if match][:1]
