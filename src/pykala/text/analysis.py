"""Turn text and questions into the terms that the full-text index counts.

One function serves both sides, so that a question matches the text it asks about. Section numbers, citations,
amounts and percentages become one term each whatever their typography (`124 §`, `30 000`, `34 per cent`).
Words become stems or base forms. If a word has diacritics, its folded form is added, so that `kasittely`
still finds `käsittely` but the exact spelling scores higher.

No term contains white space. The same text always gives the same terms; `fingerprint` names the rules.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from pykala.text import finnish
from pykala.text.languages.known import alternatives, derived, known, language_of, own_and
from pykala.text.stopwords import stop_words

VERSION: Final = 2
#: Our own languages, in the order of the fingerprint and of the index's fields.
LANGUAGES: Final = ("fi", "sv", "en", "fr")

_MEMO_LIMIT: Final = 400_000  # distinct words cached per language, to bound memory
_UNKNOWN: Final = "other"  # all unknown languages share their words
_LONGEST_WORD: Final = 60  # characters; longer runs of letters are noise (encoded data) and are cut

# Typographic spaces become spaces, dashes and minus signs a hyphen, and apostrophes one apostrophe.
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
_SECTION_SIGN: Final = r"§(?<!\d§)(?<!\d §)(?<!\d[a-z] §)(?<!\d [a-z] §)"
_CASE: Final = re.compile(r"\b([ct]) ?- ?(\d{1,6}/\d\d)\b")
_GROUPED: Final = re.compile(r"(?<![\d.,/:-])\d{1,3}(?:([ .,])\d{3})(?:\1\d{3})*(?![\d])(?!-\d)")
_DECIMAL_COMMA: Final = re.compile(r"(?<![\d.,/:-])(\d+),(\d+)(?!\d|[.,]\d)")

_TOKEN: Final = re.compile(r"\d+(?:[./:-]\d+)*[a-z]?(?![^\W\d_])|[^\W_]+(?:['-][^\W_]+)*")
_BETWEEN_DIGITS: Final = re.compile(r"[./:-]")


@dataclass(frozen=True, slots=True)
class _Rules:
    """How figures are read in a language.

    Our own four languages share their patterns, because their law cites across them. The language of a pack
    adds its own patterns, for its own texts only, so that the terms of all other law do not change.
    """

    thousands: str
    percent: re.Pattern[str]
    percent_in: tuple[str, ...]  # any text with a percentage contains one of these
    section_behind: re.Pattern[str]
    section_behind_in: tuple[str, ...]
    section_before: re.Pattern[str]
    case_endings: re.Pattern[str] | None
    courts: tuple[str, ...]  # any text with a ruling or an advance ruling contains one of these
    ruling: re.Pattern[str]
    advance_ruling: re.Pattern[str]


@derived
def _rules(language: str) -> _Rules:
    languages = own_and(language)
    this = language_of(language)
    numbers = "|".join(dict.fromkeys(f" {word} " for one in languages for word in one.words("terms.joining")))
    behind = tuple(word for one in languages for word in one.words("terms.section_behind"))
    by_year, by_number = "law.rulings_by_year", "law.rulings_by_number"
    return _Rules(
        thousands=(this.text("terms.thousands") if this else "") or ".",
        percent=re.compile(
            r"(?<!\d)(\d{1,15}(?:[.,]\d{1,15})?) ?"
            rf"(?:%|{alternatives('terms.percent', languages)})"
        ),
        percent_in=("%", *dict.fromkeys(word for one in languages for word in one.words("terms.percent_in"))),
        section_behind=re.compile(
            rf"(?<![\d.,/:-])(\d{{1,9}}(?:[.-]\d{{1,9}}){{0,4}})(?: ?([a-z]))? ?"
            rf"(?:{'|'.join(('§', *behind))})"
        ),
        section_behind_in=("§", *behind),
        # The sign stands before its number in English and French, after it in Finnish and Swedish (`33 a § 2
        # mom.`). Each look-behind comes after the first letter of its alternative, because `re` skips quickly
        # to a known letter.
        section_before=re.compile(
            rf"(?:{alternatives('terms.section_before', languages)}|{_SECTION_SIGN})"
            rf" ?({_NUMBER}(?: ?(?:,|{numbers}) ?{_NUMBER})*)"
        ),
        case_endings=re.compile(this.text("terms.case_endings"))
        if this and this.text("terms.case_endings")
        else None,
        courts=tuple(
            word for table in (by_year, by_number) for one in languages for word in one.words(table)
        ),
        ruling=re.compile(rf"\b({alternatives(by_year, languages)})[: ]{{1,2}}(\d{{4}})[: ](\d{{1,6}})\b"),
        advance_ruling=re.compile(
            rf"\b({alternatives(by_number, languages)})[: ]{{1,2}}0{{0,5}}(\d{{1,6}})/(\d{{4}})\b"
        ),
    )


def analyse(text: str, language: str) -> list[str]:
    """Give the terms of a text in a known language (any other code: folded words, no stems)."""
    text = normalise(text).lower()
    terms: list[str] = []
    rules = _rules(language)
    if _DIGIT.search(text):
        text = _figures(text, rules, terms)
    if rules.case_endings is not None and ":" in text:
        text = rules.case_endings.sub("", text)
    memo = _memo(language)
    for token in _TOKEN.findall(text):
        terms += memo[token]
    return terms


def normalise(text: str) -> str:
    """Compose characters (NFC) and unify typographic spaces, dashes, apostrophes and invisible marks."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if _ODD.search(text):
            text = text.translate(_CHARACTERS)
    elif "`" in text:
        text = text.replace("`", "'")
    return text


