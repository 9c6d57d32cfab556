"""`pykala`: each verb is a method of the Library.

Exit codes: 0 done, whatever the outcome of a question; 1 a replayed answer changed; 2 the request was not
understood (an unknown provision, date, flag, pack or setting, or a provision not in force on the date); 3 the
library could not be used (none there, locked, damaged, incompatible, disk full); 4 something was held back so
that good law stays; 5 a publisher could not be reached; 130 interrupted.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated

import typer

from pykala.interfaces.beginning import begin_process
from pykala.interfaces.cli.mapped_files import end_clearly_on_bus_errors
from pykala.interfaces.cli.verbs import VERBS, VerbGroup, say_version
from pykala.interfaces.exits import INTERRUPTED, NOT_UNDERSTOOD, Interrupted, warn
from pykala.settings_table import SettingsUnreadable

# Typer uses its own copy of Click or Click itself, depending on its version; this is its UsageError.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="pykala",
    cls=VerbGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit codes: 0 done; 1 a replayed answer changed; 2 request not understood; 3 library could not be"
    " used; 4 something was held back so that good law stays; 5 a publisher could not be reached;"
    " 130 interrupted.",
)


def _say_version(wanted: bool) -> None:
    if wanted:
        say_version()


@app.callback()
def program(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Answers questions about law from the law itself, with citations that can be checked."""


def main() -> None:
    """Run the command line."""
    begin_process()
    end_clearly_on_bus_errors()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal whose encoding lacks "ä" still gets the answer
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; a mistake gets one line that says what to do."""
    try:
        # Not standalone: otherwise a mistyped flag would print the whole usage text.
        code = app(list(arguments) or ["--help"], prog_name="pykala", standalone_mode=False)
        if code == INTERRUPTED:
            return _interrupted(_SAFE)
        return code if isinstance(code, int) else 0
    except UsageError as error:
        warn(f"{_mistake(error)}; see '{_path(error, arguments)} --help'")
        return NOT_UNDERSTOOD
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted(_SAFE)
    except SettingsUnreadable as error:
        warn(str(error))
        return NOT_UNDERSTOOD
    except Interrupted as interrupted:
        return _interrupted(str(interrupted))
    except BrokenPipeError:  # the reader of our output, such as head, closed the pipe
        sys.stderr.close()
        return 0


def _mistake(error: Exception) -> str:
    """What is wrong; of an unknown option only the nearest one is named."""
    option, known = getattr(error, "option_name", ""), getattr(error, "possibilities", None)
    if option and known:
        nearest = get_close_matches(option, known, n=1, cutoff=0.0)[0]
        return f"No such option: {option}; did you mean {nearest}"
    message: str = getattr(error, "format_message", error.__str__)()
    return message.rstrip(".")


def _path(error: Exception, arguments: Sequence[str]) -> str:
    """The command whose help is named; an error that the parser itself raises does not know it."""
    if context := getattr(error, "ctx", None):
        return str(context.command_path)
    return next((f"pykala {one}" for one in arguments[:1] if one in VERBS), "pykala")


_SAFE = "what was stored before is safe, and the same command goes on"


def _interrupted(kept: str) -> int:
    if sys.stderr.isatty():  # the terminal has written ^C at the beginning of this line
        sys.stderr.write("\n")
    warn(f"interrupted; {kept}")
    return INTERRUPTED
