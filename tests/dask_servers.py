"""A real Dask scheduler and workers on loopback, each a process of its own.

    with DaskServers.started(folder, workers=2) as dask:
        dask.address
        dask.kill_worker(0)

Where Dask is not installed, `missing()` says so and tests skip with that line.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from server_process import free_port

TESTS = Path(__file__).parent


def missing() -> str:
    """Why no scheduler can be started here; empty where one can."""
    if importlib.util.find_spec("distributed") is None:
        return "NO DASK HERE: pip install 'pykala[cluster]' runs these tests"
    return ""


class DaskServers:
    """One scheduler and its workers, as `dask scheduler` and `dask worker` start them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self._scheduler: subprocess.Popen[bytes] | None = None
        self._workers: list[subprocess.Popen[bytes]] = []
        self._settings: dict[str, str] = {}

    @classmethod
    @contextmanager
    def started(cls, folder: Path, *, workers: int = 2, allowed_failures: int = 3) -> Iterator[DaskServers]:
        """A scheduler and workers, ended at the end however the block ends."""
        servers = cls(folder)
        servers._settings["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = str(allowed_failures)
        try:
            servers.start_scheduler()
            servers.start_workers(workers)
            yield servers
        finally:
            servers.end()

    def start_scheduler(self) -> None:
        """Start the scheduler, and return when it answers."""
        port = self.address.rpartition(":")[2]
        options = ("--host", "127.0.0.1", "--port", port, "--no-dashboard", "--no-show")
        self._scheduler = self._start("scheduler", options, b"Scheduler at:")

    def start_workers(self, count: int) -> None:
        """Start workers of one thread each, and return when the scheduler knows them."""
        for _ in range(count):
            options = (self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
            local = ("--local-directory", str(self.folder), "--death-timeout", "20")
            self._workers.append(self._start("worker", (*options, *local), b"Registered to:"))

    @property
    def processes(self) -> list[int]:
        """The numbers of all processes that were started."""
        return [one.pid for one in (self._scheduler, *self._workers) if one is not None]

    def kill_worker(self, number: int) -> None:
        """End a worker as a power cut would."""
        _kill(self._workers[number])

    def kill_scheduler(self) -> None:
        """End the scheduler as a power cut would; the workers end with it."""
        assert self._scheduler is not None
        _kill(self._scheduler)
        for worker in self._workers:
            _kill(worker)
        self._workers.clear()

    def end(self) -> None:
        """End whatever runs."""
        for process in (*self._workers, self._scheduler):
            if process is not None:
                _kill(process)

    def _start(self, what: str, options: tuple[str, ...], ready: bytes) -> subprocess.Popen[bytes]:
        path = os.pathsep.join([str(TESTS), str(TESTS.parent / "src"), os.environ.get("PYTHONPATH", "")])
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{what}", *options],
            cwd=self.folder,
            env={**os.environ, **self._settings, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert process.stderr is not None
        with (self.folder / f"{what}.log").open("ab") as log:
            for line in process.stderr:
                log.write(line)
                if ready in line:
                    break
            else:
                raise RuntimeError(f"the {what} did not start; see {self.folder / f'{what}.log'}")
        threading.Thread(target=self._follow, args=(process.stderr, what), daemon=True).start()
        return process

    def _follow(self, told: IO[bytes], what: str) -> None:
        with told, (self.folder / f"{what}.log").open("ab") as log:
            for line in told:
                log.write(line)


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=300)
