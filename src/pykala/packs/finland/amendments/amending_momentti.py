"""The momentti of a printed section: corrected where the source joins or splits them, then numbered.

The statute book's XML has elements for a momentti, a kohta and a line of dashes, but sometimes uses the wrong
one: "on tuomittava …" after a list is printed as a momentti of its own, and so are kohdat now and then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pykala.law.identifiers import Step
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.packs.finland.spacing import number_of

_ITEM = re.compile(r"(?P<label>\d{1,3}(?: ?[a-zåäö])?\)) ?(?=\S)")
_LETTER = re.compile(r"[a-zåäö] ?\)", re.IGNORECASE)
_NUMBER = re.compile(r"\d")
_SUBITEM = re.compile(r"(?P<label>[a-zåäö]\)) ?(?=\S)")


def mended(section: Provision) -> Provision:
    """The section with its momentti, kohdat and closing words where they belong."""
    children: list[Provision] = []
    for child in section.children:
        if child.kind is ProvisionKind.SUBSECTION:
            last = _last_moment(children)
            joined = _joined(last, child, children) if last is not None else None
            if joined is not None:
                at = children.index(last) if last is not None else 0
                children[at:] = [joined]
                continue
            children += _parted(child)
        else:
            children.append(child)
    nested = [_nested(one) if one.kind is ProvisionKind.SUBSECTION else one for one in children]
    return replace(section, children=_counted([part for one in nested for part in _closed(one)]))


def _closed(part: Provision) -> tuple[Provision, ...]:
    """A momentti with a complete list, followed by the dashes that the source put at the end of the list.

    If all kohdat are printed and the last one ends with a full stop, the dashes stand for the following
    momentti: a further kohta of the older list must not stay in force.
    """
    *printed, last = part.children or (part,)
    whole = (
        part.kind is ProvisionKind.SUBSECTION
        and last.kind is ProvisionKind.OMISSION
        and len(printed) > 1
        and all(one.kind is ProvisionKind.ITEM for one in printed)
        and printed[0].id.path[-1].number == "1"
        and _last_words(printed[-1]).endswith(".")
    )
    if not whole:
        return (part,)
    step = last.id.path[-1]
    beside = replace(last, id=part.id.parent.child(step.kind, f"{part.id.path[-1].number}-{step.number}"))
    return (replace(part, children=tuple(printed)), beside)


def _last_words(item: Provision) -> str:
    """The end of a kohta, or of the last of its alakohdat."""
    *_, last = item.walk()
    return _words(last).rstrip()


def _last_moment(children: Sequence[Provision]) -> Provision | None:
    return next((one for one in reversed(children) if one.kind is ProvisionKind.SUBSECTION), None)


def _joined(last: Provision, stray: Provision, children: Sequence[Provision]) -> Provision | None:
    """The last momentti with what goes on from it; None where a new one begins."""
    words = _words(stray)
    has_items = any(child.kind is ProvisionKind.ITEM for child in last.children)
    following = list(children[children.index(last) + 1 :])
    if words[:1].islower() and not _SUBITEM.match(words):
        # "on tuomittava …" after a list, "missä k on …" after a formula: no momentti begins so.
        number = 1 + sum(child.kind is ProvisionKind.FLUSH for child in last.children)
        flush = Provision(last.id.child("flush", str(number)), ProvisionKind.FLUSH, "", stray.versions)
        return replace(last, children=(*last.children, *following, flush, *stray.children))
    opens = has_items or _words(last).rstrip().endswith(":")
    if opens and (found := _ITEM.match(words)):
        return replace(last, children=(*last.children, *following, _item(last, stray, found, "para")))
    items = [child for child in last.children if child.kind is ProvisionKind.ITEM]
    if items and not following and (found := _SUBITEM.match(words)):
        whole = replace(items[-1], children=(*items[-1].children, _item(items[-1], stray, found, "subpara")))
        return replace(last, children=tuple(whole if one is items[-1] else one for one in last.children))
    return None


def _item(parent: Provision, stray: Provision, found: re.Match[str], kind: str) -> Provision:
    number = found["label"].rstrip(")").replace(" ", "").lower()
    version = stray.versions[-1]
    words = replace(version, text=version.text[found.end() :])
    return Provision(
        parent.id.child(kind, number), ProvisionKind.ITEM, found["label"], (words,), stray.children
    )


def _parted(moment: Provision) -> list[Provision]:
    """A momentti, and further momentti that the source has put into its list as items without a number."""
    kept: list[Provision] = []
    strays: list[Provision] = []
    for child in moment.children:
        is_stray = child.kind is ProvisionKind.ITEM and not child.label and _words(child)[:1].isupper()
        if kept and (is_stray or strays):
            strays.append(child)
        else:
            kept.append(child)
    if not strays or not any(one.kind is ProvisionKind.ITEM for one in kept):
        return [moment]
    made = [replace(moment, children=tuple(kept))]
    for stray in strays:
        if stray.kind is ProvisionKind.ITEM and not stray.label:
            made.append(replace(stray, kind=ProvisionKind.SUBSECTION))
        else:
            made[-1] = replace(made[-1], children=(*made[-1].children, stray))
    return made


def _lifted(children: Sequence[Provision]) -> Iterator[Provision]:
    """Kohdat that stand below the kohta before them put beside it: "27)" is no part of "26)"."""
    for child in children:
        numbered = child.kind is ProvisionKind.ITEM and _NUMBER.match(child.label)
        strays = [one for one in child.children if numbered and _NUMBER.match(one.label)]
        yield (
            replace(child, children=tuple(one for one in child.children if one not in strays))
            if strays
            else child
        )
        for stray in strays:
            yield replace(stray, id=child.id.parent.child("para", number_of(stray.label)))


def _nested(moment: Provision) -> Provision:
    """Alakohdat that stand beside their kohta put below it: "1) …:", dashes, "f) …"."""
    children: list[Provision] = []
    for child in _lifted(moment.children):
        at = next(
            (n for n in reversed(range(len(children))) if children[n].kind is not ProvisionKind.OMISSION), -1
        )
        above = children[at] if at >= 0 else None
        if (
            child.kind is ProvisionKind.ITEM
            and _LETTER.fullmatch(child.label)
            and above
            and _NUMBER.match(above.label)
        ):
            number = child.label.rstrip(") ").lower()
            below = replace(child, id=above.id.child("subpara", number))
            children[at:] = [replace(above, children=(*above.children, *children[at + 1 :], below))]
        else:
            children.append(child)
    return replace(moment, children=tuple(children))


def _counted(children: Sequence[Provision]) -> tuple[Provision, ...]:
    """Momentti numbered in their order again."""
    counted, number = [], 0
    for child in children:
        if child.kind is ProvisionKind.SUBSECTION:
            number += 1
            child = replace(
                child, id=replace(child.id, path=(*child.id.path[:-1], Step("subsec", str(number))))
            )
        counted.append(child)
    return tuple(counted)


def _words(provision: Provision) -> str:
    version: Version | None = provision.versions[-1] if provision.versions else None
    return version.text if version is not None else ""


def printed_moments(
    section: Provision, wanted: Sequence[str], moved: Sequence[str] = ()
) -> dict[str, Provision]:
    """Which printed momentti is which, given the numbers that the clause names for them.

    They are printed in order, so there must be as many as are named; those that only `moved` to their number
    may be printed as well. If the whole section is printed without a line of dashes, each has its own number.
    If nothing fits, the result is empty.
    """
    printed = [child for child in section.children if child.kind is ProvisionKind.SUBSECTION]
    left_out = any(child.kind is ProvisionKind.OMISSION for child in section.children)
    ordered = sorted(set(wanted), key=int)
    if len(printed) == len(ordered):
        return dict(zip(ordered, printed, strict=True))
    with_moved = sorted({*wanted, *moved}, key=int)
    if len(printed) == len(with_moved):
        return dict(zip(with_moved, printed, strict=True))
    if not left_out and ordered and int(ordered[-1]) <= len(printed):
        return {number: printed[int(number) - 1] for number in ordered}
    return {}
