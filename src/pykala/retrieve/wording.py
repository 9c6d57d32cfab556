"""The words by which people ask, in four languages: they say nothing of what the law is about.

Law does not ask questions: a section that holds "how many" or "need" matches by accident. Which words
ask for a figure is told from the same phrases.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pykala.text.finnish import base_form
from pykala.text.quantities import units_named

#: How a question is put; taken out before searching.
_ASKING = {
    "en": r"how (?:many|much|long|often|old|high|large|soon|do|does|can|is|are)"
    r"|what (?:is|are|does|do|kind of|sort of)|what|which|when|where|who|whom|whose|why|whether"
    r"|do i (?:need|have) to|do i|does one|can i|may i|must i|should i|am i|i need|need(?:ed|s)? to"
    r"|ha(?:ve|s) to|tell me|explain|please|according to (?:the )?law|exactly",
    "fi": r"kuinka (?:monta|paljon|pitkä\w*|kauan|usein|suuri\w*)|miten|mikä|mitkä|mitä|minkä|millä|milloin"
    r"|missä|mistä|mihin|kuka|ketkä|kenen|miksi|montako|paljonko|onko|ovatko|voiko|voinko|saako|saanko"
    r"|pitääkö|tuleeko|täytyykö|tarvitseeko|minun|kerro|sanoo|koskien",
    "sv": r"hur (?:många|mycket|länge|ofta|stor|hög|gammal)|hur|vad (?:är|gäller|säger)|vad|vilken|vilket"
    r"|vilka|när|var|vem|vems|varför|måste jag|kan jag|får jag|behöver jag|ska jag|jag|berätta",
    "fr": r"combien de|combien|quel(?:le)?s?(?: est| sont)?|quand|comment|pourquoi|où|qui|que"
    r"|(?:qu')?est-ce que|dois-je|puis-je|faut-il|ai-je (?:droit|besoin)|peut-on|doit-on|je dois"
    r"|expliquez|selon la loi",
}
_FIGURES = (
    r"how (?:much|many|long|high|often|old|soon)|rates?|amount|percent(?:age)?|deadline|threshold|limit"
    r"|when|kuinka (?:paljon|monta|pitkä\w*|suuri\w*|kauan|usein)|paljonko|montako|\w*prosent\w*"
    r"|\w*verokan\w*|\w*raja\w*|määräai\w*|milloin|minkä suurui\w*"
    r"|hur (?:mycket|många|länge|stor|hög|ofta)|\w*procent\w*|\w*skattesats\w*|\w*gräns\w*|när"
    r"|combien|taux|montant|délai|seuil|plafond|pourcentage|quand"
)
#: Questions that ask what a term means; the term is the group.
_DEFINING = {
    "en": (
        r"(?:what|who)(?: is|'s| are| was) (?:meant by|(?:considered|deemed"
        r"|regarded as) (?:to be )?)(?:an? |the )?(.+?)",
        r"what(?: is|'s| are) the (?:definition|meaning|legal definition) of (?:an? |the )?(.+?)",
        r"(?:what|who) (?:counts|qualifies) as (?:an? |the )?(.+?)",
        r"(?:what|who)(?: is|'s| are) (?:an? |the )?(.+?)",
        r"what (?:does|do) (?:an? |the |the (?:term|word|expression) )?(.+?) mean",
        r"how (?:is|are|does the (?:law|act|code|regulation) define) (?:an? |the "
        r"|the term )?(.+?)(?: (?:legally )?defined)",
        r"how does the (?:law|act|code|regulation|directive) define (?:an? |the |the term )?(.+?)",
        r"(?:the )?(?:legal )?(?:definition|meaning) of (?:an? |the |the term )?(.+?)",
        r"(?:please )?define:? (?:an? |the |the term )?(.+?)",
        r"(.+?):? (?:definition|meaning)",
    ),
    "fr": (
        r"qu'est-ce (?:que c'est qu'|que c'est que |que |qu')(?:une? |le |la |les |l'|des )?(.+?)",
        r"c'est quoi,? (?:une? |le |la |les |l'|des )?(.+?)",
        r"qu'entend(?:-on|ez-vous|ons-nous) par (?:une? |le |la |les |l')?(.+?)",
        r"(?:quelle est )?(?:la |le )?(?:définition|sens|signification) (?:de |du |d')(?:la |l'|le |les "
        r"|une? )?(.+?)",
        r"que (?:signifie|désigne|veut dire|signifient|désignent) (?:l'expression |le terme |le mot )?"
        r"(?:une? |le |la |les |l')?(.+?)",
        r"comment (?:est-il|est-elle|est|la loi définit-elle|le règlement définit-il)(?: défini(?:e)?)? "
        r"(?:une? |le |la |les |l')?(.+?)",
        r"qui est (?:considéré|considérée|réputé)(?: comme)? (?:une? |le |la |l')?(.+?)",
    ),
    "fi": (
        r"(?:mikä|mitkä|kuka) (?:on|ovat) (.+?)n (?:määritelmä|merkitys)",
        r"(?:mikä|mitkä) (?:on|ovat) (.+?)",
        r"mitä on (.+?)",
        r"kuka on (.+?)",
        r"mitä (?:tarkoittaa|tarkoittavat|merkitsee|tarkoitetaan)(?: (?:käsitteellä|termillä|sanalla|käsite"
        r"|termi|sana))? (.+?)",
        r"mitä (?:termi |sana |käsite )?(.+?) (?:tarkoittaa|tarkoittavat|merkitsee)",
        r"miten (.+?) (?:määritellään|on määritelty)",
        r"(?:mikä|mitä|kuka|ketä|mitkä) (?:katsotaan|pidetään|luetaan) (.+?)",
        r"(.+?)n määritelmä",
        r"määritelmä:? (.+?)",
        r"(.+?):? määritelmä",
    ),
    "sv": (
        r"vad (?:avses|menas) med (?:begreppet |termen |ordet |en |ett )?(.+?)",
        r"vad (?:betyder|innebär|är) (?:begreppet |termen |ordet |en |ett )?(.+?)",
        r"hur definieras (?:begreppet |termen |en |ett )?(.+?)",
        r"v(?:em|ad|ilka) (?:räknas|anses|betraktas) som (?:en |ett )?(.+?)",
        r"vem är (?:en |ett )?(.+?)",
        r"(?:vad är )?(?:definitionen|definition|betydelsen|innebörden) av (?:begreppet |en |ett )?(.+?)",
        r"definiera (.+?)",
    ),
}
#: Where the term is used: "under the GDPR", "au sens du RGPD", "tietosuoja-asetuksen mukaan".
_WITHIN = {
    "en": r"(?:under|within the meaning of|for (?:the )?purposes? of|according to|as defined (?:in|by)"
    r"|pursuant to"
    r"|in the (?:sense|meaning) of|for) (?:the |an? )?[^?]+"
    r"|in (?:the )?(?:[A-Z][^?]*|[^?]*\b(?:act|law|code|regulation|directive|regulations|treaty)\b[^?]*)"
    r"|in (?:finland|canada|new york(?: city)?|the eu|finnish law|canadian law|eu law)",
    "fr": r"(?:au sens d[eu]|selon|d'après|en vertu d[eu]|aux termes d[eu]|pour l'application d[eu]"
    r"|aux fins d[eu]) ?[^?]+"
    r"|dans (?:la loi|le code|le règlement|la directive|le RGPD)[^?]*|au canada|en droit [^?]+",
    "fi": r"\S+(?:lain|lin|asetuksen|direktiivin|kaaren|GDPR:n)(?: [^?]{0,40})? (?:mukaan|mukaisesti|nojalla)"
    r"|\S*(?:laissa|asetuksessa|direktiivissä|kaaressa|GDPR:ssä|verotuksessa|suomessa)",
    "sv": r"enligt [^?]+|i (?:\S*(?:lagen|balken|förordningen|direktivet|beskattningen)|GDPR|finland)"
    r"|i den mening [^?]+"
    r"|med avseende på [^?]+",
}
_QUOTES = "\"'«»“”„‘’ "
#: A question of more characters does not only ask what a term means, and is not read for one.
_LONGEST = 400
_defining = {
    language: [re.compile(rf"{pattern}\s*\??", re.IGNORECASE) for pattern in patterns]
    for language, patterns in _DEFINING.items()
}
_within = {
    language: re.compile(rf"(?<![\s,])[\s,]++(?:{words})\s*$", re.IGNORECASE)
    for language, words in _WITHIN.items()
}
_asking = {
    language: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for language, words in _ASKING.items()
}
_figures = re.compile(rf"(?<!\w)(?:{_FIGURES})(?!\w)", re.IGNORECASE)


def without_asking(text: str, language: str) -> str:
    """The question without the words that only make it one; the text itself where nothing else is left."""
    pattern = _asking.get(language)
    rest = pattern.sub(" ", text.replace("’", "'")) if pattern else text
    return rest if re.search(r"\w", rest) else text


#: What a question says that it is not about: "an appeal (not a claim for rectification)".
_excluded = re.compile(
    r"\(\s*(?:ei|ilman|not|without|excluding|inte|ej|utan|pas|non|sans)\b[^()]{1,200}\)", re.IGNORECASE
)


def without_exclusions(text: str) -> str:
    """The question without what it says in brackets that it is not about; as it is where nothing is left."""
    rest = _excluded.sub(" ", text)
    return rest if re.search(r"\w", rest) else text


@dataclass(frozen=True, slots=True)
class Figures:
    """Whether a question wants a figure, and in which units (none: whichever the law gives)."""

    wanted: bool
    units: frozenset[str] = frozenset()


NO_FIGURES = Figures(wanted=False)


def figures_wanted(text: str) -> Figures:
    """Whether the question wants a number, a rate, a period or a date."""
    wanted = bool(_figures.search(text))
    return Figures(wanted, units_named(text) if wanted else frozenset())


def term_asked(text: str, language: str) -> str:
    """The term whose meaning a question asks for, or nothing: "foreign national".

    Without the marks it is quoted in, and without what says where it is used ("under the GDPR").
    """
    plain = " ".join(text.replace("’", "'").split()).rstrip(" ?.!")
    if len(plain) > _LONGEST:
        return ""
    within = _within.get(language)
    asked = (within.sub("", plain) if within else plain).strip()
    for words in dict.fromkeys((asked, plain)):
        matches = (pattern.fullmatch(words) for pattern in _defining.get(language, ()))
        term = next((match[1].strip(_QUOTES) for match in matches if match), "")
        if term:
            return term
    return ""


def spellings_of_term(term: str, language: str) -> tuple[str, ...]:
    """How a dictionary may spell a term that a question has: "controllers", "kuntakonsernilla"."""
    found = [term]
    if language == "fi":
        *before, last = term.split(" ")
        found.append(" ".join((*before, base_form(last.casefold()))))
        found.append(" ".join(base_form(word.casefold()) for word in term.split(" ")))
    elif language in ("en", "fr"):
        found += [term.removesuffix("s"), term.removesuffix("es")]
        found += [re.sub(r"ies$", "y", term)] if language == "en" else []
        found += [" ".join(word.removesuffix("s") for word in term.split(" "))]
    elif language == "sv":
        found += [term.removesuffix(ending) for ending in ("en", "et", "n", "er", "ar")]
    return tuple(one for one in dict.fromkeys(found) if len(one) > 1)
