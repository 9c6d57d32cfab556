"""Amending acts: their enacting clauses, their new text and their days."""
