"""The commands in groups, as help shows them, and slips of one letter in their names.

Help, the version and completion need only this table. The code of a verb, and with it the library, is loaded
when the verb is known: that takes ten times as long as everything before it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from pykala.interfaces.exits import warn
from pykala.text.slips import one_slip_apart

#: By group and verb, in this order: the module that registers the verb, and the first sentence of its help.
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Get the law": {
        "get": ("getting", "Get real law into the library, from its publishers or from a folder of mirrors."),
        "ingest": (
            "getting",
            "Read a source into the library: a folder, an archive, or (without --from)"
            " what 'pykala get' fetches.",
        ),
        "fetch": (
            "fetching",
            "Find acts by words of their title at the publisher, fetch them and read them into the library.",
        ),
        "inbox": (
            "holdings",
            "Read your own documents into the library; they never outrank an official source.",
        ),
    },
    "Ask": {
        "ask": ("asking", "Answer a question with the provisions that govern it on a date."),
        "chat": (
            "asking",
            "Answer questions one after the other, each a line; one may go on from the one before it.",
        ),
        "search": ("finding", "Find provisions in force on a date."),
        "context": (
            "evidence",
            "Give the law that bears on a question as a block for another program's prompt.",
        ),
        "replay": (
            "evidence",
            "Ask a recorded question again on the present library, and say what changed and why.",
        ),
    },
    "Read": {
        "works": (
            "works",
            "List the works that the library holds, all or those with some words in their title.",
        ),
        "show": ("finding", "Show a provision as it stands on a date."),
        "tree": ("finding", "Show an act as a slim tree: numbers, titles, a sentence of each section."),
        "history": ("time", "Show when a provision, or anything below it, changed, and by which act."),
        "diff": (
            "time",
            "Show what differs in a provision, or in a whole work, between two dates, word by word.",
        ),
        "changes": (
            "time",
            "List the works whose words changed in a period, and the acts that changed them.",
        ),
        "related": ("finding", "Show what a provision refers to and what refers to it."),
        "cite": (
            "citing",
            "Find the citations in a text: where they stand, what they mean, whether the library holds it.",
        ),
        "export": (
            "auditing",
            "Write the library's graph (JSONL, GraphML) and its provisions and versions (Parquet).",
        ),
    },
    "Serve": {
        "serve": ("serving", "Serve the page, the HTTP API, a chat endpoint in OpenAI's shape, and MCP."),
        "mcp": (
            "serving",
            "Serve MCP on standard input and output, for a language model's client to start.",
        ),
        "keys": (
            "keys",
            "Make, list, rotate or revoke keys of the HTTP API, kept in a library in PostgreSQL.",
        ),
    },
    "Look after the library": {
        "stats": ("holdings", "Say how much the library holds."),
        "packs": (
            "packing",
            "List the installed jurisdictions, or write the package of a new one that passes its tests.",
        ),
        "config": ("configuring", "Show and explain every setting, its value and where it was set."),
        "cache": (
            "caching",
            "Show what is kept to answer again faster (vectors of questions, searches), or forget it.",
        ),
        "jobs": (
            "jobs",
            "Show how far ingests and fetches of the last day have come, on every machine of a team.",
        ),
        "matters": (
            "matters",
            "Make, list and close matters, whose documents only members read, and manage their members.",
        ),
        "audit-log": (
            "audit_log",
            "Show who asked, uploaded, deleted and exported, and who changed keys and matters;"
            " the newest first.",
        ),
        "erase": (
            "matters",
            "Remove a matter, or all that belongs to a person, for good.",
        ),
        "retention": (
            "matters",
            "Erase every matter that was closed longer ago than it is kept; for a schedule, such as cron.",
        ),
        "delete": ("holdings", "Remove a work from the library."),
        "reindex": (
            "holdings",
            "Write the indexes anew from the records, with this version's text analysis"
            " and the embedder set.",
        ),
        "copy": (
            "copying",
            "Copy a library between a folder, PostgreSQL and a cluster; answers are the same in all.",
        ),
        "backup": (
            "backing",
            "Write the library into one file, with a checksum of every part, and read it back to check.",
        ),
        "restore": (
            "backing",
            "Unpack a backup into an empty folder, compare every checksum, and open the library to check.",
        ),
        "verify": (
            "verifying",
            "Check that a library is what was written: pages, content hashes, checksums,"
            " indexes against records.",
        ),
        "audit": (
            "auditing",
            "Draw provisions at random and check chains, dates, references, pairs,"
            " repetitions and lost words.",
        ),
    },
    "Measure": {
        "evaluate": (
            "evaluating",
            "Measure a library against questions whose answers are known; a run that was cut off goes on.",
        ),
        "calibrate": (
            "calibrating",
            "Learn how candidates are ordered, and what their grades are worth, from questions with answers.",
        ),
        "bench": (
            "measuring",
            "Measure how fast the library opens and answers here, with the questions that the packs"
            " bring along.",
        ),
    },
}
VERBS = {verb: told for verbs in GROUPS.values() for verb, told in verbs.items()}
#: Verbs that remove or replace something must be spelled exactly.
CAREFUL = frozenset({"delete", "erase", "reindex", "restore", "retention"})
_WHOLE = 1_000  # the most characters of a help sentence, so that none is cut


class VerbGroup(TyperGroup):
    """The program: commands in groups, with their whole help sentence; slips of one letter are forgiven."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for verb, (_, sentence) in VERBS.items():
            self.add_command(TyperCommand(verb, help=sentence, rich_markup_mode=None))

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands in the order of their groups."""
        return list(VERBS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands for help."""
        for group, verbs in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(verb, self.commands[verb].get_short_help_str(_WHOLE)) for verb in verbs])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command by its name, or by a name with one slip, and load it."""
        args = _as_options(args, ctx)
        meant = self._meant(args[0]) if args else ""
        if meant:
            warn(f"read {args[0]!r} as {meant!r}")
            args = [meant, *args[1:]]
        elif args and args[0] not in VERBS and not args[0].startswith("-"):
            _greet_or_explain(args, ctx)
        verb, command, rest = super().resolve_command(ctx, args)
        return verb, loaded(verb) if verb else command, rest

    def _meant(self, name: str) -> str:
        if name in VERBS or name.startswith("-"):
            return ""
        # A slip is rarely in the first letter: "what" begins a question and is not a slip of "chat".
        begins = [verb for verb in VERBS if name[:1] == verb[0] or name[:2] == verb[1::-1]]
        near = [verb for verb in begins if one_slip_apart(name, verb)]
        return near[0] if len(near) == 1 and near[0] not in CAREFUL else ""


def say_version() -> None:
    """Print the version and exit."""
    from importlib.metadata import version

    sys.stdout.write(f"pykala {version('pykala')}\n")
    raise typer.Exit


def _as_options(args: list[str], ctx: Any) -> list[str]:
    """Take "help", "help VERB" and "version" as the options that they are."""
    match args:
        case ["version"]:
            say_version()
        case ["help"]:
            sys.stdout.write(f"{ctx.get_help()}\n")
            raise typer.Exit
        case ["help", verb]:
            return [verb, "--help"]
    return args


def _greet_or_explain(words: list[str], ctx: Any) -> None:
    """Answer "pykala hello"; if a question stands in place of a verb, explain how to ask it."""
    from pykala.interfaces.cli.greeting import greet, is_greeting  # help and completion need neither
    from pykala.interfaces.cli.terminal import console

    if is_greeting(" ".join(words)):
        greet(console())
        raise typer.Exit
    if len(" ".join(words).split()) > 1:
        ctx.fail(f"No such command {words[0]!r}; to ask a question, write 'pykala ask' before it")


def loaded(verb: str) -> Any:
    """Load the command with its arguments and options."""
    module, _ = VERBS[verb]
    verbs = typer.Typer(callback=lambda: None, add_completion=False, rich_markup_mode=None)
    import_module(f"pykala.interfaces.cli.{module}").register(verbs)
    return typer.main.get_group(verbs).commands[verb]
