"""Files of operations: each held against the schema or the tool of those who will read it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from pykala.settings_table import setting_of

ROOT = Path(__file__).parents[1]
UNIT = ROOT / "deploy" / "pykala.service"
BESIDE = Path(sys.executable).parent


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("vendor.github-workflows", ".github/workflows/release.yml"),
        ("vendor.compose-spec", "deploy/compose.yaml"),
        ("vendor.compose-spec", "deploy/team/compose.yaml"),
        ("vendor.citation-file-format", "CITATION.cff"),
    ],
)
def test_a_file_has_the_shape_that_its_readers_want(schema: str, file: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(ROOT / file)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_release_gives_away_no_rights() -> None:
    done = subprocess.run(
        [BESIDE / "zizmor", "--offline", "--no-progress", str(ROOT / ".github")],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


#: How the documentation calls the machines of the release.
SYSTEMS = {
    "ubuntu-24.04": "Linux, x86_64",
    "ubuntu-24.04-arm": "Linux, aarch64",
    "macos-15": "macOS",
    "windows-2025": "Windows",
}


def test_the_documentation_promises_for_each_system_what_is_run_there() -> None:
    told = (ROOT / "docs" / "python.md").read_text("utf-8").partition("## Systems")[2]
    table = [re.split(r" ?\| ?", line) for line in told.splitlines()]
    rows = {cells[1]: cells[3] for cells in table if len(cells) > 4}
    job = workflows()["release.yml"]["jobs"]["systems"]
    run = {SYSTEMS[one]: one for one in job["strategy"]["matrix"]["system"]}
    assert {*rows} - {"system", "---"} == {*run}
    for name, machine in run.items():
        promised = f"matrix.system == '{machine}'" not in job["continue-on-error"]
        assert (rows[name] == "must answer a question") == promised, name
    begun = {name: one[True] for name, one in workflows().items()}  # YAML reads "on" as true
    assert begun == {"release.yml": {"push": {"tags": ["v*.*.*"]}}}, "what else is run is told there, too"
    headings = re.findall(r"(?m)^## .*$", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert ("no release yet" in told) == (len(headings) == 1 and "unreleased" in headings[0])


def workflows() -> dict[str, Any]:
    folder = ROOT / ".github" / "workflows"
    return {path.name: yaml.safe_load(path.read_text("utf-8")) for path in sorted(folder.iterdir())}


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="NO SYSTEMD: the unit is not checked here"
)
def test_the_unit_is_right_and_exposes_little(tmp_path: Path) -> None:
    # The program is not installed where the unit has it: one that is there stands in for it.
    text = UNIT.read_text("utf-8").replace("/opt/pykala/bin/pykala", shutil.which("true") or "/bin/true")
    unit = tmp_path / UNIT.name
    unit.write_text(text, "utf-8")
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(unit)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert checked.returncode == 0, checked.stderr
    assert UNIT.name not in checked.stderr, checked.stderr
    exposed = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=20", str(unit)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert exposed.returncode == 0, exposed.stdout[-2000:] + exposed.stderr


def test_the_dockerfile_is_as_its_linter_wants_it() -> None:
    done = subprocess.run(
        [BESIDE / "hadolint", "--failure-threshold", "style", str(ROOT / "Dockerfile")],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_container_runs_as_nobody_special_and_copies_what_the_package_needs() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line and not line.startswith(("#", " "))]
    final = steps[max(place for place, step in enumerate(steps) if step[0] == "FROM") :]
    assert ["USER", "10001:10001"] in final
    assert all(":latest" not in step[1] and ":" in step[1] for step in steps if step[0] == "FROM")
    own = [step[1].split() for step in steps if step[0] == "COPY" and "--from" not in step[1]]
    copied = {name for names in own for name in names[:-1]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"pyproject.toml", "src", project["readme"], *project["license-files"]} <= copied
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert ignored[0] == "*"
    assert {f"!{name}" for name in copied} <= set(ignored)


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/upgrading.md", "docs/operations.md"])
def test_what_is_installed_can_export_what_the_page_offers(page: str) -> None:
    (extras,) = re.findall(r'pip install (?:--upgrade )?"\.\[([a-z,]+)\]"', (ROOT / page).read_text("utf-8"))
    assert "documents" in extras.split(",")


@pytest.mark.parametrize(
    "file",
    [
        *("Dockerfile", "deploy/compose.yaml", "deploy/team/compose.yaml", "deploy/pykala.service"),
        "docs/operations.md",
    ],
)
def test_every_setting_that_is_named_is_one(file: str) -> None:
    named = set(re.findall(r"\bPYKALA_[A-Z_]+\b", (ROOT / file).read_text("utf-8")))
    assert named
    assert {name for name in named if setting_of(name) is None} == set()


def test_versions_agree() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
