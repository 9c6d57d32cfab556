"""Provisions while they are being read: still without identifiers, so that two languages can be aligned."""

from __future__ import annotations

from dataclasses import dataclass, field

from pykala.law.messages import Message
from pykala.law.provisions import Event, ProvisionKind
from pykala.law.validity import ALWAYS, Validity


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link that stood in the markup, with its place in the draft's own text."""

    start: int
    end: int
    text: str
    reference_type: str
    link: str


@dataclass(slots=True)
class Draft:
    """A provision while it is being read.

    A `container` (Part, heading) holds its sections in the tree, but is not part of their identifiers: a
    section of Part II is `sec_7`, because section numbers do not restart. In schedules, numbers do restart
    under labelled headings, which are not containers in this sense.
    """

    kind: ProvisionKind
    step: str
    number: str = ""
    label: str = ""
    heading: str = ""
    text: str = ""
    validity: Validity = ALWAYS
    event: Event = Event.ENACTED
    history_unavailable: bool = False
    findings: tuple[Message, ...] = ()  # why the text is suspect
    container: bool = False
    renamed: bool = False  # its identifier comes from its counterpart, whose label differs
    anchors: list[Anchor] = field(default_factory=list)
    terms: list[tuple[str, str]] = field(default_factory=list)  # (language, defined term)
    children: list[Draft] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str]:
        """The end of its identifier."""
        return self.step, self.number

    def add(self, kind: ProvisionKind, step: str) -> Draft:
        """Append a child that holds whatever the date."""
        child = Draft(kind, step)
        self.children.append(child)
        return child


def number_drafts(root: Draft) -> None:
    """Number every draft uniquely among its siblings; count where its label has no number."""
    scope = _Scope()
    stack = [(root, scope, scope)]
    while stack:
        draft, contents, containers = stack.pop()
        below: list[tuple[Draft, _Scope, _Scope]] = []
        for child in draft.children:
            if child.container:
                containers.place(child)
                below.append((child, contents, _Scope()))
            else:
                contents.place(child)
                if child.children:
                    own = _Scope()
                    below.append((child, own, own))
        # A container's contents share one scope: it must be filled in document order.
        stack.extend(reversed(below))


class _Scope:
    """The steps already taken among siblings."""

    __slots__ = ("copies", "counts", "taken")

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.copies: dict[tuple[str, str], int] = {}
        self.taken: set[tuple[str, str]] = set()

    def place(self, draft: Draft) -> None:
        count = self.counts[draft.step] = self.counts.get(draft.step, 0) + 1
        if not draft.number:
            draft.number = str(count)
        wanted = draft.key
        while draft.key in self.taken:
            # Going on from the last copy: a file may have one number a hundred thousand times.
            self.copies[wanted] = self.copies.get(wanted, 1) + 1
            draft.number = f"{wanted[1]}.dup{self.copies[wanted]}"
        self.taken.add(draft.key)
