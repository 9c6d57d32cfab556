"""The one parser for XML and HTML of the law: nothing in a file makes it read another, grow, or run away.

Every file either parses right or is refused with a short reason. No entity is resolved, nothing is loaded,
and size, depth and number of nodes are bounded before a tree is handed out.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from io import BytesIO

from lxml import etree, html

from .refusals import RefusedFile

__all__ = ["RefusedFile", "parse_html", "parse_xml", "stream_xml"]

MAX_BYTES = 64 * 1024 * 1024
MAX_STREAMED = 256 * 1024 * 1024
#: Deeper than any law (the deepest real file, of the EU, has 30 levels) and within Python's recursion.
MAX_DEPTH = 200
#: Elements and attributes; a bound on memory, as `<a/>` takes 4 bytes of the file and some 120 of the tree.
MAX_NODES = 8_000_000
_LAST_CHARACTERS = 1_000  # of a page, among which its end is: a server may add a script behind it

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NO_BOM = ((b"<\0\0\0", "utf-32-le"), (b"\0\0\0<", "utf-32-be"), (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_DECLARATION = re.compile(
    rb"""<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:\-]{1,40})["'][^>]{0,100}\?>"""
)
_DECLARATION_IN_TEXT = re.compile(r"\A\s*<\?xml\s[^>]{0,400}\?>")
_SINGLE_BYTE = {"iso8859-1", "iso8859-15", "cp1252"}


def parse_xml(
    data: bytes,
    name: str,
    *,
    max_depth: int = MAX_DEPTH,
    max_bytes: int = MAX_BYTES,
    max_nodes: int = MAX_NODES,
) -> etree._Element:
    """Parse one file and return its root. Raises only RefusedFile."""
    _bound(data, name, max_bytes, max_nodes)
    source = _as_utf8(data, name)
    # Not collect_ids=False: it sets a bit by which libxml2 loads document types and parameter entities.
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=False,
    )
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError as fault:
        raise RefusedFile(name, _reason(fault, source)) from None
    except (ValueError, AssertionError, MemoryError) as fault:
        raise RefusedFile(name, f"it cannot be parsed ({fault})") from None
    _refuse_entities(root, parser, name)
    _refuse_depth(root, max_depth, name)
    return root


def stream_xml(
    data: bytes,
    name: str,
    *,
    max_depth: int = MAX_DEPTH,
    max_bytes: int = MAX_STREAMED,
    max_nodes: int = 4 * MAX_NODES,
) -> Iterator[tuple[str, etree._Element, int]]:
    """Parse a large file piece by piece: ("start" or "end", element, its depth), the root's being 0.

    An element has its attributes from its start on, and its content at its end; what follows it comes later.
    The caller empties what it has read, so that the tree never stands whole. Raises RefusedFile as
    `parse_xml` does, possibly after many elements.
    """
    _bound(data, name, max_bytes, max_nodes)
    source = _as_utf8(data, name)
    events = etree.iterparse(
        BytesIO(source),
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=False,
    )
    depth = -1
    try:
        for event, element in events:
            if event == "start":
                depth += 1
                if depth == 0 and element.getroottree().docinfo.internalDTD is not None:
                    raise RefusedFile(name, "it is large and has a document type of its own")
                if depth >= max_depth:
                    raise RefusedFile(name, f"it is nested more than {max_depth} levels deep")
            yield event, element, depth
            if event == "end":
                depth -= 1
    except etree.XMLSyntaxError as fault:
        raise RefusedFile(name, _reason(fault, source)) from None


def require_whole_page(text: str, name: str) -> None:
    """Raise RefusedFile for a page whose end is missing, as in a download that was cut.

    A parser of HTML closes whatever is open, and the rest of the law would be lost in silence. Every one of
    the 64,000 pages of EUR-Lex, Finlex and Vero in the corpora ends in `</html>`.
    """
    if "</html" not in text[-_LAST_CHARACTERS:].casefold():
        raise RefusedFile(name, "it was cut: a whole page ends in </html>; fetch it again")


