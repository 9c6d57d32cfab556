"""Stores keep a library; `store.py` is the contract."""
