"""Results as records: one dataclass for each gives its JSON, OpenAPI, MCP's schemas and the page's types."""
