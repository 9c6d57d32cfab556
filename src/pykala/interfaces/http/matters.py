"""The matter that a request is of: its documents are read beside the law, and by nobody else."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from pykala.interfaces.http import observing
from pykala.interfaces.http.key_rings import Holder, Ring
from pykala.interfaces.http.problems import Problem

HEADER: Final = "X-Pykala-Matter"
#: The matter of the request that is being answered; "" for the law alone.
chosen: ContextVar[str] = ContextVar("matter", default="")


def choose(matter: str, holder: Holder | None, ring: Ring | None) -> None:
    """Let a request be of the matter that it names, where its caller belongs to that."""
    if not matter:
        chosen.set("")
        return
    # The same words whether there is no such matter or the caller is none of it: names tell things, too.
    if holder is None or ring is None or not ring.admits(matter, holder.name):
        raise Problem(
            "not-allowed",
            f"this key belongs to no matter of that name; leave the header {HEADER} out, or ask who runs the"
            " server to let it belong ('pykala matters join')",
        )
    chosen.set(matter)
    if (seen := observing.current.get()) is not None:
        seen.matter = matter
