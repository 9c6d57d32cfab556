"""What is read is the same in every process: the order of a set, another one each time, decides nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from pykala.packs.pack import installed
from same_contents import contents


def read_with(seed: str, library: Path) -> dict[str, tuple[int, str]]:
    for code, pack in sorted(installed().items()):
        sample = files(pack.facts.package).joinpath("sample")
        if sample.is_dir():
            command = [sys.executable, "-m", "pykala", "ingest", code, "--library", str(library)]
            environment = {**os.environ, "PYTHONHASHSEED": seed}
            subprocess.run(
                [*command, "--from", str(sample)], env=environment, check=True, capture_output=True
            )
    return contents(library)


def test_every_process_reads_the_samples_alike(tmp_path: Path) -> None:
    first, second = (read_with(seed, tmp_path / seed) for seed in ("1", "2"))
    assert first["works"][0] > 0
    assert first == second
