"""The lock of what a server is installed with: it agrees with the package, and a release is made of it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fuzz import audit

ROOT = Path(__file__).parents[1]
_PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
_PROJECT = _PYPROJECT["project"]
_BUILD_LOCK = ROOT / "deploy" / "build.lock"


def locked(lock: Path = audit.LOCK) -> dict[str, list[tuple[str, int]]]:
    """Each package of a lock with its versions, one for each system that needs another, and its hashes."""
    text = re.sub(r"^\s*#.*\n", "", lock.read_text("utf-8"), flags=re.MULTILINE)
    found: dict[str, list[tuple[str, int]]] = {}
    for entry in text.replace("\\\n", " ").splitlines():
        pinned, *hashes = entry.split("--hash=")
        required = Requirement(pinned)
        (version,) = required.specifier
        assert version.operator == "=="
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", one) for one in hashes), pinned
        found.setdefault(canonicalize_name(required.name), []).append((version.version, len(hashes)))
    return found


def extras() -> list[str]:
    """The extras that the Makefile locks."""
    (line,) = re.findall(r"^LOCKED := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    return line.split()


def test_everything_that_a_server_needs_is_locked_within_its_range_with_hashes() -> None:
    held = locked()
    named = [
        *_PROJECT["dependencies"],
        *(one for x in extras() for one in _PROJECT["optional-dependencies"][x]),
    ]
    assert len(named) > 25
    for required in map(Requirement, named):
        versions = held.get(canonicalize_name(required.name), [])
        assert versions, f"{required.name} is not in the lock; run: make lock"
        for version, hashes in versions:
            assert required.specifier.contains(version), f"{required}: {version} is locked; run: make lock"
            assert hashes, required.name
    assert all(hashes for versions in held.values() for _, hashes in versions)
    # PYKALA_METRICS=1 does not start without `metrics`; Word and PDF are not written without `documents`.
    assert {"cluster", "documents", "metrics"} <= set(extras()) <= set(_PROJECT["optional-dependencies"])


@pytest.mark.parametrize("lock", [audit.LOCK, _BUILD_LOCK], ids=lambda lock: lock.name)
def test_a_lock_names_no_place_that_files_come_from(lock: Path) -> None:
    assert not re.search(r"https?://|--(?:extra-)?index-url|--find-links", lock.read_text("utf-8"))


def test_what_builds_the_package_is_locked_with_hashes() -> None:
    held = locked(_BUILD_LOCK)
    for required in map(Requirement, _PYPROJECT["build-system"]["requires"]):
        ((version, hashes),) = held[canonicalize_name(required.name)]
        assert required.specifier.contains(version), "run: make lock"
        assert hashes
    assert all(hashes for versions in held.values() for _, hashes in versions)


def test_the_image_is_installed_from_the_locks_alone() -> None:
    told = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    installs = re.findall(r"pip [^&;]*?\binstall [^&;\n]*", told)
    from_locks = [one for one in installs if "--require-hashes" in one]
    assert [one.rpartition(" -r ")[2].strip() for one in from_locks] == ["requirements.lock", "build.lock"]
    # A package that a lock does not name must not come along, and the package itself comes from the folder.
    assert all("--no-deps" in one for one in from_locks)
    own, more = (one for one in installs if one not in from_locks)
    assert "--no-deps --no-index /wheels/" in own
    assert "pip wheel --no-cache-dir --no-deps --no-build-isolation" in told
    assert '"pykala[${MORE}]"' in more
    assert re.search(r"^ARG MORE=$", told, re.MULTILINE), "only who asks for more gets what is not locked"


def test_a_release_is_installed_from_the_lock_and_audited() -> None:
    told = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    order = (
        "--require-hashes --requirement deploy/requirements.lock",
        "python -m fuzz.audit",
        "cyclonedx-py",
    )
    places = [told.index(step) for step in order]
    assert places == sorted(places)


def test_without_pip_audit_nothing_was_audited(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "find_spec", lambda name: None)
    assert audit.main([]) == audit.NOT_AUDITED
    assert "nothing was audited: pip-audit is not installed" in capsys.readouterr().out
