"""Past wordings of a consolidated text, from the acts that gave them.

Semantic Finlex has the present wording of each momentti and few older ones. Where the act that gave an older
one is held, its words are placed before the first wording known, or between two: from its own day to the next
day on which an act touched the place. The present text is never changed here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from pykala.law.identifiers import ProvisionId, WorkId, natural_order
from pykala.law.messages import Message
from pykala.law.provisions import Document, Event, Provision, Version
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.givings import Giving, Givings, same_words
from pykala.packs.left_out import NO_LIST
from pykala.versions.operations import Facet
from pykala.versions.overlays import overlay

#: The finding on a past wording, if an act between it and the next one is named by the source and not held.
PERHAPS_CHANGED = Message("finding.perhaps_changed")


def with_past_wordings(
    document: Document, givings: Givings, named: Collection[WorkId], held: Collection[WorkId]
) -> Document:
    """A document with the wordings that held acts gave, where its source passes over them."""
    unknown = [one for one in named if one not in held]
    refused: set[int] = set()
    while True:
        placing = _Placing(document.root, givings, unknown)
        for giving in givings.in_order:
            if id(giving) not in refused:
                placing.place(giving)
        cut_off = placing.before_gaps()
        if not cut_off:
            return replace(document, root=placing.rebuilt(document.root))
        refused |= cut_off


class _Placing:
    """The chains of a document while past wordings are placed, in order of time."""

    def __init__(self, root: Provision, givings: Givings, unknown: Sequence[WorkId]) -> None:
        self.givings, self.unknown = givings, unknown
        self.nodes = {node.id: node for node in root.walk()}
        self.above = {child.id: node.id for node in root.walk() for child in node.children}
        self.chains = {node.id: list(node.versions) for node in root.walk()}
        self.changed: set[ProvisionId] = set()
        self.placed: dict[tuple[ProvisionId, date | None], Giving] = {}

    def place(self, giving: Giving) -> None:
        """Place what was given, whole or not at all: half a list is no wording."""
        if not giving.is_whole or not self._is_visible(giving) or self._has_more(giving):
            return
        new: dict[ProvisionId, list[Version]] = {}
        for place, words in giving.words.items():
            chain = self._chain(place, words, giving)
            if chain is None:
                return
            new[place] = chain
        for place, chain in new.items():
            if chain != self.chains[place]:
                self.chains[place] = chain
                self.changed.add(place)
                self.placed[place, giving.day] = giving

    def before_gaps(self) -> set[int]:
        """The givings after whose words others were in force that could not be placed.

        Nothing may stand before such a gap: it would say that the place was repealed in between.
        """
        return {
            id(giving)
            for place in self.changed
            for one, following in pairwise(self.chains[place])
            if (giving := self.placed.get((place, one.validity.start))) is not None
            and one.validity.end is not None
            and one.validity.end < (following.validity.start or date.min)
            and not following.validity.is_pending
            and not self.givings.is_left_empty(place, one.validity.end)
        }

    def _is_visible(self, giving: Giving) -> bool:
        """Whether everything above the place has words on that day; below an absent section nothing shows."""
        above = self.above.get(giving.root)
        while above is not None:
            chain = self.chains[above]
            if chain and not any(one.validity.covers(giving.day) for one in chain):
                return False
            above = self.above.get(above)
        return True

    def _has_more(self, giving: Giving) -> bool:
        """Whether other parts of the place were in force on that day."""
        is_section = giving.root.path[-1].kind == "sec"
        if giving.facet is Facet.HEADING or (len(giving.words) == 1 and is_section):
            return False  # the section's own words alone
        below = (node.id for node in self.nodes[giving.root].walk() if node.id not in giving.words)
        return any(one.validity.covers(giving.day) for place in below for one in self.chains[place])

    def _chain(self, place: ProvisionId, words: Version, giving: Giving) -> list[Version] | None:
        """The chain with these words; None where they contradict what the source knows."""
        chain = self.chains[place]
        known = next((one for one in reversed(chain) if one.validity.covers(giving.day)), None)
        if known is not None and self._goes_on(place, known, words):
            return chain
        later = [one for one in chain if one.validity.start is not None and one.validity.start > giving.day]
        if (known is not None and _contradicts(known, giving)) or self._is_outdone(place, giving):
            return None
        if known is not None and not later and _is_same(known, words):
            # The present words announce a table that this act gave anew.
            anew = giving.dated(known, known.validity.end)
            return _with_open_history(overlay(chain, anew, though_same=True))
        if not later or later[0].validity.is_pending:
            return None
        until = later[0].validity.start
        assert until is not None
        end = min(until, self.givings.next_change(place, giving.day) or until)
        if end == until and self._goes_on(place, later[0], words):
            return _merged(chain, later[0], giving)
        findings = self._perhaps_changed(giving, later[0])
        if known is not None and end != until:
            # The older words that the source has for these days must not come back after the newer ones.
            end, findings = until, (PERHAPS_CHANGED,)
        lacks = self._lacks_a_list(place, words)
        new = replace(giving.dated(words, end), findings=(*findings, NO_LIST) if lacks else findings)
        return _with_open_history(overlay(chain, new, though_same=lacks))

    def _goes_on(self, place: ProvisionId, one: Version, other: Version) -> bool:
        """Whether two versions are one wording; two that announce a lost table may be of different tables."""
        return _is_same(one, other) and not self._lacks_a_list(place, other)

    def _lacks_a_list(self, place: ProvisionId, words: Version) -> bool:
        return words.text.rstrip().endswith(":") and not self.nodes[place].children

    def _is_outdone(self, place: ProvisionId, giving: Giving) -> bool:
        """Whether a later act gave the place other words from the same day on."""
        last = next(one for one in reversed(self.givings.of_place(place)) if one.day == giving.day)
        return last.act != giving.act

    def _perhaps_changed(self, giving: Giving, following: Version) -> tuple[Message, ...]:
        """A finding if an act between the two wordings is not held: it may have changed these words."""
        if following.source_act is None:
            return ()
        act = giving.act or giving.root.work
        first, last = natural_order(act.value), natural_order(following.source_act.value)
        is_between = any(first < natural_order(act.value) < last for act in self.unknown)
        return (PERHAPS_CHANGED,) if is_between else ()

    def rebuilt(self, provision: Provision) -> Provision:
        children = tuple(map(self.rebuilt, provision.children))
        if provision.id in self.changed:
            return replace(provision, versions=tuple(self._joined(provision.id)), children=children)
        unchanged = all(one is other for one, other in zip(children, provision.children, strict=True))
        return provision if unchanged else replace(provision, children=children)

    def _joined(self, place: ProvisionId) -> Iterator[Version]:
        """A chain without the days on which an act gave the same words anew."""
        before, *rest = self.chains[place]
        for one in rest:
            is_placed = (place, before.validity.start) in self.placed
            adjoin = before.validity.end == one.validity.start
            if is_placed and adjoin and self._goes_on(place, before, one):
                before = _since(one, before)
            else:
                yield before
                before = one
        yield before


def _since(version: Version, earlier: Version) -> Version:
    """A version that begins when an earlier one with the same words does."""
    return replace(
        version,
        validity=Validity(earlier.validity.start, version.validity.end),
        source_act=earlier.source_act,
        event=earlier.event,
        application=earlier.application,
        in_force=earlier.in_force,
        history_unavailable=earlier.history_unavailable,
    )


def _is_same(one: Version, other: Version) -> bool:
    return same_words(one.text, other.text) and same_words(one.heading, other.heading)


def _contradicts(known: Version, giving: Giving) -> bool:
    """Whether the source says that other words, by a later act or of the same day, were in force then."""
    if known.validity.start == giving.day or known.source_act == giving.act:
        return True
    if known.source_act is None:
        return giving.act is None
    return giving.act is None or natural_order(known.source_act.value) > natural_order(giving.act.value)


def _merged(chain: Sequence[Version], following: Version, giving: Giving) -> list[Version]:
    """The same words began earlier than the source knows."""
    since = giving.dated(following, following.validity.end)
    cut = [_ended(one, giving.day) for one in chain if one is not following]
    return _with_open_history(sorted([*cut, since], key=lambda one: one.validity.start or date.min))


def _ended(version: Version, day: date) -> Version:
    if not version.validity.covers(day):
        return version
    return replace(version, validity=Validity(version.validity.start, day))


def _with_open_history(chain: Sequence[Version]) -> list[Version]:
    """A chain whose first wording says whether an earlier one is lacking."""
    first, *rest = chain
    is_first = first.event in {Event.ENACTED, Event.INSERTED}
    return [
        replace(first, history_unavailable=not is_first),
        *(replace(one, history_unavailable=False) for one in rest),
    ]
