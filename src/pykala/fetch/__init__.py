"""Fetch the law's own files: mirrors, snapshots, polite HTTP and one hardened parser."""
