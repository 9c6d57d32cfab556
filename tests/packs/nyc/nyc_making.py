"""Small files of the code for the tests; "~" stands for the hard space that indents levels."""

from __future__ import annotations

import json
from typing import Any

from pykala.law.provisions import Document, Provision
from pykala.packs.nyc import pack
from pykala.packs.pack import Reading, Snapshot, SourceItem

PLAIN = "nyc/title-11.txt"


def read(*files: tuple[str, bytes]) -> Reading:
    """What the pack makes of files given as (path, bytes)."""
    item = SourceItem("nyc:adc:11", tuple(path for path, _ in files))
    return pack.read(item, [Snapshot(path, data, "0" * 64) for path, data in files])


def read_plain(text: str) -> Document:
    reading = read((PLAIN, text.replace("~", "\N{NO-BREAK SPACE}").encode()))
    assert reading.refusals == ()
    return reading.documents[0]


def places(document: Document) -> dict[str, Provision]:
    """Every provision below the work, by its path."""
    return {
        "/".join(map(str, provision.id.path)): provision
        for provision in document.root.walk()
        if provision.id.path
    }


def texts(document: Document) -> dict[str, str]:
    return {path: provision.versions[-1].text for path, provision in places(document).items()}


def node(kind: str, number: str, title: str = "", text: str | None = None, **more: Any) -> dict[str, Any]:
    """A node as Open Legislation gives it; its text has a backslash and an n where a line ends."""
    items = more.pop("items", [])
    return {
        "lawId": "ADC",
        "lawName": "New York City Administrative Code",
        "locationId": more.pop("location", number),
        "title": title,
        "docType": kind,
        "docLevelId": number,
        "activeDate": "2025-07-18",
        "sequenceNo": 1,
        "repealedDate": None,
        "repealed": False,
        "text": text.replace("\n", "\\n") if text is not None else None,
        "documents": {"items": items, "size": len(items)},
        **more,
    }


def answer(result: dict[str, Any] | None, **envelope: Any) -> bytes:
    """An answer of Open Legislation around a result."""
    whole = {"success": True, "message": "", "responseType": "law-doc-info-detail", "result": result}
    return json.dumps({**whole, **envelope}).encode()
