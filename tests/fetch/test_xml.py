from __future__ import annotations

import codecs
import contextlib
import itertools
import os
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from pykala.fetch.mirror import open_mirror
from pykala.fetch.xml import RefusedFile, parse_html, parse_xml

LAW = '<Statute xml:lang="fr"><Section><Label>1</Label><Text>Présente loi — 30 €</Text></Section></Statute>'
TEXT = "1Présente loi — 30 €"
DECLARED = '<?xml version="1.0" encoding="{}"?>'


def text_of(root: etree._Element) -> str:
    return "".join(str(piece) for piece in root.itertext())


READ = [
    ("plain", LAW.encode()),
    ("mark", codecs.BOM_UTF8 + LAW.encode()),
    ("mark and declaration", codecs.BOM_UTF8 + (DECLARED.format("utf-8") + LAW).encode()),
    ("space before the declaration", (" \r\n" + DECLARED.format("UTF-8") + LAW).encode()),
    ("mark, then space", codecs.BOM_UTF8 + b"\n" + (DECLARED.format("UTF-8") + LAW).encode()),
    ("utf-16 with mark", (DECLARED.format("utf-16") + LAW).encode("utf-16")),
    ("utf-16 big end first", codecs.BOM_UTF16_BE + (DECLARED.format("utf-16") + LAW).encode("utf-16-be")),
    ("utf-16 without mark", LAW.encode("utf-16-le")),
    ("utf-32", LAW.encode("utf-32")),
    ("says utf-16, is utf-8", (DECLARED.format("utf-16") + LAW).encode()),
    ("says latin-1, is utf-8", (DECLARED.format("iso-8859-1") + LAW).encode()),
    ("says latin-1, mark of utf-8", codecs.BOM_UTF8 + (DECLARED.format("iso-8859-1") + LAW).encode()),
    ("says latin-1, is windows-1252", (DECLARED.format("ISO-8859-1") + LAW).encode("cp1252")),
    ("windows-1252", (DECLARED.format("windows-1252") + LAW).encode("cp1252")),
    ("latin-9", (DECLARED.format("iso-8859-15") + LAW.replace("—", "&#8212;")).encode("iso-8859-15")),
    ("document type without entities", b'<!DOCTYPE Statute SYSTEM "none.dtd">' + LAW.encode()),
    ("comment and instruction", b"<?xml-stylesheet href='http://127.0.0.1:9/x'?><!-- c -->" + LAW.encode()),
]


@pytest.mark.parametrize(("what", "data"), READ, ids=[what for what, _ in READ])
def test_what_is_read_is_read_right(what: str, data: bytes) -> None:
    assert text_of(parse_xml(data, "law.xml")) == TEXT


def test_true_latin_1_is_read_as_latin_1() -> None:
    data = (DECLARED.format("iso-8859-1") + "<a>é è à §</a>").encode("latin-1")
    assert parse_xml(data, "law.xml").text == "é è à §"


def laughs(levels: int, use: str) -> bytes:
    declared = "".join(
        f'<!ENTITY l{level} "{f"&l{level - 1};" * 10 if level else "lol"}">' for level in range(levels)
    )
    return f"<!DOCTYPE a [{declared}]>{use}".encode()


