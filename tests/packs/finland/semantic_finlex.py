"""Files in the format of Semantic Finlex, made for the tests: the sentences are ours."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pykala.law.provisions import Document, Provision
from pykala.packs.finland.consolidated.reading import read_consolidated
from pykala.packs.finland.statutes.act_facts import ActFacts
from pykala.packs.pack import Snapshot, read_facts

FACTS = read_facts("pykala.packs.finland")
TYPES = {
    "osa": "Part",
    "luku": "Chapter",
    "pykala": "Section",
    "momentti": "Subsection",
    "kohta": "Paragraph",
    "alakohta": "Subparagraph",
    "johdanto": "Preamble",
    "loppukappale": "FinalParagraph",
    "valiotsikko": "Subheading",
    "liite": "Attachment",
    "johtolause": "EnactingClause",
}
ACT = "2001/77"


def node(
    place: str,
    text: str = "",
    *parts: dict[str, object],
    day: str = "",
    title: str = "",
    amended: str | Sequence[str] = "",
    repealed: str = "",
    before: str = "",
    act: str = ACT,
) -> dict[str, object]:
    """One version of a place: `node("pykala/1/momentti/2", "Words.", day="20050101", amended="2004/9")`."""
    steps = place.split("/")
    kind = steps[-1] if steps[-1] in {"johdanto", "johtolause", "loppukappale"} else steps[-2]
    version = f"ajantasa/{day}" if day else "alkup"
    name = f"sfsd:{act}/{place}/{version}"
    made: dict[str, object] = {
        "@id": name,
        "@type": f"sfl:{TYPES[kind]}Version",
        "isMemberOf": f"sfsd:{act}/{place}",
        "version": "sfl:Consolidated" if day else "sfl:Original",
        "versionDate": "2018-01-01",
    }
    if parts:
        made["hasPart"] = list(parts) if len(parts) > 1 else parts[0]
    if amended:
        acts = [amended] if isinstance(amended, str) else amended
        named = [f"sfsd:{one}/alkup" for one in acts]
        made["amendedBy"] = named if len(named) > 1 else named[0]
    if repealed:
        made["repealedBy"] = f"sfsd:{repealed}/alkup"
    if before:
        made["followedBy"] = f"sfsd:{act}/{before}/alkup"
    words: dict[str, object] = {"@id": f"{name}/fin"}
    if title:
        words["title_fi"] = title
    if text:
        words["hasFormat"] = {"@id": f"{name}/fin/txt", "content_fi": text}
    if title or text:
        made["languageVersion"] = words
    return made


def act(
    *parts: dict[str, object],
    title: str = "Laki koemaksusta",
    issued: str = "2001-02-03",
    since: str = "",
    number: str = ACT,
    sort: str = "Act",
) -> dict[str, object]:
    """A whole file."""
    state: dict[str, object] = {
        "@id": f"sfsd:{number}/ajantasa/20180101",
        "@type": "sfl:StatuteVersion",
        "dateDocument": issued,
        "isMemberOf": f"sfsd:{number}",
        "version": "sfl:Consolidated",
        "versionDate": "2018-01-01",
        "languageVersion": {"@id": f"sfsd:{number}/ajantasa/20180101/fin", "title_fi": title},
        "hasPart": list(parts),
    }
    if since:
        state["firstDateEntryInForce"] = since
    return {
        "@context": {},
        "@id": f"sfsd:{number}",
        "@type": ["http://data.finlex.fi/schema/sfl/NewStatute"],
        "idLocal": ["/".join(reversed(number.split("/")))],
        "typeDocument": [f"http://data.finlex.fi/schema/sfl/{sort}"],
        "temporalVersion": state,
    }


def read(value: object, path: str = "data/sd-jsonld-fi/2001-77.jsonld") -> tuple[Document, ActFacts]:
    """Read a file made here."""
    data = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    return read_consolidated(Snapshot(path, data, "0" * 64), FACTS)


def places(document: Document) -> dict[str, Provision]:
    """The provisions by the printed path within their work."""
    return {"/".join(map(str, one.id.path)): one for one in document.root.walk()}
