"""Amendments as typed operations, and playing them forward over a document's chains of versions."""
