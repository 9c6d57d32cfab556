"""Words that people say and the law does not: "soppari", "gadget", "sajt".

The law's vocabulary alone would take them for slips of the law's words. Their stems were counted in the
questions that we wrote (`python -m training.everyday_stems`). Only a hash of each is kept: nothing else is
asked of them than whether they are there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path

EVERYDAY_STEMS = Path(__file__).parent / "data" / "everyday_stems.bin"
_BYTES = 4  # of a hash: of a million other words, eight are taken for everyday words


def is_everyday(stem: str, language: str) -> bool:
    """Whether people use a word in questions of a language, by its stem or base form."""
    hashes, wanted = _hashes(), _hash(stem, language)
    at = bisect_left(range(len(hashes) // _BYTES), wanted, key=lambda one: _nth(hashes, one))
    return _nth(hashes, at) == wanted


def packed(stems: Iterable[tuple[str, str]]) -> bytes:
    """The file that holds some stems, each given with its language."""
    return b"".join(sorted({_hash(stem, language) for stem, language in stems}))


def _nth(hashes: bytes, number: int) -> bytes:
    return hashes[number * _BYTES : (number + 1) * _BYTES]


def _hash(stem: str, language: str) -> bytes:
    return blake2b(f"{language} {stem}".encode(), digest_size=_BYTES).digest()


@cache
def _hashes() -> bytes:
    return EVERYDAY_STEMS.read_bytes()
