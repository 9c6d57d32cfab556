"""The statute XML of 2018 onwards in the form of Akoma Ntoso, which Finlex makes of the same files.

Both forms contain the same act under different names: `Pykala` is `section`, `KohdatMomentti` a `subsection`
with a list, `Katkoviiva` an `hcontainer` named omission. After this conversion an act has one tree and the
same identifiers whichever form was read; only `statute_tree` makes identifiers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from pykala.packs.finland.statutes.inline import local_name
from pykala.packs.finland.statutes.statute_xml_tables import PICTURES, line, running_text, table_of
from pykala.packs.finland.statutes.tree import ENTRY_SECTION

#: "1) ", "2 a) ", "b) ", "iv) " and, seldom, "3. " at the head of a kohta.
_LABEL = re.compile(r"\s*(\d{1,3}(?:\s?[a-zåäö])?\s?\)|[a-zåäö]{1,4}\s?\)|\d{1,2}\.(?=\s))\s*", re.IGNORECASE)
_CHAPTERS = {"Osa": "part", "Luku": "chapter"}
_NUMBERS = {"PykalaTunnusKooste", "LukuTunnusKooste", "OsaTunnusKooste"}
_MOMENTS = {"MomenttiKooste", "KohdatMomentti"}
_NO_WORDS = {"Palstaviiva", "Tyhja"} | PICTURES
_APART_IN_ITEMS = frozenset({"MomenttiAlakohtaKooste", "table", "Katkoviiva"})
_ENTRY = "VoimaantuloSaannos"
_ENTRY_NUMBERED = "VoimaantuloPykala"


def as_akoma_ntoso(root: etree._Element) -> etree._Element:
    """The act of a file: its enacting clause and its body with entry into force, signatures and annexes."""
    act = etree.Element("act")
    preamble, body = etree.SubElement(act, "preamble"), etree.SubElement(act, "body")
    for part in root.iterfind("{*}SaadosOsa/*"):
        _enacting_clause(part, preamble)
        if local_name(part) == "MuuSaados":
            body.extend(_plain_text(part))
        else:
            body.extend(_provisions(part))
    body.extend(_conclusions(root))
    attachments = _container("attachments")
    for annex in root.iterfind("{*}LiiteOsa"):
        attachments.append(_annex(annex))
    body.append(attachments)
    return act


def entry_into_force(act: etree._Element) -> Iterator[etree._Element]:
    """The provisions of a translated act that the source marks as those on its entry into force.

    The unnumbered one, which an act that amends another has for itself, comes last: a numbered one may be
    a section of the act amended.
    """
    yield from act.iterfind(f".//section[@class='{ENTRY_SECTION}']")
    yield from act.iterfind(".//hcontainer[@name='entryIntoForce']")


def other_provisions(act: etree._Element) -> Iterator[etree._Element]:
    """The sections and unnumbered provisions of a translated act, in order."""
    for provision in act.iter("section", "hcontainer"):
        if provision.tag == "section" or provision.get("name") == "unnumbered":
            yield provision


def _container(name: str) -> etree._Element:
    return etree.Element("hcontainer", name=name)


def _children(element: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    return ((local_name(child), child) for child in element if isinstance(child.tag, str))


def _enacting_clause(part: etree._Element, preamble: etree._Element) -> None:
    for clause in part.iterfind("{*}Johtolause"):
        formula = etree.SubElement(preamble, "formula", name="enactingClause")
        for name, child in _children(clause):
            if name not in _NO_WORDS:
                formula.append(line("block", running_text(child)))


def _provisions(part: etree._Element) -> Iterator[etree._Element]:
    """The sections of an act, its new title before them, its note on a treaty's publication after them."""
    body = _container("statuteProvisionsWrapper")
    for name, child in _children(part):
        if name == "UusiNimeke":
            title = " ".join(running_text(words).strip() for _, words in _children(child))
            etree.SubElement(body, "level").append(line("heading", title))
        elif name == "Pykalisto":
            body.extend(_below(child))
    yield body
    for name, child in _children(part):
        if name == "SaadosLiite":
            note = _container("publicationNote")
            note.extend(line("p", running_text(words)) for words in child)
            yield note
        elif name not in {"UusiNimeke", "Pykalisto", "Johtolause", "SaadosNimeke"} | _NO_WORDS:
            yield line("p", running_text(child))


