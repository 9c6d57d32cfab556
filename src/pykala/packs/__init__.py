"""Jurisdictions, one folder each; `pack.py` is what they have in common."""