@cache
def fingerprint() -> str:
    """Name the rules and tables in use: an index built under another name must be rebuilt.

    The rules are named by `VERSION`, the tables by their content. The language of a pack does not count here:
    a pack that changes it raises its own version, and its works are read again.
    """
    digest = hashlib.sha256(f"{VERSION}|{unicodedata.unidata_version}".encode())
    folder = Path(__file__).parent / "data"
    for table in ("finnish_endings.tsv", "finnish_parts.txt"):
        digest.update((folder / table).read_bytes())
    for language in known(LANGUAGES):
        terms = {name: value for name, value in language.tables.items() if name.startswith("terms.")}
        digest.update(json.dumps({language.code: terms}, sort_keys=True, ensure_ascii=False).encode())
    return digest.hexdigest()[:16]


def _figures(text: str, rules: _Rules, terms: list[str]) -> str:
    """Add the terms that span several tokens, and normalise amounts."""
    text = _GROUPED.sub(partial(_ungroup, rules.thousands), text)
    text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    # Searching for a substring is much cheaper than running a pattern that finds nothing.
    if any(word in text for word in rules.percent_in):
        terms += [f"{number}%" for number in rules.percent.findall(text)]
    if any(word in text for word in rules.section_behind_in):
        terms += [f"{number}{letter}§" for number, letter in rules.section_behind.findall(text)]
    for numbers in rules.section_before.findall(text):
        terms += [f"{number}§" for number in re.findall(_NUMBER, numbers)]
    if any(court in text for court in rules.courts):
        terms += [f"{court}{year}:{number}" for court, year, number in rules.ruling.findall(text)]
        terms += [f"{board}{number}/{year}" for board, number, year in rules.advance_ruling.findall(text)]
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
    """Cached terms of the words of one language."""

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


@derived
def _memo(language: str) -> _Memo:
    code = language if language_of(language) else _UNKNOWN
    if code != language:
        return _memo(code)
    return _Memo(partial(_terms_of, _elision(code), stop_words(code), _words_of(code)))


def _elision(language: str) -> re.Pattern[str] | None:
    this = language_of(language)
    pattern = this.text("terms.elision") if this else ""
    return re.compile(pattern) if pattern else None


def _terms_of(
    elision: re.Pattern[str] | None,
    stop_words: frozenset[str],
    words_of: Callable[[str], tuple[str, ...]],
    token: str,
) -> tuple[str, ...]:
    if token[0].isdigit():
        return _number_terms(token)
    terms: list[str] = []
    for word in _words_in(elision, stop_words, words_of, token):
        terms.append(word)
        folded = fold(word)
        if folded != word:
            terms.append(folded)
    return tuple(terms)


def _words_in(
    elision: re.Pattern[str] | None,
    stop_words: frozenset[str],
    words_of: Callable[[str], tuple[str, ...]],
    token: str,
) -> tuple[str, ...]:
    """The stems or base forms in a token, with the parts of compounds; nothing for a stop word."""
    token = token[:_LONGEST_WORD]
    if elision is not None:
        token = elision.sub("", token)
    elif token.endswith("'s"):
        token = token[:-2]
    if token in stop_words:
        return ()
    words: list[str] = []
    for part in _hyphenated(token.replace("'", "")):
        if part not in stop_words and (len(part) > 1 or part.isdigit()):
            words += words_of(part)
    return tuple(words)


@derived
def word_terms(language: str) -> Callable[[str], tuple[str, ...]]:
    """How a language's lower-case words become stems or base forms: `word_terms("fi")("kuntien")`."""
    return partial(_words_in, _elision(language), stop_words(language), _words_of(language))


def _hyphenated(token: str) -> list[str]:
    """Take a hyphenated word apart, and join it too where its first part is short: `e-mail` is `email`."""
    if "-" not in token:
        return [token]
    parts = [part for part in token.split("-") if part]
    if len(parts) > 1 and len(parts[0]) <= 3 and not parts[-1][0].isdigit():
        parts.append("".join(parts))
    return parts


def _number_terms(token: str) -> tuple[str, ...]:
    """Keep a citation whole besides its parts (`1535/1992`, `11-208.1`); a decimal or date is one number."""
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
    this = language_of(language)
    if this is not None and this.flag("terms.base_forms"):
        return partial(_finnish_words, stop_words(language))
    if this is not None and (name := this.text("terms.stemmer")):
        # Import it here: a process that only reads Finnish does not need Snowball.
        from Stemmer import Stemmer

        stemmer: Any = Stemmer(name, maxCacheSize=0)
        return lambda word: (str(stemmer.stemWord(word)),)
    return lambda word: (word,)


def _finnish_words(stop_words: frozenset[str], word: str) -> tuple[str, ...]:
    base = finnish.base_form(word)
    if base in stop_words:  # a list cannot hold all forms: `minulle`, `mulle`, `meidän`
        return ()
    verb = finnish.verb_of(base)
    parts = dict.fromkeys((base, *finnish.compound_parts(base)))
    if verb is not None:
        parts[verb] = None
    return tuple(parts)
