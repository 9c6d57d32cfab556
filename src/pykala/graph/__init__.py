"""One deterministic pass per file, and the bounded walk."""
