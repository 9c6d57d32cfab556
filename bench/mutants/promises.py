"""The promises that readers rely on, each with the change that would break it (promises.toml).

A promise is found by its text, wherever its file has moved to; one whose text is gone or stands twice must be
written anew.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from bench.mutants.changes import Mutant

FILE = Path(__file__).parent / "promises.toml"


def promised(package: Path) -> list[Mutant]:
    """The changes that would break a promise, as they apply to the code of today."""
    sources = {file: file.read_bytes() for file in sorted(package.glob("**/*.py"))}
    return [_mutant(promise, package, sources) for promise in tomllib.loads(FILE.read_text())["promise"]]


def _mutant(promise: dict[str, str], package: Path, sources: dict[Path, bytes]) -> Mutant:
    text = promise["before"].encode()
    places = [(file, source) for file, source in sources.items() if text in source]
    if len(places) != 1 or places[0][1].count(text) != 1:
        raise SystemExit(
            f"{FILE.name}: '{promise['says']}' must stand once in the code: {promise['before']!r}"
        )
    file, source = places[0]
    start = source.index(text)
    return Mutant(
        file=file.relative_to(package).as_posix(),
        function=f"({promise['says']})",
        line=source.count(b"\n", 0, start) + 1,
        start=start,
        end=start + len(text),
        before=promise["before"],
        after=promise["after"],
        number=1,
    )
