"""Acts that a new act repeals whole, in a section of its own.

"Tällä lailla kumotaan rehulaki (86/2008)." What it repeals in part stands in the genitive
("kansaneläkelain (568/2007) 6 §") and is not read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision
from pykala.law.references import EdgeKind, Method, Reference

_SENTENCE = re.compile(
    r"\b(?:tällä (?:lailla|asetuksella|päätöksellä) kumotaan|genom denna (?:lag|förordning) upphävs)"
    r"(?P<acts>[^.]{4,2000})",
    re.IGNORECASE,
)
#: The nominative: "annettu laki (26/2016)", "rehulaki (86/2008)", "aerosoliasetus (1433/1993)".
_WHOLE = re.compile(
    r"(?:laki|asetus|kaari|päätös|lagen|lag|förordningen|förordning)"
    r"(?: \d{1,2} päivänä \w+kuuta \d{4})? \((?P<number>\d{1,5})/(?P<year>\d{2}(?:\d{2})?)\)"
)


def repealed_in(text: str) -> Iterator[tuple[WorkId, int, int]]:
    """The acts that a text says to repeal whole, with the span that names each."""
    if "umotaan" not in text and "upphävs" not in text:
        return
    for sentence in _SENTENCE.finditer(text):
        for found in _WHOLE.finditer(sentence["acts"]):
            year = found["year"] if len(found["year"]) == 4 else f"19{found['year']}"
            at = sentence.start("acts")
            yield WorkId(f"fi:act:{year}/{int(found['number'])}"), at + found.start(), at + found.end()


def repeals_of(document: Document) -> Iterator[Reference]:
    """The repeals of whole acts that a document's provisions state, for the graph."""
    for provision in document.root.walk():
        yield from _of_provision(provision, document)


def _of_provision(provision: Provision, document: Document) -> Iterator[Reference]:
    for version in provision.versions[-1:]:
        for act, start, end in repealed_in(version.text):
            if act != document.work:
                yield Reference(
                    provision.id,
                    EdgeKind.REPEALS,
                    version.text[start:end],
                    document.language,
                    Method.AMENDMENT,
                    start,
                    end,
                    target=ProvisionId(act),
                    validity=version.validity,
                )
