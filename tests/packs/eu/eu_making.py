"""One small act in every layout of EUR-Lex, and what the pack makes of files, for the tests."""
# ruff: noqa: E501 - markup reads better on one line

from __future__ import annotations

import json
from collections.abc import Sequence

from pykala.law.provisions import Document, Provision
from pykala.packs.eu import pack
from pykala.packs.pack import Reading, Snapshot

WORK = "eu:32030L0007"
SLUG = "32030l0007"
XHTML = '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>L</title></head><body>{}</body></html>'
B = '<p class="modref"><a href="http://publications.europa.eu/resource/celex/32030L0007" title="32030L0007">▼B</a></p>'


def page(body: str) -> bytes:
    """A page around a body."""
    return XHTML.format(body).encode()


def modref(name: str, celex: str, action: str) -> str:
    """The mark of an amendment between two blocks of a consolidated text."""
    dashes = " —————" if action == "DELETED" else ""
    return f'<p class="modref"><a href="#" title="{celex}: {action}">▼{name}</a>{dashes}</p>'


def list_table(label: str, inside: str, css: str) -> str:
    """A list item as a table of two columns."""
    return f'<table width="100%"><col width="4%"/><tbody><tr><td><p class="{css}">{label}</p></td><td>{inside}</td></tr></tbody></table>'


def official_journal(*, prefix: str = "oj-", eli: bool = True) -> bytes:
    """The act as the Official Journal prints it, with or without ELI containers."""

    def p(css: str, text: str) -> str:
        return f'<p class="{prefix}{css}">{text}</p>'

    def div(identity: str, inside: str) -> str:
        return f'<div class="eli-subdivision" id="{identity}">{inside}</div>' if eli else inside

    def item(label: str, inside: str) -> str:
        return list_table(label, inside, f"{prefix}normal")

    note = f'<a id="ntc1" href="#ntr1">(<span class="{prefix}super">1</span>)</a>'
    head = f"<table><tbody><tr><td>{p('hd-date', '3.1.2030')}</td><td>{p('hd-oj', 'L 7/1')}</td></tr></tbody></table>"
    recitals = div("rct_1", item("(1)", p("normal", f"Hats keep heads warm {note}."))) + div(
        "rct_2", item("(2)", p("normal", "Prices of hats differ."))
    )
    preamble = (
        p("normal", "THE COUNCIL,")
        + div("cit_1", p("normal", "Having regard to the Treaty, and in particular Article 113 thereof,"))
        + p("normal", "Whereas:")
        + recitals
        + p("normal", "HAS ADOPTED THIS DIRECTIVE:")
    )
    first = (
        p("ti-art", "Article\u00a01")
        + p("sti-art", "Scope")
        + p("normal", "1.   This Directive applies to hats.")
        + p("normal", "It does not apply to crowns.")
        + p("normal", "2.   A hat shall:")
        + item("(a)", p("normal", "fit; and"))
        + item(
            "(b)",
            p("normal", "keep off:") + item("(i)", p("normal", "rain;")) + item("(ii)", p("normal", "sun.")),
        )
    )
    second = (
        p("ti-art", "Article\u00a02")
        + p("normal", "The rate shall be 5 %:")
        + item("—", p("normal", "for all hats."))
    )
    annex = (
        p("doc-ti", "ANNEX I")
        + p("doc-ti", "KINDS OF HATS")
        + p("ti-grseq-1", "PART A")
        + p("ti-grseq-1", "Soft hats")
        + item("(1)", p("normal", "caps;"))
        + f'<table class="{prefix}table"><tbody><tr class="{prefix}table"><td class="{prefix}table">{p("tbl-txt", "Size")}</td><td class="{prefix}table">{p("tbl-txt", "Code")}</td></tr>'
        f"<tr><td>{p('tbl-txt', 'large')}</td><td>{p('tbl-txt', 'L')}</td></tr></tbody></table>"
    )
    final = f'<div class="{prefix}final">{p("normal", "Done at Brussels, 2 January 2030.")}{p("signatory", "For the Council")}</div>'
    notes = (
        f'<p class="{prefix}note"><a id="ntr1" href="#ntc1">(<span>1</span>)</a>  OJ L 1, 1.1.2029, p. 1.</p>'
    )
    body = (
        head
        + f"<div>{p('doc-ti', 'COUNCIL DIRECTIVE (EU) 2030/7')}{p('doc-ti', 'on hats')}</div>"
        + preamble
        + p("ti-section-1", "TITLE I")
        + p("ti-section-2", "GENERAL")
        + div("art_1", first)
        + div("art_2", second)
        + final
        + (f'<div class="eli-container" id="anx_I">{annex}</div>' if eli else annex)
        + notes
    )
    return page(body)


