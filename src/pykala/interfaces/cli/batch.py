"""Answer many questions from a file, one per line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pykala.answer.record import answer_json
from pykala.interfaces.advising import second_opinion_on
from pykala.interfaces.cli.arguments import day_of, has_words, language_of
from pykala.interfaces.cli.terminal import readable
from pykala.library import Library
from pykala.packs.pack import UnknownPack
from pykala.retrieve.conversation import Turn

if TYPE_CHECKING:
    from pykala.online import Online


def lines_of(batch: Path) -> list[bytes]:
    """The lines of a file, parsed one by one."""
    try:
        return batch.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n")
    except OSError as error:
        raise typer.BadParameter(f"{batch} cannot be read: {error.strerror or error}") from None


def batch_answers(
    library: Library,
    lines: Iterable[bytes],
    defaults: Mapping[str, str | None],
    *,
    draft: bool = True,
    online: Online | None = None,
    second_opinion: bool = False,
) -> Iterator[dict[str, object]]:
    """One answer per line; a line that cannot be read gives an error, and the rest continue.

    A line may go on from another: `after` is the id of an earlier line, or a question.
    """
    turns: dict[str, Turn] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        identifier = str(number)
        try:
            asked = json.loads(line.decode("utf-8"))
            if not isinstance(asked, dict):
                raise ValueError('write an object, such as {"id": "1", "question": "…"}')
            identifier = identifier if asked.get("id") is None else str(asked["id"])
            question, as_of, language, jurisdiction, home, after = (
                _text_of(asked, name) or defaults.get(name)
                for name in ("question", "as_of", "language", "jurisdiction", "home", "after")
            )
            if not question or not has_words(question):
                raise ValueError("there is no question")
            answer = library.ask(
                readable(question),
                as_of=day_of(as_of),
                language=language_of(language),
                jurisdiction=jurisdiction,
                identifier=identifier,
                draft=draft,
                online=online,
                after=turns.get(after, readable(after)) if after else None,
                home=home,
            )
            turns[identifier] = Turn.of(answer)
        except (ValueError, RecursionError, UnknownPack, typer.BadParameter) as error:
            yield {"id": identifier, "error": f"line {number}: {error}"}
        else:
            beside = {"second_opinion": second_opinion_on(answer, library)} if second_opinion else {}
            yield {**answer_json(answer, jurisdiction=jurisdiction), **beside}


def _text_of(asked: Mapping[str, object], name: str) -> str | None:
    value = asked.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} is not a text")
    return value
