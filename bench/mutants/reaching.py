"""A plug-in of pytest that writes which functions each test reaches, and how long it computes.

    python -m pytest -p bench.mutants.reaching --reached FILE tests/retrieve

A fixture that several tests share runs within the first of them; what it reaches counts for all of them.
Needs `coverage`.
"""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reached", type=Path, help="the file for what each test reaches")
    parser.addoption("--reached-in", type=Path, help="the folder of the package")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--reached"):
        config.pluginmanager.register(_Reaching(config), "reaching")


class _Reaching:
    def __init__(self, config: pytest.Config) -> None:
        self._file: Path = config.getoption("--reached")
        self._package: Path = config.getoption("--reached-in").resolve()
        self._coverage = coverage.Coverage(data_file=None, include=[f"{self._package}/*"], config_file=False)
        self._coverage.set_option("run:disable_warnings", ["no-data-collected", "module-not-measured"])
        self._tests: dict[str, dict[str, Any]] = {}
        self._fixtures: dict[str, float] = {}
        self._current = "import"
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        before = time.process_time()
        name = _function(item.nodeid)
        self._switch(name)
        try:
            return (yield)
        finally:
            self._switch("import")
            told = self._tests.setdefault(name, {"seconds": 0.0})
            told["seconds"] += round(time.process_time() - before, 3)
            told["fixtures"] = sorted(_shared_fixtures(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        if fixturedef.scope == "function":
            return (yield)
        outer, before = self._current, time.process_time()
        self._switch(_name(fixturedef))
        try:
            return (yield)
        finally:
            self._fixtures[_name(fixturedef)] = round(time.process_time() - before, 3)
            self._switch(outer)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._tests.setdefault(_function(report.nodeid), {"seconds": 0.0})["left_out"] = report.outcome

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        reached: dict[str, set[str]] = {}
        data = self._coverage.get_data()
        for file in sorted(data.measured_files()):
            lines = data.contexts_by_lineno(file)
            for function, first, last in functions(Path(file).read_bytes()):
                contexts = {one for line in range(first, last + 1) for one in lines.get(line, ())}
                contexts -= {"", "import"}
                if contexts:
                    reached.setdefault(key(file, function), set()).update(contexts)
        listed = {name: sorted(contexts) for name, contexts in reached.items()}
        record = {"tests": self._tests, "fixtures": self._fixtures, "reached": listed}
        self._file.write_text(json.dumps(record))

    def _switch(self, context: str) -> None:
        self._current = context
        self._coverage.switch_context(context)


def key(file: str, function: str) -> str:
    """A function by its name and that of its file, which may move to another folder."""
    return f"{Path(file).name}::{function}"


def functions(source: bytes) -> Iterator[tuple[str, int, int]]:
    """The qualified name of each function of a file, with the first and last line of its body."""
    yield from _functions(ast.parse(source), "")


def _functions(node: ast.AST, outer: str) -> Iterator[tuple[str, int, int]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{outer}.{child.name}" if outer else child.name
            if not isinstance(child, ast.ClassDef):
                yield name, child.body[0].lineno, child.end_lineno or child.lineno
            yield from _functions(child, name)
        else:
            yield from _functions(child, outer)


def _shared_fixtures(item: pytest.Item) -> set[str]:
    definitions = item._fixtureinfo.name2fixturedefs if hasattr(item, "_fixtureinfo") else {}
    return {_name(known[-1]) for known in definitions.values() if known and known[-1].scope != "function"}


def _function(nodeid: str) -> str:
    """A test without its parameters, which change more often."""
    return nodeid.partition("[")[0]


def _name(fixture: pytest.FixtureDef[object]) -> str:
    return f"@{fixture.baseid}::{fixture.argname}"