PASSWORDS = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
REFUSED = [
    ("empty", b"", "empty"),
    ("only a mark", codecs.BOM_UTF8, "empty"),
    ("only space", b" \n\t ", "empty"),
    ("cut in text", LAW.encode()[:60], "cut short"),
    ("cut in tag", LAW.encode()[:20], "cut short|not well-formed"),
    ("cut in a letter", LAW.encode()[: LAW.encode().index("é".encode()) + 1], "cut short|not well-formed"),
    ("text", b"not a law at all", "not well-formed"),
    ("html", b"<html><br><p>x</html>", "not well-formed"),
    ("two roots", b"<a/><b/>", "not well-formed"),
    ("NUL", b"<a>x\0y</a>", "NUL byte at 4"),
    ("NUL in utf-16", "<a>\0</a>".encode("utf-16"), "NUL"),
    (
        "says utf-8, is latin-1",
        (DECLARED.format("utf-8") + "<a>é è</a>").encode("latin-1"),
        "not well-formed",
    ),
    ("is latin-1 in silence", "<a>é è</a>".encode("latin-1"), "not well-formed"),
    ("windows-1252 hole", (DECLARED.format("cp1252") + "<a>é").encode("cp1252") + b"\x81</a>", "no CP1252"),
    ("half of utf-16", LAW.encode("utf-16")[:-1], "no UTF-16"),
    ("utf-7", (DECLARED.format("utf-7") + "<a>+AOk-</a>").encode(), "encoding 'utf-7'"),
    ("ebcdic", (DECLARED.format("cp037") + "<a/>").encode(), "encoding 'cp037'"),
    ("unknown encoding", (DECLARED.format("klingon") + "<a/>").encode(), "unknown encoding 'klingon'"),
    ("laughs in text", laughs(12, "<a>&l11;</a>"), "entit"),
    ("laughs in an attribute", laughs(12, '<a b="&l11;"/>'), "entit"),
    ("laughs unused", laughs(12, "<a/>"), "declares entities"),
    ("laughs in utf-16", laughs(12, "<a>&l11;</a>").decode().encode("utf-16"), "entit"),
    (
        "quadratic",
        b'<!DOCTYPE a [<!ENTITY x "' + b"y" * 50_000 + b'">]><a>' + b"&x;" * 50_000 + b"</a>",
        "entit",
    ),
    ("recursive", b'<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]><a>&x;</a>', "entit"),
    ("outside file", PASSWORDS.encode(), "declares entities"),
    ("outside file in an attribute", PASSWORDS.replace("<a>&x;</a>", '<a b="&x;"/>').encode(), "entit"),
    ("outside address", PASSWORDS.replace("file:///etc/passwd", "http://127.0.0.1:9/").encode(), "entit"),
    ("parameter", b'<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a/>', "declares entities"),
    ("undeclared", b"<a>x&nbsp;y</a>", "not well-formed"),
    ("left out by type", b'<!DOCTYPE a SYSTEM "x.dtd"><a>x&nbsp;y</a>', "does not declare"),
    ("left out of an attribute", b'<!DOCTYPE a SYSTEM "x.dtd"><a b="x&nbsp;y"/>', "does not declare"),
    ("deep", b"<a>" * 201 + b"</a>" * 201, "more than 200 levels"),
    ("deeper", b"<a>" * 300_000, "deeply"),
    ("long text", b"<a>" + b"x" * 11_000_000 + b"</a>", "not well-formed"),
]


@pytest.mark.parametrize(("what", "data", "reason"), REFUSED, ids=[what for what, _, _ in REFUSED])
def test_what_is_refused_is_named_with_a_short_reason(what: str, data: bytes, reason: str) -> None:
    began = time.process_time()
    with pytest.raises(RefusedFile, match=reason) as refused:
        parse_xml(data, "eng/acts/X.xml")
    assert time.process_time() - began < 8
    assert refused.value.name == "eng/acts/X.xml"
    assert refused.value.refusal.path == "eng/acts/X.xml"
    assert len(refused.value.reason) <= 200
    assert refused.value.reason.isprintable()


def test_bounds_are_arguments() -> None:
    assert parse_xml(b"<a><b/></a>", "x", max_depth=2, max_bytes=11, max_nodes=3).tag == "a"
    for bound, reason in (
        ({"max_depth": 1}, "levels"),
        ({"max_bytes": 10}, "larger"),
        ({"max_nodes": 2}, "elements"),
    ):
        with pytest.raises(RefusedFile, match=reason):
            parse_xml(b"<a><b/></a>", "x", **bound)
    deep = b"<a>" * 200 + b"</a>" * 200
    assert parse_xml(deep, "x").tag == "a"


def test_the_name_of_a_hostile_file_is_made_printable() -> None:
    with pytest.raises(RefusedFile) as refused:
        parse_xml(b"", "a\x1b[31m\udce9\n" + "x" * 500)
    assert refused.value.name.isprintable()
    assert len(refused.value.name) <= 200


def ends(data: bytes) -> None:
    began = time.process_time()
    with contextlib.suppress(RefusedFile):
        assert isinstance(parse_xml(data, "fuzz.xml").tag, str)
    assert time.process_time() - began < 5


@given(st.binary(max_size=2000))
def test_any_bytes_are_parsed_or_refused(data: bytes) -> None:
    ends(data)


SEEDS = [data for _, data in READ] + [data for _, data, _ in REFUSED if 0 < len(data) < 3000]
PIECES = [
    b"<",
    b">",
    b"&x;",
    b"<!ENTITY x '&x;'>",
    b"\0",
    b"\xff\xfe",
    b"]]>",
    b"<![CDATA[",
    b"<?xml ",
    b"<!--",
    b'"',
]


