"""The HTTP interface: each route is a method of the Library; one process serves the API, the page and MCP."""
