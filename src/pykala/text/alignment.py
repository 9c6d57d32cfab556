"""Translations of words, learned from texts that say the same thing in two languages.

IBM model 1: P. F. Brown et al., "The Mathematics of Statistical Machine Translation: Parameter Estimation"
(Computational Linguistics 19, 1993), estimated in both directions over the same texts. A pair of words is
kept where both directions agree, as in the intersection of two alignments (F. J. Och and H. Ney, "A
Systematic Comparison of Various Statistical Alignment Models", Computational Linguistics 29, 2003):
`kommunstyr` leads to `kunnanhallitus` and back, while `skall` leads everywhere and nothing leads back.

Texts are added as pairs of term lists and stored as numbers, so that `most_links` bounds the memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # only alignment needs NumPy
    from numpy import float64, int64
    from numpy.typing import NDArray

_ITERATIONS: Final = 5
_FEWEST_TOGETHER: Final = 2  # the least pairs of texts that contain both words
_LEAST_AGREEMENT: Final = 0.1


@dataclass(frozen=True, slots=True)
class AlignedWords:
    """Two words that translate each other, and how certain that is."""

    first: str
    second: str
    agreement: float  # geometric mean of the two translation probabilities
    together: int  # how many pairs of texts contain both


class Alignment:
    """Paired texts to learn from; the shortest are used first, as their words have the fewest partners."""

    def __init__(self, *, most_links: int = 6_000_000) -> None:
        """`most_links` bounds the links: one for each word of a text with each word of its counterpart."""
        self._most_links = most_links
        self._numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._words = (array("i"), array("i"))
        self._lengths = (array("i"), array("i"))

    def add(self, first: Sequence[str], second: Sequence[str]) -> None:
        """Add two texts with the same meaning; a repeated word counts once."""
        if not first or not second:
            return
        for side, terms in enumerate((first, second)):
            numbers, before = self._numbers[side], len(self._words[side])
            self._words[side].extend(numbers.setdefault(term, len(numbers)) for term in dict.fromkeys(terms))
            self._lengths[side].append(len(self._words[side]) - before)

    def __len__(self) -> int:
        return len(self._lengths[0])

    def words(self) -> Iterator[AlignedWords]:
        """The pairs of words on which both directions agree, in order of first occurrence."""
        if not self:
            return
        import numpy

        firsts, seconds = self._links()
        sides = tuple(numpy.frombuffer(side, dtype=numpy.int32).astype(numpy.int64) for side in self._words)
        width = len(self._numbers[1])
        keys, pair = numpy.unique(sides[0][firsts] * width + sides[1][seconds], return_inverse=True)
        sources, targets = keys // width, keys % width
        forward, backward = _estimate(seconds, pair, sources), _estimate(firsts, pair, targets)
        together = numpy.bincount(pair)
        agreement = numpy.sqrt(forward * backward)
        names = tuple(list(numbers) for numbers in self._numbers)
        for at in numpy.flatnonzero((agreement >= _LEAST_AGREEMENT) & (together >= _FEWEST_TOGETHER)):
            yield AlignedWords(
                names[0][int(sources[at])],
                names[1][int(targets[at])],
                float(agreement[at]),
                int(together[at]),
            )

    def _links(self) -> tuple[NDArray[int64], NDArray[int64]]:
        """The positions of the first and the second word of every link, in the shortest texts that fit."""
        import numpy

        lengths = [numpy.frombuffer(side, dtype=numpy.int32).astype(numpy.int64) for side in self._lengths]
        starts = [numpy.cumsum(side) - side for side in lengths]
        sizes = lengths[0] * lengths[1]
        order = numpy.argsort(sizes, kind="stable")
        kept = numpy.sort(order[numpy.cumsum(sizes[order]) <= self._most_links])
        before = numpy.cumsum(sizes[kept]) - sizes[kept]
        texts = numpy.repeat(kept, sizes[kept])
        within = numpy.arange(len(texts)) - numpy.repeat(before, sizes[kept])
        first, second = numpy.divmod(within, lengths[1][texts])
        return starts[0][texts] + first, starts[1][texts] + second


def _estimate(explained: NDArray[int64], pair: NDArray[int64], sources: NDArray[int64]) -> NDArray[float64]:
    """The probability of each pair's other word given its source, by expectation maximisation.

    `explained` is the position of the word that each link explains: the words of the counterpart share it, in
    proportion to their present probability.
    """
    import numpy

    probability: NDArray[float64] = numpy.ones(len(sources))
    for _ in range(_ITERATIONS):
        share = probability[pair]
        share /= numpy.bincount(explained, share)[explained]
        expected = numpy.bincount(pair, share, minlength=len(sources))
        probability = expected / numpy.bincount(sources, expected)[sources]
    return probability
