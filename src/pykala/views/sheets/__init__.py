"""An answer as a document to keep: Word, PDF or Markdown, made from its record.

    data = write_sheet(record, "docx", made_on=date(2026, 6, 1))

A record is what `ask --json`, the HTTP API and the page hold. Whatever it quotes is data: it becomes words of
the document and nothing else. Word and PDF need the extra `documents`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from importlib.util import find_spec
from typing import Any, Final

from pykala.answer.replay import RecordUnreadable
from pykala.views.sheets.sheet import Sheet, sheet_of

__all__ = [
    "FORMS",
    "MEDIA_TYPES",
    "Sheet",
    "SheetsMissing",
    "require_writer",
    "sheet_of",
    "sheet_or_refusal",
    "write_sheet",
    "written_here",
]


class SheetsMissing(RuntimeError):
    """The extra that writes Word and PDF is not installed."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} is written by an extra that is not installed: pip install 'pykala[documents]'"
        )


def write_sheet(record: Mapping[str, Any], form: str, *, made_on: date) -> bytes:
    """Write a record as a document; RecordUnreadable or SheetsMissing where that is impossible."""
    return FORMS[form](sheet_of(record, made_on=made_on))


def sheet_or_refusal(record: str, form: str, made_on: date) -> tuple[bytes | None, str]:
    """Write a record's JSON as a document, or tell why not; for a process that reads what strangers send."""
    try:
        return write_sheet(json.loads(record), form, made_on=made_on), ""
    except RecordUnreadable as error:
        return None, str(error)
    except RecursionError:
        return None, "the record is nested too deeply"


def require_writer(form: str) -> None:
    """Raise SheetsMissing where the extra for a form is not installed."""
    if not _is_installed(form):
        raise SheetsMissing(_WRITERS[form][0])


def written_here() -> tuple[str, ...]:
    """The forms that can be written with what is installed."""
    return tuple(filter(_is_installed, FORMS))


def _is_installed(form: str) -> bool:
    return form not in _WRITERS or find_spec(_WRITERS[form][1]) is not None


def _markdown(sheet: Sheet) -> bytes:
    from pykala.views.sheets.as_markdown import markdown

    return markdown(sheet).encode()


def _word(sheet: Sheet) -> bytes:
    try:
        from pykala.views.sheets.as_word import word
    except ModuleNotFoundError:
        raise SheetsMissing("Word") from None
    return word(sheet)


def _pdf(sheet: Sheet) -> bytes:
    try:
        from pykala.views.sheets.as_pdf import pdf
    except ModuleNotFoundError:
        raise SheetsMissing("PDF") from None
    return pdf(sheet)


#: File extension → the function that writes it.
FORMS: Final[Mapping[str, Callable[[Sheet], bytes]]] = {"docx": _word, "pdf": _pdf, "md": _markdown}
_WRITERS: Final = {"docx": ("Word", "docx"), "pdf": ("PDF", "reportlab")}  # its name, and its module
MEDIA_TYPES: Final = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
    "md": "text/markdown; charset=utf-8",
}
