"""Changed code without importing anything anew: functions that exist already are given their new code.

That holds for a change within a function. Where the function is called while modules are imported, or the
change lies outside of functions, the package must be imported anew (`forget`).
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

Codes = dict[str, list[CodeType]]


def patch(file: Path) -> bool:
    """Give the functions of a file the code that the file has now; False where that cannot be done."""
    name = str(file.resolve())
    gc.unfreeze()  # what was frozen is not listed
    everything = gc.get_objects()
    functions = [one for one in everything if type(one) is FunctionType and one.__code__.co_filename == name]
    new = _by_name(_inner(compile(file.read_bytes(), name, "exec")))
    old = _by_name(one.__code__ for one in functions)
    try:
        for function in functions:
            code = function.__code__
            alike = old[code.co_qualname]
            if len(alike) == len(new.get(code.co_qualname, ())):
                function.__code__ = new[code.co_qualname][alike.index(code)]
    except ValueError:  # other variables of the function around it are used
        return False
    for one in everything:
        if isinstance(one, functools._lru_cache_wrapper):
            one.cache_clear()
    return True


def forget(folder: Path) -> None:
    """Forget the modules of a folder, so that they are imported anew."""
    below = f"{folder.resolve()}/"
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(below) and not name.startswith("bench"):
            del sys.modules[name]


def _inner(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inner(constant)


def _by_name(codes: Iterator[CodeType]) -> Codes:
    """Codes by their name, in the order of their lines: a property and its setter have one name."""
    named: dict[str, dict[int, CodeType]] = {}
    for code in codes:
        named.setdefault(code.co_qualname, {}).setdefault(id(code), code)
    return {
        name: sorted(alike.values(), key=lambda code: code.co_firstlineno) for name, alike in named.items()
    }
