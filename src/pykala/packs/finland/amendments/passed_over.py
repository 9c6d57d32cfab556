"""Words that a consolidated text still has although a held act replaced them, and words that it misdates.

Semantic Finlex missed amendments: some that began after its last update, and many of single kohdat. A wording
is old if an act that is held gave other words to its place later, and either an earlier act gave the old ones
or every later amending act is held and none gave them. Then the newer act's words are applied.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import pairwise

from pykala.law.identifiers import ProvisionId, WorkId, natural_order
from pykala.law.messages import Message
from pykala.law.provisions import Document, Event, Provision, Version
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.givings import (
    Giving,
    Givings,
    names_younger_act,
    nearly_same,
    same_words,
)
from pykala.packs.finland.amendments.named_amendments import acts_named, mark
from pykala.packs.finland.amendments.places import is_a_rule
from pykala.packs.finland.amendments.unapplied import brought_in
from pykala.packs.finland.commencement import DAY_UNKNOWN
from pykala.packs.left_out import NO_LIST


def redated(document: Document, givings: Givings) -> Document:
    """A document whose wordings begin when an act gave them, where they had other words before that."""
    return replace(document, root=_redated(document.root, givings, ()))


def _redated(provision: Provision, givings: Givings, beside: Sequence[Provision]) -> Provision:
    given, versions = givings.of_place(provision.id), provision.versions
    if given:
        own = [_of_this_place(version, provision.id, givings, beside) for version in versions]
        begun = [_begun(version, provision.id, given) for version in own]
        versions = _open_before(versions, begun, partial(givings.is_left_empty, provision.id))
    children = tuple(_redated(child, givings, provision.children) for child in provision.children)
    return replace(provision, versions=versions, children=children)


def _of_this_place(
    version: Version, place: ProvisionId, givings: Givings, beside: Sequence[Provision]
) -> Version:
    """A wording with its own words, where the source has those that the same act gave to another momentti.

    They must stand in that one too, and its own in none: a source that counts the end of a list as a momentti
    has all that follow it one number later, and each of them once.
    """
    own = next((one for one in givings.of_place(place) if _is_of(version, one)), None)
    if own is None or not version.text or nearly_same(own.words[place].text, version.text):
        return version
    held = {
        node.id: one.text
        for node in beside
        for one in node.versions
        if node.id != place and one.validity.covers(own.day)
    }
    twice = [other for other, text in held.items() if same_words(text, version.text)]
    is_anothers = any(
        _is_of(version, one) and same_words(one.words[other].text, version.text)
        for other in twice
        for one in givings.of_place(other)
    )
    is_lost = not any(nearly_same(text, own.words[place].text) for text in held.values())
    return replace(version, text=own.words[place].text) if is_anothers and is_lost else version


def _is_of(version: Version, giving: Giving) -> bool:
    return giving.act is not None and (giving.act, giving.day) == (version.source_act, version.validity.start)


def _open_before(
    versions: Sequence[Version], begun: Sequence[Version], is_left_empty: Callable[[date], bool]
) -> tuple[Version, ...]:
    """Versions after they were redated: before the first one, if it begins later now, there were others.

    There were none before a momentti that was added, unless what stood there moved on that day.
    """
    told = list(begun)
    for at, (earlier, later) in enumerate(pairwise(versions)):
        is_stopgap = DAY_UNKNOWN in later.findings
        if earlier.validity.end != later.validity.start or not (is_stopgap or _came_later(told[at + 1])):
            continue
        start, until = told[at].validity.start, told[at + 1].validity.start
        if until is not None and (start is None or start < until):
            # The words before a day that was a stopgap, or before a move, stood until the true one.
            told[at] = replace(told[at], validity=Validity(start, until))
        else:
            told[at + 1] = replace(later, text=told[at + 1].text)
    if not versions or begun[0].validity == versions[0].validity or DAY_UNKNOWN in versions[0].findings:
        return tuple(told)
    day, is_added = told[0].validity.start, told[0].event is Event.INSERTED
    is_lacking = not is_added or (day is not None and is_left_empty(day))
    return (replace(told[0], history_unavailable=is_lacking), *told[1:])


def _came_later(version: Version) -> bool:
    return version.event in {Event.RENUMBERED, Event.INSERTED}


def _begun(version: Version, place: ProvisionId, given: Sequence[Giving]) -> Version:
    start, end = version.validity.start, version.validity.end
    if version.validity.is_pending:
        return version
    if DAY_UNKNOWN in version.findings and (own := _of_its_act(version, given)):
        findings = tuple(one for one in version.findings if one != DAY_UNKNOWN)
        return replace(own.dated(version, end), findings=findings)
    if not version.text:
        return version
    within = [one for one in given if one.act and (start is None or one.day >= start)
              and (end is None or one.day < end)]  # fmt: skip
    if arrived := _arrived(version, place, given):
        return arrived.dated(version, end)
    others = [one for one in within if not same_words(one.words[place].text, version.text)]
    same = [one for one in given if same_words(one.words[place].text, version.text)]
    if not same or (others and same[0].day <= others[0].day):
        return version
    if not others and not names_younger_act(version.text, start):
        return version
    first = same[0]
    if (start is not None and first.day <= start) or (end is not None and first.day >= end):
        return version
    return first.dated(version, end)


def _of_its_act(version: Version, given: Sequence[Giving]) -> Giving | None:
    """What the act that a wording is ascribed to gave, if that act is held and the day is before its end."""
    end = version.validity.end
    return next(
        (one for one in given if one.act == version.source_act and (end is None or one.day < end)), None
    )


def _arrived(version: Version, place: ProvisionId, given: Sequence[Giving]) -> Giving | None:
    """When words came here from another number, or were added, if the source has them here before then."""
    start, end = version.validity.start, version.validity.end
    same = [one for one in given if same_words(one.words[place].text, version.text)]
    first = same[0] if same else None
    if first is None or first.act in {None, version.source_act}:
        return None
    is_within = (start is None or start < first.day) and (end is None or first.day < end)
    return first if is_within and first.event in {Event.RENUMBERED, Event.INSERTED} else None


def renewed(
    document: Document,
    acts: Sequence[Document],
    givings: Givings,
    named: Collection[WorkId],
) -> Document:
    """A document whose present words are those that the last held act gave, where the source has older ones.

    `named` are the acts that the source says are in its text.
    """
    wanted = old_words(document, givings, named, {act.work for act in acts})
    for act in acts:
        if act.work in wanted:
            accepts = partial(_changes_only_old, givings=givings, act=act.work, replaced=wanted[act.work])
            after = brought_in(document, act, wanted[act.work], accepts)
            document = replace(after, root=_still_marked(after.root, _marks(document, act.work)))
    return document


def _marks(document: Document, done: WorkId) -> dict[ProvisionId, tuple[Message, ...]]:
    """The marks of present words that name an act whose words are still lacking."""
    found: dict[ProvisionId, tuple[Message, ...]] = {}
    for node in document.root.walk():
        if (now := _present(node)) and any(act != done for act in acts_named(node)):
            found[node.id] = tuple(one for one in now.findings if one not in {mark(done), NO_LIST})
    return found


def _still_marked(provision: Provision, marks: Mapping[ProvisionId, tuple[Message, ...]]) -> Provision:
    """A tree whose new present words keep the marks of those that they replace."""
    versions = tuple(
        replace(one, findings=tuple(dict.fromkeys((*one.findings, *marks[provision.id]))))
        if provision.id in marks and one.validity.end is None
        else one
        for one in provision.versions
    )
    children = tuple(_still_marked(child, marks) for child in provision.children)
    return replace(provision, versions=versions, children=children) if marks else provision


def _changes_only_old(
    before: Document, after: Document, givings: Givings, act: WorkId, replaced: Collection[ProvisionId]
) -> bool:
    """Whether an act's words replace only what is known to be old: other parts may be newer than the act."""
    day = min(one.day for place in replaced for one in givings.of_place(place) if one.act == act)
    old = {node.id: node for node in before.root.walk()}
    new = {node.id: node for node in after.root.walk()}
    if any(givings.next_change(place, day) is not None for place in new if place not in old):
        return False
    for place, node in old.items():
        now, then = _present(node), _present(new[place]) if place in new else None
        if now is None or not now.text or place in replaced:
            continue
        if then is None or not same_words(now.text, then.text):
            same = [one.day for one in givings.of_place(place) if same_words(one.words[place].text, now.text)]
            if not same or max(same) >= day:
                return False
    return True


