"""Detect the language of a question or a text among those that the library holds.

Function words and endings decide nearly every question at once. Where they do not, trigrams decide; where
these are unsure too, the caller's default is used: `TVL 124 §` is in no language. The words, endings and
letters that identify a language are in its file (`[detection]`). Languages beyond our own four, which packs
may add, are also detected by py3langid where it is installed (`pip install 'pykala[languages]'`); it takes
most of a second to load.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Final

from pykala.text import trigrams
from pykala.text.analysis import normalise
from pykala.text.languages.known import BUILT_IN, derived, known, letters

_ENOUGH: Final = 0.75  # below this, the model is wrong too often on short questions
_CERTAIN: Final = 0.98
_INCOMPLETE: Final = 0.97
_READ: Final = 4_000  # characters; more text adds nothing
_WORD: Final = re.compile(r"[^\W\d_]+")
_SHOUTED: Final = 3  # words in capitals, without any other, that are a text and no abbreviations
_LONG_ENOUGH: Final = re.compile(r"[^\W\d_]{4}")


@dataclass(frozen=True, slots=True)
class Detected:
    """A language and how sure that is, from 0 (the default, nothing known) to 1."""

    language: str
    confidence: float
    guessed: bool = False  # whether its letters tell it, and at most one word or ending


def detect(
    text: str,
    default: str = "en",
    among: Sequence[str] = BUILT_IN,
    *,
    named: Sequence[str] = (),
    likely: Collection[str] = (),
) -> Detected:
    """Detect the language of `text` among those given; where that is unsure, `default`.

    `named` are the languages of the names of acts in it ("LIPR" is French); they count like words. `likely`
    are the languages in which the place that is asked about makes law: another one needs a word of its own,
    or to be certain.
    """
    written = normalise(text[:_READ])
    text = written.lower()
    signs = _signs(tuple(dict.fromkeys((*BUILT_IN, *among))))
    spelled = _without_abbreviations(written).lower()
    evidence = _evidence(spelled, signs, among)
    evidence.update(signs.names[word] for word in _WORD.findall(written) if signs.names.get(word) in among)
    evidence.update(code for code in named if code in among)
    ranked = evidence.most_common(2)
    first = ranked[0][1] if ranked else 0
    second = ranked[1][1] if len(ranked) > 1 else 0
    if first >= 2 and first >= 2 * second + 1:
        return Detected(ranked[0][0], round((first + 0.5) / (evidence.total() + 1), 3))
    if not _LONG_ENOUGH.search(text) and not (named or _is_telling(written, spelled, signs)):
        return Detected(default, 0.0)
    telling = spelled
    for code, alike in signs.spelled_alike.items():
        telling = telling if evidence[code] else alike.sub(" ", telling)
    if not first and not _LONG_ENOUGH.search(telling):
        return Detected(default, 0.0)
    guess, confidence = _guess(telling, among, evidence, signs)
    # One word of evidence beats an unsure guess: "commercial rent tax" looks French.
    if first > second and (guess == ranked[0][0] or confidence < _CERTAIN):
        sure = max(0.5, round(confidence, 3) if guess == ranked[0][0] else 0.5)
        return Detected(ranked[0][0], sure, guessed=first == 1)
    if likely and guess not in likely and confidence < _CERTAIN:
        guess, confidence = _guess(telling, [code for code in among if code in likely], evidence, signs)
    if confidence >= _ENOUGH:
        return Detected(guess, round(confidence, 3), guessed=first <= 1)
    return Detected(default, 0.0)


def _is_telling(written: str, spelled: str, signs: _Signs) -> bool:
    """Whether a text of short words has a name or a way to write that only one language has."""
    names = any(word in signs.names for word in _WORD.findall(written))
    return names or any(form.search(spelled) for form in signs.forms.values())


def _without_abbreviations(text: str) -> str:
    """A text without its words in capitals, unless it is written in capitals throughout."""
    return text if is_shouted(_WORD.findall(text)) else _abbreviation().sub(" ", text)


@derived
def _abbreviation() -> re.Pattern[str]:
    """A word in capitals: its letters are initials, whose trigrams tell of no language."""
    return re.compile(rf"(?<![^\W_])[^\W\d_{letters()}]{{2,6}}s?(?![^\W_])")


def is_shouted(words: Sequence[str]) -> bool:
    """Whether words are all in capitals: a text written so, not abbreviations."""
    return len(words) >= _SHOUTED and all(word.isupper() for word in words)


@dataclass(frozen=True, slots=True)
class _Signs:
    """The signs that separate some languages."""

    marks: Mapping[str, str]  # words that only one of them uses → that language
    names: Mapping[str, str]  # abbreviations that only one of them uses, in capitals → that language
    endings: Mapping[str, re.Pattern[str]]
    letters: Mapping[str, re.Pattern[str]]
    forms: Mapping[str, re.Pattern[str]]  # ways to write that only one of them has: "28(2)a)" is French
    spelled_alike: Mapping[str, re.Pattern[str]]
    own_letters: Mapping[str, frozenset[str]]


@derived
def _signs(codes: tuple[str, ...]) -> _Signs:
    languages = known(codes)
    owners: dict[str, set[str]] = {}
    for language in languages:
        for word in (*language.words("terms.stop_words"), *language.words("detection.words")):
            owners.setdefault(word, set()).add(language.code)
    return _Signs(
        {word: next(iter(using)) for word, using in owners.items() if len(using) == 1 and len(word) > 1},
        {name: one.code for one in languages for name in one.words("detection.names")},
        _compiled(codes, "detection.endings"),
        _compiled(codes, "detection.letters"),
        _compiled(codes, "detection.forms"),
        {
            code: re.compile(rf"\b(?:{words.pattern})\b")
            for code, words in _compiled(codes, "detection.spelled_alike").items()
        },
        {one.code: frozenset(one.text("detection.own_letters")) for one in languages},
    )


def _compiled(codes: Collection[str], table: str) -> dict[str, re.Pattern[str]]:
    """The patterns of the languages that have a table."""
    return {one.code: re.compile(one.text(table)) for one in known(codes) if one.text(table)}


def _guess(text: str, among: Sequence[str], evidence: Counter[str], signs: _Signs) -> tuple[str, float]:
    chances, most = _chances(text, among)
    writing = {code for code, letters in signs.own_letters.items() if not letters.isdisjoint(text)}
    possible = [code for code in chances if code in writing]
    # An English question may quote a Finnish term, so ä and ö decide only where nothing else does.
    if not possible or evidence.keys() - writing:
        possible = [*chances]
    total = sum(chances[code] for code in possible)
    best = max(possible, key=lambda code: (chances[code], code), default="")
    return best, min(most, float(chances[best] / total)) if total else 0.0


def _evidence(text: str, signs: _Signs, among: Sequence[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    languages = set(among)
    for word in _WORD.findall(text):
        language = signs.marks.get(word)
        if language is not None:
            counts[language] += 1
            continue
        for code, ending in signs.endings.items():
            if len(word) > 4 and ending.match(word):
                counts[code] += 1
        for code, own in signs.letters.items():
            if own.search(word):
                counts[code] += 1
    for code, forms in signs.forms.items():
        counts[code] += forms.search(text) is not None
    return Counter({code: count for code, count in counts.items() if count and code in languages})


def _chances(text: str, among: Sequence[str]) -> tuple[dict[str, float], float]:
    """How likely each of the languages is, and the most certainty that this can give.

    If the table lacks one of the languages, a single word of that language outweighs the table.
    """
    ours = [code for code in dict.fromkeys(among) if code in trigrams.LANGUAGES]
    if len(ours) == len(set(among)):
        return trigrams.chances(text, ours), 1.0
    model = _identifier(tuple(sorted(set(among)))) if _has_model() else None
    return (trigrams.chances(text, ours), _INCOMPLETE) if model is None else (dict(model.rank(text)), 1.0)


def _has_model() -> bool:
    return find_spec("py3langid") is not None


@lru_cache(maxsize=8)
def _identifier(among: tuple[str, ...]) -> Any:
    # Import it here: loading NumPy and the model takes most of a second.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    try:
        identifier.set_languages(list(among))
    except ValueError:  # it does not know one of them either
        return None
    return identifier
