"""The words by which people ask, in four languages: they say nothing of what the law is about.

Law does not ask questions: a section that holds "how many" or "need" matches by accident. Which words
ask for a figure is told from the same phrases.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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
        r"(?:what|who) (?:is|are)(?: meant by)? (?:an? |the )?(.+?)",
        r"what does (?:an? |the )?(.+?) mean",
        r"(?:the )?(?:definition|meaning) of (?:an? |the )?(.+?)",
    ),
    "fr": (
        r"qu'est-ce (?:que|qu') ?(?:une? |le |la |les |l')?(.+?)",
        r"(?:la )?définition (?:de |du |d')(?:la |l')?(.+?)",
        r"que (?:signifie|désigne) (?:une? |le |la |l')?(.+?)",
    ),
    "fi": (r"mikä on (.+?)", r"mitä tarkoittaa (.+?)", r"(.+?)n määritelmä"),
    "sv": (
        r"vad är (?:en |ett )?(.+?)",
        r"vad (?:avses med|betyder) (?:en |ett )?(.+?)",
        r"definition av (.+?)",
    ),
}
_defining = {
    language: [re.compile(rf"{pattern}\s*\??", re.IGNORECASE) for pattern in patterns]
    for language, patterns in _DEFINING.items()
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
    """The term whose meaning a question asks for, or nothing: "foreign national"."""
    plain = " ".join(text.replace("’", "'").split())
    matches = (pattern.fullmatch(plain) for pattern in _defining.get(language, ()))
    return next((match[1] for match in matches if match), "")
