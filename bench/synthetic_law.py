"""A jurisdiction made by rule, to measure what no corpus at hand is large enough for.

Acts of four chapters, each of five sections of four subsections, every second section with a list: 125
provisions an act. Words are drawn as a language draws them (Zipf), each act keeps to its own topics, a fifth
of the sections were amended once, and references favour a few well-known sections. The same number of acts
is always the same law. Cutting into passages is the product's own; only the reading of files is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from pykala.law.bundles import Bundle
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version, Work, WorkKind
from pykala.law.references import EdgeKind, Method, Reference
from pykala.law.validity import Validity
from pykala.packs.sections import sections_below_containers
from pykala.passages.cut import cut

CHAPTERS, SECTIONS, SUBSECTIONS, ITEMS = 4, 5, 4, 2
AN_ACT = 1 + CHAPTERS * (1 + SECTIONS * (1 + SUBSECTIONS)) + CHAPTERS * SECTIONS // 2 * ITEMS  # provisions
VOCABULARY, TOPIC_WORDS = 60_000, 40
_SYLLABLES = ("ka", "lo", "min", "ter", "sa", "vi", "ron", "del", "pu", "tas", "ne", "gor", "li", "bem", "fu")
_WORDS = 24  # that carry meaning, in a subsection
_TEMPLATE = (
    "A {} of a {} shall {} the {} within {} days of the {}, unless the {} has {} a {} under this Act."
    " The {} may by order {} any {} that the {} or the {} of the {} has not {}. Where a {} is {}, it is {}"
    " for the {} and the {} to {} the {} of a {}."
)


class SyntheticLaw:
    """So many acts, made one at a time; nothing of them is kept."""

    def __init__(self, acts: int, *, seed: int = 2) -> None:
        self.acts = acts
        self._seed = seed
        weights = 1.0 / np.arange(1, VOCABULARY + 1) ** 0.9
        self._steps = np.cumsum(weights / weights.sum())

    def bundles(self) -> Iterator[Bundle]:
        """Every act, ready to be put into a store."""
        for number in range(self.acts):
            yield self.bundle(number)

    def bundle(self, number: int) -> Bundle:
        """One act with its references and passages."""
        chance = np.random.default_rng((self._seed, number))
        work = WorkId(f"xx:act:{number}")
        topics = self._ranks(chance, TOPIC_WORDS)
        chapters, references = [], []
        for at in range(CHAPTERS):
            sections = [self._section(chance, work, at, n, topics) for n in range(SECTIONS)]
            place = ProvisionId(work, (Step("chp", str(at + 1)),))
            heading = Version("", heading=_title(topics[at * 2 : at * 2 + 2]))
            chapters.append(
                Provision(place, ProvisionKind.CHAPTER, f"Chapter {at + 1}", (heading,), tuple(sections))
            )
            references += [one for section in sections for one in self._references(chance, section)]
        title = f"{_title(topics[:2])} Act {number}"
        root = Provision(
            ProvisionId(work), ProvisionKind.WORK, "", (Version("", heading=title),), tuple(chapters)
        )
        document = Document(work, "en", title, root, ())
        return Bundle(
            Work(work, WorkKind.ACT, 100, titles=(("en", title),)),
            str(work),
            "1",
            (document,),
            tuple(references),
            passages=tuple(cut(document, sections_below_containers(document))),
        )

    def questions(self, count: int) -> list[str]:
        """Questions in the words of sections drawn by chance."""
        chance = np.random.default_rng((self._seed, self.acts, 7))
        found = []
        for number in chance.integers(self.acts, size=count):
            topics = self._ranks(np.random.default_rng((self._seed, int(number))), TOPIC_WORDS)
            words = [word_of(int(rank)) for rank in chance.choice(topics, size=4, replace=False)]
            found.append(f"When must a {words[0]} {words[1]} the {words[2]} of a {words[3]}?")
        return found

    def sections(self, count: int) -> list[ProvisionId]:
        """Sections drawn by chance."""
        chance = np.random.default_rng((self._seed, self.acts, 8))
        drawn = chance.integers((self.acts, CHAPTERS, SECTIONS), size=(count, 3))
        return [_place(int(act), int(chapter), int(section)) for act, chapter, section in drawn]

    def _ranks(self, chance: np.random.Generator, count: int) -> NDArray[np.int64]:
        return np.searchsorted(self._steps, chance.random(count)).clip(0, VOCABULARY - 1)

    def _section(
        self, chance: np.random.Generator, work: WorkId, chapter: int, section: int, topics: NDArray[np.int64]
    ) -> Provision:
        number = chapter * SECTIONS + section
        place = ProvisionId(work, (Step("chp", str(chapter + 1)), Step("sec", str(number + 1))))
        amended = date(2000 + int(chance.integers(25)), 7, 1) if number % 5 == 0 else None
        below = [
            self._subsection(chance, place, n, topics, number, amended if n == 0 else None)
            for n in range(SUBSECTIONS)
        ]
        heading = Version("", _since(chapter), _title(topics[number : number + 3]))
        return Provision(place, ProvisionKind.SECTION, str(number + 1), (heading,), tuple(below))

    def _subsection(
        self,
        chance: np.random.Generator,
        section: ProvisionId,
        n: int,
        topics: NDArray[np.int64],
        number: int,
        amended: date | None,
    ) -> Provision:
        place = section.child("subsec", str(n + 1))
        validity = _since(number // SECTIONS)
        versions: tuple[Version, ...] = (Version(self._sentence(chance, topics), validity),)
        if amended is not None:
            versions = (
                Version(versions[0].text, Validity(validity.start, amended)),
                Version(self._sentence(chance, topics), Validity(amended), event=Event.AMENDED),
            )
        items: list[Provision] = []
        if n == 1 and number % 2 == 0:
            for at, letter in enumerate("ab"[:ITEMS]):
                words = " ".join(map(word_of, map(int, chance.choice(topics, size=6))))
                item = Version(f"{words}; {'or' if at == 0 else 'and'}", validity)
                items.append(
                    Provision(place.child("para", letter), ProvisionKind.ITEM, f"({letter})", (item,))
                )
        return Provision(place, ProvisionKind.SUBSECTION, f"({n + 1})", versions, tuple(items))

    def _sentence(self, chance: np.random.Generator, topics: NDArray[np.int64]) -> str:
        """Half of the words are the act's own, half the language's."""
        half = _WORDS // 2
        ranks = np.concatenate([chance.choice(topics, size=half), self._ranks(chance, _WORDS - half)])
        words = [word_of(int(rank)) for rank in chance.permutation(ranks)]
        words[4] = str(int(chance.integers(7, 90)))
        return _TEMPLATE.format(*words)

    def _references(self, chance: np.random.Generator, section: Provision) -> Iterator[Reference]:
        targets = (chance.zipf(1.3, size=5) - 1) % (self.acts * CHAPTERS * SECTIONS)
        for at, target in enumerate(targets):
            act, inside = divmod(int(target), CHAPTERS * SECTIONS)
            source = section.children[at % SUBSECTIONS]
            yield Reference(
                source.id,
                EdgeKind.EXCEPTS if at == 0 else EdgeKind.CITES,
                "this Act",
                "en",
                Method.CITATION,
                0,
                8,
                _place(act, *divmod(inside, SECTIONS)),
                validity=source.versions[-1].validity,
            )


def word_of(rank: int) -> str:
    """A word that can be said, the same for the same rank."""
    said = ""
    rank += len(_SYLLABLES)  # no word of one syllable: those would read as function words
    while rank:
        rank, syllable = divmod(rank, len(_SYLLABLES))
        said += _SYLLABLES[syllable]
    return said


def _title(ranks: Sequence[int] | NDArray[np.int64]) -> str:
    return " and ".join(word_of(int(rank)).capitalize() for rank in ranks)


def _since(chapter: int) -> Validity:
    return Validity(date(1985 + chapter * 3, 1, 1))


def _place(act: int, chapter: int, section: int) -> ProvisionId:
    number = chapter * SECTIONS + section
    return ProvisionId(WorkId(f"xx:act:{act}"), (Step("chp", str(chapter + 1)), Step("sec", str(number + 1))))
