"""`pykala calibrate`: learn from question sets how candidates are weighed and when the engine is sure."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from pykala.interfaces.cli.session import NOT_UNDERSTOOD, AsJson, clear_errors, fail, write
from pykala.settings import Settings

if TYPE_CHECKING:
    from pykala.evaluate.calibrate import Fitted
    from pykala.retrieve.calibration import Case


def register(app: typer.Typer) -> None:
    """Add the verb to the program."""
    app.command("calibrate")(calibrate_command)


def calibrate_command(
    sets: Annotated[
        list[str],
        typer.Argument(metavar="SET=LIBRARY...", help="A question set and the folder it is asked of."),
    ],
    beside: Annotated[
        list[str] | None,
        typer.Option(
            "--beside",
            metavar="SET=LIBRARY",
            help="A set that teaches what a right answer looks like, but measures nothing.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the weights here, for PYKALA_CALIBRATION.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn how candidates are ordered, and from which grade on they answer, from questions with answers.

    Every figure printed is of questions that the weights had not seen (five-fold cross-validation).
    """
    from pykala.evaluate.calibrate import calibrate, calibration_json

    measured, taught = [_pair(one) for one in sets], [_pair(one) for one in beside or ()]
    with clear_errors():
        try:
            fitted = calibrate(measured, Settings.read(), date.today(), taught)  # noqa: DTZ011
        except ValueError as error:
            fail(str(error), NOT_UNDERSTOOD)
    data = calibration_json(fitted)
    if out is not None:
        out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    write(as_json, lambda: data, lambda console: _draw(console, fitted))


def _pair(given: str) -> tuple[Path, Path]:
    questions, separator, folder = given.rpartition("=")
    if not separator:
        fail(f"{given!r} names no library; write SET=LIBRARY_FOLDER", NOT_UNDERSTOOD)
    return Path(questions), Path(folder)


def _draw(console: Console, fitted: dict[Case, Fitted]) -> None:
    table = Table("case", "questions", "first right", "MRR", "answered", "right of these", "wrong of all")
    for case, one in fitted.items():
        table.add_row(
            case.value,
            str(one.questions),
            f"{one.first_right:.3f}",
            f"{one.reciprocal_rank:.3f}",
            f"{one.answered:.3f}",
            f"{one.accuracy:.3f}",
            f"{one.wrong:.3f}",
        )
    console.print(table)
