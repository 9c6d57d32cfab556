"""The SDK's own client over both transports."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from http_serving import settings_in


@asynccontextmanager
async def over_http(address: str) -> AsyncIterator[Client]:
    async with Client(f"{address}/mcp") as client:
        yield client


@asynccontextmanager
async def over_stdio(folder: Path, *arguments: str) -> AsyncIterator[Client]:
    settings = settings_in(folder)
    environment = {
        **os.environ, "PYKALA_CACHE": str(settings.cache), "PYKALA_LIBRARY": str(settings.library),
    }  # fmt: skip
    program = str(Path(sys.executable).parent / "pykala")
    parameters = StdioServerParameters(command=program, args=["mcp", *arguments], env=environment)
    async with Client(stdio_client(parameters)) as client:
        yield client
