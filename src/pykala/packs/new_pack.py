"""A new pack from the template: a package that reads its sample, meets the contract and passes its tests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from pykala.packs.pack import installed

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_CODE = re.compile(r"[a-z]{2,8}")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
#: Where each file of the template is written; `module` stands for the package's own folder.
_FILES: Mapping[str, str] = {
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
    "__init__.py.txt": "src/{module}/__init__.py",
    "jurisdiction.py.txt": "src/{module}/jurisdiction.py",
    "reader.py.txt": "src/{module}/reader.py",
    "grammar.py.txt": "src/{module}/grammar.py",
    "pack.toml.txt": "src/{module}/pack.toml",
    "act-1.txt": "src/{module}/sample/act-1.txt",
    "test_pack.py.txt": "tests/test_pack.py",
}


def write_pack(name: str, folder: Path, *, code: str = "", language: str = "en") -> list[Path]:
    """Write the package of a new jurisdiction into a folder, and say which files were written.

    `name` is that of the place in small letters ("sweden", "new-zealand"), `code` begins its identifiers (two
    letters of the name where none is given). Raises ValueError where a name cannot be used, and
    FileExistsError where the folder holds something already.
    """
    code = code or name[:2]
    for told, pattern, means in (
        (name, _NAME, "a name is small letters, digits and hyphens: new-zealand"),
        (code, _CODE, "a code is two to eight small letters: nz"),
        (language, _LANGUAGE, "a language is its ISO code: en"),
    ):
        if not pattern.fullmatch(told):
            raise ValueError(f"{told!r} cannot be used; {means}")
    if code in installed():
        raise ValueError(f"the code {code!r} belongs to an installed pack; choose another with --code")
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; nothing was written")
    words = name.split("-")
    values = {
        "@NAME@": name,
        "@MODULE@": "_".join(words),
        "@CLASS@": "".join(word.capitalize() for word in words),
        "@PLACE@": " ".join(word.capitalize() for word in words),
        "@CODE@": code,
        "@LANGUAGE@": language,
    }
    module = f"pykala_{values['@MODULE@']}"
    return [
        _written(folder / target.format(module=module), source, values) for source, target in _FILES.items()
    ]


def _written(file: Path, source: str, values: Mapping[str, str]) -> Path:
    text = files("pykala.packs").joinpath("template", source).read_text("utf-8")
    for mark, value in values.items():
        text = text.replace(mark, value)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file
