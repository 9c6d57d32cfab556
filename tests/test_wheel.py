"""The package as people get it: built, checked, installed with what it declares and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
QUESTION = "What is the general VAT rate in Finland?"
SECONDS = 600  # on a busy machine


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, built from what is in the repository, and unpacked beside itself."""
    folder = tmp_path_factory.mktemp("dist")
    _build("sdist", ROOT, folder)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as source:
        source.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return unpacked


@pytest.fixture(scope="module")
def built(unpacked: Path) -> Path:
    """The source archive and the wheel, built from the archive as whoever installs from that would."""
    folder = unpacked.parent.parent
    _build("wheel", unpacked, folder)
    return folder


def _build(what: str, source: Path, to: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", what, "--directory", str(to)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr


def _wheel(built: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    return wheel


def test_its_description_is_one_that_the_index_takes(built: Path) -> None:
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "twine",
        "check",
        "--strict",
        *map(str, built.glob("*.*")),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2


def test_the_wheel_holds_the_package_and_nothing_beside_it(built: Path) -> None:
    names = zipfile.ZipFile(_wheel(built)).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"pykala"}
    assert [name for name in names if "__pycache__" in name] == []
    needed = {"py.typed", "packs/finland/pack.toml", "interfaces/web/static/index.html"}
    assert {f"pykala/{name}" for name in needed} <= set(names)
    assert any(name.endswith(".npz") for name in names)
    # What the index refuses without asking first.
    assert _wheel(built).stat().st_size < 100_000_000


def test_the_source_archive_holds_the_package_whole_and_nothing_of_ours(unpacked: Path, built: Path) -> None:
    inside = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    tops = {name.split("/")[0] for name in inside}
    assert tops == {"src", "README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "PKG-INFO", ".gitignore"}
    assert [name for name in inside if "__pycache__" in name] == []
    ours = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*") if path.is_file()}
    ours = {name for name in ours if "__pycache__" not in name}
    packed = {name for name in zipfile.ZipFile(_wheel(built)).namelist() if ".dist-info/" not in name}
    assert packed == ours


def _needed(requirements: list[str], extras: frozenset[str] = frozenset()) -> Iterator[Distribution]:
    """The distributions that requirements lead to, each once, as a resolver would install them."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(Requirement(text), extras) for text in requirements]
    while waiting:
        requirement, wanted = waiting.pop()
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in (*wanted, "")):
            continue
        key = (requirement.name.lower().replace("_", "-"), frozenset(requirement.extras))
        if key in seen:
            continue
        seen.add(key)
        try:
            found = distribution(requirement.name)
        except PackageNotFoundError:
            pytest.fail(f"{requirement} is declared and not installed; pip install -e '.[dev]'")
        assert requirement.specifier.contains(found.version, prereleases=True), requirement
        yield found
        waiting += [(Requirement(text), frozenset(requirement.extras)) for text in found.requires or []]


def _link(found: Distribution, to: Path) -> None:
    """What a distribution has in its environment, in another one: links instead of copies."""
    for top in {file.parts[0] for file in found.files or [] if file.parts[0] not in ("..", "__pycache__")}:
        place = Path(str(found.locate_file(top)))
        if place.exists() and not (to / top).exists():
            (to / top).symlink_to(place)


@pytest.fixture(scope="module")
def clean(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and its declared dependencies alone: no extra, no tool of ours.

    The dependencies come from the environment of the tests, so that no network is needed.
    """
    folder = tmp_path_factory.mktemp("clean")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=SECONDS)
    (packages,) = folder.glob("lib/python*/site-packages")
    install = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet"]
    options = ["--no-deps", "--no-index", "--disable-pip-version-check", str(_wheel(built))]
    done = subprocess.run([*install, *options], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(_wheel(built)) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = wheel.read(name).decode()
    declared = re.findall(r"^Requires-Dist: (.+)$", metadata, re.MULTILINE)
    for found in _needed(declared):
        _link(found, packages)
    return folder


def _run(clean: Path, tmp_path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": f"{clean / 'bin'}{os.pathsep}{os.defpath}",
        "HOME": str(tmp_path),
        "PYKALA_CACHE": str(tmp_path / "cache"),
        "PYKALA_LIBRARY": str(tmp_path / "own"),
        "LANG": "C.UTF-8",
    }
    return subprocess.run(
        [str(clean / "bin" / command[0]), *command[1:]],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def test_a_clean_environment_answers(clean: Path, tmp_path: Path) -> None:
    where = _run(clean, tmp_path, "python", "-c", "import pykala; print(pykala.__file__)")
    assert Path(where.stdout.strip()).is_relative_to(clean), where.stdout + where.stderr
    done = _run(clean, tmp_path, "pykala", "ask", QUESTION)
    assert done.returncode == 0, done.stderr
    assert "25.5 per cent" in done.stdout
    samples = clean.glob("lib/python*/site-packages/pykala/packs/canada/sample")
    shutil.copytree(next(samples), tmp_path / "law" / "ca")
    read = _run(clean, tmp_path, "pykala", "get", "ca", "--from", "law")
    assert (read.returncode, "3 items read" in read.stdout) == (0, True), read.stdout + read.stderr


@pytest.mark.parametrize(("verb", "extra"), [("serve", "serve"), ("mcp", "serve")])
def test_what_needs_an_extra_says_which(clean: Path, tmp_path: Path, verb: str, extra: str) -> None:
    done = _run(clean, tmp_path, "pykala", verb)
    assert done.returncode != 0
    assert f"pip install 'pykala[{extra}]'" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
