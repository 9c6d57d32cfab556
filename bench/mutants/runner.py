"""Runs tests in a copy of the tree, each time in a fork of a process that has the slow imports behind it.

Reads requests as lines of JSON, and answers each with the verdict and the first test that failed. A run that
is watched does not stop at a failure, and writes what each test calls (reached.py). Limits are of computing
time, so that a busy machine kills no mutant that the tests let live.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.mutants import reached
from bench.mutants.patching import forget, patch

#: What nearly every test imports, and what none of the changes touches.
_SLOW = (
    "hypothesis",
    "numpy",
    "tantivy",
    "lxml.etree",
    "httpx",
    "ftfy",
    "Stemmer",
    "zstandard",
    "rich",
)
#: A run hangs that computes less than so many seconds in so many of the clock.
_LITTLE, _PATIENCE = 2.0, 300.0
_MEMORY = 6 << 30
_LONGEST = 300  # seconds that the last test may compute of a file whose calls are noted
_FAILED = Path("mutant.failed")
PACKAGE = Path("src/pykala")
_CALLED_BY_IMPORTS: set[str] = set()


@dataclass(frozen=True, slots=True)
class Request:
    """One run of tests."""

    tests: list[str]
    seconds: int  # of computing; where calls are noted, no test is begun after them
    watch: str = ""  # where to write what each test calls
    samples: str = ""  # where built samples are kept for later runs; "": each run builds its own
    changed: str = ""  # the file below src/pykala that was changed since its tests were imported
    function: str = ""  # the one that was changed; "" where the change lies outside of functions
    only_import: bool = False  # the tests, in this process: nothing is run


def main() -> None:
    """Answer requests until there are no more."""
    for name in _SLOW:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        _FAILED.unlink(missing_ok=True)
        request = Request(**json.loads(line))
        verdict = _imported(request.tests) if request.only_import else _verdict(request)
        failed = _FAILED.read_text() if _FAILED.exists() else ""
        print(json.dumps({"verdict": verdict, "failed": failed}), flush=True)


def _imported(tests: list[str]) -> str:
    """Import files of tests, and note the functions that are called by that alone."""
    with (
        reached.Trace(_CALLED_BY_IMPORTS, PACKAGE),
        Path(os.devnull).open("w") as nowhere,
        contextlib.redirect_stdout(nowhere),
    ):
        pytest.main(["--collect-only", "-q", "-p", "_hypothesis_pytestplugin", *tests])
    return "imported"


def _verdict(request: Request) -> str:
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        _run(request)
    with contextlib.suppress(OSError):
        os.setpgid(child, child)
    status = _waited(child)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # servers that the tests left behind
    if status is None:
        return "hung"
    if os.WIFSIGNALED(status):
        return "too long" if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else "crashed"
    return {0: "survived", 1: "failed", 2: "broken", 4: "broken"}.get(os.WEXITSTATUS(status), "broken")


def _waited(child: int) -> int | None:
    looked, computed = time.monotonic(), 0.0
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.02)
        if time.monotonic() - looked > _PATIENCE:
            before, computed = computed, seconds_of(child)
            if computed - before < _LITTLE:
                break
            looked = time.monotonic()
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def seconds_of(process: int) -> float:
    """How long a process has computed; 0 where the system does not tell."""
    told = Path(f"/proc/{process}/stat")
    if not told.exists():
        return 0.0
    times = told.read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def _run(request: Request) -> None:
    spent = int(time.process_time())
    most = request.seconds + (_LONGEST if request.watch else 1)
    resource.setrlimit(resource.RLIMIT_CPU, (spent + most, spent + most + 4))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    if request.changed:
        called = not request.function or request.function in _CALLED_BY_IMPORTS
        if called or not patch(PACKAGE / request.changed):
            forget(Path.cwd())
    report = os.open("mutant.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(report, stream)
    Path("mutant.tests").write_text("\n".join(request.tests))
    options = ["-p", "_hypothesis_pytestplugin", "--hypothesis-seed=0", "--no-header", "@mutant.tests"]
    if request.samples:
        os.environ["PYKALA_TESTS_SAMPLES"] = request.samples
    if not request.watch:
        code = pytest.main(["-x", *options], plugins=[_First()])
    else:
        watching = reached.Watching(PACKAGE, request.seconds)
        code = pytest.main(options, plugins=[watching])
        reached.write(watching.files, Path(request.watch))
    os._exit(int(code))


class _First:
    """Notes the first test that fails."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write its name where the runner looks for it."""
        if report.failed:
            _FAILED.write_text(report.nodeid)


if __name__ == "__main__":
    main()
