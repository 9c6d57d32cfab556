"""What a benchmark counts of processes that come and go while it looks."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bench.beside_folder import memory, processor


@pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc")
def test_a_process_that_has_ended_counts_nothing() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert memory(ended.pid) == processor(ended.pid) == 0.0
    assert memory(os.getpid()) > 0
