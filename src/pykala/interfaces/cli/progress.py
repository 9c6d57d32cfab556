"""Progress of a long read: a bar with rate and time left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from pykala.interfaces.cli.terminal import console
from pykala.packs.pack import pack_for


def asking(pack: str) -> str:
    """What a progress line says until a pack's publisher has answered: "asking Finlex …"."""
    return f"asking {pack_for(pack).facts.publisher} …"


@contextmanager
def progress_bar(
    quiet: bool, doing: str = "reading", *, before: str = ""
) -> Iterator[Callable[[int, int], None]]:
    """A bar with rate and time left, on the error stream so that output stays clean.

    `before` is said in place of `doing` until it is known how much there is to do.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    errors = console(stderr=True)
    if quiet or not errors.is_terminal:
        yield lambda done, total: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    started = perf_counter()
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task(before or doing, total=None, rate="")

        def advance(done: int, total: int) -> None:
            rate = done / max(perf_counter() - started, 1e-6)
            bar.update(task, description=doing, completed=done, total=total, rate=f"{rate:,.0f}/s")

        yield advance
