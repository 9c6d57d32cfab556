"""Identifiers that parse and print themselves: works (`fi:act:1992/1535`) and provisions within them.

A provision's identifier is its work followed by typed steps with Akoma Ntoso's short names:
`fi:act:1992/1535/sec_124/subsec_2`, `nyc:adc:11/sec_11-208.1/subd_a`. A work's own number may hold
slashes too (`fi:vero:VH/5629/00.01.00/2022`), so a step is told apart by its form: a short lower-case
type, an underscore, a number. `parse(str(x)) == x` holds for every identifier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import total_ordering

_STEP = re.compile(r"(?P<kind>[a-z]{2,12})_(?P<number>[^/\s\x00-\x1f\x7f]+)")
_WORK = re.compile(r"[a-z]{2,8}(:[^:/\s]+)?:[^\s]*[^:\s]")
_FORBIDDEN = re.compile(r"[\s\x00-\x1f\x7f]")
_CHUNKS = re.compile(r"\d+|\D+")


class InvalidIdentifier(ValueError):
    """A string that is not an identifier, with an example of one that is."""


@total_ordering
@dataclass(frozen=True, slots=True)
class Step:
    """One level of a path: `sec_124` is Step("sec", "124")."""

    kind: str
    number: str

    def __post_init__(self) -> None:
        # "sec_1" as a kind would print like a step and be read back as another one.
        if "_" in self.kind or not _STEP.fullmatch(f"{self.kind}_{self.number}"):
            raise InvalidIdentifier(f"{self.kind}_{self.number!r} is not a step such as sec_124 or subsec_2")

    def __str__(self) -> str:
        return f"{self.kind}_{self.number}"

    def __lt__(self, other: Step) -> bool:
        return _step_order(self) < _step_order(other)


@total_ordering
@dataclass(frozen=True, slots=True, repr=False)
class WorkId:
    """A work of law in the abstract: an act, a ruling, a directive, whatever its language or version."""

    value: str

    def __post_init__(self) -> None:
        if not _WORK.fullmatch(self.value) or _FORBIDDEN.search(self.value):
            raise InvalidIdentifier(
                f"{self.value!r} is not a work identifier; write it like fi:act:1992/1535 or eu:32006L0112"
            )
        head, *rest = self.value.split("/")
        if any(_STEP.fullmatch(segment) for segment in rest) or "" in (head, *rest):
            raise InvalidIdentifier(f"{self.value!r} names a provision, not a work")

    def __hash__(self) -> int:
        return hash(self.value)

    @property
    def jurisdiction(self) -> str:
        """The pack that speaks for this work: `fi` of `fi:act:1992/1535`."""
        return self.value.partition(":")[0]

    @property
    def is_upload(self) -> bool:
        """Whether it is a user's own document: nobody enacted it, and it is never in force."""
        return self.jurisdiction == "up"

    def __repr__(self) -> str:
        return f"WorkId({self.value!r})"

    def __str__(self) -> str:
        return self.value

    def __lt__(self, other: WorkId) -> bool:
        return natural_order(self.value) < natural_order(other.value)


class _ComputedOnce:
    """Room for a hash and a printed form beside the fields: neither is copied, compared or pickled."""

    __slots__ = ("_hash", "_text")

    _hash: int
    _text: str


@total_ordering
@dataclass(frozen=True, slots=True, repr=False)
class ProvisionId(_ComputedOnce):
    """A place in a work; an empty path is the work as a whole."""

    work: WorkId
    path: tuple[Step, ...] = ()

    @classmethod
    def parse(cls, text: str) -> ProvisionId:
        """Read an identifier back from its printed form."""
        segments = text.split("/")
        end = len(segments)
        while end > 1 and _STEP.fullmatch(segments[end - 1]):
            end -= 1
        return cls(
            WorkId("/".join(segments[:end])), tuple(_parse_step(segment) for segment in segments[end:])
        )

    def __hash__(self) -> int:
        # A question keeps hundreds of places in sets and maps, and looks each up several times.
        try:
            return self._hash
        except AttributeError:
            found = hash((self.work.value, *[step.number for step in self.path]))
            object.__setattr__(self, "_hash", found)
            return found

    def __repr__(self) -> str:
        return f"ProvisionId.parse({str(self)!r})"

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            found = "/".join((self.work.value, *map(str, self.path)))
            object.__setattr__(self, "_text", found)
            return found

    def __lt__(self, other: ProvisionId) -> bool:
        return self.sort_key < other.sort_key

    @property
    def sort_key(self) -> tuple[object, ...]:
        """An order in which 9 < 10 < 10a and a parent stands before its children."""
        return (natural_order(self.work.value), tuple(map(_step_order, self.path)))

    @property
    def parent(self) -> ProvisionId:
        """The identifier one step up; the work is its own parent."""
        return ProvisionId(self.work, self.path[:-1])

    @property
    def last(self) -> Step | None:
        """The innermost step, or None for a whole work."""
        return self.path[-1] if self.path else None

    def child(self, kind: str, number: str) -> ProvisionId:
        """The identifier one step down."""
        return ProvisionId(self.work, (*self.path, Step(kind, number)))

    def contains(self, other: ProvisionId) -> bool:
        """Say whether `other` is this provision or lies below it."""
        return self.work == other.work and other.path[: len(self.path)] == self.path

    def step(self, kind: str) -> str | None:
        """The number of the first step of a kind: `id.step("sec")` is "124"."""
        return next((step.number for step in self.path if step.kind == kind), None)


def shared_steps(one: Sequence[Step], other: Sequence[Step]) -> int:
    """How many steps two paths have in common from their beginning."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _parse_step(segment: str) -> Step:
    kind, _, number = segment.partition("_")
    return Step(kind, number)


def _step_order(step: Step) -> tuple[object, ...]:
    return (step.kind, natural_order(step.number))


def natural_order(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key under which "9" < "10" < "10a" < "11", and which no two different texts share."""
    # A number compares by its length and then its digits: no limit on how long a source may write one.
    # The text itself closes the key, before any letter, so that "1" and "01" do not fall together.
    chunks = (
        (0, len(digits := chunk.lstrip("0")), digits) if chunk.isdecimal() else (1, 0, chunk)
        for chunk in _CHUNKS.findall(text)
    )
    return (*chunks, (-1, 0, text))
