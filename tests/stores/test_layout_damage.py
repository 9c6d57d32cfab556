"""Something else lies where an index should be: it is mended or refused in a line, and no answer changes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from damaging import EMBEDDER, answers, make_library
from pykala.stores.embedded.store import EmbeddedStore

DEEP = "[" * 200_000  # JSON that is nested deeper than Python reads


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_library(tmp_path_factory.mktemp("layout") / "library")


@pytest.fixture(scope="module")
def alike(made: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """What the library answers, and what it answers once its indexes were written anew."""
    rebuilt = tmp_path_factory.mktemp("layout") / "rebuilt"
    shutil.copytree(made, rebuilt)
    EmbeddedStore.reindex(rebuilt, embedder=EMBEDDER, force=True)
    return [answers(made), answers(rebuilt)]


def gone(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def a_file(path: Path) -> None:
    gone(path)
    path.write_text("no index")


def a_folder(path: Path) -> None:
    gone(path)
    (path / "within").mkdir(parents=True)


def a_loop(path: Path) -> None:
    gone(path)
    path.symlink_to(path)


def emptied(path: Path) -> None:
    for one in path.iterdir():
        gone(one)


def cut(path: Path) -> None:
    for one in path.iterdir():
        one.write_bytes(b"")


def zeros(path: Path) -> None:
    for one in path.iterdir():
        one.write_bytes(bytes(one.stat().st_size))


def one_text(folder: Path) -> Path:
    return min(path for path in (folder / "text").iterdir() if path.is_dir())


DAMAGES: dict[str, Callable[[Path], object]] = {
    **{
        f"{name}: {damage.__name__}": lambda library, name=name, damage=damage: damage(library / name)  # type: ignore[misc]
        for name in ("asked", "vectors")
        for damage in (gone, a_file, a_loop, emptied, cut, zeros)
    },
    "text: a_file": lambda library: a_file(library / "text"),
    "text: a_loop": lambda library: a_loop(library / "text"),
    "one text: gone": lambda library: gone(one_text(library)),
    "one text: a_file": lambda library: a_file(one_text(library)),
    "one text: emptied": lambda library: emptied(one_text(library)),
    "one text: renamed": lambda library: one_text(library).rename(library / "text" / "9999"),
    "one text: deep": lambda library: (one_text(library) / "meta.json").write_text(DEEP),
    "one text: zeros": lambda library: (one_text(library) / "meta.json").write_bytes(bytes(300)),
    "text: no number": lambda library: (library / "text" / "²").mkdir(),
    "text: a foreign folder": lambda library: (library / "text" / "9999").mkdir(),
    "text: a foreign file": lambda library: (library / "text" / "9999").write_text("no index"),
    "text: twice": lambda library: shutil.copytree(one_text(library), library / "text" / "9999"),
    "vectors: deep header": lambda library: (library / "vectors" / "header.json").write_text(DEEP),
    "asked: deep header": lambda library: (library / "asked" / "header.json").write_text(DEEP),
    "manifest: deep": lambda library: (library / "checksums.json").write_text(DEEP),
    "manifest: list": lambda library: (library / "checksums.json").write_text("[]"),
    "all but the records: gone": lambda library: [
        gone(one) for one in library.iterdir() if one.name != "library.db"
    ],
    "glossary: a_folder": lambda library: a_folder(library / "glossary.db"),
    "standing: a_folder": lambda library: a_folder(library / "standing-sections.npy"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_whatever_lies_in_the_place_of_an_index_no_answer_changes(
    made: Path, alike: list[dict[str, object]], tmp_path: Path, damage: str
) -> None:
    library = tmp_path / "library"
    shutil.copytree(made, library)
    DAMAGES[damage](library)
    assert answers(library) in alike
    assert answers(library) in alike, "and it stays so"
