"""Turning text and questions into the terms that the full-text index counts.

One function serves both sides, so that a question meets the text it asks about. Section numbers,
citations, amounts and percentages become one term each whatever their typography (`124 §`, `30 000`,
`34 per cent`); words become stems or base forms, with their folded form beside them where folding
changes something, so that `kasittely` still finds `käsittely` but the exact spelling scores higher.

No term holds white space. The same text always gives the same terms; `fingerprint` names the rules.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from pykala.text import finnish
from pykala.text.stopwords import STOP_WORDS

VERSION: Final = 1
LANGUAGES: Final = ("fi", "sv", "en", "fr")

_SNOWBALL: Final = {"en": "english", "fr": "french", "sv": "swedish"}
_MEMO_LIMIT: Final = 400_000  # distinct words kept per language, so that memory has a bound
_LONGEST_WORD: Final = 60  # longer runs of letters are noise (encoded data), cut so that they stay terms

# Spaces of typographers become spaces, dashes and minus signs a hyphen, apostrophes one apostrophe.
_CHARACTERS: Final = {
    **dict.fromkeys((0x00A0, 0x2007, 0x2009, 0x200A, 0x202F, 0x2002, 0x2003, 0x2005, 0x2006, 0x3000), " "),
    **dict.fromkeys((0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF), None),
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212), "-"),
    **dict.fromkeys((0x2018, 0x2019, 0x02BC, 0x00B4, 0x0060), "'"),
    0x0153: "oe",
    0x00E6: "ae",
}
_ODD: Final = re.compile("[" + "".join(map(chr, _CHARACTERS)) + "]")
_DIGIT: Final = re.compile(r"\d")

# A number that may name a section: 7, 33a, 11-208.1, 110 a is handled with its sign.
_NUMBER: Final = r"\d{1,9}(?:[.-]\d{1,9}){0,4}(?:[a-z](?![a-zåäöéè]))?"
_AND: Final = r"(?:,| and | or | to | et | ou | à | ja | tai | och | eller )"
_SECTION_AFTER: Final = re.compile(
    r"(?<![\d.,/:-])(\d{1,9}(?:[.-]\d{1,9}){0,4})(?: ?([a-z]))? ?(?:§|artikla)"
)
# The sign stands before its number in English and French, after it in Finnish and Swedish (`33 a § 2 mom.`).
# Looking back comes after the first letter of each choice, because `re` skips quickly to a known letter.
_SECTION_BEFORE: Final = re.compile(
    r"(?:section(?<!\wsection)s?|sec(?<!\wsec)t?\.|s(?<!\ws)s?\.|art(?<!\wart)(?:icles?|t?\.|ikel\w?|iklarna)"
    r"|pykälä\w*|paragraf(?:en)?|§(?<!\d§)(?<!\d §)(?<!\d[a-z] §)(?<!\d [a-z] §))"
    rf" ?({_NUMBER}(?: ?{_AND} ?{_NUMBER})*)"
)
_COURTS: Final = ("kho", "kko", "hfd", "hd", "mao", "kvl", "cskn")
_RULING: Final = re.compile(r"\b(kho|kko|hfd|hd|mao)[: ]{1,2}(\d{4})[: ](\d{1,6})\b")
_ADVANCE_RULING: Final = re.compile(r"\b(kvl|cskn)[: ]{1,2}0{0,5}(\d{1,6})/(\d{4})\b")
_CASE: Final = re.compile(r"\b([ct]) ?- ?(\d{1,6}/\d\d)\b")
_PERCENT: Final = re.compile(
    r"(?<!\d)(\d{1,15}(?:[.,]\d{1,15})?) ?"
    r"(?:%|per ?cent\b|prosent(?:ti|in|te)\w*|procent\w*|pour[ -]cent\b|p\. 100\b)"
)
_GROUPED: Final = re.compile(r"(?<![\d.,/:-])\d{1,3}(?:([ .,])\d{3})(?:\1\d{3})*(?![\d])(?!-\d)")
_DECIMAL_COMMA: Final = re.compile(r"(?<![\d.,/:-])(\d+),(\d+)(?!\d|[.,]\d)")
# The case ending of a sign, number or abbreviation (`110 §:ssä`, `EU:n`) says nothing of its own.
_CASE_ENDING: Final = re.compile(r"(?<=[\w§%]):[a-zåäö]{1,6}\b")

_TOKEN: Final = re.compile(r"\d+(?:[./:-]\d+)*[a-z]?(?![^\W\d_])|[^\W_]+(?:['-][^\W_]+)*")
_ELISION: Final = re.compile(r"^(?:[ldjmtscn]|qu|jusqu|lorsqu|puisqu|quoiqu)'")
_BETWEEN_DIGITS: Final = re.compile(r"[./:-]")


def analyse(text: str, language: str) -> list[str]:
    """Give the terms of a text in `fi`, `sv`, `en` or `fr` (any other code: folded words, no stems)."""
    text = normalise(text).lower()
    terms: list[str] = []
    if _DIGIT.search(text):
        text = _figures(text, language, terms)
    if language == "fi" and ":" in text:
        text = _CASE_ENDING.sub("", text)
    memo = _memo(language)
    for token in _TOKEN.findall(text):
        terms += memo[token]
    return terms


def normalise(text: str) -> str:
    """Compose characters (NFC) and unify the spaces, dashes, apostrophes and invisible marks of print."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if _ODD.search(text):
            text = text.translate(_CHARACTERS)
    elif "`" in text:
        text = text.replace("`", "'")
    return text


