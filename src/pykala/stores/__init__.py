"""Where the library is kept; `store.py` is the contract."""
