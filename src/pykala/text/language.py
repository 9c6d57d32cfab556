"""Telling the language of a question or a text among those that the library holds.

Function words and endings decide nearly every question at once. A text that they leave open is told by
its trigrams; and where those are unsure too, the caller's default stands: `TVL 124 §` is no language.
Languages beyond the four that our table knows, which other packs may bring, are told by py3langid where
it is installed (`pip install 'pykala[languages]'`); it takes most of a second to load.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Final

from pykala.text import trigrams
from pykala.text.analysis import normalise
from pykala.text.stopwords import STOP_WORDS

_ENOUGH: Final = 0.75  # below this the model's guesses at short questions are wrong too often
_CERTAIN: Final = 0.98
_READ: Final = 4_000  # characters: a longer text says nothing new
_WORD: Final = re.compile(r"[^\W\d_]+")
_LONG_ENOUGH: Final = re.compile(r"[^\W\d_]{4}")

# Words that questions about law use beyond the stop words; those shared between two languages cancel out.
_ASKED: Final = {
    "en": """rate tax taxes income must shall may not law act section paragraph under pay paid employer
        employee within year years property company threshold between which exemption deduction article
        criminal regulation regulations gdpr eu compare""",
    "fr": """impôt impôts taux loi règlement article alinéa ne doit doivent peut peuvent revenu revenus quel
        quelle combien payer employeur salarié entreprise société délai sur est-ce exonération criminel
        paragraphe paragraphes al lir rgpd comparer""",
    "sv": """skatt skatten skatter lag lagen inte skall ska måste får betala arbetsgivare arbetstagare
        inkomst inkomster hur mycket procent bolag näringsverksamhet avdrag kommun förordning enligt""",
    "fi": """vero verot veron laki lain laissa ei paljonko kuinka saako voiko pitääkö onko maksaa maksetaan
        työnantaja työnantajan työntekijä tulo tulot yhtiö yhtiön prosenttia vähennys verotus verotetaan""",
}
# Words of citations that English and French spell alike: their letters look French and say nothing of it.
_SHARED: Final = re.compile(
    r"\b(?:articles?|codes?|directives?|sections?|civil|constitution|acts?|conventions?|protection|annexe?s?"
    r"|clauses?|parties|divisions?)\b"
)
_ENDINGS: Final = {
    "en": re.compile(r"\w{2,}(?:ings|ness|ship|able|ally|ould|ught|wh?ich)$"),
    "fr": re.compile(r"\w{2,}(?:eur|eurs|euse|ique|iques|ère|ée|ées|eaux|ement|aire|aires)$"),
    "sv": re.compile(r"\w{2,}(?:ningen|heten|elsen|arna|erna|ning|skap|lagen|ligt|het|skatt|skatten)$"),
    "fi": re.compile(
        r"\w{2,}(?:ss[aä]|ll[aä]|st[aä]|lt[aä]|lle|ksi|inen|isen|isten|[uy]{2}s|[uy]{2}den|aan|ään|een|nk[oö]|n?sa|vero|veron|laki|lain)$"
    ),
}
_LETTERS: Final = {
    "fr": re.compile("[çèêëîïôùûœ]"),
    "sv": re.compile("å"),
    "fi": re.compile("[aeiouyäö]{2}[^\\W\\d_]*(?:ää|öö|yy|uu|ii)|ää|öö"),
}
_NORDIC: Final = re.compile("[äö]")  # neither English nor French writes these
_NORDIC_LANGUAGES: Final = frozenset(("fi", "sv"))


@dataclass(frozen=True, slots=True)
class Detected:
    """A language and how sure that is, from 0 (the default, nothing known) to 1."""

    language: str
    confidence: float


def detect(text: str, default: str = "en", among: Sequence[str] = ("fi", "sv", "en", "fr")) -> Detected:
    """Tell the language of `text` among those given; where that is unsure, `default`."""
    text = normalise(text[:_READ]).lower()
    evidence = _evidence(text, among)
    ranked = evidence.most_common(2)
    first = ranked[0][1] if ranked else 0
    second = ranked[1][1] if len(ranked) > 1 else 0
    if first >= 2 and first >= 2 * second + 1:
        return Detected(ranked[0][0], round((first + 0.5) / (evidence.total() + 1), 3))
    if not _LONG_ENOUGH.search(text):
        return Detected(default, 0.0)
    telling = text if evidence["fr"] else _SHARED.sub(" ", text)
    if not first and not _LONG_ENOUGH.search(telling):
        return Detected(default, 0.0)
    guess, confidence = _guess(telling, among, evidence)
    # One word of evidence beats a guess that is not quite sure: "commercial rent tax" looks French.
    if first > second and (guess == ranked[0][0] or confidence < _CERTAIN):
        return Detected(ranked[0][0], max(0.5, round(confidence, 3) if guess == ranked[0][0] else 0.5))
    if confidence >= _ENOUGH:
        return Detected(guess, round(confidence, 3))
    return Detected(default, 0.0)


def _guess(text: str, among: Sequence[str], evidence: Counter[str]) -> tuple[str, float]:
    chances = _chances(text, among)
    possible = [code for code in chances if code in _NORDIC_LANGUAGES]
    # An English question may quote a Finnish term, so ä and ö decide only where nothing else speaks.
    if not possible or not _NORDIC.search(text) or evidence.keys() - _NORDIC_LANGUAGES:
        possible = [*chances]
    total = sum(chances[code] for code in possible)
    best = max(possible, key=lambda code: (chances[code], code))
    return best, float(chances[best] / total) if total else 0.0


def _evidence(text: str, among: Sequence[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    marks = _marks()
    languages = set(among)
    for word in _WORD.findall(text):
        language = marks.get(word)
        if language is not None:
            counts[language] += 1
            continue
        for code, ending in _ENDINGS.items():
            if len(word) > 4 and ending.match(word):
                counts[code] += 1
        for code, letters in _LETTERS.items():
            if letters.search(word):
                counts[code] += 1
    return Counter({code: count for code, count in counts.items() if code in languages})


@lru_cache(maxsize=1)
def _marks() -> dict[str, str]:
    """Map each word that only one of the languages uses to that language."""
    owners: dict[str, set[str]] = {}
    for lists in (STOP_WORDS, {code: words.split() for code, words in _ASKED.items()}):
        for code, words in lists.items():
            for word in words:
                owners.setdefault(word, set()).add(code)
    return {word: next(iter(codes)) for word, codes in owners.items() if len(codes) == 1 and len(word) > 1}


def _chances(text: str, among: Sequence[str]) -> dict[str, float]:
    known = [code for code in dict.fromkeys(among) if code in trigrams.LANGUAGES]
    if len(known) == len(set(among)) or not _has_model():
        return trigrams.chances(text, known)
    return dict(_identifier(tuple(sorted(set(among)))).rank(text))


def _has_model() -> bool:
    return find_spec("py3langid") is not None


@lru_cache(maxsize=8)
def _identifier(among: tuple[str, ...]) -> Any:
    # Imported here: loading NumPy and the model takes most of a second.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(among))
    return identifier
