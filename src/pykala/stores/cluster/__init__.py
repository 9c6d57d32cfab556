"""A library for a cluster: records and word statistics in PostgreSQL, passages in Qdrant."""
