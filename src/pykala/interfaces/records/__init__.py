"""Records that only the interfaces need, shared by the terminal, HTTP, MCP and the page."""
