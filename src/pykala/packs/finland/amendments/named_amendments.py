"""Marks on provisions whose source gives only a part of their words, and the acts that have the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Provision, ProvisionKind
from pykala.packs.finland.act_numbers import printed_number
from pykala.packs.left_out import NO_LIST

_NAMED = "finding.named_not_held"


def mark(act: WorkId) -> Message:
    """The finding that words are older than the act named as theirs."""
    return Message.of(_NAMED, act=printed_number(act))


def acts_named(node: Provision) -> Iterator[WorkId]:
    """The acts whose words a provision is marked to lack."""
    for version in node.versions:
        for finding in version.findings:
            if finding.key == _NAMED:
                number, _, year = str(finding.value("act")).partition("/")
                yield WorkId(f"fi:act:{year}/{number}")
            elif finding == NO_LIST and version.source_act is not None and version.validity.end is None:
                yield version.source_act


_ANNOUNCING = (ProvisionKind.SECTION, ProvisionKind.SUBSECTION)
#: What may follow an announcement: the list itself, or the line that leaves it as it is.
_FOLLOWING = (
    ProvisionKind.ITEM,
    ProvisionKind.TABLE,
    ProvisionKind.FORMULA,
    ProvisionKind.FLUSH,
    ProvisionKind.OMISSION,
)


def with_missing_momentti(root: Provision) -> Provision:
    """A tree in which the momentti after one that the source leaves out says so.

    It is left out for certain where an act changed the section and no part of it is of that act.
    """
    children = list(map(with_missing_momentti, root.children))
    if root.kind is ProvisionKind.SECTION and _lacks_its_last_change(root):
        before = 0
        for at, child in enumerate(children):
            number = child.id.path[-1].number
            if child.kind is not ProvisionKind.SUBSECTION or not number.isdigit():
                continue
            if int(number) > before + 1:
                children[at] = _without_the_one_before(child, range(before + 1, int(number)))
            before = max(before, int(number))
    return replace(root, children=tuple(children))


def _lacks_its_last_change(section: Provision) -> bool:
    act = section.versions[-1].source_act if section.versions else None
    below = (one for child in section.children for node in child.walk() for one in node.versions)
    return act is not None and all(one.source_act != act for one in below)


def _without_the_one_before(child: Provision, missing: Sequence[int]) -> Provision:
    told = Message.of("finding.missing_momentti", numbers=", ".join(map(str, missing)))
    return replace(
        child,
        versions=tuple(
            one.doubted(told) if one.validity.end is None and one.text else one for one in child.versions
        ),
    )


def lacks_a_list(provision: Provision) -> bool:
    """Whether a text announces a list or a table that does not follow."""
    return bool(_lacking(provision))


def with_missing_lists(provision: Provision) -> Provision:
    """A tree in which all words that announce a missing list or table say so: "asteikon mukaan:"."""
    lacking = _lacking(provision)
    return _told(provision, lacking) if lacking else provision


def _lacking(root: Provision) -> frozenset[int]:
    found = set()
    for node in root.walk():
        for at, child in enumerate(node.children):
            following = node.children[at + 1] if at + 1 < len(node.children) else None
            if _announces(child) and (following is None or following.kind not in _FOLLOWING):
                found.add(id(child))
    if _announces(root):
        found.add(id(root))
    return frozenset(found)


def _announces(node: Provision) -> bool:
    if node.kind not in _ANNOUNCING or node.children or not node.versions:
        return False
    return node.versions[-1].text.rstrip().endswith(":") and node.versions[-1].validity.end is None


def _told(provision: Provision, lacking: frozenset[int]) -> Provision:
    children = tuple(_told(child, lacking) for child in provision.children)
    told = replace(provision, children=children)
    if id(provision) in lacking and NO_LIST not in provision.versions[-1].findings:
        return told.doubted(NO_LIST)
    return told
