"""A library for a team: records in PostgreSQL, the same index files as in a folder on a shared volume."""
