"""The engines that every contract test runs over, listed once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import Store


def _embedded(folder: Path) -> EmbeddedStore:
    return EmbeddedStore.open(folder, writable=True, embedder=HashingEmbedder(64))


ENGINES: dict[str, Callable[[Path], Store]] = {"embedded": _embedded}


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = ENGINES[request.param](tmp_path / "library")
    yield opened
    opened.close()
