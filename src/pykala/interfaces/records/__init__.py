"""What only the interfaces tell, as records: once for the terminal, HTTP, MCP and the page."""
