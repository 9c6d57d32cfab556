"""Words by which one question leans on another (`data/thread_words.toml`), as patterns."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def patterns(name: str, *, opening: bool = False, closing: bool = False) -> dict[str, re.Pattern[str]]:
    """A table as patterns of whole words in each language, perhaps only at the beginning or end of a text."""
    head = r"\A\W*" if opening else r"(?<![\w-])"
    tail = r"\W*\Z" if closing else ""
    return {
        language: re.compile(rf"{head}(?:{'|'.join(words)})(?![\w-]){tail}", re.IGNORECASE)
        for language, words in _tables()[name].items()
    }


def alternatives(name: str, language: str) -> str:
    """The words of a table as one piece of a pattern."""
    return "|".join(_tables()[name][language])


@cache
def _tables() -> Mapping[str, Mapping[str, list[str]]]:
    text = files("pykala.retrieve").joinpath("data/thread_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
