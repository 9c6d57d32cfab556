"""Pairs as rows of a table that is still to be trained: the vocabulary, and every text as numbers.

    python -m training.encode --pairs FOLDER [--pairs FOLDER] --out FILE.npz

Done where the package is installed; training then needs NumPy and PyTorch alone. A text that stands in
several pairs is stored once.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import time
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled.words import buckets_of, words_of
from pykala.text.analysis import word_terms
from training.pair_files import SEED, read

WORDS = 82_000
BUCKETS = 6_000
MOST_ROWS = 64  # of one text, drawn at random where it has more
#: How many pairs of a task are kept: a large task is drawn from in many steps anyway.
MOST_PAIRS = 80_000
FEWER_PAIRS = {"concept": 20_000, "titled": 50_000}
CHUNK = 2000  # texts analysed at once by one process
ALTERNATIVES = 4  # meanings of a word that training chooses among
#: Law counts more than word lists when it is decided which words have a row of their own.
FREQUENT = {"dict": 0.5, "concept": 0.3, "gloss": 0.3, "sent": 0.5, "asked": 4.0, "lay": 2.0}
_MEMOS: dict[str, dict[str, tuple[str, ...]]] = {}  # of one process: language → word → terms


def tasks_of(folders: Sequence[Path]) -> Iterator[tuple[str, str, list[list[str]]]]:
    """Every task and split with its pairs, from all folders."""
    paths: dict[str, list[Path]] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl.zst")):
            paths.setdefault(path.name.removesuffix(".jsonl.zst"), []).append(path)
    for task, found in sorted(paths.items()):
        rows = [row for path in found for row in read(path)]
        most = FEWER_PAIRS.get(task.partition("-")[0], MOST_PAIRS)
        for split, limit in (("train", most), ("development", 3000)):
            own = [row for row in rows if row[4] == split]
            if len(own) > limit:
                # By the longer text's hash, so that tasks that share texts keep the same ones.
                own = sorted(own, key=_lot)[:limit]
            if own:
                yield split, task, own


def _lot(row: Sequence[str]) -> bytes:
    longer = row[0] if len(row[0]) > len(row[2]) else row[2]
    return hashlib.blake2b(f"{SEED}{longer}".encode(), digest_size=8).digest()


class Texts:
    """Texts as numbers of their terms; texts are numbered as they are met, terms when all are known."""

    def __init__(self) -> None:
        self.terms: dict[str, int] = {}
        self.flat = array("I")
        self.lengths = array("I")
        self._numbers: dict[tuple[str, str], int] = {}

    def number(self, text: str, language: str) -> int:
        """The number of a text."""
        return self._numbers.setdefault((language, text), len(self._numbers))

    def analyse(self) -> None:
        """Find the terms of all texts, on all cores."""
        texts = list(self._numbers)
        chunks = [texts[start : start + CHUNK] for start in range(0, len(texts), CHUNK)]
        with multiprocessing.Pool() as pool:
            for found in pool.imap(terms_of_texts, chunks):
                for line in found:
                    own = sorted({self.terms.setdefault(term, len(self.terms)) for term in line.split()})
                    self.flat.extend(own)
                    self.lengths.append(len(own))

    def first_term(self, word: str, language: str) -> int | None:
        """The number of a word's base form."""
        own = word_terms(language)(word)
        return self.terms.get(own[0]) if own else None


def terms_of_texts(texts: Sequence[tuple[str, str]]) -> list[str]:
    """The terms of each text, white space between them, as no term holds any."""
    found = []
    for language, text in texts:
        memo = _MEMOS.setdefault(language, {})
        terms: dict[str, None] = {}
        for word in words_of(text):
            own = memo.get(word)
            if own is None:
                own = memo[word] = word_terms(language)(word)
            terms.update(dict.fromkeys(own))
        found.append(" ".join(terms))
    return found


