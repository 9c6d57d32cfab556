"""Errors of a library, and of requests for what it does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Version


class StoreError(Exception):
    """An error of the library itself; the message names the command that repairs it."""


class StoreLocked(StoreError):
    """Another process is writing to the library, or reading what is to be removed."""


class StoreIncompatible(StoreError):
    """The library was made with another schema, analysis or embedder."""


class StoreDamaged(StoreError):
    """A file of the library cannot be read."""


class StoreForbidden(StoreError):
    """This user may not read, or not write, a file of the library; the message names it."""


class StoreFull(StoreError):
    """The disk is full; what was stored before stays."""


class UnknownProvision(LookupError):
    """The library has nothing of that identifier."""


class NotInForce(LookupError):
    """The provision is known, but no version of it is in force on the date."""

    def __init__(self, provision: ProvisionId, as_of: date, versions: Sequence[Version]) -> None:
        self.provision, self.as_of, self.versions = provision, as_of, tuple(versions)
        super().__init__(f"{provision} has no wording in force on {as_of.isoformat()}{self._known()}")

    @property
    def begins(self) -> date | None:
        """The first day after the date on which it is in force; None where it ended or is pending."""
        starts = [one.validity.start for one in self.versions if not one.validity.is_pending]
        return min((start for start in starts if start is not None and self.as_of < start), default=None)

    def _known(self) -> str:
        if not self.versions:
            return ""
        first, last = self.versions[0].validity, self.versions[-1].validity
        if first.is_pending:
            return "; it is enacted, and the day of its entry into force is not fixed"
        entered = self.versions[0].in_force
        if first.start and entered and entered <= self.as_of < first.start:
            return (
                f"; it is in force since {entered.isoformat()} and applies from {first.start.isoformat()} on"
            )
        if first.start and self.as_of < first.start:
            return f"; the library knows it from {first.start.isoformat()} on"
        return f"; it was in force until {last.end.isoformat()}" if last.end else ""
