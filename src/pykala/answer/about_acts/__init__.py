"""Answers to questions about acts, and not about their content."""