def consolidated(*, lists: str = "grid", eli: bool = True, marks: dict[str, str] | None = None) -> bytes:
    """The act as a consolidated text; lists are grids, indented lines or tables, by the page's age."""
    marks = marks or {}

    def p(css: str, text: str) -> str:
        return f'<p class="{css}">{text}</p>'

    def div(identity: str, inside: str) -> str:
        return f'<div class="eli-subdivision" id="{identity}">{inside}</div>' if eli else inside

    def item(label: str, inside: str) -> str:
        if lists == "grid":
            return f'<div class="grid-container grid-list"><div class="list grid-list-column-1"><span>{label} </span></div><div class="grid-list-column-2">{inside}</div></div>'
        if lists == "table":
            return list_table(label, inside, "norm")
        text = inside.replace(
            '<p class="norm">', f'<p class="norm">{label}<span style="word-spacing: 18pt"> </span>', 1
        )
        return f'<div style="margin-left: 30pt; text-indent: -30pt">{text}</div>'

    def numbered(number: str, text: str) -> str:
        if lists == "grid":
            return f'<div class="norm"><span class="no-parag">{number}.  </span><div class="norm inline-element">{text}</div></div>'
        return p("norm", f"{number}.  {text}")

    first = (
        p("title-article-norm", "Article\u00a01")
        + p("stitle-article-norm", "Scope")
        + numbered("1", "This Directive applies to hats.")
        + p("norm", "It does not apply to crowns.")
        + numbered("2", "A hat shall:")
        + item("(a)", p("norm", "fit; and"))
        + item(
            "(b)", p("norm", "keep off:") + item("(i)", p("norm", "rain;")) + item("(ii)", p("norm", "sun."))
        )
    )
    second = (
        p("title-article-norm", "Article\u00a02")
        + p("norm", "The rate shall be 5 %:")
        + item("—", p("norm", "for all hats."))
    )
    annex = (
        p("title-annex-1", "ANNEX I")
        + p("title-annex-2", "KINDS OF HATS")
        + p("title-gr-seq-level-1", "PART A")
        + p("title-gr-seq-level-1", "Soft hats")
        + item("(1)", p("norm", "caps;"))
        + f"<table><tr><td>{p('tbl-norm', 'Size')}</td><td>{p('tbl-norm', 'Code')}</td></tr><tr><td>{p('tbl-norm', 'large')}</td><td>{p('tbl-norm', 'L')}</td></tr></table>"
    )
    body = (
        p("reference", "02030L0007 — EN — 01.02.2031 — 001.001")
        + p("disclaimer", "This text is meant purely as a documentation tool.")
        + '<table><tr><td><p class="arrow"><a title="32030L0007">►B</a></p></td><td><p class="title-doc-first">DIRECTIVE</p></td></tr></table>'
        + p("hd-modifiers", "Amended by:")
        + '<table><tr><td><p class="arrow"><a title="32030L0099">►M1</a></p></td><td><p class="title-fam-member">DIRECTIVE (EU) 2030/99</p></td></tr></table>'
        + B
        + p("title-doc-first", "COUNCIL DIRECTIVE (EU) 2030/7")
        + p("title-doc-last", "on hats")
        + p("title-division-1", "TITLE I")
        + p("title-division-2", "GENERAL")
        + marks.get("art_1", "")
        + div("art_1", first)
        + marks.get("art_2", "")
        + div("art_2", second)
        + B
        + '<hr class="separator-annex"/>'
        + (f'<div class="eli-container" id="anx_I">{annex}</div>' if eli else annex)
    )
    return page(body)


