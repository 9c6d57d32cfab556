"""What HTTP and MCP share: threads that read the library, progress, rights, problems, uploads."""
