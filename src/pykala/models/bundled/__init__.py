"""Models that ship inside the package and need nothing but NumPy."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from pykala.text.analysis import fingerprint as analysis_fingerprint

OWN_EMBEDDER: Final = "pykala-towers"
OWN_RERANKER: Final = "pykala-interactions"
#: The document table, and the transformer (tower) that encodes questions.
TABLE_WEIGHTS: Final = Path(__file__).parent / "table.npz"
TOWER_WEIGHTS: Final = Path(__file__).parent / "tower.npz"
#: One bit per language for each word of the vocabulary (see training/term_languages.py).
LANGUAGES_OF_TERMS: Final = Path(__file__).parent / "languages.npy"
#: The vectors of the questions that we wrote for sections.
ASKED_SECTIONS: Final = Path(__file__).parent / "asked.npz"
#: The topics of sections, as people type them. No library keeps any of it, so it is in no fingerprint.
TOPICS: Final = Path(__file__).parent / "topics.npz"
RERANKER_WEIGHTS: Final = Path(__file__).parent / "reranker.npz"
#: The fingerprint must also change with the code that maps words to rows and pieces and compares them: raise
#: the edition when the same text would give other numbers. The bytes of the code do not count: a comment
#: changes no vector.
_EDITION: Final = b"1"
#: Digests of the same weights from the time when the bytes of the code counted; their vectors are the same.
_EARLIER: Final = {"06a223f6b50c1542": "ff81cd845f8b3b6f", "8d1b89cf8db44559": "c5116856bfa6fedc"}


def digest_of(*weights: Path) -> str:
    """A digest that identifies weights and how they are used."""
    digest = hashlib.sha256(_EDITION)
    for path in weights:
        digest.update(path.read_bytes())
    own = digest.hexdigest()[:16]
    return _EARLIER.get(own, own)


def fingerprint_of(*weights: Path) -> str:
    """A fingerprint that identifies the vectors of these weights."""
    return f"{OWN_EMBEDDER}-{digest_of(*weights)}-{analysis_fingerprint()}"
