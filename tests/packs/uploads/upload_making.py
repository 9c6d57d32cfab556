"""Making small PDF and DOCX files in tests: real files, byte by byte, without a library to write them."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

#: (x, y, size, text), in Helvetica; text with "B:" before it in Helvetica-Bold.
Line = tuple[float, float, float, str]

_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def pdf(*pages: Sequence[Line] | None, password: str = "") -> bytes:
    """A PDF with one page a sequence of lines; None is a page that is one picture, as a scanner makes it."""
    objects: dict[int, bytes] = {}
    key = b""
    identifier = bytes(16)
    if password:
        key, objects[5] = _lock(password, identifier)
    objects[3] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects[4] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"
    kids = []
    number = 6
    for page in pages:
        content = _picture(number + 2) if page is None else b"".join(map(_shown, page))
        resources = b"/Font << /F1 3 0 R /F2 4 0 R >>"
        if page is None:
            resources += b" /XObject << /P 8 0 R >>".replace(b"8", str(number + 2).encode())
            head = b"/Type /XObject /Subtype /Image /Width 2 /Height 2"
            head += b" /ColorSpace /DeviceGray /BitsPerComponent 8"
            objects[number + 2] = _stream(bytes([0, 255, 255, 0]), head, number + 2, key)
        objects[number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << " + resources + b" >>"
            b" /Contents " + str(number + 1).encode() + b" 0 R >>"
        )
        objects[number + 1] = _stream(content, b"", number + 1, key)
        kids.append(f"{number} 0 R")
        number += 3
    objects[1] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[2] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    return _assembled(objects, identifier, locked=bool(password))


def text_pdf(text: str) -> bytes:
    """A PDF of one page, a line of text each 14 points."""
    return pdf([(72.0, 780.0 - 14 * n, 11.0, line) for n, line in enumerate(text.splitlines())])


def _picture(number: int) -> bytes:
    return b"q 595 0 0 842 0 0 cm /P Do Q"


def _shown(line: Line) -> bytes:
    x, y, size, text = line
    font = "F2" if text.startswith("B:") else "F1"
    words = text.removeprefix("B:").encode("cp1252")
    words = words.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return f"BT /{font} {size} Tf {x} {y} Td (".encode() + words + b") Tj ET\n"


def _stream(content: bytes, head: bytes, number: int, key: bytes) -> bytes:
    if key:
        content = _rc4(hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], content)
    return (
        b"<< "
        + head
        + b" /Length "
        + str(len(content)).encode()
        + b" >>\nstream\n"
        + content
        + b"\nendstream"
    )


def _assembled(objects: Mapping[int, bytes], identifier: bytes, *, locked: bool) -> bytes:
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = {}
    for number, body in sorted(objects.items()):
        places[number] = out.tell()
        out.write(str(number).encode() + b" 0 obj\n" + body + b"\nendobj\n")
    start = out.tell()
    last = max(objects)
    out.write(f"xref\n0 {last + 1}\n0000000000 65535 f \n".encode())
    for number in range(1, last + 1):
        free = number not in places
        out.write(
            f"{places.get(number, 0):010} {'00001' if free else '00000'} {'f' if free else 'n'} \n".encode()
        )
    crypt = b" /Encrypt 5 0 R" if locked else b""
    hexed = identifier.hex().encode()
    out.write(
        b"trailer\n<< /Root 1 0 R /Size " + str(last + 1).encode() + crypt
        + b" /ID [<" + hexed + b"> <" + hexed + b">] >>\nstartxref\n" + str(start).encode() + b"\n%%EOF\n"
    )  # fmt: skip
    return out.getvalue()


def _lock(password: str, identifier: bytes) -> tuple[bytes, bytes]:
    """The standard security handler, revision 2 (PDF 32000-1, 7.6.3)."""
    padded = (password.encode() + _PADDING)[:32]
    owner = _rc4(hashlib.md5(padded).digest()[:5], padded)
    permissions = (0xFFFFFFFC).to_bytes(4, "little")
    key = hashlib.md5(padded + owner + permissions + identifier).digest()[:5]
    user = _rc4(key, _PADDING)
    entry = f"<< /Filter /Standard /V 1 /R 2 /O <{owner.hex()}> /U <{user.hex()}> /P -4 >>".encode()
    return key, entry


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1"'
    ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
    ' Target="word/document.xml"/></Relationships>'
)
_STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="H{n}"><w:name w:val="heading {n}"/></w:style>'
    for n in range(1, 4)
)
_LEVELS = "".join(
    f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{style}"/><w:lvlText w:val="{text}"/></w:lvl>'
    for n, (style, text) in enumerate([("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)")])
)
NUMBERING = (
    f'<w:abstractNum w:abstractNumId="7">{_LEVELS}</w:abstractNum>'
    '<w:abstractNum w:abstractNumId="8">'
    '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl>'
    '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>'
)


def paragraph(text: str, *, style: str = "", numbered: tuple[int, int] | None = None, extra: str = "") -> str:
    """A paragraph of a Word document; `numbered` is (list, level)."""
    look = f'<w:pStyle w:val="{style}"/>' if style else ""
    if numbered:
        look += f'<w:numPr><w:ilvl w:val="{numbered[1]}"/><w:numId w:val="{numbered[0]}"/></w:numPr>'
    return f'<w:p><w:pPr>{look}</w:pPr><w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r>{extra}</w:p>'


def docx(*body: str, parts: Mapping[str, bytes | str] | None = None) -> bytes:
    """A Word document of the given paragraphs and tables, with headings H1 to H3 and two lists."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        files: dict[str, bytes | str] = {
            "_rels/.rels": _RELS,
            "word/document.xml": f"<w:document {_W}><w:body>{''.join(body)}</w:body></w:document>",
            "word/styles.xml": f"<w:styles {_W}>{_STYLES}</w:styles>",
            "word/numbering.xml": f"<w:numbering {_W}>{NUMBERING}</w:numbering>",
            **(parts or {}),
        }
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (2025, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()


def word_part(root: str, content: str) -> str:
    """A further part of a Word document, such as its footnotes."""
    return f"<w:{root} {_W}>{content}</w:{root}>"
