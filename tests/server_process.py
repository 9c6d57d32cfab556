"""What the servers of the tests share: a free port, and a server that is killed when its test has ended."""

from __future__ import annotations

import socket
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class ServerProcess(ABC):
    """A server that keeps its files in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    @contextmanager
    def started(cls, folder: Path) -> Iterator[Self]:
        """A new server, killed at the end."""
        server = cls(folder)
        server.start()
        try:
            yield server
        finally:
            server.kill()

    @abstractmethod
    def start(self) -> None:
        """Start it, and return when it is ready."""

    @abstractmethod
    def kill(self) -> None:
        """End it as a power cut would."""
