"""Learn the table that tells languages apart: `python -m bench.language_trigrams CORPORA [--write]`.

Counts letter trigrams of everyday sentences and of law in four languages and keeps those that tell most.
Prints how often a question of a few words is told right on sentences kept out of the counts, beside
py3langid restricted to the same languages, which takes most of a second to load.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from pykala.fetch.mirror import open_mirror
from pykala.text.trigrams import TABLE, chances, trigrams

LANGUAGES = ("en", "fi", "fr", "sv")
KEPT = 4000
_TAG = re.compile(r"<[^>]+>")


def sentences(corpora: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {language: [] for language in LANGUAGES}
    with open_mirror(corpora / "parallel.tar.zst") as mirror:
        path = next(path for path in mirror.paths() if path.endswith("sent.tsv"))
        lines = mirror.read(path).data.decode("utf-8").splitlines()
    for line in lines:
        first, second, one, other = line.split("\t")[:4]
        found[first].append(one)
        found[second].append(other)
    for texts in found.values():
        random.Random(5).shuffle(texts)
    return found


def law(corpora: Path, archive: str, ending: str, files: int) -> Iterator[str]:
    with open_mirror(corpora / archive) as mirror:
        paths = [path for path in mirror.paths() if re.search(ending, path)]
        for path in random.Random(6).sample(paths, files):
            yield _TAG.sub(" ", mirror.read(path).data.decode("utf-8-sig"))[:40_000]


def learn(corpora: Path, everyday: dict[str, list[str]]) -> dict[str, Counter[str]]:
    sources = {
        "en": ("canada.tar.zst", "^eng/"),
        "fr": ("canada.tar.zst", "^fra/"),
        "fi": ("finland-akn.tar.zst", "_fin"),
        "sv": ("finland-akn.tar.zst", "_swe"),
    }
    counts = {}
    for language in LANGUAGES:
        texts = [*everyday[language][2000:27_000], *law(corpora, *sources[language], 60)]
        counts[language] = Counter(trigram for text in texts for trigram in trigrams(text))
    return counts


def table(counts: dict[str, Counter[str]]) -> list[str]:
    totals = {language: sum(counted.values()) for language, counted in counts.items()}

    def chance(language: str, trigram: str) -> float:
        return (counts[language][trigram] + 0.5) / (totals[language] + 0.5 * 20_000)

    def worth(trigram: str) -> float:
        chances = [chance(language, trigram) for language in LANGUAGES]
        mean = sum(chances) / len(chances)
        return sum(one * abs(math.log(one / mean)) for one in chances)

    seen = {trigram for counted in counts.values() for trigram in counted}
    kept = sorted(sorted(seen), key=worth, reverse=True)[:KEPT]
    rows = ["\t".join(("", *LANGUAGES))]
    for trigram in sorted(kept):
        costs = (round(-10 * math.log2(chance(language, trigram))) for language in LANGUAGES)
        rows.append("\t".join((trigram, *map(str, costs))))
    return rows


def _best(text: str) -> str:
    found = chances(text, LANGUAGES)
    return max(found, key=lambda language: found[language])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--write", action="store_true", help="write the table into the package")
    options = parser.parse_args()
    everyday = sentences(options.corpora)
    if options.write:
        Path(str(TABLE)).write_text("\n".join(table(learn(options.corpora, everyday))) + "\n", "utf-8")
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    started = perf_counter()
    model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    model.set_languages(list(LANGUAGES))
    print(f"py3langid loads in {perf_counter() - started:.2f} s\n")
    print("| words | ours | py3langid |\n|---|---|---|")
    for words in (2, 3, 5, 8):
        held_out = [
            (language, " ".join(text.split()[:words]))
            for language in LANGUAGES
            for text in everyday[language][:500]
            if len(text.split()) >= words
        ]
        ours = sum(_best(text) == language for language, text in held_out)
        theirs = sum(model.classify(text)[0] == language for language, text in held_out)
        print(f"| {words} | {ours / len(held_out):.3f} | {theirs / len(held_out):.3f} |")


if __name__ == "__main__":
    main()
