"""A document of many like elements is read in time that grows with their number, and not with its square.

The elements of a file of every format (sections, rows of tables, items, headings, links) are repeated, and so
are citations in one text and attributes of one element. The lines of our own code that run are counted, for
each function, with so many elements and with four times as many: a count is the same on a busy machine, and
names the function that is too slow. Patterns are measured by `test_linear_reading.py`.
"""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html.parser import HTMLParser
from types import CodeType, FrameType
from typing import Any
from xml.parsers import expat

import pytest

import pykala
from fuzz.targets import Target, targets

Build = Callable[[int], bytes]
Span = tuple[str, int, int]  # an element's name, and its bytes

FEW, TIMES = 8, 4
#: Four times the elements run four times the lines; what is quadratic runs sixteen times as many.
MOST_GROWTH, COUNTED_FROM = 7.0, 700
PACKAGE = str(pykala.__path__[0])
#: What reads words, and cuts them in windows of bounded length, is measured by the other tests.
OF_WORDS = tuple(f"{PACKAGE}/{room}/" for room in ("text", "passages"))
READABLE = re.compile(r"\.(xml|html|jsonld|json|txt|md|docx)$")
_NUMBER = re.compile(r"(?<![\d.])\d{1,3}(?![\d])")
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
#: Whole references, of which a text may hold thousands, with words that make exceptions of them.
CITED = {
    "ca": "Despite section 5 of the Bank Act, subject to section 7 and subsection 8(2), (SOR/2004-69) ",
    "eu": "by way of derogation from Article 6(1) of Regulation (EU) 2016/679 and Article 5, ",
    "fi": "poiketen siitä, mitä tuloverolain (1535/1992) 124 §:ssä ja direktiivissä 2006/112/EY säädetään, ",
    "nyc": "notwithstanding section 11-503 and subdivision a of section 11-504 of this title, ",
    "uploads": "section 3 and 4 §, Article 5(1) ",
}
SEEDS = {name: target for name, target in targets().items() if name.startswith("read-")}


def cases(name: str, target: Target) -> Iterator[tuple[str, str, Build]]:
    """Every repetition for one reader: a name, as which file it is read, and how it is made."""
    seen: set[tuple[str, str]] = set()
    cited = next((words for code, words in CITED.items() if name.startswith(f"read-{code}")), "")
    for ending, seed in _largest(target).items():
        data = target.seeds[seed]
        for number, build in enumerate(_repetitions(ending, data, seen)):
            yield f"{seed}-{number}", seed, build
        if cited and ending in ("xml", "html", "txt", "md"):
            yield f"{seed}-cited", seed, partial(_with_citations, data, ending, cited)
        if ending == "xml":
            yield f"{seed}-attributes", seed, partial(_with_attributes, data)


def _largest(target: Target) -> dict[str, str]:
    """The largest file of each kind."""
    found: dict[str, str] = {}
    for seed in sorted(target.seeds, key=lambda one: len(target.seeds[one])):
        if (ending := READABLE.search(seed)) and "meta" not in seed:
            found[ending[1]] = seed
    return found


def _repetitions(kind: str, data: bytes, seen: set[tuple[str, str]]) -> Iterator[Build]:
    if kind in ("json", "jsonld"):
        yield from _lists_of(json.loads(data), seen)
    elif kind == "docx":
        yield from (partial(_word_file, data, inner) for inner in _groups(_inside(data), seen))
    elif kind in ("txt", "md"):
        lines = [("line", found.start(), found.end()) for found in re.finditer(rb"[^\n]*\n+", data)]
        yield partial(_repeated, data, [one for one in lines if data[one[1] : one[2]].strip()])
    else:
        yield from _groups(data, seen)


def _groups(data: bytes, seen: set[tuple[str, str]]) -> Iterator[Build]:
    """Elements of every name below every other, in groups that do not lie within one another."""
    smallest: dict[tuple[str, str], Span] = {}
    for above, span in _spans(data):
        key = (above, span[0])
        if above and key not in seen and (key not in smallest or _size(span) < _size(smallest[key])):
            smallest[key] = span
    seen |= smallest.keys()
    left = sorted(smallest.values(), key=_size)
    while left:
        group: list[Span] = []
        for span in left:
            if all(span[2] <= other[1] or other[2] <= span[1] for other in group):
                group.append(span)
        left = [span for span in left if span not in group]
        yield partial(_repeated, data, sorted(group, key=lambda one: one[1]))


def _size(span: Span) -> int:
    return span[2] - span[1]


def _repeated(data: bytes, spans: Sequence[Span], count: int) -> bytes:
    pieces, read = [], 0
    for _, start, end in spans:
        one = data[start:end].decode()
        copies = "".join(_numbered(one, number) for number in range(count)).encode()
        pieces += [data[read:end], copies]
        read = end
    return b"".join((*pieces, data[read:]))


def _numbered(one: str, number: int) -> str:
    """A copy with another number where the element has one, and every tenth with the same."""
    found = _NUMBER.search(one)
    if found is None or number % 10 == 0:
        return one
    return re.sub(rf"(?<!\d){found[0]}(?!\d)", str(number + 2), one)


