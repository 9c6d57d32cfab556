"""Changes that change nothing anybody can see, each with the reason why (equivalent.toml).

An entry names its file, its function, both texts and, where these occur more than once there, which of them
(`number`). A test fails for an entry that is no longer in the code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from bench.mutants.changes import Mutant

FILE = Path(__file__).parent / "equivalent.toml"

Name = tuple[str, str, str, str, int]


def name_of(mutant: Mutant) -> Name:
    """The name of a change in an entry; white space does not count."""
    before, after = (" ".join(text.split()) for text in (mutant.before, mutant.after))
    return mutant.file, mutant.function, before, after, mutant.number


def equivalent() -> dict[Name, str]:
    """Every known change of this kind with its reason."""
    entries = tomllib.loads(FILE.read_text("utf-8")).get("mutant", [])
    return {
        (entry["file"], entry["function"], entry["before"], entry["after"], entry.get("number", 1)): entry[
            "why"
        ]
        for entry in entries
    }


def without_equivalent(mutants: Iterable[Mutant]) -> list[Mutant]:
    """The changes that a test could notice."""
    known = equivalent()
    return [mutant for mutant in mutants if name_of(mutant) not in known]
