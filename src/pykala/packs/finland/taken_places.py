"""The identifiers of one text, each given once.

A file may have the same number a hundred thousand times. Counting copies from the beginning at each of them
would take the square of that, so it is remembered how far each number was counted.
"""

from __future__ import annotations

from pykala.law.identifiers import ProvisionId


class TakenPlaces:
    """The identifiers that provisions of a text already have."""

    __slots__ = ("_copies", "_counted", "_taken")

    def __init__(self) -> None:
        self._taken: set[ProvisionId] = set()
        self._copies: dict[ProvisionId, int] = {}  # every copy before this one is taken
        self._counted: dict[tuple[ProvisionId, str], int] = {}  # below a parent: every number before is taken

    def claim(self, parent: ProvisionId, kind: str, number: str) -> ProvisionId:
        """An identifier that no other provision of this text has: a repeated `sec_5` becomes `sec_5-2`."""
        wanted = identifier = parent.child(kind, number)
        copy = self._copies.get(wanted, 2)
        while identifier in self._taken:
            identifier, copy = parent.child(kind, f"{number}-{copy}"), copy + 1
        if identifier != wanted:
            self._copies[wanted] = copy
        self._taken.add(identifier)
        return identifier

    def next_free(self, parent: ProvisionId, kind: str) -> ProvisionId:
        """The next `flush_1`, `note_2` … below a parent."""
        number = self._counted.get((parent, kind), 1)
        while parent.child(kind, str(number)) in self._taken:
            number += 1
        self._counted[parent, kind] = number
        return self.claim(parent, kind, str(number))

    def give_back(self, parent: ProvisionId, identifier: ProvisionId) -> None:
        """Let an identifier of `next_free` be given again."""
        self._taken.discard(identifier)
        if identifier.last is not None:
            self._counted.pop((parent, identifier.last.kind), None)
