"""The pieces of words that the question tower reads, in four languages.

    python -m training.piece_vocabulary --everyday FOLDER --parallel FOLDER --manuals help.jsonl
        --library LIBRARY --teacher FOLDER --out pieces.txt

English is cut as the teacher (all-MiniLM-L6-v2) cuts it, so that its pieces' vectors can be taken over; only
the pieces that the texts use are kept. Finnish, Swedish and French get pieces of their own by WordPiece
training. Needs the package `tokenizers`.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from pykala.models.bundled.pieces import CONTINUES, END, START, UNKNOWN, PiecesOfWords
from training.tower_sources import Sources
from training.written import read_written
from training.written_pairs import LANGUAGES

#: Pieces trained for each language that the teacher does not know.
SIZES: Final = {"fi": 11_500, "sv": 7_500, "fr": 6_500}
LEAST_USED: Final = 90  # times that an English piece occurs
_PADDING = "[PAD]"
_WORD = re.compile(r"[^\W_]+")
_ENGLISH_PIECE = re.compile(rf"(?:{CONTINUES})?[a-z0-9]+")
_LONGEST_NUMBER = 4  # digits
_LAST_LETTER = 0x250  # of the Latin alphabets
_WORDS_FOR_LETTERS, _WORDS_FOR_PIECES = 200_000, 250_000  # of a language
_LAW = (
    "SELECT substr(p.text, 1, 600) FROM passages p JOIN documents d ON d.id = p.document"
    " WHERE d.language = ? AND p.id % 4 = 0"
)

Counts = dict[str, Counter[str]]


def count_words(sources: Sources) -> Counts:
    """How often each word occurs in each language; what people say counts more than what is printed."""
    counts: Counts = {code: Counter() for code in LANGUAGES}
    for language, text, weight in _texts(sources):
        for word in _WORD.findall(text.lower()):
            if not word.isdigit() or len(word) <= _LONGEST_NUMBER:
                counts[language][word] += weight
    return counts


def _texts(sources: Sources) -> Iterator[tuple[str, str, int]]:
    """Language, text and weight."""
    yield from _everyday_texts(sources)
    for translation in (*sources.sentences(), *sources.dictionary()):
        yield translation[0], translation[1], 1
        yield translation[2], translation[3], 1
    for code in ("fi", "sv"):
        yield from ((code, title, 1) for title in sources.titles(code))
    records = sources.records()
    for code in ("en", "fr"):
        yield from ((code, text, 1) for (text,) in records.execute(_LAW, (code,)))


def _everyday_texts(sources: Sources) -> Iterator[tuple[str, str, int]]:
    for question, passage in sources.finnish_answers():
        yield "fi", question, 2
        yield "fi", passage, 1
    for finnish, english in sources.paragraphs():
        yield "fi", finnish, 1
        yield "en", english, 1
    for first, text, second, other in sources.tatoeba():
        yield first, text, 3
        yield second, other, 3
    for alike in sources.asked_alike():
        yield from ((code, alike[code], 3) for code in ("en", "fi", "sv"))
    for language, text, _, _ in sources.help_texts():  # the other side is English, which has enough
        yield language, text, 1
    yield from (("fr", page, 1) for page in sources.french_pages())
    for one in read_written():
        yield from ((code, text, 10) for code, text in one.asked)


def letters(counts: Counts) -> list[str]:
    """Every letter that occurs: with them any word can be cut."""
    words = (word for own in counts.values() for word in list(own)[:_WORDS_FOR_LETTERS])
    return sorted(
        {letter for word in words for letter in word if letter.isalpha() and ord(letter) < _LAST_LETTER}
    )


def english_pieces(counts: Counter[str], teacher: Sequence[str]) -> list[str]:
    """The teacher's pieces that English words are cut into, the most used first."""
    cut = PiecesOfWords({piece: at for at, piece in enumerate(teacher)})
    used: Counter[int] = Counter()
    for word, count in counts.items():
        for piece in cut[word]:
            used[piece] += count
    return [
        teacher[piece]
        for piece, count in used.most_common()
        if count >= LEAST_USED and _ENGLISH_PIECE.fullmatch(teacher[piece])
    ]


def trained_pieces(counts: Counter[str], size: int) -> list[str]:
    """Pieces of one language's words by WordPiece training; frequent words are damped."""
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, min_frequency=5, special_tokens=[UNKNOWN], show_progress=False
    )
    repeated = (
        " ".join([word] * min(200, max(1, int(count**0.7))))
        for word, count in counts.most_common(_WORDS_FOR_PIECES)
    )
    tokenizer.train_from_iterator(repeated, trainer)
    vocabulary = tokenizer.get_vocab()
    return sorted(vocabulary, key=vocabulary.__getitem__)


def vocabulary_of(counts: Counts, teacher: Sequence[str]) -> list[str]:
    """All pieces, each once; the marks come first, in the order that `training.towers` knows."""
    pieces = dict.fromkeys((_PADDING, START, END, UNKNOWN))
    for sign in (*"0123456789", *letters(counts)):
        pieces.update({sign: None, f"{CONTINUES}{sign}": None})
    pieces.update(dict.fromkeys(english_pieces(counts["en"], teacher)))
    for code, size in SIZES.items():
        pieces.update(dict.fromkeys(trained_pieces(counts[code], size)))
    return list(pieces)


def main() -> None:
    """Write the pieces, one a line, and print how many a word of each language takes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    Sources.ask(parser)
    parser.add_argument("--teacher", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    counts = count_words(Sources.of(asked))
    teacher = (asked.teacher / "vocab.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    pieces = vocabulary_of(counts, teacher)
    asked.out.write_text("\n".join(pieces), encoding="utf-8")
    cut = PiecesOfWords({piece: at for at, piece in enumerate(pieces)})
    for code, own in counts.items():
        taken = sum(len(cut[word]) * count for word, count in own.items()) / max(1, own.total())
        print(f"{code}: {len(own):,} words, {taken:.2f} pieces a word")
    print(f"{len(pieces):,} pieces")


if __name__ == "__main__":
    main()
