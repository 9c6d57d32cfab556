"""Amendments as typed operations, and their application to a document's chains of versions."""
