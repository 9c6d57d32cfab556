"""`pykala calibrate`: learn from question sets how candidates are weighed and when the engine is sure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from pykala.interfaces.cli.session import AsJson, write
from pykala.interfaces.errors import clear_errors
from pykala.interfaces.exits import NOT_UNDERSTOOD, fail
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
        typer.Argument(
            metavar="SET=LIBRARY...", help="A question set, or a pack's code, and the folder it is asked of."
        ),
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
        Path | None,
        typer.Option(
            "--out", help="Write the weights here, for PYKALA_CALIBRATION, and not beside the libraries."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn how candidates are ordered, and what their grades are worth, from questions with answers.

    The weights are kept beside each library, for the embedder and the reranker that are set. Every figure
    printed is of questions that the weights had not seen (five-fold cross-validation).
    """
    from pykala.evaluate.calibrate import calibrate, calibration_json, calibration_text, keep

    measured, taught = [_pair(one) for one in sets], [_pair(one) for one in beside or ()]
    settings = Settings.read()
    with clear_errors():
        try:
            fitted = calibrate(measured, settings, date.today(), taught)  # noqa: DTZ011
        except ValueError as error:
            fail(str(error), NOT_UNDERSTOOD)
        data = calibration_json(fitted)
        if out is not None:
            out.write_text(calibration_text(fitted), encoding="utf-8")
        written = (out,) if out is not None else keep(fitted, measured, settings)
    write(as_json, lambda: data, lambda console: _draw(console, fitted, written))


def _pair(given: str) -> tuple[Path, Path]:
    questions, separator, folder = given.rpartition("=")
    if not separator:
        fail(f"{given!r} names no library; write SET=LIBRARY_FOLDER", NOT_UNDERSTOOD)
    return Path(questions), Path(folder)


def _draw(console: Console, fitted: dict[Case, Fitted], written: Sequence[Path]) -> None:
    from pykala.evaluate.reliability import calibration_error, together

    table = Table(
        *("case", "questions", "first right", "MRR", "answered", "right of these", "wrong of all"),
        *("likely", "right of these", "calibration error"),
    )
    for case, one in fitted.items():
        table.add_row(
            case.value,
            str(one.questions),
            f"{one.first_right:.3f}",
            f"{one.reciprocal_rank:.3f}",
            f"{one.answered:.3f}",
            f"{one.accuracy:.3f}",
            f"{one.wrong:.3f}",
            f"{one.likely:.3f}",
            f"{one.likely_accuracy:.3f}",
            f"{one.error:.3f}",
        )
    console.print(table)
    bins = together([one.bins for one in fitted.values()])
    reliable = Table("predicted", "measured", "questions", title="Are grades what they say? All cases")
    for bin in bins:
        reliable.add_row(f"{bin.predicted:.3f}", f"{bin.measured:.3f}", str(bin.count))
    console.print(reliable)
    console.print(f"Expected calibration error, cross-validated over acts: {calibration_error(bins):.3f}")
    for path in written:
        console.print(f"Weights: {path}")
