"""Parse the values of options; an error says what is expected."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import typer

from pykala.interfaces.cli.terminal import readable
from pykala.law.choices import day_told
from pykala.law.provisions import ProvisionKind, WorkKind
from pykala.packs.pack import installed


def as_one(words: Sequence[str]) -> str:
    """Join words that the shell split: a question needs no quotation marks."""
    return readable(" ".join(words))


def has_words(text: str) -> bool:
    """Whether a text has a letter or a digit: "???" asks nothing."""
    return any(letter.isalnum() for letter in text)


def language_of(text: str | None) -> str | None:
    """Parse a language that an installed pack uses."""
    known = sorted({language for pack in installed().values() for language in pack.facts.languages})
    if text is not None and text not in known:
        raise typer.BadParameter(
            f"{text!r} is not a language that is held here; there are: {', '.join(known)}"
        )
    return text


def kinds_of(names: Sequence[str] | None) -> Sequence[str]:
    """Parse kinds of works or provisions."""
    known = {kind.value for kinds in (WorkKind, ProvisionKind) for kind in kinds}
    for name in names or ():
        if name not in known:
            raise typer.BadParameter(f"{name!r} is not a kind; there are: {', '.join(sorted(known))}")
    return names or ()


def day_of(text: str | None) -> date | None:
    """Parse an ISO date."""
    if text is None:
        return None
    try:
        return day_told(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not a date; write it as YYYY-MM-DD, such as 2019-12-31"
        ) from None
