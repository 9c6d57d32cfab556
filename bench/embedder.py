"""How fast the bundled embedder loads and encodes, cold and warm, in each language.

    python -m bench.embedder canada.tar.zst finland-statutes.tar.zst [--passages 6000]

Folders serve as well as archives. Cold: the first time its words are met, in a process of its own. Warm:
the same texts again. Figures are passages a second of processor time on one core, so that a loaded machine
changes little; two processes on two cores do twice that. Passages are stretches of about 1,000 characters.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import time
from collections.abc import Iterator
from pathlib import Path

from pykala.fetch.mirror import open_mirror

_TAG = re.compile(r"<[^>]+>")
_FOLDERS = {"en": "eng/", "fr": "fra/", "fi": "asd/fi/", "sv": "asd/sv/"}
LENGTH = 1000


def passages(mirror_path: Path, folder: str, most: int) -> Iterator[str]:
    """Stretches of text from files below a folder, spread over the whole of it."""
    with open_mirror(mirror_path) as mirror:
        paths = [path for path in mirror.paths() if folder in f"/{path}" and path.endswith(".xml")]
        given = 0
        for path in paths[:: max(1, len(paths) // 600)]:
            text = " ".join(_TAG.sub(" ", mirror.read(path).data.decode("utf-8", "replace")).split())
            for start in range(0, min(len(text), 30 * LENGTH), LENGTH):
                yield text[start : start + LENGTH]
                given += 1
                if given >= most:
                    return


def measure(job: tuple[Path, str, int]) -> tuple[float, float, int, float]:
    """Seconds of cold and of warm encoding, how many passages, and seconds to load."""
    mirror, folder, most = job
    texts = list(passages(mirror, folder, most))
    started = time.process_time()
    from pykala.models import bundled

    embedder = bundled()
    loaded = time.process_time() - started
    embedder.encode(["to be ready"], "query")
    seconds = []
    for _ in ("cold", "warm"):
        started = time.process_time()
        embedder.encode(texts, "document")
        seconds.append(time.process_time() - started)
    return seconds[0], seconds[1], len(texts), loaded


def main() -> None:
    """Print one row a language."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("canada", type=Path)
    parser.add_argument("statutes", type=Path)
    parser.add_argument("--passages", type=int, default=6000)
    asked = parser.parse_args()
    print(f"{'':<4}{'passages':>9}{'cold/s':>9}{'warm/s':>9}{'load s':>8}   (one core)")
    for language, folder in _FOLDERS.items():
        mirror = asked.canada if language in ("en", "fr") else asked.statutes
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            cold, warm, count, loaded = pool.apply(measure, ((mirror, folder, asked.passages),))
        print(f"{language:<4}{count:>9,}{count / cold:>9,.0f}{count / warm:>9,.0f}{loaded:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
