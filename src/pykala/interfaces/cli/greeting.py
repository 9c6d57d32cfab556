"""Answer a greeting, in the system's language."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from pykala.settings import system_language
from pykala.text.languages.known import derived, known
from pykala.text.phrases import LANGUAGES, say, speaks


@derived
def _greetings() -> frozenset[str]:
    return frozenset(hello for language in known() for hello in language.pieces("questions.greetings"))


def is_greeting(words: str) -> bool:
    """Whether the text is only a greeting."""
    return " ".join(words.casefold().strip(" \t\n.,!?").split()) in _greetings()


def greet(console: Console, *, in_chat: bool = False) -> None:
    """Print a greeting and how to ask: by a command or, in a chat, by a line."""
    spoken = system_language()
    spoken = spoken if spoken and speaks(spoken) else LANGUAGES[0]
    example = say(spoken, "shown.hello_example")
    if not in_chat:
        example = f'pykala ask "{example}"'
    console.print(Text(say(spoken, "shown.hello", example=example)))
