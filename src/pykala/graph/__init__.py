"""References between provisions: found in one deterministic pass per file, and followed by a bounded walk."""
