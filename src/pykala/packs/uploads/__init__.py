"""Uploads: PDF, DOCX, HTML, Markdown and plain text that a user adds, below every source of law."""

from __future__ import annotations

from .collection import UploadsPack
from .formats import MAX_BYTES
from .reading import work_of

__all__ = ["MAX_BYTES", "UploadsPack", "pack", "work_of"]

pack = UploadsPack()