def styled() -> bytes:
    """The act as the oldest consolidated pages have it: styles, no classes."""
    left, centre = 'style="text-align: justify"', 'style="font-style: italic; text-align: center"'
    bold = 'style="font-weight: bold; text-align: center"'

    def item(label: str, text: str, inside: str = "") -> str:
        return f'<div style="margin-left: 30pt; text-indent: -30pt"><p {left}>{label}<span style="word-spacing: 18pt"> </span>{text}</p>{inside}</div>'

    body = (
        f'<p style="text-align: right">2030L0007 — EN — 01.02.2031</p><p {bold}>This document is meant purely as a documentation tool</p>'
        '<table><tr><td><p><a href="x" title="32030L0007">►B</a></p></td><td><p>DIRECTIVE</p></td></tr></table>'
        f'<p {left}><a href="x" title="32030L0007">▼B</a></p>'
        f"<p {bold}>TITLE I</p><p {bold}>GENERAL</p>"
        f"<p {centre}>Article 1</p><p {bold}>Scope</p><p {left}>1.  This Directive applies to hats.</p><p {left}>It does not apply to crowns.</p>"
        f"<p {left}>2.  A hat shall:</p>"
        + item("(a)", "fit; and")
        + item("(b)", "keep off:", item("(i)", "rain;") + item("(ii)", "sun."))
        + f"<p {centre}>Article 2</p><p {left}>The rate shall be 5 %:</p>"
        + item("—", "for all hats.")
    )
    return XHTML.replace(' xmlns="http://www.w3.org/1999/xhtml"', "").format(body).encode()


def bare() -> bytes:
    """The act as a page of bare paragraphs."""
    lines = (
        "COUNCIL DIRECTIVE (EU) 2030/7 on hats", "THE COUNCIL,", "Having regard to the Treaty, and in particular Article 113 thereof,",
        "Whereas hats keep heads warm;", "HAS ADOPTED THIS DIRECTIVE:", "TITLE I GENERAL", "Article 1", "Scope",
        "1. This Directive applies to hats.", "It does not apply to crowns.", "2. A hat shall:    (a) fit; and",
        "(b) keep off:", "(i) rain;", "(ii) sun.", "Article 2", "The rate shall be 5 %:", "- for all hats.",
        "Done at Brussels, 2 January 2030.", "For the Council", "ANNEX I KINDS OF HATS", "(1) caps;",
    )  # fmt: skip
    paragraphs = "".join(f"<p>{line}</p>" for line in lines)
    return f'<!DOCTYPE HTML><html><body><h1>32030L0007</h1><div id="TexteOnly"><p><TXT_TE>{paragraphs}</TXT_TE></p></div></body></html>'.encode()


