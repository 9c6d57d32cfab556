"""Chains of versions and the text on a date."""
