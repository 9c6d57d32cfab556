"""Answers written by a model: the evidence, the claims, and whether the evidence supports them."""
