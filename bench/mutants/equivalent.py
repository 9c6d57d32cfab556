"""Changes that change nothing anybody can see, each with the reason why (equivalent.toml).

An entry is found by its file, function and both texts. One that is no longer in the code is an error, so that
the list does not outlive what it speaks of.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from bench.mutants.changes import Mutant

FILE = Path(__file__).parent / "equivalent.toml"

Name = tuple[str, str, str, str]


def name_of(mutant: Mutant) -> Name:
    """What an entry says of a change; white space does not count."""
    before, after = (" ".join(text.split()) for text in (mutant.before, mutant.after))
    return mutant.file, mutant.function, before, after


def equivalent() -> dict[Name, str]:
    """Every known change of this kind with its reason."""
    entries = tomllib.loads(FILE.read_text("utf-8")).get("mutant", [])
    return {(one["file"], one["function"], one["before"], one["after"]): one["why"] for one in entries}


def without_equivalent(mutants: Iterable[Mutant]) -> list[Mutant]:
    """The changes that a test could notice."""
    known = equivalent()
    return [mutant for mutant in mutants if name_of(mutant) not in known]
