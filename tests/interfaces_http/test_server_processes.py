"""`pykala serve --processes 2`: one address, several processes, and the same answers from each of them."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest

from http_serving import CAPITAL_INCOME, Served, settings_in, until
from pykala.interfaces.cli.main import run
from pykala.interfaces.http.options import ServerOptions, processes_for, threads_for
from pykala.interfaces.http.running import handed_on
from pykala.interfaces.http.supervising import Supervisor
from pykala.interfaces.http.worker import options_of
from pykala.interfaces.serving.location import LibraryLocation
from pykala.interfaces.serving.shared_memory import REQUESTS, WRONG_KEYS, SharedMemory
from pykala.settings import Settings
from pykala.stores.store import StoreError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="one process serves there")
LEASE = b"# Lease\n\n1 \xc2\xa7 The rent of the boathouse is 450 euros a month.\n"
LONG = 180.0  # seconds, on a machine where everything takes long
RENT = {"question": "What is the rent of the boathouse?"}


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[str]
    address: str

    @property
    def workers(self) -> list[int]:
        """The processes that serve, by their identifiers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        if not children.exists():
            pytest.skip("this system does not list the children of a process")
        return [int(one) for one in children.read_text().split()]

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.address, trust_env=False, timeout=LONG, headers=headers)

    def serves(self, worker: int, client: httpx.Client) -> bool:
        """Whether a client's open connection ends in that process."""
        # Whichever process a connection ends in, it answers, if only that it was asked too often.
        assert client.get("/api/v1/health").status_code in (200, 429)
        [connection] = client._transport._pool.connections  # type: ignore[attr-defined]
        stream = connection._connection._network_stream
        own = stream.get_extra_info("socket").getsockname()[1]
        return own in _ports_of(worker)

    @contextmanager
    def each(self) -> Iterator[list[httpx.Client]]:
        """A client for each process, every one with an open connection to it."""
        with ExitStack() as opened:
            found: dict[int, httpx.Client] = {}

            def all_found() -> bool:
                client = self.client()
                missing = [one for one in self.workers if one not in found and self.serves(one, client)]
                if not missing:
                    client.close()  # one address may hold only so many connections
                for worker in missing:
                    found[worker] = client
                    opened.callback(client.close)
                return len(found) == 2

            assert until(all_found, LONG), "one process takes every connection"
            yield list(found.values())


def _ports_of(process: int) -> set[int]:
    """The ports of the other ends of a process's connections."""
    held = set()
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        try:
            held.add(str(descriptor.readlink()))
        except OSError:
            continue  # closed meanwhile
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    held_lines = [line for line in lines if f"socket:[{line[9]}]" in held]
    return {int(line[2].rpartition(":")[2], 16) for line in held_lines} - {0}  # the one that listens


Start = Callable[..., Running]


