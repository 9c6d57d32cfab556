"""The parts of a Word file: a zip archive of which only the few parts with words are unpacked.

Macros, embedded objects, pictures and everything outside the file that a relation points to are never read.
"""

from __future__ import annotations

import io
import zipfile
import zlib

from lxml import etree

from pykala.fetch.refusals import RefusedFile
from pykala.fetch.xml import parse_xml

_FAULTS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
    EOFError,
    KeyError,
    zlib.error,
)
_MAX_MEMBERS = 10_000
_MAX_PART = 64 * 1024 * 1024
_MAX_RATIO = 200
_RATIO_FROM = 8 * 1024 * 1024  # bytes; below this, a high compression ratio is harmless
_ENCRYPTED = 0x1
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_REPACK = "open it in Word or LibreOffice and save it again as DOCX"


class WordArchive:
    """A Word file, opened and checked; raises only RefusedFile for a file that it does not accept."""

    def __init__(self, data: bytes, name: str) -> None:
        self._name = name
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            members = self._zip.infolist()
        except _FAULTS as fault:
            raise RefusedFile(
                name, f"the DOCX archive is damaged or cut short ({fault}); {_REPACK}"
            ) from None
        if len(members) > _MAX_MEMBERS:
            raise RefusedFile(name, f"the DOCX archive holds more than {_MAX_MEMBERS} parts")
        self._members: dict[str, zipfile.ZipInfo] = {}
        for member in members:
            # Programs differ in how they read two parts of one name, so a file could show one text to a
            # person and another to a machine.
            if member.filename in self._members:
                raise RefusedFile(name, f"the DOCX archive holds {member.filename!r} twice; {_REPACK}")
            self._members[member.filename] = member
        _refuse_overlaps(members, name)

    @property
    def names(self) -> frozenset[str]:
        """The names of all parts."""
        return frozenset(self._members)

    def main_part(self) -> str:
        """The part with the document's words, by the package's own relations."""
        relations = self.part("_rels/.rels")
        for relation in () if relations is None else relations.iter(_RELATION):
            if (relation.get("Type") or "").endswith("/officeDocument"):
                return (relation.get("Target") or "").lstrip("/")
        return "word/document.xml"

    def part(self, path: str) -> etree._Element | None:
        """A part as a tree, or None where the file has no such part."""
        member = self._members.get(path)
        if member is None:
            return None
        return parse_xml(self._unpacked(member), f"{self._name} ({path})")

    def _unpacked(self, member: zipfile.ZipInfo) -> bytes:
        if member.flag_bits & _ENCRYPTED:
            raise RefusedFile(self._name, "it is protected by a password; save it without one")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise RefusedFile(
                self._name, f"a part is packed by method {member.compress_type}, which is not read"
            )
        if member.file_size > _MAX_PART:
            raise RefusedFile(self._name, f"a part unpacks to more than {_MAX_PART} bytes")
        if member.file_size > max(_RATIO_FROM, member.compress_size * _MAX_RATIO):
            raise RefusedFile(self._name, "it unpacks to far more than its size, like a decompression bomb")
        try:
            with self._zip.open(member) as part:
                # The directory may lie about the size: never read more than it promised.
                data = part.read(member.file_size + 1)
        except _FAULTS as fault:
            raise RefusedFile(
                self._name, f"a part of the DOCX archive is damaged ({fault}); {_REPACK}"
            ) from None
        if len(data) > member.file_size:
            raise RefusedFile(self._name, "a part of the DOCX archive is larger than it says")
        return data


def _refuse_overlaps(members: list[zipfile.ZipInfo], name: str) -> None:
    """Members that share packed bytes, as in Fifield's zip bomb (WOOT 2019)."""
    end = -1
    for member in sorted(members, key=lambda one: one.header_offset):
        if member.header_offset < end:
            raise RefusedFile(name, "parts of the DOCX archive overlap, like a decompression bomb")
        end = member.header_offset + 30 + member.compress_size
