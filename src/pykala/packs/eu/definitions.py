"""Terms that an act defines, and how far each definition reaches.

English: "‘taxable person’ means …", "‘Taxable person’ shall mean …". French: "«assujetti», …" in a list that
"on entend par" opens, or "on entend par «assujetti» …".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import DefinedTerm, Provision, ProvisionKind

_TERM = r"[‘“\"«]\s?(?P<{0}>[^’”\"»‘“«]{{2,120}}?)\s?[’”\"»]"
_OPENS = re.compile(_TERM.format("term"))
_MEANS = re.compile(
    r"[\s,]*(?:\([^)]{1,80}\)\s?)?(?:(?:of|by|in) [^,;:.]{1,60}? )?"
    r"(?:means?\b|shall mean\b|shall be (?:taken to mean|understood as)\b|refers? to\b|shall refer to\b"
    r"|includes?\b|has the meaning|have the meaning|:)",
)
_MORE = re.compile(r"\s?(?:,|or|and|ou|et)\s(?=[‘“\"«])|\s?,\s?(?:or|ou)\s(?=[‘“\"«])")
_FRENCH_SIGN = re.compile(
    r"(?:\sd(?:e |u |es |[’'])[^,;:.]{1,60}?)?(?:\s?[,:(]|\s(?:désigne|s[’']entend|signifie|est considéré))"
)
_FRENCH_INLINE = re.compile(r"\bon entend par\s+" + _TERM.format("term"), re.IGNORECASE)
_FRENCH_LIST = re.compile(r"on entend par|s[’']entend(?:ent)? par|définitions|entendu par", re.IGNORECASE)
_SCOPE = re.compile(
    r"(?:for the purposes? of|in|au sens|aux fins|pour l[’']application|dans)\s(?:applying\s)?"
    r"(?:de\s|d[eu]\s|of\s|la\s|le\s)*"
    r"(?:this|the present|l[ea]\s?présente?s?|présente?s?|du présent|de la présente|cet(?:te)?)\s"
    r"(?P<what>[\w-]+)",
    re.IGNORECASE,
)
_KINDS = {
    "title": "tis", "titre": "tis", "chapter": "cpt", "chapitre": "cpt", "section": "sct", "part": "prt",
    "partie": "prt", "article": "art", "annex": "anx", "annexe": "anx", "subsection": "sbs",
    "sous-section": "sbs", "paragraph": "para", "paragraphe": "para",
}  # fmt: skip
_DEFINING = frozenset(
    {ProvisionKind.ITEM, ProvisionKind.SUBSECTION, ProvisionKind.ARTICLE, ProvisionKind.ANNEX}
)


def terms_of(root: Provision, language: str) -> Iterator[DefinedTerm]:
    """Every defined term of an act, once a place."""
    seen: set[tuple[str, ProvisionId]] = set()
    for above, provision in _with_ancestors(root):
        if provision.kind not in _DEFINING or not provision.versions:
            continue
        opening = _opening(above)
        for version in reversed(provision.versions):
            terms = list(_terms(version.text, language, opening))
            if terms:
                scope = _scope(f"{opening} {version.text[:200]}", above, provision, root.id)
                for term in terms:
                    if (term, provision.id) not in seen:
                        seen.add((term, provision.id))
                        yield DefinedTerm(term, language, provision.id, scope)
                break


def _with_ancestors(root: Provision) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
    stack: list[tuple[tuple[Provision, ...], Provision]] = [((), root)]
    while stack:
        above, provision = stack.pop()
        yield above, provision
        stack.extend(((*above, provision), child) for child in reversed(provision.children))


def _opening(above: tuple[Provision, ...]) -> str:
    """The words that open the list a point stands in: those of the article or paragraph above it."""
    words = []
    for provision in above[-2:]:
        if provision.kind in _DEFINING and provision.versions:
            words.append(f"{provision.versions[-1].heading} {provision.versions[-1].text}")
    return " ".join(words)[:600]


def _terms(text: str, language: str, opening: str) -> Iterator[str]:
    if language == "fr" and (inline := _FRENCH_INLINE.search(text[:400])):
        yield _tidy(inline["term"])
        return
    match = _OPENS.match(text)
    found = []
    while match is not None:
        found.append(match["term"])
        more = _MORE.match(text, match.end())
        if more is None:
            break
        match = _OPENS.match(text, more.end())
    if not found or match is None:
        return
    if language == "fr":
        defines = (
            _FRENCH_LIST.search(opening) is not None and _FRENCH_SIGN.match(text, match.end()) is not None
        )
    else:
        defines = _MEANS.match(text, match.end()) is not None
    if defines:
        yield from map(_tidy, found)


def _tidy(term: str) -> str:
    return term.strip(" ,;:")


def _scope(words: str, above: tuple[Provision, ...], provision: Provision, work: ProvisionId) -> ProvisionId:
    """How far a definition reaches: what the words around it say, else the whole act."""
    match = _SCOPE.search(words)
    step = _KINDS.get(match["what"].casefold()) if match else None
    if step is None:
        return work
    for place in (provision, *reversed(above)):
        if place.id.last is not None and place.id.last.kind == step:
            return place.id
    return work
