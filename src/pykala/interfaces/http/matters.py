"""Select the matter of a request: only its members read its documents, together with the law."""

from __future__ import annotations

from typing import Final

from pykala.interfaces.http.key_rings import Holder, Ring
from pykala.interfaces.serving.problems import Problem

HEADER: Final = "X-Pykala-Matter"


def require_member(matter: str, holder: Holder | None, ring: Ring | None) -> None:
    """Refuse a request that names a matter to which its caller does not belong."""
    if not matter:
        return
    # Use the same message for an unknown matter and a foreign one, because even names of matters are
    # confidential.
    if holder is None or ring is None or not ring.admits(matter, holder.name):
        raise Problem(
            "not-allowed",
            f"this key belongs to no matter of that name; leave the header {HEADER} out, or ask who runs the"
            " server to let it belong ('pykala matters join')",
        )
