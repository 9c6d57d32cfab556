"""`make bench`: every measurement of the foundation, one after another, as Markdown.

Takes about half an hour on two cores. Each part is a command of its own; run it alone to look closer.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORPORA = ROOT.parent / "shared" / "corpora"

#: title, command, and the corpus it needs (none: made by the benchmark)
PARTS = (
    ("The store at 2M provisions and 400k passages", "-m bench.store", None),
    ("Vectors at 400k and 2.5M", "bench/vectors.py --rows 400000 2500000", None),
    ("Text at 400k and 2.5M, beside FTS5", "bench/fulltext.py --sizes 400000 2500000 --peer 50000", None),
    ("The whole of Canada into a library", "-m bench.whole_pack ca {corpus}", "canada.tar.zst"),
)


def main() -> None:
    for title, command, corpus in PARTS:
        print(f"\n## {title}\n", flush=True)
        if corpus and not (CORPORA / corpus).exists():
            print(f"Skipped: {corpus} is not there.")
            continue
        filled = command.format(corpus=CORPORA / corpus if corpus else "")
        print(f"`python {command.format(corpus=corpus or '')}`\n", flush=True)
        subprocess.run([sys.executable, *shlex.split(filled)], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
