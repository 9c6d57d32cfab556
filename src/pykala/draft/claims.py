"""Parse a draft into claims: sentences with keys in brackets, or structured claims.

A key belongs to the sentence that contains it or directly precedes it: "… 84 months [L1]." and "… 84 months.
[L1]". A sentence without a key of its own uses the next key in its paragraph, as with lawyers' footnotes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pykala.law.checks import DraftClaim
from pykala.text.sentences import sentences

#: "[L1]", "[L1, L2]", "[L1][L3]": a run of brackets that hold nothing but keys. After a backslash it is a
#: document's own bracket (see framing.py), copied into the draft.
_KEYS: Final = re.compile(r"[ \t]{0,3}(?<!\\)(?:\[\s*L\d{1,4}(?:\s*[,;]\s*L\d{1,4})*\s*\])+")
_KEY: Final = re.compile(r"L\d{1,4}")
_PARAGRAPH: Final = re.compile(r"\n[ \t]*\n\s*")
_BEFORE: Final = re.compile(r"^[\s*#>\-•]*")
#: Marks that open and close a quotation, in pairs; Finnish and Swedish use one mark for both.
_QUOTED: Final = re.compile(
    r"[“„](?P<low>[^“”„]{2,4000})[”“]|”(?P<nordic>[^“”„]{2,4000})”|»(?P<reverse>[^»«]{2,4000})[»«]"
    r"|«(?P<french>[^«»]{2,4000})»|\"(?P<plain>[^\"]{2,4000})\""
)
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_WORDS_OF_AN_OPENING: Final = 8
_WORDS_OF_A_QUOTE: Final = 3  # fewer words, without a digit, are a term in quotation marks


def claims_of(draft: str) -> tuple[DraftClaim, ...]:
    """The claims of a prose draft, in order; headings, questions and separators are skipped."""
    found: list[DraftClaim] = []
    position = 0
    for gap in (*_PARAGRAPH.finditer(draft), None):
        end = gap.start() if gap else len(draft)
        found += _paragraph(draft, position, end)
        position = gap.end() if gap else end
    return tuple(found)


def claims_from(data: Sequence[Mapping[str, object]]) -> tuple[DraftClaim, ...]:
    """The claims of a structured draft: objects with `text`, `keys` and, where it quotes, `quotes`."""
    claims = []
    for one in data:
        text, keys, quotes = one.get("text"), one.get("keys", ()), one.get("quotes", ())
        if not isinstance(text, str):
            raise ValueError(f"a claim of the draft has no text: {one!r}")
        if not _texts(keys) or not _texts(quotes):
            raise ValueError(f"keys and quotes of a claim are lists of texts: {one!r}")
        bare = _KEYS.sub("", text).strip()
        named = tuple(dict.fromkeys((*keys, *_keys_in(text))))  # type: ignore[misc]
        given = tuple(dict.fromkeys((*quotes, *quotes_in(bare))))  # type: ignore[misc]
        claims.append(DraftClaim(bare, named, given, 0, len(bare)))
    return tuple(claims)


def quotes_in(text: str) -> tuple[str, ...]:
    """The quotations of a text, without single quoted terms."""
    quotes = ((match[match.lastgroup or 0]).strip() for match in _QUOTED.finditer(text))
    return tuple(
        quote
        for quote in quotes
        if len(quote.split()) >= _WORDS_OF_A_QUOTE or any(mark.isdigit() for mark in quote)
    )


def _texts(value: object) -> bool:
    listed = isinstance(value, Sequence) and not isinstance(value, str)
    return listed and all(isinstance(one, str) for one in value)  # type: ignore[attr-defined]


def _keys_in(text: str) -> tuple[str, ...]:
    return tuple(key for run in _KEYS.findall(text) for key in _KEY.findall(run))


def _paragraph(draft: str, start: int, end: int) -> list[DraftClaim]:
    claims: list[DraftClaim] = []
    for first, last in _sentences(draft[start:end]):
        text = draft[start + first : start + last]
        leading = _KEYS.match(text)
        if leading and claims and not claims[-1].keys and _belongs_before(text, leading.end()):
            claims[-1] = replace(claims[-1], keys=_keys_in(leading[0]), end=start + first + leading.end())
            first, text = first + leading.end(), text[leading.end() :]
        bare = _BEFORE.sub("", _KEYS.sub("", text).strip())
        if _claims_something(text, bare):
            claims.append(DraftClaim(bare, _keys_in(text), quotes_in(bare), start + first, start + last))
        elif claims and not claims[-1].keys and _keys_in(text):
            # The rest of a sentence that was split too early: "… eff. 6/28/2023) [L1]".
            claims[-1] = replace(claims[-1], keys=_keys_in(text), end=start + last)
    return _closed(claims)


def _sentences(paragraph: str) -> list[tuple[int, int]]:
    """The sentences of a paragraph; text in one pair of quotation marks stays together."""
    quoted = [match.span() for match in _QUOTED.finditer(paragraph)]
    spans: list[tuple[int, int]] = []
    for start, end in sentences(paragraph):
        if spans and any(first < start < last for first, last in quoted):
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return spans


def _claims_something(text: str, bare: str) -> bool:
    """Whether a sentence makes a claim that needs support; one with its own key does."""
    if text.lstrip().startswith("#") or not _LETTERS.search(bare):
        return False
    if _KEYS.search(text) or any(mark.isdigit() for mark in bare):
        return True
    if bare.endswith(":"):  # "The following applies:" claims nothing; a longer opening of a list does
        return len(bare.split()) >= _WORDS_OF_AN_OPENING
    return not bare.endswith("?")


def _belongs_before(text: str, end: int) -> bool:
    """Whether keys at a sentence's start belong to the previous one; those of "[L1] says that …" do not."""
    rest = text[end:].lstrip(" .")
    return not rest or not rest[0].islower()


def _closed(claims: list[DraftClaim]) -> list[DraftClaim]:
    keys: tuple[str, ...] = ()
    for place in range(len(claims) - 1, -1, -1):
        if claims[place].keys:
            keys = claims[place].keys
        elif keys:
            claims[place] = replace(claims[place], keys=keys, closed=False)
    return claims
