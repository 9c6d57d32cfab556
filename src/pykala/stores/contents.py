"""A digest of a library's contents, updated as works come and go.

It is the sum of a hash of every item and its fingerprint (an incremental multiset hash after Clarke et al.,
"Incremental Multiset Hash Functions", ASIACRYPT 2003): adding and removing an item are one step each, the
order of additions does not matter, and two libraries with the same contents have the same digest. It
distinguishes states of a library; it does not protect against forgery.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

_BYTES = 16
_MODULUS = 1 << (8 * _BYTES)
EMPTY = "0" * (2 * _BYTES)


def with_item(digest: str, item: str, fingerprint: str) -> str:
    """The digest after adding an item."""
    return _hex(int(digest, 16) + _hash(item, fingerprint))


def without_item(digest: str, item: str, fingerprint: str) -> str:
    """The digest after removing an item."""
    return _hex(int(digest, 16) - _hash(item, fingerprint))


def content_digest(fingerprints: Mapping[str, str]) -> str:
    """The digest computed from all items; a tenth of a second for sixty thousand works."""
    return _hex(sum(_hash(item, fingerprint) for item, fingerprint in fingerprints.items()))


def _hash(item: str, fingerprint: str) -> int:
    text = f"{len(item)} {item} {fingerprint}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=_BYTES).digest(), "big")


def _hex(number: int) -> str:
    return f"{number % _MODULUS:0{2 * _BYTES}x}"
