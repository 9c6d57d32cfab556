"""Terms that an act defines, and the scope of each definition.

Finnish defines in the adessive: "Tässä laissa tarkoitetaan: 1) kuntakonsernilla kunnan ja …", "Asunnolla
tarkoitetaan tässä luvussa …"; the term is stored in its base form. Swedish says "I denna lag avses med …" and
"Med skogsväg avses i denna lag …".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import DefinedTerm, Document, Provision, ProvisionKind
from pykala.text.finnish import base_form

_LAW = frozenset({ProvisionKind.SECTION, ProvisionKind.SUBSECTION, ProvisionKind.ITEM, ProvisionKind.FLUSH})
_WITHIN = {
    "lai": "",
    "ase": "",
    "pää": "",
    "luv": "chp",
    "pyk": "sec",
    "mom": "subsec",
    "osa": "part",
    "lag": "",
    "för": "",
    "bes": "",
    "kap": "chp",
    "par": "sec",
    "avd": "part",
}
_HERE_FI = r"[Tt]ässä (?P<within>laissa|asetuksessa|päätöksessä|luvussa|pykälässä|momentissa|osassa)"
_HERE_SV = r"(?:[Ii] )?(?:denna|detta) (?P<within>lag|förordning|beslut|kapitel|paragraf|moment|avdelning)"


@dataclass(frozen=True, slots=True)
class _Patterns:
    """How one language defines: before a list, with the term after the verb, with the term before it."""

    opens_list: re.Pattern[str]
    behind: re.Pattern[str]  # "Tässä laissa tarkoitetaan asunnolla …"
    before: re.Pattern[str]  # "Asunnolla tarkoitetaan tässä laissa …"


_PATTERNS = {
    "fi": _Patterns(
        re.compile(rf"(?:{_HERE_FI}[^.;:]{{0,80}})?tarkoitetaan(?:[^.;:]{{0,60}})?:?$", re.IGNORECASE),
        re.compile(rf"(?<![\w]){_HERE_FI}(?: ja [^.;:]{{1,60}}?)? tarkoitetaan (?P<rest>[^.;:]{{3,160}})"),
        re.compile(
            rf"(?:^|(?<=[.] ))(?P<term>(?:[\wåäö/-]+ ){{0,4}}?[\wåäö/-]+ll[aä])(?: {_HERE_FI})?"
            r" tarkoitetaan(?: tässä (?P<later>laissa|asetuksessa|päätöksessä|luvussa|pykälässä"
            r"|momentissa|osassa))?(?! edellä)"
        ),
    ),
    "sv": _Patterns(
        re.compile(rf"{_HERE_SV}(?: [^.;:]{{0,80}})?avses med:?$"),
        re.compile(rf"(?<![\w]){_HERE_SV} avses med (?P<rest>[^.;:]{{3,160}})"),
        re.compile(
            r"(?:^|(?<=[.] ))Med (?P<term>(?:[\wåäö/-]+ ){0,5}?[\wåäö/-]+) avses"
            r"(?: i (?:denna|detta) (?P<later>lag|förordning|beslut|kapitel|paragraf|moment"
            r"|avdelning))?(?![\w])"
        ),
    ),
}
_ADESSIVE = re.compile(
    r"^(?!(?:edellä|nojalla|tavalla|perusteella|kohdalla|osalla|joilla|jolla|[A-ZÅÄÖ]:lla)$).*ll[aä]$"
)
#: "Med stöd av 5 § avses …", "Med de stöd som avses i denna lag": no term.
_NO_TERM = re.compile(r"^(?:stöd|hjälp|undantag|beaktande|avvikelse|hänsyn)(?: |$)| som(?: |$)|^de ")
_ARTICLE = re.compile(r"^(?:en|ett|den|det) ")
_ADJECTIVE = re.compile(r"(?:ig|sk|bar|ande|ende|[^aeiouyåäö]t|ad|nt|na|ta|ska|liga)$")
#: Where a Swedish definition begins behind its term: "kommunkoncern den helhet som …".
_BEGINS = frozenset(
    [
        "en",
        "ett",
        "den",
        "det",
        "de",
        "dem",
        "sådan",
        "sådant",
        "sådana",
        "varje",
        "all",
        "allt",
        "alla",
        "någon",
        "något",
        "att",
        "detsamma",
        "endast",
        "både",
        "antingen",
    ]
)
#: Words within a definition or a longer term: what stands before them may hold the definition's first noun.
_WITHIN_ONE = frozenset(
    ["som", "av", "i", "på", "vid", "för", "med", "till", "från", "enligt", "och", "eller"]
)
_MOST_WORDS = 5
_MARK = re.compile(r"^(?:[0-9]{1,2}(?: ?[a-z])?|[a-z])\) ")


def terms_of(document: Document) -> tuple[DefinedTerm, ...]:
    """Every term that an act defines, once for each place, in document order."""
    patterns = _PATTERNS.get(document.language)
    if patterns is None or not document.work.value.startswith("fi:act:"):
        return ()
    found: dict[tuple[str, ProvisionId], DefinedTerm] = {}
    for ancestors, provision in _with_ancestors(document.root):
        for term, scope in _defined(provision, ancestors, patterns, document.language):
            defined = DefinedTerm(term, document.language, provision.id, scope)
            found.setdefault((term, provision.id), defined)
    return tuple(found.values())


def _with_ancestors(root: Provision) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
    stack: list[tuple[tuple[Provision, ...], Provision]] = [((), root)]
    while stack:
        ancestors, provision = stack.pop()
        yield ancestors, provision
        stack.extend(((*ancestors, provision), child) for child in reversed(provision.children))


def _defined(
    provision: Provision, ancestors: tuple[Provision, ...], patterns: _Patterns, language: str
) -> Iterator[tuple[str, ProvisionId]]:
    text = _text(provision)
    if provision.kind not in _LAW or not text:
        return
    chain = (*ancestors, provision)
    above = _opening(ancestors, patterns)
    if above is not None:
        if term := _leading(_MARK.sub("", text), language):
            yield term, _scope(above, chain)
        return
    for found in patterns.before.finditer(text):
        within = found["later"] or (found["within"] if "within" in found.re.groupindex else "") or ""
        if term := _in_base_form(found["term"], language):
            yield term, _scope(within, chain)
    for found in patterns.behind.finditer(text):
        if term := _leading(found["rest"], language):
            yield term, _scope(found["within"], chain)


def _text(provision: Provision) -> str:
    return provision.versions[-1].text if provision.versions else ""


def _opening(ancestors: tuple[Provision, ...], patterns: _Patterns) -> str | None:
    """The scope of the definitions in a list, if a list of definitions is directly above."""
    if not ancestors:
        return None
    found = patterns.opens_list.search(_text(ancestors[-1]).strip())
    return None if found is None else found["within"] or ""


def _scope(within: str, chain: tuple[Provision, ...]) -> ProvisionId:
    """The place that "tässä luvussa" means here; the whole act where none is named."""
    kind = _WITHIN.get(within[:3].casefold(), "")
    for provision in reversed(chain):
        if kind and provision.id.last is not None and provision.id.last.kind == kind:
            return provision.id
    return ProvisionId(chain[0].id.work)


def _leading(text: str, language: str) -> str:
    """The term that a definition begins with."""
    words = text.split(" ")[: _MOST_WORDS + 4]
    if language == "fi":
        last = next((at for at, word in enumerate(words) if _ADESSIVE.search(word)), None)
        if last is None or last > _MOST_WORDS:
            return ""
        while last + 1 < len(words) and _ADESSIVE.search(words[last + 1]):
            last += 1
        return _in_base_form(" ".join(words[: last + 1]), language)
    kept: list[str] = []
    for word in words:
        if word.casefold() in _BEGINS:
            return " ".join(kept[:_MOST_WORDS]).casefold()
        if word.casefold() in _WITHIN_ONE:
            break
        kept.append(word.strip(",;"))
    # Without an article to begin the definition, only its first noun is sure to be the term.
    sure = 2 if kept and _ADJECTIVE.search(kept[0]) else 1
    return " ".join(kept[:sure]).casefold()


def _in_base_form(term: str, language: str) -> str:
    """The nominative of a term: "yleishyödyllisellä yhteisöllä" is *yleishyödyllinen yhteisö*."""
    words = term.strip(" ,;:").split(" ")
    if language != "fi":
        folded = _ARTICLE.sub("", " ".join(words).casefold())
        return "" if _NO_TERM.search(folded) else folded
    if not any(_ADESSIVE.search(word) for word in words) or words[0][:2].casefold() == "tä":
        return ""
    return " ".join(
        base_form(word.casefold()) if _ADESSIVE.search(word) else word.casefold() for word in words
    )
