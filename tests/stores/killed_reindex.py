"""Run by the kill test in a process of its own: reindex a library and stop somewhere, to be killed there.

python killed_reindex.py LIBRARY WHERE      # prints a line where it stops
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from damaging import EMBEDDER
from pykala.stores.embedded import indexing, rebuilding
from pykala.stores.embedded.store import EmbeddedStore


def stop(*_: object, **__: object) -> None:
    """Wait for the kill."""
    print("stopped", flush=True)
    sys.stdin.read()


def _half_way(done: int, total: int) -> None:
    if done == total // 2:
        stop()


def _before(function: Callable[..., Any], turn: int) -> Callable[..., Any]:
    """The function, but stop before it is called for the given time."""
    calls = 0

    def counted(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == turn:
            stop()
        return function(*given, **named)

    return counted


_put_in_place = rebuilding._put_in_place


def _text_aside(folder: Path, parts: Iterable[str]) -> None:
    """Stop where the new text index is to come into the place of the present one, which was moved away."""
    names = sorted(parts)
    Path.replace = _before(Path.replace, 2 * names.index("text") + 2)  # type: ignore[method-assign]
    _put_in_place(folder, names)


def main(library: Path, where: str) -> None:
    """Reindex, and stop."""
    if where == "written":
        rebuilding.replace = _before(rebuilding.replace, 1)
    elif where == "recorded":
        rebuilding._put_in_place = _before(rebuilding._put_in_place, 1)
    elif where == "text aside":
        rebuilding._put_in_place = _text_aside
    elif where == "all in place":
        indexing.forget = _before(indexing.forget, 1)
    progress = _half_way if where == "half way" else lambda done, total: None
    EmbeddedStore.reindex(library, embedder=EMBEDDER, force=True, progress=progress)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
