"""The servers that pages on teams and clusters speak of: real ones on loopback, under the pages' names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from cluster_file import write_cluster_file
from docsite.blocks import Block
from postgres_server import PostgresServer

#: Commands that want an empty database.
_BEGINS = re.compile(r"pykala (?:ingest|copy law) ")
_ROLE = (
    "DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'law_server') THEN"
    " CREATE ROLE law_server LOGIN; END IF; END $$"
)


@dataclass
class ServersOfAPage:
    """Gives the servers of a page in place of the addresses that it names."""

    folder: Path
    postgres: PostgresServer
    qdrant: list[str]
    redis: str
    _made: dict[str, str] = field(default_factory=dict)

    def places(self, block: Block) -> dict[str, str]:
        """What stands on the page, and what is here instead."""
        if not self._made or any(map(_BEGINS.search, block.commands)):
            self.postgres.execute(_ROLE)
            number = len(list(self.folder.glob("cluster-*")))
            law, other = (self._cluster(f"cluster-{number + one}") for one in (1, 2))
            self._made = {
                "createdb law": "true",  # it is made here
                "postgresql://law@db/law": self.postgres.new_database(),
                "/mnt/law": str(self.folder / f"index-{number}"),
                "redis://:PASSWORD@cache:6379/0": self.redis,
                "cluster:law.toml": f"cluster:{law}",
                "cluster:other.toml": f"cluster:{other}",
                "canada.tar.zst": "canada.tar.gz",
                "copy law ": "copy LIBRARY ",
                "law-copy": f"law-copy-{number}",
                "law.tar.zst": f"law-{number}.tar.zst",
            }
        return self._made

    def _cluster(self, name: str) -> Path:
        return write_cluster_file(self.folder / name, self.postgres.new_database(), self.qdrant)
