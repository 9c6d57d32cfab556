"""Pykälä beside other search engines, in one run on the same documents and questions; see `__main__`."""
