"""The words that people use in questions and that the embedder's vocabulary lacks.

    python -m training.everyday_stems

Counted in the questions that we wrote. A correction of slips leaves them as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pykala.models.bundled.package import embedder_of_package
from pykala.text.analysis import LANGUAGES, word_terms
from pykala.text.everyday import EVERYDAY_STEMS, packed
from pykala.text.slips import WORD, is_name

_QUESTIONS = Path(__file__).parent / "questions"
#: The kept sets (`told-kept`, `terms-kept`) measure, and are not read.
_WRITTEN = ("written", "written-sections", "told", "told-sections", "told-subsections")


def main() -> None:
    """Count, and write the file."""
    found = frozenset(_unknown())
    EVERYDAY_STEMS.write_bytes(packed(found))
    told = {language: sum(one == language for _, one in found) for language in LANGUAGES}
    print(f"{len(found):,} stems: {told} -> {EVERYDAY_STEMS.name}")


def _unknown() -> Iterator[tuple[str, str]]:
    """The stems that the vocabulary lacks, each with its language."""
    vocabulary = embedder_of_package().table.vocabulary
    stems_of = {language: word_terms(language) for language in LANGUAGES}
    for language, word in {*_words()}:
        stems = stems_of[language](word)
        if stems and not all(stem in vocabulary for stem in stems):
            yield stems[0], language


def _words() -> Iterator[tuple[str, str]]:
    for name in _WRITTEN:
        for line in (_QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            for language, question in json.loads(line).get("asked", ()):
                words = (match for match in WORD.finditer(question) if not is_name(match))
                if language in LANGUAGES:
                    yield from ((language, match[0].lower()) for match in words if match[0].isalpha())


if __name__ == "__main__":
    main()
