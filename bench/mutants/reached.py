"""Which tests call which functions of the package: files of tests are run once over the code as it is.

A mutant of a function is then tried with the tests that call it. Tests that call few other functions come
first: they look at it most closely. What was found out is kept in a file, and found out again for files of
tests that have changed since. A file that computes for long is watched only so far: its later tests are not
taken. Times are of computing, so that they are the same on a busy machine.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
import threading
import time
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import pytest

#: Tests of a file are taken until they compute this many seconds together, over the code as it is.
_ENOUGH = 30.0


@dataclass(slots=True)
class Reach:
    """One test: how long it computes, and the functions that it calls."""

    seconds: float
    functions: set[str]


@dataclass(slots=True)
class ReachOfFile:
    """The tests of a file that pass, what their shared fixtures call, and the digest of the file's bytes."""

    digest: str = ""
    shared: set[str] = field(default_factory=set)
    tests: dict[str, Reach] = field(default_factory=dict)


def callers_of(functions: Iterable[str], known: ReachOfFile) -> list[str]:
    """The tests of a file that call one of some functions, the most specific first, to a limit."""
    wanted = set(functions)
    through_fixture = not wanted.isdisjoint(known.shared)
    direct: list[tuple[int, float, str]] = []
    shared: list[tuple[int, float, str]] = []
    for name, reach in known.tests.items():
        if not wanted.isdisjoint(reach.functions):
            direct.append((len(reach.functions), reach.seconds, name))
        elif through_fixture:
            shared.append((len(reach.functions), reach.seconds, name))
    chosen: list[str] = []
    spent = 0.0
    for _, seconds, name in (*sorted(direct), *sorted(shared)):
        if chosen and spent + seconds > _ENOUGH:
            continue
        chosen.append(name)
        spent += seconds
    return chosen


def together(known: Iterable[ReachOfFile]) -> ReachOfFile:
    """The tests of several files as if they were one; what fixtures call is left out."""
    return ReachOfFile(tests={name: reach for one in known for name, reach in one.tests.items()})


def function_at(file: str, source: bytes, line: int) -> str:
    """The innermost function around a line; "" where it lies in none."""
    spans = _functions(ast.parse(source).body, "")
    around = [(end - start, name) for name, start, end in spans if start <= line <= end]
    return f"{file}:{min(around)[1]}" if around else ""


def functions_of(file: str, source: bytes) -> list[str]:
    """Every function of a file."""
    return [f"{file}:{name}" for name, _, _ in _functions(ast.parse(source).body, "")]


def _functions(body: Iterable[ast.AST], below: str) -> Iterable[tuple[str, int, int]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{below}.{node.name}" if below else node.name
            if not isinstance(node, ast.ClassDef):
                yield name, node.lineno, node.end_lineno or node.lineno
            yield from _functions(node.body, name)
        else:
            yield from _functions(ast.iter_child_nodes(node), below)


class Watching:
    """A plug-in of pytest that notes the functions of a package that each test calls, for so many seconds."""

    def __init__(self, package: Path, seconds: float) -> None:
        self.files: dict[str, ReachOfFile] = {}
        self._end = time.process_time() + seconds
        self._package = package
        self._names: dict[int, tuple[CodeType, str]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note what the fixtures call: a shared one is made once, for all tests of its file."""
        with self._watched(self._of(item.nodeid).shared):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note what the test calls, and how long it computes; begin no other after the end."""
        reach = self._of(item.nodeid).tests.setdefault(item.nodeid, Reach(0.0, set()))
        begun = time.process_time()
        try:
            with self._watched(reach.functions):
                return (yield)
        finally:
            ended = time.process_time()
            reach.seconds = ended - begun
            if ended > self._end:
                item.session.shouldstop = "watched for long enough"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Forget a test that did not pass."""
        if not report.passed:
            self._of(report.nodeid).tests.pop(report.nodeid, None)

    def _of(self, test: str) -> ReachOfFile:
        return self.files.setdefault(test.partition("::")[0], ReachOfFile())

    def _watched(self, functions: set[str]) -> Trace:
        return Trace(functions, self._package, self._names)


@dataclass(slots=True)
class Trace:
    """While it is entered, calls of a package's functions are added to a set."""

    functions: set[str]
    package: Path
    #: By the code's id; the code is held, so that no other gets the id.
    names: dict[int, tuple[CodeType, str]] = field(default_factory=dict)

    def __enter__(self) -> None:
        threading.settrace(self._called)
        sys.settrace(self._called)

    def __exit__(self, *failure: object) -> None:
        sys.settrace(None)
        threading.settrace(None)

    def _called(self, frame: FrameType, event: str, given: object) -> None:
        code = frame.f_code
        known = self.names.get(id(code))
        if known is None:
            known = self.names[id(code)] = code, self._named(code)
        if known[1]:
            self.functions.add(known[1])

    def _named(self, code: CodeType) -> str:
        """The file below the package and the function that a code belongs to; "" outside of the package."""
        below = f"{self.package.resolve()}/"
        parts = [part for part in code.co_qualname.split(".") if not part.startswith("<")]
        if not code.co_filename.startswith(below) or not parts:
            return ""
        return f"{code.co_filename.removeprefix(below)}:{'.'.join(parts)}"


def digest_of(file: Path) -> str:
    """The digest of a file of tests."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def write(files: Mapping[str, ReachOfFile], file: Path) -> None:
    """Keep what was found out; names of functions are listed once."""
    names = sorted({name for known in files.values() for name in _all_names(known)})
    place = {name: index for index, name in enumerate(names)}
    kept = {
        test_file: {
            "digest": known.digest,
            "shared": sorted(place[name] for name in known.shared),
            "tests": {
                test: [reach.seconds, *sorted(place[name] for name in reach.functions)]
                for test, reach in known.tests.items()
            },
        }
        for test_file, known in files.items()
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"names": names, "files": kept}))


def read(file: Path) -> dict[str, ReachOfFile]:
    """What was kept; nothing where there is no such file."""
    if not file.exists():
        return {}
    kept = json.loads(file.read_text())
    names = kept["names"]
    return {
        test_file: ReachOfFile(
            known["digest"],
            {names[index] for index in known["shared"]},
            {
                test: Reach(seconds, {names[index] for index in places})
                for test, (seconds, *places) in known["tests"].items()
            },
        )
        for test_file, known in kept["files"].items()
    }


def _all_names(known: ReachOfFile) -> set[str]:
    return known.shared.union(*(reach.functions for reach in known.tests.values()))
