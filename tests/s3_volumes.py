"""A real S3 whose bytes lie twice, on two volume servers of SeaweedFS; each is a process of its own.

with S3Volumes.started(folder) as server:
    server.kill_volume(0)
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from s3_server import S3Server, program

_TWICE = "001"  # SeaweedFS's word for: once more, on another server of the same rack
VOLUMES = 2


class S3Volumes(S3Server):
    """A master, volume servers, and what speaks S3 before them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ports=5)
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start all of them, and return when the volume servers are known and S3 answers."""
        _, _, filer, s3, master = self._ports  # the first two are those of the volume servers
        (self._folder / "files").mkdir(parents=True, exist_ok=True)
        config = self._write_identity()
        known = threading.Semaphore(0)
        at_master = f"-master=127.0.0.1:{master}"
        self._start("master", (f"-port={master}", "-mdir=.", f"-defaultReplication={_TWICE}",
                               "-volumeSizeLimitMB=64"), b"added volume server", known)  # fmt: skip
        for number in range(VOLUMES):
            kept = self._folder / f"volume-{number}"
            kept.mkdir(exist_ok=True)
            options = (f"-port={self._ports[number]}", f"-dir={kept}", "-max=20", at_master)
            self._start("volume", options, b"", known, name=f"volume {number}")
        options = (f"-port={filer}", "-defaultStoreDir=files", at_master, "-s3", f"-s3.port={s3}",
                   f"-s3.config={config}", "-s3.port.iceberg=0", "-s3.port.lance=0")  # fmt: skip
        self._start("filer", options, b"local subscribe /etc/", known)
        for _ in range(VOLUMES + 1):
            assert known.acquire(timeout=300), "SeaweedFS did not start"

    def kill_volume(self, number: int) -> None:
        """End a volume server as a power cut would."""
        self._kill(f"volume {number}")

    def kill(self) -> None:
        """End all of them."""
        for name in list(self._running):
            self._kill(name)

    def _kill(self, name: str) -> None:
        process = self._running.pop(name)
        process.kill()
        process.wait(timeout=300)

    def _start(
        self, what: str, options: Sequence[str], sign: bytes, known: threading.Semaphore, name: str = ""
    ) -> None:
        process = subprocess.Popen(
            [program(), "-logtostderr=true", what, "-ip=127.0.0.1", "-ip.bind=127.0.0.1", *options],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self._running[name or what] = process
        assert process.stderr is not None
        threading.Thread(target=_follow, args=(process.stderr, sign, known), daemon=True).start()


def _follow(told: IO[bytes], sign: bytes, known: threading.Semaphore) -> None:
    """Read all that is told, so that nobody waits to tell it, and count the lines with a sign."""
    with told:
        for line in told:
            if sign and sign in line:
                known.release()
