"""How questions are put, in four languages: by a word that asks with its verb, or by the verb alone.

An embedded question is none of its own: "Do I have to say what I earn?" asks one thing.
"""

from __future__ import annotations

import re
from typing import Final

from pykala.text.one_line import bounded

_SUBJECT_EN: Final = (
    r"(?:i|you|we|he|she|it|they|one|there|the|a|an|my|your|our|his|her|their|its|this|that|these"
    r"|those|any|every|each"
    r"|all|both|anyone|someone|somebody|everyone|anything|(?!be\b|is\b|was\b|has\b|does\b|thus\b"
    r"|process\b|pass\b|access\b"
    r"|address\b|discuss\b)\w{2,}s)"
)
_AUXILIARY_EN: Final = (
    r"(?:is|are|was|were|am|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had"
    r"|isn't|aren't|don't"
    r"|doesn't|didn't|can't|won't)"
)
_VERB_SV: Final = (
    r"(?:är|var|får|fick|kan|kunde|ska|skall|skulle|måste|har|hade|gäller|behöver|blir|finns|vill|bör"
    r"|kostar|räknas"
    r"|betalar|börjar|slutar|gör|beslutar|bestämmer|ansvarar|krävs|ges|tar|kommer|brukar|går|händer"
    r"|beror|betyder|heter"
    r"|står|ser|söker|anmäler|överklagar|utgör|omfattar|avgör|handlar|beräknas|beskattas|upphör)"
)
_SUBJECT_SV: Final = (
    r"(?:jag|du|man|han|hon|den|det|de|vi|ni|min|mitt|mina|din|ditt|dina|vår|hans|hennes|deras|en|ett"
    r"|någon|alla"
    r"|\w{3,}(?:en|et|na|arna|erna))"
)
_INVERTED_FR: Final = r"\w[\w']*-(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils|elles|ce)"
_PREPOSITION_EN: Final = (
    r"(?:(?:by|from|to|for|at|in|on|up to|until|within|after|with|of|under|since|about) )?"
)
_PREPOSITION_SV: Final = r"(?:(?:från|till|för|i|på|med|av|om|under|inom|vid|efter|åt|hos|senast) )?"
_PREPOSITION_FR: Final = (
    r"(?:(?:à partir de|auprès de|jusqu'à|d'ici|à|de|pour|dans|en|sous|depuis|avec|par|sur|après) )?"
)

#: Words that ask, at the beginning of a clause.
ASKING: Final = {
    "en": rf"{_PREPOSITION_EN}(?:how|what(?:'s)?|when|where|who(?:'s)?|whom|whose|which|why)",
    "fi": r"mikä|mitkä|mitä|minkä|minkälai\w+|mistä|missä|mihin|millä|mille|miltä|millai\w+|milloin"
    r"|miten|miksi|minne"
    r"|kuka|ketkä|kenen|kenelle|keneltä|kenet|ketä|kuinka|paljonko|montako|monenko|monellako|kauanko"
    r"|kumpi|kumman"
    r"|minä (?:päivänä|vuonna|aikana)",
    "sv": rf"{_PREPOSITION_SV}(?:hur|vad|vilken|vilket|vilka|när|var|vart|vem|vems|varför|varifrån)",
    "fr": rf"{_PREPOSITION_FR}(?:combien|quel(?:le)?s?|quand|comment|pourquoi|où|qui|qu'est-ce|quoi"
    rf"|lequel|laquelle)",
}
#: Clauses that ask, by a word with its verb or by the verb alone. An embedded one does not: "what I earn".
QUESTION: Final = {
    "en": rf"{_PREPOSITION_EN}(?:how (?:\w+ )?|what |when |where |why |which )"
    rf"(?!(?:i|you|we|he|she|it|they|the|a|an|my|your|our|this|that"
    rf"|there)\b)(?:[\w'-]+ ){{0,6}}?{_AUXILIARY_EN}\b"
    rf"|(?:what|who|where|when|how)'s|{_PREPOSITION_EN}(?:who|whom|whose|which (?!(?:i|you|we|he|she"
    rf"|it|they)\b)\w+)"
    rf" (?!(?:i|you|we|he|she|it|they|the|a|an|my|your)\b)\w+|(?!ha(?:ve|s"
    rf"|d)\b){_AUXILIARY_EN} {_SUBJECT_EN}\b"
    rf"|ha(?:ve|s|d) (?:i|you|we|they|he|she|it|anyone|the)\b",
    "fi": rf"(?:{ASKING['fi']})\b|(?!joko\b|koko\b|loko\b|pako\b|tako\b)\w{{2,}}(?<!k)k[oö](?:han|hän"
    rf"|s)?\b",
    "sv": rf"(?:{ASKING['sv']}) (?!(?:jag|du|man|han|hon|den|det|de|vi|ni|min|mitt|en|ett)\b)"
    rf"(?:[\w-]+ ){{0,4}}?(?:{_VERB_SV}\b|\w+[rs] (?:jag|du|man|han|hon|det|de|vi|ni)\b)"
    rf"|{_VERB_SV} {_SUBJECT_SV}\b",
    "fr": rf"(?:qu')?est-ce qu|(?:{ASKING['fr']})\b[^,;?]*?(?:{_INVERTED_FR}\b|est-ce qu)"
    rf"|(?:{ASKING['fr']}) (?:est|sont)\b"
    rf"|(?:{_PREPOSITION_FR})qui (?!(?:je|tu|il|elle|on|nous|vous|ils|elles)\b)\w+"
    rf"|(?:[\w'-]+ ){{0,4}}?{_INVERTED_FR}\b",
}

_I: Final = re.IGNORECASE
_asking = {code: re.compile(rf"(?:{words})\b", _I) for code, words in ASKING.items()}
_question = {code: re.compile(rf"(?:{words})", _I) for code, words in QUESTION.items()}
_somewhere = {code: re.compile(rf"(?<!\w)(?:{words})", _I) for code, words in QUESTION.items()}
LANGUAGES: Final = frozenset(QUESTION)


def asking_word(text: str, language: str) -> str:
    """The word that asks, with which a text begins; none where it begins otherwise."""
    found = _asking[language].match(text)
    return found[0] if found else ""


def begins_asking(text: str, language: str) -> bool:
    """Whether a text begins as a question does, with its verb."""
    return _question[language].match(text) is not None


def questions_in(text: str, language: str) -> int:
    """How often a text begins to ask, wherever in it."""
    return len(_somewhere[language].findall(bounded(text)))
