"""PDF by its text layer: larger or bolder type marks headings, gaps separate paragraphs.

A page without a text layer is a picture of words. The file is then refused with that reason: half a contract
must not pass for a whole one.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from pykala.fetch.refusals import RefusedFile

from .blocks import Block, BlockKind, UploadText, plain
from .plain_text import paragraph_blocks, width_of

_WORKER = Path(__file__).with_name("pdf_worker.py")
_PROCESSOR = 18  # seconds of it that a file may take
_SECONDS = 120  # of waiting, on a machine with other work
_SCAN_FROM = 0.5  # share of the page that a picture covers where there are no words
_STAMP = 25  # letters; fewer on a full-page picture are a stamp or a page number, not a text layer
_FULL_PICTURE = 0.8
_UNREADABLE = 0.1  # share of characters that no font of the file maps
_LARGER = 1.12
_WIDER_GAP = 1.35
_MARGIN = 0.1  # of the page's height, at the top and at the bottom
_LONGEST_HEADING = 200
_OCR = "recognise its text first, for example with 'ocrmypdf in.pdf out.pdf', and add the result"
_ODD = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0b\x0c\x0e-\x1f]")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    size: float
    bold: bool
    height: float
    page: int


@dataclass(frozen=True, slots=True)
class _Type:
    """The ordinary type of this file, and the larger sizes from the largest down."""

    size: float
    bold: bool
    larger: tuple[float, ...]

    def level(self, line: _Line) -> int:
        """The level of a heading in such type, or 0 for ordinary text."""
        if line.size in self.larger:
            return self.larger.index(line.size) + 1
        if line.bold and not self.bold and line.size >= self.size:
            return len(self.larger) + 1
        return 0


def read_pdf(data: bytes, name: str) -> UploadText:
    """Read a PDF. Raises RefusedFile, also where the reader of PDF is not installed."""
    pages = _pages(data, name)
    _refuse_scans(pages, name)
    lines = [
        _Line(words, size, bold, height, number)
        for number, page in enumerate(pages)
        for text, size, bold, height in page["lines"]
        if (words := plain(text.replace("\ufffe", "").replace("\x02", "")))
    ]
    _refuse_riddles(lines, name)
    furniture = _furniture(lines, [page["height"] for page in pages])
    blocks = list(_blocks([line for line in lines if line not in furniture]))
    if furniture:
        # Headers and footers interrupt sentences at page ends; they are kept once, at the end.
        kept = dict.fromkeys(line.text for line in lines if line in furniture)
        blocks.append(Block("\n".join(kept), BlockKind.FOOTNOTE))
    notes = ("headers and footers of its pages were put at the end",) if furniture else ()
    return UploadText(tuple(blocks), notes)


def _pages(data: bytes, name: str) -> list[dict[str, Any]]:
    try:
        # Our own script, no shell, and nothing of the file in the arguments.
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-I", str(_WORKER), str(_PROCESSOR)],
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RefusedFile(name, f"it could not be read within {_SECONDS} seconds") from None
    except OSError as fault:
        raise RefusedFile(name, f"the reader of PDF could not be started ({fault})") from None
    if done.returncode != 0:
        raise RefusedFile(name, "it makes the reader of PDF fail: it is damaged, hostile or too large")
    answer = json.loads(done.stdout)
    if answer.get("missing"):
        raise RefusedFile(
            name, "PDF is read by an extra that is not installed: pip install 'pykala[uploads]'"
        )
    if answer.get("locked"):
        raise RefusedFile(name, "it is protected by a password; save it without one and add it again")
    if "refused" in answer:
        raise RefusedFile(name, str(answer["refused"]))
    pages: list[dict[str, Any]] = answer["pages"]
    return pages


def _refuse_scans(pages: Sequence[dict[str, Any]], name: str) -> None:
    scanned = []
    for number, page in enumerate(pages, start=1):
        letters = sum(character.isalpha() for line in page["lines"] for character in line[0])
        if (letters == 0 and page["image"] >= _SCAN_FROM) or (
            letters < _STAMP and page["image"] >= _FULL_PICTURE
        ):
            scanned.append(number)
    if scanned:
        which = ", ".join(map(str, scanned[:5])) + (" …" if len(scanned) > 5 else "")
        pages_word = "page" if len(scanned) == 1 else "pages"
        raise RefusedFile(
            name, f"{pages_word} {which} of {len(pages)}: scanned, without a text layer; {_OCR}"
        )


def _refuse_riddles(lines: Sequence[_Line], name: str) -> None:
    """Refuse unreadable text: a font of the file lacks a map to characters."""
    odd = sum(len(_ODD.findall(line.text)) for line in lines)
    if odd > _UNREADABLE * sum(len(line.text) for line in lines):
        raise RefusedFile(name, f"its text layer does not say which characters it shows; {_OCR}")


def _furniture(lines: Sequence[_Line], heights: Sequence[float]) -> set[_Line]:
    """Lines in the margins that stand at the same place on most pages, whatever number they bear."""
    if len(heights) < 3:
        return set()
    places: dict[tuple[str, int], list[_Line]] = {}
    for line in lines:
        height = heights[line.page] or 1.0
        if not _MARGIN < line.height / height < 1 - _MARGIN:
            places.setdefault((_DIGITS.sub("#", line.text), round(line.height / 4)), []).append(line)
    often = max(3, len(heights) // 2)
    return {line for held in places.values() if len({one.page for one in held}) >= often for line in held}


def _blocks(lines: Sequence[_Line]) -> Iterator[Block]:
    if not lines:
        return
    looks = _type(lines)
    gap = _usual_gap(lines)
    width = width_of([line.text for line in lines if not looks.level(line)])
    for held in _grouped(lines, looks, gap):
        level = looks.level(held[0])
        text = " ".join(line.text for line in held)
        if level and len(text) <= _LONGEST_HEADING:
            yield Block(text, BlockKind.HEADING, level)
        else:
            yield from paragraph_blocks([line.text for line in held], width)


def _type(lines: Sequence[_Line]) -> _Type:
    weights: Counter[tuple[float, bool]] = Counter()
    for line in lines:
        weights[line.size, line.bold] += len(line.text)
    (size, bold), _ = weights.most_common(1)[0]
    larger = sorted({line.size for line in lines if line.size > size * _LARGER}, reverse=True)
    return _Type(size, bold, tuple(larger[:5]))


def _usual_gap(lines: Sequence[_Line]) -> float:
    gaps = [
        before.height - line.height
        for before, line in pairwise(lines)
        if before.page == line.page and before.height > line.height
    ]
    return median(gaps) if gaps else 0.0


def _grouped(lines: Sequence[_Line], looks: _Type, gap: float) -> Iterator[list[_Line]]:
    held = [lines[0]]
    for line in lines[1:]:
        before = held[-1]
        same_type = looks.level(before) == looks.level(line)
        if same_type and _runs_on(before, line, gap):
            held.append(line)
        else:
            yield held
            held = [line]
    yield held


def _runs_on(before: _Line, line: _Line, gap: float) -> bool:
    if before.page != line.page or line.height > before.height:
        # Over a page's end, or into the next column, a sentence runs on only if it is not over.
        return before.text[-1:] not in ".;:!?" and line.text[:1].islower()
    return before.height - line.height <= max(gap, line.size) * _WIDER_GAP
