"""Count what the Finnish sources cite, how deep it resolves and why not; draw provisions to label.

    python -m bench.finland_citation_survey ../shared/corpora [--files N]

Reads N files of each source, drawn at random with a fixed seed (all of them with `--files 0`), and prints
what they cite: to the act, the section, the momentti or deeper, by identifier or by a name that the store
looks up; and what leads nowhere, by reason. Speed counts the grammar alone, in seconds of one core.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import process_time

from bench.finland_citations import NAMED, SOURCES, Corpora, found_in, provision_text
from pykala.law.provisions import Document, Provision

_HINT = re.compile(r"[0-9]|la(?:ki|in|issa|kia|ista)\b|lag(?:en|ens)?\b|asetu|förordning")


def survey(corpora: Corpora, sample: int, seed: int = 7) -> Iterator[str]:
    """Count what is found in a sample of each source, how deep it resolves, and why not."""
    for source in SOURCES:
        paths = corpora.paths(source)
        random.Random(seed).shuffle(paths)
        counts: Counter[str] = Counter()
        seconds = 0.0
        for path in paths[:sample]:
            for document in corpora.documents(source, path):
                start = process_time()
                counts.update(_counted(document))
                seconds += process_time() - start
        speed = counts["characters"] / 1e6 / seconds if seconds else 0.0
        yield (
            f"{source}: {min(sample, len(paths))} of {len(paths)} files,"
            f" {counts['citations']} citations, {speed:.2f} MB/s"
        )
        yield "    " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if " " in name)


def _counted(document: Document) -> Counter[str]:
    counts: Counter[str] = Counter()
    for provision in document.root.walk():
        text = provision_text(provision)
        counts["characters"] += len(text)
        for found in found_in(provision, document):
            counts["citations"] += 1
            for lead in found.leads:
                counts[_depth(lead)] += 1
            for reason in found.nowhere:
                counts[f"unresolved: {reason}"] += 1
    return counts


def _depth(lead: str) -> str:
    by = "by name" if lead.startswith(NAMED) else "by id"
    if lead.startswith(("fi:kho", "fi:kvl", "name:kho")):
        return f"ruling {by}"
    if lead.startswith("eu:"):
        return "union act to article" if "/art_" in lead else "union act"
    if "/subsec_" in lead or "/para_" in lead:
        return f"to momentti or deeper, {by}"
    return f"to section, {by}" if "/sec_" in lead else f"to act, {by}"


def draw(
    corpora: Corpora, source: str, language: str, documents: int, seed: int
) -> Iterator[tuple[str, Document, Provision]]:
    """Provisions to label, drawn at random: up to three of a document, at times one without a sign."""
    chance = random.Random(seed)
    paths = corpora.paths(source)
    chance.shuffle(paths)
    taken = 0
    for path in paths:
        if taken >= documents:
            return
        for document in corpora.documents(source, path):
            if document.language != language:
                continue
            texts = [one for one in document.root.walk() if 20 <= len(provision_text(one)) <= 1500]
            signs = [one for one in texts if _HINT.search(provision_text(one))]
            chosen = chance.sample(signs, min(len(signs), chance.randint(1, 3)))
            if chance.random() < 0.15 and (plain := [one for one in texts if one not in signs]):
                chosen.append(chance.choice(plain))
            taken += bool(chosen)
            for provision in chosen:
                yield path, document, provision


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--files", type=int, default=200, help="files of each source; 0 for all")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        for line in survey(Corpora(arguments.corpora, stack), arguments.files or 10**9):
            print(line)


if __name__ == "__main__":
    main()
