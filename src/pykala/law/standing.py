"""How often other law cites a provision."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """How often a section and its act are cited within their jurisdiction."""

    cited: int = 0  # other sections that refer to it, or to a place in it
    works: int = 0  # how many works they stand in
    act_works: int = 0  # how many other works cite the section's act anywhere
    last_cited: int = (
        0  # the ordinal day on which the newest of these references began; 0 where none is dated
    )
    #: The same as shares of the most in the jurisdiction, on a logarithmic scale.
    weight: float = 0.0
    act_weight: float = 0.0


UNKNOWN = Standing()
