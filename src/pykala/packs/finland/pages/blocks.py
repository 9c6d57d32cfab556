"""An HTML page as a list of blocks: headings, paragraphs, list items and tables, with the links in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from lxml import etree, html

from pykala.fetch.xml import RefusedFile, parse_html, require_whole_page
from pykala.packs.finland.spacing import tidy
from pykala.packs.pack import Snapshot
from pykala.text.encoding import UndecodableText, decode

_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_BLOCKS = {"p", "li", "td", "th", "caption", "blockquote", "dt", "dd", "pre", "label", *_HEADINGS}
_FRAMES = {"html", "body", "article", "main", "div", "section", "ul", "ol", "dl", "table", "tbody", "thead"}
_FRAMES |= {"tr", "tfoot", "figure", "colgroup", "header", "footer", "nav", "aside", "form"}
_UNSEEN = {"script", "style", "head", "title", "noscript", "template", "svg"}


@dataclass(frozen=True, slots=True)
class Link:
    """An anchor in a block: where it stands in the block's text, and where it leads."""

    start: int
    end: int
    address: str


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page. `level` is that of a heading (1-6) and 0 for all else."""

    kind: str  # "heading", "paragraph", "item" or "table"
    text: str
    level: int = 0
    emphasised: bool = False  # all of it in bold or italics: how old pages write a heading
    links: tuple[Link, ...] = ()
    boxed: bool = False  # in a box beside the running text: another treaty's words on this one


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was read: its main heading, the blocks below it, and what was mended while decoding."""

    title: str
    language: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()


def read_page(snapshot: Snapshot) -> Page:
    """Read a page. Raises RefusedFile for what is no page of words."""
    try:
        decoded = decode(snapshot.data)
    except UndecodableText as fault:
        raise RefusedFile(snapshot.path, str(fault)) from None
    root = parse_html(decoded.text, snapshot.path)
    require_whole_page(decoded.text, snapshot.path)
    blocks = list(_blocks(_main(root)))
    if not blocks:
        raise RefusedFile(snapshot.path, "the page holds no words")
    first = next((at for at, block in enumerate(blocks) if block.level == 1), None)
    if first is None:
        raise RefusedFile(snapshot.path, "the page has no main heading (h1)")
    title = blocks.pop(first).text
    return Page(title, (root.get("lang") or "fi")[:2].lower(), tuple(blocks), decoded.notes)


def _main(root: html.HtmlElement) -> html.HtmlElement:
    """What the page is about: Vero's article, else the body."""
    for path in (".//article[@id='content-main']", ".//article", ".//main", ".//body"):
        found = root.find(path)
        if found is not None:
            return found
    return root


@dataclass(slots=True)
class _Words:
    """Text as it is put together: white space runs into one space, and links remember where they stood."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    spaced: bool = False
    links: list[Link] = field(default_factory=list)

    def add(self, text: str) -> None:
        words = tidy(text)
        if not words:
            self.spaced = self.spaced or bool(text)
            return
        if self.length and (self.spaced or text[0].isspace()) and not self.pieces[-1].endswith("\n"):
            self._put(" ")
        self._put(words)
        self.spaced = text[-1].isspace()

    def end_line(self) -> None:
        if self.length and not self.pieces[-1].endswith("\n"):
            self._put("\n")
        self.spaced = False

    def _put(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)

    def text(self) -> str:
        return "".join(self.pieces).strip()


def _blocks(element: etree._Element) -> Iterator[Block]:
    """The blocks below an element in document order; words outside any block are paragraphs."""
    loose = _Words()
    loose.add(element.text or "")
    for child in element:
        name = child.tag if isinstance(child.tag, str) else ""
        if name in _UNSEEN or not name:
            pass
        elif name in _BLOCKS or name in _FRAMES:
            yield from _paragraph(loose)
            loose = _Words()
            yield from _block(child, name)
        else:
            _inline(child, loose)
        loose.add(child.tail or "")
    yield from _paragraph(loose)


def _block(element: etree._Element, name: str) -> Iterator[Block]:
    if name == "aside" or str(element.get("class", "")).startswith("mli-"):
        yield from (replace(block, boxed=True) for block in _blocks(element))
    elif name == "table":
        yield from _table(element)
    elif name in _FRAMES or any(child.tag in _FRAMES or child.tag in _BLOCKS for child in element):
        # A list item may hold paragraphs or another list: each is a block of its own.
        for block in _blocks(element):
            same = name in _HEADINGS or (name == "li" and block.kind == "paragraph")
            yield Block("item", block.text, 0, False, block.links) if same and name == "li" else block
    else:
        words = _Words()
        _inline(element, words)
        text = words.text()
        if not text:
            return
        if name in _HEADINGS:
            yield Block("heading", text.replace("\n", " "), _HEADINGS[name], links=tuple(words.links))
        else:
            kind = "item" if name == "li" else "paragraph"
            yield Block(kind, text, 0, _emphasised(element, text), tuple(words.links))


def _paragraph(words: _Words) -> Iterator[Block]:
    if text := words.text():
        yield Block("paragraph", text, links=tuple(words.links))


def _inline(element: etree._Element, words: _Words) -> None:
    start = words.length
    words.add(element.text or "")
    for child in element:
        if child.tag == "br":
            words.end_line()
        elif isinstance(child.tag, str) and child.tag not in _UNSEEN:
            _inline(child, words)
        words.add(child.tail or "")
    address = element.get("href") if element.tag == "a" else None
    if address and words.length > start:
        text = "".join(words.pieces)
        while start < len(text) and text[start].isspace():
            start += 1
        words.links.append(Link(start, len(text.rstrip()), unquote(address)))


def _emphasised(element: etree._Element, text: str) -> bool:
    marked = [child for child in element if child.tag in {"strong", "b", "em", "i", "u"}]
    return bool(marked) and tidy("".join(_text_of(marked))) == tidy(text)


def _text_of(elements: Iterable[etree._Element]) -> Iterator[str]:
    for element in elements:
        yield from map(str, element.itertext())


def _table(table: etree._Element) -> Iterator[Block]:
    rows: list[str] = []
    links: list[Link] = []
    length = 0
    for row in table.iter("caption", "tr"):
        cells = [row] if row.tag == "caption" else [cell for cell in row if cell.tag in {"td", "th"}]
        parts: list[str] = []
        for cell in cells:
            words = _Words()
            for block in _blocks(cell):
                words.add(f" {block.text} ")
            offset = length + len(" | ".join([*parts, ""]))
            text = words.text()
            links += _moved(cell, text, offset)
            parts.append(text)
        line = " | ".join(parts)
        if line.strip(" |"):
            rows.append(line)
            length += len(line) + 1
    if rows:
        yield Block("table", "\n".join(rows), links=tuple(links))


def _moved(cell: etree._Element, text: str, offset: int) -> Iterator[Link]:
    """The links of a table's cell, found again in the cell's text by their words."""
    position = 0
    for anchor in cell.iter("a"):
        words, address = tidy("".join(_text_of([anchor]))), anchor.get("href")
        at = text.find(words, position) if words and address else -1
        if at >= 0:
            position = at + len(words)
            yield Link(offset + at, offset + position, unquote(str(address)))
