"""Uploads: PDF, DOCX, HTML, Markdown and plain text that a user adds, below every source of law."""

from __future__ import annotations

from .blocks import MAX_BYTES
from .citing import work_of
from .collection import UploadsPack

__all__ = ["MAX_BYTES", "UploadsPack", "pack", "work_of"]

pack = UploadsPack()