def formex(inside: str = "", *, end: str = "NONE", root: str = "CONS.ACT") -> bytes:
    """The act in Formex; `inside` stands between its articles and its annex."""
    return (
        f'<?xml version="1.0" encoding="utf-8"?><{root}><INFO.CONSLEG START.DATE="20310201" END="{end}" SOURCE.END="32035R0001"/>'
        "<CONS.DOC><BIB.INSTANCE><NO.CELEX>32030L0007</NO.CELEX></BIB.INSTANCE>"
        "<TITLE><TI><P>COUNCIL DIRECTIVE (EU) 2030/7</P><P>on hats</P></TI></TITLE><PREAMBLE><PREAMBLE.INIT/></PREAMBLE>"
        "<ENACTING.TERMS><DIVISION><TITLE><TI><P>TITLE I</P></TI><STI><P>GENERAL</P></STI></TITLE>"
        '<ARTICLE IDENTIFIER="001"><TI.ART>Article 1</TI.ART><STI.ART>Scope</STI.ART>'
        '<PARAG IDENTIFIER="001.001"><NO.PARAG>1.</NO.PARAG><ALINEA>This Directive applies to hats.</ALINEA><ALINEA>It does not apply to crowns.</ALINEA></PARAG>'
        '<PARAG IDENTIFIER="001.002"><NO.PARAG>2.</NO.PARAG><ALINEA><P>A hat shall:</P><LIST TYPE="alpha">'
        "<ITEM><NP><NO.P>(a)</NO.P><TXT>fit; and</TXT></NP></ITEM>"
        '<ITEM><NP><NO.P>(b)</NO.P><TXT>keep off:</TXT><P><LIST TYPE="roman"><ITEM><NP><NO.P>(i)</NO.P><TXT>rain;</TXT></NP></ITEM>'
        "<ITEM><NP><NO.P>(ii)</NO.P><TXT>sun.</TXT></NP></ITEM></LIST></P></NP></ITEM></LIST></ALINEA></PARAG></ARTICLE>"
        '<ARTICLE IDENTIFIER="002"><TI.ART>Article 2</TI.ART><ALINEA><P>The rate shall be 5 %:</P><LIST TYPE="DASH"><ITEM><NP><NO.P>—</NO.P><TXT>for all hats.</TXT></NP></ITEM></LIST></ALINEA></ARTICLE>'
        f"</DIVISION>{inside}</ENACTING.TERMS>"
        "<CONS.ANNEX><TITLE><TI><P>ANNEX I</P></TI><STI><P>KINDS OF HATS</P></STI></TITLE><CONTENTS><GR.SEQ><TITLE><TI><P>PART A</P></TI><STI><P>Soft hats</P></STI></TITLE>"
        "<LIST><ITEM><NP><NO.P>(1)</NO.P><TXT>caps;</TXT></NP></ITEM></LIST>"
        "<TBL><CORPUS><ROW><CELL>Size</CELL><CELL>Code</CELL></ROW><ROW><CELL>large</CELL><CELL>L</CELL></ROW></CORPUS></TBL></GR.SEQ></CONTENTS></CONS.ANNEX>"
        f"</CONS.DOC></{root}>"
    ).encode()


def facts(
    day: str, *, celex: str = "32030L0007", until: str = "", status: str = "1", roles: Sequence[str] = ()
) -> bytes:
    """A state's `meta.json`."""
    title = "Council Directive (EU) 2030/7 of 2 January 2030 on hats"
    table = {
        "document_type": "DIR", "valid_from": day, "publication_date": day, "in_force_status": status,
        "document_roles": list(roles), "raw": {"celex": celex},
        "expressions": [
            {"language": "en", "title": title, "observations": [{"file": "en.xml", "retrieved_at": "2031-05-01T00:00:00Z", "source_uri": "https://eur-lex.europa.eu/x"}]},
            {"language": "fr", "title": "Directive (UE) 2030/7 du Conseil du 2 janvier 2030 relative aux chapeaux", "observations": []},
        ],
    }  # fmt: skip
    if until:
        table["valid_to"] = until
    return json.dumps(table).encode()


def folder(day: str, slug: str = SLUG) -> str:
    """The folder of a state."""
    return f"{slug}/versions/{day}--{'a' * 16}/"


def read(files: dict[str, bytes], name: str = WORK) -> Reading:
    """What the pack makes of files given by path."""
    items = list(pack.works(files))
    assert [item.name for item in items] == [name]
    return pack.read(items[0], [Snapshot(path, files[path], "0" * 64) for path in items[0].paths])


def read_state(data: bytes, *, name: str = "en.xml") -> Document:
    """One page alone, read as a state."""
    reading = read({f"{folder('2030-01-02')}{name}": data})
    assert reading.refusals == ()
    return reading.documents[0]


def read_pages(*states: tuple[str, bytes]) -> Document:
    """Consolidated or original pages by their day, joined."""
    files = {f"{folder(day)}en.xml": data for day, data in states}
    reading = read(files)
    assert reading.refusals == ()
    return reading.documents[0]


def place(provision: Provision) -> str:
    return "/".join(map(str, provision.id.path))


def texts(document: Document) -> dict[str, str]:
    """The newest words of every provision below the work, by its path."""
    return {
        place(provision): provision.versions[-1].text
        for provision in document.root.walk()
        if provision.id.path and provision.versions
    }


def chain(document: Document, path: str) -> list[tuple[str, str, str, str]]:
    """The versions of one provision: text, start, end, event."""
    found = next(provision for provision in document.root.walk() if place(provision) == path)
    return [
        (v.text, str(v.validity.start or ""), str(v.validity.end or ""), v.event.value)
        for v in found.versions
    ]