class Rows:
    """The vocabulary, and for each term the rows that stand for it."""

    def __init__(self, texts: Texts, weights: NDArray[np.float64]) -> None:
        names = list(texts.terms)
        order = sorted(range(len(names)), key=lambda at: (-weights[at], names[at]))
        kept = order[:WORDS]
        self.vocabulary = [names[at] for at in kept]
        rank = {at: row for row, at in enumerate(kept)}
        own = [
            [rank[at]] if at in rank else [len(kept) + one for one in buckets_of(names[at], BUCKETS)]
            for at in range(len(names))
        ]
        self._counts = np.array([len(rows) for rows in own], dtype=np.int64)
        self._starts = np.concatenate(([0], np.cumsum(self._counts)[:-1]))
        self._flat = np.array([row for rows in own for row in rows], dtype=np.int64)

    def of_term(self, term: int) -> list[int]:
        """The rows of one term."""
        return list(self._flat[self._starts[term] : self._starts[term] + self._counts[term]])

    def of_texts(self, texts: Texts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each text how many rows it has, and all rows one after another, sorted within a text."""
        terms = np.frombuffer(texts.flat, dtype=np.uint32).astype(np.int64)
        owner = np.repeat(np.arange(len(texts.lengths)), np.frombuffer(texts.lengths, dtype=np.uint32))
        counts = self._counts[terms]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = self._flat[np.repeat(self._starts[terms], counts) + within]
        keys = np.unique((np.repeat(owner, counts) << 20) | rows)
        lots = np.random.default_rng(SEED).random(len(keys), dtype=np.float32)
        order = np.lexsort((lots, keys >> 20))
        owners = (keys >> 20)[order]
        firsts = np.searchsorted(owners, owners, side="left")
        keys = np.sort(keys[order][np.arange(len(keys)) - firsts < MOST_ROWS])
        lengths = np.bincount(keys >> 20, minlength=len(texts.lengths))
        return lengths, keys & 0xFFFFF


def packed(lengths: NDArray[np.int64], rows: NDArray[np.int64]) -> dict[str, NDArray[np.generic]]:
    """Steps from row to row within a text, in two planes: they compress to half of what the rows do."""
    steps = np.diff(rows, prepend=0)
    firsts = (np.cumsum(lengths) - lengths)[lengths > 0]
    steps[firsts] = rows[firsts]
    return {
        "texts/lengths": lengths.astype(np.uint8),
        "texts/low": (steps & 0xFF).astype(np.uint8),
        "texts/high": (steps >> 8).astype(np.uint16),
    }


def glosses(
    texts: Texts, rows: Rows, pairs: Sequence[Sequence[str]], source: str, target: str
) -> NDArray[np.int32]:
    """(row of a word, up to three rows of what it means in another language), from a dictionary."""
    found: dict[int, list[list[int]]] = {}
    for first, first_language, second, second_language in (row[:4] for row in pairs):
        if {first_language, second_language} != {source, target}:
            continue
        word, meaning = (first, second) if first_language == source else (second, first)
        words, meant = words_of(word), words_of(meaning)
        own = texts.first_term(words[0], source) if len(words) == 1 else None
        others = [texts.first_term(one, target) for one in meant]
        terms = [one for one in others if one is not None]
        if own is None or not 0 < len(terms) <= 3:
            continue
        if all(len(rows.of_term(one)) == 1 for one in (own, *terms)):
            meaning_rows = [rows.of_term(one)[0] for one in terms]
            known = found.setdefault(rows.of_term(own)[0], [])
            if meaning_rows not in known:
                known.append(meaning_rows)
    table = [
        [at, *[*other, -1, -1][:3]] for at, others in sorted(found.items()) for other in others[:ALTERNATIVES]
    ]
    return np.array(table or np.zeros((0, 4)), dtype=np.int32)


def encode(folders: Sequence[Path], texts: Texts) -> dict[str, NDArray[np.generic]]:
    """The vocabulary, all texts, and for each task the numbers of its pairs."""
    pairs: dict[str, NDArray[np.int32]] = {}
    dictionary: list[list[str]] = []
    for split, task, rows in tasks_of(folders):
        numbered = [(texts.number(row[0], row[1]), texts.number(row[2], row[3])) for row in rows]
        pairs[f"{split}/{task}"] = np.array(numbered, dtype=np.int32)
        dictionary += rows if task.startswith("dict-") else []
        print(f"{split:<12}{task:<32}{len(rows):>9,} pairs", flush=True)
    texts.analyse()
    lengths = np.frombuffer(texts.lengths, dtype=np.uint32)
    flat = np.frombuffer(texts.flat, dtype=np.uint32)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    counted = np.zeros(len(lengths))
    for name, numbers in pairs.items():
        if name.startswith("train/"):
            weight = FREQUENT.get(name.partition("/")[2].partition("-")[0], 1.0)
            np.maximum.at(counted, numbers.ravel(), weight)
    weights = np.bincount(flat, weights=counted[owner], minlength=len(texts.terms)).astype(np.float64)
    table = Rows(texts, weights)
    arrays: dict[str, NDArray[np.generic]] = {
        "vocabulary": np.frombuffer("\n".join(table.vocabulary).encode(), dtype=np.uint8),
        "buckets": np.array(BUCKETS),
    }
    row_lengths, row_numbers = table.of_texts(texts)
    arrays |= packed(row_lengths, row_numbers)
    arrays |= {name: _filled(numbers, row_lengths) for name, numbers in pairs.items()}
    for source, target in (("fi", "en"), ("sv", "en"), ("fr", "en"), ("fi", "sv")):
        arrays[f"gloss/{source}-{target}"] = glosses(texts, table, dictionary, source, target)
    return arrays


#: Tasks whose second text is of law.
LAW = ("section", "heading", "titled", "ruling")
LANGUAGES = 4  # so many share the texts, each with its own words
RAREST = 12.0


def rarity(arrays: dict[str, NDArray[np.generic]]) -> NDArray[np.float32]:
    """How rare each row is among the texts of law: the logarithm of one in how many texts holds it."""
    lengths = arrays["texts/lengths"].astype(np.int64)
    steps = arrays["texts/low"].astype(np.int64) + (arrays["texts/high"].astype(np.int64) << 8)
    sums, starts = np.cumsum(steps), np.cumsum(lengths) - lengths
    before = np.where(starts > 0, sums[np.maximum(starts - 1, 0)], 0)
    rows = sums - np.repeat(before, lengths)
    of_law = np.zeros(len(lengths), dtype=bool)
    for name, numbers in arrays.items():
        split, _, task = name.partition("/")
        if split == "train" and task.startswith(LAW):
            of_law[numbers[:, 1].astype(np.int64)] = True
            if task.startswith("section"):  # both texts are
                of_law[numbers[:, 0].astype(np.int64)] = True
    words = bytes(arrays["vocabulary"]).decode().count("\n") + 1
    held = np.bincount(rows[np.repeat(of_law, lengths)], minlength=words + int(arrays["buckets"]))
    found: NDArray[np.float64] = np.log(of_law.sum() / LANGUAGES / (held + 0.5)).clip(0.1, RAREST)
    found[words:] = 0.75 * RAREST  # runs of letters stand for words that are rare
    return found.astype(np.float32)


def _filled(numbers: NDArray[np.int32], lengths: NDArray[np.int64]) -> NDArray[np.int32]:
    """The pairs both of whose texts have a known word."""
    return numbers[(lengths[numbers[:, 0]] > 0) & (lengths[numbers[:, 1]] > 0)]


def main() -> None:
    """Write one file for training."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=Path, action="append", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rarity", type=Path, help="write how rare each row is in law too, for the reranker")
    asked = parser.parse_args()
    started = time.perf_counter()
    texts = Texts()
    arrays = encode(asked.pairs, texts)
    np.savez_compressed(asked.out, **arrays)  # type: ignore[arg-type]
    if asked.rarity:
        np.save(asked.rarity, rarity(arrays))
    size = asked.out.stat().st_size / 2**20
    seconds = time.perf_counter() - started
    print(f"{len(texts.lengths):,} texts, {len(texts.terms):,} terms, {size:.1f} MiB in {seconds:.0f} s")


if __name__ == "__main__":
    main()
