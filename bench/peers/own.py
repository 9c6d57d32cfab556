"""Pykälä as one of the engines: the same works out of the same libraries, cut, indexed and asked.

Documents come as the pack's readers leave them; reading them back is not counted, cutting them into passages
and writing every wording, its days and both indexes is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from itertools import groupby
from pathlib import Path
from time import perf_counter, process_time

from bench.load import uncached
from bench.peers.export import TODAY, WORKS
from bench.peers.records import NOT_SHOWN, Hit, Question
from pykala.law.answers import Answer
from pykala.law.bundles import Bundle
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, Work
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.models import bundled
from pykala.packs.pack import installed
from pykala.passages.cut import cut

_AT_ONCE = 400  # works published together


class Pykala:
    """A library of the run's works: `search` gives rankings, `ask` whole answers."""

    def __init__(self, folder: Path, *, vectors: bool = True) -> None:
        self._folder = folder
        self._embedder = bundled() if vectors else None
        self.uncounted = 0.0  # seconds spent reading documents back out of their library
        self.uncounted_work = 0.0  # and of processor
        self.library: Library | None = None

    def build(self, source: Path) -> None:
        packs = installed()
        with Library.open(self._folder, writable=True, create=True, embedder=self._embedder) as library:
            waiting = self._works(source)
            while works := [one for _, one in zip(range(_AT_ONCE), waiting, strict=False)]:
                with library.store.batch():
                    for work, document in works:
                        pack = packs[work.id.jurisdiction]
                        passages = tuple(cut(document, pack.sections(document)))
                        library.store.put(Bundle(work, str(work.id), "1", (document,), passages=passages))
        self.library = uncached(Library.open(self._folder, embedder=self._embedder))

    def _works(self, source: Path) -> Iterator[tuple[Work, Document]]:
        lines = map(json.loads, (source / WORKS).read_text(encoding="utf-8").splitlines())
        for folder, names in groupby(lines, key=lambda line: line[0]):
            with Library.open(Path(folder), embedder=None) as library:
                for _, name, language in names:
                    started, worked = perf_counter(), process_time()
                    found = library.store.work(WorkId(name)), library.store.document(WorkId(name), language)
                    self.uncounted += perf_counter() - started
                    self.uncounted_work += process_time() - worked
                    yield found

    def search(self, question: Question, limit: int) -> list[Hit]:
        assert self.library is not None
        found = self.library.search(
            question.question, as_of=_day(question), languages=[question.language], limit=limit
        )
        return [_hit(str(one.match.section), one.match.validity) for one in found]

    def ask(self, question: Question, limit: int) -> list[Hit]:
        assert self.library is not None
        answer = self.library.ask(question.question, as_of=_day(question), language=question.language)
        return ranked(answer)[:limit]


def ranked(answer: Answer) -> list[Hit]:
    """What an answer names, best first: the provision that answers, then the evidence, of which no words."""
    primary = [answer.primary] if answer.primary else []
    first = [_hit(str(one.provision), one.validity) for one in primary]
    return [*first, *(Hit(str(one.provision), NOT_SHOWN, "") for one in answer.evidence)]


def _hit(section: str, validity: Validity) -> Hit:
    start, end = validity.start, validity.end
    return Hit(section, start.isoformat() if start else "", end.isoformat() if end else "")


def _day(question: Question) -> date:
    return date.fromisoformat(question.as_of or TODAY)
