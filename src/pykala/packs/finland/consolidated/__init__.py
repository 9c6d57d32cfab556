"""Consolidated acts, each provision with the chain of its versions."""
