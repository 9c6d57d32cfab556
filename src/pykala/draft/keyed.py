"""Evidence under keys L1, L2, …: each is one provision, in one language or more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pykala.law.answers import CitedProvision
from pykala.law.forms import Part
from pykala.versions.mismatches import CitedChain


@dataclass(frozen=True, slots=True, repr=False)
class KeyedProvision(Part):
    """A provision under its key; `others` are the same provision in further languages.

    `chain` has every wording of the provision. Without it, only figures show that a draft describes the law
    of another time.
    """

    key: str
    cited: CitedProvision
    others: tuple[CitedProvision, ...] = ()
    chain: CitedChain | None = None

    @property
    def expressions(self) -> tuple[CitedProvision, ...]:
        """The provision in each available language."""
        return (self.cited, *self.others)


def numbered(provisions: Iterable[CitedProvision]) -> tuple[KeyedProvision, ...]:
    """Give provisions the keys L1, L2, … in their order."""
    return tuple(KeyedProvision(f"L{number}", one) for number, one in enumerate(provisions, start=1))
