"""Models read a question as it was asked; only the search for words leaves out the words that merely ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from numpy.typing import NDArray

from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.models.embedder import ForwardingEmbedder, Role
from pykala.packs.pack import installed
from pykala.retrieve.plan import looked_at

ASKED = "How long do I have to keep the accounts of my company in Finland in 2019 (not the invoices)?"
#: The date says whose law counts, and what is excluded is not asked for.
READ = "How long do I have to keep the accounts of my company in Finland ?"


class RecordingEmbedder(ForwardingEmbedder):
    """Remembers the questions that it reads."""

    def __init__(self, library: Library) -> None:
        assert library.embedder is not None
        super().__init__(library.embedder)
        self.read: set[str] = set()

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        self.read |= {*texts} if role == "query" else set()
        return self._embedder.encode(texts, role)


class RecordingReranker:
    """Remembers the questions that it reads."""

    name = "recording"

    def __init__(self) -> None:
        self.read: set[str] = set()

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        self.read.add(question)
        return np.zeros(len(passages), dtype=np.float32)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@pytest.mark.parametrize("language", ["en", "fi"])
def test_models_read_the_question_as_it_was_asked(sample: Library, language: str) -> None:
    embedder, reranker = RecordingEmbedder(sample), RecordingReranker()
    engine = replace(sample.engine(), embedder=embedder, reranker=reranker)
    asked = looked_at(ASKED, engine, as_of=date(2026, 11, 15), language=language, jurisdiction="fi")
    assert any(one.candidates for one in asked)
    for read in (embedder.read, reranker.read):
        assert {" ".join(text.split()) for text in read} == {READ}
