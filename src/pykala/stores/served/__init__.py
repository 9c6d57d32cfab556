"""An index that servers keep, Qdrant or PostgreSQL: what both need, with its numbers in PostgreSQL."""
