"""Write the package's weights from checkpoints: their mean, the tower in int8 and the table beside it.

    python -m training.write_towers CHECKPOINT [CHECKPOINT …] --pieces pieces.txt --table embedder.npz
        --out FOLDER
    python -m training.write_towers CHECKPOINT --pieces tower.npz --out FOLDER

The second is for a tower that was tuned alone (`training.tune_tower`): its pieces are those of the tower it
began with, and the table stays. `tower.npz` and `table.npz` are what
`pykala.models.bundled` reads. NumPy alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from training.tower_files import Arrays, quantised, read_checkpoint, write_arrays


def mean(checkpoints: Sequence[Mapping[str, np.ndarray]]) -> Arrays:
    """The mean of several checkpoints of the same shape."""
    return {
        name: np.asarray(sum(one[name] for one in checkpoints) / len(checkpoints), dtype=np.float32)
        for name in checkpoints[0]
    }


def tower_of(weights: Mapping[str, np.ndarray], pieces: str) -> Arrays:
    """The question tower: matrices in int8, places and gates in half precision."""
    stored: Arrays = {}
    for name, array in weights.items():
        if not name.startswith("tower."):
            continue
        plain = name.removeprefix("tower.")
        if plain == "gates" or plain.startswith("positions."):
            stored[plain] = array.astype(np.float16)
        elif array.ndim == 2:
            stored[plain], stored[f"{plain}.scales"] = quantised(array)
        else:
            stored[plain] = array
    return {**stored, "vocabulary": np.frombuffer(pieces.encode("utf-8"), dtype=np.uint8)}


def pieces_of(path: Path) -> str:
    """The pieces of a list, or of a tower that was written before."""
    if path.suffix != ".npz":
        return path.read_text(encoding="utf-8")
    with np.load(path) as stored:
        return bytes(stored["vocabulary"]).decode("utf-8")


def table_of(weights: Mapping[str, np.ndarray], vocabulary: np.ndarray, buckets: np.ndarray) -> Arrays:
    """The document table without the row that only pads; weights of rows are learned as logarithms."""
    rows, scales = quantised(weights["table.rows"][:-1])
    return {
        "rows": rows,
        "scales": scales.astype(np.float16),
        "body": np.exp(weights["table.body"][:-1]).astype(np.float16),
        "header": np.exp(weights["table.header"][:-1]).astype(np.float16),
        "vocabulary": vocabulary,
        "buckets": buckets,
    }


def main() -> None:
    """Write the two files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--pieces", type=Path, required=True)
    parser.add_argument("--table", type=Path, help="the table that training began with; none: it stays")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    weights = mean([read_checkpoint(folder) for folder in asked.checkpoints])
    asked.out.mkdir(parents=True, exist_ok=True)
    write_arrays(tower_of(weights, pieces_of(asked.pieces)), asked.out / "tower.npz")
    if asked.table:
        with np.load(asked.table) as stored:
            table = table_of(weights, stored["vocabulary"], stored["buckets"])
        write_arrays(table, asked.out / "table.npz")
    for name in ("tower.npz", "table.npz")[: 2 if asked.table else 1]:
        print(f"{name}: {(asked.out / name).stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