def _below(element: etree._Element) -> Iterator[etree._Element]:
    """What stands in a body, a part or a chapter."""
    for name, child in _children(element):
        if name == "Pykala":
            yield _section(child)
        elif name in _CHAPTERS:
            made = etree.Element(_CHAPTERS[name])
            made.extend(_below(child))
            yield made
        elif name in _NUMBERS:
            yield line("num", running_text(child))
        elif name == "SaadosOtsikkoKooste":
            yield line("heading", running_text(child))
        elif name == "SaadosValiotsikkoKooste":
            yield line("crossHeading", running_text(child))
        elif name in _MOMENTS:
            yield from _moments(child)
        else:
            yield from _matter(name, child)


def _matter(name: str, element: etree._Element) -> Iterator[etree._Element]:
    """Elements that may be at any level: an omission, a table, and words that the schema has no name for."""
    if name == "Katkoviiva":
        yield _container("omission")
    elif name == "table":
        yield table_of(element)
    elif name not in _NO_WORDS:
        yield line("p", running_text(element))


def _section(element: etree._Element) -> etree._Element:
    sort = attribute(element, "pykalaLuokitusKoodi")
    numbered = element.find("{*}PykalaTunnusKooste") is not None
    if not numbered:
        # Words between sections: the rates of a decision, a changed entry into force of the act amended.
        return _unnumbered(element, "entryIntoForce" if sort == _ENTRY else "unnumbered")
    made = etree.Element("section")
    if sort in {_ENTRY, _ENTRY_NUMBERED}:
        made.set("class", ENTRY_SECTION)
    for name, child in _children(element):
        if name in _NUMBERS:
            made.append(line("num", running_text(child)))
        elif name == "SaadosOtsikkoKooste":
            made.append(line("heading", running_text(child)))
        elif name in _MOMENTS:
            made.extend(_moments(child))
        elif name == "MomenttiKohtaKooste":
            _last_moment(made).extend(_item(child))
        elif name == "table":
            _last_moment(made).append(table_of(child))
        else:
            made.extend(_matter(name, child))
    return made


def _last_moment(section: etree._Element) -> etree._Element:
    """A table belongs to the momentti that it follows; where none stands before it, to the section."""
    last = section[-1] if len(section) else None
    return last if last is not None and last.tag == "subsection" else section


def _unnumbered(element: etree._Element, container: str) -> etree._Element:
    """A provision without a number, such as the last of an amending act: its paragraphs are no momentit."""
    made = _container(container)
    for name, child in _children(element):
        if name == "KohdatMomentti":
            made.extend(_list(child))
        elif name == "MomenttiKohtaKooste":
            made.extend(_item(child))
        elif name == "SaadosOtsikkoKooste":
            made.append(line("heading", running_text(child)))
        else:
            made.extend(_matter(name, child))
    return made


def _moments(element: etree._Element) -> Iterator[etree._Element]:
    """A momentti; where the source merges several into one list, each separately.

    Act 921/2024, 85 a §: after "… on 10 prosenttia veron perusteesta." the words "Edellä 1 momentissa …:" are
    marked up as a kohta without a number. A sentence that begins after another has ended is a new momentti.
    """
    made = etree.Element("subsection")
    if local_name(element) != "KohdatMomentti":
        made.append(line("p", running_text(element)))
        yield made
        return
    ended = False
    for name, child in _children(element):
        words = running_text(child).strip()
        if ended and name == "MomenttiKohtaKooste" and _is_sentence(child, words):
            yield made
            made = etree.Element("subsection")
            made.append(line("p", words))
        else:
            made.extend(_listed(name, child))
        ended = words.endswith(".")
    yield made


