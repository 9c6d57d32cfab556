"""One server over the sample for all that only reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from http_serving import Served, serving


@pytest.fixture(scope="session")
def http_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("http")


@pytest.fixture(scope="session")
def served(http_folder: Path) -> Iterator[Served]:
    with serving(http_folder) as server:
        yield server


@pytest.fixture
def client(served: Served) -> Iterator[httpx.Client]:
    with served.client() as opened:
        yield opened
