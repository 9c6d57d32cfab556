"""Install packages with uv, from where pip would take them; with pip where uv cannot be had or cannot do it.

    python tests/install_quickly.py --editable ".[dev]"

pip fetches and unpacks on one core, one package after the other. uv does all of it at once, from the same
indexes: it does not read pip's settings itself.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping

PIP = (sys.executable, "-m", "pip")
#: What pip calls a setting of its own, and what uv calls it; and what uv puts between several values.
SETTINGS = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "no-index": ("UV_NO_INDEX", " "),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "cert": ("SSL_CERT_FILE", " "),
}
#: Where `pip install` reads settings; the last one is the strongest.
SECTIONS = {"global": 1, "install": 2, ":env:": 3}


def told_to_uv(settings: Iterable[str]) -> dict[str, str]:
    """The environment in which uv looks where pip does, from the lines of `pip config list`."""
    # pip takes the best version of all its indexes, and so shall uv.
    told = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for line in sorted(settings, key=lambda line: SECTIONS.get(line.partition(".")[0], 0)):
        name, _, value = line.partition("=")
        section, _, setting = name.partition(".")
        if section in SECTIONS and (uv := SETTINGS.get(setting)):
            told[uv[0]] = uv[1].join(ast.literal_eval(value).split())
    return told


def installed_by_uv(arguments: list[str], environment: Mapping[str, str]) -> bool:
    """Whether uv could be had and has installed everything."""
    if subprocess.run([*PIP, "install", "--quiet", "uv>=0.8,<1"], check=False).returncode:
        return False
    listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=True)
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable]
    told = {**told_to_uv(listed.stdout.splitlines()), **environment}  # what is told to uv itself comes first
    return subprocess.run([*command, *arguments], env=told, check=False).returncode == 0


def main(arguments: list[str]) -> int:
    """Install; the exit code of the last that tried."""
    if installed_by_uv(arguments, os.environ):
        return 0
    print("uv could not install everything: pip does")
    return subprocess.run([*PIP, "install", "--quiet", "--no-compile", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