@pytest.fixture
def start(http_folder: Path, served: Served) -> Iterator[Start]:
    """Starts servers of two processes over the sample, or over a library of their own."""
    settings = settings_in(http_folder)
    started: list[subprocess.Popen[str]] = []

    def starting(*arguments: str, **environment: str) -> Running:
        own = {"PYKALA_CACHE": str(settings.cache), "PYKALA_LIBRARY": str(settings.library)}
        command = [str(Path(sys.executable).parent / "pykala"), "serve", "--port", "0", "--processes", "2"]
        process = subprocess.Popen(
            [*command, *arguments],
            env={**os.environ, **own, "PYKALA_REQUESTS_PER_MINUTE": "0", **environment},
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://\S+(?=/)", line)
        assert found, line + process.stderr.read()
        return Running(process, found[0])

    yield starting
    for process in started:
        if process.poll() is None:
            process.terminate()
        try:
            process.communicate(timeout=LONG)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def said(client: httpx.Client, question: str) -> dict[str, object]:
    answer = client.post("/api/v1/ask", json={"question": question, "as_of": "2026-01-01"}).json()
    return {name: value for name, value in answer.items() if name not in ("id", "trace", "ms")}


def test_every_process_gives_the_same_answer_and_one_that_is_killed_is_replaced(
    start: Start, client: httpx.Client
) -> None:
    server = start()
    with server.each() as clients:
        first, second = (said(one, CAPITAL_INCOME) for one in clients)
        assert first["outcome"] == "ANSWERED"
        assert first == second == said(client, CAPITAL_INCOME)
        killed, other = server.workers
        os.kill(killed, signal.SIGKILL)
        with server.client() as anybody:
            assert anybody.get("/api/v1/ready").json()["status"] == "ready", "the other one serves on"
    assert until(lambda: len(server.workers) == 2 and killed not in server.workers, LONG)
    assert other in server.workers
    assert server.process.stderr is not None
    assert "signal 9" in server.process.stderr.readline()
    with server.each() as again:
        assert [said(one, CAPITAL_INCOME) for one in again] == [first, first], "the new one answers, too"
    workers = server.workers
    server.process.kill()
    assert until(lambda: not any(_is_alive(one) for one in workers), LONG), "they end by themselves"


def test_the_processes_share_the_connections_evenly_and_one_that_stands_still_keeps_nobody_waiting(
    start: Start,
) -> None:
    server = start()
    one, other = server.workers
    with ExitStack() as opened:

        def connected(count: int) -> list[httpx.Client]:
            clients = [opened.enter_context(server.client()) for _ in range(count)]
            assert {client.get("/api/v1/health").status_code for client in clients} == {200}
            return clients

        clients = connected(12)
        of_one = [client for client in clients if server.serves(one, client)]
        assert len(of_one) == 6
        for client in of_one:
            client.close()
        assert until(lambda: not _ports_of(one), LONG), "it learns that they have left"
        clients = connected(6)
        assert all(server.serves(one, client) for client in clients), "it has fewer"
        clients[0].close()
        os.kill(one, signal.SIGSTOP)
        try:
            [client] = connected(1)
            assert server.serves(other, client)
        finally:
            os.kill(one, signal.SIGCONT)


def ends_and_leaves_nothing(server: Running, temporary: Path, *, by_terminal: bool) -> None:
    """End a server by a signal: all of its processes end, and say and leave nothing."""
    workers = server.workers
    if by_terminal:
        os.killpg(server.process.pid, signal.SIGINT)  # as Ctrl-C does, all of them hear it
    else:
        server.process.terminate()
    assert server.process.wait(LONG) == 0
    assert len(workers) == 2
    assert not any(_is_alive(one) for one in workers)
    assert server.process.stderr is not None
    assert server.process.stderr.read() == "", "nothing is said at an end that was wished for"
    assert list(temporary.iterdir()) == []
    with pytest.raises(httpx.ConnectError), server.client() as client:
        client.get("/api/v1/health")


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """The folder in which a server's processes make temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def _is_alive(process: int) -> bool:
    """Whether a process is there, and not only waits for somebody to ask how it ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_one_process_takes_in_all_find_and_a_signal_ends_them(
    start: Start, tmp_path: Path, temporary: Path
) -> None:
    """What is uploaded through one, what the other removes, and what a process beside them ingests."""

    def listed(client: httpx.Client) -> set[str]:
        return {upload["work"] for upload in client.get("/api/v1/uploads").json()["uploads"]}

    def send(number: int) -> httpx.Response:
        file = (f"{number}.md", LEASE.replace(b"450", str(450 + number).encode()))
        return clients[number].post("/api/v1/uploads", files={"file": file})

    own = {"PYKALA_LIBRARY": str(tmp_path / "own")}  # the first upload makes a copy of the sample
    server = start(**own, TMPDIR=str(temporary))
    with server.each() as clients, ThreadPoolExecutor(2) as threads:
        assert [listed(client) for client in clients] == [set(), set()]
        sent = list(threads.map(send, (0, 1)))  # at the same time
        assert [one.status_code for one in sent] == [201, 201]
        works = {one.json()["work"] for one in sent}
        for client in clients:
            assert listed(client) == works
            assert "boathouse" in client.post("/api/v1/ask", json=RENT).text
        assert send(0).json()["unchanged"]
        gone = sent[0].json()["work"]
        assert clients[1].delete("/api/v1/uploads", params={"work": gone}).status_code == 204
        assert [listed(client) for client in clients] == [works - {gone}] * 2
        inbox = tmp_path / "inbox"
        inbox.mkdir()
        (inbox / "lease.md").write_bytes(LEASE.replace(b"450", b"470"))
        took_in = run(["inbox", str(inbox), "--library", str(tmp_path / "sample-with-uploads")])
        assert took_in == 0, "this process is the one beside them"
        for client in clients:
            assert "470 euros" in client.post("/api/v1/ask", json=RENT).text
            assert len(listed(client)) == 2
    ends_and_leaves_nothing(server, temporary, by_terminal=False)


def test_requests_and_wrong_keys_are_counted_by_all_processes_together_and_ctrl_c_ends_them(
    start: Start, temporary: Path
) -> None:
    server = start(PYKALA_API_KEYS="right", PYKALA_REQUESTS_PER_MINUTE="6", TMPDIR=str(temporary))
    path, key = "/api/v1/jurisdictions", {"Authorization": "Bearer right"}
    with server.each() as clients:  # asks only for what needs no key
        turns = [client.get(path, headers=key).status_code for _ in range(5) for client in clients]
        assert turns[:6] == [200] * 6
        assert turns[-1] == 429, "six in a minute, not six for each process"
        wrong = {"Authorization": "Bearer wrong"}
        guesses = [client.get(path, headers=wrong).status_code for _ in range(6) for client in clients]
        assert guesses[0] == 401
        assert guesses[-1] == 429
    ends_and_leaves_nothing(server, temporary, by_terminal=True)


def test_how_many_processes_serve_where_nobody_says(tmp_path: Path) -> None:
    with (tmp_path / "library.db").open("wb") as file:
        file.truncate(1_000_000)
        assert processes_for(tmp_path) == 1, "a small library is served by one"
        file.truncate(1 << 30)
    assert processes_for(tmp_path) == min(len(os.sched_getaffinity(0)), 8)
    assert ServerOptions().processes == 1


@pytest.mark.parametrize(
    ("folder", "settings", "online", "threads"),
    [
        ("law", {}, False, 2),
        ("law", {"PYKALA_HOME": "fi"}, False, 2),
        ("law", {}, True, 8),  # publishers are asked
        ("law", {"PYKALA_MODEL": "some-model"}, False, 8),
        ("law", {"PYKALA_EMBEDDER": "some-model"}, False, 8),
        ("postgresql://law@db/law", {}, False, 8),
    ],
)
def test_only_answers_that_wait_have_many_threads(
    folder: str, settings: dict[str, str], online: bool, threads: int
) -> None:
    assert threads_for(Path(folder), Settings.read(settings), online=online) == threads


@pytest.mark.parametrize("online", [False, True])
def test_each_process_has_the_options_of_its_server(tmp_path: Path, online: bool) -> None:
    """Each of them once answered eight questions at once where the server was told to answer two."""
    settings = settings_in(tmp_path)
    options = replace(
        ServerOptions.of(settings, host="127.0.0.2", port=8123, online=online, processes=3),
        threads=5,
        metrics_folder=tmp_path / "metrics",
    )
    told = json.loads(json.dumps(handed_on(LibraryLocation(tmp_path, None), options)))
    assert options_of(told, settings) == options


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        yield opened


def test_a_process_that_cannot_start_ends_the_server_with_a_reason(listening: socket.socket) -> None:
    supervisor = Supervisor(
        lambda number: [sys.executable, "-c", "raise SystemExit(7)"],
        listening,
        SharedMemory(2),
        ready=lambda: pytest.fail("nothing is ready"),
        tell=lambda words: None,
    )
    with pytest.raises(StoreError, match="exit code 7"):
        supervisor.run()


_STANDS_STILL = """
import json, os, sys, time
sys.path[:0] = {path!r}
from pykala.interfaces.serving.shared_memory import SharedMemory
passed = json.loads(sys.argv[-1])
memory = SharedMemory(2, number={number}, descriptor=passed["memory"])
memory.beat(time.monotonic())
os.write(passed["ready"], b".")
os.read(passed["life"], 1)
"""


def test_a_process_whose_event_loop_stands_still_is_killed(listening: socket.socket) -> None:
    told: list[str] = []

    def tell(words: str) -> None:
        told.append(words)
        os.kill(os.getpid(), signal.SIGTERM)

    supervisor = Supervisor(
        lambda number: [sys.executable, "-c", _STANDS_STILL.format(number=number, path=sys.path)],
        listening,
        SharedMemory(2),
        ready=lambda: None,
        tell=tell,
        frozen=0.5,
    )
    supervisor.run()
    assert "signal 9" in told[0]


# What the processes share


def test_a_caller_is_counted_in_each_table_for_itself() -> None:
    memory = SharedMemory()
    assert memory.rate(REQUESTS, "a") is None
    memory.set_rate(REQUESTS, "a", 3.5, 10.0)
    assert memory.rate(REQUESTS, "a") == (3.5, 10.0)
    assert memory.rate(WRONG_KEYS, "a") is None


def test_many_callers_push_out_the_oldest_of_their_row_and_never_fail() -> None:
    memory = SharedMemory()
    for number in range(40_000):
        memory.set_rate(REQUESTS, f"caller {number}", 1.0, float(number + 1))
    newest = [memory.rate(REQUESTS, f"caller {number}") for number in range(39_000, 40_000)]
    assert newest == [(1.0, float(number + 1)) for number in range(39_000, 40_000)]
    assert memory.rate(REQUESTS, "caller 0") is None


def test_connections_are_told_to_the_other_processes_and_forgotten_with_their_own() -> None:
    first = SharedMemory(3)
    second, third = (SharedMemory(3, number=one, descriptor=first.descriptor) for one in (1, 2))
    for number in range(1_000):
        first.set_held(f"10.0.{number // 250}.{number % 250}", 2)
    second.set_held("10.0.1.7", 5)
    assert third.held_elsewhere("10.0.1.7") == 7
    assert first.held_elsewhere("10.0.1.7") == 5
    second.forget(0)
    assert third.held_elsewhere("10.0.1.7") == 5
    second.set_held("10.0.1.7", 0)
    assert third.held_elsewhere("10.0.1.7") == 0
    assert first.descriptor is not None
    os.close(first.descriptor)


def test_a_process_that_is_killed_while_it_counts_stops_nobody() -> None:
    memory = SharedMemory(2)
    assert memory.descriptor is not None
    program = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "from pykala.interfaces.serving.shared_memory import SharedMemory\n"
        f"memory = SharedMemory(2, number=1, descriptor={memory.descriptor})\n"
        "with memory.counting(), memory.writing():\n"
        "    print('held', flush=True); sys.stdin.read()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        pass_fds=[memory.descriptor],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    child.kill()
    child.communicate()
    with memory.counting(), memory.writing():
        pass
    assert memory.written == 1, "what was killed half-way is no write"
    os.close(memory.descriptor)
