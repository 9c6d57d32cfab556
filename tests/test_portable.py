"""The package on systems that lack what POSIX has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pykala.fetch.descriptors import CLOSE_ON_EXEC, lock, read_at, write_at

#: What Windows does not have, taken away before the package is loaded.
WITHOUT_POSIX = """
import os, sys
import mcp.server, uvicorn  # these look at the name of the system, not at what it has
sys.modules["fcntl"] = sys.modules["resource"] = None
for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "pread", "pwrite"):
    delattr(os, name)
import importlib, pkgutil, pykala
for module in pkgutil.walk_packages(pykala.__path__, "pykala."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ImportError as error:  # an adapter whose framework is not there says what to install
            assert "pip install 'pykala[" in str(error), error
print(pykala.Library.__name__)
"""


def test_every_module_is_imported_without_what_only_posix_has() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WITHOUT_POSIX], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Library\n"


def test_a_lock_is_held_until_its_descriptor_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first = os.open(path, os.O_RDWR | os.O_CREAT | CLOSE_ON_EXEC)
    second = os.open(path, os.O_RDWR | CLOSE_ON_EXEC)
    try:
        lock(first)
        with pytest.raises(BlockingIOError):
            lock(second, wait=False)
        assert write_at(first, b"held", 2) == 4
        assert read_at(second, 9, 0) == b"\0\0held"
        os.close(first)
        lock(second, shared=True, wait=False)
    finally:
        os.close(second)
