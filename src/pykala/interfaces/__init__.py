"""Doors to the library; no logic lives here."""
