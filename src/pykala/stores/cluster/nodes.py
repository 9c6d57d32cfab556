"""HTTP calls to the nodes of Qdrant: where a node does not answer, the next one is tried.

Every call is idempotent: points are written by number, and marked or removed by a filter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import httpx
import msgspec

from pykala.stores.store import StoreError, StoreForbidden, StoreFull, StoreIncompatible

_TIMEOUT: Final = httpx.Timeout(60.0, connect=2.0)
_READ_AT_ONCE: Final = 1_000
_WRITTEN_AT_ONCE: Final = 1_000

_JSON: Final = {"Content-Type": "application/json"}
_HUNG_UP: Final = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
_NO_ROOM: Final = ("No space left", "disk space", "Disk quota")  # messages for a full disk

Point = dict[str, Any]
Condition = dict[str, Any]


class QdrantNodes:
    """The nodes of one cluster; each can answer for all."""

    def __init__(self, library: str, addresses: Sequence[str], key: str = "") -> None:
        self._library, self._addresses = library, tuple(addresses)
        self._file = library.partition(":")[2]
        # Qdrant sends what it compresses in pieces, and each waits until the one before was acknowledged:
        # a call that takes 3 ms took 48.
        headers = {"Accept-Encoding": "identity", **({"api-key": key} if key else {})}
        self._clients = [
            httpx.Client(base_url=one, headers=headers, timeout=_TIMEOUT, trust_env=False)
            for one in addresses
        ]
        self._first = 0  # the node that answered last
        self.calls = 0  # counted for the benchmarks

    def close(self) -> None:
        """Close the connections."""
        for client in self._clients:
            client.close()

    def call(self, method: str, path: str, body: object = None, **asked: object) -> Any:
        """The response of the first node that answers. Raises StoreError, which says what to do."""
        self.calls += 1
        said = ""
        parameters = {name: str(value).lower() for name, value in asked.items()}
        for step in range(len(self._clients)):
            at = (self._first + step) % len(self._clients)
            try:
                response = _sent(self._clients[at], method, path, body, parameters)
            except httpx.TransportError as error:
                said = said or f"{self._addresses[at]}: {type(error).__name__}"
                continue
            if response.status_code >= 500:
                said = f"{self._addresses[at]}: {_message(response)}"
                continue
            self._first = at
            return self._result(response)
        if any(words in said for words in _NO_ROOM):
            raise StoreFull(
                f"a disk of Qdrant is full ({said}); what was published before is safe."
                " Free some space and run the command again: it goes on where it stopped"
            )
        raise StoreError(
            f"no node of Qdrant could answer ({said}); check the addresses in {self._file}"
            " and that the nodes run, then run the command again"
        )

    def _result(self, response: httpx.Response) -> Any:
        if response.status_code in (401, 403):
            raise StoreForbidden(
                f"{response.url.host} refused the key; check qdrant.key_file in {self._file}"
            )
        if response.status_code == 404:
            raise StoreIncompatible(
                f"Qdrant does not hold this library's passages ({_message(response)});"
                f" 'pykala reindex --library {self._library}' writes them from the records"
            )
        if response.status_code >= 400:
            raise StoreError(f"{response.url.host} could not do that: {_message(response)}")
        try:
            return msgspec.json.decode(response.content)["result"]
        except (msgspec.DecodeError, KeyError, TypeError):
            raise StoreError(
                f"{response.url.host} does not answer as Qdrant does; check qdrant.addresses in {self._file}"
            ) from None

    # Collections

    def collections(self) -> frozenset[str]:
        """The names of all collections."""
        return frozenset(one["name"] for one in self.call("GET", "/collections")["collections"])

    def create(self, name: str, layout: Mapping[str, Any]) -> None:
        """Create a collection."""
        self.call("PUT", f"/collections/{name}", layout)

    def index_columns(self, name: str, columns: Sequence[str]) -> None:
        """Index columns for filtering; does not wait, as results are the same without."""
        for column in columns:
            schema = {"field_name": column, "field_schema": "integer"}
            self.call("PUT", f"/collections/{name}/index", schema, wait=False)

    def drop(self, name: str) -> None:
        """Remove a collection."""
        self.call("DELETE", f"/collections/{name}")

    # Points

    def upsert(self, collection: str, points: Sequence[Point]) -> None:
        """Write whole points."""
        for at in range(0, len(points), _WRITTEN_AT_ONCE):
            body = {"points": points[at : at + _WRITTEN_AT_ONCE]}
            self.call("PUT", f"/collections/{collection}/points", body, wait=True)

    def mark(self, collection: str, payload: Mapping[str, Any], filter: Condition) -> None:
        """Set payload values of the points that pass a filter."""
        body = {"payload": payload, "filter": filter}
        self.call("POST", f"/collections/{collection}/points/payload", body, wait=True)

    def remove(self, collection: str, filter: Condition) -> None:
        """Remove the points that pass a filter."""
        self.call("POST", f"/collections/{collection}/points/delete", {"filter": filter}, wait=True)

    def count(self, collection: str, filter: Condition) -> int:
        """How many points pass a filter."""
        body = {"filter": filter, "exact": True}
        return int(self.call("POST", f"/collections/{collection}/points/count", body)["count"])

    def scroll(self, collection: str, filter: Condition, *, vectors: bool) -> Iterator[Point]:
        """Every point that passes a filter, with its payload."""
        body: dict[str, Any] = {
            "filter": filter,
            "limit": _READ_AT_ONCE,
            "with_payload": True,
            "with_vector": vectors,
        }
        while True:
            page = self.call("POST", f"/collections/{collection}/points/scroll", body)
            yield from page["points"]
            if page.get("next_page_offset") is None:
                return
            body["offset"] = page["next_page_offset"]

    def retrieve(self, collection: str, numbers: Collection[int], *, vectors: bool) -> list[Point]:
        """The points of some numbers that there are, with their payload."""
        body = {"ids": sorted(numbers), "with_payload": True, "with_vector": vectors}
        return list(self.call("POST", f"/collections/{collection}/points", body))

    def query(self, collection: str, searches: Sequence[Mapping[str, Any]]) -> list[list[Point]]:
        """Run the searches in one call."""
        found = self.call(
            "POST", f"/collections/{collection}/points/query/batch", {"searches": list(searches)}
        )
        return [one["points"] for one in found]


def _sent(
    client: httpx.Client, method: str, path: str, body: object, parameters: Mapping[str, str]
) -> httpx.Response:
    """Call a node; once more where it closed an idle connection just as the call was sent."""
    content, headers = (msgspec.json.encode(body), _JSON) if body is not None else (None, None)
    try:
        return client.request(method, path, content=content, params=parameters, headers=headers)
    except _HUNG_UP:
        return client.request(method, path, content=content, params=parameters, headers=headers)


def _message(response: httpx.Response) -> str:
    try:
        message = str(response.json()["status"]["error"])
    except (ValueError, KeyError, TypeError):
        message = f"HTTP {response.status_code}"
    return " ".join(message.split())[:300]
