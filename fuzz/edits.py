"""Seeds, edited: bytes taken out, put in, doubled, turned over, cut off; Hypothesis chooses and shrinks."""
# ruff: noqa: E501 - pieces of one kind stand on one line

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

#: Pieces that readers look for, in every format at once: markup, labels, signs, broken characters.
_WORDS = (
    "<", ">", "</p>", "<p>", "<table>", "</table>", "<tr><td>", "</td></tr>", "<div>", "</div>", "<!--", "-->",
    "<![CDATA[", "]]>", "&amp;", "&#0;", "&#x110000;", "&x;", "<a href='#x'>", "</a>", "<br/>", "<span class=''>",
    "<Section>", "</Section>", "<Label>", "<Text>", "<ARTICLE>", "</ARTICLE>", "<P>", "<NO.P>", "<TI.ART>",
    "{", "}", "[", "]", '"', ":", ",", "null", "true", "1e999", "-1", '"hasPart": [],', "\\u0000", "\\ud800",
    "§", "§ ", "1 § ", "1.", "(a)", "(1)", "1)", "a.", "Article 1", "Annex I", "artikla", "luku", "momentti",
    "section ", "chapter ", "s. ", "art. ", "KHO 2020:1", "(EU) 2016/679", "1535/1992", "31.2.2020", "0/0",
    "99999999999999999999", "²", "١٢", "Ⅳ", "\u00a0", "\u2028", "\u200b", "\u0301", "İ", "ß", "\ufeff", "\n", "\r",
    "\t", "|", "---", "# ", "* ", "```", "'", "’", "“", "–", ";", "..", "...", "/", "-", "%", "\x00", "\x1b[31m",
)  # fmt: skip
_BROKEN = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\xff\xfe")
PIECES: tuple[bytes, ...] = (*(word.encode() for word in _WORDS), *_BROKEN)
_LARGEST = 65_536  # bytes; what is larger is slow to read and finds nothing more


@dataclass(frozen=True, slots=True)
class Edit:
    """One change, at a share of the length, so that it still means something in a shorter seed."""

    sort: str
    at: float
    length: int
    piece: bytes

    def of(self, data: bytes) -> bytes:
        """The data with this change."""
        start = int(self.at * len(data))
        end = min(start + self.length, len(data))
        taken = data[start:end]
        if self.sort == "cut":
            return data[:start]
        between = {
            "remove": b"",
            "insert": self.piece + taken,
            "replace": self.piece,
            "double": taken * 2,
            "many": taken * 40,
            "reverse": taken[::-1],
            "flip": bytes(one ^ 0x20 for one in taken),
        }
        return data[:start] + between[self.sort] + data[end:]


SORTS = ("remove", "insert", "replace", "double", "many", "reverse", "flip", "cut")


def edits() -> st.SearchStrategy[list[Edit]]:
    """A few changes; none is the simplest."""
    pieces = st.one_of(st.sampled_from(PIECES), st.binary(max_size=6))
    one = st.builds(Edit, st.sampled_from(SORTS), st.floats(0, 1), st.integers(0, 200), pieces)
    return st.lists(one, max_size=8)


def edited(data: bytes, changes: Sequence[Edit]) -> bytes:
    """The data with all changes, one after another."""
    for change in changes:
        data = change.of(data)[:_LARGEST]
    return data


def inputs(seeds: Mapping[str, bytes]) -> st.SearchStrategy[tuple[str, bytes]]:
    """A seed's name, and its bytes after some changes."""
    return st.builds(
        lambda name, changes: (name, edited(seeds[name], changes)), st.sampled_from(sorted(seeds)), edits()
    )
