"""TREC folders: a file of topics, a file of judgements (qrels), and documents.

Topics come as a table (`301<tab>international organised crime`) or marked up, in the old form whose fields
are not closed and in the XML of later tracks:

    <top>                                   <topics>
    <num> Number: 301                         <topic number="1">
    <title> International Organised Crime       <query>coronavirus origin</query>
    <desc> Description:                         <question>what is the origin of …</question>
    Identify organisations that …             </topic>
    </top>                                  </topics>

Neither is reliably XML (bare ampersands, fields without an end), so fields are found by their marks. Of a
topic the sentence is asked where there is one (question, desc), else its keywords (title, query).
Judgements are lines of `topic iteration document grade`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from pykala.evaluate.judged import Judgements, questions_of, read_judgement
from pykala.evaluate.questions import GoldQuestion, QuestionSetError, text_of

FORM = (
    "a TREC folder holds topics (topics*.txt, .xml or .sgml with <top> or <topic>, or topics*.tsv with an id,"
    " a tab and the text) and qrels*.txt or .tsv (topic, iteration, document, grade)"
)
_BLOCK = re.compile(r"<top(?:ic)?(\s[^<>]*)?>", re.I)
_BLOCK_END = re.compile(r"</top(?:ic)?>", re.I)
_NUMBER = re.compile(r"""\b(?:number|id|num)\s*=\s*["']([^"']+)["']""", re.I)
_FIELD = re.compile(r"<([a-z]+)(?:\s[^<>]*)?>([^<]*)", re.I)
#: The label at the beginning of a field in the old form, which is not part of the question.
_LEAD = re.compile(r"\s*(?:number|topic|description|narrative)\s*:", re.I)
_NUMBERED = ("num", "number", "id")
_ASKED = ("question", "desc", "description", "title", "query")
_HEADING = ("score", "grade", "rel", "relevance", "label")


def is_trec(folder: Path) -> bool:
    """Whether a folder has topics and judgements under TREC's names."""
    return bool(_files(folder, "topics")) and bool(_files(folder, "qrels"))


def read_trec(folder: Path) -> tuple[GoldQuestion, ...]:
    """The judged topics; relevant documents by decreasing grade."""
    topics = (topic for path in _files(folder, "topics") for topic in read_topics(text_of(path), path.name))
    return questions_of(folder, topics, _judgements(folder), "trec")


def read_topics(text: str, name: str) -> tuple[tuple[str, str], ...]:
    """The topics of a file, each with its number and its question."""
    if _BLOCK.search(text):
        return tuple(_marked_topics(text, name))
    return tuple(_listed_topics(text, name))


def _listed_topics(text: str, name: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            identifier, _, asked = line.partition("\t")
            if not identifier.strip() or not asked.strip():
                raise QuestionSetError(f"{name}, line {number}: expected an id, a tab and the text; {FORM}")
            yield identifier.strip(), asked.strip()


def _marked_topics(text: str, name: str) -> Iterator[tuple[str, str]]:
    opened = list(_BLOCK.finditer(text))
    for count, (mark, following) in enumerate(zip(opened, [*opened[1:], None], strict=True), start=1):
        block = text[mark.end() : following.start() if following else len(text)]
        body = _BLOCK_END.split(block, maxsplit=1)[0]
        fields = {found[1].casefold(): _plain(found[2]) for found in _FIELD.finditer(body)}
        numbered = _NUMBER.search(mark[1] or "")
        number = unescape(numbered[1]) if numbered else _first(fields, _NUMBERED)
        # A topic without fields (the clinical trials track) is its own text.
        asked = _first(fields, _ASKED) or ("" if fields else _plain(body))
        if not number.strip() or not asked:
            raise QuestionSetError(f"{name}: topic {count} has no number or nothing to ask; {FORM}")
        yield number.strip(), asked


def _first(fields: dict[str, str], names: tuple[str, ...]) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")


def _plain(marked: str) -> str:
    return " ".join(unescape(_LEAD.sub("", marked, count=1) if _LEAD.match(marked) else marked).split())


def _judgements(folder: Path) -> Judgements:
    judged: Judgements = {}
    for path in _files(folder, "qrels"):
        for number, line in enumerate(text_of(path).splitlines(), start=1):
            fields = line.split()
            if not fields or (number == 1 and fields[-1].casefold() in _HEADING):
                continue
            topic, document, grade = read_judgement(fields, f"{path.name}, line {number}")
            if grade > 0:
                judged.setdefault(topic, {})[document] = grade
    return judged


def _files(folder: Path, stem: str) -> list[Path]:
    """Files whose name begins so, in the folder or in a subfolder of that name."""
    here = [path for path in folder.iterdir() if path.name.casefold().startswith(stem)]
    inside = [path for one in here if one.is_dir() for path in one.iterdir()]
    return sorted(path for path in (*here, *inside) if path.is_file())
