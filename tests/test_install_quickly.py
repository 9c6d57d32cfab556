"""uv is told what pip's own settings say of indexes and certificates."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from install_quickly import PIP, told_to_uv

SETTINGS = """
[global]
index-url = https://index.example/simple
extra-index-url =
    https://more.example/simple
    file:///opt/packages
timeout = 60
cert = /etc/others.pem

[install]
find-links = /opt/wheels /opt/more
cert = /etc/certificates.pem

[download]
find-links = /opt/downloads
"""
AS_UV_SAYS = {
    "UV_DEFAULT_INDEX": "https://index.example/simple",
    "UV_INDEX": "https://more.example/simple file:///opt/packages",
    "UV_FIND_LINKS": "/opt/wheels,/opt/more",
    "SSL_CERT_FILE": "/etc/certificates.pem",
    "UV_INDEX_STRATEGY": "unsafe-best-match",
}


def settings_of_pip(**environment: str) -> list[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    done = subprocess.run(
        [*PIP, "config", "list"], env={**kept, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_uv_looks_where_pip_does(tmp_path: Path) -> None:
    file = tmp_path / "pip.conf"
    file.write_text(SETTINGS, "utf-8")
    told = told_to_uv(settings_of_pip(PIP_CONFIG_FILE=str(file), PIP_NO_INDEX="1"))
    assert told.items() >= AS_UV_SAYS.items()  # a file of the whole machine may say more
    assert told["UV_NO_INDEX"] == "1"


def test_the_environment_is_stronger_than_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pip.conf"
    file.write_text(SETTINGS, "utf-8")
    told = told_to_uv(settings_of_pip(PIP_CONFIG_FILE=str(file), PIP_INDEX_URL="https://own.example/simple"))
    assert told["UV_DEFAULT_INDEX"] == "https://own.example/simple"


def test_without_settings_only_the_choice_among_indexes_is_told() -> None:
    told = told_to_uv(settings_of_pip(PIP_CONFIG_FILE=os.devnull))
    assert told == {"UV_INDEX_STRATEGY": "unsafe-best-match"}
