"""Writes the file that describes a cluster of the tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qdrant_server import KEY


def write_cluster_file(folder: Path, records: str, addresses: Sequence[str], **qdrant: object) -> Path:
    """A file for a database and some nodes, whose weights are always those of the newest lengths."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "qdrant.key").write_text(f"{KEY}\n")
    said = {"addresses": list(addresses), "key_file": "qdrant.key", "length_drift": 0, **qdrant}
    lines = [f'records = "{records}"', 'folder = "local"', "[qdrant]"]
    lines += [f"{name} = {value!r}" for name, value in said.items()]
    file = folder / "cluster.toml"
    file.write_text("\n".join(lines) + "\n")
    return file
