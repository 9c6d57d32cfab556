"""Which tests concern a function: those that reach it, learned once for each file of tests and kept.

A file is run again when it has other tests than before; that the same tests reach other functions since the
code changed is found out by `--learn`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.mutants.reaching import key

#: Folders and files whose tests run the rooms in their own process; the page, the servers and the packs
#: run far more than they check of these rooms.
CONCERNED = (
    "tests/retrieve",
    "tests/answer",
    "tests/versions",
    "tests/stores",
    "tests/contracts",
    "tests/graph",
    "tests/law",
    "tests/passages",
    "tests/interfaces/test_cli_time.py",
    "tests/test_ask.py",
    "tests/test_conversing.py",
    "tests/test_current_to.py",
    "tests/test_holding.py",
    "tests/test_library_time.py",
)


_TEST = re.compile(r"^\s*def (test_\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reach:
    """What one file of tests reaches: functions by test, seconds by test and by shared fixture."""

    seconds: Mapping[str, float]
    fixtures: Mapping[str, tuple[str, ...]]  # of each test
    fixture_seconds: Mapping[str, float]
    reached: Mapping[str, tuple[str, ...]]  # function → tests

    def cost(self, tests: Iterable[str]) -> float:
        """About how many seconds these tests compute, their fixtures with them."""
        chosen = list(tests)
        shared = {fixture for test in chosen for fixture in self.fixtures[test]}
        own = sum(self.seconds[test] for test in chosen)
        return max(own, sum(self.fixture_seconds.get(one, 0.0) for one in shared))


def learned(root: Path, kept: Path, *, anew: bool = False) -> dict[str, Reach]:
    """What each concerned file of tests reaches; those that changed since are run, the others remembered."""
    known = json.loads(kept.read_text()) if kept.exists() and not anew else {}
    records = {}
    for file in _files(root):
        name = file.relative_to(root).as_posix()
        tests = _TEST.findall(file.read_text())
        if known.get(name, {}).get("holds") != tests:
            print(f"learning what {name} reaches", file=sys.stderr, flush=True)
            known[name] = {"holds": tests, **_run(root, name)}
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(known))
        records[name] = _reach(known[name])
    return records


def _files(root: Path) -> list[Path]:
    found: list[Path] = []
    for name in CONCERNED:
        path = root / name
        found += sorted(path.glob("**/test_*.py")) if path.is_dir() else [path] if path.exists() else []
    return found


def _run(root: Path, name: str) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "reached.json"
        options = ["--reached", str(out), "--reached-in", str(root / "src" / "pykala"), "--hypothesis-seed=0"]
        plugins = ["-p", "bench.mutants.reaching", "-p", "no:xdist"]
        subprocess.run(
            [sys.executable, "-m", "pytest", *plugins, *options, name],
            cwd=root,
            env=surroundings(root),
            stdout=subprocess.DEVNULL,
            check=False,
        )
        if not out.exists():
            raise SystemExit(f"{name} could not be run: try python -m pytest {name}")
        record: dict[str, object] = json.loads(out.read_text())
        return record


def surroundings(root: Path) -> dict[str, str]:
    """The environment in which a tree's own code is imported, on one core."""
    path = os.pathsep.join((str(root / "src"), str(root), str(root / "tests")))
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}


def _reach(record: Mapping[str, Mapping[str, object]]) -> Reach:
    tests = {name: told for name, told in record["tests"].items() if "left_out" not in told}  # type: ignore[operator]
    users: dict[str, list[str]] = {}
    for test, told in tests.items():
        for fixture in told.get("fixtures", ()):
            users.setdefault(fixture, []).append(test)
    reached = {}
    for function, contexts in record["reached"].items():
        direct = {test for one in contexts for test in users.get(one, [one])}  # type: ignore[attr-defined]
        if direct & tests.keys():
            reached[function] = tuple(sorted(direct & tests.keys()))
    return Reach(
        {test: told["seconds"] for test, told in tests.items()},
        {test: tuple(told["fixtures"]) for test, told in tests.items()},
        record["fixtures"],  # type: ignore[arg-type]
        reached,
    )


def tests_for(
    file: str, function: str, records: Mapping[str, Reach], root: Path, *, seconds: float
) -> tuple[list[str], float]:
    """The tests that reach a function, the file's own first and the quick before the slow, and their cost.

    What stands at the level of the module concerns all that reach any function of the file.
    """
    module = f"pykala.{file.removesuffix('.py').replace('/', '.')}"
    groups = []
    for name, reach in records.items():
        tests = _reaching(file, function, reach)
        if tests:
            own = module in (root / name).read_text()
            groups.append((not own, reach.cost(tests), tests))
    chosen: list[str] = []
    spent = 0.0
    for _, cost, tests in sorted(groups):
        if not chosen or spent + cost <= seconds:
            chosen += tests
            spent += cost
    return chosen, spent


def _reaching(file: str, function: str, reach: Reach) -> Sequence[str]:
    if not function or _is_class(function):
        prefix = key(file, f"{function}." if function else "")
        found = (tests for name, tests in reach.reached.items() if name.startswith(prefix))
        return sorted({test for tests in found for test in tests})
    while function and key(file, function) not in reach.reached:
        function = function.rpartition(".")[0]  # a function within one: learned by the outer, if at all
    return reach.reached.get(key(file, function), ())


def _is_class(name: str) -> bool:
    return name.rpartition(".")[2].lstrip("_")[:1].isupper()
