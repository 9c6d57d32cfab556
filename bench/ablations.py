"""What each stage of the read path is worth: `python -m bench.ablations [SET …] [--library DIR]`.

Every row of `bench/ablations.toml` over all the sets together, as one Markdown table with 95 % intervals and
the questions gained and lost against the first row. Without a set: the four packs' own sets over the sample
library, with the bundled embedder. What was answered is kept (`--out`), so a run that was killed goes on.
`pykala evaluate SET --ablations FILE` makes the same table of one set.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from pykala.evaluate.ablations import ablations_markdown, run_ablations
from pykala.evaluate.configurations import read_ablations
from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.sets import pack_set, read_set
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.models import bundled
from pykala.packs.pack import installed

ROOT = Path(__file__).parent
PACKS = ("ca", "eu", "fi", "nyc")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", type=Path, metavar="SET")
    parser.add_argument("--library", type=Path)
    parser.add_argument("--rows", type=Path, default=ROOT / "ablations.toml")
    parser.add_argument("--out", type=Path, default=ROOT / ".work" / "ablations")
    parser.add_argument("--limit", type=int, help="only the first so many questions of each set")
    parser.add_argument("--no-embedder", action="store_true", help="for a library without vectors")
    arguments = parser.parse_args()
    paths = arguments.sets or [pack_set(installed()[code]) for code in PACKS]
    questions = [one for path in paths for one in named(path, arguments.limit)]
    embedder = None if arguments.no_embedder else bundled()
    folder = arguments.library or sample_library(ROOT / ".work", installed(), embedder)
    with Library.open(folder, embedder=embedder) as library:
        rows = read_ablations(arguments.rows, replace(library.options, cache=False))
        name = " + ".join(path.parent.name if path.stem == "questions" else path.stem for path in paths)
        found = run_ablations(name, questions, library, rows, arguments.out, progress=tell)
    print(ablations_markdown(found), end="")


def named(path: Path, limit: int | None) -> list[GoldQuestion]:
    """The questions of a set, each id with the set's name before it where several are pooled."""
    stem = path.parent.name if path.stem == "questions" else path.stem
    return [replace(one, id=f"{stem}:{one.id}") for one in read_set(path)[:limit]]


def tell(done: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done:,} of {total:,}")


if __name__ == "__main__":
    main()
