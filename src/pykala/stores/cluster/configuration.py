"""The configuration file of a cluster's library: `--library cluster:law.toml`.

    records = "postgresql://law@db/law"

    [qdrant]
    addresses = ["http://qdrant-0:6333", "http://qdrant-1:6333", "http://qdrant-2:6333"]
    shards = 3
    replicas = 2

Secrets are kept elsewhere: the key of Qdrant in a file of its own (`key_file`), the password of PostgreSQL in
its password file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Final

from platformdirs import user_data_path

from pykala.stores.postgres.address import database_address, split_matter
from pykala.stores.store import StoreError

SCHEME: Final = "cluster"
EXACT_UP_TO: Final = 500_000  # candidates of a vector search; as in a folder
_NODE: Final = re.compile(r"https?://[^\s/]+/?")
_KNOWN: Final = frozenset({"records", "folder", "qdrant"})
_KNOWN_OF_QDRANT: Final = frozenset(
    {"addresses", "key_file", "shards", "replicas", "exact_up_to", "length_drift"}
)


@dataclass(frozen=True, slots=True)
class ClusterConfiguration:
    """Where the parts of a library are, and how they are distributed."""

    file: Path
    records: str
    nodes: tuple[str, ...]
    key: str = ""
    folder: Path | None = None  # the folder on this machine for the glossary and other small files
    shards: int = 1
    replicas: int = 1
    exact_up_to: int = EXACT_UP_TO
    length_drift: float = 0.001  # of the average length, before all weights are computed again

    def __repr__(self) -> str:  # must never show a key or a password
        return f"ClusterConfiguration({str(self.file)!r})"

    @property
    def name(self) -> str:
        """The library's address."""
        return f"{SCHEME}:{self.file}"

    @property
    def local_folder(self) -> Path:
        """The folder on this machine for the library's other files."""
        return (self.folder or user_data_path("pykala") / "clusters").absolute()


def configuration_file(library: str | PurePath) -> Path | None:
    """The configuration file in a cluster's address; None for any other address."""
    scheme, mark, path = split_matter(str(library))[0].partition(":")
    return Path(path) if mark and scheme == SCHEME else None


def records_address(library: str | PurePath) -> str | None:
    """The address of the database with a library's records; None for a folder."""
    file = configuration_file(library)
    return database_address(read_configuration(file).records if file else library)


def read_configuration(file: Path) -> ClusterConfiguration:
    """Read a configuration file; StoreError, in one line, where it is missing or wrong."""
    try:
        given = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise StoreError(
            f"{file} cannot be read ({error.strerror}); name the file of the cluster: --library cluster:FILE"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        # The parser's message may quote the line, and the line may contain a password.
        raise StoreError(f"{file} is not TOML; see docs/cluster.md for what it must hold") from error
    return _checked(file, given)


def _checked(file: Path, given: Mapping[str, Any]) -> ClusterConfiguration:
    qdrant = given.get("qdrant")
    if not isinstance(qdrant, dict):
        raise _wrong(file, "has no table [qdrant]")
    unknown = sorted(given.keys() - _KNOWN) + [
        f"qdrant.{one}" for one in sorted(qdrant.keys() - _KNOWN_OF_QDRANT)
    ]
    if unknown:
        raise _wrong(file, f"says {unknown[0]!r}, which nothing reads")
    records = given.get("records")
    if not isinstance(records, str) or database_address(records) is None:
        raise _wrong(file, 'names no records (records = "postgresql://…")')
    nodes = qdrant.get("addresses")
    if (
        not isinstance(nodes, list)
        or not nodes
        or not all(isinstance(n, str) and _NODE.fullmatch(n) for n in nodes)
    ):
        raise _wrong(file, 'names no nodes of Qdrant (addresses = ["http://HOST:6333"])')
    folder = given.get("folder")
    return ClusterConfiguration(
        file=file,
        records=records,
        nodes=tuple(str(node).rstrip("/") for node in nodes),
        key=_key(file, qdrant.get("key_file")),
        folder=file.parent / folder if isinstance(folder, str) else None,
        shards=_number(file, qdrant, "shards", 1),
        replicas=_number(file, qdrant, "replicas", 1),
        exact_up_to=_number(file, qdrant, "exact_up_to", EXACT_UP_TO, least=0),
        length_drift=float(_share(file, qdrant)),
    )


def _number(file: Path, given: Mapping[str, Any], name: str, default: int, least: int = 1) -> int:
    value = given.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise _wrong(file, f"qdrant.{name} must be a whole number from {least}")
    return value


def _share(file: Path, given: Mapping[str, Any]) -> float:
    value = given.get("length_drift", 0.001)
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _wrong(file, "qdrant.length_drift must be a number from 0 to 1")
    return float(value)


def _key(file: Path, named: object) -> str:
    if not isinstance(named, str):
        return ""
    path = file.parent / named
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(
            f"the key of Qdrant cannot be read from {path}; check qdrant.key_file in {file}"
        ) from error


def _wrong(file: Path, what: str) -> StoreError:
    return StoreError(f"{file} {what}; see docs/cluster.md for what it must hold")
