"""Indexes on a server, Qdrant or PostgreSQL: the shared code, with the word statistics in PostgreSQL."""
