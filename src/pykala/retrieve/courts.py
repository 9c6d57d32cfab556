"""Decisions of courts whose case law no pack holds, as lawyers cite them: "2016 SCC 27", "KKO 2019:104".

They are recognised so that a question about a decision is not answered from other law that uses the same
words. Each pattern begins at a word and has only bounded repetitions, so that any text is read in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CaseCited:
    """A decision as it is cited, and where."""

    start: int
    end: int
    text: str


_CANADIAN_COURTS = (
    r"SCC|CSC|FCA|CAF|FC|CF|TCC|CCI|CMAC|CACM|CHRT|TCDP|CanLII|SST|TSS|CITT|TCCE|CIRB|CCRI|FCTD|CFPI"
    r"|ON(?:CA|SC|CJ|LTB|SCDC|WSIAT)|BC(?:CA|SC|PC|HRT)|AB(?:CA|QB|KB|PC|CJ)|SK(?:CA|QB|KB|PC)"
    r"|MB(?:CA|QB|KB|PC)|QC(?:CA|CS|CQ|TAL|TAT)|NB(?:CA|QB|KB|PC)|NS(?:CA|SC|PC)|PE(?:CA|SC|SCTD)"
    r"|NL(?:CA|SC|TD|PC)|YK(?:CA|SC|TC)|NWT(?:CA|SC|TC)|NU(?:CA|CJ)|EWCA|EWHC|UKSC|UKHL|HCA|NZSC"
)
_BRACKETED_REPORTS = (
    r"S\.?C\.?R\.?|R\.?C\.?S\.?|F\.?C\.?R?\.?|R\.?C\.?F\.?|C\.?F\.?|A\.?C\.?|Q\.?B\.?|K\.?B\.?|W\.?L\.?R\.?"
    r"|All E\.?R\.?|T\.?C\.?J\.?|C\.?T\.?C\.?|R\.?J\.?Q\.?|UKSC|UKHL|EWCA"
)
_SERIES = r"(?:2d|3d|4th|5th|6th|7th)"
_AMERICAN_REPORTS = (
    rf"U\. ?S\.|S\. ?Ct\.|L\. ?Ed\.(?: ?2d)?|F\. ?Supp\.(?: ?{_SERIES})?|F\. ?App[’']x"
    rf"|F\. ?{_SERIES}|F{_SERIES}"
    rf"|N\. ?Y\. ?S\.(?: ?{_SERIES})?|NYS{_SERIES}|N\. ?Y\. ?{_SERIES}|NY ?{_SERIES}|N\.Y\."
    rf"|A\. ?D\. ?{_SERIES}|AD ?{_SERIES}|A\.D\.|Misc\.?(?: ?{_SERIES})?|N\. ?E\. ?{_SERIES}"
    rf"|NE{_SERIES}|T\.C\.|B\.R\."
)
_FINNISH_APPEAL = r"HelHO|HHO|THO|TurHO|VHO|VaaHO|RHO|RovHO|I-SHO|ISHO|IHO|KouHO|HO"
_PATTERN = re.compile(
    r"(?<![\w./-])(?:"
    rf"(?:19|20)\d\d (?:{_CANADIAN_COURTS}) \d{{1,6}}"
    r"|(?:19|20)\d\d NY Slip Op \d{4,6}"
    rf"|\[(?:18|19|20)\d\d\] (?:\d{{1,2}} )?(?:{_BRACKETED_REPORTS}) (?:(?:Civ"
    rf"|Crim) )?(?:[Nn]o\.? )?\d{{1,5}}"
    rf"|\d{{1,3}} (?:C\.?C\.?C\.?|D\.?L\.?R\.?|O\.?R\.?|W\.?W\.?R\.?|C\.?R\.?|D\.?T\.?C\.?"
    rf"|N\.?R\.?) ?\({_SERIES}\) \d{{1,4}}"
    rf"|\d{{1,4}} (?:{_AMERICAN_REPORTS}) \d{{1,5}}"
    r"|[CTF][-\N{NON-BREAKING HYPHEN}\N{EN DASH}]\d{1,4}/\d\d(?: ?P(?:PU)?)?"
    r"|(?:[Cc]ase|[Aa]ffaire|[Aa]sia|[Mm]ål) \d{1,3}/\d\d"
    r"|(?:[Aa]pplication|[Aa]ppl\.|valitus|requête|ansökan) (?:[Nn]os?\.? ?|nro |nr |n° ?)?\d{3,6}/\d\d"
    r"|ECLI:(?!FI:KHO)[A-Z]{2}:[A-Z0-9]{1,10}:\d{4}:[A-Z0-9.]{0,24}[A-Z0-9]"
    r"|EU:[CTF]:\d{4}:\d{1,5}"
    r"|(?:KKO|HD)[: ] ?(?:19|20)\d\d ?: ?\d{1,3}|KKO[: ]19\d\d[ -]II[ -]\d{1,3}"
    rf"|(?:{_FINNISH_APPEAL})[: ] ?(?:19|20)\d\d ?: ?\d{{1,3}}"
    r"|(?:TT|AD)[: ] ?(?:19|20)\d\d[:-]\d{1,3}"
    r"|(?:MAO|MD)[: ] ?(?:\d{1,4}/\d{2,4}|(?:19|20)\d\d:\d{1,4})"
    r"|VakO[: ] ?\d{1,5}:\d{4}"
    r")(?!\w|[/:-]\d)"
)


def cases_in(text: str) -> Iterator[CaseCited]:
    """Decisions that a text cites, of courts whose case law no pack holds."""
    for match in _PATTERN.finditer(text):
        yield CaseCited(match.start(), match.end(), match[0])
