"""Interfaces of the library: command line, HTTP, MCP; they contain no logic of their own."""
