"""How a server is set: inert values, told by the command line and the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from pykala.packs.uploads import MAX_BYTES
from pykala.settings import Settings

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """What a server allows; the defaults are those of one person on their own machine."""

    host: str = "127.0.0.1"
    port: int = 8765
    keys: tuple[str, ...] = field(default=(), repr=False)  # none: everybody who reaches it may use it
    requests_per_minute: int = 600  # of one key or address; 0: no limit
    origins: tuple[str, ...] = ()  # other origins whose pages may call the API
    hosts: tuple[str, ...] = ()  # further names under which the server is reached
    threads: int = 8
    seconds: float = 120.0  # that one request may take
    body_bytes: int = 1_000_000
    upload_bytes: int = MAX_BYTES
    page: Path = Path(__file__).parent.parent / "web" / "static"

    @classmethod
    def of(cls, settings: Settings, *, host: str, port: int) -> ServerOptions:
        """What the settings and the command line say together."""
        return cls(
            host=host,
            port=port,
            keys=settings.api_keys,
            origins=settings.origins,
            hosts=settings.hosts,
            requests_per_minute=settings.requests_per_minute,
        )

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        address = self._address
        return self.host in LOOPBACK_NAMES or (address is not None and address.is_loopback)

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens on every address of this machine, which is none to give to a browser."""
        address = self._address
        return address is not None and address.is_unspecified

    @property
    def _address(self) -> IPv4Address | IPv6Address | None:
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The Host headers that are answered; empty: every one.

        On loopback a page of somewhere else could have its own name resolve to this machine (DNS rebinding)
        and would then be of the same origin; its requests still carry its name.
        """
        if self.is_local:
            return LOOPBACK_NAMES | {self.host} | frozenset(self.hosts)
        return frozenset(self.hosts)
