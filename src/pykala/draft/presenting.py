"""Make a draft safe to show: no hidden characters, no addresses, failed claims marked.

A document may have manipulated the model. Whatever the model writes, a reader's program loads no address
because of it, and a claim that the law does not support is marked as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pykala.draft.bearing import tokens
from pykala.draft.framing import hidden_characters
from pykala.draft.keyed import KeyedProvision
from pykala.law.answers import Citation, CitedProvision, Claim
from pykala.law.checks import CheckedClaim, DraftClaim, Verdict, Verification
from pykala.text.phrases import say
from pykala.text.sentences import sentences

_LINK: Final = re.compile(r"!?\[([^\]\n]{0,300})\]\(\s*<?[^)\n]{0,2000}\)")
_ADDRESS: Final = re.compile(
    r"(?i)\b(?:https?|ftp|file)\s?:\s?//[^\s)\]>\"']{1,2000}|\b(?:data|javascript):[^\s)\]>\"']{2,2000}"
    r"|\bwww\.[^\s)\]>\"']{2,2000}"
)
_KEY: Final = re.compile(r"\s*L\d{1,4}\s*")
_TAG: Final = re.compile(r"</?[a-zA-Z!][^<>\n]{0,2000}>")
#: The mark after a failed claim.
_MARKS: Final[Mapping[Verdict, str]] = {
    Verdict.UNSUPPORTED: "draft.mark_unsupported",
    Verdict.MISATTRIBUTED: "draft.mark_misattributed",
    Verdict.ALTERED_QUOTE: "draft.mark_altered_quote",
}


def visible(piece: str) -> str:
    """A piece of a draft without invisible and control characters."""
    if not hidden_characters(piece):
        return piece
    return "".join(mark for mark in piece if mark == "\t" or not hidden_characters(mark))


def shown(draft: str) -> str:
    """A draft without links, addresses and tags: citations say where to read the law."""
    text = _LINK.sub(lambda match: f"[{match[1]}]" if _KEY.fullmatch(match[1]) else match[1], visible(draft))
    return _TAG.sub("", _ADDRESS.sub("", text)).strip()


def composed(claims: Iterable[DraftClaim]) -> tuple[str, tuple[DraftClaim, ...]]:
    """Structured claims as one text with keys, and the claims with their positions."""
    pieces: list[str] = []
    placed: list[DraftClaim] = []
    position = 0
    for claim in claims:
        text = shown(claim.text)
        piece = " ".join((text, "".join(f"[{key}]" for key in claim.keys))).strip()
        placed.append(replace(claim, text=text, start=position, end=position + len(piece)))
        pieces.append(piece)
        position += len(piece) + 1
    return " ".join(pieces), tuple(placed)


def marked(draft: str, verification: Verification, language: str) -> tuple[str, Verification]:
    """A draft with a mark after each failed claim, and the claims with their new positions."""
    text, moved, position = "", [], 0
    for one in verification.claims:
        text += draft[position : one.claim.start]
        start = len(text)
        text += draft[one.claim.start : one.claim.end]
        claim = replace(one.claim, start=start, end=len(text))
        moved.append(replace(one, claim=claim))
        text += _mark(one, language)
        position = one.claim.end
    return text + draft[position:], replace(verification, claims=tuple(moved))


def claims_with_citations(
    verification: Verification, evidence: Sequence[KeyedProvision]
) -> tuple[Claim, ...]:
    """The draft's claims; verified ones with the law's words that support them."""
    held = {one.key: one.cited for one in evidence}
    return tuple(
        Claim(
            one.claim.text,
            tuple(
                citation
                for key in one.claim.keys
                if one.verdict is Verdict.SUPPORTED and key in held
                for citation in _citations(key, held[key], one.claim)
            ),
        )
        for one in verification.claims
    )


def _mark(one: CheckedClaim, language: str) -> str:
    if one.verdict is Verdict.SUPPORTED:
        return ""
    return f" (⚠ {say(language, _MARKS[one.verdict], keys=', '.join(one.supported_by))})"


def _citations(key: str, cited: CitedProvision, claim: DraftClaim) -> list[Citation]:
    """A claim's quotations; without any, the most similar sentence of the provision."""
    found = [(cited.text.find(quote), quote) for quote in claim.quotes]
    spans = [(start, start + len(quote)) for start, quote in found if start >= 0]
    return [
        Citation(key, cited.provision, cited.text[start:end], start, end, cited.url, cited.citation)
        for start, end in spans or [_likest(claim.text, cited.text)]
    ]


def _likest(claim: str, text: str) -> tuple[int, int]:
    """The sentence with most of a claim's words; the whole text where none matches."""
    wanted = set(tokens(claim))
    best, most = (0, len(text)), 0
    for start, end in sentences(text):
        common = len(wanted & set(tokens(text[start:end])))
        if common > most:
            best, most = (start, end), common
    start, end = best
    held = text[start:end]
    return start + len(held) - len(held.lstrip()), end - (len(held) - len(held.rstrip()))
