"""The page: static files, and how the HTTP server joins them; there is no build step."""

from __future__ import annotations

from pathlib import Path

#: Where the page's files lie; `index.html` is the page, everything else is named from it.
STATIC = Path(__file__).parent / "static"
