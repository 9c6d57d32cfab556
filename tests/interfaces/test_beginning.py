"""A process of a server begins as the command does."""

from __future__ import annotations

import json
import subprocess
import sys

_WORKER = """
import gc, json, os, socket, sys
import pykala.interfaces.http.worker as worker
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.running import handed_on
from pykala.interfaces.serving.location import LibraryLocation
from pykala.interfaces.serving.shared_memory import SharedMemory
from pathlib import Path

def serve(*given, **named):
    print(json.dumps([gc.get_threshold()[0], os.environ["OPENBLAS_NUM_THREADS"], given[2].threads]))

worker.serve = serve
listening, memory = socket.create_server(("127.0.0.1", 0)), SharedMemory(2)
told = handed_on(LibraryLocation(Path("law"), None), ServerOptions(processes=2, threads=3))
passed = {"listening": os.dup(listening.fileno()), "memory": memory.descriptor, "ready": 1, "life": 0}
worker.main(json.dumps({**told, "number": 0}), json.dumps(passed))
"""


def test_a_server_process_looks_for_garbage_as_seldom_as_the_command() -> None:
    environment = {"PATH": "", "HOME": "", "PYKALA_CACHE": ""}
    command = subprocess.run(
        [sys.executable, "-c", _WORKER], env=environment, capture_output=True, text=True, check=True
    )
    garbage, threads, questions = json.loads(command.stdout)
    assert garbage >= 50_000
    assert (threads, questions) == ("1", 3)
