"""Trying mutants: a copy of the tree, one change at a time, and the tests that concern it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from bench.mutants.changes import Mutant

SURVIVED, UNREACHED = "survived", "no test"


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant and what became of it."""

    mutant: Mutant
    verdict: str

    @property
    def killed(self) -> bool:
        """Whether a test noticed."""
        return self.verdict not in (SURVIVED, UNREACHED)


class Copy:
    """A copy of the tree in which files are changed and put back."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._folder = folder
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listed, cwd=root, capture_output=True, check=True).stdout.decode()
        for name in filter(None, names.split("\0")):
            if (root / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)
        self._clock = 1_000_000_000
        self._passing: dict[str, bool] = {}
        self._runner = subprocess.Popen(
            [sys.executable, "-m", "bench.mutants.runner"],
            cwd=folder,
            env=_surroundings(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Copy:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pipe in (self._runner.stdin, self._runner.stdout):
            if pipe is not None:
                pipe.close()
        self._runner.wait()

    def tried(self, mutant: Mutant, tests: list[str], seconds: float) -> Tried:
        """Run the tests over one change, file by file, until one notices it.

        A file that fails is also run over the code as it is: one that fails there, too, proves nothing.
        """
        file = self._folder / "src" / "pykala" / mutant.file
        source = file.read_bytes()
        lived = False
        for test in tests:
            if self._passing.get(test) is False:
                continue
            self._write(file, mutant.applied(source))
            try:
                verdict = self.verdict([test], seconds)
            finally:
                self._write(file, source)
            if verdict == SURVIVED:
                lived = True
            elif self.passes(test, seconds):
                return Tried(mutant, verdict)
        return Tried(mutant, SURVIVED if lived else UNREACHED)

    def passes(self, test: str, seconds: float) -> bool:
        """Whether a file of tests passes over the code as it is; found out once."""
        if test not in self._passing:
            self._passing[test] = self.verdict([test], seconds) == SURVIVED
            if not self._passing[test]:
                print(f"left out, for it fails without a change: {test}", file=sys.stderr, flush=True)
        return self._passing[test]

    def verdict(self, tests: list[str], seconds: float) -> str:
        """Run tests over the copy as it is."""
        if self._runner.stdin is None or self._runner.stdout is None:
            raise RuntimeError("the runner has no pipes")
        request = {"tests": tests, "seconds": seconds}
        self._runner.stdin.write(json.dumps(request) + "\n")
        self._runner.stdin.flush()
        verdict: str = json.loads(self._runner.stdout.readline())["verdict"]
        return verdict

    def _write(self, file: Path, source: bytes) -> None:
        """Each writing has a second of its own: compiled code is told apart by the second and the size."""
        file.write_bytes(source)
        self._clock += 1
        os.utime(file, (self._clock, self._clock))


def _surroundings(root: Path) -> dict[str, str]:
    """The environment in which a copy's own code is imported, compiled once, and computes on one core."""
    path = os.pathsep.join((str(root / "src"), str(root), str(root / "tests")))
    return {
        **os.environ,
        "PYTHONPATH": path,
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(root / ".compiled"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # most take longer to load than a test to run
        "OPENBLAS_NUM_THREADS": "1",
    }


def drawn(mutants: list[Mutant], seed: int, sample: int) -> list[Mutant]:
    """So many mutants of each room, by a draw that stays the same while other code changes."""
    rooms: dict[str, list[Mutant]] = {}
    for mutant in sorted(mutants, key=lambda one: one.place_in(seed)):
        chosen = rooms.setdefault(mutant.room, [])
        if len(chosen) < sample:
            chosen.append(mutant)
    return [mutant for room in sorted(rooms) for mutant in rooms[room]]
