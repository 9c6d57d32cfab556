"""Who says hello is greeted, in the language that the system speaks."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from pykala.settings import system_language
from pykala.text.phrases import LANGUAGES, say

_HELLO = frozenset(
    {"hello", "hello there", "hi", "hi there", "hey", "good morning", "good day", "good evening"}
    | {"hei", "heippa", "moi", "moikka", "terve", "huomenta", "hyvää huomenta", "hyvää päivää", "päivää"}
    | {"hej", "hejsan", "hallå", "tjena", "god morgon", "god dag"}
    | {"bonjour", "bonsoir", "salut", "allô", "coucou"}
)


def is_greeting(words: str) -> bool:
    """Whether somebody says hello and asks nothing."""
    return " ".join(words.casefold().strip(" \t\n.,!?").split()) in _HELLO


def greet(console: Console) -> None:
    """Say hello, and how to ask."""
    spoken = system_language()
    spoken = spoken if spoken in LANGUAGES else LANGUAGES[0]
    example = f'"{say(spoken, "shown.hello_example")}"'
    console.print(Text(say(spoken, "shown.hello", example=example)))
