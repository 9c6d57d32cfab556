"""What BEIR and TREC folders share: documents, graded judgements, and the gold that follows from both.

The documents are put into a library as uploads (`write_documents`, then `pykala inbox`). An upload is
identified by its bytes, so the gold of a query follows from the documents alone. If a document's id is
already the identifier of a provision (`fi:act:2015/410/sec_110`), it is that provision and needs no upload.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from html import unescape
from pathlib import Path

from pykala.evaluate.questions import GoldQuestion, QuestionSetError, json_lines, lines_of, text_of
from pykala.law.identifiers import InvalidIdentifier, ProvisionId
from pykala.packs.uploads import work_of

#: topic → document → grade; only relevant documents (a grade above 0).
Judgements = dict[str, dict[str, int]]

_FORMS = (
    "documents stand in corpus.jsonl (_id, title, text), in collection.tsv or corpus.tsv (id, text), or as"
    " <DOC> … </DOC> in files that end in .trec, .sgml or .sgm"
)
_DOC = re.compile(r"<DOC>", re.I)
_DOC_END = re.compile(r"</DOC>", re.I)
_FIELD = re.compile(r"<(DOCNO|HEADLINE|TITLE|HEAD|TEXT)>", re.I)
_TAG = re.compile(r"<[^<>]*>")


def questions_of(
    folder: Path, topics: Iterator[tuple[str, str]], judged: Judgements, kind: str
) -> tuple[GoldQuestion, ...]:
    """The judged topics as questions; relevant documents by decreasing grade."""
    places = _places(folder, {document for grades in judged.values() for document in grades})
    return tuple(
        _question(identifier, text, judged[identifier], places, kind)
        for identifier, text in topics
        if judged.get(identifier)
    )


def write_documents(folder: Path, target: Path) -> int:
    """Write the documents of a BEIR or TREC folder as files for `pykala inbox`; return their number."""
    target.mkdir(parents=True, exist_ok=True)
    count = 0
    for _, text in documents(folder):
        data = text.encode()
        (target / f"{sha256(data).hexdigest()[:16]}.txt").write_bytes(data)
        count += 1
    return count


def documents(folder: Path) -> Iterator[tuple[str, str]]:
    """Every document of a folder: its id and its text, the title above it."""
    for name, reader in _READERS.items():
        if (folder / name).is_file():
            yield from reader(folder / name)
            return
    marked = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".trec", ".sgml", ".sgm"))
    found = [path for path in marked if path.is_file() and not path.name.lower().startswith("topics")]
    if not found:
        raise QuestionSetError(f"{folder} has no documents: {_FORMS}")
    for path in found:
        yield from _marked_documents(path)


def read_judgement(fields: list[str], where: str) -> tuple[str, str, int]:
    """Topic, document and grade of a line of judgements with three fields, or with TREC's four."""
    if len(fields) not in (3, 4):
        raise QuestionSetError(
            f"{where}: expected topic, document and grade, or TREC's four fields with the iteration second"
        )
    topic, document, grade = fields[0], fields[-2], fields[-1]
    if not grade.lstrip("-").isdecimal():
        raise QuestionSetError(f"{where}: {grade!r} is not a grade; write a whole number, 0 for not relevant")
    return topic, document, int(grade)


def _question(
    identifier: str, text: str, grades: Mapping[str, int], places: Mapping[str, ProvisionId], kind: str
) -> GoldQuestion:
    best: dict[ProvisionId, int] = {}  # two documents with the same words are one upload
    for document in sorted(grades, key=lambda one: (-grades[one], one)):
        best.setdefault(places[document], grades[document])
    return GoldQuestion(identifier, text, gold=(tuple(best),), kind=kind, grades=tuple(best.values()))


def _places(folder: Path, wanted: set[str]) -> dict[str, ProvisionId]:
    """The place of each judged document in a library. Provisions named by identifier need no document."""
    places = {identifier: place for identifier in wanted if (place := _identified(identifier)) is not None}
    missing = wanted - places.keys()
    if missing:
        for identifier, text in documents(folder):
            if identifier in missing:
                places[identifier] = ProvisionId(work_of(sha256(text.encode()).hexdigest()))
    if unknown := sorted(wanted - places.keys()):
        raise QuestionSetError(
            f"{folder}: the judgements name documents that the folder lacks: {unknown[:3]}; {_FORMS}"
        )
    return places


def _identified(identifier: str) -> ProvisionId | None:
    try:
        return ProvisionId.parse(identifier)
    except InvalidIdentifier:
        return None


def _json_documents(path: Path) -> Iterator[tuple[str, str]]:
    for record in json_lines(path):
        title = str(record.get("title") or "").strip()
        yield field(record, "_id", path), _composed(title, field(record, "text", path))


def _table_documents(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in lines_of(path):
        identifier, _, text = line.partition("\t")
        if not text.strip():
            raise QuestionSetError(f"{path.name}, line {number}: expected an id, a tab and the text")
        yield identifier, _composed("", text.strip())


def _marked_documents(path: Path) -> Iterator[tuple[str, str]]:
    for opened in _DOC.split(text_of(path))[1:]:
        block = _DOC_END.split(opened, maxsplit=1)[0]
        fields = _fields(block)
        number = " ".join(fields.get("docno", ()))
        if not number:
            raise QuestionSetError(f"{path.name}: a <DOC> without a <DOCNO>; {_FORMS}")
        title = " ".join(one for name in ("headline", "title", "head") for one in fields.get(name, ()))
        body = "\n\n".join(fields.get("text", ()))
        yield number, _composed(title, body or _plain(block).removeprefix(number).strip())


def _fields(block: str) -> dict[str, list[str]]:
    """The fields of a document, each from its tag to its end tag, or to the next field."""
    found: dict[str, list[str]] = {}
    marks = list(_FIELD.finditer(block))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        inside = block[mark.end() : following.start() if following else len(block)]
        end = re.search(rf"</{mark[1]}>", inside, re.I)
        if words := _plain(inside[: end.start()] if end else inside):
            found.setdefault(mark[1].casefold(), []).append(words)
    return found


def _plain(marked: str) -> str:
    return unescape(_TAG.sub("", marked)).strip()


def _composed(title: str, text: str) -> str:
    return f"{title}\n\n{text}\n" if title else f"{text}\n"


def field(record: Mapping[str, object], name: str, path: Path) -> str:
    """A text of a record that must have it."""
    value = record.get(name)
    if not isinstance(value, str):
        raise QuestionSetError(f"{path.name}: a record without a text {name!r}")
    return value


_READERS: dict[str, Callable[[Path], Iterator[tuple[str, str]]]] = {
    "corpus.jsonl": _json_documents,
    "collection.tsv": _table_documents,
    "corpus.tsv": _table_documents,
}
