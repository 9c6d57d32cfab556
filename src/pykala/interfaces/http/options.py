"""Options of a server: plain values from the command line and the settings."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from socket import getfqdn, gethostname

from pykala.interfaces.http.tokens import Issuer
from pykala.interfaces.serving.rights import Right
from pykala.interfaces.web import STATIC
from pykala.packs.uploads import MAX_BYTES
from pykala.settings import Settings
from pykala.stores.opening import scheme_of

_LARGE = 256 * 1024 * 1024  # bytes of records from which several processes are started
_MOST_PROCESSES = 8  # the most processes that are started by default: each loads the models itself
_THREADS_THAT_WAIT, _THREADS_THAT_COMPUTE = 8, 2  # of each process, by what answers take
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
FETCHED = "fetched"  # the folder in the cache that keeps what publishers sent
#: A key with its name: "accounts=Zx81…". A "=" at the end is base64 padding, not a separator.
_NAMED = re.compile(r"([A-Za-z][A-Za-z0-9._-]{0,39})=(?!=*$)(.+)", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options of a server; the defaults suit one person on their own machine."""

    host: str = "127.0.0.1"
    port: int = 8765
    keys: tuple[str, ...] = field(default=(), repr=False)  # keys that may read
    upload_keys: tuple[str, ...] = field(default=(), repr=False)
    delete_keys: tuple[str, ...] = field(default=(), repr=False)
    fetch_keys: tuple[str, ...] = field(default=(), repr=False)
    ingest_keys: tuple[str, ...] = field(default=(), repr=False)
    administer_keys: tuple[str, ...] = field(default=(), repr=False)
    metrics_keys: tuple[str, ...] = field(default=(), repr=False)
    cache: Path | None = None  # folder for what can be made again; None: that of the library
    online: Path | None = None  # folder for files from publishers; None: publishers are not asked
    metrics: bool = False  # whether /metrics is served
    metrics_folder: Path | None = None  # shared by several processes, to sum their metrics; None: one process
    access_log: str = ""  # "stdout", "stderr" or a file; "": none is written
    access_log_questions: bool = False  # whether questions are written there, too
    requests_per_minute: int = 600  # of one key or address; 0: no limit
    audit: str = ""  # "1": log requests in the library's audit log; "questions": with their questions
    issuer: Issuer | None = None  # whose tokens are accepted besides keys
    redis: str = field(default="", repr=False)  # in which several servers count; may hold a password
    origins: tuple[str, ...] = ()  # other origins whose pages may call the API
    hosts: tuple[str, ...] = ()  # further names under which the server is reached
    proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded-For header is trusted
    connections_per_client: int = 100
    head_seconds: float = 10.0  # within which a request's head must arrive
    stall_seconds: float = 15.0  # the longest pause within a body
    wrong_keys_per_minute: int = 10  # of one address
    processes: int = 1
    threads: int = _THREADS_THAT_WAIT  # of each process
    seconds: float = 120.0  # the most that one request may take
    drain_seconds: int = 45  # in which running requests finish when the server is told to stop
    body_bytes: int = 1_000_000
    upload_bytes: int = MAX_BYTES
    page: Path = STATIC

    @classmethod
    def of(
        cls, settings: Settings, *, host: str, port: int, online: bool = False, processes: int = 1
    ) -> ServerOptions:
        """Combine the settings and the command line."""
        return cls(
            host=host,
            port=port,
            processes=processes,
            keys=settings.api_keys,
            upload_keys=settings.upload_keys,
            delete_keys=settings.delete_keys,
            fetch_keys=settings.fetch_keys,
            ingest_keys=settings.ingest_keys,
            administer_keys=settings.administer_keys,
            cache=settings.cache,
            online=settings.cache / FETCHED if online else None,
            metrics_keys=settings.metrics_keys,
            metrics=settings.metrics,
            access_log=settings.access_log,
            access_log_questions=settings.access_log_questions,
            audit=settings.audit,
            issuer=_issuer(settings),
            redis=settings.redis,
            origins=settings.origins,
            hosts=settings.hosts,
            proxies=settings.proxies,
            requests_per_minute=settings.requests_per_minute,
            drain_seconds=settings.drain_seconds,
        )

    @property
    def rights(self) -> Mapping[str, frozenset[Right]]:
        """The rights of each key."""
        plain = [(right, [_named(one)[1] for one in listed]) for right, listed in self._listed]
        keys = dict.fromkeys(key for _, listed in plain for key in listed)
        return {key: frozenset(right for right, listed in plain if key in listed) for key in keys}

    @property
    def is_guarded(self) -> bool:
        """Whether requests need a key or a token; keys of metrics guard /metrics alone."""
        return self.issuer is not None or any(held - {Right.METRICS} for held in self.rights.values())

    @property
    def key_names(self) -> Mapping[str, str]:
        """The name of each key for logs: the name given, else its position in the list."""
        given = {key: name for _, listed in self._listed for name, key in map(_named, listed) if name}
        return {key: given.get(key, f"key {place}") for place, key in enumerate(self.rights, start=1)}

    @property
    def _listed(self) -> tuple[tuple[Right, tuple[str, ...]], ...]:
        return (
            (Right.READ, self.keys),
            (Right.UPLOAD, self.upload_keys),
            (Right.DELETE, self.delete_keys),
            (Right.FETCH, self.fetch_keys),
            (Right.INGEST, self.ingest_keys),
            (Right.ADMINISTER, self.administer_keys),
            (Right.METRICS, self.metrics_keys),
        )

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        address = self._address
        return self.host in LOOPBACK_NAMES or (address is not None and address.is_loopback)

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens on all addresses; then a browser needs another address."""
        address = self._address
        return address is not None and address.is_unspecified

    @property
    def _address(self) -> IPv4Address | IPv6Address | None:
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    def answers_to(self, name: str) -> bool:
        """Whether a Host header, without its port, names this server.

        A foreign page could let its own host name resolve to this machine (DNS rebinding) and would then have
        the same origin, but its requests still carry its name. An IP address is safe, because no name is
        resolved: others may reach a public server by its address.
        """
        if name in LOOPBACK_NAMES | {self.host.lower()} or name in self.hosts:
            return True
        return not self.is_local and (_is_address(name) or name in names_of_this_machine())


def _issuer(settings: Settings) -> Issuer | None:
    if not settings.oidc_issuer:
        return None
    return Issuer(settings.oidc_issuer, settings.oidc_audience, frozenset(settings.oidc_rights))


def processes_for(folder: Path) -> int:
    """The default number of processes: one per core, and one where memory is scarce."""
    if sys.platform == "win32":  # the processes share files and locks that need POSIX
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    large = bool(scheme_of(folder)) or (folder / "library.db").stat().st_size >= _LARGE
    return min(cores, _MOST_PROCESSES) if large else 1


def threads_for(folder: Path, settings: Settings, *, online: bool) -> int:
    """The default number of questions that one process answers at once.

    Answering from a folder is computing, for which the threads of a process wait for one another: more of
    them make every answer dearer. Where answers wait for a database, a model or a publisher, more are of use.
    """
    models = (settings.model, settings.grader, settings.guidance, settings.embedder, settings.reranker)
    waits = bool(scheme_of(folder)) or online or any(one.is_set for one in (*models, settings.second_opinion))
    return _THREADS_THAT_WAIT if waits else _THREADS_THAT_COMPUTE


def _named(listed: str) -> tuple[str, str]:
    """Split an entry such as "accounts=Zx81…" into name and key; most entries are only a key."""
    found = _NAMED.fullmatch(listed)
    return (found[1], found[2]) if found else ("", listed)


@cache
def names_of_this_machine() -> frozenset[str]:
    """The names of this machine, looked up once: a slow name server must not delay every request."""
    return frozenset({gethostname().lower(), getfqdn().lower()})


def _is_address(name: str) -> bool:
    """Whether it is an IPv4 address, or an IPv6 address in brackets."""
    bracketed = name.startswith("[") and name.endswith("]")
    try:
        ip_address(name[1:-1] if bracketed else name)
    except ValueError:
        return False
    return True
