"""Acts that their own title limits to certain years, so that they do not answer for a later time.

"Valtioneuvoston asetus vuodelta 2006 maksettavasta perunantuotannon kansallisesta tuesta", "Vuoden 1997
tuloveroasteikkolaki", "… suoritteiden maksullisuudesta vuosina 2024 ja 2025". Nobody repeals them: they are
spent when the years are over. A year may also be that of a treaty ("vuonna 1974 tehtyyn yleissopimukseen"),
of a programme or of a party's founding, which limits nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from pykala.law.messages import Message
from pykala.law.provisions import Document, Provision, Version
from pykala.law.validity import NOT_YET, Validity

_YEAR = r"(?:19|20)\d\d"
_YEARS = rf"{_YEAR}(?:(?:\s?[–—-]\s?|, | ja | sekä ){_YEAR})*"
#: The years stand last, or bound what is paid, levied, granted, kept or taxed.
_WHEN = re.compile(
    rf"\b(?:vero)?vuo(?:nna|sina|delta|silta|delle|sille) (?P<years>{_YEARS})(?:$| "
    r"(?:ennen verotuksen|maksettav|suoritettav|perittäv|toimitettav|myönnettäv|noudatettav|kertyv"
    r"|kannettav|määrättäv|sovellettav|jaettav|haettav|käytettäv))",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    rf"\b(?:vero)?vuo(?:den|sien) (?P<years>{_YEARS}) (?:tuloveroasteik|veroasteik|verotukse|kiinteistövero"
    r"|liikenneturvallisuusmaksu|metsänhoitomaksu|taidekilpailupalkin|työttömyysvakuutusmaksu|satovahin"
    r"|vakuutusmaksu|lisäveroasteik"
    r"|(?:kansallise|suora|maatalous|maa- ja puutarhatalou|pinta-ala|eläin)\w*)",
    re.IGNORECASE,
)
_SINGLE = re.compile(_YEAR)


def last_year(title: str) -> int | None:
    """The last year to which the title limits an act; None where it does not."""
    words = " ".join(title.split())
    found = _WHEN.search(words) or _WHOSE.search(words)
    if found is None:
        return None
    # "vuosina 2016 ja 2017" ends with its last year, however they are written.
    return max(int(year) for year in _SINGLE.findall(found["years"]))


def ended_by_title(document: Document, *, years_after: int = 0) -> Document:
    """A document that ends with the years of its title, if it has such and no end is stated.

    An act made after its year ("vuodelta 2024 maksettavasta tuesta", given in 2025) is carried out in the
    year in which it begins, and one changed after its year in the year of the last change. Guidance on a tax
    year is used as long as that year is assessed (`years_after`).
    """
    year = last_year(document.title)
    if year is None:
        return document
    starts = (version.validity.start for node in document.root.walk() for version in node.versions)
    last = max((year, *(start.year for start in starts if start is not None and start != NOT_YET)))
    return replace(document, root=ended_on(document.root, date(last + 1 + years_after, 1, 1)))


def ended_on(provision: Provision, day: date, finding: Message | None = None) -> Provision:
    """A tree in which what began before a day and had no end ends on it; a finding may say why."""
    return provision.with_versions(lambda version: _ended(version, day, finding))


def _ended(version: Version, day: date, finding: Message | None) -> Version:
    start, end = version.validity.start, version.validity.end
    if end is not None or (start is not None and start >= day):
        return version
    findings = (*version.findings, finding) if finding is not None else version.findings
    return replace(version, validity=Validity(start, day), findings=findings)
