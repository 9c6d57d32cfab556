"""Items of older wordings, and lists without their opening words, which Semantic Finlex sometimes keeps.

If new words no longer open a list ("… jos saaja on:" becomes "… osingosta;"), the source still keeps the
items below; they end together with the words that opened them.

If momentti were renumbered, the items of an older wording stay under the free number, although another
momentti has them now. Those are left out. If no other momentti has them on the same days, only the opening
words are lost, and the items are marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from itertools import pairwise

from pykala.law.messages import Message
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.validity import Validity

#: The finding on an item whose list has no opening words in the source.
NO_OPENING = Message("finding.no_opening_words")
_CLOSED = frozenset(".;")  # signs that end a rule, and open no list
_SAME = 0.8  # the least share of an item's words that another wording of it has
_SHORT = 4  # an item of fewer words occurs in any long rule by chance, so both must be about the same
_STILL_OPEN = re.compile(r"seuraav|följande", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def with_ended_lists(provision: Provision) -> Provision:
    """A tree whose items end together with the words that opened their list."""
    provision = _with_its_list(provision)
    return replace(provision, children=tuple(map(with_ended_lists, provision.children)))


def without_leftovers(provision: Provision) -> Provision:
    """A consolidated tree without leftover lists, and with marks on lists that lost their opening.

    Only a consolidation leaves a list behind; a statute as printed keeps each of its words.
    """
    momentti = [child for child in provision.children if child.kind is ProvisionKind.SUBSECTION]
    bare = [child for child in momentti if _is_bare_list(child)]
    if not bare:
        return replace(provision, children=tuple(map(without_leftovers, provision.children)))
    left_behind = {
        child.id for child in bare if _stands_in(child, [one for one in momentti if one not in bare])
    }
    return replace(
        provision,
        children=tuple(
            _marked(child) if child in bare else without_leftovers(child)
            for child in provision.children
            if child.id not in left_behind
        ),
    )


def _with_its_list(provision: Provision) -> Provision:
    """A provision whose items end where its words no longer open a list."""
    items = [child for child in provision.children if child.kind is ProvisionKind.ITEM]
    starts = {version.validity.start for item in items for version in item.versions}
    for earlier, later in pairwise(provision.versions):
        day = later.validity.start
        # If an item was given together with the new words, these still open a list.
        if day is None or day in starts or not _opens_list(earlier.text) or _opens_list(later.text):
            continue
        children = tuple(_ended(child, day) if child in items else child for child in provision.children)
        provision = replace(provision, children=children)
        items = [child for child in children if child.kind is ProvisionKind.ITEM]
    return provision


def _opens_list(text: str) -> bool:
    """Whether items may follow: the words do not end like a rule, or announce what follows."""
    last = text.rstrip()[-1:]
    return bool(last) and (last not in _CLOSED or _STILL_OPEN.search(text) is not None)


def _ended(item: Provision, day: date) -> Provision:
    return replace(
        item,
        versions=tuple(
            replace(one, validity=Validity(one.validity.start, day)) if one.validity.covers(day) else one
            for one in item.versions
        ),
        children=tuple(_ended(child, day) for child in item.children),
    )


def _is_bare_list(momentti: Provision) -> bool:
    """Whether it has items, and never had words of its own."""
    has_words = any(version.text for version in momentti.versions)
    return not has_words and any(version.text for item in momentti.children for version in item.versions)


def _stands_in(bare: Provision, others: Iterable[Provision]) -> bool:
    """Whether most items of a list stand in another momentti, on the same days and in like words."""
    own = [version for item in bare.children for version in item.versions[-1:] if version.text]
    for other in others:
        held = [version for node in other.walk() for version in node.versions if version.text]
        if sum(any(_is_same(version, text) for text in held) for version in own) > len(own) / 2:
            return True
    return False


def _is_same(item: Version, other: Version) -> bool:
    words, text = _words(item.text), _words(other.text)
    alike = _share(words, text) >= _SAME and (len(words) >= _SHORT or _share(text, words) >= _SAME)
    return alike and item.validity.overlaps(other.validity)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _share(words: frozenset[str], text: frozenset[str]) -> float:
    return len(words & text) / max(1, len(words))


def _marked(momentti: Provision) -> Provision:
    return replace(
        momentti,
        children=tuple(
            replace(
                item,
                versions=tuple(
                    one.doubted(NO_OPENING) if one.text and NO_OPENING not in one.findings else one
                    for one in item.versions
                ),
            )
            for item in momentti.children
        ),
    )
