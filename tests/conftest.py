"""What all tests share: patience on a busy machine, an order, and one building of the sample library."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import install_qdrant
from postgres_server import PostgresServer, missing
from pykala.fetch import mirror
from pykala.fetch.archives import TarMirror
from pykala.fetch.descriptors import lock
from pykala.fetch.limits import Limits
from pykala.library import sample
from qdrant_server import QdrantServer

if TYPE_CHECKING:  # it takes half a second to load, and few tests need it
    from playwright.sync_api import Browser

settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

TESTS = Path(__file__).parent
CORPORA = TESTS.parent.parent / "shared" / "corpora"
#: Files that compute for 8 s or more, the longest first, and some that wait. They begin first: one that began
#: last would leave all processes but its own idle.
LONG = (
    "docs/test_examples.py",
    "page/test_page_access.py",
    "packs/eu/test_eu_corpora.py",
    "test_linear_reading.py",
    "interfaces_http/test_server_processes.py",
    "page/test_page_asking.py",
    "docs/test_examples_with_servers.py",
    "page/test_page_work.py",
    "contracts/test_store.py",
    "page/test_page_reading.py",
    "stores/test_verifying_databases.py",
    "evaluate/test_gate.py",
    "page/test_page_library.py",
    "interfaces_http/test_draining.py",
    "docs/test_site.py",
    "page/test_page_headings.py",
    "stores/test_embedded_store.py",
    "test_wheel.py",
    "bench/test_bench_load.py",
    "packs/test_ended_law.py",
    "interfaces_http/test_http_schema.py",
    "stores/test_unsteady_machines.py",
    "page/test_reference.py",
    "test_dask_ingest.py",
    "packs/finland/test_finland_corpora.py",
    "contracts/test_store_places.py",
    "docs/test_contributing.py",
    "test_lost_workers.py",
    "packs/canada/test_canada_labels.py",
    "contracts/test_store_generation.py",
    "bench/test_mutants.py",
    "page/test_page_addresses.py",
    "interfaces_http/test_mcp_online.py",
    "packs/finland/test_consolidated.py",
    "test_same_answers.py",
    "test_second_models.py",
    "stores/test_vectors.py",
    "contracts/test_store_changes.py",
    "interfaces_http/test_http_uploads.py",
    "test_cluster_answers.py",
    "packs/eu/test_eu_citations_labels.py",
    "test_portable.py",
    "stores/test_remote_generations.py",
    "test_confined.py",
    "models/test_tower.py",
    "packs/finland/test_statute_xml_corpora.py",
    "interfaces_http/test_observing.py",
    "page/test_page_shared.py",
    "interfaces_http/test_http_page_routes.py",
    "packs/uploads/test_uploads_refusals.py",
    "interfaces/test_telemetry.py",
    "test_holding.py",
    "packs/nyc/test_nyc_plain_text.py",
    "stores/test_originals.py",
    "interfaces_http/test_serve_command.py",
    "interfaces_http/test_erasing_a_person.py",
    "page/test_page_second_opinion.py",
    "interfaces_http/test_http_cancelling.py",
    "packs/finland/test_finland_citation_labels.py",
    "page/test_page_thread.py",
    "test_same_everywhere.py",
    "packs/canada/test_canada_live.py",
)


def pytest_collection() -> None:
    """Look for no garbage while tests are collected: nearly all that is made stays until the end."""
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {TESTS / name: place for place, name in enumerate(LONG)}
    if absent := [str(path) for path in places if not path.is_file()]:
        raise pytest.UsageError(f"LONG in conftest.py names what is not there: {', '.join(absent)}")
    items.sort(key=lambda item: places.get(item.path, len(places)))


def pytest_collection_finish() -> None:
    """All that was imported and collected stays: the garbage collector need not look at it again.

    It looks for garbage as seldom as in the command.
    """
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """What the corpora hold is gigabytes, and stays after no run, not after one that failed either."""
    own = session.config._tmp_path_factory._basetemp  # type: ignore[attr-defined]
    if own is not None and "PYTEST_XDIST_WORKER" not in os.environ:
        shutil.rmtree(own / "corpora", ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _sample_built_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Build each sample library once for all processes of a run, and copy it wherever a test wants one.

    Some fifty fixtures want the sample in a folder of their own. It is named after all that it is made of, so
    that one of that name has the same bytes. Later runs share it where `PYKALA_TESTS_SAMPLES` names a folder.
    """
    build = sample._build
    together = Path(os.environ.get("PYKALA_TESTS_SAMPLES", _folder_of_the_run(tmp_path_factory)))

    def copied(folder: Path, *given: object) -> None:
        kept = together / f"built-{folder.name}"
        with _alone(together / "built.lock"):
            if not (kept / "complete").exists():
                build(kept, *given)  # type: ignore[arg-type]
        shutil.copytree(kept, folder, dirs_exist_ok=True)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sample, "_build", copied)
        yield


@pytest.fixture(scope="session", autouse=True)
def _corpora_unpacked_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Unpack each archive of the real corpora once for all processes of a run, and list what it holds once.

    Some twenty files of tests open one, the largest of which takes seconds. A test that names a folder to
    unpack into has it unpacked there, as ever.
    """
    unpack, together = mirror._unpack, _folder_of_the_run(tmp_path_factory) / "corpora"
    together.mkdir(exist_ok=True)

    def opened(archive: Path, compression: str, limits: Limits, folder: Path) -> mirror.Mirror:
        ours = archive.parent.resolve() == CORPORA.resolve()
        if not ours or folder != Path(tempfile.gettempdir()) or limits != Limits():
            return unpack(archive, compression, limits, folder)
        kept, listed = together / archive.stem, together / f"{archive.stem}.listed"
        with _alone(together / f"{archive.stem}.lock"):
            if not listed.exists():
                with unpack(archive, compression, limits, together) as whole:
                    assert isinstance(whole, TarMirror)
                    whole._flat = whole._flat.rename(kept)
                    listed.write_bytes(pickle.dumps(whole))
        found: mirror.Mirror = pickle.loads(listed.read_bytes())
        return found

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(mirror, "_unpack", opened)
        yield


def _folder_of_the_run(factory: pytest.TempPathFactory) -> Path:
    """The folder that all processes of a run share."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    with file.open("ab") as held:
        lock(held.fileno())
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_waiting_for_the_disk() -> Iterator[None]:
    """Sync no file of this process: no machine loses its power in a test, and a killed process loses nothing.

    A descriptor that could not be synced is still an error. To sync each file would take half of the time in
    the tests of stores; processes that tests start sync as they always do.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda descriptor: os.fstat(descriptor))
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


@pytest.fixture(scope="session")
def _shared_browser() -> Iterator[Callable[[], AbstractContextManager[Browser | None]]]:
    from browsers import shared

    with shared() as used:
        yield used


@pytest.fixture(scope="module")
def browser(_shared_browser: Callable[[], AbstractContextManager[Browser | None]]) -> Iterator[Browser]:
    """A real browser, started when the first test asks for it. Each test opens a context of its own in it."""
    with _shared_browser() as started:
        if started is None:
            pytest.skip("NO BROWSER: what is shown is not tested here; apt-get install chromium")
        yield started
