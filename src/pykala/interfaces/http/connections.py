"""Close idle connections, and limit how many one client can hold.

A request's head must arrive within a few seconds, and one address may hold only a limited number of
connections: a client that opens a thousand idle connections keeps nobody else out. Bodies have their own time
limits (`guards.py`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from pykala.interfaces.http.guards import caller_of
from pykala.interfaces.serving.shared_memory import SharedMemory


@dataclass(slots=True)
class ConnectionLimits:
    """The limits for connections, and how many each address holds to this process."""

    head_seconds: float  # within which the head of a request must arrive
    per_client: int
    proxies: Collection[str]  # they connect for many clients and are not counted
    memory: SharedMemory = field(default_factory=SharedMemory)  # counts of the other processes
    held: Counter[str] = field(default_factory=Counter)

    def is_proxy(self, address: str) -> bool:
        """Whether an address belongs to a trusted proxy or its network."""
        if address in self.proxies:
            return True
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    @property
    def _networks(self) -> Iterator[IPv4Network | IPv6Network]:
        for one in self.proxies:
            with suppress(ValueError):  # a host name is no network
                yield ip_network(one)

    def take(self, caller: str) -> bool:
        """Count a connection; False where its caller has too many."""
        self.held[caller] += 1
        self.memory.set_held(caller, self.held[caller])
        return self.held[caller] + self.memory.held_elsewhere(caller) <= self.per_client

    def give_back(self, caller: str) -> None:
        """Stop counting a connection."""
        self.held[caller] -= 1
        self.memory.set_held(caller, self.held[caller])
        if not self.held[caller]:
            del self.held[caller]


def bounded_connections(limits: ConnectionLimits) -> type[BoundedConnection]:
    """The HTTP/1.1 protocol class with the limits of one server."""

    class Connection(BoundedConnection):
        """The protocol of that server's connections."""

    Connection.limits = limits
    return Connection


class BoundedConnection(H11Protocol):
    """HTTP/1.1 with a time limit for request heads and a limit of connections per address."""

    limits: ClassVar[ConnectionLimits]
    _counted = ""  # the address that holds it
    _clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Accept the connection, or close it where its address has too many."""
        super().connection_made(transport)
        self.limits.memory.connections = len(self.connections)
        address = self.client[0] if self.client else ""
        if not self.limits.is_proxy(address):
            self._counted = caller_of(address) or "unknown"
            if not self.limits.take(self._counted):
                transport.abort()
                return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        super().connection_lost(exc)
        self.limits.memory.connections = len(self.connections)
        self._stop_waiting()
        if self._counted:
            self.limits.give_back(self._counted)
            self._counted = ""

    def data_received(self, data: bytes) -> None:
        """Read data; a request head must be complete within its time limit."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self.timeout_keep_alive_task is None:
            self._wait_for_head()

    def on_response_complete(self) -> None:
        """Start the time limit for the next request."""
        super().on_response_complete()
        self._stop_waiting()

    def _wait_for_head(self) -> None:
        if self._clock is None:  # from the first byte: a client that sends byte by byte must not gain time
            self._clock = self.loop.call_later(self.limits.head_seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _give_up(self) -> None:
        self._clock = None
        if not self.transport.is_closing():
            self.transport.abort()
