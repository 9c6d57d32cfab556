"""The servers that pages on teams and clusters speak of: real ones on loopback, under the pages' names."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import httpx

from cluster_file import write_cluster_file
from docsite.blocks import Block
from postgres_server import PostgresServer
from s3_server import S3Server
from server_process import free_port
from token_issuer import IssuerServer

#: Commands that want an empty database.
_BEGINS = re.compile(r"pykala (?:ingest|copy law) ")
_ROLE = (
    "DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'law_server') THEN"
    " CREATE ROLE law_server LOGIN; END IF; END $$"
)
#: What the log of a server of Dask says once others may come.
_READY = re.compile(rb"Scheduler at:|Registered to:")
_BUCKET = "bucket"  # as the page calls it
SECONDS = 300


@dataclass
class ServersOfAPage:
    """Gives the servers of a page in place of the addresses that it names."""

    folder: Path
    environment: Mapping[str, str]
    postgres: PostgresServer
    qdrant: list[str]
    redis: str
    s3: S3Server
    issuer: IssuerServer
    kept: ExitStack
    _made: dict[str, str] = field(default_factory=dict)
    _scheduler: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        self._bucket().create_bucket(Bucket=_BUCKET)

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
                "finland.tar.zst": "law/fi",
                "copy law ": "copy LIBRARY ",
                "law-copy": f"law-copy-{number}",
                "law.tar.zst": f"law-{number}.tar.zst",
                "https://login.example": self.issuer.address,
                "dask scheduler": f"dask scheduler --host 127.0.0.1 --port {self._scheduler} --no-dashboard",
                "tcp://scheduler:8786": f"tcp://127.0.0.1:{self._scheduler}",
                "--nworkers 4": "--nworkers 2 --host 127.0.0.1 --no-dashboard",  # as many as there are cores
            }
        return self._made

    def keep(self, command: str) -> None:
        """Begin a server of Dask as the page does, and keep it until the page is done."""
        process = subprocess.Popen(
            shlex.split(command),
            cwd=self.folder,
            env={**self.environment, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stderr is not None
        self.kept.enter_context(process.stderr)
        reader = threading.Thread(target=process.stderr.read, daemon=True)
        self.kept.callback(_end, process, reader)
        said = []
        for line in process.stderr:
            said.append(line)
            if _READY.search(line):
                reader.start()
                return
        raise AssertionError(f"{command} did not start:\n{b''.join(said).decode(errors='replace')}")

    def asks(self, command: str, address: str) -> None:
        """Ask a server that takes tokens: with one of the issuer's, with a wrong one, and with none."""
        if "PYKALA_OIDC_ISSUER" not in command:
            return
        audience = re.findall(r"PYKALA_OIDC_AUDIENCE=(\S+)", command)[0]
        tokens = [self.issuer.token(aud=audience), self.issuer.token(aud="another"), ""]
        with httpx.Client(base_url=address, timeout=SECONDS, trust_env=False) as client:
            answers = [
                client.get("/api/v1/rights", headers={"Authorization": f"Bearer {one}"} if one else {})
                for one in tokens
            ]
        assert [one.status_code for one in answers] == [200, 401, 401], answers[0].text
        assert answers[0].json()["rights"] == ["read"]

    def in_the_bucket(self) -> list[str]:
        """What lies in the bucket."""
        found = self._bucket().list_objects_v2(Bucket=_BUCKET)
        return [one["Key"] for one in found.get("Contents", ())]

    def _bucket(self) -> Any:
        given = self.s3.environment
        return boto3.client(
            "s3",
            endpoint_url=given["AWS_ENDPOINT_URL"],
            aws_access_key_id=given["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=given["AWS_SECRET_ACCESS_KEY"],
            region_name=given["AWS_DEFAULT_REGION"],
        )

    def _cluster(self, name: str) -> Path:
        return write_cluster_file(self.folder / name, self.postgres.new_database(), self.qdrant)


def _end(process: subprocess.Popen[bytes], reader: threading.Thread) -> None:
    """End a server with all that it began."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(SECONDS)
    if reader.ident is not None:
        reader.join(SECONDS)
