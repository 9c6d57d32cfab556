"""Models that ship inside the package and need nothing but NumPy."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from pykala.text.analysis import fingerprint as analysis_fingerprint

OWN_EMBEDDER: Final = "pykala-towers"
OWN_RERANKER: Final = "pykala-interactions"
#: The document table, and the tower that reads questions.
TABLE_WEIGHTS: Final = Path(__file__).parent / "table.npz"
TOWER_WEIGHTS: Final = Path(__file__).parent / "tower.npz"
#: One bit a language for each word of the vocabulary (see training/term_languages.py).
LANGUAGES_OF_TERMS: Final = Path(__file__).parent / "languages.npy"
#: Where the questions lie that we wrote for sections.
ASKED_SECTIONS: Final = Path(__file__).parent / "asked.npz"
RERANKER_WEIGHTS: Final = Path(__file__).parent / "reranker.npz"
#: How words become rows and pieces counts as much as the weights; raise the edition when sums change.
_CODE: Final = ("words.py", "pieces.py", "asked.py")
_EDITION: Final = b"1"


def fingerprint_of(*weights: Path) -> str:
    """Tells the vectors of these weights from any other's."""
    digest = hashlib.sha256(_EDITION)
    for path in (*weights, *(Path(__file__).with_name(name) for name in _CODE)):
        digest.update(path.read_bytes())
    return f"{OWN_EMBEDDER}-{digest.hexdigest()[:16]}-{analysis_fingerprint()}"
