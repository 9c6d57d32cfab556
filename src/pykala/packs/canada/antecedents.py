"""Which work "that Act" means: the last one named before it, in the text at hand or in the lines above it.

In a list, one sentence spans several provisions: "(a) … under the Bank Act; and (b) … section 9 of that Act".
"""

from __future__ import annotations

from collections.abc import Iterable

from pykala.law.identifiers import ProvisionId
from pykala.law.references import Reference
from pykala.packs.canada.phrases import ENGLISH, Phrases
from pykala.packs.canada.places import Places

_ACTS = frozenset({"act", "acts", "code", "loi", "lois", "tariff", "tarif", "plan", "régime"})
_FARTHEST = 60  # provisions to look back; no sentence is longer


def fits(reference: Reference, word: str) -> bool:
    """Whether a link may be what "that Act" or "those Regulations" means."""
    kind = word.casefold()
    if reference.target is not None:
        return reference.target.work.value.startswith("ca:act:") is (kind in _ACTS)
    return bool(reference.alias) and kind.removesuffix("s") in reference.alias


def last_fitting(references: Iterable[Reference], word: str) -> str:
    """The name of the last link that fits; empty where none does."""
    return next((one.text for one in sorted(references, key=_end, reverse=True) if fits(one, word)), "")


def _end(reference: Reference) -> int:
    return reference.end


def named_above(places: Places, provision: ProvisionId, word: str, language: str) -> str:
    """The work that the provisions before one name, within its section; empty where they name none."""
    number = places.numbers.get(provision.path)
    if number is None:
        return ""
    for before in reversed(places.order[max(0, number - _FARTHEST) : number]):
        if before[:1] != provision.path[:1]:
            return ""
        links = places.anchors.get(ProvisionId(provision.work, before), ())
        name = last_fitting((link for link in links if link.language == language), word)
        if name:
            return name
    return ""


def title_before(text: str, end: int) -> str:
    """An English title in plain words before a place: a table may name its acts in both languages."""
    found = [match[0] for match in ENGLISH.title.finditer(text, 0, end)]
    return found[-1] if found else ""


def governing_work(places: Places, provision: ProvisionId, phrases: Phrases, language: str) -> str:
    """The work of a list, named above it: "the following provisions of the Bank Act apply: (a) …"."""
    path = provision.path
    for length in range(len(path) - 1, 0, -1):
        above = places.provisions.get(path[:length])
        text = above.versions[-1].text if above is not None and above.versions else ""
        match = phrases.following.search(text) if text else None
        if match is None or above is None:
            continue
        links = places.anchors.get(above.id, ())
        return next(
            (link.text for link in links if link.language == language and link.start == match.end()), ""
        )
    return ""
