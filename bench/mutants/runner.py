"""Runs tests in a copy of the tree, each time in a fork of a process that has the slow imports behind it.

Reads lines of JSON ({"tests": […], "seconds": n}) and answers each with {"verdict": …}. Limits are of
computing time, so that a busy machine kills no mutant that the tests let live.
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
from pathlib import Path

#: What nearly every test imports, and what none of the changes touches.
_SLOW = (
    "pytest",
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
_PATIENCE = 600.0  # seconds of the clock after which a run hangs, whatever it computes
_MEMORY = 6 << 30


def main() -> None:
    """Answer requests until there are no more."""
    for name in _SLOW:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"verdict": _verdict(request["tests"], request["seconds"])}), flush=True)


def _verdict(tests: list[str], seconds: float) -> str:
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        _run(tests, seconds)
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
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _run(tests: list[str], seconds: float) -> None:
    spent = int(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (spent + int(seconds) + 1, spent + int(seconds) + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    report = os.open("mutant.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(report, stream)
    import pytest

    Path("mutant.tests").write_text("\n".join(tests))
    code = pytest.main(
        ["-x", "-p", "_hypothesis_pytestplugin", "--hypothesis-seed=0", "--no-header", "@mutant.tests"]
    )
    os._exit(int(code))


if __name__ == "__main__":
    main()
