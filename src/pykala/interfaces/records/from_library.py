"""What must be said with everything that a library holds: that the sample is paraphrases, not law."""

from __future__ import annotations

from typing import Any

from pykala.answer.caveats import of_library
from pykala.library import Library
from pykala.records.answers import Caveat
from pykala.records.record import Record, json_field
from pykala.text.phrases import LANGUAGES


class FromLibrary(Record):
    """The caveats of the library itself, in a result that has no others."""

    caveats: list[Caveat] = json_field(
        "What holds for all of it: SAMPLE says that these are paraphrases, not law; say so with it.",
        default_factory=list,
    )


def told_of(library: Library, language: str | None = None) -> dict[str, Any]:
    """The caveats of everything that the library holds, as the field of a record."""
    found = of_library(library.store.facts(), spoken=language or LANGUAGES[0])
    return {"caveats": [Caveat.of(one) for one in found]}
