"""Records of results: one dataclass gives the JSON, OpenAPI, MCP's schemas and the page's types."""
