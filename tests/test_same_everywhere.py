"""What is read is the same in every process: the order of a set, another one each time, decides nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from pykala.packs.pack import installed
from same_contents import contents

#: Ingests several packs in one process: its arguments are a library, and pairs of a pack and a folder.
INGEST = """
import sys
from pykala.interfaces.cli.main import run
library, *rest = sys.argv[1:]
for code, folder in zip(rest[::2], rest[1::2]):
    if failed := run(["ingest", code, "--library", library, "--from", folder]):
        sys.exit(failed)
"""


def read_with(seed: str, library: Path) -> dict[str, tuple[int, str]]:
    samples: list[str] = []
    for code, pack in sorted(installed().items()):
        sample = files(pack.facts.package).joinpath("sample")
        if sample.is_dir():
            samples += code, str(sample)
    subprocess.run(
        [sys.executable, "-c", INGEST, str(library), *samples],
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
    )
    return contents(library)


def test_every_process_reads_the_samples_alike(tmp_path: Path) -> None:
    first, second = (read_with(seed, tmp_path / seed) for seed in ("1", "2"))
    assert first["works"][0] > 0
    assert first == second
