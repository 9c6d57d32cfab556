"""Runs a command of the program in this process: quicker than a new one."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout

import typer

from pykala.interfaces.cli.main import run


def run_registered(register: Callable[[typer.Typer], None], *arguments: str) -> tuple[int, str, str]:
    """The exit code of a command, what it printed, and its errors."""
    app = typer.Typer()
    register(app)
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = app(list(arguments), standalone_mode=False)
    return code or 0, stdout.getvalue(), stderr.getvalue()


def run_program(*arguments: str) -> tuple[int, str, str]:
    """The same for the whole program, with its verbs and its errors."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = run(arguments)
    return code, stdout.getvalue(), stderr.getvalue()
