"""How an upload is cited ("Upload “contract.pdf”, § 3(a)"), and references inside one document.

An upload can only refer to itself. Words in it that look like a citation of a statute, or like the key of an
answer, have no target, so that no file can pass for the law.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pykala.fetch.refusals import printable
from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import Document, Provision, Work
from pykala.law.references import Unresolved
from pykala.text.stretches import Stretches

_KNOWN_BY = 16  # hexadecimal digits of the hash: 64 bits, beyond chance for any collection of files
_LONGEST_NAME = 80
_QUOTES = str.maketrans({"“": "'", "”": "'", "«": "'", "»": "'", "[": "(", "]": ")"})

#: A reference to a place of the document at hand, where no other document is named behind it.
_REFERENCE = re.compile(
    r"(?<![\w§])(?:(?P<word>sections?|clauses?|articles?|avsnitt|artikel|article|kohta|kohdan|kohdassa)\s+|§\s?)"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5})(?P<points>(?:\([a-z0-9]{1,4}\)){0,3})"
    r"(?![\w%€$]|[.,]\d|\s+(?:of|in)\s+(?:the|that|an?)\b|\s+(?:de|du)\s+l)",
    re.IGNORECASE,
)
_FINNISH = re.compile(r"(?<![\w§/])(?P<number>\d{1,3}) §(?::[a-zäö]{1,5})?(?!\w)")
#: Words before "5 §" that name another work: "tuloverolain 5 §", "arvonlisäverolain (1501/1993) 5 §".
_OF_A_LAW = re.compile(r"(?:\w+(?:lain|laissa|asetuksen|lagens|förordningens)|\w{2,6}L|\))\s*$")
_POINT = re.compile(r"\(([a-z0-9]{1,4})\)", re.IGNORECASE)
#: Our own form, so that a citation can be pasted back.
_OWN = re.compile(
    r"Upload [“\"](?P<name>[^”\"]{1,200})[”\"](?:,? (?P<sign>§|art\.) (?P<number>\d[\w.]{0,20}))?"
)


def work_of(sha256: str) -> WorkId:
    """The identifier of an upload: the same bytes are the same work, whatever the file is called."""
    return WorkId(f"up:{sha256[:_KNOWN_BY]}")


def upload_title(path: str) -> str:
    """The name of an upload: its file name, so that no upload takes the name of an act."""
    name = printable(path.rpartition("/")[2], _LONGEST_NAME).translate(_QUOTES)
    return f"Upload “{name}”"


def cite(provision: ProvisionId, work: Work, language: str) -> str:
    """The human citation; the same in every language, and always marked as an upload."""
    title = work.title(language)
    if not title.startswith("Upload "):
        title = upload_title(str(work.id))
    return ", ".join((title, *_places(provision.path)))


_WORDS = {"part": "part", "chp": "chapter", "sched": "schedule", "head": "heading", "para": "para."}
_WORDS |= {"table": "table", "note": "note", "flush": "para."}


def _places(path: Sequence[Step]) -> Iterator[str]:
    place = ""
    for step in path:
        if step.kind in ("sec", "art"):
            if place:
                yield place
            place = f"{'§' if step.kind == 'sec' else 'art.'} {step.number}"
        elif step.kind == "subsec" and "." in step.number and place.startswith("§ "):
            place = f"§ {step.number}"
        elif step.kind in ("subsec", "pnt"):
            place = f"{place}({step.number})" if place else f"({step.number})"
        else:
            if place:
                yield place
            place = f"{_WORDS.get(step.kind, step.kind)} {step.number}"
    if place:
        yield place


def find_citations(text: str, context: CitationContext) -> list[FoundCitation]:
    """References to places of the same document; in a question, our own form of citation alone."""
    if context.document is None:
        return [
            FoundCitation(found.start(), found.end(), found[0], f"Upload “{found['name']}”", _own_path(found))
            for found in _OWN.finditer(text)
        ]
    found = []
    for match in _REFERENCE.finditer(text):
        kind = "art" if (match["word"] or "").lower().startswith("art") else "sec"
        points = tuple(Step("pnt", point) for point in _POINT.findall(match["points"]))
        steps = (Step(kind, match["number"]), *points)
        found.append(FoundCitation(match.start(), match.end(), match[0], "", steps))
    taken = Stretches(found)
    for match in _FINNISH.finditer(text):
        free = taken.leave_free(match.start(), match.end())
        if free and not _OF_A_LAW.search(text, max(0, match.start() - 60), match.start()):
            steps = (Step("sec", match["number"]),)
            found.append(FoundCitation(match.start(), match.end(), match[0], "", steps))
    return sorted(found, key=lambda one: one.start)


def resolve(citation: FoundCitation, context: CitationContext) -> list[ResolvedCitation]:
    """The target of a reference: a place in the same document, or none."""
    if context.document is None:
        return [ResolvedCitation(alias=citation.work_name, path=citation.steps)] if citation.work_name else []
    place = _find(context.document, citation.steps)
    if place is None:
        return [ResolvedCitation(reason=Unresolved.NO_SUCH_PROVISION)]
    return [ResolvedCitation(target=place)]


def _own_path(found: re.Match[str]) -> tuple[Step, ...]:
    if not found["number"]:
        return ()
    if found["sign"] == "art.":
        return (Step("art", found["number"].rstrip(".")),)
    parts = found["number"].rstrip(".").split(".")
    numbers = [".".join(parts[: depth + 1]) for depth in range(len(parts))]
    return (Step("sec", numbers[0]), *(Step("subsec", number) for number in numbers[1:]))


def _find(document: Document, steps: Sequence[Step]) -> ProvisionId | None:
    """The first place of the document with the number, and the points below it as far as they exist."""
    place = _numbered_places(document).get((steps[0].kind, steps[0].number))
    return _below(place, steps[1:]) if place is not None else None


_Places = Mapping[tuple[str, str], Provision]
_indexed: tuple[Document, _Places] | None = None


def _numbered_places(document: Document) -> _Places:
    """Sections and articles by number; cached for one document, as its references come one after another."""
    global _indexed
    if _indexed is None or _indexed[0] is not document:
        places: dict[tuple[str, str], Provision] = {}
        for provision in document.root.walk():
            last = provision.id.last
            # "(3)" of another section is no section 3, while 3.1 is cited as a section.
            if last is not None and (
                last.kind in ("sec", "art") or (last.kind == "subsec" and "." in last.number)
            ):
                places.setdefault(("art" if last.kind == "art" else "sec", last.number), provision)
        _indexed = (document, places)
    return _indexed[1]


def _below(provision: Provision, points: Sequence[Step]) -> ProvisionId:
    for point in points:
        inner = next(
            (child for child in provision.children if child.id.last and child.id.last.number == point.number),
            None,
        )
        if inner is None:
            break
        provision = inner
    return provision.id
