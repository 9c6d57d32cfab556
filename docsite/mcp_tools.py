"""The reference of MCP, as a client hears it from the server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

from mcp import Client

from docsite.http_operations import fields_of
from docsite.markdown import cell, table
from pykala.interfaces.mcp.server import mcp_server
from pykala.interfaces.serving.library_pool import LibraryPool, Opener


def page() -> str:
    """The page of all tools, resources and prompts."""
    return asyncio.run(_page())


async def _page() -> str:
    room = LibraryPool(cast(Opener, None), Path("no-library"), threads=1)
    try:
        async with Client(mcp_server(room)) as client:
            tools = (await client.list_tools()).tools
            templates = (await client.list_resource_templates()).resource_templates
            prompts = (await client.list_prompts()).prompts
    finally:
        room.close()
    parts = [
        "# MCP tools",
        "Generated from what the server tells its clients. How to connect one: [MCP](../mcp.md).",
        "## Tools",
        *(_tool(one) for one in tools),
    ]
    if templates:
        rows = [(f"`{one.uri_template}`", cell(one.description or one.title or "")) for one in templates]
        parts += ["## Resources", table(("address", "what it gives"), rows)]
    if prompts:
        rows = [(f"`{one.name}`", cell(one.description or one.title or "")) for one in prompts]
        parts += ["## Prompts", table(("prompt", "what it is for"), rows)]
    return "\n\n".join(parts) + "\n"


def _tool(tool: Any) -> str:
    schema = tool.input_schema
    told = {"components": {"schemas": schema.get("$defs", {})}}
    rows = fields_of(told, schema)
    about = cell((tool.description or "").split("\n\n")[0])
    parts = [f"### {tool.name}", f"**{tool.title}.** {about}" if tool.title else about]
    if rows:
        parts.append(table(("argument", "type", "meaning"), rows))
    return "\n\n".join(parts)