@cache
def fingerprint() -> str:
    """Name the rules and tables in use: an index built under another name must be rebuilt."""
    digest = hashlib.sha256(f"{VERSION}|{unicodedata.unidata_version}".encode())
    folder = Path(__file__).parent
    for source in (
        "analysis.py",
        "finnish.py",
        "stopwords.py",
        "data/finnish_endings.tsv",
        "data/finnish_parts.txt",
    ):
        digest.update((folder / source).read_bytes())
    return digest.hexdigest()[:16]


def _figures(text: str, language: str, terms: list[str]) -> str:
    """Add the terms that span several tokens, and write amounts in one way."""
    text = _GROUPED.sub(partial(_ungroup, "," if language == "en" else "."), text)
    text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    # Looking for a substring is much cheaper than running a pattern that finds nothing.
    if "%" in text or "cent" in text or "prosen" in text or "p. 100" in text:
        terms += [f"{number}%" for number in _PERCENT.findall(text)]
    if "§" in text or "artikla" in text:
        terms += [f"{number}{letter}§" for number, letter in _SECTION_AFTER.findall(text)]
    for numbers in _SECTION_BEFORE.findall(text):
        terms += [f"{number}§" for number in re.findall(_NUMBER, numbers)]
    if any(court in text for court in _COURTS):
        terms += [f"{court}{year}:{number}" for court, year, number in _RULING.findall(text)]
        terms += [f"{board}{number}/{year}" for board, number, year in _ADVANCE_RULING.findall(text)]
    if "/" in text:
        terms += [f"{court}-{number}" for court, number in _CASE.findall(text)]
    return text


def _ungroup(grouping: str, match: re.Match[str]) -> str:
    """Join thousands; `3.125` in English and `3,125` elsewhere is a decimal, `30.000` is not."""
    number, separator = match[0], match[1]
    if separator in (" ", grouping) or number.endswith("000") or number.count(separator) > 1:
        return number.replace(separator, "")
    return number


class _Memo(dict[str, tuple[str, ...]]):
    """The terms of every word met so far in one language."""

    def __init__(self, terms_of: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._terms_of = terms_of

    def __missing__(self, token: str) -> tuple[str, ...]:
        if len(self) >= _MEMO_LIMIT:
            self.clear()
        terms = self._terms_of(token)
        if len(token) <= _LONGEST_WORD:
            self[token] = terms
        return terms


@cache
def _memo(language: str) -> _Memo:
    code = language if language in LANGUAGES else "other"
    if code != language:
        return _memo(code)
    return _Memo(partial(_terms_of, code, STOP_WORDS.get(code, frozenset()), _words_of(code)))


def _terms_of(
    language: str, stop_words: frozenset[str], words_of: Callable[[str], tuple[str, ...]], token: str
) -> tuple[str, ...]:
    if token[0].isdigit():
        return _number_terms(token)
    terms: list[str] = []
    for word in _words_in(language, stop_words, words_of, token):
        terms.append(word)
        folded = fold(word)
        if folded != word:
            terms.append(folded)
    return tuple(terms)


def _words_in(
    language: str, stop_words: frozenset[str], words_of: Callable[[str], tuple[str, ...]], token: str
) -> tuple[str, ...]:
    """The stems or base forms in a token, with the parts of compounds; nothing for a stop word."""
    token = token[:_LONGEST_WORD]
    if language == "fr":
        token = _ELISION.sub("", token)
    elif token.endswith("'s"):
        token = token[:-2]
    if token in stop_words:
        return ()
    words: list[str] = []
    for part in _hyphenated(token.replace("'", "")):
        if part not in stop_words and (len(part) > 1 or part.isdigit()):
            words += words_of(part)
    return tuple(words)


@cache
def word_terms(language: str) -> Callable[[str], tuple[str, ...]]:
    """How a language's lower-case words become stems or base forms: `word_terms("fi")("kuntien")`."""
    return partial(_words_in, language, STOP_WORDS.get(language, frozenset()), _words_of(language))


def _hyphenated(token: str) -> list[str]:
    """Take a hyphenated word apart, and join it too where its first part is short: `e-mail` is `email`."""
    if "-" not in token:
        return [token]
    parts = [part for part in token.split("-") if part]
    if len(parts) > 1 and len(parts[0]) <= 3 and not parts[-1][0].isdigit():
        parts.append("".join(parts))
    return parts


def _number_terms(token: str) -> tuple[str, ...]:
    """Keep a citation whole beside its parts (`1535/1992`, `11-208.1`); a decimal or a date is one number."""
    parts = [part[:_LONGEST_WORD] for part in _BETWEEN_DIGITS.split(token)]
    if len(token) > _LONGEST_WORD:
        return tuple(parts)
    if len(parts) == 1 or ("." in token and not ("-" in token or "/" in token or ":" in token)):
        return (token,)
    return (token, *parts)


def fold(word: str) -> str:
    """Write a word without diacritics: `käsittely` → `kasittely`, `impôt` → `impot`."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))


def _words_of(language: str) -> Callable[[str], tuple[str, ...]]:
    if language == "fi":
        return _finnish_words
    if language in _SNOWBALL:
        # Imported here: a process that only reads Finnish needs no Snowball.
        from Stemmer import Stemmer

        stemmer: Any = Stemmer(_SNOWBALL[language], maxCacheSize=0)
        return lambda word: (str(stemmer.stemWord(word)),)
    return lambda word: (word,)


def _finnish_words(word: str) -> tuple[str, ...]:
    base = finnish.base_form(word)
    verb = finnish.verb_of(base)
    parts = dict.fromkeys((base, *finnish.compound_parts(base)))
    if verb is not None:
        parts[verb] = None
    return tuple(parts)
