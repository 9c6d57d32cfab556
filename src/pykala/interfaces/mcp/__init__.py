"""The MCP interface: the same verbs as tools for language models, over stdio and streamable HTTP."""
