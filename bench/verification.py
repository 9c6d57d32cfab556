"""What verification and conflicts make of a library's own answers, and of the same answers tampered with.

    python -m bench.verification LIBRARY [--questions 200] [--as-of 2026-06-01] [--seed 1]

The questions are headings of the library's sections. Each answer is verified as it stands (all should pass),
with one digit changed, with a negation taken out and with another key (none should pass, unless the other
source has the very words). Then every conflict found is printed, to be judged by eye. One core.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from pykala.draft.bearing import normalised
from pykala.draft.context import ContextBlock, context_block
from pykala.draft.verify import verify
from pykala.law.provisions import ProvisionKind
from pykala.library import Library

NEGATION = re.compile(r"\b(?:not|ei|eivät|inte|pas)\b")
HEADED = frozenset({ProvisionKind.SECTION, ProvisionKind.ARTICLE})


def headings(library: Library) -> Iterator[str]:
    """The headings of every section, in every language."""
    for work in library.store.works():
        for language, _ in work.titles:
            for provision in library.store.document(work.id, language).root.walk():
                if provision.kind in HEADED and len(provision.heading.split()) > 1:
                    yield provision.heading


def tampered(text: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """A text with each sort of tampering that it allows."""
    yield "as it stands", f"{text} [L1]"
    yield "with another key", f"{text} [L2]"
    if digits := [match.start() for match in re.finditer(r"\d", text)]:
        place = chance.choice(digits)
        digit = chance.choice([one for one in "0123456789" if one != text[place]])
        yield "with a digit changed", f"{text[:place]}{digit}{text[place + 1 :]} [L1]"
    if NEGATION.search(text):
        yield "without its negation", f"{NEGATION.sub('', text, count=1)} [L1]"


def holds(block: ContextBlock, draft: str) -> bool:
    """Whether a cited source has the very words of a draft, so that tampering made something true."""
    key = draft.rpartition(" [")[2].rstrip("]")
    words = normalised(draft.rpartition(" [")[0]).rstrip(".;: ")
    return any(words in normalised(one.cited.text) for one in block.evidence if one.key == key)


def main() -> None:
    """Ask, tamper, verify and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--as-of", type=date.fromisoformat, default=date(2026, 6, 1))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, counts, conflicts = random.Random(options.seed), Counter[tuple[str, bool]](), set()
    with Library.open(options.library) as library:
        known = sorted(set(headings(library)))
        for question in chance.sample(known, min(options.questions, len(known))):
            answer = library.ask(question, as_of=options.as_of)
            conflicts |= {conflict.message for conflict in answer.conflicts}
            if answer.primary is None or answer.as_of != options.as_of:
                continue
            block = context_block(answer, library.store, library.packs)
            for name, draft in tampered(answer.text.removesuffix(" [L1]"), chance):
                if name == "as it stands" or not holds(block, draft):
                    counts[name, verify(draft, block.evidence, options.as_of).passed] += 1
    for name in dict.fromkeys(name for name, _ in counts):
        print(f"{name:<24} passed {counts[name, True]:>5}   failed {counts[name, False]:>5}")
    print(f"{len(conflicts)} conflicts:", *sorted(conflicts), sep="\n  ")


if __name__ == "__main__":
    main()
