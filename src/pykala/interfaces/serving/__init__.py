"""Shared by HTTP and MCP: the threads that read the library, progress, rights, errors, uploads."""
