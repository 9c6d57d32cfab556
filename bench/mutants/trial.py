"""Trying mutants: a copy of the tree, one change at a time, and the tests that concern it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

from bench.mutants.changes import Mutant
from bench.mutants.reached import ReachOfFile, digest_of, function_at, read
from bench.mutants.runner import Request

#: Rooms that take no part in building a library: one that was built without the change serves their tests.
READS_ONLY = frozenset({"answer", "draft", "retrieve", "spend", "views"})
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


@dataclass(frozen=True, slots=True)
class Ran:
    """A run of tests: what became of it, and the first test that failed."""

    verdict: str
    failed: str


class Copy:
    """A copy of the tree in which files are changed and put back."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._folder = folder
        self._imported: set[str] = set()
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listed, cwd=root, capture_output=True, check=True).stdout.decode()
        for name in filter(None, names.split("\0")):
            if (root / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)
        self._clock = 1_000_000_000
        self._sources: dict[str, bytes] = {}
        self._passing: dict[tuple[str, ...], bool] = {}
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

    def source(self, name: str) -> bytes:
        """A file below src/pykala without a change, as it was when the copy was made."""
        if name not in self._sources:
            self._sources[name] = (self._folder / "src" / "pykala" / name).read_bytes()
        return self._sources[name]

    def digest(self, test_file: str) -> str:
        """The digest of a file of tests in the copy; "" where there is none."""
        file = self._folder / test_file
        return digest_of(file) if file.exists() else ""

    def tried_in_turn(self, mutant: Mutant, groups: Iterable[list[str]], seconds: int) -> Tried:
        """Run groups of tests over one change, one after another, until one notices it."""
        verdict = UNREACHED
        for tests in groups:
            result = self.tried(mutant, tests, seconds)
            if result.killed:
                return result
            verdict = SURVIVED if SURVIVED in (verdict, result.verdict) else UNREACHED
        return Tried(mutant, verdict)

    def tried(self, mutant: Mutant, tests: list[str], seconds: int) -> Tried:
        """Run tests over one change until one notices it.

        A test that fails is also run over the code as it is: one that fails there, too, proves nothing.
        """
        self._import(tests)
        file, source = self._folder / "src" / "pykala" / mutant.file, self.source(mutant.file)
        while tests:
            self._write(file, mutant.applied(source))
            try:
                ran = self.ran(tests, seconds, mutant)
            finally:
                self._write(file, source)
            if ran.verdict == SURVIVED:
                return Tried(mutant, SURVIVED)
            suspects = [ran.failed] if ran.failed else tests
            if self.passes(suspects, seconds):
                return Tried(mutant, ran.verdict)
            tests = [test for test in tests if not any(name.startswith(test) for name in suspects)]
        return Tried(mutant, UNREACHED)

    def passes(self, tests: list[str], seconds: int) -> bool:
        """Whether tests pass over the code as it is; found out once."""
        key = tuple(tests)
        if key not in self._passing:
            self._passing[key] = self.ran(tests, seconds).verdict == SURVIVED
            if not self._passing[key]:
                print(f"left out, for it fails without a change: {tests[0]}", file=sys.stderr, flush=True)
        return self._passing[key]

    def ran(self, tests: list[str], seconds: int, mutant: Mutant | None = None) -> Ran:
        """Run tests over the copy as it is, in which a change may have been made."""
        if mutant is None:
            return Ran(**self._answer(Request(tests, seconds, samples=self._samples())))
        request = Request(
            tests,
            seconds,
            samples=self._samples() if mutant.room in READS_ONLY else "",
            changed=mutant.file,
            function=function_at(mutant.file, self.source(mutant.file), mutant.line),
        )
        return Ran(**self._answer(request))

    def _import(self, tests: list[str]) -> None:
        """Import the files of tests before anything is changed, once for all runs."""
        files = {test.partition("::")[0] for test in tests} - self._imported
        if files:
            self._imported |= files
            self._answer(Request(sorted(files), 0, only_import=True))

    def watched(self, tests: list[str], seconds: int) -> dict[str, ReachOfFile]:
        """Run files of tests over the copy as it is, and tell what each test calls.

        What only the building of a sample calls is left out: a sample is built once for all of them.
        """
        kept = self._folder / "watched.json"
        kept.unlink(missing_ok=True)
        self._answer(Request(tests, seconds, watch=str(kept), samples=self._samples()))
        return read(kept)

    def _samples(self) -> str:
        """A folder for samples that were built without a change."""
        folder = self._folder / "samples"
        folder.mkdir(exist_ok=True)
        return str(folder)

    def _answer(self, request: Request) -> dict[str, str]:
        if self._runner.stdin is None or self._runner.stdout is None:
            raise RuntimeError("the runner has no pipes")
        self._runner.stdin.write(json.dumps(asdict(request)) + "\n")
        self._runner.stdin.flush()
        answer: dict[str, str] = json.loads(self._runner.stdout.readline())
        return answer

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
