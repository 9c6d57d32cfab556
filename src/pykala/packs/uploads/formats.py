"""Detect a file's format: by its content; its name only decides between kinds of plain text."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from pykala.fetch.refusals import RefusedFile

from .blocks import MAX_BYTES, UploadText, bounded
from .markdown import read_markdown
from .pdf import read_pdf
from .plain_text import read_plain_text
from .web_page import read_web_page
from .word import read_word

_READERS: dict[str, Callable[[bytes, str], UploadText]] = {
    "pdf": read_pdf,
    "docx": read_word,
    "html": read_web_page,
    "markdown": read_markdown,
    "text": read_plain_text,
}
_ENDINGS = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".docm": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    "": "text",
}
_READ = "PDF, DOCX, HTML, Markdown and plain text are read"
#: First bytes of what is not read, and what to do about it.
_UNREAD = (
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old Word file, or one locked by a password; save it as DOCX without one",
    ),
    (b"{\\rtf", "a rich text file (RTF); save it as DOCX"),
    (b"\x89PNG", "a picture; recognise its text first, and add that"),
    (b"\xff\xd8\xff", "a picture; recognise its text first, and add that"),
    (b"GIF8", "a picture; recognise its text first, and add that"),
    (b"II*\0", "a picture; recognise its text first, and add that"),
    (b"MM\0*", "a picture; recognise its text first, and add that"),
    (b"\x1f\x8b", "a packed file; unpack it and add what it holds"),
    (b"\x28\xb5\x2f\xfd", "a packed file; unpack it and add what it holds"),
    (b"7z\xbc\xaf", "a packed file; unpack it and add what it holds"),
    (b"Rar!", "a packed file; unpack it and add what it holds"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
)
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*){0,8}"
    rb"(?:<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_WIDE_HTML = re.compile(r"\s*(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE)
_HEAD = 16_384


@dataclass(frozen=True, slots=True)
class Recognised:
    """A format, and a note where the name suggests another."""

    format: str
    note: str = ""


def recognise(data: bytes, name: str) -> Recognised:
    """Tell the format of a file. Raises RefusedFile with advice for one that is not read."""
    if len(data) > MAX_BYTES:
        raise RefusedFile(name, f"it is larger than {MAX_BYTES} bytes; split it and add the parts")
    if not data.strip():
        raise RefusedFile(name, "it is empty")
    ending = PurePosixPath(name).suffix.lower()
    promised = _ENDINGS.get(ending, "")
    found = _by_content(data, name, promised)
    if not found:
        if not promised:
            raise RefusedFile(name, f"no format that is read ({ending}): {_READ}; rename plain text to .txt")
        # Text under a name that suggests another format is read as plain text.
        found = promised if promised in ("text", "markdown", "html") else "text"
        if found == "html" and b"<" not in data and b"<" not in data.replace(b"\0", b""):
            found = "text"
    note = "" if found == promised else f"named {ending or 'without an ending'}, but read as {found}"
    return Recognised(found, note)


def _by_content(data: bytes, name: str, promised: str) -> str:
    head = data[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    for start, what in _UNREAD:
        if data.startswith(start):
            raise RefusedFile(name, f"{what} ({_READ})")
    if head.startswith(b"%PDF-") or (promised == "pdf" and b"%PDF-" in data[:1024]):
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zipped(data, name)
    if _HTML_START.match(data[:_HEAD]) or _wide_html(data):
        return "html"
    if head.startswith(b"<?xml"):
        raise RefusedFile(name, f"XML that is not a page ({_READ}); official XML is read by 'pykala ingest'")
    return ""


def _wide_html(data: bytes) -> bool:
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    return bool(_WIDE_HTML.match(data[:2048].decode("utf-16", "ignore")))


def _zipped(data: bytes, name: str) -> str:
    """The format of a zip archive, by the parts that it holds."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = set(archive.namelist())
    except Exception as fault:  # a broken directory may raise anything
        raise RefusedFile(name, f"a zip archive that is damaged or cut short ({fault})") from None
    if any(part.startswith("word/") for part in parts):
        return "docx"
    if any(part.startswith(("xl/", "ppt/")) for part in parts):
        raise RefusedFile(name, f"a spreadsheet or a presentation ({_READ}); save it as PDF")
    if "mimetype" in parts:
        raise RefusedFile(name, f"an OpenDocument or EPUB file ({_READ}); save it as DOCX or PDF")
    raise RefusedFile(name, "a zip archive without a Word document; unpack it and add what it holds")


def read_upload(data: bytes, name: str) -> tuple[str, UploadText]:
    """The format of a file and its words. Raises RefusedFile, and nothing else that is expected."""
    recognised = recognise(data, name)
    text = bounded(_READERS[recognised.format](data, name), name)
    notes = (recognised.note, *text.notes) if recognised.note else text.notes
    return recognised.format, replace(text, notes=notes)
