"""Cutting provisions into parents and children."""
