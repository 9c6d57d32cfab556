"""What all tests share: patience on a busy machine, and one building of the sample library."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import install_qdrant
from postgres_server import PostgresServer, missing
from pykala.fetch.descriptors import lock
from pykala.library import sample
from qdrant_server import QdrantServer

settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.fixture(scope="session", autouse=True)
def _sample_built_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Build each sample library once for all processes of a run, and copy it wherever a test wants one.

    Some fifty fixtures want the sample in a folder of their own. It is named after all that it is made of, so
    that one of that name has the same bytes. Later runs share it where `PYKALA_TESTS_SAMPLES` names a folder.
    """
    build = sample._build
    together = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        together = together.parent  # the folder of the whole run
    together = Path(os.environ.get("PYKALA_TESTS_SAMPLES", together))

    def copied(folder: Path, *given: object) -> None:
        kept = together / f"built-{folder.name}"
        with _alone(together / "built.lock"):
            if not (kept / "complete").exists():
                build(kept, *given)  # type: ignore[arg-type]
        shutil.copytree(kept, folder, dirs_exist_ok=True)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sample, "_build", copied)
        yield


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    with file.open("ab") as held:
        lock(held.fileno())
        yield


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """A real PostgreSQL, started when the first test asks for it."""
    if reason := missing():
        pytest.skip(reason)
    with PostgresServer.started(tmp_path_factory.mktemp("postgres")) as server:
        yield server


@pytest.fixture(scope="session")
def qdrant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QdrantServer]:
    """A real Qdrant of one node, started when the first test asks for it."""
    if reason := install_qdrant.missing():
        pytest.skip(reason)
    with QdrantServer.started(tmp_path_factory.mktemp("qdrant")) as server:
        yield server
