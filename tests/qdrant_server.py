"""Real nodes of Qdrant on loopback.

    with QdrantServer.started(folder, nodes=3) as qdrant:
        qdrant.addresses
        qdrant.kill(1)
        qdrant.start(1)

Where the binary is not installed, `install_qdrant.missing()` says so and tests skip with that line.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx

from install_qdrant import BINARY
from server_process import free_port

KEY = "s3cret-of-the-nodes"
_PATIENCE = 300.0


class QdrantServer:
    """Some nodes of the tests that know each other."""

    def __init__(self, folder: Path, nodes: int) -> None:
        self.folder = folder
        self._ports = [(free_port(), free_port(), free_port()) for _ in range(nodes)]
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._client = httpx.Client(headers={"api-key": KEY}, trust_env=False, timeout=300)

    @classmethod
    @contextmanager
    def started(cls, folder: Path, *, nodes: int = 1) -> Iterator[QdrantServer]:
        """New nodes, ended at the end however the block ends."""
        server = cls(folder, nodes)
        try:
            for number in range(nodes):
                server.start(number)
            server.wait_for_peers()
            yield server
        finally:
            for number in list(server._running):
                server.kill(number)
            server._client.close()

    @property
    def addresses(self) -> list[str]:
        """The addresses of all nodes, running or not."""
        return [f"http://127.0.0.1:{http}" for http, _, _ in self._ports]

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that run."""
        return [one.pid for one in self._running.values()]

    def start(self, number: int) -> None:
        """Start a node, and return when it answers."""
        (http, grpc, between), home = self._ports[number], self.folder / str(number)
        home.mkdir(parents=True, exist_ok=True)
        settings = {
            "SERVICE__HOST": "127.0.0.1",
            "SERVICE__HTTP_PORT": http,
            "SERVICE__GRPC_PORT": grpc,
            "SERVICE__API_KEY": KEY,
            "STORAGE__STORAGE_PATH": home / "storage",
            "STORAGE__SNAPSHOTS_PATH": home / "snapshots",
            "STORAGE__PERFORMANCE__MAX_SEARCH_THREADS": 2,
            "STORAGE__WAL__WAL_CAPACITY_MB": 1,
            "CLUSTER__ENABLED": str(len(self._ports) > 1).lower(),
            "CLUSTER__P2P__PORT": between,
            "CLUSTER__CONSENSUS__TICK_PERIOD_MS": 50,
            "TELEMETRY_DISABLED": "true",
        }
        command = [str(BINARY)]
        if len(self._ports) > 1:
            command += ["--uri", f"http://127.0.0.1:{between}"]
            if number:
                command += ["--bootstrap", f"http://127.0.0.1:{self._ports[0][2]}"]
        process = subprocess.Popen(
            command,
            cwd=home,
            env={**os.environ, **{f"QDRANT__{name}": str(value) for name, value in settings.items()}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._running[number] = process
        self._read_until_ready(process, home / "log")

    def kill(self, number: int) -> None:
        """End a node as a power cut would."""
        process = self._running.pop(number)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=300)

    def wait_for_peers(self) -> None:
        """Wait until every node that runs knows of all."""
        if len(self._ports) > 1:
            for number in self._running:
                self._until(lambda at=number: len(self.cluster(at)["peers"]) == len(self._ports))

    def wait_for_whole(self, collection: str) -> None:
        """Wait until every replica of a collection is active on every node."""
        self._until(lambda: all(self._is_whole(number, collection) for number in self._running))

    def _is_whole(self, number: int, collection: str) -> bool:
        found = self._get(number, f"/collections/{collection}/cluster")
        shards = [*found["local_shards"], *found["remote_shards"]]
        return bool(found["local_shards"]) and all(one["state"] == "Active" for one in shards)

    def cluster(self, number: int) -> dict[str, object]:
        """What a node says of the cluster."""
        return self._get(number, "/cluster")

    def collections(self) -> list[str]:
        """The names of all collections."""
        return sorted(
            one["name"] for one in self._get(next(iter(self._running)), "/collections")["collections"]
        )

    def drop_all(self) -> None:
        """Remove all collections: a node that holds hundreds is slow."""
        for name in self.collections():
            self.call("DELETE", f"/collections/{name}")

    def call(self, method: str, path: str, body: object = None) -> dict[str, object]:
        """Call the first node that runs, behind the library's back."""
        address = self.addresses[next(iter(self._running))]
        response = self._client.request(method, f"{address}{path}", json=body)
        response.raise_for_status()
        return dict(response.json())

    def _get(self, number: int, path: str) -> dict[str, object]:
        response = self._client.get(f"{self.addresses[number]}{path}")
        response.raise_for_status()
        return dict(response.json()["result"])

    @staticmethod
    def _until(holds: Callable[[], bool]) -> None:
        """Ask until something holds: the nodes agree among themselves, and tell nobody when they have."""
        pause, waited = threading.Event(), 0.0
        while not holds():
            pause.wait(0.05)
            waited += 0.05
            assert waited < _PATIENCE

    @staticmethod
    def _read_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
        assert process.stdout is not None
        with log.open("ab") as file:
            for line in process.stdout:
                file.write(line)
                if b"starting service" in line and b"actix" in line.lower():
                    break
            else:
                raise RuntimeError(f"Qdrant did not start; see {log}")

        def follow(told: IO[bytes]) -> None:
            with told, log.open("ab") as file:
                for line in told:
                    file.write(line)

        threading.Thread(target=follow, args=(process.stdout,), daemon=True).start()