@settings(max_examples=400)
@given(
    seed=st.sampled_from(SEEDS),
    changes=st.lists(
        st.tuples(
            st.floats(0, 1), st.integers(0, 40), st.one_of(st.sampled_from(PIECES), st.binary(max_size=8))
        ),
        max_size=8,
    ),
)
def test_changed_files_are_parsed_or_refused(seed: bytes, changes: list[tuple[float, int, bytes]]) -> None:
    data = seed
    for place, dropped, added in changes:
        at = int(place * len(data))
        data = data[:at] + added + data[at + dropped :]
    ends(data)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), max_size=200))
def test_no_letter_is_lost(text: str) -> None:
    written = etree.tostring(etree.ElementTree(_element(text)), encoding="unicode")
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        assert (parse_xml(written.encode(encoding), "x").text or "") == text


def _element(text: str) -> etree._Element:
    element = etree.Element("a")
    element.text = text
    return element


OUTSIDE = [
    '<!DOCTYPE a SYSTEM "{0}"><a/>',
    '<!DOCTYPE a [<!ENTITY % p SYSTEM "{0}"> %p;]><a/>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "{0}">]><a b="&x;">&x;</a>',
    '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="{0}" parse="text"/></a>',
]


@pytest.mark.parametrize("document", OUTSIDE)
def test_no_other_file_is_opened(tmp_path: Path, document: str) -> None:
    """The file that the document names is a pipe: its writer gets through only when somebody reads it."""
    pipe = tmp_path / "outside.dtd"
    os.mkfifo(pipe)
    opened = threading.Event()

    def write() -> None:
        with pipe.open("wb"):
            opened.set()

    writer = threading.Thread(target=write)
    writer.start()
    with contextlib.suppress(RefusedFile):
        parse_xml(document.format(pipe.as_uri()).encode(), "x")
    read = opened.is_set()
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer.join()
    os.close(reader)
    assert not read, "the parser read a file that the document names"


def test_a_page_is_read_whatever_it_says_of_its_encoding() -> None:
    head = '<?xml version="1.0" encoding="latin-1"?><html><head><meta charset="windows-1252"></head>'
    page = head + "<body><p>Hyvä § 1 €<p>b"
    root = parse_html(page, "sivu.html")
    assert root.tag == "html"
    assert [node.text for node in root.iter("p")] == ["Hyvä § 1 €", "b"]


HOSTILE_PAGES = [
    ("", "empty"),
    (" \n", "empty"),
    ("a\0b", "NUL"),
    ("half \ud800", "surrogate"),
    ("<div>" * 5000, "levels"),
    ("<p>" + "x" * 11_000_000 + "</p><p>the end of the law</p>", "limit"),
    ("<!-- only a comment -->", "cannot be parsed"),
]


@pytest.mark.parametrize(("page", "reason"), HOSTILE_PAGES, ids=[reason for _, reason in HOSTILE_PAGES])
def test_pages_that_are_refused(page: str, reason: str) -> None:
    with pytest.raises(RefusedFile, match=reason):
        parse_html(page, "sivu.html")


def test_nothing_of_a_page_is_fetched_or_resolved() -> None:
    root = parse_html('<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>&x;</p>', "sivu.html")
    assert "root:" not in text_of(root)


TAGS = [
    "<p>",
    "</p>",
    "<table>",
    "<tr>",
    "<td",
    "</div>",
    "<script>",
    "<!--",
    "-->",
    "&amp;",
    "&#0;",
    "<svg>",
    "§",
]


@given(st.lists(st.one_of(st.sampled_from(TAGS), st.text(max_size=10)), max_size=60))
def test_any_page_is_parsed_or_refused(parts: list[str]) -> None:
    with contextlib.suppress(RefusedFile):
        assert parse_html("".join(parts), "fuzz.html").tag == "html"


@pytest.mark.corpora
@pytest.mark.parametrize(("corpus", "count"), [("canada", 11_670), ("finland-akn", 4_106)])
def test_real_files_parse(corpus: str, count: int) -> None:
    """Every twentieth; all of them take some 10 seconds."""
    archive = Path(__file__).parents[2].parent / "shared" / "corpora" / f"{corpus}.tar.zst"
    if not archive.exists():
        pytest.skip(f"the real corpora are not beside the repository ({archive.name} is missing)")
    with open_mirror(archive) as mirror:
        laws = [path for path in mirror.paths() if path.endswith(".xml")]
        assert len(laws) == count
        for path in itertools.islice(laws, 0, None, 20):
            assert len(parse_xml(mirror.read(path).data, path))
