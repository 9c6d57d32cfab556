"""The weights that `pykala calibrate` learned for a library's models, kept beside the library.

The file name contains the fingerprints of the embedder and the reranker, so the file is ignored with other
models or other versions of these.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from pykala.models.embedder import Embedder
from pykala.models.failures import ModelError
from pykala.models.reranker import Reranker
from pykala.retrieve.calibration import Case, Weights, learned_cases

_PREFIX = "calibration-"


def models_of(embedder: Embedder | None, reranker: Reranker | None) -> dict[str, str]:
    """The fingerprints of a library's models."""
    return {
        "embedder": embedder.fingerprint if embedder else "",
        "reranker": reranker.fingerprint if reranker else "",
    }


def learned_file(folder: Path, models: Mapping[str, str]) -> Path:
    """The path of a library's weights for these models."""
    digest = sha256(json.dumps(dict(models), sort_keys=True).encode()).hexdigest()[:16]
    return folder / f"{_PREFIX}{digest}.json"


def learned_beside(
    folder: Path, embedder: Embedder | None, reranker: Reranker | None
) -> Mapping[Case, Weights] | None:
    """The learned weights for these models; None where there are none or the file is unreadable.

    The answer then says that its models are not calibrated, and which command writes the file again.
    """
    if not any(folder.glob(f"{_PREFIX}*.json")):
        return None  # do not load the models only to read their fingerprints
    try:
        return learned_cases(learned_file(folder, models_of(embedder, reranker)).read_text("utf-8"))
    except (OSError, ValueError, ModelError):
        return None


def keep_beside(folder: Path, models: Mapping[str, str], data: Mapping[str, object]) -> Path:
    """Write the weights atomically; return the path."""
    path = learned_file(folder, models)
    written = path.with_suffix(".new")
    written.write_text(json.dumps({"models": dict(models), **data}, indent=1) + "\n", encoding="utf-8")
    return written.replace(path)
