"""When a text is law: half-open intervals of dates, either end of which may be unknown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

#: The start of a text that is enacted but whose day of entry into force nobody has fixed yet.
#: Official sources write it so themselves (Justice Laws: in-force="9999-01-01").
NOT_YET = date.max


@dataclass(frozen=True, slots=True)
class Validity:
    """In force from `start` (included) to `end` (excluded).

    `start is None` says that the source does not tell since when; `end is None` that no end is known.
    """

    start: date | None = None
    end: date | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.end < self.start:
            raise ValueError(f"an interval cannot end ({self.end}) before it starts ({self.start})")

    @classmethod
    def pending(cls) -> Validity:
        """Enacted, not in force, and no day known."""
        return cls(NOT_YET, None)

    @property
    def is_pending(self) -> bool:
        """Whether entry into force lies ahead on an unknown day."""
        return self.start == NOT_YET

    @property
    def is_empty(self) -> bool:
        """Whether no day lies in the interval (repealed before it came into force)."""
        return (self.start or date.min) == self.end

    def covers(self, day: date) -> bool:
        """Say whether the text is in force on a day: the first day counts, the last does not."""
        return (self.start is None or self.start <= day) and (self.end is None or day < self.end)

    def overlaps(self, other: Validity) -> bool:
        """Say whether some day lies in both intervals."""
        return not self.intersection(other).is_empty

    def intersection(self, other: Validity) -> Validity:
        """The days on which both hold; an empty interval where there are none."""
        start = max((d for d in (self.start, other.start) if d is not None), default=None)
        end = min((d for d in (self.end, other.end) if d is not None), default=None)
        if start is not None and end is not None and end < start:
            return Validity(start, start)
        return Validity(start, end)


ALWAYS = Validity()
