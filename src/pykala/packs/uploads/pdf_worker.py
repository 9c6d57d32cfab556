"""Reads one PDF in a process of its own: standard input in, JSON out. Run by `pdf.py`, never imported.

PDFium is a large C++ program that reads hostile files. If a file makes it crash, hang or use too much memory,
only this process ends, and the file is refused. Needs only pypdfium2.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import sys
from typing import Any

MAX_PAGES = 5_000
MAX_TEXT = 20_000_000
MEMORY = 3 * 1024**3
BOLD = 600


def main() -> int:
    """Read, and answer with the pages or with the reason why there are none."""
    if sys.platform != "win32":  # on Windows, only the time limit of the parent process applies
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        seconds = int(sys.argv[1])
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        pdfium: Any = importlib.import_module("pypdfium2")
    except ImportError:
        answer: dict[str, Any] = {"missing": True}
    else:
        answer = _read(pdfium, sys.stdin.buffer.read())
    sys.stdout.write(json.dumps(answer))
    return 0


def _read(pdfium: Any, data: bytes) -> dict[str, Any]:
    raw = pdfium.raw
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as fault:
        if "assword" in str(fault):
            return {"locked": True}
        return {"refused": f"it is no PDF that can be read ({fault})"}
    if len(document) > MAX_PAGES:
        return {"refused": f"it has more than {MAX_PAGES} pages; split it and add the parts"}
    pages: list[dict[str, Any]] = []
    length = 0
    for number in range(len(document)):
        try:
            page = document[number]
            pages.append(_page(page, raw))
            page.close()
        except pdfium.PdfiumError as fault:
            return {"refused": f"page {number + 1} cannot be read ({fault})"}
        length += sum(len(line[0]) for line in pages[-1]["lines"])
        if length > MAX_TEXT:
            return {"refused": f"it holds more than {MAX_TEXT} characters; split it and add the parts"}
    return {"pages": pages}


def _page(page: Any, raw: Any) -> dict[str, Any]:
    text_page = page.get_textpage()
    text = text_page.get_text_range()
    lines = []
    position = 0
    for line in text.split("\n"):
        words = line.strip()
        if words:
            lines.append([words, *_look(text_page, raw, position + line.index(words))])
        position += len(line) + 1
    text_page.close()
    width, height = page.get_size()
    covered = 0.0
    if len(text.strip()) < 200:  # a full page of words is no scan, whatever picture lies behind it
        for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=5):
            left, bottom, right, top = item.get_bounds()
            covered = max(covered, abs(right - left) * abs(top - bottom))
    return {"lines": lines, "image": covered / max(width * height, 1.0), "height": height}


def _look(text_page: Any, raw: Any, index: int) -> tuple[float, bool, float]:
    """Size, boldness and height on the page of the character at an index of the page's text."""
    at = raw.FPDFText_GetCharIndexFromTextIndex(text_page, index)
    if at < 0:
        return 0.0, False, 0.0
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharOrigin(text_page, at, x, y)
    size = raw.FPDFText_GetFontSize(text_page, at)
    matrix = raw.FS_MATRIX()
    if raw.FPDFText_GetMatrix(text_page, at, matrix):
        # Many writers set a font of size 1 and scale it by the matrix.
        size *= max(abs(matrix.d), abs(matrix.b)) or 1.0
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(text_page, at, name, len(name), flags)
    bold = b"bold" in name.value.lower() or raw.FPDFText_GetFontWeight(text_page, at) >= BOLD
    return round(size, 1), bold, round(y.value, 1)


if __name__ == "__main__":
    sys.exit(main())
