"""Run the server: `python -m pykala.interfaces.http`."""

from __future__ import annotations

import typer

from pykala.interfaces.cli.serving import serve_command

typer.run(serve_command)
