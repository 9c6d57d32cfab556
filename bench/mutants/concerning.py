"""Which files of tests concern a module: those named after it, those that import it, then those of its room.

Where there are few, tests that import what imports the module follow. A handful is enough: tests that merely
pass through a function seldom look at what it returns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path

#: Folders and files whose tests start servers, browsers or whole corpora, or look at every module alike: they
#: run far more than they check of a room.
_ELSEWHERE = (
    "bench",
    "docs",
    "evaluate",
    "fetch",
    "interfaces",
    "interfaces_http",
    "models",
    "page",
    "packs",
    "test_adapters.py",
    "test_confined.py",
    "test_linear_patterns.py",
    "test_linear_reading.py",
    "test_portable.py",
)
#: Parts that start whole clusters: a test that imports one takes minutes, and others look at the same code.
_CLUSTERS = frozenset({"qdrant_server", "dask_servers", "cluster_file", "s3_server"})
#: The tests that look at a room as a whole.
_OF_ROOM = {
    "answer": ("tests/test_ask.py",),
    "retrieve": ("tests/test_ask.py",),
    "stores": ("tests/contracts/test_store.py", "tests/stores/test_embedded_store.py"),
    "versions": ("tests/versions/test_play.py", "tests/versions/test_differences.py"),
    "views": ("tests/test_library_time.py",),
}
_MOST = 6  # files of tests for one change


class Concerning:
    """The imports of a tree, turned round: from a module to the files of tests that concern it."""

    def __init__(self, root: Path) -> None:
        self._modules = {
            _module(file.relative_to(root / "src")): _imported(file, root / "src")
            for file in sorted((root / "src" / "pykala").glob("**/*.py"))
        }
        self._tests = {
            file.relative_to(root).as_posix(): (
                _imported_by_test(file, root),
                file.stat().st_size,
            )
            for file in sorted((root / "tests").glob("**/test_*.py"))
            if file.relative_to(root).parts[1] not in _ELSEWHERE
            and (file.parent != root / "tests" or _CLUSTERS.isdisjoint(_imported(file, root)))
        }
        self._users = _turned(self._modules)

    def tests_for(self, file: str) -> list[str]:
        """The tests that concern a file below src/pykala, its own first."""
        module, room = _module(Path("pykala") / file), file.partition("/")[0]
        users = self._users.get(module, set())
        named = [name for name in self._tests if _named_after(name, file)]
        of_room = _OF_ROOM.get(room, ())
        chosen = dict.fromkeys(
            (
                *sorted(named, key=lambda name: not name.startswith(f"tests/{room}/")),
                *self._importing({module}),
                *of_room,
                *self._importing(users),
                *self._importing({further for user in users for further in self._users.get(user, ())}),
            )
        )
        most = _MOST - sum(name not in list(chosen)[:_MOST] for name in of_room)
        return list(dict.fromkeys((*list(chosen)[:most], *of_room)))

    def _importing(self, modules: Set[str]) -> list[str]:
        """The files of tests that import one of some modules, the small before the large."""
        found = (name for name, (imported, _) in self._tests.items() if not modules.isdisjoint(imported))
        return sorted(found, key=lambda name: self._tests[name][1])


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _imported(file: Path, root: Path) -> set[str]:
    """The names that a file imports, each as a module and as a name within one."""
    package = file.relative_to(root).parts[:-1]
    return set(_names(ast.walk(ast.parse(file.read_bytes())), package))


def _names(nodes: Iterable[ast.AST], package: Sequence[str]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*above, *filter(None, [node.module])))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _imported_by_test(file: Path, root: Path) -> set[str]:
    """What a file of tests imports, and the `conftest.py` of its folder for it; not that of all tests."""
    beside = file.parent / "conftest.py"
    shared = beside.exists() and file.parent != root / "tests"
    return _imported(file, root) | (_imported(beside, root) if shared else set())


def _turned(modules: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    users: dict[str, set[str]] = {}
    for module, imported in modules.items():
        for name in imported:
            if name in modules and name != module:
                users.setdefault(name, set()).add(module)
    return users


def _named_after(test: str, file: str) -> bool:
    """Whether a file of tests is named after a module: `test_grading.py` after `grade.py`."""
    stem = Path(file).stem
    return Path(test).stem.removeprefix("test_").startswith(stem.removesuffix("e") if len(stem) > 4 else stem)
