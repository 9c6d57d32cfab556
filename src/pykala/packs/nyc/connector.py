"""The live source: the State Senate's Open Legislation, queried politely, section by section.

The service accepts its key only as the parameter `key` of the address. `PoliteClient` shows, logs and stores
addresses without it; this module puts it nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final
from urllib.parse import quote, urlencode

from pykala.fetch.http import FetchFailed, PoliteClient
from pykala.packs.nyc.naming import TITLE
from pykala.packs.pack import Refusal, Snapshot

BASE: Final = "https://legislation.nysenate.gov"
LAW: Final = "ADC"
_GONE = frozenset({404, 410})


class SourceUnusable(Exception):
    """The service answered, but not with the law; the message has its answer and the next step."""


class OpenLegislation:
    """Title 11 as the service holds it. Not found is a refusal; an outage is an error, never "no law"."""

    __slots__ = ("_base", "_client", "_key", "refusals")

    def __init__(self, client: PoliteClient, key: str, *, base: str = BASE) -> None:
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise ValueError("Open Legislation needs a key: get one at legislation.nysenate.gov and set it")
        self._client, self._key, self._base = client, key, base.rstrip("/")
        self.refusals: list[Refusal] = []

    def __repr__(self) -> str:
        return f"OpenLegislation({self._base!r})"

    def sections(self, *, as_of: date | None = None) -> list[str]:
        """The location ids of the title's sections, in the order of the code."""
        result = self._result(self._get(f"laws/{LAW}", as_of), f"laws/{LAW}")
        tree = result.get("documents")
        if not isinstance(tree, dict):
            raise SourceUnusable(f"laws/{LAW}: the structure of the law is missing; try again later")
        found = [location for location in _sections(tree) if location.startswith(f"{TITLE}-")]
        if not found:
            raise SourceUnusable(f"laws/{LAW}: the structure holds no section of title {TITLE}")
        return found

    def files(self, *, as_of: date | None = None) -> Iterator[Snapshot]:
        """Each section as the service answers, under the path that the pack reads it by."""
        for location in self.sections(as_of=as_of):
            path = f"laws/{LAW}/{location}.json"
            try:
                data, url, retrieved, digest = self._get(_section_path(location), as_of)
                self._result((data, url, retrieved, digest), path)
            except FetchFailed as failed:
                if failed.status not in _GONE:
                    raise
                self.refusals.append(Refusal(path, f"the service has no such section ({failed.status})"))
                continue
            except SourceUnusable as fault:
                self.refusals.append(Refusal(path, str(fault)))
                continue
            yield Snapshot(path, data, digest, url, retrieved)

    def at_hand(self, location: str) -> bool:
        """Whether a section is available without asking the service."""
        return self._client.at_hand(self._address(_section_path(location), None))

    def _address(self, path: str, as_of: date | None) -> str:
        asked = {"date": as_of.isoformat()} if as_of else {}
        return f"{self._base}/api/3/{path}?{urlencode({**asked, 'key': self._key})}"

    def _get(self, path: str, as_of: date | None) -> tuple[bytes, str, date, str]:
        fetched = self._client.get(self._address(path, as_of))
        return fetched.data, fetched.url, fetched.retrieved_at.date(), fetched.sha256

    def _result(self, answer: tuple[bytes, str, date, str], path: str) -> Mapping[str, Any]:
        try:
            envelope = json.loads(answer[0])
        except (ValueError, RecursionError):
            raise SourceUnusable(
                f"{path}: the answer is no JSON, or only a part of it; try again later"
            ) from None
        if not isinstance(envelope, dict) or envelope.get("success") is not True:
            said = str(envelope.get("message", "")) if isinstance(envelope, dict) else ""
            said = said.replace(self._key, "***")[:200]  # a message may quote the request
            raise SourceUnusable(f"{path}: the service said no: {said or 'no reason'}; check the key")
        result = envelope.get("result")
        if not isinstance(result, dict):
            raise SourceUnusable(f"{path}: the answer holds no result; try again later")
        return result


def _section_path(location: str) -> str:
    # Without the slash at the end "11-208.1" would be read as a file of the kind ".1".
    return f"laws/{LAW}/{quote(location)}/"


def _sections(tree: Mapping[str, Any]) -> Iterator[str]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if node.get("docType") == "SECTION" and node.get("locationId"):
            yield str(node["locationId"])
        documents = node.get("documents")
        items = documents.get("items") if isinstance(documents, dict) else None
        stack.extend(item for item in reversed(items or []) if isinstance(item, dict))
