"""MCP on standard input and output."""

from __future__ import annotations

import anyio

from pykala.interfaces.http.reading_room import Opener, ReadingRoom
from pykala.interfaces.http.uploading import Premises
from pykala.interfaces.mcp.server import mcp_server

_THREADS = 2  # one client, which seldom asks two things at once


def run(premises: Premises, open_library: Opener) -> None:
    """Serve one client until it closes its end."""
    room = ReadingRoom(open_library, premises.folder, threads=_THREADS)
    try:
        anyio.run(mcp_server(room).run_stdio_async)
    finally:
        room.close()
