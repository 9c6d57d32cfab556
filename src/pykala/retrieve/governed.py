"""Subjects that one act governs, also where a library lacks that act: GST is the Excise Tax Act's.

Other acts share most words of a question about such a subject ("how long must GST records be kept?" and the
records of employers). They answer it only where they speak of the subject themselves. Citing the act by its
name does not count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from pykala.law.identifiers import WorkId
from pykala.packs.pack import Pack, PackFacts
from pykala.retrieve.cites import NotHeld, fetch_command, is_held, title_of
from pykala.retrieve.place import words_found
from pykala.stores.store import Store


@dataclass(frozen=True, slots=True)
class Governed:
    """An act that governs a question's subject and is not held, and the words of its subjects."""

    act: NotHeld
    words: tuple[str, ...]
    names: tuple[str, ...]  # of the act

    def speaks_of_it(self, text: str) -> bool:
        """Whether a text speaks of a subject of the act, rather than citing the act."""
        for name in self.names:
            text = re.sub(re.escape(name), " ", text.replace("’", "'"), flags=re.IGNORECASE)
        return bool(words_found(self.words, text))


def governed_by(
    text: str, places: Collection[str], language: str, store: Store, packs: Mapping[str, Pack]
) -> Governed | None:
    """The act that governs a text's subject in one of some places, if the library lacks it.

    None where the library holds an act that may govern the subject.
    """
    found = [(pack, *one) for code, pack in packs.items() if code in places for one in _told(text, pack)]
    if not found or any(is_held(work, store) for _, work, _ in found):
        return None
    pack, work, words = found[0]
    name = title_of(work, language, pack)
    act = NotHeld(name, name, work=work, fetch=fetch_command(pack, name))
    act = replace(act, mentions=store.mentions_of([work])[work].count)
    return Governed(act, words, (*_names(work, pack.facts),))


def _told(text: str, pack: Pack) -> Iterator[tuple[WorkId, tuple[str, ...]]]:
    """The acts of a pack whose subjects a text names, and the words of those subjects."""
    for work, words in pack.facts.governs.items():
        if words_found(words, text):
            yield WorkId(work), words


def _names(work: WorkId, facts: PackFacts) -> Iterator[str]:
    """The names of an act, with straight apostrophes, the longest first."""
    titles = (title.replace("’", "'") for title in facts.titles.get(str(work), {}).values())
    asked = (name for name, named in facts.asked.items() if named == str(work) and " " in name)
    yield from sorted({*titles, *asked}, key=len, reverse=True)
