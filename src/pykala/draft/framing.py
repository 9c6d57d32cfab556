r"""Framing retrieved text so that nothing inside a document can pass for the frame, a key or an instruction.

Three rules. A boundary that no text holds opens and closes the block: it is made from a digest of the texts,
so that a document would have to contain its own digest to forge it. Every line of quoted text starts with a
bar. And within quoted text a backslash marks what is not meant literally: `\[L1]` is the document's own
bracket, `\u{200b}` a character that a reader would not see, `\\` a backslash. `unescape` undoes all of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

#: Characters that are invisible or change the display: controls, marks of direction, joiners, tags, private
#: use, line separators.
_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_SEEN: Final = frozenset("\n")
_OPENING: Final = "[［【〔⟦❲﹝(（"
_BETWEEN: Final = r"[\s\W_]{0,3}"
#: A bracket with what reads as a key of ours: "[L1]", "[ l 12 ]", "［Ｌ１］", "[L1, L2]".
_LOOK_ALIKE: Final = re.compile(
    rf"[{re.escape(_OPENING)}]{_BETWEEN}[lʟ]{_BETWEEN}\d{{1,4}}(?!\w)", re.IGNORECASE
)
#: Every bracket at which such a key could begin. This is wider than the look-alike, because escaping changes
#: the neighbouring characters: in "[\x1f[L1" the second bracket is bare once the first is marked, in
#: "[L1\x1fa" the key ends where the invisible character is written out.
_COULD_BEGIN: Final = re.compile(rf"(?=[{re.escape(_OPENING)}]{_BETWEEN}[lʟ]{_BETWEEN}\d)", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A place in a text that looks like a key of the block, but is not one."""

    text: str
    start: int
    end: int


def look_alikes(text: str) -> tuple[LookAlike, ...]:
    """Every place in a text that could be taken for a key, in any script or spacing."""
    folded, places = _folded(text)
    spans = ((places[one.start()], places[one.end() - 1] + 1) for one in _LOOK_ALIKE.finditer(folded))
    return tuple(LookAlike(text[start:end], start, end) for start, end in spans)


def hidden_characters(text: str) -> int:
    """The number of invisible characters in a text."""
    return sum(text.count(character) for character in set(text) if _is_hidden(character))


def escape(text: str) -> str:
    """Escape look-alike keys, invisible characters and backslashes."""
    marks = {ord(character): _marked(character) for character in set(text)}
    pieces, position = [], 0
    folded, places = _folded(text)
    for start in sorted({places[one.start()] for one in _COULD_BEGIN.finditer(folded)}):
        pieces += [text[position:start].translate(marks), "\\"]
        position = start
    return "".join((*pieces, text[position:].translate(marks)))


def unescape(text: str) -> str:
    """Undo `escape` exactly."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], text)


def quoted(text: str) -> str:
    """A text with a bar before each line."""
    return "\n".join(f"| {line}" for line in escape(text).split("\n"))


def unquoted(block: str) -> str:
    """Undo `quoted` exactly."""
    return unescape("\n".join(line[2:] for line in block.split("\n")))


def one_line(text: str) -> str:
    """A document's heading or title on one line; it is data too."""
    return escape(" ".join(text.split()))


def boundary(texts: Iterable[str]) -> str:
    """A mark that is in none of the texts; equal texts give the same one."""
    held = list(texts)
    digest = sha256()
    for text in held:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    mark = digest.hexdigest()[:20]
    while any(mark in text for text in held):
        digest.update(mark.encode())
        mark = digest.hexdigest()[:20]
    return mark


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """A text as it looks, and the position in the text of each character."""
    seen = _as_seen(text)
    if all(character == shown for character, shown in seen.items()):
        return text, range(len(text))
    places = [place for place, character in enumerate(text) for _ in seen[character]]
    return "".join(seen[character] for character in text), places


def _as_seen(text: str) -> dict[str, str]:
    """Each character as it looks: full-width letters narrow, invisible ones removed."""
    return {
        character: ""
        if _is_hidden(character)
        else character
        if character in _OPENING
        else unicodedata.normalize("NFKC", character)
        for character in set(text)
    }


def _is_hidden(character: str) -> bool:
    return character not in _SEEN and unicodedata.category(character) in _HIDDEN


def _marked(character: str) -> str:
    if character == "\\":
        return "\\\\"
    return f"\\u{{{ord(character):x}}}" if _is_hidden(character) else character
