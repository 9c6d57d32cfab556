"""The reference of the command line, from the program itself."""

from __future__ import annotations

import re
from typing import Any

import typer

from docsite.markdown import cell, table
from pykala.interfaces.cli.main import app
from pykala.interfaces.cli.verbs import GROUPS, loaded

_CODES = re.compile(r"(\d+) ([^;]+?)[;.](?= |$)")


def page() -> str:
    """The page of all verbs with their arguments and options."""
    program = typer.main.get_command(app)
    context = program.make_context("pykala", [], resilient_parsing=True)
    parts = [
        "# Commands",
        "Generated from the program. `pykala VERB -h` shows the same in a terminal.",
        _codes(),
    ]
    for group, verbs in GROUPS.items():
        parts.append(f"## {group}")
        parts += [_verb(loaded(verb), context, verb) for verb in verbs]
    return "\n\n".join(parts) + "\n"


def _codes() -> str:
    told = str(app.info.epilog).removeprefix("Exit codes: ")
    return "## Exit codes\n\n" + table(("code", "meaning"), _CODES.findall(told))


def _verb(command: Any, parent: Any, name: str) -> str:
    context = type(parent)(command, parent=parent, info_name=name)
    usage = re.sub(r"[{}]", "", command.get_usage(context).removeprefix("Usage: "))
    about = re.sub(r"(?<!\n)\n(?!\n)", " ", command.help or "").strip()
    rows = [record for one in command.get_params(context) if (record := one.get_help_record(context))]
    shown = [(f"`{named}`", cell(told)) for named, told in rows if not named.startswith("-h")]
    return (
        f"### {name}\n\n{about}\n\n```text\n{usage}\n```\n\n{table(('argument or option', 'meaning'), shown)}"
    )
