"""Files that are not read, and why: one at a time, so that the rest go on."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_SHOWN = 200


def printable(text: str, shown: int = _SHOWN) -> str:
    """Escape control characters and lone surrogates, and cut to `shown`."""
    escaped = "".join(
        character.encode("unicode_escape").decode("ascii")
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        else character
        for character in text[: shown + 1]
    )
    return escaped if len(escaped) <= shown else escaped[: shown - 1] + "…"


@dataclass(frozen=True, slots=True, order=True)
class Refusal:
    """One file (or the rest of an archive) that was not read, with a reason that a person can act on."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class RefusedFile(Exception):
    """A file that is not read: malformed, truncated, too large or hostile."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = printable(name)
        self.reason = printable(reason)
        super().__init__(name, reason)

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"

    @property
    def refusal(self) -> Refusal:
        """The refusal as a value, for a report."""
        return Refusal(self.name, self.reason)


class MirrorFault(Exception):
    """A mirror that cannot be used at all; `reason` says why and what to do next."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = printable(name)
        self.reason = printable(reason, 400)
        super().__init__(name, reason)

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


class MirrorDamaged(MirrorFault):
    """The bytes are not an archive that can be read."""


class MirrorUnavailable(MirrorFault):
    """The mirror is missing or unreadable, or there is no space to unpack it."""


class SourceUnreachable(MirrorUnavailable):
    """A publisher did not answer: the network or its service failed; the request may be right."""


class NotInMirror(MirrorFault):
    """The mirror has no file of that path."""

    def __init__(self, name: str, path: str) -> None:
        super().__init__(name, path)
        self.path = printable(path)
        self.reason = f"holds no file {self.path!r}; list the paths it holds with paths()"
