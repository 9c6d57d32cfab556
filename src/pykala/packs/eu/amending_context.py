"""Places in an act other than the present one: "Directive 77/388/EEC is amended as follows: … Article 5".

An amending act names the act that it changes once. The lines below, and the new words that it quotes, name
places of that act. The same is true for an article that the present act does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from pykala.law.citations import CitationContext
from pykala.law.identifiers import Step, WorkId
from pykala.law.provisions import Provision
from pykala.law.references import EdgeKind
from pykala.packs.eu.citation_patterns import Phrases, plain
from pykala.packs.eu.cited_places import NO_ACTS, Cited, Discussed, Path, holders, quoted_place, within
from pykala.packs.eu.named_works import UNKNOWN, NamedWork, find_works
from pykala.packs.eu.naming_acts import own_treaty
from pykala.packs.eu.resolution import Surroundings

_AMENDING = re.compile(r"\b(?:amending|correcting|modifiant|rectifiant)\b")
_ROOTS = frozenset({"art", "anx", "rct"})


class CitingText(Protocol):
    """A text whose citations were found; `grammar.Finder` is one."""

    text: str
    phrases: Phrases
    context: CitationContext
    own: WorkId | None
    named: list[NamedWork]
    discussed: Discussed
    found: list[Cited]
    around: Surroundings | None

    def stands_in(self, kind: str) -> bool:
        """Whether the text is in a place of a kind: a recital, a quotation."""

    def amended_act(self, start: int | None = ...) -> str:
        """The act that the text, up to a place, says is amended; empty where it amends none."""

    def last_act(self) -> str:
        """The act of the last place that says which it belongs to."""

    def antecedent(self, start: int, sort: str) -> str:
        """The act that "that Directive" or "thereof" means."""


def govern(finder: CitingText, read: Callable[[Provision], CitingText]) -> None:
    """Assign the amended act, or the act named before, to the places that name none."""
    if finder.own is None or finder.context.provision is None:
        return
    act, place = _inherited(finder, read)
    own = str(finder.own)
    if act and finder.stands_in("quote"):
        for cited in finder.found:
            if cited.work == own:
                cited.work = act  # "this Regulation" in new words for another one
    for number, cited in enumerate(finder.found):
        if cited.said:
            continue
        amended = finder.amended_act(cited.start) or act
        if not amended and cited.kind is not EdgeKind.CITES and finder.around is not None:
            amended = _amended_by_title(finder)
        if amended and amended != own:
            _put(finder, number, cited, amended, place)
    if finder.around is not None and not own_treaty(finder.own):
        _continue(finder, finder.around, read)


def _put(finder: CitingText, number: int, cited: Cited, act: str, place: Path) -> None:
    """Assign a place without an act to the amended act, below the place that the lines above name."""
    nearest = (finder.found[at] for at in range(number - 1, -1, -1))
    earlier = next((each for each in nearest if each.work == act and each.rooted), None)
    cited.work = act
    if cited.rooted:
        cited.put_below(holders(earlier.members[-1].steps if earlier else place, cited.first))
        return
    if finder.stands_in("quote"):
        place = quoted_place(place, finder.text, cited.start)
    elif earlier:
        place = earlier.members[-1].steps
    above = within(place, cited.members[0].steps[0])
    cited.put_below(above)
    cited.relative = False
    if not above:
        cited.work = UNKNOWN


def _inherited(finder: CitingText, read: Callable[[Provision], CitingText]) -> tuple[str, Path]:
    """The act that the lines above this one amend, and the place in it that they name."""
    around, provision = finder.around, finder.context.provision
    if around is None or provision is None or not finder.found:
        return "", ()
    act = ""
    place: Path = ()
    for holder in reversed(list(around.above(provision.path))):
        above = read(holder)
        act = above.amended_act() or (above.last_act() if finder.stands_in("quote") else "") or act
        for cited in above.found:
            steps = cited.members[-1].steps
            outer = holders(place, steps[0]) if cited.rooted else within(place, steps[0])
            place = (*outer, *steps)
    if not act and place and place[0].kind in ("art", "anx") and place[:1] not in around.provisions:
        act = _amended_by_title(finder) or finder.antecedent(0, "")
    return ("" if act == UNKNOWN else act), place


def _amended_by_title(finder: CitingText) -> str:
    """The act that the title says this one amends: the first of several, which is the main one."""
    if finder.context.document is None:
        return ""
    title = plain(finder.context.document.title)
    change = _AMENDING.search(title)
    if change is None:
        return ""
    named = find_works(title, finder.phrases, finder.own, {})
    later = [each for each in named if each.start > change.start() and each.sort not in NO_ACTS]
    return next((each.work for each in later if each.work != str(finder.own)), "")


def _continue(finder: CitingText, around: Surroundings, read: Callable[[Provision], CitingText]) -> None:
    """Assign an article that this act does not have to the act named before it.

    "Article 85(1) of the Treaty may, in accordance with Article 85(3), be declared inapplicable".
    """
    own = str(finder.own)
    said: dict[Step, str] = {}  # article → the act that the text last gave it to
    for number, cited in enumerate(finder.found):
        if number and (before := finder.found[number - 1]).said:
            said[before.first] = before.work
        missing = (cited.first,) not in around.provisions
        if cited.first.kind not in ("art", "anx") or cited.relative:
            continue
        if cited.work == own and missing:
            # New words that are not set off from the act's own: "of this Directive" is the amended one.
            cited.work = _amended_by_title(finder) or own
        if cited.said or cited.work or not (missing or finder.stands_in("rct")):
            continue
        cited.work = said.get(cited.first, "")
        if missing and not cited.work:
            cited.work = _missing(finder, around, cited, read)


def _same_number(found: list[Cited], cited: Cited) -> str:
    """The act of which the same article was cited last."""
    return next((each.work for each in reversed(found) if each.said and each.first == cited.first), "")


def _missing(
    finder: CitingText, around: Surroundings, cited: Cited, read: Callable[[Provision], CitingText]
) -> str:
    said = finder.discussed.at(cited.start)
    amended = _amended_by_title(finder)
    # Recitals mention many acts; the enacting terms of an amending act are about the act it amends.
    work = (said or amended) if finder.stands_in("rct") else (amended or said)
    provision = finder.context.provision
    if work or provision is None:
        return work
    for earlier in around.before(provision.path):
        work = _same_number(read(earlier).found, cited)
        if work:
            return work
    work = finder.antecedent(cited.start, "")
    return work if work != UNKNOWN else ""