def parse_html(
    text: str,
    name: str,
    *,
    max_depth: int = MAX_DEPTH,
    max_bytes: int = MAX_BYTES,
    max_nodes: int = MAX_NODES,
) -> html.HtmlElement:
    """Parse one decoded page and return its `html` element. Raises only RefusedFile."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as fault:
        raise RefusedFile(name, f"it holds half a character (a lone surrogate) at {fault.start}") from None
    _bound(data, name, max_bytes, max_nodes)
    if b"\0" in data:
        raise RefusedFile(name, f"it holds a NUL byte at {data.index(0)}")
    # The text is already decoded, so the parser must ignore the encoding that the page declares.
    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, recover=True)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError, MemoryError) as fault:
        raise RefusedFile(name, f"it cannot be parsed ({fault})") from None
    _refuse_depth(root, max_depth, name)
    # A browser's parser never fails: past a limit it stops in silence, and the rest of the law would be lost.
    for entry in parser.error_log:
        if entry.level_name == "FATAL":
            raise RefusedFile(name, f"it passes a limit of the parser ({entry.message.strip()})")
    return root


def _bound(data: bytes, name: str, max_bytes: int, max_nodes: int) -> None:
    if len(data) > max_bytes:
        raise RefusedFile(name, f"it is larger than {max_bytes} bytes")
    if not data.strip(b" \t\r\n\xef\xbb\xbf"):
        raise RefusedFile(name, "it is empty")
    if data.count(b"<") + data.count(b"=") > max_nodes:
        raise RefusedFile(name, f"it holds more than {max_nodes} elements and attributes")


def _as_utf8(data: bytes, name: str) -> bytes:
    """The file as UTF-8: unchanged where it declares that, else decoded by its bytes or its declaration."""
    wide = next((encoding for bom, encoding in _BOMS if data.startswith(bom)), "")
    wide = wide or next((encoding for start, encoding in _NO_BOM if data.startswith(start)), "")
    if wide:
        return _recoded(data, wide, name)
    if b"\0" in data:
        raise RefusedFile(name, f"it holds a NUL byte at {data.index(0)}")
    marked = data.startswith(codecs.BOM_UTF8)
    # White space before the declaration, a common slip of hand-made files, loses nothing.
    if data[:1].isspace() or data[3:4].isspace():
        data = data.removeprefix(codecs.BOM_UTF8).lstrip()
    declared = _declared(data, name)
    if declared in {"", "utf-8", "ascii"}:
        return data
    if marked or declared.startswith(("utf-16", "utf-32")):
        # The mark, or the one-byte characters, prove the declaration wrong.
        return _recoded(data, "utf-8-sig", name)
    if declared in _SINGLE_BYTE:
        return _recoded(data, _single_byte(data, declared), name)
    raise RefusedFile(name, f"it declares the encoding {declared!r}, which is not read")


def _declared(data: bytes, name: str) -> str:
    match = _DECLARATION.match(data.removeprefix(codecs.BOM_UTF8)[:400])
    if match is None:
        return ""
    word = match[1].decode("ascii")
    try:
        return codecs.lookup(word).name
    except LookupError:
        raise RefusedFile(name, f"it declares an unknown encoding {word!r}") from None


def _single_byte(data: bytes, declared: str) -> str:
    """How to decode a file that declares Latin-1: if all accents form valid UTF-8, it is UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        # Latin-1 has only unused controls at 0x80-0x9F, where Windows has its quotation marks and dashes.
        controls = declared == "iso8859-1" and any(0x80 <= byte <= 0x9F for byte in set(data))
        return "cp1252" if controls else declared
    return "utf-8"


def _recoded(data: bytes, encoding: str, name: str) -> bytes:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as fault:
        raise RefusedFile(name, f"byte {fault.start} is no {encoding.upper()}") from None
    if "\0" in text:
        raise RefusedFile(name, f"it holds a NUL character at {text.index(chr(0))}")
    return (
        _DECLARATION_IN_TEXT.sub("", text.removeprefix("\ufeff"), count=1).lstrip().encode("utf-8", "replace")
    )


def _reason(fault: etree.XMLSyntaxError, source: bytes) -> str:
    message = (fault.msg or "it is not well-formed").split("\n")[0].strip()
    if "entity" in message and b"<!ENTITY" in source:
        return f"it declares entities, which are not resolved ({message})"
    if "Premature end" in message or "EndTag: '</' not found" in message:
        return f"it is cut short ({message})"
    if "depth" in message:
        return f"it is nested too deeply ({message})"
    return f"it is not well-formed ({message})"


def _refuse_entities(root: etree._Element, parser: etree.XMLParser, name: str) -> None:
    document_type = root.getroottree().docinfo.internalDTD
    if document_type is None:
        return
    declared = next(iter(document_type.iterentities()), None)  # type: ignore[attr-defined]
    if declared is not None:
        raise RefusedFile(name, "it declares entities, which are not resolved")
    # With a document type the parser drops `&nbsp;` with a mere warning; a word of the law would be lost.
    for entry in parser.error_log:
        if "UNDECLARED_ENTITY" in entry.type_name:
            raise RefusedFile(name, f"it uses an entity it does not declare ({entry.message})")


def _refuse_depth(root: etree._Element, max_depth: int, name: str) -> None:
    # One step down per level, all nodes of a level at once: the whole tree is seen once, in C.
    if etree.XPath("boolean(" + "/*" * (max_depth + 1) + ")")(root):
        raise RefusedFile(name, f"it is nested more than {max_depth} levels deep")