def _is_sentence(element: etree._Element, words: str) -> bool:
    return not len(element) and words[:1].isupper() and _LABEL.match(words) is None


def _list(element: etree._Element) -> Iterator[etree._Element]:
    for name, child in _children(element):
        yield from _listed(name, child)


def _listed(name: str, element: etree._Element) -> Iterator[etree._Element]:
    if name == "MomenttiKohtaKooste":
        yield from _item(element)
    elif name == "MomenttiJohdantoKooste":
        yield line("p", running_text(element))
    else:
        yield from _matter(name, element)


def _item(element: etree._Element) -> Iterator[etree._Element]:
    """A kohta with its alakohdat; one that holds nothing but a table is that table."""
    own = running_text(element, _APART_IN_ITEMS)
    lines = [running_text(below) for below in element.iterfind("{*}MomenttiAlakohtaKooste")]
    matter = [
        made
        for name, child in _children(element)
        if name in _APART_IN_ITEMS and name != "MomenttiAlakohtaKooste"
        for made in _matter(name, child)
    ]
    if not own.strip() and len(lines) > 1 and _sort(lines[0]) == _sort(lines[1]) != "":
        yield from (_labelled("paragraph", one) for one in lines)  # "a)", "b)", "c)" of the kohta before
        yield from matter
        return
    if not own.strip() and lines:
        # The kohta's own words stand as the first of its alakohdat: "1) jättää tutkimatta:", "a) 103 §:n …".
        own = lines.pop(0)
    if own.strip() or lines:
        made = _labelled("paragraph", own)
        made.extend(_labelled("subparagraph", below) for below in lines)
        made.extend(matter)
        yield made
    else:
        yield from matter


def _sort(text: str) -> str:
    """Whether a line begins with a number ("2 a)") or a letter ("b)"), or neither."""
    found = _LABEL.match(text)
    if found is None:
        return ""
    return "number" if found[1][0].isdecimal() else "letter"


def _labelled(tag: str, text: str) -> etree._Element:
    made = etree.Element(tag)
    if found := _LABEL.match(text):
        etree.SubElement(made, "num").text = found[1]
        text = text[found.end() :]
    made.append(line("p", text))
    return made


def _plain_text(part: etree._Element) -> Iterator[etree._Element]:
    """A decision or notice without sections: each heading with the paragraphs that follow it."""
    for content in part.iterfind("{*}SisaltoMuuSaados"):
        made = _container("unnumbered")
        for name, child in _children(content):
            if name == "SaadosValiotsikkoKooste":
                yield made
                made = _container("unnumbered")
                made.append(line("heading", running_text(child)))
            else:
                made.extend(_matter(name, child))
        yield made


def _conclusions(root: etree._Element) -> Iterator[etree._Element]:
    works = _container("preliminaryWork")
    for path in (
        "{*}IdentifiointiOsa/{*}AsiakirjaViitteet/*",
        "{*}EsityoOsa/{*}EsityoViite",
        "{*}ViiteTeksti",
    ):
        works.extend(line("p", running_text(reference)) for reference in root.iterfind(path))
    yield works
    signatures = _container("signatures")
    for name, child in ((n, c) for part in root.iterfind("{*}AllekirjoitusOsa") for n, c in _children(part)):
        words = (
            child.iter("{*}AsemaTeksti", "{*}SukuNimi", "{*}LisatietoTeksti")
            if name == "Allekirjoittaja"
            else [child]
        )
        signatures.append(line("p", " ".join(filter(None, (running_text(part).strip() for part in words)))))
    yield signatures


def _annex(annex: etree._Element) -> etree._Element:
    made = _container("attachment")
    for content in annex.iterfind("{*}SisaltoLiite"):
        for name, child in _children(content):
            made.extend(_matter(name, child))
    return made


def attribute(element: etree._Element, name: str) -> str:
    """An attribute whatever its namespace; "" where there is none."""
    return next((str(value) for key, value in element.items() if str(key).rpartition("}")[2] == name), "")
