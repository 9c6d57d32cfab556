"""Collect pages, generate the reference, and let Zensical write the site."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from docsite import blocks, commands, http_operations, mcp_tools, python_names
from docsite.pages import PLACES, ROOT, notebook_page, relinked

OUT = ROOT / "build"
HERE = Path(__file__).parent
#: Pages that are written by the code itself, each at its place in the site.
GENERATED = {
    "reference/commands.md": commands.page,
    "reference/python.md": python_names.page,
    "reference/http.md": http_operations.page,
    "reference/mcp.md": mcp_tools.page,
    "reference/examples.md": blocks.page,
}


class BuildFailed(RuntimeError):
    """Zensical did not build the site, or warned about it."""


def build(out: Path = OUT) -> Path:
    """Build the site below a folder; returns the folder of the finished site."""
    project = out / "pages"
    shutil.rmtree(project, ignore_errors=True)
    shutil.rmtree(out / "site", ignore_errors=True)
    collect(project / "docs")
    shutil.copy(HERE / "zensical.toml", project / "zensical.toml")
    done = subprocess.run(
        [Path(sys.executable).parent / "zensical", "build", "--strict"],
        cwd=project,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise BuildFailed(done.stdout + done.stderr)
    return Path(shutil.move(project / "site", out / "site"))


def collect(to: Path) -> None:
    """All pages of the site, as Markdown with links that hold there."""
    for source, place in PLACES.items():
        target = to / place
        target.parent.mkdir(parents=True, exist_ok=True)
        file = ROOT / source
        if file.suffix == ".ipynb":
            target.write_text(notebook_page(file), "utf-8")
        else:
            target.write_text(relinked(file.read_text("utf-8"), source, place), "utf-8")
    for place, page in GENERATED.items():
        target = to / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(), "utf-8")
    shutil.copytree(ROOT / "docs" / "pictures", to / "pictures")
    shutil.copytree(HERE / "assets", to / "assets")