def _spans(data: bytes) -> list[tuple[str, Span]]:
    try:
        return _spans_of_xml(data)
    except expat.ExpatError:
        return _Tags(data.decode()).found


def _spans_of_xml(data: bytes) -> list[tuple[str, Span]]:
    """Each element with the name of the one above it."""
    parser, found = expat.ParserCreate(), []
    stack: list[tuple[str, int]] = []

    def begin(name: str, _: dict[str, str]) -> None:
        stack.append((name, parser.CurrentByteIndex))

    def end(name: str) -> None:
        start = stack.pop()[1]
        opened = data.index(b">", start)
        empty = data[opened - 1 : opened] == b"/"
        over = (opened if empty else data.index(b">", parser.CurrentByteIndex)) + 1
        found.append((stack[-1][0] if stack else "", (name, start, over)))

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.Parse(data, True)
    return found


class _Tags(HTMLParser):
    """The elements of a page that is no XML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, Span]] = []
        self._text, self._stack = text, list[tuple[str, int]]()
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self.feed(text)

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in _VOID:
            self._stack.append((tag, self._at()))

    def handle_endtag(self, tag: str) -> None:
        while self._stack:
            name, start = self._stack.pop()
            if name == tag:
                over = self._text.index(">", self._at()) + 1
                above = self._stack[-1][0] if self._stack else ""
                places = (len(self._text[:place].encode()) for place in (start, over))
                self.found.append((above, (name, *places)))  # type: ignore[arg-type]
                return


def _lists_of(root: Any, seen: set[tuple[str, str]]) -> Iterator[Build]:
    """Every list of a JSON file, made longer."""
    for path in list(_paths(root, ())):
        key = ("", "/".join("*" if isinstance(step, int) else step for step in path))
        if key not in seen:
            seen.add(key)
            yield partial(_longer_list, root, path)


def _paths(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, list) and value:
        yield path
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value[:3]):
        if isinstance(inner, (dict, list)):
            yield from _paths(inner, (*path, step))


def _longer_list(root: Any, path: Sequence[Any], count: int) -> bytes:
    made = inner = json.loads(json.dumps(root))
    for step in path:
        inner = inner[step]
    one = json.dumps(inner[0])
    inner[1:1] = [json.loads(_numbered(one, number)) for number in range(count)]
    return json.dumps(made).encode()


def _inside(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read("word/document.xml")


def _word_file(data: bytes, inner: Build, count: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(made, "w") as copy:
        for name in archive.namelist():
            copy.writestr(name, inner(count) if name == "word/document.xml" else archive.read(name))
    return made.getvalue()


def _with_citations(data: bytes, kind: str, words: str, count: int) -> bytes:
    """Behind the longest words of a file, references and references."""
    texts = re.finditer(rb"[^\n]+" if kind in ("txt", "md") else rb"(?<=>)[^<>]+(?=<)", data)
    longest = max(texts, key=lambda found: found.end() - found.start())
    return data[: longest.end()] + f" {words * count}".encode() + data[longest.end() :]


def _with_attributes(data: bytes, count: int) -> bytes:
    """On the last element of a file that has words, attributes and attributes."""
    at = [found.end() for found in re.finditer(rb"<[\w:]+(?=[ >][^<]*[^<\s][^<]*</)", data)][-1]
    return data[:at] + b"".join(f' x{number}="1"'.encode() for number in range(count)) + data[at:]


def lines_run(target: Target, seed: str, data: bytes) -> Counter[CodeType]:
    """How many lines of each of our functions run while a file is read."""
    counted: Counter[CodeType] = Counter()

    def line(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            counted[frame.f_code] += 1
        return line

    def call(frame: FrameType, event: str, _: object) -> Any:
        name = frame.f_code.co_filename
        return line if name.startswith(PACKAGE) and not name.startswith(OF_WORDS) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        target.read(seed, data)
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.parametrize("name", SEEDS)
def test_many_like_elements_are_read_in_one_pass(name: str) -> None:
    target = SEEDS[name]
    for case, seed, build in cases(name, target):
        many = lines_run(target, seed, build(TIMES * FEW))
        if max(many.values(), default=0) <= COUNTED_FROM:  # too little runs to be suspected
            continue
        few = lines_run(target, seed, build(FEW))
        suspected = _growing(few, many)
        if suspected:  # or did it only begin to do anything where a text is long?
            more = lines_run(target, seed, build(TIMES * TIMES * FEW))
            suspected &= _growing(many, more)
        assert not suspected, f"{case}: {_named(suspected)}"


def _growing(few: Counter[CodeType], many: Counter[CodeType]) -> set[CodeType]:
    least = COUNTED_FROM / TIMES**2
    return {
        code
        for code, count in many.items()
        if count > COUNTED_FROM and count > MOST_GROWTH * max(few[code], least)
    }


def _named(functions: set[CodeType]) -> list[str]:
    return [f"{code.co_filename}:{code.co_firstlineno} {code.co_name}" for code in functions]
