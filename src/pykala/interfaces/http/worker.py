"""One server process, started by `supervising`, which also passes its options and socket."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from pykala.fetch.confined import processes
from pykala.interfaces.beginning import begin_process
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.http.running import Life, serve
from pykala.interfaces.serving.location import LibraryLocation
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.interfaces.serving.shared_memory import SharedMemory
from pykala.settings import Settings


def main(given: str, descriptors: str) -> None:
    """Serve until asked to end, or until the parent process ends."""
    begin_process()
    # Ctrl-C reaches every process of a terminal. Until this process serves, the parent ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    passed_on, passed = json.loads(given), json.loads(descriptors)
    settings = Settings.read()
    options = options_of(passed_on, settings)
    memory = SharedMemory(passed_on["processes"], number=passed_on["number"], descriptor=passed["memory"])
    uploads = Path(passed_on["uploads"]) if passed_on["uploads"] else None
    processes.at_most(1)  # one reading process for untrusted texts per serving process
    opener = LibraryOpener(settings)
    with clear_errors(), closing(opener), socket.socket(fileno=passed["listening"]) as listening:
        serve(
            LibraryLocation(Path(passed_on["folder"]), uploads),
            opener,
            options,
            opener.cache,
            listening,
            memory=memory,
            ready=lambda: os.write(passed["ready"], b"."),
            life=Life(passed["life"]),
        )


def options_of(passed_on: dict[str, Any], settings: Settings) -> ServerOptions:
    """The options of the server, of which the settings do not know all."""
    options = ServerOptions.of(
        settings,
        host=passed_on["host"],
        port=passed_on["port"],
        online=passed_on["online"],
        processes=passed_on["processes"],
    )
    counted = Path(passed_on["metrics_folder"]) if passed_on["metrics_folder"] else None
    return replace(options, threads=passed_on["threads"], metrics_folder=counted)


if __name__ == "__main__":
    main(*sys.argv[1:])
