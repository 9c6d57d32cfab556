"""Bringing the law's own files in: mirrors, snapshots, polite HTTP and one hardened parser."""
