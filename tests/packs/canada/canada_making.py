"""Small Justice Laws files for the tests."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

from pykala.law.provisions import Document, Provision
from pykala.packs.canada import pack
from pykala.packs.pack import Reading, Snapshot, SourceItem

NAMESPACE = 'xmlns:lims="http://justice.gc.ca/lims"'


def statute(body: str, *, language: str = "en", tail: str = "", introduction: str = "") -> bytes:
    """A whole act around a body."""
    title = "Bank Act" if language == "en" else "Loi sur les banques"
    return (
        f'\ufeff<?xml version="1.0" encoding="utf-8"?><Statute {NAMESPACE} lims:current-date="2026-04-28"'
        f' lims:inforce-start-date="2001-01-01" xml:lang="{language}"><Identification><LongTitle>{title}'
        f"</LongTitle><ShortTitle>{title}</ShortTitle><BillHistory><Stages stage='assented-to'><Date><YYYY>1991"
        "</YYYY><MM>12</MM><DD>13</DD></Date></Stages></BillHistory><Chapter><ConsolidatedNumber official='no'>"
        "B-1.01</ConsolidatedNumber></Chapter></Identification>"
        f"{introduction}<Body>{body}</Body>{tail}</Statute>"
    ).encode()


def section(label: str, inside: str, attributes: str = "") -> str:
    return f"<Section {attributes}><Label>{label}</Label>{inside}</Section>"


def read(*files: tuple[str, bytes], name: str = "ca:act:B-1.01") -> Reading:
    """What the pack makes of files given as (path, bytes)."""
    item = SourceItem(name, tuple(path for path, _ in files))
    return pack.read(item, [Snapshot(path, data, "0" * 64) for path, data in files])


def read_english(body: str, **parts: str) -> Document:
    reading = read(("eng/acts/B-1.01.xml", statute(body, **parts)))
    assert reading.refusals == ()
    return reading.documents[0]


def read_both(english: str, french: str) -> Reading:
    reading = read(
        ("eng/acts/B-1.01.xml", statute(english)),
        ("fra/lois/B-1.01.xml", statute(french, language="fr")),
    )
    assert reading.refusals == ()
    return reading


def place(provision: Provision) -> str:
    return "/".join(map(str, provision.id.path))


def places(document: Document) -> dict[str, Provision]:
    """Every provision below the work, by its path."""
    return {place(provision): provision for provision in document.root.walk() if provision.id.path}


def texts(document: Document) -> dict[str, str]:
    return {path: provision.versions[-1].text for path, provision in places(document).items()}
