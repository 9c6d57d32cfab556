"""Tax treaties."""
