"""Select the matter of a request: only its members read its documents, together with the law."""

from __future__ import annotations

from typing import Final

from pykala.interfaces.http.key_rings import Holder, Ring
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.request import chosen_matter, current

HEADER: Final = "X-Pykala-Matter"


def choose(matter: str, holder: Holder | None, ring: Ring | None) -> None:
    """Set the matter of the current request; refuse a caller who is not a member."""
    if not matter:
        chosen_matter.set("")
        return
    # The same words whether there is no such matter or the caller is none of it: names tell things, too.
    if holder is None or ring is None or not ring.admits(matter, holder.name):
        raise Problem(
            "not-allowed",
            f"this key belongs to no matter of that name; leave the header {HEADER} out, or ask who runs the"
            " server to let it belong ('pykala matters join')",
        )
    chosen_matter.set(matter)
    if (seen := current.get()) is not None:
        seen.matter = matter
