"""Caches for results that are costly to compute and likely to be needed again soon."""
