"""Which languages each word of the embedder's vocabulary belongs to, counted in libraries.

    python -m training.term_languages LIBRARY [LIBRARY …]

A word belongs to a language in which at least three passages hold it, and no less often, by share, than a
twentieth of where it is most common: "tax" stands in some Finnish passages, and is no Finnish word. Written
beside the embedder's weights; needed to turn a question's words into those of another language.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from pykala.models import bundled
from pykala.models.bundled import LANGUAGES_OF_TERMS
from pykala.stores.embedded.fulltexts import TextIndexes
from pykala.text.analysis import LANGUAGES

_FEWEST, _SHARE = 3, 0.05


def main() -> None:
    """Count, and write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("libraries", nargs="+", type=Path)
    folders = parser.parse_args().libraries
    terms = bundled().terms
    counts = np.zeros((len(LANGUAGES), len(terms)))
    for folder in folders:
        with TextIndexes.open(folder / "text") as index:
            for row, language in enumerate(LANGUAGES):
                counts[row] += [index.document_frequency(term, language) for term in terms]
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    belongs = (counts >= _FEWEST) & (shares >= _SHARE * shares.max(axis=0))
    bits = (belongs * (1 << np.arange(len(LANGUAGES)))[:, None]).sum(axis=0).astype(np.uint8)
    np.save(LANGUAGES_OF_TERMS, bits)
    told = {language: int(belongs[row].sum()) for row, language in enumerate(LANGUAGES)}
    print(f"{len(terms):,} words: {told} -> {LANGUAGES_OF_TERMS.name}")


if __name__ == "__main__":
    main()