def _present(provision: Provision) -> Version | None:
    return next((one for one in reversed(provision.versions) if one.validity.end is None), None)


def old_words(
    document: Document, givings: Givings, named: Collection[WorkId], held: Collection[WorkId]
) -> dict[WorkId, list[ProvisionId]]:
    """The places whose present words a held act replaced, by that act.

    `named` are the acts that the source says are in its text, `held` those whose words are known.
    """
    found: dict[WorkId, list[ProvisionId]] = {}
    unknown = [one for one in named if one not in held]
    known = [one for one in named if one in held]
    for node in document.root.walk():
        given = givings.of_place(node.id)
        if not given or not node.versions:
            continue
        last = _replaced_by(node.versions[-1], node.id, given, known, unknown)
        # If an act touched the place later without words for it, what became of it is not known.
        if last is not None and last.act and givings.next_change(node.id, last.day) is None:
            found.setdefault(last.act, []).append(node.id)
    return found


def _replaced_by(
    version: Version,
    place: ProvisionId,
    given: Sequence[Giving],
    known: Collection[WorkId],
    unknown: Collection[WorkId],
) -> Giving | None:
    """The newer words that a held act gave for a place; None if the present words may be the newest."""
    if version.validity.end is not None or version.validity.is_pending or not version.text:
        return None
    later = _after(version, place, given)
    last = later[-1] if later else None
    # What moved here is known from another number; which words of this one it took the place of is not.
    if last is None or last.act is None or last.event is Event.RENUMBERED:
        return None
    if not is_a_rule(place, last.words[place].text):
        return None
    if nearly_same(last.words[place].text, version.text):
        return None
    if any(same_words(one.words[place].text, version.text) for one in given if one.day < last.day):
        return last
    start, act = version.validity.start, last.act
    is_older = start is not None and start < last.day
    is_complete = act in known and not any(_is_after(one, act) for one in unknown)
    return last if is_older and is_complete else None


def _after(version: Version, place: ProvisionId, given: Sequence[Giving]) -> list[Giving]:
    """What was given to a place after these words, by acts that are later than theirs."""
    same = [one.day for one in given if same_words(one.words[place].text, version.text)]
    days = [day for day in (version.validity.start, *same) if day is not None]
    since = max(days, default=None)
    return [
        one
        for one in given
        if one.act is not None
        and one.act != version.source_act
        and (since is None or one.day > since)
        and (version.source_act is None or _is_after(one.act, version.source_act))
    ]


def _is_after(one: WorkId, other: WorkId) -> bool:
    return natural_order(one.value) > natural_order(other.value)
