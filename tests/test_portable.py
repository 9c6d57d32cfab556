"""The package on systems that lack what POSIX has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pykala
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


#: The part of the package that is written for Windows, here: `msvcrt` stands on locks that belong to an open
#: file, as those of Windows do (`F_OFD_SETLK`); nothing that only POSIX has is left in `os`.
AS_ON_WINDOWS = """
import fcntl, os, struct, sys, types

def locking(descriptor, mode, size):
    start = os.lseek(descriptor, 0, os.SEEK_CUR)
    asked = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, start, size, 0)
    set_lock(descriptor, 37, asked)  # F_OFD_SETLK; BlockingIOError where another open file has it

set_lock = fcntl.fcntl
# These look for what their system has when they are loaded.
import asyncio, multiprocessing.spawn, subprocess, tempfile
import ftfy, httpx, lxml.etree, numpy, platformdirs, rich.console, tantivy, typer, zstandard
sys.modules["fcntl"] = sys.modules["resource"] = None
for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "pread", "pwrite", "geteuid", "getuid", "killpg"):
    delattr(os, name)
system, sys.platform = sys.platform, "win32"
sys.modules["msvcrt"] = types.SimpleNamespace(LK_LOCK=1, LK_NBLCK=2, locking=locking)
import importlib.util as util
where = util.find_spec("pykala").submodule_search_locations[0] + "/fetch/descriptors.py"
spec = util.spec_from_file_location("pykala.fetch.descriptors", where)
descriptors = util.module_from_spec(spec)
spec.loader.exec_module(descriptors)  # alone: the rest of the package is imported as on this system
sys.modules[spec.name] = descriptors
del sys.modules["msvcrt"]
sys.platform = system
assert hasattr(descriptors, "msvcrt")

from pathlib import Path
import pykala
from pykala.interfaces.cli.main import run

library, law = sys.argv[1:]
if __name__ == "__main__":
    assert "25.5 per cent" in pykala.sample().ask("What is the general VAT rate in Finland?").text
    assert run(["ingest", "ca", "--from", law, "--library", library, "--workers", "1"]) == 0
    with pykala.Library.open(Path(library), writable=True) as opened:
        assert run(["delete", "ca:act:E-15", "--library", library]) == 3  # locked: another one writes
        assert opened.ask("How long is the qualifying period?", jurisdiction="ca").outcome
    assert run(["delete", "ca:act:E-15", "--library", library]) == 0
    print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="NOT LINUX: its locks of open files stand for Windows'")
def test_asking_reading_and_locking_do_without_what_only_posix_has(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(AS_ON_WINDOWS, "utf-8")
    law = Path(pykala.__file__).parent / "packs" / "canada" / "sample"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(program), str(tmp_path / "library"), str(law)],
        env={**os.environ, "PYKALA_CACHE": str(tmp_path / "cache"), "PYKALA_LIBRARY": str(tmp_path / "own")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("done\n")
