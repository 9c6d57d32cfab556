"""`pykala ask --export FILE`: write the answer as a document."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import typer

from pykala.interfaces.exits import NOT_UNDERSTOOD, fail
from pykala.views.sheets import FORMS, SheetsMissing, write_sheet


def form_of(path: Path, batch: Path | None) -> str:
    """The format of a file, by its ending; BadParameter for an unknown ending."""
    if batch is not None:
        raise typer.BadParameter("--export writes one answer; --batch has many")
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMS:
        endings = ", ".join(f".{one}" for one in FORMS)
        raise typer.BadParameter(f"{path} ends in no form that can be written; give one of {endings}")
    return form


def write_document(path: Path, record: Mapping[str, Any]) -> None:
    """Write a record as a document; on failure exit with the reason."""
    try:
        data = write_sheet(record, form_of(path, None), made_on=date.today())  # noqa: DTZ011 - the user's day
        path.write_bytes(data)
    except SheetsMissing as missing:
        fail(str(missing), NOT_UNDERSTOOD)
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror}; give another place with --export", NOT_UNDERSTOOD)
