"""Names of files and archive members: which are safe, and their normal form."""

from __future__ import annotations

import re
import unicodedata

_DRIVE = re.compile(r"[A-Za-z]:")
# All of Unicode's category Cc, and halves of characters. Looked at one by one, the characters of names took
# half of the time in which an archive is opened.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_HALF = re.compile("[\ud800-\udfff]")
_LONGEST = 1024


class UnsafeName(ValueError):
    """A name that could lead outside its folder, or that cannot be shown as it is."""


def normal_path(raw: str) -> str:
    """The normal form of a path: relative, posix, no `.` or empty steps, NFC.

    Archives packed on macOS decompose letters (`a` + U+0308): a pack that looks for
    `Syventävät vero-ohjeet` must find it there too. Raises UnsafeName with the reason.
    """
    if len(raw) > _LONGEST:
        raise UnsafeName(f"the name is longer than {_LONGEST} characters")
    if _CONTROL.search(raw):
        raise UnsafeName("the name holds a control character")
    if _HALF.search(raw):
        raise UnsafeName("the name is not UTF-8")
    if raw.startswith(("/", "\\")) or _DRIVE.match(raw):
        raise UnsafeName("the path is absolute")
    if "\\" in raw:
        raise UnsafeName("the name holds a backslash")
    steps = [step for step in raw.split("/") if step not in {"", "."}]
    if ".." in steps:
        raise UnsafeName("the path leads out of the archive ('..')")
    if not steps:
        raise UnsafeName("the name is empty")
    return unicodedata.normalize("NFC", "/".join(steps))
