"""The sample library: the short paraphrases that ship with each pack, built on first use."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal

from pykala.fetch.descriptors import lock
from pykala.fetch.mirror import open_mirror
from pykala.models.bundled.lazy import bundled_embedder, bundled_for
from pykala.models.embedder import Embedder
from pykala.models.unusable import UnusableModel
from pykala.packs.pack import Pack
from pykala.preparing.item import PREPARATION
from pykala.stores.embedded.digests import TABLE as DIGESTS
from pykala.stores.embedded.schema import SCHEMA, TABLES
from pykala.stores.opening import open_writer
from pykala.text.analysis import fingerprint as analysis_fingerprint

EDITION = {"edition": "sample"}


def is_sample(facts: Mapping[str, str]) -> bool:
    """Whether these are the facts of the sample library."""
    return EDITION.items() <= facts.items()


def sample_library(
    cache: Path, packs: Mapping[str, Pack], embedder: Embedder | Literal["bundled"] | None = "bundled"
) -> Path:
    """The folder of the sample library; built where this version's does not exist yet.

    If the bundled weights are damaged, it is built without vectors; the search by words still answers.
    """
    bundled = embedder == "bundled"
    if embedder == "bundled":
        embedder = bundled_embedder()
    name = _fingerprint(packs, embedder)
    folder = cache / f"sample-{name[:16]}"
    if not (folder / "complete").exists():
        if bundled and isinstance(bundled_for(None), UnusableModel):
            return sample_library(cache, packs, None)
        with _only_one(cache):
            if not (folder / "complete").exists():
                _build(folder, packs, embedder)
                _forget_older(cache, folder)
    return folder


@contextmanager
def _only_one(cache: Path) -> Iterator[None]:
    """Let one process build at a time; the others wait and use its result."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "sample.lock").open("ab") as file:
        lock(file.fileno())
        yield


def _build(folder: Path, packs: Mapping[str, Pack], embedder: Embedder | None) -> None:
    from pykala.ingest import ingest

    # Ingest is resumable: it keeps what an interrupted run has stored.
    with closing(open_writer(folder, embedder=embedder)) as store:
        for pack, sample in samples(packs):
            with as_file(sample) as path, open_mirror(path) as mirror:
                # A few paraphrases do not show to which day a source is complete.
                ingest(store, pack, mirror, whole=False)
        store.record(EDITION)
    (folder / "complete").touch()


def samples(packs: Mapping[str, Pack]) -> Iterator[tuple[Pack, Path]]:
    """Each pack and the folder of its sample."""
    for pack in packs.values():
        sample = files(pack.facts.package).joinpath("sample")
        if sample.is_dir():
            yield pack, sample  # type: ignore[misc]


def _fingerprint(packs: Mapping[str, Pack], embedder: Embedder | None) -> str:
    digest = hashlib.sha256(f"{SCHEMA} {TABLES} {DIGESTS} {PREPARATION} {analysis_fingerprint()}".encode())
    digest.update((embedder.fingerprint if embedder else "").encode())
    for pack, sample in samples(packs):
        digest.update(f"{pack.facts.code} {pack.facts.version}".encode())
        with as_file(sample) as folder:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    digest.update(path.relative_to(folder).as_posix().encode())
                    digest.update(path.read_bytes())
    return digest.hexdigest()


def _forget_older(cache: Path, keep: Path) -> None:
    for folder in cache.glob("sample-*"):
        if folder != keep:
            with suppress(OSError):
                shutil.rmtree(folder)
